// A tile may stick out of its image, so a stage says how large that is. A warp that has no tile at all does nothing.

// RUN: pipeline-opt %s -warp-tile -split-input-file | FileCheck %s

// Tiles of 8x128, and the image has 60 x 50 of them: as many as there are warps.
// CHECK-LABEL: gpu.func @whole_g
func.func @whole(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  // CHECK:      %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
  // CHECK-NEXT: %s = warp.compute "s" at(%tile_y, %tile_x) step [8, 128] in [0, 8) x [0, 128) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:   %[[A:.*]] = warp.load %{{.*}}[%y - 1, %x - 1] clamp : memref
  // CHECK-NEXT:   %[[B:.*]] = warp.load %{{.*}}[%y + 1, %x + 1] clamp : memref
  // CHECK-NEXT:   %[[V:.*]] = arith.addf %[[A]], %[[B]] : f32
  // CHECK-NEXT:   warp.yield %[[V]] : f32
  // CHECK-NEXT: } : tensor<8x128xf32, #warp.lane>
  // CHECK-NEXT: warp.write %s in [0, 8) x [0, 128) to
  // CHECK-NEXT: gpu.return
  %0 = pipeline.group "g" {
    %s = pipeline.stage "s" (%y, %x) {
      %a = pipeline.load %img[%y - 1, %x - 1] clamp : tensor<480x6400xf32>
      %b = pipeline.load %img[%y + 1, %x + 1] clamp : tensor<480x6400xf32>
      %v = arith.addf %a, %b : f32
      pipeline.yield %v : f32
    } : tensor<480x6400xf32>
    pipeline.yield %s : tensor<480x6400xf32>
  } : tensor<480x6400xf32>
  return %0 : tensor<480x6400xf32>
}

// -----

// Less than a tile: of the four warps three have none.
// CHECK-LABEL: gpu.func @less_g
func.func @less(%img: tensor<7x9xf32>) -> tensor<7x9xf32> {
  // CHECK:      %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
  // CHECK-NEXT: %[[Y:.*]] = arith.muli %tile_y, %c8 : index
  // CHECK-NEXT: %[[IS_THERE:.*]] = arith.cmpi slt, %[[Y]], %c7 : index
  // CHECK-NEXT: scf.if %[[IS_THERE]] {
  // CHECK-NEXT:   warp.compute "s" {{.*}} in [0, 8) x [0, 128) of(%c7, %c9) (%y, %x) {
  // CHECK-NEXT:     warp.load %{{.*}}[%y, %x] : memref
  // CHECK-NOT:  warp.compute
  // CHECK-NOT:  else
  // CHECK:      gpu.return
  %0 = pipeline.group "g" {
    %s = pipeline.stage "s" (%y, %x) {
      %v = pipeline.load %img[%y, %x] : tensor<7x9xf32>
      pipeline.yield %v : f32
    } : tensor<7x9xf32>
    pipeline.yield %s : tensor<7x9xf32>
  } : tensor<7x9xf32>
  return %0 : tensor<7x9xf32>
}

// -----

// Extents that are known at run time only.
// CHECK-LABEL: gpu.func @dynamic_g
// CHECK-SAME:  %[[H:[^:]*]]: index, %[[W:[^:]*]]: index)
func.func @dynamic(%img: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  // CHECK:      %[[Y:.*]] = arith.muli %tile_y, %c8 : index
  // CHECK-NEXT: %[[IS_THERE:.*]] = arith.cmpi slt, %[[Y]], %[[H]] : index
  // CHECK-NEXT: scf.if %[[IS_THERE]] {
  // CHECK-NEXT:   warp.compute "s" {{.*}} in [0, 8) x [0, 128) of(%[[H]], %[[W]]) (%y, %x) {
  // CHECK-NEXT:     warp.load %{{.*}}[%y, %x - 3] clamp : memref
  // CHECK-NEXT:     warp.load %{{.*}}[%y, %x + 2] clamp : memref
  // CHECK-NOT:  warp.compute
  // CHECK-NOT:  else
  // CHECK:      gpu.return
  %0 = pipeline.group "g" {
    %s = pipeline.stage "s" (%y, %x) {
      %a = pipeline.load %img[%y, %x - 3] clamp : tensor<?x?xf32>
      %b = pipeline.load %img[%y, %x + 2] clamp : tensor<?x?xf32>
      %v = arith.addf %a, %b : f32
      pipeline.yield %v : f32
    } sized(%h, %w) : tensor<?x?xf32>
    pipeline.yield %s : tensor<?x?xf32>
  } : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// What is needed, where that is less than the image.
// CHECK-LABEL: gpu.func @needed_g
func.func @needed(%img: tensor<480x6400xf32>) -> tensor<480x6272xf32> {
  // CHECK:      warp.compute "s" {{.*}} of(%c480, %c6400) needed [0, 480) x [64, 6336) (%y, %x) {
  // CHECK-NEXT:   warp.load %{{.*}}[%y, %x] : memref
  %0 = pipeline.group "g" {
    %s = pipeline.stage "s" (%y, %x) {
      %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
      pipeline.yield %v : f32
    } in [0, 480) x [64, 6336) : tensor<480x6400xf32>
    pipeline.yield %s : tensor<480x6400xf32>
  } : tensor<480x6400xf32>
  %1 = pipeline.group "h" {
    %t = pipeline.stage "t" (%y, %x) {
      %v = pipeline.load %0[%y, %x + 64] : tensor<480x6400xf32>
      pipeline.yield %v : f32
    } : tensor<480x6272xf32>
    pipeline.yield %t : tensor<480x6272xf32>
  } : tensor<480x6272xf32>
  return %1 : tensor<480x6272xf32>
}
