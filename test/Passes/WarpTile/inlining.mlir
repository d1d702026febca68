// A stage that is read at one point only, by one consumer, and inside, has no tile: it is computed where it is read.

// RUN: pipeline-opt %s -fuse -warp-tile -split-input-file | FileCheck %s

// CHECK-LABEL: gpu.func @pointwise_g0
func.func @pointwise(%img: tensor<6400x480xf32>) -> tensor<480x6400xf32> {
  // CHECK-NOT: warp.compute "a"
  // CHECK:     warp.compute "b"
  // CHECK:       memref.load %{{.*}}[%x, %y]
  // CHECK:       %[[A:.*]] = arith.mulf
  // CHECK:       arith.addf %[[A]], %[[A]]
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<6400x480xf32>
    %v = arith.mulf %0, %0 : f32
    pipeline.yield %v : f32
  } : tensor<6400x480xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%x, %y] : tensor<6400x480xf32>
    %v = arith.addf %0, %0 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}

// -----

// Through a whole chain.
// CHECK-LABEL: gpu.func @chain_g0
// CHECK-COUNT-1: warp.compute
// CHECK-NOT:     warp.compute
// CHECK:         gpu.return
func.func @chain(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %v = pipeline.load %a[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %c = pipeline.stage "c" (%y, %x) {
    %v = pipeline.load %b[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %c : tensor<480x6400xf32>
}

// -----

// Two points, two consumers, a point that may lie outside, or a live-out: a tile.
// CHECK-LABEL: gpu.func @tiles_g0
// CHECK:       warp.compute "two_points"
// CHECK:       warp.compute "two_consumers"
// CHECK:       warp.compute "outside"
// CHECK:       warp.compute "live_out"
// CHECK:       warp.compute "reader"
func.func @tiles(%img: tensor<480x6400xf32>) -> (tensor<480x6400xf32>, tensor<480x6400xf32>, tensor<480x6400xf32>) {
  %a = pipeline.stage "two_points" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %b = pipeline.stage "two_consumers" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %c = pipeline.stage "outside" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %d = pipeline.stage "live_out" (%y, %x) {
    %0 = pipeline.load %a[%y, %x] : tensor<480x6400xf32>
    %1 = pipeline.load %a[%y, %x - 1] clamp : tensor<480x6400xf32>
    %2 = pipeline.load %b[%y, %x] : tensor<480x6400xf32>
    %3 = pipeline.load %c[%y, %x - 1] clamp : tensor<480x6400xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %2, %3 : f32
    %v = arith.addf %4, %5 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %e = pipeline.stage "reader" (%y, %x) {
    %0 = pipeline.load %d[%y, %x] : tensor<480x6400xf32>
    %1 = pipeline.load %b[%y, %x] : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %d, %e, %e : tensor<480x6400xf32>, tensor<480x6400xf32>, tensor<480x6400xf32>
}
