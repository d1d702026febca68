// Scans: a line a thread, what was one before in a register; the same kernels however groups are tiled.

// RUN: pipeline-opt %s --map-to-gpu --canonicalize --cse | FileCheck %s
// RUN: pipeline-opt %s --warp-tile --canonicalize --cse | FileCheck %s
// RUN: pipeline-opt %s --block-tile --canonicalize --cse | FileCheck %s

// Neighbouring threads have neighbouring columns.
// CHECK-LABEL: gpu.func @down_s
// CHECK-SAME:    nvvm.reqntid = array<i32: 32, 1, 1>
// CHECK:         %[[NUMBER:.*]] = arith.addi %{{.*}}, %thread
// CHECK:         %[[IN:.*]] = arith.cmpi ult, %[[NUMBER]], %{{.*}}
// CHECK:         scf.if %[[IN]] {
// CHECK:           scf.for %[[Y:.*]] = %{{.*}} iter_args(%[[ONE:.*]] = %{{.*}}, %[[TWO:.*]] = %{{.*}}) -> (f32, f32) {
// CHECK:             %[[A:.*]] = memref.load %{{.*}}[%[[Y]], %[[NUMBER]]]
// CHECK:             arith.select %{{.*}}, %[[TWO]], %{{.*}} : f32
// CHECK:             %[[V:.*]] = arith.addf
// CHECK:             memref.store %[[V]], %{{.*}}[%[[Y]], %[[NUMBER]]]
// CHECK:             scf.yield %[[V]], %[[ONE]]
// CHECK-LABEL: func.func @down(
// CHECK:         gpu.launch_func @down_kernels::@down_s blocks in (%c13, %c1, %c1) threads in (%c32, %c1, %c1)
func.func @down(%img: tensor<300x400xf32>, %zero: f32) -> tensor<300x400xf32> {
  %0 = pipeline.scan "s" (%y, %x) along 0 {
    %a = pipeline.load %img[%y, %x] : tensor<300x400xf32>
    %p = pipeline.previous 2 or %zero : f32
    %v = arith.addf %p, %a : f32
    pipeline.yield %v : f32
  } : tensor<300x400xf32>
  return %0 : tensor<300x400xf32>
}

// Far back it is read from memory. Groups stand between scans, in order.
// CHECK-LABEL: gpu.func @order_s
// CHECK:         scf.for
// CHECK:           scf.if %{{.*}} -> (f32) {
// CHECK:             memref.load
// CHECK:         gpu.return
// CHECK-LABEL: func.func @order(
// CHECK:         gpu.launch_func @order_kernels::@order_s
// CHECK:         gpu.launch_func @order_kernels::@order_g0
// CHECK:         gpu.launch_func @order_kernels::@order_t
// CHECK:         gpu.dealloc
// CHECK:         gpu.dealloc
func.func @order(%img: tensor<300xf32>, %zero: f32) -> tensor<300xf32> {
  %0 = pipeline.scan "s" (%x) along 0 {
    %p = pipeline.previous 9 or %zero : f32
    pipeline.yield %p : f32
  } : tensor<300xf32>
  %1 = pipeline.stage "mid" (%x) {
    %a = pipeline.load %0[%x] : tensor<300xf32>
    pipeline.yield %a : f32
  } : tensor<300xf32>
  // What no result depends on has no kernel.
  %dead = pipeline.scan "dead" (%x) along 0 {
    pipeline.yield %zero : f32
  } : tensor<300xf32>
  %2 = pipeline.scan "t" (%x) along 0 {
    %a = pipeline.load %1[%x] : tensor<300xf32>
    pipeline.yield %a : f32
  } : tensor<300xf32>
  return %2 : tensor<300xf32>
}
