// Sums of products of small integers become dot products of four pairs of bytes, or of two of halves.

// RUN: pipeline-opt %s --dot-products --canonicalize | FileCheck %s
// RUN: pipeline-opt %s --dot-products --dot-products --canonicalize | FileCheck %s

// Neighbours in memory are packed by one shuffle; the fourth byte of each lane is multiplied by 0. What the sum began with stays its beginning.
// CHECK-LABEL: @neighbours
// CHECK-SAME:  (%[[M:.*]]: memref<64xi8>, %[[X:.*]]: index, %[[ACC:.*]]: vector<4xi32>, %[[U:.*]]: i8, %[[V:.*]]: i8, %[[W:.*]]: i8)
// CHECK-DAG:     %[[A:.*]] = vector.load %[[M]][%[[X]]] : memref<64xi8>, vector<4xi8>
// CHECK-DAG:     %[[AT:.*]] = arith.addi %[[X]], %c2
// CHECK-DAG:     %[[C:.*]] = vector.load %[[M]][%[[AT]]] : memref<64xi8>, vector<4xi8>
// CHECK-DAG:     %[[U0:.*]] = arith.extui %[[U]] : i8 to i32
// CHECK-DAG:     %[[V0:.*]] = arith.extui %[[V]] : i8 to i32
// CHECK-DAG:     %[[V8:.*]] = arith.shli %[[V0]], %c8_i32
// CHECK-DAG:     %[[UV:.*]] = arith.ori %[[U0]], %[[V8]]
// CHECK-DAG:     %[[W0:.*]] = arith.extui %[[W]] : i8 to i32
// CHECK-DAG:     %[[W16:.*]] = arith.shli %[[W0]], %c16_i32
// CHECK-DAG:     %[[UVW:.*]] = arith.ori %[[UV]], %[[W16]]
// CHECK-DAG:     %[[WEIGHTS:.*]] = vector.broadcast %[[UVW]] : i32 to vector<4xi32>
// CHECK-DAG:     %[[BYTES:.*]] = vector.shuffle %[[A]], %[[C]] [0, 1, 2, 3, 1, 2, 3, 6, 2, 3, 6, 7, 3, 6, 7, 0]
// CHECK-DAG:     %[[PIXELS:.*]] = vector.bitcast %[[BYTES]] : vector<16xi8> to vector<4xi32>
// CHECK:         %[[SUM:.*]] = call @weft.dot4.x4(%[[ACC]], %[[PIXELS]], %[[WEIGHTS]])
// CHECK-NEXT:    return %[[SUM]]
func.func @neighbours(%m: memref<64xi8>, %x: index, %acc: vector<4xi32>, %u: i8, %v: i8, %w: i8) -> vector<4xi32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x1 = arith.addi %x, %c1 : index
  %x2 = arith.addi %x, %c2 : index
  %a = vector.load %m[%x] : memref<64xi8>, vector<4xi8>
  %b = vector.load %m[%x1] : memref<64xi8>, vector<4xi8>
  %c = vector.load %m[%x2] : memref<64xi8>, vector<4xi8>
  %a32 = arith.extui %a : vector<4xi8> to vector<4xi32>
  %b32 = arith.extui %b : vector<4xi8> to vector<4xi32>
  %c32 = arith.extui %c : vector<4xi8> to vector<4xi32>
  %u32 = arith.extsi %u : i8 to i32
  %v32 = arith.extsi %v : i8 to i32
  %w32 = arith.extsi %w : i8 to i32
  %us = vector.broadcast %u32 : i32 to vector<4xi32>
  %vs = vector.broadcast %v32 : i32 to vector<4xi32>
  %ws = vector.broadcast %w32 : i32 to vector<4xi32>
  %p = arith.muli %a32, %us : vector<4xi32>
  %q = arith.muli %b32, %vs : vector<4xi32>
  %r = arith.muli %c32, %ws : vector<4xi32>
  %s = arith.addi %acc, %p : vector<4xi32>
  %t = arith.addi %s, %q : vector<4xi32>
  %sum = arith.addi %t, %r : vector<4xi32>
  return %sum : vector<4xi32>
}

// Vectors from anywhere are shifted and joined; weights that are known are one constant: 1 and -2 in bytes are 65025.
// CHECK-LABEL: @anywhere
// CHECK-SAME:  (%[[A:.*]]: vector<4xi8>, %[[B:.*]]: vector<4xi8>)
// CHECK-DAG:     %[[WEIGHTS:.*]] = arith.constant dense<65025> : vector<4xi32>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0> : vector<4xi32>
// CHECK-DAG:     %[[A32:.*]] = arith.extui %[[A]]
// CHECK-DAG:     %[[B32:.*]] = arith.extui %[[B]]
// CHECK-DAG:     %[[UP:.*]] = arith.shli %[[B32]], %cst
// CHECK:         %[[BOTH:.*]] = arith.ori %[[A32]], %[[UP]]
// CHECK:         call @weft.dot4.x4(%[[ZERO]], %[[BOTH]], %[[WEIGHTS]])
func.func @anywhere(%a: vector<4xi8>, %b: vector<4xi8>) -> vector<4xi32> {
  %one = arith.constant dense<1> : vector<4xi32>
  %minus = arith.constant dense<-2> : vector<4xi32>
  %a32 = arith.extui %a : vector<4xi8> to vector<4xi32>
  %b32 = arith.extui %b : vector<4xi8> to vector<4xi32>
  %p = arith.muli %a32, %one : vector<4xi32>
  %q = arith.muli %b32, %minus : vector<4xi32>
  %sum = arith.addi %p, %q : vector<4xi32>
  return %sum : vector<4xi32>
}

