// What is read backwards is a stretch like any other: a load, and a shuffle.

// RUN: pipeline-opt %s --vectorize --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @row
// CHECK-NOT:   vector.gather
// CHECK:       %[[END:.*]] = arith.subi %arg2, %c1 : index
// CHECK:       scf.for
// CHECK:       %[[FIRST:.*]] = arith.subi %[[END]], %[[X:.*]] : index
// CHECK:       %[[LEAST:.*]] = arith.addi %[[FIRST]], %c-7 : index
// CHECK:       %[[V:.*]] = vector.load %arg0[%[[LEAST]]] : memref<?xi32>, vector<8xi32>
// CHECK:       %[[R:.*]] = vector.shuffle %[[V]], %[[V]] [7, 6, 5, 4, 3, 2, 1, 0]
// CHECK:       vector.store %[[R]], %arg1[%[[X]]]
func.func @row(%in: memref<?xi32>, %out: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  scf.for %x = %c0 to %n step %c1 {
    %from = arith.subi %last, %x : index
    %v = memref.load %in[%from] : memref<?xi32>
    memref.store %v, %out[%x] : memref<?xi32>
  } {weft.lanes = 8 : i64, weft.wide}
  return
}

// Every other one, backwards.
// CHECK-LABEL: @half
// CHECK-NOT:   vector.gather
// CHECK-COUNT-2: vector.load
func.func @half(%in: memref<?xi32>, %out: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %x = %c0 to %n step %c1 {
    %twice = arith.muli %x, %c2 : index
    %from = arith.subi %n, %twice : index
    %v = memref.load %in[%from] : memref<?xi32>
    memref.store %v, %out[%x] : memref<?xi32>
  } {weft.lanes = 8 : i64, weft.wide}
  return
}
