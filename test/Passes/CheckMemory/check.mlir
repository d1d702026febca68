// Work is done with memory only; what was allocated is freed, and the caller is told.

// RUN: pipeline-opt %s -check-memory -split-input-file | FileCheck %s

// The checks of the program come first: where one fails nothing is allocated yet.
// CHECK-LABEL: func.func @images(
// CHECK:         cf.assert %{{.*}}, "before"
// CHECK-NEXT:    %[[A:.*]] = memref.alloc
// CHECK-NEXT:    %[[B:.*]] = memref.alloc
// CHECK-NEXT:    %[[A_AT:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
// CHECK-NEXT:    %[[HAS_A:.*]] = arith.cmpi ne, %[[A_AT]], %{{.*}}
// CHECK-NEXT:    %[[B_AT:.*]] = memref.extract_aligned_pointer_as_index %[[B]]
// CHECK-NEXT:    %[[HAS_B:.*]] = arith.cmpi ne, %[[B_AT]], %{{.*}}
// CHECK-NEXT:    %[[HAS:.*]] = arith.andi %[[HAS_A]], %[[HAS_B]] : i1
// CHECK-NEXT:    scf.if %[[HAS]] {
// CHECK-NEXT:      memref.copy %arg0, %[[A]]
// CHECK-NEXT:      memref.copy %[[A]], %[[B]]
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    %[[LACKS:.*]] = arith.xori %[[HAS]], %{{.*}} : i1
// CHECK-NEXT:    scf.if %[[LACKS]] {
// CHECK-NEXT:      %[[TEXT:.*]] = llvm.mlir.addressof @weft_no_memory_images : !llvm.ptr
// CHECK-NEXT:      llvm.call @weft_no_memory(%[[TEXT]]) : (!llvm.ptr) -> ()
// CHECK-NEXT:    }
// CHECK-NEXT:    return
// CHECK:         llvm.func @weft_no_memory(!llvm.ptr)
// CHECK-NEXT:    llvm.mlir.global internal constant @weft_no_memory_images("{{.*}}check.mlir:[[# @LINE + 1]]:1: not enough memory for the images between stages\00")
func.func @images(%in: memref<?xf32>, %n: index, %ok: i1) {
  cf.assert %ok, "before"
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.copy %in, %a : memref<?xf32> to memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return
}

// -----

// Nothing is allocated, nothing is asked.
// CHECK-LABEL: func.func @none(
// CHECK-NOT:     scf.if
// CHECK-NOT:     llvm.call
// CHECK:         return
func.func @none(%in: memref<?xf32>, %out: memref<?xf32>) {
  memref.copy %in, %out : memref<?xf32> to memref<?xf32>
  return
}

// -----

// There is nothing to return but what the memory would have been for.
// CHECK-LABEL: func.func @returns(
// CHECK-NOT:     scf.if
// CHECK:         %[[V:.*]] = memref.load
// CHECK:         return %[[V]]
func.func @returns(%value: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  memref.store %value, %a[%c0] : memref<8xf32>
  %v = memref.load %a[%c0] : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return %v : f32
}
