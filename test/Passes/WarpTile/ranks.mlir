// Images of one, three and four dimensions.

// RUN: pipeline-opt %s -fuse=strategy=all -warp-tile -canonicalize -split-input-file | FileCheck %s

// 1024 points a tile.
// CHECK-LABEL: gpu.func @line_g0
func.func @line(%img: tensor<65536xf32>) -> tensor<65536xf32> {
  // CHECK: %tile_x = warp.tile_id warps [4] lanes [32] : index
  // CHECK: warp.compute "a" at(%tile_x) step [1024] in [-1, 1025) of(%c65536) (%x) {
  %a = pipeline.stage "a" (%x) {
    %v = pipeline.load %img[%x] : tensor<65536xf32>
    pipeline.yield %v : f32
  } : tensor<65536xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x - 1] clamp : tensor<65536xf32>
    %1 = pipeline.load %a[%x + 1] clamp : tensor<65536xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<65536xf32>
  // CHECK: func.func @line
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG: %[[X:.*]] = arith.constant 16 : index
  // CHECK: gpu.launch_func {{.*}} blocks in (%[[X]], %[[C1]], %[[C1]])
  return %b : tensor<65536xf32>
}

// -----

// A tile is one plane deep; blocks of the grid are numbered along x, y and z.
// CHECK-LABEL: gpu.func @volume_g0
func.func @volume(%img: tensor<3x480x6400xf32>) -> tensor<3x480x6400xf32> {
  // CHECK: %tile_c, %tile_y, %tile_x = warp.tile_id warps [1, 4, 1] lanes [1, 1, 32]
  // CHECK: warp.compute "a" at(%tile_c, %tile_y, %tile_x) step [1, 8, 128] in [0, 1) x [-1, 9) x [0, 128)
  // CHECK: } : tensor<1x10x128xf32, #warp.shared>
  %a = pipeline.stage "a" (%c, %y, %x) {
    %v = pipeline.load %img[%c, %y, %x] : tensor<3x480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<3x480x6400xf32>
  %b = pipeline.stage "b" (%c, %y, %x) {
    %0 = pipeline.load %a[%c, %y - 1, %x] clamp : tensor<3x480x6400xf32>
    %1 = pipeline.load %a[%c, %y + 1, %x] clamp : tensor<3x480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<3x480x6400xf32>
  // CHECK: func.func @volume
  // CHECK-DAG: %[[Z:.*]] = arith.constant 3 : index
  // CHECK-DAG: %[[Y:.*]] = arith.constant 15 : index
  // CHECK-DAG: %[[X:.*]] = arith.constant 50 : index
  // CHECK: gpu.launch_func {{.*}} blocks in (%[[X]], %[[Y]], %[[Z]])
  return %b : tensor<3x480x6400xf32>
}

// -----

// A grid has three dimensions: the first two of four share z, as n * (tiles along c) + c.
// CHECK-LABEL: gpu.func @batch_g0
func.func @batch(%img: tensor<5x3x480x6400xf32>) -> tensor<5x3x480x6400xf32> {
  // CHECK-DAG: %[[C:.*]] = arith.constant 3 : index
  // CHECK:     %[[NC:.*]], %tile_y, %tile_x = warp.tile_id warps [1, 4, 1] lanes [1, 1, 32]
  // CHECK-DAG: %[[N_AT:.*]] = arith.divui %[[NC]], %[[C]]
  // CHECK-DAG: %[[C_AT:.*]] = arith.remui %[[NC]], %[[C]]
  // CHECK:     warp.compute "a" at(%[[N_AT]], %[[C_AT]], %tile_y, %tile_x) step [1, 1, 8, 128] in [0, 1) x [-1, 1) x [0, 8) x [0, 128)
  %a = pipeline.stage "a" (%n, %c, %y, %x) {
    %v = pipeline.load %img[%n, %c, %y, %x] : tensor<5x3x480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<5x3x480x6400xf32>
  %b = pipeline.stage "b" (%n, %c, %y, %x) {
    %0 = pipeline.load %a[%n, %c - 1, %y, %x] clamp : tensor<5x3x480x6400xf32>
    %1 = pipeline.load %a[%n, %c, %y, %x] : tensor<5x3x480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<5x3x480x6400xf32>
  // CHECK: func.func @batch
  // CHECK-DAG: %[[Z:.*]] = arith.constant 15 : index
  // CHECK-DAG: %[[X:.*]] = arith.constant 50 : index
  // CHECK: gpu.launch_func {{.*}} blocks in (%[[X]], %[[Z]], %[[Z]])
  return %b : tensor<5x3x480x6400xf32>
}

// -----

// Stages of fewer dimensions than the grid follow those that read them.
// CHECK-LABEL: gpu.func @lower_g0
func.func @lower(%img: tensor<480x6400xf32>) -> tensor<3x480x6400xf32> {
  // CHECK: warp.compute "a" at(%tile_y, %tile_x) step [8, 128] in [0, 8) x [-1, 128)
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  // CHECK: warp.compute "b" at(%tile_c, %tile_y, %tile_x) step [1, 8, 128]
  %b = pipeline.stage "b" (%c, %y, %x) {
    %0 = pipeline.load %a[%y, %x - 1] clamp : tensor<480x6400xf32>
    %1 = pipeline.load %a[%y, %x] : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<3x480x6400xf32>
  return %b : tensor<3x480x6400xf32>
}
