// Numbers that loops inside compute for each vector anew are computed before the loop over vectors.

// RUN: pipeline-opt %s --tabulate | FileCheck %s
// RUN: pipeline-opt %s --tabulate --tabulate | FileCheck %s
// RUN: pipeline-opt %s --tabulate --convert-scf-to-cf | FileCheck %s --check-prefix=FLOW

// Wherever the loop stands, its tables are lowered with it.
// FLOW-LABEL: @weights
// FLOW:       llvm.intr.stacksave
// FLOW:       cf.cond_br
// FLOW:       llvm.intr.stackrestore

// A table of all iterations of the loops inside, filled where the loop has one at all.
// CHECK-LABEL: @weights
// CHECK:       %[[STACK:.*]] = llvm.intr.stacksave : !llvm.ptr
// CHECK-NEXT:    %[[TABLE:.*]] = memref.alloca() {alignment = 64 : i64} : memref<8x3x1xi32>
// CHECK-NEXT:    %[[SOME:.*]] = arith.cmpi slt, %arg3, %arg4 : index
// CHECK-NEXT:    scf.if %[[SOME]] {
// CHECK-NEXT:      scf.for %[[K:.*]] = %c0 to %c8
// CHECK-NEXT:        scf.for %[[J:.*]] = %c0 to %c3
// CHECK-NEXT:          %[[R:.*]] = arith.addi %[[J]], %c-1 : index
// CHECK-NEXT:          memref.load %arg1[%[[K]], %[[R]]] : memref<?x?xi8>
// CHECK-NEXT:          arith.extui
// CHECK-NEXT:          arith.muli
// CHECK-NEXT:          %[[PACKED:.*]] = arith.addi
// CHECK-NEXT:          memref.store %[[PACKED]], %[[TABLE]][%[[K]], %[[J]], %c0] : memref<8x3x1xi32>
// CHECK:         scf.for %{{.*}} = %arg3 to %arg4 step %c16 {
// CHECK:           scf.for %[[K:.*]] = %c0 to %c8
// CHECK-NEXT:        scf.for %[[J:.*]] = %c-1 to %c2
// CHECK-NEXT:          %[[PLACE:.*]] = arith.subi %[[J]], %c-1 : index
// CHECK-NEXT:          %[[NUMBER:.*]] = memref.load %[[TABLE]][%[[K]], %[[PLACE]], %c0] : memref<8x3x1xi32>
// CHECK-NEXT:          vector.broadcast %[[NUMBER]] : i32 to vector<16xi32>
// CHECK-NOT:           memref.load
// CHECK:         llvm.intr.stackrestore %[[STACK]]
func.func @weights(%out: memref<?x?xi32>, %w: memref<?x?xi8>, %n: i32, %a: index, %b: index) {
  %c-1 = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  scf.for %x = %a to %b step %c16 {
    scf.for %k = %c0 to %c8 step %c1 {
      scf.for %j = %c-1 to %c2 step %c1 {
        %v = memref.load %w[%k, %j] : memref<?x?xi8>
        %i = arith.extui %v : i8 to i32
        %m = arith.muli %i, %n : i32
        %p = arith.addi %m, %n : i32
        %q = vector.broadcast %p : i32 to vector<16xi32>
        vector.store %q, %out[%k, %x] : memref<?x?xi32>, vector<16xi32>
        vector.store %q, %out[%j, %x] : memref<?x?xi32>, vector<16xi32>
      }
    }
  }
  return
}

// What depends on where the vector lies.
// CHECK-LABEL: @of_vector
// CHECK-NOT:   alloca
// CHECK:       return
func.func @of_vector(%out: memref<?x?xi32>, %w: memref<?x?xi8>, %n: i32, %a: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  scf.for %x = %a to %b step %c16 {
    scf.for %k = %c0 to %c8 step %c1 {
      %c = arith.addi %x, %k : index
      %v = memref.load %w[%k, %c] : memref<?x?xi8>
      %i = arith.extui %v : i8 to i32
      %m = arith.muli %i, %n : i32
      %p = arith.addi %m, %n : i32
      %q = vector.broadcast %p : i32 to vector<16xi32>
      vector.store %q, %out[%k, %x] : memref<?x?xi32>, vector<16xi32>
      vector.store %q, %out[%c, %x] : memref<?x?xi32>, vector<16xi32>
    }
  }
  return
}

// What the loop writes itself, here by a part of it.
// CHECK-LABEL: @written
// CHECK-NOT:   alloca
// CHECK:       return
func.func @written(%w: memref<64x64xi32>, %n: i32, %a: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %part = memref.subview %w[0, 0] [8, 64] [1, 1] : memref<64x64xi32> to memref<8x64xi32, strided<[64, 1]>>
  scf.for %x = %a to %b step %c16 {
    scf.for %k = %c0 to %c8 step %c1 {
      %v = memref.load %w[%k, %k] : memref<64x64xi32>
      %i = arith.addi %v, %n : i32
      %j = arith.muli %i, %i : i32
      %p = arith.muli %j, %n : i32
      %q = vector.broadcast %p : i32 to vector<16xi32>
      vector.store %q, %part[%k, %x] : memref<8x64xi32, strided<[64, 1]>>, vector<16xi32>
      vector.store %q, %part[%c0, %x] : memref<8x64xi32, strided<[64, 1]>>, vector<16xi32>
    }
  }
  return
}

// A number that is loaded as it is, or serves one vector.
// CHECK-LABEL: @cheap
// CHECK-NOT:   alloca
// CHECK:       return
func.func @cheap(%out: memref<?x?xi32>, %w: memref<?x?xi32>, %n: i32, %a: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  scf.for %x = %a to %b step %c16 {
    scf.for %k = %c0 to %c8 step %c1 {
      %v = memref.load %w[%k, %k] : memref<?x?xi32>
      %q = vector.broadcast %v : i32 to vector<16xi32>
      vector.store %q, %out[%k, %x] : memref<?x?xi32>, vector<16xi32>
      vector.store %q, %out[%c0, %x] : memref<?x?xi32>, vector<16xi32>
      %i = arith.addi %v, %n : i32
      %j = arith.muli %i, %i : i32
      %p = arith.muli %j, %n : i32
      %r = vector.broadcast %p : i32 to vector<16xi32>
      vector.store %r, %out[%c1, %x] : memref<?x?xi32>, vector<16xi32>
    }
  }
  return
}
