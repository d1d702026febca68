// Planes of pixels that are computed alike: vectors are of elements as they lie, and nothing is shuffled.

// RUN: pipeline-opt %s --vectorize --canonicalize --cse | FileCheck %s

!planes = memref<3x8x?xf32, strided<[1, ?, 3]>>
!pairs = memref<2x8x?xf32, strided<[1, ?, 2]>>

// Which branch is taken does not depend on the point.
// CHECK-LABEL: @alike
// CHECK:         %[[V:.*]] = vector.load %[[M:.*]][%[[I:.*]]] : {{.*}}, vector<8xf32>
// CHECK-NEXT:    %[[J:.*]] = arith.addi %[[I]], %c8
// CHECK-NEXT:    %[[W:.*]] = vector.load %[[M]][%[[J]]] : {{.*}}, vector<8xf32>
// CHECK-NEXT:    %[[K:.*]] = arith.addi %[[I]], %c16
// CHECK-NEXT:    %[[U:.*]] = vector.load %[[M]][%[[K]]] : {{.*}}, vector<8xf32>
// CHECK-NEXT:    %[[BY:.*]] = vector.broadcast
// CHECK-NEXT:    arith.mulf %[[V]], %[[BY]] : vector<8xf32>
// CHECK-NEXT:    arith.mulf %[[W]], %[[BY]] : vector<8xf32>
// CHECK-NEXT:    arith.mulf %[[U]], %[[BY]] : vector<8xf32>
// CHECK:         scf.if
// CHECK-COUNT-6: vector.store {{.*}}, vector<8xf32>
// CHECK-NOT:     vector.shuffle
// CHECK:         return
func.func @alike(%from: !planes, %to: !planes, %is_large: i1, %by: f32, %y: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %x = %c0 to %n step %c1 {
    %r = memref.load %from[%c0, %y, %x] : !planes
    %g = memref.load %from[%c1, %y, %x] : !planes
    %b = memref.load %from[%c2, %y, %x] : !planes
    %f = arith.mulf %r, %by : f32
    %h = arith.mulf %g, %by : f32
    %k = arith.mulf %b, %by : f32
    scf.if %is_large {
      memref.store %f, %to[%c0, %y, %x] : !planes
      memref.store %h, %to[%c1, %y, %x] : !planes
      memref.store %k, %to[%c2, %y, %x] : !planes
    } else {
      memref.store %k, %to[%c2, %y, %x] : !planes
      memref.store %h, %to[%c1, %y, %x] : !planes
      memref.store %f, %to[%c0, %y, %x] : !planes
    }
  } {weft.lanes = 8, weft.wide}
  return
}

// Neighbours are pixels: the next one begins two elements later.
// CHECK-LABEL: @neighbours
// CHECK-NOT:     vector.shuffle
// CHECK-COUNT-4: vector.load {{.*}}, vector<8xf32>
// CHECK-NOT:     vector.shuffle
// CHECK:         return
func.func @neighbours(%from: !pairs, %to: !pairs, %y: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %x = %c0 to %n step %c1 {
    %next = arith.addi %x, %c1 : index
    %a = memref.load %from[%c0, %y, %x] : !pairs
    %b = memref.load %from[%c0, %y, %next] : !pairs
    %c = memref.load %from[%c1, %y, %x] : !pairs
    %d = memref.load %from[%c1, %y, %next] : !pairs
    %s = arith.addf %a, %b : f32
    %t = arith.addf %c, %d : f32
    memref.store %s, %to[%c0, %y, %x] : !pairs
    memref.store %t, %to[%c1, %y, %x] : !pairs
  } {weft.lanes = 8, weft.wide}
  return
}

