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

// Vectors from anywhere are interleaved; weights that are known are one constant: 1 and -2 in bytes are 65025. What is behind them is
// multiplied by 0.
// CHECK-LABEL: @anywhere
// CHECK-SAME:  (%[[A:.*]]: vector<4xi8>, %[[B:.*]]: vector<4xi8>)
// CHECK-DAG:     %[[WEIGHTS:.*]] = arith.constant dense<65025> : vector<4xi32>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0> : vector<4xi32>
// CHECK:         %[[BYTES:.*]] = vector.shuffle %[[A]], %[[B]] [0, 4, 4, 4, 1, 5, 5, 5, 2, 6, 6, 6, 3, 7, 7, 7]
// CHECK:         %[[BOTH:.*]] = vector.bitcast %[[BYTES]] : vector<16xi8> to vector<4xi32>
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

// What is written between two loads is seen by the second alone: they are no stretch of memory, but two vectors.
// CHECK-LABEL: @written
// CHECK:         vector.shuffle %{{.*}}, %{{.*}} [0, 4, 4, 4, 1, 5, 5, 5, 2, 6, 6, 6, 3, 7, 7, 7]
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

// Of interleaved pixels no plane is taken out, and 150 green is 127 and 23 green: a pixel's grey is one instruction. 0x1d4d177f is 29, 77, 23, 127.
// CHECK-LABEL: @grey
// CHECK-SAME:  (%[[PIXELS:.*]]: vector<12xi8>)
// CHECK-DAG:     %[[WEIGHTS:.*]] = arith.constant dense<491591551> : vector<4xi32>
// CHECK:         %[[BYTES:.*]] = vector.shuffle %[[PIXELS]], %[[PIXELS]] [1, 1, 0, 2, 4, 4, 3, 5, 7, 7, 6, 8, 10, 10, 9, 11]
// CHECK:         %[[PACKED:.*]] = vector.bitcast %[[BYTES]] : vector<16xi8> to vector<4xi32>
// CHECK:         call @weft.dot4.x4(%{{.*}}, %[[PACKED]], %[[WEIGHTS]])
memref.global "private" constant @weights : memref<3xi32> = dense<[77, 150, 29]>
func.func @grey(%pixels: vector<12xi8>) -> vector<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %weights = memref.get_global @weights : memref<3xi32>
  %u = memref.load %weights[%c0] : memref<3xi32>
  %v = memref.load %weights[%c1] : memref<3xi32>
  %w = memref.load %weights[%c2] : memref<3xi32>
  %us = vector.broadcast %u : i32 to vector<4xi32>
  %vs = vector.broadcast %v : i32 to vector<4xi32>
  %ws = vector.broadcast %w : i32 to vector<4xi32>
  %red = vector.shuffle %pixels, %pixels [0, 3, 6, 9] : vector<12xi8>, vector<12xi8>
  %green = vector.shuffle %pixels, %pixels [1, 4, 7, 10] : vector<12xi8>, vector<12xi8>
  %blue = vector.shuffle %pixels, %pixels [2, 5, 8, 11] : vector<12xi8>, vector<12xi8>
  %r = arith.extui %red : vector<4xi8> to vector<4xi32>
  %g = arith.extui %green : vector<4xi8> to vector<4xi32>
  %b = arith.extui %blue : vector<4xi8> to vector<4xi32>
  %p = arith.muli %r, %us : vector<4xi32>
  %q = arith.muli %g, %vs : vector<4xi32>
  %t = arith.muli %b, %ws : vector<4xi32>
  %s = arith.addi %p, %q : vector<4xi32>
  %sum = arith.addi %s, %t : vector<4xi32>
  return %sum : vector<4xi32>
}

// Two weights that are too large for a byte with a sign: two halves an instruction are as few as four bytes. 200 and 150 are 9830600.
// CHECK-LABEL: @large
// CHECK-SAME:  (%[[A:.*]]: vector<4xi8>, %[[B:.*]]: vector<4xi8>)
// CHECK-DAG:     %[[WEIGHTS:.*]] = arith.constant dense<9830600> : vector<4xi32>
// CHECK:         %[[BYTES:.*]] = vector.interleave %[[A]], %[[B]]
// CHECK:         %[[HALVES:.*]] = arith.extui %[[BYTES]] : vector<8xi8> to vector<8xi16>
// CHECK:         %[[PACKED:.*]] = vector.bitcast %[[HALVES]] : vector<8xi16> to vector<4xi32>
// CHECK:         call @weft.dot2.x4(%{{.*}}, %[[PACKED]], %[[WEIGHTS]])
func.func @large(%a: vector<4xi8>, %b: vector<4xi8>) -> vector<4xi32> {
  %u = arith.constant dense<200> : vector<4xi32>
  %v = arith.constant dense<150> : vector<4xi32>
  %a32 = arith.extui %a : vector<4xi8> to vector<4xi32>
  %b32 = arith.extui %b : vector<4xi8> to vector<4xi32>
  %p = arith.muli %a32, %u : vector<4xi32>
  %q = arith.muli %b32, %v : vector<4xi32>
  %sum = arith.addi %p, %q : vector<4xi32>
  return %sum : vector<4xi32>
}

// Three planes from anywhere: in pairs, and pairs of pairs.
// CHECK-LABEL: @planes
// CHECK-SAME:  (%[[A:.*]]: vector<4xi8>, %[[B:.*]]: vector<4xi8>, %[[C:.*]]: vector<4xi8>)
// CHECK-DAG:     %[[AB:.*]] = vector.interleave %[[A]], %[[B]] : vector<4xi8>
// CHECK-DAG:     %[[CC:.*]] = vector.shuffle %[[C]], %[[C]] [0, 0, 1, 1, 2, 2, 3, 3]
// CHECK-DAG:     %[[LEFT:.*]] = vector.bitcast %[[AB]] : vector<8xi8> to vector<4xi16>
// CHECK-DAG:     %[[RIGHT:.*]] = vector.bitcast %[[CC]] : vector<8xi8> to vector<4xi16>
// CHECK:         %[[ALL:.*]] = vector.interleave %[[LEFT]], %[[RIGHT]] : vector<4xi16>
// CHECK:         %[[PACKED:.*]] = vector.bitcast %[[ALL]] : vector<8xi16> to vector<4xi32>
// CHECK:         call @weft.dot4.x4(%{{.*}}, %[[PACKED]]
func.func @planes(%a: vector<4xi8>, %b: vector<4xi8>, %c: vector<4xi8>) -> vector<4xi32> {
  %one = arith.constant dense<1> : vector<4xi32>
  %a32 = arith.extui %a : vector<4xi8> to vector<4xi32>
  %b32 = arith.extui %b : vector<4xi8> to vector<4xi32>
  %c32 = arith.extui %c : vector<4xi8> to vector<4xi32>
  %two = arith.constant dense<2> : vector<4xi32>
  %p = arith.muli %a32, %one : vector<4xi32>
  %q = arith.muli %b32, %two : vector<4xi32>
  %t = arith.muli %c32, %one : vector<4xi32>
  %s = arith.addi %p, %q : vector<4xi32>
  %sum = arith.addi %s, %t : vector<4xi32>
  return %sum : vector<4xi32>
}

// Halves: two pairs. Bytes that all have a sign are halves, too; those of two types are shifted and joined.
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
