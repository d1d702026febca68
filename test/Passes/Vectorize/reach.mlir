// Loads of every second element that lie beside each other are of the same vectors.

// RUN: pipeline-opt %s --vectorize --canonicalize --cse | FileCheck %s

// Elements -1 to 31 are read by someone: the first two loads have the even and the odd ones of two vectors, the third begins one later,
// so as not to go beyond the last.
// CHECK-LABEL: @beside
// CHECK:       scf.for
// CHECK-DAG:   %[[L0:.*]] = vector.load %{{.*}}[%[[A:.*]]] : memref<?xf32>, vector<16xf32>
// CHECK-DAG:   %[[L1:.*]] = vector.load %{{.*}} : memref<?xf32>, vector<16xf32>
// CHECK-DAG:   vector.shuffle %[[L0]], %[[L1]] [0, 2, 4, {{.*}}, 30]
// CHECK-DAG:   vector.shuffle %[[L0]], %[[L1]] [1, 3, 5, {{.*}}, 31]
// CHECK:       %[[L2:.*]] = vector.load
// CHECK:       %[[L3:.*]] = vector.load
// CHECK:       vector.shuffle %[[L2]], %[[L3]] [1, 3, 5, {{.*}}, 31]
// CHECK-NOT:   vector.load
// CHECK:       vector.store
func.func @beside(%in: memref<?xf32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c-1 = arith.constant -1 : index
  scf.for %x = %a to %b step %c1 {
    %i = arith.muli %x, %c2 : index
    %h = arith.addi %i, %c-1 : index
    %j = arith.addi %i, %c1 : index
    %p = memref.load %in[%h] : memref<?xf32>
    %q = memref.load %in[%i] : memref<?xf32>
    %r = memref.load %in[%j] : memref<?xf32>
    %s = arith.addf %p, %q : f32
    %t = arith.addf %s, %r : f32
    memref.store %t, %out[%x] : memref<64xf32>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// Bytes of which words are made fill a register twice as often: one load is all elements.
// CHECK-LABEL: @bytes
// CHECK:       scf.for
// CHECK:       %[[L:.*]] = vector.load %{{.*}} : memref<?xi8>, vector<64xi8>
// CHECK-DAG:   vector.shuffle %[[L]], %[[L]] [0, 2, {{.*}}, 62]
// CHECK-DAG:   vector.shuffle %[[L]], %[[L]] [1, 3, {{.*}}, 63]
// CHECK-NOT:   vector.load
// CHECK:       vector.store
func.func @bytes(%in: memref<?xi8>, %out: memref<64xi16>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %x = %a to %b step %c1 {
    %i = arith.muli %x, %c2 : index
    %j = arith.addi %i, %c1 : index
    %p = memref.load %in[%i] : memref<?xi8>
    %q = memref.load %in[%j] : memref<?xi8>
    %v = arith.extui %p : i8 to i16
    %w = arith.extui %q : i8 to i16
    %s = arith.addi %v, %w : i16
    memref.store %s, %out[%x] : memref<64xi16>
  } {weft.lanes = 32 : i64, weft.wide}
  return
}

// Of every fourth element halves of halves: what is even is shared by the first and the third.
// CHECK-LABEL: @fourth
// CHECK:       scf.for
// CHECK-DAG:   %[[L0:.*]] = vector.load %{{.*}} : memref<?xf32>, vector<16xf32>
// CHECK-DAG:   %[[L1:.*]] = vector.load %{{.*}} : memref<?xf32>, vector<16xf32>
// CHECK-DAG:   %[[L2:.*]] = vector.load %{{.*}} : memref<?xf32>, vector<16xf32>
// CHECK-DAG:   %[[L3:.*]] = vector.load %{{.*}} : memref<?xf32>, vector<16xf32>
// CHECK-DAG:   %[[E0:.*]] = vector.shuffle %[[L0]], %[[L1]] [0, 2, 4, {{.*}}, 30]
// CHECK-DAG:   %[[E1:.*]] = vector.shuffle %[[L2]], %[[L3]] [0, 2, 4, {{.*}}, 30]
// CHECK-DAG:   vector.shuffle %[[E0]], %[[E1]] [0, 2, 4, {{.*}}, 30]
// CHECK-DAG:   vector.shuffle %[[E0]], %[[E1]] [1, 3, 5, {{.*}}, 31]
// CHECK-DAG:   %[[O0:.*]] = vector.shuffle %[[L0]], %[[L1]] [1, 3, 5, {{.*}}, 31]
// CHECK-DAG:   %[[O1:.*]] = vector.shuffle %[[L2]], %[[L3]] [1, 3, 5, {{.*}}, 31]
// CHECK-DAG:   vector.shuffle %[[O0]], %[[O1]] [1, 3, 5, {{.*}}, 31]
// CHECK-NOT:   vector.shuffle
// CHECK:       vector.store
func.func @fourth(%in: memref<?xf32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %x = %a to %b step %c1 {
    %i = arith.muli %x, %c4 : index
    %j = arith.addi %i, %c2 : index
    %k = arith.addi %i, %c3 : index
    %p = memref.load %in[%i] : memref<?xf32>
    %q = memref.load %in[%j] : memref<?xf32>
    %r = memref.load %in[%k] : memref<?xf32>
    %s = arith.addf %p, %q : f32
    %t = arith.addf %s, %r : f32
    memref.store %t, %out[%x] : memref<64xf32>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// Nobody reads the element behind the last: it may not be there.
// CHECK-LABEL: @alone
// CHECK:       scf.for
// CHECK:       vector.load
// CHECK:       %[[LAST:.*]] = arith.addi %{{.*}}, %c15
// CHECK:       vector.load %{{.*}}[%[[LAST]]]
// A load that is not always done says nothing of what is there.
// CHECK:       scf.if
// CHECK:         vector.load
func.func @alone(%in: memref<?xf32>, %out: memref<64xf32>, %a: index, %b: index, %odd: i1) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %x = %a to %b step %c1 {
    %i = arith.muli %x, %c2 : index
    %j = arith.addi %i, %c1 : index
    %p = memref.load %in[%i] : memref<?xf32>
    %r = scf.if %odd -> f32 {
      %q = memref.load %in[%j] : memref<?xf32>
      scf.yield %q : f32
    } else {
      scf.yield %p : f32
    }
    memref.store %r, %out[%x] : memref<64xf32>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}