// Where vectors have masks, these are of elements, and what is read beyond an end is a pixel over and over.
// CHECK-LABEL: @clamped
// CHECK:         %[[LEFT:.*]] = vector.load {{.*}}, vector<2xf32>
// CHECK-NEXT:    %[[PIXEL:.*]] = vector.bitcast %[[LEFT]] : vector<2xf32> to vector<1xi64>
// CHECK-NEXT:    %[[NUMBER:.*]] = vector.extract %[[PIXEL]][0]
// CHECK-NEXT:    %[[ALL:.*]] = vector.broadcast %[[NUMBER]] : i64 to vector<4xi64>
// CHECK-NEXT:    %[[BELOW:.*]] = vector.bitcast %[[ALL]] : vector<4xi64> to vector<8xf32>
// CHECK:         %[[RIGHT:.*]] = vector.load {{.*}}, vector<2xf32>
// CHECK:         %[[ABOVE:.*]] = vector.bitcast %{{.*}} : vector<4xi64> to vector<8xf32>
// CHECK:         %[[PAD:.*]] = arith.select %{{.*}}, %[[BELOW]], %[[ABOVE]] : vector<8xi1>, vector<8xf32>
// CHECK:         vector.maskedload {{.*}}, %[[PAD]] : {{.*}} into vector<8xf32>
// CHECK:         vector.maskedload
// CHECK-COUNT-2: vector.maskedstore {{.*}}, vector<8xi1>, vector<8xf32>
func.func @clamped(%from: !pairs, %to: !pairs, %most: index, %y: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %x = %c0 to %n step %c1 {
    %next = arith.addi %x, %c1 : index
    %above = arith.maxsi %next, %c0 : index
    %at = arith.minsi %above, %most : index
    %a = memref.load %from[%c0, %y, %at] : !pairs
    %b = memref.load %from[%c1, %y, %at] : !pairs
    %s = arith.negf %a : f32
    %t = arith.negf %b : f32
    memref.store %s, %to[%c0, %y, %x] : !pairs
    memref.store %t, %to[%c1, %y, %x] : !pairs
  } {weft.lanes = 8, weft.masked}
  return
}

// Neighbours beyond an end are lanes of stretches that are brought inside once: of so many pixels one more vector than planes.
// CHECK-LABEL: @taps
// CHECK-COUNT-3: vector.maskedload
// CHECK-NOT:     vector.maskedload
// CHECK-DAG:     vector.shuffle %[[A:.*]], %[[B:.*]] [2, 3, 4, 5, 6, 7, 8, 9]
// CHECK-DAG:     vector.shuffle %[[A]], %[[B]] [4, 5, 6, 7, 8, 9, 10, 11]
// CHECK-COUNT-2: vector.maskedstore
func.func @taps(%from: !pairs, %to: !pairs, %most: index, %y: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %x = %c0 to %n step %c1 {
    %i = arith.minsi %x, %most : index
    %next = arith.addi %x, %c1 : index
    %j = arith.minsi %next, %most : index
    %last = arith.addi %x, %c2 : index
    %k = arith.minsi %last, %most : index
    %a = memref.load %from[%c0, %y, %i] : !pairs
    %b = memref.load %from[%c0, %y, %j] : !pairs
    %c = memref.load %from[%c0, %y, %k] : !pairs
    %d = memref.load %from[%c1, %y, %i] : !pairs
    %e = memref.load %from[%c1, %y, %j] : !pairs
    %f = memref.load %from[%c1, %y, %k] : !pairs
    %s = arith.addf %a, %b : f32
    %t = arith.addf %s, %c : f32
    %u = arith.addf %d, %e : f32
    %v = arith.addf %u, %f : f32
    memref.store %t, %to[%c0, %y, %x] : !pairs
    memref.store %v, %to[%c1, %y, %x] : !pairs
  } {weft.lanes = 8, weft.masked}
  return
}

// Every second pixel, whole.
// CHECK-LABEL: @half
// CHECK:         vector.shuffle %{{.*}}, %{{.*}} [0, 1, 4, 5, 10, 11, 14, 15]
// CHECK-NOT:     [0, 2,
// CHECK:         return
func.func @half(%from: !pairs, %to: !pairs, %y: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %x = %c0 to %n step %c1 {
    %far = arith.muli %x, %c2 : index
    %a = memref.load %from[%c0, %y, %far] : !pairs
    %b = memref.load %from[%c1, %y, %far] : !pairs
    %s = arith.negf %a : f32
    %t = arith.negf %b : f32
    memref.store %s, %to[%c0, %y, %x] : !pairs
    memref.store %t, %to[%c1, %y, %x] : !pairs
  } {weft.lanes = 8, weft.wide}
  return
}

