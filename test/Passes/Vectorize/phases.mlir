// Loops whose loads all lie at halves of the number of a point: even points and odd ones have vectors of their own. So do thirds.

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

// Three phases are stored one behind the other, each vector shuffled from all.
// CHECK-LABEL: @three
// CHECK:       scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c12
// CHECK:         %[[THIRD:.*]] = arith.floordivsi %[[X:.*]], %c3
// CHECK:         %[[V:.*]] = vector.load %arg0[%[[THIRD]]] : memref<64xf32>, vector<4xf32>
// CHECK:         %[[A:.*]] = arith.mulf %[[V]], %{{.*}} : vector<4xf32>
// CHECK:         %[[B:.*]] = arith.mulf %[[V]], %{{.*}} : vector<4xf32>
// CHECK:         %[[C:.*]] = arith.mulf %[[V]], %{{.*}} : vector<4xf32>
// CHECK:         %[[AB:.*]] = vector.shuffle %[[A]], %[[B]] [0, 4, -1, 1]
// CHECK-NEXT:    %[[ALL:.*]] = vector.shuffle %[[AB]], %[[C]] [0, 1, 4, 3]
// CHECK-NEXT:    vector.store %[[ALL]], %arg2[%[[X]]] : memref<64xf32>, vector<4xf32>
// CHECK:         %[[NEXT:.*]] = arith.addi %[[X]], %c4
// CHECK-NEXT:    vector.store %{{.*}}, %arg2[%[[NEXT]]] : memref<64xf32>, vector<4xf32>
// CHECK:         %[[LAST:.*]] = arith.addi %[[X]], %c8
// CHECK-NEXT:    vector.store %{{.*}}, %arg2[%[[LAST]]] : memref<64xf32>, vector<4xf32>
// CHECK-NEXT:  }
func.func @three(%in: memref<64xf32>, %weights: memref<3xf32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %x = %a to %b step %c1 {
    %third = arith.floordivsi %x, %c3 : index
    %before = arith.muli %third, %c3 : index
    %rest = arith.subi %x, %before : index
    %p = memref.load %in[%third] : memref<64xf32>
    %w = memref.load %weights[%rest] : memref<3xf32>
    %v = arith.mulf %p, %w : f32
    memref.store %v, %out[%x] : memref<64xf32>
  } {weft.lanes = 4 : i64, weft.wide}
  return
}

// Half as large again: in each of three phases neighbours are two elements apart, of the same two vectors.
// CHECK-LABEL: @resampled
// CHECK:       scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c12
// CHECK-NOT:     vector.gather
// CHECK:         vector.shuffle %{{.*}}, %{{.*}} [0, 2, 4, 6] : vector<4xf32>, vector<4xf32>
// CHECK-NOT:     vector.gather
// CHECK:       scf.for
func.func @resampled(%in: memref<64xf32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  scf.for %x = %a to %b step %c1 {
    %four = arith.muli %x, %c4 : index
    %sixths = arith.subi %four, %c1 : index
    %at = arith.floordivsi %sixths, %c6 : index
    %next = arith.addi %at, %c1 : index
    %p = memref.load %in[%at] : memref<64xf32>
    %q = memref.load %in[%next] : memref<64xf32>
    %v = arith.addf %p, %q : f32
    memref.store %v, %out[%x] : memref<64xf32>
  } {weft.lanes = 4 : i64, weft.wide}
  return
}

// Half as many points are three elements apart in each of two phases: vectors of any points are as good.
// CHECK-LABEL: @fewer
// CHECK-NOT:     vector.interleave
// CHECK:         return
func.func @fewer(%in: memref<64xf32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %x = %a to %b step %c1 {
    %three = arith.muli %x, %c3 : index
    %at = arith.floordivsi %three, %c2 : index
    %p = memref.load %in[%at] : memref<64xf32>
    memref.store %p, %out[%x] : memref<64xf32>
  } {weft.lanes = 4 : i64, weft.wide}
  return
}

// The planes of pixels wait for all phases, and then for each other.
// CHECK-LABEL: @pixels
// CHECK:       scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c12
// CHECK-COUNT-3: vector.store %{{.*}}, vector<8xf32>
// CHECK-NOT:     vector.store
// CHECK:       }
func.func @pixels(%in: memref<2x64xf32>, %out: memref<2x64xf32, strided<[1, 2]>>, %a: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %x = %a to %b step %c1 {
    %third = arith.floordivsi %x, %c3 : index
    %p = memref.load %in[%c0, %third] : memref<2x64xf32>
    %q = memref.load %in[%c1, %third] : memref<2x64xf32>
    %r = arith.mulf %p, %q : f32
    memref.store %p, %out[%c0, %x] : memref<2x64xf32, strided<[1, 2]>>
    memref.store %r, %out[%c1, %x] : memref<2x64xf32, strided<[1, 2]>>
  } {weft.lanes = 4 : i64, weft.wide}
  return
}

// A branch that all points take, or none, stands behind the last phase.
// CHECK-LABEL: @uniform
// CHECK:       scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c8
// CHECK-NOT:     scf.if
// CHECK:         vector.load
// CHECK:         scf.if %arg2 {
// CHECK-NEXT:      vector.interleave
// CHECK-NEXT:      vector.store
// CHECK-NEXT:    } else {
// CHECK-NEXT:      vector.interleave
// CHECK-NEXT:      vector.store
// CHECK-NEXT:    }
func.func @uniform(%in: memref<64xf32>, %out: memref<64xf32>, %is: i1, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %x = %a to %b step %c1 {
    %half = arith.floordivsi %x, %c2 : index
    %v = memref.load %in[%half] : memref<64xf32>
    %next = arith.addi %x, %c1 : index
    scf.if %is {
      memref.store %v, %out[%x] : memref<64xf32>
    } else {
      memref.store %v, %out[%next] : memref<64xf32>
    }
  } {weft.lanes = 4 : i64, weft.wide}
  return
}

// A store in a branch that computes stands where its vectors are.
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
