// A kernel has two versions of its code: for tiles that lie inside, halo and all, and for those at an edge. One comparison
// for the whole warp tells them apart; where all tiles are of one kind there is one version.

// RUN: pipeline-opt %s -warp-tile -split-input-file | FileCheck %s

// Tiles of 8x128, and the image has 60 x 50 of them. Those at its rim read outside.
// CHECK-LABEL: gpu.func @both_g
func.func @both(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  // CHECK:      %tile_y, %tile_x = warp.tile_id
  // CHECK-DAG:  arith.cmpi sge, %tile_y, %c1{{.*}} : index
  // CHECK-DAG:  arith.cmpi sle, %tile_y, %c58{{.*}} : index
  // CHECK-DAG:  arith.cmpi sge, %tile_x, %c1{{.*}} : index
  // CHECK-DAG:  arith.cmpi sle, %tile_x, %c48{{.*}} : index
  // CHECK:      scf.if
  // CHECK:        warp.compute "s" at(%tile_y, %tile_x) step [8, 128] in [0, 8) x [0, 128) (%y, %x) {
  // CHECK-NOT:      arith.maxsi
  // CHECK:        warp.write
  // CHECK:      } else {
  // CHECK:        warp.compute "s" at(%tile_y, %tile_x) step [8, 128] in [0, 8) x [0, 128) of(%c480{{.*}}, %c6400{{.*}}) (%y, %x) {
  // CHECK:          arith.maxsi
  // CHECK:        warp.write
  // CHECK:      }
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

// No halo, and no tile that sticks out.
// CHECK-LABEL: gpu.func @always_g
func.func @always(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  // CHECK-NOT: scf.if
  // CHECK:     warp.compute "s" at(%tile_y, %tile_x) step [8, 128] in [0, 8) x [0, 128) (%y, %x) {
  // CHECK-NOT: warp.compute
  // CHECK:     gpu.return
  %0 = pipeline.group "g" {
    %s = pipeline.stage "s" (%y, %x) {
      %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
      pipeline.yield %v : f32
    } : tensor<480x6400xf32>
    pipeline.yield %s : tensor<480x6400xf32>
  } : tensor<480x6400xf32>
  return %0 : tensor<480x6400xf32>
}

// -----

// Less than a tile. The only condition is that there are no more warps than tiles.
// CHECK-LABEL: gpu.func @never_g
func.func @never(%img: tensor<7x9xf32>) -> tensor<7x9xf32> {
  // CHECK:     arith.cmpi slt, %tile_y, %c1{{.*}} : index
  // CHECK:     scf.if
  // CHECK-NOT: scf.if
  // CHECK:     warp.compute "s" {{.*}} of(%c7{{.*}}, %c9{{.*}}) (%y, %x) {
  // CHECK-NOT: warp.compute
  // CHECK:     gpu.return
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

// Extents that are known at run time only: the last point of the box is compared with them.
// CHECK-LABEL: gpu.func @dynamic_g
// CHECK-SAME:  %[[H:[^:]*]]: index, %[[W:[^:]*]]: index)
func.func @dynamic(%img: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  // CHECK-DAG:  arith.cmpi sge, %tile_x, %c1{{.*}} : index
  // CHECK-DAG:  %[[Y:.*]] = arith.muli %tile_y, %c8
  // CHECK-DAG:  %[[LAST_Y:.*]] = arith.addi %[[Y]], %c7
  // CHECK-DAG:  arith.cmpi slt, %[[LAST_Y]], %[[H]]
  // CHECK-DAG:  %[[X:.*]] = arith.muli %tile_x, %c128
  // CHECK-DAG:  %[[LAST_X:.*]] = arith.addi %[[X]], %c129
  // CHECK-DAG:  arith.cmpi slt, %[[LAST_X]], %[[W]]
  // CHECK:      scf.if
  // CHECK:        warp.compute "s" {{.*}} in [0, 8) x [0, 128) (%y, %x) {
  // CHECK:      } else {
  // CHECK:        warp.compute "s" {{.*}} in [0, 8) x [0, 128) of(%[[H]], %[[W]]) (%y, %x) {
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

// What lies inside is what is needed, where that is less than the image.
// CHECK-LABEL: gpu.func @needed_g
func.func @needed(%img: tensor<480x6400xf32>) -> tensor<480x6272xf32> {
  // CHECK:      arith.cmpi sge, %tile_x, %c1{{.*}} : index
  // CHECK:        warp.compute "s" at(%tile_y, %tile_x) step [8, 128] in [0, 8) x [0, 128) (%y, %x) {
  // CHECK:      } else {
  // CHECK:        warp.compute "s" {{.*}} of(%c480{{.*}}, %c6400{{.*}}) needed [0, 480) x [64, 6336) (%y, %x) {
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