// What is written between two loads is seen by the second alone: they are not packed from memory.
// CHECK-LABEL: @written
// CHECK-NOT:     vector.shuffle
// CHECK:         call @weft.dot4.x4
func.func @written(%m: memref<64xi8>, %x: index, %v: i8) -> vector<4xi32> {
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1> : vector<4xi32>
  %minus = arith.constant dense<-2> : vector<4xi32>
  %x1 = arith.addi %x, %c1 : index
  %a = vector.load %m[%x] : memref<64xi8>, vector<4xi8>
  memref.store %v, %m[%x1] : memref<64xi8>
  %b = vector.load %m[%x1] : memref<64xi8>, vector<4xi8>
  %a32 = arith.extui %a : vector<4xi8> to vector<4xi32>
  %b32 = arith.extui %b : vector<4xi8> to vector<4xi32>
  %p = arith.muli %a32, %one : vector<4xi32>
  %q = arith.muli %b32, %minus : vector<4xi32>
  %sum = arith.addi %p, %q : vector<4xi32>
  return %sum : vector<4xi32>
}

// Halves: two pairs. Bytes that all have a sign are halves, too.
// CHECK-LABEL: @halves
// CHECK:         arith.shli
// CHECK:         call @weft.dot2.x4
func.func @halves(%a: vector<4xi16>, %b: vector<4xi16>, %c: vector<4xi8>, %d: vector<4xi8>) -> vector<4xi32> {
  %a32 = arith.extsi %a : vector<4xi16> to vector<4xi32>
  %b32 = arith.extsi %b : vector<4xi16> to vector<4xi32>
  %c32 = arith.extsi %c : vector<4xi8> to vector<4xi32>
  %d32 = arith.extsi %d : vector<4xi8> to vector<4xi32>
  %p = arith.muli %a32, %b32 : vector<4xi32>
  %q = arith.muli %c32, %d32 : vector<4xi32>
  %sum = arith.addi %p, %q : vector<4xi32>
  return %sum : vector<4xi32>
}

// What is not known to be small stays, and so do a product that others need, one by itself, and vectors of other lanes.
// CHECK-LABEL: @stays
// CHECK-NOT:     call
// CHECK:         return
func.func @stays(%a: vector<4xi16>, %b: vector<4xi32>, %c: vector<4xi8>, %d: vector<3xi8>)
    -> (vector<4xi32>, vector<4xi32>, vector<3xi32>) {
  %u16 = arith.extui %a : vector<4xi16> to vector<4xi32>
  %c32 = arith.extui %c : vector<4xi8> to vector<4xi32>
  %d32 = arith.extui %d : vector<3xi8> to vector<3xi32>
  %p = arith.muli %u16, %c32 : vector<4xi32>
  %q = arith.muli %b, %c32 : vector<4xi32>
  %r = arith.muli %c32, %c32 : vector<4xi32>
  %s = arith.addi %p, %q : vector<4xi32>
  %sum = arith.addi %s, %r : vector<4xi32>
  %t = arith.muli %c32, %c32 : vector<4xi32>
  %u = arith.addi %t, %b : vector<4xi32>
  %v = arith.muli %d32, %d32 : vector<3xi32>
  %w = arith.addi %v, %v : vector<3xi32>
  return %sum, %u, %w : vector<4xi32>, vector<4xi32>, vector<3xi32>
}

// The function says what the instruction does.
// CHECK-LABEL: func.func private @weft.dot2.x4
// CHECK-SAME:  (%[[SUM:.*]]: vector<4xi32>, %[[A:.*]]: vector<4xi32>, %[[B:.*]]: vector<4xi32>)
// CHECK-DAG:     %[[AU:.*]] = arith.shli %[[A]], %[[H:.*]] : vector<4xi32>
// CHECK-DAG:     %[[AL:.*]] = arith.shrsi %[[AU]], %[[H]]
// CHECK-DAG:     %[[BU:.*]] = arith.shli %[[B]], %[[H]]
// CHECK-DAG:     %[[BL:.*]] = arith.shrsi %[[BU]], %[[H]]
// CHECK:         %[[LOW:.*]] = arith.muli %[[AL]], %[[BL]]
// CHECK:         %[[S:.*]] = arith.addi %[[SUM]], %[[LOW]]
// CHECK-DAG:     %[[AH:.*]] = arith.shrsi %[[A]], %[[H]]
// CHECK-DAG:     %[[BH:.*]] = arith.shrsi %[[B]], %[[H]]
// CHECK:         %[[HIGH:.*]] = arith.muli %[[AH]], %[[BH]]
// CHECK:         arith.addi %[[S]], %[[HIGH]]
// CHECK-LABEL: func.func private @weft.dot4.x4
