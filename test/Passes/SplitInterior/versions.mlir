// Two versions of a kernel's code: for tiles that lie inside, halo and all, and for those at an edge. One comparison
// for the whole warp tells them apart; where all tiles are of one kind there is one version.

// RUN: pipeline-opt %s -warp-tile -split-interior -split-input-file | FileCheck %s --check-prefixes=CHECK,WARP --implicit-check-not=warp.load
// RUN: pipeline-opt %s -block-tile -split-interior -split-input-file | FileCheck %s --check-prefixes=CHECK,BLOCK --implicit-check-not=warp.load

// Tiles of 8x128, and the image has 60 x 50 of them. Those at its rim read outside.
// CHECK-LABEL: gpu.func @both_g
func.func @both(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  // CHECK:      %tile_y, %tile_x = warp.tile_id
  // CHECK-NEXT: %[[Y0:.*]] = arith.cmpi sge, %tile_y, %c1 : index
  // CHECK-NEXT: %[[Y1:.*]] = arith.cmpi sle, %tile_y, %c58 : index
  // CHECK-NEXT: %[[Y:.*]] = arith.andi %[[Y0]], %[[Y1]]
  // CHECK-NEXT: %[[X0:.*]] = arith.cmpi sge, %tile_x, %c1 : index
  // CHECK-NEXT: %[[YX:.*]] = arith.andi %[[Y]], %[[X0]]
  // CHECK-NEXT: %[[X1:.*]] = arith.cmpi sle, %tile_x, %c48 : index
  // CHECK-NEXT: %[[INSIDE:.*]] = arith.andi %[[YX]], %[[X1]]
  // CHECK-NEXT: scf.if %[[INSIDE]] {
  // CHECK-NEXT:   %[[S:.*]] = warp.compute "s" at(%tile_y, %tile_x) step [8, 128] in [0, 8) x [0, 128) (%y, %x) {
  // CHECK-NEXT:     %[[ABOVE:.*]] = arith.addi %y, %c-1 : index
  // CHECK-NEXT:     %[[LEFT:.*]] = arith.addi %x, %c-1 : index
  // CHECK-NEXT:     memref.load %{{.*}}[%[[ABOVE]], %[[LEFT]]]
  // CHECK-NEXT:     %[[BELOW:.*]] = arith.addi %y, %c1 : index
  // CHECK-NEXT:     %[[RIGHT:.*]] = arith.addi %x, %c1 : index
  // CHECK-NEXT:     memref.load %{{.*}}[%[[BELOW]], %[[RIGHT]]]
  // CHECK:        warp.write %[[S]] in [0, 8) x [0, 128) to
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   %[[S:.*]] = warp.compute "s" at(%tile_y, %tile_x) step [8, 128] in [0, 8) x [0, 128) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:     %[[ABOVE:.*]] = arith.addi %y, %c-1 : index
  // CHECK-NEXT:     %[[FIRST:.*]] = arith.maxsi %[[ABOVE]], %c0 : index
  // CHECK-NEXT:     %[[I:.*]] = arith.minsi %[[FIRST]], %c479 : index
  // CHECK-NEXT:     %[[LEFT:.*]] = arith.addi %x, %c-1 : index
  // CHECK-NEXT:     %[[FIRST:.*]] = arith.maxsi %[[LEFT]], %c0 : index
  // CHECK-NEXT:     %[[J:.*]] = arith.minsi %[[FIRST]], %c6399 : index
  // CHECK-NEXT:     memref.load %{{.*}}[%[[I]], %[[J]]]
  // CHECK:        warp.write %[[S]] in [0, 8) x [0, 128) to
  // CHECK-NEXT: }
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

// No halo, and no tile that sticks out.
// CHECK-LABEL: gpu.func @always_g
func.func @always(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  // CHECK:      %tile_y, %tile_x = warp.tile_id
  // CHECK-NEXT: %s = warp.compute "s" at(%tile_y, %tile_x) step [8, 128] in [0, 8) x [0, 128) (%y, %x) {
  // CHECK-NEXT:   memref.load %{{.*}}[%y, %x]
  // CHECK-NEXT:   warp.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: warp.write %s in [0, 8) x [0, 128) to
  // CHECK-NEXT: gpu.return
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

// Less than a tile: no tile lies inside. A warp asks whether it has one; that is from before.
// CHECK-LABEL: gpu.func @never_g
func.func @never(%img: tensor<7x9xf32>) -> tensor<7x9xf32> {
  // WARP:       %[[Y:.*]] = arith.muli %tile_y, %c8 : index
  // WARP-NEXT:  %[[IS_THERE:.*]] = arith.cmpi slt, %[[Y]], %c7 : index
  // WARP-NEXT:  scf.if %[[IS_THERE]] {
  // BLOCK:      warp.tile_id
  // CHECK-NEXT: warp.compute "s" at(%tile_y, %tile_x) step [8, 128] in [0, 8) x [0, 128) of(%c7, %c9) (%y, %x) {
  // The stage's coordinates are inside of its own extent.
  // CHECK-NEXT:   memref.load %{{.*}}[%y, %x]
  // CHECK-NEXT:   warp.yield
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

// Extents that are known at run time only: the last point of the box is compared with them.
// CHECK-LABEL: gpu.func @dynamic_g
// CHECK-SAME:  %[[H:[^:]*]]: index, %[[W:[^:]*]]: index)
func.func @dynamic(%img: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  // WARP:       %[[Y:.*]] = arith.muli %tile_y, %c8 : index
  // WARP-NEXT:  arith.cmpi slt, %[[Y]], %[[H]] : index
  // WARP-NEXT:  scf.if
  // CHECK:      %[[X0:.*]] = arith.cmpi sge, %tile_x, %c1 : index
  // BLOCK-NEXT: %[[Y:.*]] = arith.muli %tile_y, %c8 : index
  // CHECK-NEXT: %[[LAST_Y:.*]] = arith.addi %[[Y]], %c7 : index
  // CHECK-NEXT: %[[Y1:.*]] = arith.cmpi slt, %[[LAST_Y]], %[[H]] : index
  // CHECK-NEXT: %[[XY:.*]] = arith.andi %[[X0]], %[[Y1]]
  // CHECK-NEXT: %[[X:.*]] = arith.muli %tile_x, %c128 : index
  // CHECK-NEXT: %[[LAST_X:.*]] = arith.addi %[[X]], %c129 : index
  // CHECK-NEXT: %[[X1:.*]] = arith.cmpi slt, %[[LAST_X]], %[[W]] : index
  // CHECK-NEXT: %[[INSIDE:.*]] = arith.andi %[[XY]], %[[X1]]
  // CHECK-NEXT: scf.if %[[INSIDE]] {
  // CHECK-NEXT:   warp.compute "s" {{.*}} in [0, 8) x [0, 128) (%y, %x) {
  // CHECK-NEXT:     %[[LEFT:.*]] = arith.addi %x, %c-3 : index
  // CHECK-NEXT:     memref.load %{{.*}}[%y, %[[LEFT]]]
  // CHECK-NEXT:     %[[RIGHT:.*]] = arith.addi %x, %c2 : index
  // CHECK-NEXT:     memref.load %{{.*}}[%y, %[[RIGHT]]]
  // CHECK:      } else {
  // CHECK-NEXT:   warp.compute "s" {{.*}} in [0, 8) x [0, 128) of(%[[H]], %[[W]]) (%y, %x) {
  // CHECK-NEXT:     %[[LEFT:.*]] = arith.addi %x, %c-3 : index
  // CHECK-NEXT:     %[[LAST:.*]] = arith.addi %[[W]], %c-1 : index
  // CHECK-NEXT:     %[[FIRST:.*]] = arith.maxsi %[[LEFT]], %c0 : index
  // CHECK-NEXT:     %[[J:.*]] = arith.minsi %[[FIRST]], %[[LAST]] : index
  // CHECK-NEXT:     memref.load %{{.*}}[%y, %[[J]]]
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
  // CHECK:      %[[X0:.*]] = arith.cmpi sge, %tile_x, %c1 : index
  // CHECK-NEXT: %[[X1:.*]] = arith.cmpi sle, %tile_x, %c48 : index
  // CHECK-NEXT: %[[INSIDE:.*]] = arith.andi %[[X0]], %[[X1]]
  // CHECK-NEXT: scf.if %[[INSIDE]] {
  // CHECK-NEXT:   warp.compute "s" at(%tile_y, %tile_x) step [8, 128] in [0, 8) x [0, 128) (%y, %x) {
  // CHECK:      } else {
  // CHECK-NEXT:   warp.compute "s" {{.*}} of(%c480, %c6400) needed [0, 480) x [64, 6336) (%y, %x) {
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
