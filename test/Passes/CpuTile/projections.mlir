// Scatters whose places are variables of their domain, as sums of columns and rows: no two points of different places meet.

// RUN: pipeline-opt %s --cpu-tile=target=zen5 --canonicalize --cse | FileCheck %s

// Sums of columns, of floats, in their order: blocks of columns are shared among threads, and rows are read as they lie.
// CHECK-LABEL: @columns
// CHECK-SAME: (%[[IMG:.*]]: memref<300x1000xf32, {{.*}}>, %[[ZERO:.*]]: f32, %[[S:.*]]: memref<1000xf32>)
// CHECK: scf.parallel (%[[BLOCK:.*]]) = (%c0) to (%c2)
// CHECK:   %[[FROM:.*]] = arith.muli %[[BLOCK]], %c512
// CHECK:   %[[TO:.*]] = arith.minsi %{{.*}}, %c1000
// CHECK:   scf.for %[[X:.*]] = %[[FROM]] to %[[TO]]
// CHECK:     memref.store %[[ZERO]], %[[S]][%[[X]]]
// CHECK:   } {weft.lanes = 16 : i64}
// CHECK:   scf.for %[[Y:.*]] = %c0 to %c300
// CHECK:     scf.for %[[FIRST:.*]] = %[[FROM]] to %[[REST:.*]] step %c16
// CHECK:       scf.for %[[LANE:.*]] = %c0 to %c16
// CHECK:         %[[X:.*]] = arith.addi %[[FIRST]], %[[LANE]]
// CHECK:         %[[SUM:.*]] = memref.load %[[S]][%[[X]]]
// CHECK:         %[[V:.*]] = memref.load %[[IMG]][%[[Y]], %[[X]]]
// CHECK:         %[[MORE:.*]] = arith.addf %[[SUM]], %[[V]]
// CHECK:         memref.store %[[MORE]], %[[S]][%[[X]]]
// CHECK:       } {weft.lanes = 16 : i64, weft.masked}
// CHECK:     scf.for %{{.*}} = %[[REST]] to %[[TO]]
// CHECK:     } {weft.lanes = 16 : i64, weft.masked}
func.func @columns(%img: tensor<300x1000xf32>, %zero: f32) -> tensor<1000xf32> {
  %s = pipeline.scatter "s" () over (%y, %x) in [0, 300) x [0, 1000) from(%zero : f32) combine "arith.addf" {
    %v = pipeline.load %img[%y, %x] : tensor<300x1000xf32>
    pipeline.update %v at [%x] : f32
  } : tensor<1000xf32>
  return %s : tensor<1000xf32>
}

// Sums of rows, of integers, in any order: a lane has a part of the row, and what is left is added point by point.
// CHECK-LABEL: @rows
// CHECK-SAME: (%[[IMG:.*]]: memref<300x1000xi32, {{.*}}>, %[[ZERO:.*]]: i32, %[[S:.*]]: memref<300xi32>)
// CHECK: scf.parallel (%{{.*}}) = (%c0) to (%c38)
// CHECK:   %[[OWN:.*]] = memref.alloc() {{.*}} : memref<64xi32>
// CHECK:   scf.for %[[Y:.*]] =
// CHECK:     scf.for %[[LANE:.*]] = %c0 to %c64
// CHECK:       %[[PART:.*]] = scf.for %[[K:.*]] = %c0 to %c15 step %c1 iter_args(%{{.*}} = %c0_i32)
// CHECK:         %[[AT:.*]] = arith.muli %[[K]], %c64
// CHECK:         %[[X:.*]] = arith.addi %[[LANE]], %[[AT]]
// CHECK:         memref.load %[[IMG]][%[[Y]], %[[X]]]
// CHECK:       memref.store %[[PART]], %[[OWN]][%[[LANE]]]
// CHECK:     } {weft.lanes = 64 : i64}
// CHECK:     scf.for %{{.*}} = %c960 to %c1000 step %c1 iter_args(%{{.*}} = %[[ZERO]])
// CHECK:     scf.for %{{.*}} = %c0 to %c32
// CHECK:     } {weft.lanes = 32 : i64, weft.masked}
// CHECK:     } {weft.lanes = 4 : i64, weft.masked}
// CHECK-COUNT-4: memref.load %[[OWN]]
// CHECK:     memref.store %{{.*}}, %[[S]][%[[Y]]]
func.func @rows(%img: tensor<300x1000xi32>, %zero: i32) -> tensor<300xi32> {
  %s = pipeline.scatter "s" () over (%y, %x) in [0, 300) x [0, 1000) from(%zero : i32) combine "arith.addi" {
    %v = pipeline.load %img[%y, %x] : tensor<300x1000xi32>
    pipeline.update %v at [%y] : i32
  } : tensor<300xi32>
  return %s : tensor<300xi32>
}

// Sums of rows, of floats: sixteen rows are lanes.
// CHECK-LABEL: @lines
// CHECK-SAME: (%[[IMG:.*]]: memref<300x1000xf32, {{.*}}>, %[[ZERO:.*]]: f32, %[[S:.*]]: memref<300xf32>)
// CHECK: scf.parallel (%{{.*}}) = (%c0) to (%c3)
// CHECK:   scf.for %[[Y:.*]] =
// CHECK:     %[[SUM:.*]] = scf.for %[[X:.*]] = %c0 to %c1000 step %c1 iter_args(%[[BEFORE:.*]] = %[[ZERO]])
// CHECK:       %[[V:.*]] = memref.load %[[IMG]][%[[Y]], %[[X]]]
// CHECK:       arith.addf %[[BEFORE]], %[[V]]
// CHECK:     memref.store %[[SUM]], %[[S]][%[[Y]]]
// CHECK:   } {weft.lanes = 16 : i64}
func.func @lines(%img: tensor<300x1000xf32>, %zero: f32) -> tensor<300xf32> {
  %s = pipeline.scatter "s" () over (%y, %x) in [0, 300) x [0, 1000) from(%zero : f32) combine "arith.addf" {
    %v = pipeline.load %img[%y, %x] : tensor<300x1000xf32>
    pipeline.update %v at [%y] : f32
  } : tensor<300xf32>
  return %s : tensor<300xf32>
}
