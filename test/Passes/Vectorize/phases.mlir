// Loops whose loads all lie at halves of the number of a point: even points and odd ones have vectors of their own.

// RUN: pipeline-opt %s --vectorize --canonicalize --cse | FileCheck %s

// Each phase computes its own arm of the selection, of what both have loaded.
// CHECK-LABEL: @arms
// CHECK:       scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c8
// CHECK:         %[[HALF:.*]] = arith.shrsi %[[X:.*]], %c1
// CHECK:         %[[NEXT:.*]] = arith.addi %[[HALF]], %c1
// CHECK:         %[[A:.*]] = vector.load %arg0[%[[HALF]]] : memref<64xf32>, vector<4xf32>
// CHECK:         %[[B:.*]] = vector.load %arg0[%[[NEXT]]] : memref<64xf32>, vector<4xf32>
// CHECK-DAG:     %[[SUM:.*]] = arith.addf %[[A]], %[[B]]
// CHECK-DAG:     %[[PRODUCT:.*]] = arith.mulf %[[A]], %[[B]]
// CHECK:         %[[ALL:.*]] = vector.interleave %[[SUM]], %[[PRODUCT]] : vector<4xf32> -> vector<8xf32>
// CHECK-NEXT:    vector.store %[[ALL]], %arg1[%[[X]]] : memref<64xf32>, vector<8xf32>
// CHECK-NEXT:  }
func.func @arms(%in: memref<64xf32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %x = %a to %b step %c1 {
    %rest = arith.andi %x, %c1 : index
    %even = arith.cmpi eq, %rest, %c0 : index
    %half = arith.floordivsi %x, %c2 : index
    %next = arith.addi %half, %c1 : index
    %p = memref.load %in[%half] : memref<64xf32>
    %q = memref.load %in[%next] : memref<64xf32>
    %sum = arith.addf %p, %q : f32
    %product = arith.mulf %p, %q : f32
    %v = arith.select %even, %sum, %product : f32
    memref.store %v, %out[%x] : memref<64xf32>
  } {weft.lanes = 4 : i64, weft.wide}
  return
}

// Four phases, each with a weight of its own.
// CHECK-LABEL: @four
// CHECK:       scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c16
// CHECK:         vector.load %arg0[%{{.*}}] : memref<64xf32>, vector<4xf32>
// CHECK-NOT:     vector.load
// CHECK-COUNT-4: arith.mulf
// CHECK-COUNT-3: vector.interleave
// CHECK-NEXT:    vector.store %{{.*}} : memref<64xf32>, vector<16xf32>
func.func @four(%in: memref<64xf32>, %weights: memref<4xf32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %x = %a to %b step %c1 {
    %rest = arith.andi %x, %c3 : index
    %part = arith.floordivsi %x, %c4 : index
    %p = memref.load %in[%part] : memref<64xf32>
    %w = memref.load %weights[%rest] : memref<4xf32>
    %v = arith.mulf %p, %w : f32
    memref.store %v, %out[%x] : memref<64xf32>
  } {weft.lanes = 4 : i64, weft.wide}
  return
}

// Vectors of both phases fill a cache line, which is stored past the caches.
// CHECK-LABEL: @lines
// CHECK:         vector.interleave
// CHECK:         scf.if
// CHECK:           vector.store %{{.*}} {alignment = 32 : i64, nontemporal = true} : memref<64xf32>, vector<8xf32>
func.func @lines(%in: memref<64xf32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %x = %a to %b step %c1 {
    %half = arith.floordivsi %x, %c2 : index
    %v = memref.load %in[%half] : memref<64xf32>
    memref.store %v, %out[%x] {nontemporal = true} : memref<64xf32>
  } {weft.lanes = 4 : i64, weft.wide}
  return
}

// What is stored may be what is loaded behind it, so that one phase would not wait for the other.
// CHECK-LABEL: @stored
// CHECK-NOT:     vector.interleave
// CHECK:         return
func.func @stored(%in: memref<64xf32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %x = %a to %b step %c1 {
    %half = arith.floordivsi %x, %c2 : index
    %v = memref.load %in[%half] : memref<64xf32>
    memref.store %v, %in[%x] : memref<64xf32>
  } {weft.lanes = 4 : i64, weft.wide}
  return
}

// Every third element of a row would be taken out for each phase.
// CHECK-LABEL: @apart
// CHECK-NOT:     vector.interleave
// CHECK:         return
func.func @apart(%in: memref<64xf32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %x = %a to %b step %c1 {
    %half = arith.floordivsi %x, %c2 : index
    %at = arith.muli %half, %c3 : index
    %v = memref.load %in[%at] : memref<64xf32>
    memref.store %v, %out[%x] : memref<64xf32>
  } {weft.lanes = 4 : i64, weft.wide}
  return
}

// A store in a branch stands where its vectors are.
// CHECK-LABEL: @branch
// CHECK-NOT:     vector.interleave
// CHECK:         return
func.func @branch(%in: memref<64xf32>, %out: memref<64xf32>, %is: i1, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %x = %a to %b step %c1 {
    scf.if %is {
      %half = arith.floordivsi %x, %c2 : index
      %v = memref.load %in[%half] : memref<64xf32>
      memref.store %v, %out[%x] : memref<64xf32>
    }
  } {weft.lanes = 4 : i64, weft.wide}
  return
}
