// A narrowed stage of four dimensions: the points along c that share z with n are those that are needed.
// RUN: pipeline-opt --infer-bounds --fuse="strategy=none" --map-to-gpu --canonicalize --cse %s | FileCheck %s

// CHECK-LABEL: gpu.func @f_g0_s
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: %[[Z:.*]] = gpu.block_id z
// CHECK-DAG: %c = arith.remsi %[[Z]], %[[TWO]]
// CHECK-DAG: %n = arith.divsi %[[Z]], %[[TWO]]
// CHECK-LABEL: func.func @f(
// CHECK: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: gpu.launch_func  @f_kernels::@f_g0_s blocks in (%{{.*}}, %{{.*}}, %[[FOUR]])
func.func @f(%img: tensor<2x3x8x8xf32>) -> tensor<2x2x8x8xf32> {
  %0 = pipeline.stage "s" (%n, %c, %y, %x) {
    %a = pipeline.load %img[%n, %c, %y, %x] : tensor<2x3x8x8xf32>
    pipeline.yield %a : f32
  } : tensor<2x3x8x8xf32>
  %1 = pipeline.stage "t" (%n, %c, %y, %x) {
    %a = pipeline.load %0[%n, %c, %y, %x] : tensor<2x3x8x8xf32>
    pipeline.yield %a : f32
  } : tensor<2x2x8x8xf32>
  return %1 : tensor<2x2x8x8xf32>
}