// What planes share stands for each element of its pixel.
// CHECK-LABEL: @shared
// CHECK:         %[[V:.*]] = vector.load {{.*}}, vector<8xf32>
// CHECK:         %[[ALPHA:.*]] = vector.shuffle %[[V]], %[[V]] [1, 1, 3, 3, 5, 5, 7, 7]
// CHECK:         arith.mulf %[[V]], %[[ALPHA]] : vector<8xf32>
// CHECK-COUNT-2: vector.store {{.*}}, vector<8xf32>
func.func @shared(%from: !pairs, %to: !pairs, %y: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %x = %c0 to %n step %c1 {
    %a = memref.load %from[%c0, %y, %x] : !pairs
    %b = memref.load %from[%c1, %y, %x] : !pairs
    %s = arith.mulf %a, %b : f32
    %t = arith.mulf %b, %b : f32
    memref.store %s, %to[%c0, %y, %x] : !pairs
    memref.store %t, %to[%c1, %y, %x] : !pairs
  } {weft.lanes = 8, weft.wide}
  return
}

// A plane that is computed in another way, of another plane, of the column, or by another number, is taken apart.
// CHECK-LABEL: @other_op
// CHECK:         vector.shuffle
func.func @other_op(%from: !pairs, %to: !pairs, %y: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %x = %c0 to %n step %c1 {
    %a = memref.load %from[%c0, %y, %x] : !pairs
    %b = memref.load %from[%c1, %y, %x] : !pairs
    %s = arith.addf %a, %a : f32
    %t = arith.mulf %b, %b : f32
    memref.store %s, %to[%c0, %y, %x] : !pairs
    memref.store %t, %to[%c1, %y, %x] : !pairs
  } {weft.lanes = 8, weft.wide}
  return
}

// CHECK-LABEL: @other_plane
// CHECK:         vector.shuffle
func.func @other_plane(%from: !pairs, %to: !pairs, %y: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %x = %c0 to %n step %c1 {
    %a = memref.load %from[%c0, %y, %x] : !pairs
    %b = memref.load %from[%c1, %y, %x] : !pairs
    %s = arith.negf %b : f32
    %t = arith.negf %a : f32
    memref.store %s, %to[%c0, %y, %x] : !pairs
    memref.store %t, %to[%c1, %y, %x] : !pairs
  } {weft.lanes = 8, weft.wide}
  return
}

// CHECK-LABEL: @column
// CHECK:         vector.shuffle
func.func @column(%from: !pairs, %to: !pairs, %y: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %x = %c0 to %n step %c1 {
    %a = memref.load %from[%c0, %y, %x] : !pairs
    %b = memref.load %from[%c1, %y, %x] : !pairs
    %i = arith.index_cast %x : index to i32
    %f = arith.sitofp %i : i32 to f32
    %s = arith.addf %a, %f : f32
    %t = arith.addf %b, %f : f32
    memref.store %s, %to[%c0, %y, %x] : !pairs
    memref.store %t, %to[%c1, %y, %x] : !pairs
  } {weft.lanes = 8, weft.wide}
  return
}

// CHECK-LABEL: @number
// CHECK:         vector.shuffle
func.func @number(%from: !pairs, %to: !pairs, %y: index, %n: index, %p: f32, %q: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %x = %c0 to %n step %c1 {
    %a = memref.load %from[%c0, %y, %x] : !pairs
    %b = memref.load %from[%c1, %y, %x] : !pairs
    %s = arith.addf %a, %p : f32
    %t = arith.addf %b, %q : f32
    memref.store %s, %to[%c0, %y, %x] : !pairs
    memref.store %t, %to[%c1, %y, %x] : !pairs
  } {weft.lanes = 8, weft.wide}
  return
}
