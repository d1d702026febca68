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

// CHECK-LABEL: func.func @windows(
// CHECK:         %[[LACKING:.*]] = memref.alloca() : memref<index>
// CHECK-NEXT:    memref.store %[[C0:.*]], %[[LACKING]][]
// CHECK:         omp.parallel {
// CHECK-NEXT:      %[[W:.*]] = memref.alloc()
// CHECK-NEXT:      %[[AT:.*]] = memref.extract_aligned_pointer_as_index %[[W]]
// CHECK-NEXT:      %[[HAS:.*]] = arith.cmpi ne, %[[AT]], %{{.*}}
// CHECK-NEXT:      omp.wsloop {
// CHECK-NEXT:        omp.loop_nest
// CHECK-NEXT:          scf.if %[[HAS]] {
// CHECK-NEXT:            memref.store
// CHECK-NEXT:          }
// CHECK-NEXT:          %[[LACKS:.*]] = arith.xori %[[HAS]], %{{.*}} : i1
// CHECK-NEXT:          scf.if %[[LACKS]] {
// CHECK-NEXT:            memref.store %{{.*}}, %[[LACKING]][]
// CHECK:           memref.dealloc %[[W]]
// CHECK:         %[[FOUND:.*]] = memref.load %[[LACKING]][]
// CHECK-NEXT:    %[[NONE:.*]] = arith.cmpi eq, %[[FOUND]], %[[C0]]
// CHECK-NEXT:    arith.xori %[[NONE]]
// CHECK-NEXT:    scf.if
// CHECK:           llvm.call @weft_no_memory(
func.func @windows(%n: index, %value: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    %w = memref.alloc() : memref<8xf32>
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        memref.store %value, %w[%c0] : memref<8xf32>
        omp.yield
      }
    }
    memref.dealloc %w : memref<8xf32>
    omp.terminator
  }
  return
}

// -----

// Loops behind one in which a thread had no memory may take for an index what was not written.
// CHECK-LABEL: func.func @behind(
// CHECK:         memref.store %{{.*}}, %[[LACKING:.*]][] : memref<index>
// CHECK-NOT:     memref.load
// CHECK:         omp.parallel {
// CHECK:         scf.for
// CHECK-NEXT:      %[[FOUND:.*]] = memref.load %[[LACKING]][]
// CHECK-NEXT:      %[[ALL:.*]] = arith.cmpi eq, %[[FOUND]]
// CHECK-NEXT:      scf.if %[[ALL]] {
// CHECK-NEXT:        omp.parallel {
// CHECK:         %[[FOUND:.*]] = memref.load %[[LACKING]][]
// CHECK-NEXT:    %[[ALL:.*]] = arith.cmpi eq, %[[FOUND]]
// CHECK-NEXT:    scf.if %[[ALL]] {
// CHECK-NEXT:      scf.for
// CHECK:           llvm.call @weft_no_memory(
func.func @behind(%n: index, %value: f32, %indices: memref<?xindex>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    %w = memref.alloc() : memref<8xf32>
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        memref.store %value, %w[%c0] : memref<8xf32>
        omp.yield
      }
    }
    memref.dealloc %w : memref<8xf32>
    omp.terminator
  }
  scf.for %step = %c0 to %n step %c1 {
    omp.parallel {
      omp.wsloop {
        omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
          %at = memref.load %indices[%i] : memref<?xindex>
          memref.store %value, %out[%at] : memref<?xf32>
          omp.yield
        }
      }
      omp.terminator
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    %at = memref.load %indices[%i] : memref<?xindex>
    memref.store %value, %out[%at] : memref<?xf32>
  }
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
