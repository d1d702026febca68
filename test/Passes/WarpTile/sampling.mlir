// Stages at several resolutions: a producer's tile is as much larger or smaller as its consumer's index says (`step`).

// RUN: pipeline-opt %s -fuse=strategy=all -warp-tile -split-input-file | FileCheck %s

// Two points of the producer for one: twice the tile.
// CHECK-LABEL: gpu.func @down_g0
func.func @down(%img: tensor<960x12800xf32>) -> tensor<480x6400xf32> {
  // CHECK: warp.compute "a" {{.*}} step [16, 256] in [-1, 16) x [-1, 256) of(%c960, %c12800) (%y, %x) {
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<960x12800xf32>
    pipeline.yield %v : f32
  } : tensor<960x12800xf32>
  // CHECK: warp.compute "half" {{.*}} step [8, 128] in [0, 8) x [0, 128) of(%c480, %c6400) (%y, %x) {
  // At the far end nothing leads outside.
  // CHECK: warp.read %a[%y * 2 - 1, %x * 2 - 1] clamp :
  // CHECK: warp.read %a[%y * 2 + 1, %x * 2 + 1] :
  %half = pipeline.stage "half" (%y, %x) {
    %0 = pipeline.load %a[%y * 2 - 1, %x * 2 - 1] clamp : tensor<960x12800xf32>
    %1 = pipeline.load %a[%y * 2 + 1, %x * 2 + 1] clamp : tensor<960x12800xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %half : tensor<480x6400xf32>
}

// -----

// One point of the producer for two: half the tile.
// CHECK-LABEL: gpu.func @up_g0
func.func @up(%img: tensor<241x3201xf32>) -> tensor<480x6400xf32> {
  // CHECK: warp.compute "a" {{.*}} step [4, 64] in [0, 5) x [0, 65) of(%c241, %c3201) (%y, %x) {
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<241x3201xf32>
    pipeline.yield %v : f32
  } : tensor<241x3201xf32>
  // CHECK: warp.compute "twice" {{.*}} step [8, 128] in [0, 8) x [0, 128) of(%c480, %c6400) (%y, %x) {
  // CHECK: warp.read %a[%y floordiv 2, %x floordiv 2]
  // CHECK: warp.read %a[(%y + 1) floordiv 2, (%x + 1) floordiv 2]
  %twice = pipeline.stage "twice" (%y, %x) {
    %0 = pipeline.load %a[%y floordiv 2, %x floordiv 2] : tensor<241x3201xf32>
    %1 = pipeline.load %a[(%y + 1) floordiv 2, (%x + 1) floordiv 2] : tensor<241x3201xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %twice : tensor<480x6400xf32>
}

// -----

// A tile is a multiple of what indices are divided by: 10 rows become 12, 100 columns 102.
// CHECK-LABEL: gpu.func @aligned_g
func.func @aligned(%img: tensor<161x2200xf32>) -> tensor<480x6600xf32> {
  // CHECK: warp.compute "a" {{.*}} step [4, 34] in [0, 5) x [0, 34)
  // CHECK: warp.compute "b" {{.*}} step [12, 102] in [0, 12) x [0, 102)
  %0 = pipeline.group "g" schedule {tile = array<i64: 10, 100>} {
    %a = pipeline.stage "a" (%y, %x) {
      %v = pipeline.load %img[%y, %x] : tensor<161x2200xf32>
      pipeline.yield %v : f32
    } : tensor<161x2200xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %a[%y floordiv 3, %x floordiv 3] : tensor<161x2200xf32>
      %1 = pipeline.load %a[(%y + 1) floordiv 3, %x floordiv 3] : tensor<161x2200xf32>
      %v = arith.addf %0, %1 : f32
      pipeline.yield %v : f32
    } : tensor<480x6600xf32>
    pipeline.yield %b : tensor<480x6600xf32>
  } : tensor<480x6600xf32>
  return %0 : tensor<480x6600xf32>
}

// -----

// Bayer parity: an index that repeats is a row of its own, the same for every tile.
// CHECK-LABEL: gpu.func @parity_g0
func.func @parity(%img: tensor<480x6400xf32>, %table: tensor<2x2xf32>) -> tensor<480x6400xf32> {
  // CHECK: warp.compute "weights" {{.*}} step [0, 0] in [0, 2) x [0, 2)
  %w = pipeline.stage "weights" (%y, %x) {
    %0 = pipeline.load %table[%y, %x] : tensor<2x2xf32>
    %v = arith.mulf %0, %0 : f32
    pipeline.yield %v : f32
  } : tensor<2x2xf32>
  // CHECK: warp.read %{{.*}}[%y mod 2, %x mod 2]
  // CHECK: warp.read %{{.*}}[(%y + 1) mod 2, %x mod 2]
  %s = pipeline.stage "s" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    %1 = pipeline.load %w[%y mod 2, %x mod 2] : tensor<2x2xf32>
    %2 = pipeline.load %w[(%y + 1) mod 2, %x mod 2] : tensor<2x2xf32>
    %3 = arith.mulf %0, %1 : f32
    %v = arith.mulf %2, %3 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %s : tensor<480x6400xf32>
}
