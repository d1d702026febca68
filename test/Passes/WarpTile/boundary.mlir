// Boundary modes on a stage of the same kernel: the stage's edge value is repeated, not what it would be out there. So a
// reader keeps its mode, and the box holds what that leads to.

// RUN: pipeline-opt %s -fuse=strategy=all -warp-tile -split-input-file | FileCheck %s

// CHECK-LABEL: gpu.func @clamp_g0
func.func @clamp(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  // CHECK:      %a = warp.compute "a" {{.*}} in [-1, 9) x [-2, 130) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:   warp.load %{{.*}}[%y, %x] : memref
  // CHECK:      %b = warp.compute "b" {{.*}} in [0, 8) x [0, 128) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:   warp.read %a[%y - 1, %x - 2] clamp : tensor
  // What stays inside needs no mode.
  // CHECK-NEXT:   warp.read %a[%y, %x] : tensor
  // CHECK-NEXT:   warp.read %a[%y + 1, %x + 2] clamp : tensor
  // CHECK-NOT:  warp.compute
  // CHECK:      gpu.return
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
  // CHECK:      warp.compute "a" {{.*}} in [0, 8) x [-2, 129) of(%c480, %c6400) (%y, %x) {
  // CHECK:      warp.compute "b" {{.*}} in [0, 8) x [0, 128) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:   warp.read %a[%y, %x - 2] mirror : tensor
  // CHECK-NEXT:   warp.read %a[%y, %x] : tensor
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x - 2] mirror : tensor<480x6400xf32>
    %1 = pipeline.load %a[%y, %x] : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}

// -----

// To 2, four further: where the edge is not repeated, one more than above.
// CHECK-LABEL: gpu.func @reflect101_g0
func.func @reflect101(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  // CHECK:      warp.compute "a" {{.*}} in [0, 8) x [-2, 130) of(%c480, %c6400) (%y, %x) {
  // CHECK:      warp.compute "b" {{.*}} in [0, 8) x [0, 128) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:   warp.read %a[%y, %x - 2] reflect101 : tensor
  // CHECK-NEXT:   warp.read %a[%y, %x] : tensor
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x - 2] reflect101 : tensor<480x6400xf32>
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
  // CHECK:      warp.compute "a" {{.*}} in [0, 8) x [-1, 128) of(%c480, %c6400) (%y, %x) {
  // CHECK:      warp.compute "b" {{.*}} in [0, 8) x [0, 128) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:   warp.read %a[%y, %x - 1] constant(%[[V]]) : tensor
  // CHECK-NEXT:   warp.read %a[%y, %x] : tensor
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x - 1] constant(%c) : tensor<480x6400xf32>
    %1 = pipeline.load %a[%y, %x] : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}

// -----

// A load of an image in memory keeps its mode, too. A coordinate over the very extent of the image needs none, which everybody sees, so
// that the mode is one for all dimensions; an index that is known to stay inside otherwise has none of its own.
// CHECK-LABEL: gpu.func @memory_g0
// CHECK-SAME:  %{{[^:]*}}: memref<f32, 1> {{{[^}]*}}}, %{{[^:]*}}: memref<f32, 1> {{{[^}]*}}}, %[[V:[^:]*]]: f32)
func.func @memory(%img: tensor<480x6400xf32>, %c: f32) -> tensor<480x6400xf32> {
  // CHECK:      warp.compute "s" {{.*}} in [0, 8) x [0, 128) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:   warp.load %[[IMG:.*]][%y, %x - 5] mirror : memref
  // CHECK-NEXT:   warp.load %[[IMG]][%y + 1, %x] clamp : memref
  // CHECK-NEXT:   warp.load %[[IMG]][%y + 1, %x - 5] clamp : memref
  // CHECK-NEXT:   warp.load %[[IMG]][%y, %x - 5] constant(%[[V]]) : memref
  // CHECK-NEXT:   warp.load %[[IMG]][%y, %x] : memref
  // CHECK-NEXT:   warp.load %[[IMG]][%y floordiv 2, %x - 5] modes ["none", "clamp"] : memref
  %s = pipeline.stage "s" (%y, %x) {
    %0 = pipeline.load %img[%y, %x - 5] mirror : tensor<480x6400xf32>
    %1 = pipeline.load %img[%y + 1, %x] clamp : tensor<480x6400xf32>
    %2 = pipeline.load %img[%y + 1, %x - 5] clamp : tensor<480x6400xf32>
    %3 = pipeline.load %img[%y, %x - 5] constant(%c) : tensor<480x6400xf32>
    %4 = pipeline.load %img[%y, %x] mirror : tensor<480x6400xf32>
    %5 = pipeline.load %img[%y floordiv 2, %x - 5] clamp : tensor<480x6400xf32>
    %6 = arith.addf %0, %1 : f32
    %7 = arith.addf %2, %6 : f32
    %8 = arith.addf %3, %7 : f32
    %9 = arith.addf %5, %8 : f32
    %v = arith.addf %4, %9 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %s : tensor<480x6400xf32>
}
