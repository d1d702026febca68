// Integers of several registers are packed to shorter ones, by functions that stand for a few instructions.

// RUN: pipeline-opt %s --vectorize --canonicalize --cse | FileCheck %s

// The low bits, of what is no mean or difference of two bytes.
// CHECK-LABEL: @low
// CHECK:      %[[S:.*]] = arith.shrui %{{.*}} : vector<64xi16>
// CHECK-NEXT: %[[B:.*]] = func.call @weft.pack.low8.of16.x64(%[[S]]) : (vector<64xi16>) -> vector<64xi8>
// CHECK-NEXT: vector.store %[[B]]
func.func @low(%in: memref<128xi16>, %out: memref<128xi8>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %four = arith.constant 4 : i16
  scf.for %x = %a to %b step %c1 {
    %v = memref.load %in[%x] : memref<128xi16>
    %s = arith.shrui %v, %four : i16
    %t = arith.trunci %s : i16 to i8
    memref.store %t, %out[%x] : memref<128xi8>
  } {weft.lanes = 64 : i64, weft.wide}
  return
}

// What is brought between the ends of the short type before is packed so.
// CHECK-LABEL: @between
// CHECK:      %[[V:.*]] = vector.load
// CHECK-NEXT: %[[B:.*]] = func.call @weft.pack.u8.of32.x64(%[[V]]) : (vector<64xi32>) -> vector<64xi8>
// CHECK-NEXT: vector.store %[[B]]
// CHECK-NEXT: %[[H:.*]] = func.call @weft.pack.s16.of32.x64(%[[V]]) : (vector<64xi32>) -> vector<64xi16>
// CHECK-NEXT: vector.store %[[H]]
func.func @between(%in: memref<128xi32>, %out: memref<128xi8>, %halves: memref<128xi16>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %most = arith.constant 255 : i32
  %least = arith.constant -32768 : i32
  %greatest = arith.constant 32767 : i32
  scf.for %x = %a to %b step %c1 {
    %v = memref.load %in[%x] : memref<128xi32>
    %l = arith.maxsi %v, %zero : i32
    %m = arith.minsi %l, %most : i32
    %t = arith.trunci %m : i32 to i8
    memref.store %t, %out[%x] : memref<128xi8>
    %n = arith.minsi %v, %greatest : i32
    %o = arith.maxsi %n, %least : i32
    %h = arith.trunci %o : i32 to i16
    memref.store %h, %halves[%x] : memref<128xi16>
  } {weft.lanes = 64 : i64, weft.wide}
  return
}

// A mean of two bytes is an instruction, which LLVM knows by the truncation.
// CHECK-LABEL: @mean
// CHECK-NOT: func.call
// CHECK:     arith.trunci %{{.*}} : vector<64xi16> to vector<64xi8>
func.func @mean(%in: memref<128xi8>, %other: memref<128xi8>, %out: memref<128xi8>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i16
  scf.for %x = %a to %b step %c1 {
    %u = memref.load %in[%x] : memref<128xi8>
    %v = memref.load %other[%x] : memref<128xi8>
    %p = arith.extui %u : i8 to i16
    %q = arith.extui %v : i8 to i16
    %r = arith.addi %p, %q : i16
    %s = arith.addi %r, %one : i16
    %h = arith.shrui %s, %one : i16
    %t = arith.trunci %h : i16 to i8
    memref.store %t, %out[%x] : memref<128xi8>
  } {weft.lanes = 64 : i64, weft.wide}
  return
}

// One register is truncated.
// CHECK-LABEL: @one
// CHECK-NOT: func.call
// CHECK:     arith.trunci %{{.*}} : vector<16xi32> to vector<16xi8>
func.func @one(%in: memref<128xi32>, %out: memref<128xi8>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  scf.for %x = %a to %b step %c1 {
    %v = memref.load %in[%x] : memref<128xi32>
    %t = arith.trunci %v : i32 to i8
    memref.store %t, %out[%x] : memref<128xi8>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// CHECK:      func.func private @weft.pack.low8.of16.x64(%[[X:.*]]: vector<64xi16>) -> vector<64xi8>
// CHECK-NEXT: %[[T:.*]] = arith.trunci %[[X]]
// CHECK-NEXT: return %[[T]]

// CHECK:      func.func private @weft.pack.u8.of32.x64(%[[X:.*]]: vector<64xi32>) -> vector<64xi8>
// CHECK:      %[[L:.*]] = arith.maxsi %[[X]], %cst{{.*}} : vector<64xi32>
// CHECK-NEXT: %[[M:.*]] = arith.minsi %[[L]], %cst{{.*}} : vector<64xi32>
// CHECK-NEXT: %[[T:.*]] = arith.trunci %[[M]]
// CHECK-NEXT: return %[[T]]
