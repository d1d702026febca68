// Boundary modes on a stage of the same kernel: the stage's edge value is repeated, not what it would be out there. So a
// reader at an edge brings its index inside first, and the box holds what that leads to. Inside, nothing is brought.

// RUN: pipeline-opt %s -fuse=strategy=all -warp-tile -split-input-file | FileCheck %s

// CHECK-LABEL: gpu.func @clamp_g0
func.func @clamp(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  // CHECK: warp.compute "a" {{.*}} in [-1, 9) x [-2, 130) (%y, %x) {
  // CHECK: warp.compute "b" {{.*}} in [0, 8) x [0, 128) (%y, %x) {
  // CHECK:   warp.read %a[%y - 1, %x - 2] : tensor
  // CHECK:   warp.read %a[%y, %x] : tensor
  // CHECK:   warp.read %a[%y + 1, %x + 2] : tensor
  // CHECK: } else {
  // CHECK: %[[A:.*]] = warp.compute "a" {{.*}} in [-1, 9) x [-2, 130) of(%c480{{.*}}, %c6400{{.*}}) (%y, %x) {
  // CHECK: warp.compute "b"
  // CHECK:   warp.read %[[A]][%y - 1, %x - 2] clamp : tensor
  // What stays inside needs no mode.
  // CHECK:   warp.read %[[A]][%y, %x] : tensor
  // CHECK:   warp.read %[[A]][%y + 1, %x + 2] clamp : tensor
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y - 1, %x - 2] clamp : tensor<480x6400xf32>
    %1 = pipeline.load %a[%y, %x] clamp : tensor<480x6400xf32>
    %2 = pipeline.load %a[%y + 1, %x + 2] clamp : tensor<480x6400xf32>
    %3 = arith.addf %0, %1 : f32
    %v = arith.addf %2, %3 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}

// -----

// From -2 a mirror leads to 1, three further: a tile of one column would need that.
// CHECK-LABEL: gpu.func @mirror_g0
func.func @mirror(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  // CHECK: warp.compute "a" {{.*}} in [0, 8) x [-2, 129) (%y, %x) {
  // CHECK: warp.read %a[%y, %x - 2] : tensor
  // CHECK: warp.read %{{.*}}[%y, %x - 2] mirror : tensor
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x - 2] mirror : tensor<480x6400xf32>
    %1 = pipeline.load %a[%y, %x] : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}

// -----

// CHECK-LABEL: gpu.func @constant_g0
// CHECK-SAME:  %[[V:[^:]*]]: f32)
func.func @constant(%img: tensor<480x6400xf32>, %c: f32) -> tensor<480x6400xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  // CHECK: warp.read %a[%y, %x - 1] : tensor
  // CHECK: warp.read %{{.*}}[%y, %x - 1] constant(%[[V]]) : tensor
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x - 1] constant(%c) : tensor<480x6400xf32>
    %1 = pipeline.load %a[%y, %x] : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}

// -----

// Of an image in memory the index is brought inside in the body.
// CHECK-LABEL: gpu.func @memory_g0
func.func @memory(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  // CHECK:     scf.if
  // CHECK-NOT:   arith.select
  // CHECK:       memref.load
  // CHECK:     } else {
  // CHECK:       arith.remsi
  // CHECK:       memref.load
  %s = pipeline.stage "s" (%y, %x) {
    %v = pipeline.load %img[%y, %x - 5] mirror : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %s : tensor<480x6400xf32>
}
