// Loads of images: in a tile inside of memory as it lies, in one at an edge with the index of each dimension brought inside as its mode says.

// RUN: pipeline-opt %s -fuse=strategy=all -warp-tile -split-interior -split-input-file | FileCheck %s --implicit-check-not=warp.load

// Only the columns of one load and the rows of another can leave.
// CHECK-LABEL: gpu.func @modes_g0
// CHECK-SAME:  %[[P:[^:]*]]: f32)
func.func @modes(%img: tensor<480x6400xf32>, %p: f32) -> tensor<480x6400xf32> {
  // CHECK:      %[[Y:.*]] = arith.cmpi sge, %tile_y, %c1 : index
  // CHECK-NEXT: %[[X:.*]] = arith.cmpi sge, %tile_x, %c1 : index
  // CHECK-NEXT: %[[INSIDE:.*]] = arith.andi %[[Y]], %[[X]]
  // CHECK-NEXT: scf.if %[[INSIDE]] {
  // CHECK-NEXT:   warp.compute "s" {{.*}} in [0, 8) x [0, 128) (%y, %x) {
  // CHECK-NEXT:     %[[ABOVE:.*]] = arith.addi %y, %c-1 : index
  // CHECK-NEXT:     %[[L0:.*]] = memref.load %[[IMG:.*]][%[[ABOVE]], %x]
  // CHECK-NEXT:     %[[LEFT:.*]] = arith.addi %x, %c-2 : index
  // CHECK-NEXT:     %[[L1:.*]] = memref.load %[[IMG]][%[[ABOVE]], %[[LEFT]]]
  // CHECK-NEXT:     %[[L2:.*]] = memref.load %[[IMG]][%y, %[[LEFT]]]
  // CHECK-NEXT:     %[[SUM:.*]] = arith.addf %[[L1]], %[[L0]]
  // CHECK-NEXT:     arith.addf %[[L2]], %[[SUM]]
  // CHECK:      } else {
  // CHECK-NEXT:   warp.compute "s" {{.*}} in [0, 8) x [0, 128) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:     %[[ABOVE:.*]] = arith.addi %y, %c-1 : index
  // CHECK-NEXT:     %[[I0:.*]] = arith.maxsi %[[ABOVE]], %c0 : index
  // CHECK-NEXT:     %[[I:.*]] = arith.minsi %[[I0]], %c479 : index
  // CHECK-NEXT:     %[[L0:.*]] = memref.load %[[IMG]][%[[I]], %x]
  // The index in a period of 960 rows, and the nearer of it and its image.
  // CHECK-NEXT:     arith.remsi %[[ABOVE]], %c960 : index
  // CHECK:          arith.select
  // CHECK:          %[[I:.*]] = arith.minsi
  // CHECK-NEXT:     %[[LEFT:.*]] = arith.addi %x, %c-2 : index
  // CHECK-NEXT:     arith.remsi %[[LEFT]], %c12800 : index
  // CHECK:          arith.select
  // CHECK:          %[[J:.*]] = arith.minsi
  // CHECK-NEXT:     %[[L1:.*]] = memref.load %[[IMG]][%[[I]], %[[J]]]
  // CHECK-NEXT:     %[[GE:.*]] = arith.cmpi sge, %[[LEFT]], %c0 : index
  // CHECK-NEXT:     %[[LT:.*]] = arith.cmpi slt, %[[LEFT]], %c6400 : index
  // CHECK-NEXT:     %[[J0:.*]] = arith.maxsi %[[LEFT]], %c0 : index
  // CHECK-NEXT:     %[[J:.*]] = arith.minsi %[[J0]], %c6399 : index
  // CHECK-NEXT:     %[[IN:.*]] = arith.andi %[[GE]], %[[LT]]
  // CHECK-NEXT:     %[[V:.*]] = memref.load %[[IMG]][%y, %[[J]]]
  // CHECK-NEXT:     %[[L2:.*]] = arith.select %[[IN]], %[[V]], %[[P]] : f32
  // CHECK-NEXT:     %[[SUM:.*]] = arith.addf %[[L1]], %[[L0]]
  // CHECK-NEXT:     arith.addf %[[L2]], %[[SUM]]
  %s = pipeline.stage "s" (%y, %x) {
    %0 = pipeline.load %img[%y - 1, %x] clamp : tensor<480x6400xf32>
    %1 = pipeline.load %img[%y - 1, %x - 2] mirror : tensor<480x6400xf32>
    %2 = pipeline.load %img[%y, %x - 2] constant(%p) : tensor<480x6400xf32>
    %3 = arith.addf %1, %0 : f32
    %v = arith.addf %2, %3 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %s : tensor<480x6400xf32>
}

// -----

// wrap leads to the other edge, in memory as well.
// CHECK-LABEL: gpu.func @wrap_g0
func.func @wrap(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  // CHECK:      %[[INSIDE:.*]] = arith.cmpi sle, %tile_x, %c48 : index
  // CHECK-NEXT: scf.if %[[INSIDE]] {
  // CHECK-NEXT:   warp.compute "s" {{.*}} in [0, 8) x [0, 128) (%y, %x) {
  // CHECK-NEXT:     %[[RIGHT:.*]] = arith.addi %x, %c1 : index
  // CHECK-NEXT:     memref.load %{{.*}}[%y, %[[RIGHT]]]
  // CHECK:      } else {
  // CHECK-NEXT:   warp.compute "s" {{.*}} in [0, 8) x [0, 128) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:     %[[RIGHT:.*]] = arith.addi %x, %c1 : index
  // CHECK-NEXT:     arith.remsi %[[RIGHT]], %c6400 : index
  // CHECK:          %[[J:.*]] = arith.select
  // CHECK-NEXT:     memref.load %{{.*}}[%y, %[[J]]]
  %s = pipeline.stage "s" (%y, %x) {
    %v = pipeline.load %img[%y, %x + 1] wrap : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %s : tensor<480x6400xf32>
}

// -----

// Variables of loops: all that they reach is inside.
// CHECK-LABEL: gpu.func @window_g0
func.func @window(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  // CHECK:      %[[X0:.*]] = arith.cmpi sge, %tile_x, %c1 : index
  // CHECK-NEXT: %[[X1:.*]] = arith.cmpi sle, %tile_x, %c48 : index
  // CHECK-NEXT: %[[INSIDE:.*]] = arith.andi %[[X0]], %[[X1]]
  // CHECK-NEXT: scf.if %[[INSIDE]] {
  // CHECK-NOT:    arith.maxsi
  // CHECK:        scf.for
  // CHECK-NOT:      arith.maxsi
  // CHECK:          memref.load
  // CHECK:      } else {
  // CHECK:        scf.for
  // CHECK:          arith.maxsi
  // CHECK:          memref.load
  %zero = arith.constant 0.0 : f32
  %s = pipeline.stage "s" (%y, %x) {
    %sum = pipeline.reduce (%k) in [0, 40) (%acc = %zero : f32) {
      %v = pipeline.load %img[%y, %x + %k - 20] clamp : tensor<480x6400xf32>
      %n = arith.addf %acc, %v : f32
      pipeline.yield %n : f32
    } : f32
    pipeline.yield %sum : f32
  } : tensor<480x6400xf32>
  return %s : tensor<480x6400xf32>
}
