// What iterations allocate is allocated at the function's start, for all threads; loops that follow use it again.

// RUN: pipeline-opt %s --thread-windows -split-input-file | FileCheck %s
// RUN: pipeline-opt %s --thread-windows --thread-windows -split-input-file | FileCheck %s

// 200 bytes are four lines. The larger windows of both loops are the first allocation's, and the smaller one is the second's.
// CHECK-LABEL: @loops
// CHECK:       cf.assert
// CHECK-NEXT:  %[[ASKED:.*]] = llvm.call @weft_num_threads() : () -> i32
// CHECK-NEXT:  %[[THREADS:.*]] = arith.index_cast %[[ASKED]] : i32 to index
// CHECK-NEXT:  %[[BYTES:.*]] = arith.muli %[[THREADS]], %c4096 : index
// CHECK-NEXT:  %[[LARGE:.*]] = memref.alloc(%[[BYTES]]) {alignment = 64 : i64} : memref<?xi8>
// CHECK-NEXT:  %[[BYTES:.*]] = arith.muli %[[THREADS]], %c256 : index
// CHECK-NEXT:  %[[SMALL:.*]] = memref.alloc(%[[BYTES]]) {alignment = 64 : i64} : memref<?xi8>
// CHECK-NEXT:  scf.parallel
// CHECK-NEXT:    %[[ASKED:.*]] = llvm.call @omp_get_thread_num() : () -> i32
// CHECK-NEXT:    %[[THREAD:.*]] = arith.index_cast %[[ASKED]] : i32 to index
// CHECK-NEXT:    %[[AT:.*]] = arith.muli %[[THREAD]], %c256 : index
// CHECK-NEXT:    %[[A:.*]] = memref.view %[[SMALL]][%[[AT]]][] : memref<?xi8> to memref<50xf32>
// CHECK-NEXT:    %[[AT:.*]] = arith.muli %[[THREAD]], %c4096 : index
// CHECK-NEXT:    %[[B:.*]] = memref.view %[[LARGE]][%[[AT]]][] : memref<?xi8> to memref<8x64xf64>
// CHECK-NEXT:    memref.store %{{.*}}, %[[A]]
// CHECK-NEXT:    memref.store %{{.*}}, %[[B]]
// CHECK-NEXT:    scf.reduce
// CHECK-NEXT:  }
// CHECK-NEXT:  scf.if
// CHECK-NEXT:    scf.parallel
// CHECK:           %[[C:.*]] = memref.view %[[LARGE]][%{{.*}}][] : memref<?xi8> to memref<512xf32>
// CHECK-NEXT:      memref.store %{{.*}}, %[[C]]
// CHECK:       memref.dealloc %[[LARGE]]
// CHECK-NEXT:  memref.dealloc %[[SMALL]]
// CHECK-NEXT:  return
// CHECK:       llvm.func @weft_num_threads() -> i32
// CHECK-NEXT:  llvm.func @omp_get_thread_num() -> i32
func.func @loops(%v: f32, %w: f64, %n: index, %ok: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.assert %ok, "first"
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc() : memref<50xf32>
    %b = memref.alloc() : memref<8x64xf64>
    memref.store %v, %a[%i] : memref<50xf32>
    memref.store %w, %b[%c0, %i] : memref<8x64xf64>
    memref.dealloc %a : memref<50xf32>
    memref.dealloc %b : memref<8x64xf64>
  }
  scf.if %ok {
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      %c = memref.alloc() : memref<512xf32>
      memref.store %v, %c[%i] : memref<512xf32>
      memref.dealloc %c : memref<512xf32>
    }
  }
  return
}

// -----

// Extents that can be computed before any loop are as good. In whole lines.
// CHECK-LABEL: @columns
// CHECK:       %[[HALF:.*]] = arith.divui %arg1, %c2 : index
// CHECK:       %[[MOST:.*]] = arith.muli %c64, %[[HALF]] : index
// CHECK-NEXT:  %[[MORE:.*]] = arith.addi %[[MOST]], %c63 : index
// CHECK-NEXT:  %[[BYTES:.*]] = arith.andi %[[MORE]], %c-64 : index
// CHECK-NEXT:  %[[ALL:.*]] = arith.muli %{{.*}}, %[[BYTES]] : index
// CHECK-NEXT:  %[[MEMORY:.*]] = memref.alloc(%[[ALL]]) {alignment = 64 : i64} : memref<?xi8>
// CHECK-NEXT:  memref.store %{{.*}}, %arg2
// CHECK-NEXT:  scf.parallel
// CHECK:         %[[AT:.*]] = arith.muli %{{.*}}, %[[BYTES]] : index
// CHECK-NEXT:    memref.view %[[MEMORY]][%[[AT]]][%[[HALF]]] : memref<?xi8> to memref<?x16xf32>
func.func @columns(%v: f32, %n: index, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  memref.store %v, %out[%c0] : memref<?xf32>
  %half = arith.divui %n, %c2 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc(%half) : memref<?x16xf32>
    memref.store %v, %a[%i, %c0] : memref<?x16xf32>
    memref.dealloc %a : memref<?x16xf32>
  }
  return
}

// -----

// One that is computed first of all is computed before the allocations.
// CHECK-LABEL: @first
// CHECK:       %[[HALF:.*]] = arith.divui %arg1, %c2 : index
// CHECK:       llvm.call @weft_num_threads
// CHECK:       arith.muli %c64, %[[HALF]] : index
func.func @first(%v: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %half = arith.divui %n, %c2 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc(%half) : memref<?x16xf32>
    memref.store %v, %a[%i, %c0] : memref<?x16xf32>
    memref.dealloc %a : memref<?x16xf32>
  }
  return
}

// -----

// Left alone: extents that are not known before, an inner loop's, what stays, what is too large to count for all threads, and what must begin
// with a page.
// CHECK-LABEL: @left
// CHECK-NOT:   memref.view
// CHECK-NOT:   llvm.call
func.func @left(%v: f32, %n: index, %kept: memref<?xmemref<8xf32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc(%i) : memref<?xf32>
    memref.store %v, %a[%c0] : memref<?xf32>
    memref.dealloc %a : memref<?xf32>
    %b = memref.alloc() : memref<8xf32>
    memref.store %b, %kept[%i] : memref<?xmemref<8xf32>>
    %c = memref.alloc() : memref<2199023255552xf32>
    memref.store %v, %c[%i] : memref<2199023255552xf32>
    memref.dealloc %c : memref<2199023255552xf32>
    %e = memref.alloc() {alignment = 4096 : i64} : memref<8xf32>
    memref.store %v, %e[%i] : memref<8xf32>
    memref.dealloc %e : memref<8xf32>
    scf.for %j = %c0 to %n step %c1 {
      %d = memref.alloc() : memref<8xf32>
      memref.store %v, %d[%j] : memref<8xf32>
      memref.dealloc %d : memref<8xf32>
    }
  }
  return
}
