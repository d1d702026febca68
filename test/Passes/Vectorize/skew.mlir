// Reduces of rows below each other, down a window: each begins an iteration behind the one above, so that a row is loaded once.

// RUN: pipeline-opt %s --vectorize --canonicalize --cse | FileCheck %s

// Of two rows under a window of seven, the first alone, both six times, the second alone.
// CHECK-LABEL: @rows
// CHECK-SAME:  (%[[IN:[^:]*]]: memref<64x64xf32>, %[[K:[^:]*]]: memref<7xf32>,
// CHECK:       scf.for %{{.*}} step %c16
// CHECK:         %[[FIRST:.*]] = vector.load %[[IN]][%[[Y:.*]], %{{.*}}] :
// CHECK:         %[[A:.*]] = math.fma %[[FIRST]], %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK:         %[[BOTH:.*]]:2 = scf.for %[[R:.*]] = %c1 to %c7 step %c1 iter_args(%[[ONE:.*]] = %[[A]], %[[OTHER:.*]] = %{{.*}})
// CHECK-DAG:       %[[ROW:.*]] = arith.addi %[[Y]], %[[R]] : index
// CHECK-DAG:       %[[BEFORE:.*]] = arith.addi %[[R]], %c-1 : index
// CHECK:           %[[V:.*]] = vector.load %[[IN]][%[[ROW]], %{{.*}}] :
// CHECK-NOT:       vector.load
// CHECK:           memref.load %[[K]][%[[R]]]
// CHECK:           math.fma %[[V]], %{{.*}}, %[[ONE]]
// CHECK-NOT:       vector.load
// CHECK:           memref.load %[[K]][%[[BEFORE]]]
// CHECK:           math.fma %[[V]], %{{.*}}, %[[OTHER]]
// CHECK:         %[[LAST:.*]] = vector.load %[[IN]]
// CHECK:         memref.load %[[K]][%c6]
// CHECK:         %[[B:.*]] = math.fma %[[LAST]], %{{.*}}, %[[BOTH]]#1
// CHECK:         vector.store %[[BOTH]]#0
// CHECK:         vector.store %[[B]]
func.func @rows(%in: memref<64x64xf32>, %k: memref<7xf32>, %out: memref<64x64xf32>, %y: index, %a: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %z = arith.addi %y, %c1 : index
  scf.for %x = %a to %b step %c1 {
    %one = scf.for %r = %c0 to %c7 step %c1 iter_args(%acc = %zero) -> f32 {
      %i = arith.addi %y, %r : index
      %v = memref.load %in[%i, %x] : memref<64x64xf32>
      %w = memref.load %k[%r] : memref<7xf32>
      %s = math.fma %v, %w, %acc : f32
      scf.yield %s : f32
    }
    %other = scf.for %r = %c0 to %c7 step %c1 iter_args(%acc = %zero) -> f32 {
      %i = arith.addi %z, %r : index
      %v = memref.load %in[%i, %x] : memref<64x64xf32>
      %w = memref.load %k[%r] : memref<7xf32>
      %s = math.fma %v, %w, %acc : f32
      scf.yield %s : f32
    }
    memref.store %one, %out[%y, %x] : memref<64x64xf32>
    memref.store %other, %out[%z, %x] : memref<64x64xf32>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// Rows of a window of four, and rows two apart that also go along columns: all begin together.
// CHECK-LABEL: @together
// CHECK:         scf.for %{{.*}} = %c0 to %c4 step %c1 iter_args(%{{.*}}, %{{.*}}) -> (vector<16xf32>, vector<16xf32>)
// CHECK:         scf.for %{{.*}} = %c0 to %c7 step %c1 iter_args(%{{.*}}, %{{.*}}) -> (vector<16xf32>, vector<16xf32>)
func.func @together(%in: memref<64x64xf32>, %out: memref<64x64xf32>, %y: index, %a: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %z = arith.addi %y, %c1 : index
  scf.for %x = %a to %b step %c1 {
    %one = scf.for %r = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> f32 {
      %i = arith.addi %y, %r : index
      %v = memref.load %in[%i, %x] : memref<64x64xf32>
      %s = arith.addf %v, %acc : f32
      scf.yield %s : f32
    }
    %other = scf.for %r = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> f32 {
      %i = arith.addi %z, %r : index
      %v = memref.load %in[%i, %x] : memref<64x64xf32>
      %s = arith.addf %v, %acc : f32
      scf.yield %s : f32
    }
    %third = scf.for %r = %c0 to %c7 step %c1 iter_args(%acc = %one) -> f32 {
      %i = arith.addi %y, %r : index
      %j = arith.addi %x, %r : index
      %v = memref.load %in[%i, %j] : memref<64x64xf32>
      %s = arith.addf %v, %acc : f32
      scf.yield %s : f32
    }
    %fourth = scf.for %r = %c0 to %c7 step %c1 iter_args(%acc = %other) -> f32 {
      %i = arith.addi %z, %r : index
      %j = arith.addi %x, %r : index
      %v = memref.load %in[%i, %j] : memref<64x64xf32>
      %s = arith.addf %v, %acc : f32
      scf.yield %s : f32
    }
    memref.store %third, %out[%y, %x] : memref<64x64xf32>
    memref.store %fourth, %out[%z, %x] : memref<64x64xf32>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}
