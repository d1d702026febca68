// Memory that may be large is asked for in large pages, from the page that it begins in.

// RUN: pipeline-opt %s --large-pages --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @dynamic
// CHECK:       %[[M:.*]] = memref.alloc(%arg0)
// CHECK-NEXT:  %[[BYTES:.*]] = arith.muli %arg0, %c4096
// CHECK-NEXT:  %[[LARGE:.*]] = arith.cmpi sge, %[[BYTES]], %c4194304
// CHECK-NEXT:  scf.if %[[LARGE]] {
// CHECK-NEXT:    %[[AT:.*]] = memref.extract_aligned_pointer_as_index %[[M]]
// CHECK-NEXT:    %[[INTO:.*]] = arith.andi %[[AT]], %c4095
// CHECK-NEXT:    %[[PAGE:.*]] = arith.subi %[[AT]], %[[INTO]]
// CHECK-NEXT:    %[[LENGTH:.*]] = arith.addi %[[BYTES]], %[[INTO]]
// CHECK-NEXT:    %[[P:.*]] = arith.index_cast %[[PAGE]] : index to i64
// CHECK-NEXT:    %[[L:.*]] = arith.index_cast %[[LENGTH]] : index to i64
// CHECK-NEXT:    llvm.call @madvise(%[[P]], %[[L]], %c14_i32) : (i64, i64, i32) -> i32
// CHECK-NEXT:  }
func.func @dynamic(%h: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%h) : memref<?x1024xf32>
  memref.store %v, %m[%c0, %c0] : memref<?x1024xf32>
  memref.dealloc %m : memref<?x1024xf32>
  return
}

func.func private @use(memref<1024x1023xf32>)

// CHECK-LABEL: func.func @static
// CHECK:       memref.alloc() : memref<1024x1023xf32>
// CHECK-NOT:   scf.if
// CHECK:       memref.alloc() : memref<1024x1024xf32>
// CHECK-NEXT:  memref.extract_aligned_pointer_as_index
// CHECK:       llvm.call @madvise
func.func @static(%v: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<1024x1023xf32>
  %n = memref.alloc() : memref<1024x1024xf32>
  call @use(%m) : (memref<1024x1023xf32>) -> ()
  memref.store %v, %n[%c0, %c0] : memref<1024x1024xf32>
  memref.dealloc %m : memref<1024x1023xf32>
  memref.dealloc %n : memref<1024x1024xf32>
  return
}

// CHECK: llvm.func @madvise(i64, i64, i32) -> i32
