// Loads of one row whose ends may lie outside, and that lie beside each other: two vectors are brought inside, and each load takes its lanes
// of these.

// RUN: pipeline-opt %s --vectorize --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @row
// CHECK-SAME:  (%[[IN:[^:]*]]: memref<64xf32>
// CHECK:       scf.for
// CHECK:         %[[NEAR:.*]] = vector.maskedload %[[IN]]
// CHECK:         %[[FAR:.*]] = vector.maskedload %[[IN]]
// CHECK-NOT:     vector.maskedload
// CHECK-DAG:     vector.shuffle %[[NEAR]], %[[FAR]] [1, 2, 3, {{.*}}, 16]
// CHECK-DAG:     vector.shuffle %[[NEAR]], %[[FAR]] [4, 5, 6, {{.*}}, 19]
// CHECK-NOT:     vector.maskedload
// CHECK:         vector.store
func.func @row(%in: memref<64xf32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c-1 = arith.constant -1 : index
  %c3 = arith.constant 3 : index
  %c63 = arith.constant 63 : index
  scf.for %x = %a to %b step %c1 {
    %i = arith.addi %x, %c-1 : index
    %i0 = arith.maxsi %i, %c0 : index
    %i1 = arith.minsi %i0, %c63 : index
    %p = memref.load %in[%i1] : memref<64xf32>
    %j0 = arith.maxsi %x, %c0 : index
    %j1 = arith.minsi %j0, %c63 : index
    %q = memref.load %in[%j1] : memref<64xf32>
    %k = arith.addi %x, %c3 : index
    %k0 = arith.maxsi %k, %c0 : index
    %k1 = arith.minsi %k0, %c63 : index
    %r = memref.load %in[%k1] : memref<64xf32>
    %s = arith.addf %p, %q : f32
    %t = arith.addf %s, %r : f32
    memref.store %t, %out[%x] : memref<64xf32>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// Behind a store the row may be another one: it is loaded again.
// CHECK-LABEL: @stored
// CHECK:       scf.for
// CHECK:         vector.maskedload
// CHECK-NOT:     vector.maskedload
// CHECK:         vector.store
// CHECK-COUNT-2: vector.maskedload
// CHECK:         vector.store
func.func @stored(%row: memref<64xf32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c63 = arith.constant 63 : index
  scf.for %x = %a to %b step %c1 {
    %i0 = arith.maxsi %x, %c0 : index
    %i1 = arith.minsi %i0, %c63 : index
    %p = memref.load %row[%i1] : memref<64xf32>
    memref.store %p, %out[%x] : memref<64xf32>
    %j = arith.addi %x, %c1 : index
    %j0 = arith.maxsi %j, %c0 : index
    %j1 = arith.minsi %j0, %c63 : index
    %q = memref.load %row[%j1] : memref<64xf32>
    %k = arith.addi %x, %c2 : index
    %k0 = arith.maxsi %k, %c0 : index
    %k1 = arith.minsi %k0, %c63 : index
    %r = memref.load %row[%k1] : memref<64xf32>
    %s = arith.addf %q, %r : f32
    memref.store %s, %row[%x] : memref<64xf32>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// Masks of 32 lanes and of 64 are bits of a number.
// CHECK-LABEL: @bytes
// CHECK-NOT:   vector.create_mask
// CHECK:       %[[BITS:.*]] = arith.xori %{{.*}}, %c-1_i64 : i64
// CHECK:       %[[ONE:.*]] = vector.broadcast %[[BITS]] : i64 to vector<1xi64>
// CHECK:       vector.bitcast %[[ONE]] : vector<1xi64> to vector<64xi1>
// CHECK:       vector.maskedload
func.func @bytes(%in: memref<200xi8>, %out: memref<200xi8>, %a: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %x = %a to %b step %c1 {
    %i = arith.maxsi %x, %c0 : index
    %p = memref.load %in[%i] : memref<200xi8>
    memref.store %p, %out[%x] : memref<200xi8>
  } {weft.lanes = 64 : i64, weft.wide}
  return
}
