// A group whose schedule says scope = "thread" has no tiles: each thread computes a point, and what it needs of the group.

// RUN: pipeline-opt %s --warp-tile | FileCheck %s
// RUN: pipeline-opt %s --block-tile | FileCheck %s

// CHECK: gpu.func @blur_g0(
// CHECK-SAME: nvvm.minctasm = 2 : i32, nvvm.reqntid = array<i32: 32, 8, 1>
// CHECK-NOT: warp.
// CHECK-COUNT-9: memref.load
// CHECK-NOT: memref.load
// CHECK: memref.store
// CHECK-NOT: memref.store
// Two stages that leave the group have a kernel each.
// CHECK: gpu.func @blur_g1_a(
// CHECK: gpu.func @blur_g1_b(
// The other group is tiled.
// CHECK: gpu.func @blur_g2(
// CHECK: warp.tile_id
// CHECK: func.func @blur
// CHECK: gpu.launch_func @blur_kernels::@blur_g0
// CHECK: gpu.launch_func @blur_kernels::@blur_g1_a
// CHECK: gpu.launch_func @blur_kernels::@blur_g1_b
// CHECK: gpu.launch_func @blur_kernels::@blur_g2
func.func @blur(%img: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = pipeline.group "g0" schedule {block = array<i64: 8, 32>, scope = "thread"} {
    %bx = pipeline.stage "blurx" (%y, %x) {
      %a = pipeline.load %img[%y, %x - 1] clamp : tensor<64x64xf32>
      %b = pipeline.load %img[%y, %x] clamp : tensor<64x64xf32>
      %c = pipeline.load %img[%y, %x + 1] clamp : tensor<64x64xf32>
      %d = arith.addf %a, %b : f32
      %e = arith.addf %d, %c : f32
      pipeline.yield %e : f32
    } : tensor<64x64xf32>
    %by = pipeline.stage "blury" (%y, %x) {
      %a = pipeline.load %bx[%y - 1, %x] clamp : tensor<64x64xf32>
      %b = pipeline.load %bx[%y, %x] clamp : tensor<64x64xf32>
      %c = pipeline.load %bx[%y + 1, %x] clamp : tensor<64x64xf32>
      %d = arith.addf %a, %b : f32
      %e = arith.addf %d, %c : f32
      pipeline.yield %e : f32
    } : tensor<64x64xf32>
    pipeline.yield %by : tensor<64x64xf32>
  } : tensor<64x64xf32>
  %1:2 = pipeline.group "g1" schedule {scope = "thread"} {
    %a = pipeline.stage "a" (%y, %x) {
      %v = pipeline.load %0[%y, %x] : tensor<64x64xf32>
      %w = arith.addf %v, %v : f32
      pipeline.yield %w : f32
    } : tensor<64x64xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %v = pipeline.load %a[%x, %y] : tensor<64x64xf32>
      pipeline.yield %v : f32
    } : tensor<64x64xf32>
    pipeline.yield %a, %b : tensor<64x64xf32>, tensor<64x64xf32>
  } : tensor<64x64xf32>, tensor<64x64xf32>
  %2 = pipeline.group "g2" schedule {scope = "warp"} {
    %c = pipeline.stage "c" (%y, %x) {
      %v = pipeline.load %1#0[%y, %x] : tensor<64x64xf32>
      %w = arith.mulf %v, %v : f32
      pipeline.yield %w : f32
    } : tensor<64x64xf32>
    pipeline.yield %c : tensor<64x64xf32>
  } : tensor<64x64xf32>
  return %2, %1#1 : tensor<64x64xf32>, tensor<64x64xf32>
}
