// Planes of interleaved pixels: one load and one store for all of them, and shuffles.

// RUN: pipeline-opt %s --vectorize --canonicalize --cse | FileCheck %s

!planes = memref<3x8x?xf32, strided<[1, ?, 3]>>

// CHECK-LABEL: @all
// CHECK:       scf.for
// CHECK:         %[[V:.*]] = vector.load %{{.*}} : {{.*}}, vector<24xf32>
// CHECK-DAG:     %[[R:.*]] = vector.shuffle %[[V]], %[[V]] [0, 3, 6, 9, 12, 15, 18, 21]
// CHECK-DAG:     %[[G:.*]] = vector.shuffle %[[V]], %[[V]] [1, 4, 7, 10, 13, 16, 19, 22]
// CHECK-DAG:     %[[B:.*]] = vector.shuffle %[[V]], %[[V]] [2, 5, 8, 11, 14, 17, 20, 23]
// CHECK:         vector.shuffle {{.*}} [0, 8, 16, 1, 9, 17, 2, 10, 18, 3, 11, 19, 4, 12, 20, 5, 13, 21, 6, 14, 22, 7, 15, 23]
// CHECK-NEXT:    vector.store {{.*}}, vector<24xf32>
func.func @all(%from: !planes, %to: !planes, %y: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %x = %c0 to %n step %c1 {
    %r = memref.load %from[%c0, %y, %x] : !planes
    %g = memref.load %from[%c1, %y, %x] : !planes
    %b = memref.load %from[%c2, %y, %x] : !planes
    %s = arith.addf %r, %g : f32
    %t = arith.addf %g, %b : f32
    memref.store %s, %to[%c0, %y, %x] : !planes
    memref.store %t, %to[%c1, %y, %x] : !planes
    memref.store %b, %to[%c2, %y, %x] : !planes
  } {weft.lanes = 8, weft.wide}
  return
}

// A vector that is only begun has a mask of whole pixels.
// CHECK-LABEL: @masked
// CHECK:         %[[MASK:.*]] = vector.create_mask %{{.*}} : vector<22xi1>
// CHECK:         vector.maskedload {{.*}}, vector<22xi1>, vector<22xf32> into vector<22xf32>
// CHECK:         vector.scatter {{.*}} vector<8xf32>
func.func @masked(%from: !planes, %to: !planes, %plane: index, %y: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %x = %c0 to %n step %c1 {
    %r = memref.load %from[%plane, %y, %x] : !planes
    memref.store %r, %to[%plane, %y, %x] : !planes
  } {weft.lanes = 8, weft.masked}
  return
}

// Every other pixel: loads of whole pixels, and what is asked for is picked out of them.
// CHECK-LABEL: @far
// CHECK:         scf.for
// CHECK-COUNT-6: vector.load {{.*}}, vector<8xf32>
// CHECK-NOT:     vector.gather
func.func @far(%from: !planes, %to: memref<8x?xf32>, %y: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %x = %c0 to %n step %c1 {
    %x2 = arith.muli %x, %c2 : index
    %r = memref.load %from[%c1, %y, %x2] : !planes
    memref.store %r, %to[%y, %x] : memref<8x?xf32>
  } {weft.lanes = 8, weft.wide}
  return
}

// A store waits for those to the other planes, but not in a branch, which may not be taken.
// CHECK-LABEL: @beside_branch
// CHECK:         scf.if
// CHECK-NOT:       vector<16xf32>
// CHECK:           vector.store {{.*}} : memref<8x?xf32>, vector<8xf32>
// CHECK-NEXT:    }
// CHECK:         vector.store {{.*}}, vector<16xf32>
func.func @beside_branch(%from: memref<8x?xf32>, %to: memref<2x8x?xf32, strided<[1, ?, 2]>>, %other: memref<8x?xf32>, %flag: i1, %y: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %x = %c0 to %n step %c1 {
    %v = memref.load %from[%y, %x] : memref<8x?xf32>
    memref.store %v, %to[%c0, %y, %x] : memref<2x8x?xf32, strided<[1, ?, 2]>>
    scf.if %flag {
      memref.store %v, %other[%y, %x] : memref<8x?xf32>
    }
    memref.store %v, %to[%c1, %y, %x] : memref<2x8x?xf32, strided<[1, ?, 2]>>
  } {weft.lanes = 8, weft.wide}
  return
}
