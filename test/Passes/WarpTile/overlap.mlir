// Shapes of overlapped tiles: "b" is read up to 1 to the left, and reads "a" 38 to 40 to the left.
// RUN: pipeline-opt %s --infer-bounds --warp-tile --split-input-file | FileCheck %s
// RUN: pipeline-opt %s --infer-bounds --block-tile --split-input-file | FileCheck %s

// What is read, and no more.
// CHECK-LABEL: gpu.func @scalene_g(
// CHECK: warp.compute "a" {{.*}} in [0, 8) x [-41, 26)
// CHECK: warp.compute "b" {{.*}} in [0, 8) x [-1, 64)
// CHECK: warp.compute "c" {{.*}} in [0, 8) x [0, 64)
func.func @scalene(%img: tensor<1024x4096xf32>) -> tensor<1024x4096xf32> {
  %out = pipeline.group "g" schedule {overlap = "scalene", tile = array<i64: 8, 64>} {
    %a = pipeline.stage "a" (%y, %x) {
      %p = pipeline.load %img[%y, %x] : tensor<1024x4096xf32>
      %v = arith.addf %p, %p : f32
      pipeline.yield %v : f32
    } : tensor<1024x4096xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %p = pipeline.load %a[%y, %x - 40] wrap : tensor<1024x4096xf32>
      %q = pipeline.load %a[%y, %x - 38] wrap : tensor<1024x4096xf32>
      %v = arith.mulf %p, %q : f32
      pipeline.yield %v : f32
    } : tensor<1024x4096xf32>
    %c = pipeline.stage "c" (%y, %x) {
      %p = pipeline.load %b[%y, %x] : tensor<1024x4096xf32>
      %q = pipeline.load %b[%y, %x - 1] wrap : tensor<1024x4096xf32>
      %v = arith.subf %p, %q : f32
      pipeline.yield %v : f32
    } : tensor<1024x4096xf32>
    pipeline.yield %c : tensor<1024x4096xf32>
  } : tensor<1024x4096xf32>
  return %out : tensor<1024x4096xf32>
}

// -----

// To the end of the tile, as if only its left side could be moved.
// CHECK-LABEL: gpu.func @right_g(
// CHECK: warp.compute "a" {{.*}} in [0, 8) x [-41, 64)
// CHECK: warp.compute "b" {{.*}} in [0, 8) x [-1, 64)
// CHECK: warp.compute "c" {{.*}} in [0, 8) x [0, 64)
func.func @right(%img: tensor<1024x4096xf32>) -> tensor<1024x4096xf32> {
  %out = pipeline.group "g" schedule {overlap = "right-rectangle", tile = array<i64: 8, 64>} {
    %a = pipeline.stage "a" (%y, %x) {
      %p = pipeline.load %img[%y, %x] : tensor<1024x4096xf32>
      %v = arith.addf %p, %p : f32
      pipeline.yield %v : f32
    } : tensor<1024x4096xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %p = pipeline.load %a[%y, %x - 40] wrap : tensor<1024x4096xf32>
      %q = pipeline.load %a[%y, %x - 38] wrap : tensor<1024x4096xf32>
      %v = arith.mulf %p, %q : f32
      pipeline.yield %v : f32
    } : tensor<1024x4096xf32>
    %c = pipeline.stage "c" (%y, %x) {
      %p = pipeline.load %b[%y, %x] : tensor<1024x4096xf32>
      %q = pipeline.load %b[%y, %x - 1] wrap : tensor<1024x4096xf32>
      %v = arith.subf %p, %q : f32
      pipeline.yield %v : f32
    } : tensor<1024x4096xf32>
    pipeline.yield %c : tensor<1024x4096xf32>
  } : tensor<1024x4096xf32>
  return %out : tensor<1024x4096xf32>
}

// -----

// 41 points in two levels are a slope of 21. What "b" reads of "a" is more than two of them.
// CHECK-LABEL: gpu.func @slope_g(
// CHECK: warp.compute "a" {{.*}} in [0, 8) x [-61, 64)
// CHECK: warp.compute "b" {{.*}} in [0, 8) x [-21, 64)
// CHECK: warp.compute "c" {{.*}} in [0, 8) x [0, 64)
func.func @slope(%img: tensor<1024x4096xf32>) -> tensor<1024x4096xf32> {
  %out = pipeline.group "g" schedule {overlap = "uniform-slope", tile = array<i64: 8, 64>} {
    %a = pipeline.stage "a" (%y, %x) {
      %p = pipeline.load %img[%y, %x] : tensor<1024x4096xf32>
      %v = arith.addf %p, %p : f32
      pipeline.yield %v : f32
    } : tensor<1024x4096xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %p = pipeline.load %a[%y, %x - 40] wrap : tensor<1024x4096xf32>
      %q = pipeline.load %a[%y, %x - 38] wrap : tensor<1024x4096xf32>
      %v = arith.mulf %p, %q : f32
      pipeline.yield %v : f32
    } : tensor<1024x4096xf32>
    %c = pipeline.stage "c" (%y, %x) {
      %p = pipeline.load %b[%y, %x] : tensor<1024x4096xf32>
      %q = pipeline.load %b[%y, %x - 1] wrap : tensor<1024x4096xf32>
      %v = arith.subf %p, %q : f32
      pipeline.yield %v : f32
    } : tensor<1024x4096xf32>
    pipeline.yield %c : tensor<1024x4096xf32>
  } : tensor<1024x4096xf32>
  return %out : tensor<1024x4096xf32>
}
