// What a group yields and nobody uses is not computed, nor is what only that reads: --infer-bounds counts no need of it.
// RUN: pipeline-opt %s --infer-bounds --warp-tile | FileCheck %s --check-prefixes=CHECK,TILE
// RUN: pipeline-opt %s --infer-bounds --map-to-gpu | FileCheck %s

// The kernel, which has one image to read and one to write:
// CHECK:       gpu.func @f_g{{.*}}(%{{[a-z0-9_]+}}: memref<f32, 1> {{[^%]*}}, %{{[a-z0-9_]+}}: memref<f32, 1> {{[^%]*}}) kernel
// CHECK-NOT:   gpu.func
// TILE-NOT:    warp.compute
// TILE:        warp.compute "used"
// TILE-NOT:    warp.compute
// CHECK-LABEL: func.func @f(
// CHECK-NOT:   gpu.alloc
// CHECK:       gpu.launch_func
// CHECK-NOT:   gpu.launch_func
func.func @f(%img: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %g:2 = pipeline.group "g" {
    %a = pipeline.stage "only_for_unused" (%y, %x) {
      %v = pipeline.load %img[%y, %x] : tensor<64x64xf32>
      pipeline.yield %v : f32
    } : tensor<64x64xf32>
    %b = pipeline.stage "unused" (%y, %x) {
      %v = pipeline.load %a[%y, %x - 1] clamp : tensor<64x64xf32>
      %w = pipeline.load %a[%y, %x + 1] clamp : tensor<64x64xf32>
      %s = arith.addf %v, %w : f32
      pipeline.yield %s : f32
    } : tensor<64x64xf32>
    %c = pipeline.stage "used" (%y, %x) {
      %v = pipeline.load %img[%y, %x] : tensor<64x64xf32>
      pipeline.yield %v : f32
    } : tensor<64x64xf32>
    pipeline.yield %b, %c : tensor<64x64xf32>, tensor<64x64xf32>
  } : tensor<64x64xf32>, tensor<64x64xf32>
  return %g#1 : tensor<64x64xf32>
}
