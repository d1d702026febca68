// Buffers that are not in use at the same time share memory; the others keep their own.

// RUN: pipeline-opt %s --plan-memory -split-input-file | FileCheck %s

// Of a chain the first and the third: one allocation, aligned to a cache line, freed once. It is as large as the larger of the two.
// CHECK-LABEL: func.func @chain
// CHECK:         %[[C0:.*]] = arith.constant 0 : index
// CHECK:         %[[B:.*]] = memref.alloc() {alignment = 64 : i64} : memref<100xf32>
// CHECK:         %[[SLOT:.*]] = memref.alloc() {alignment = 64 : i64} : memref<400xi8>
// CHECK-DAG:     %[[A:.*]] = memref.view %[[SLOT]][%[[C0]]][] : memref<400xi8> to memref<100xf32>
// CHECK-DAG:     %[[C:.*]] = memref.view %[[SLOT]][%[[C0]]][] : memref<400xi8> to memref<10x5xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for
// CHECK:           memref.store %{{.*}}, %[[A]]
// CHECK:         scf.for
// CHECK:           memref.load %[[A]]
// CHECK:           memref.store %{{.*}}, %[[B]]
// CHECK:         scf.for
// CHECK:           memref.load %[[B]]
// CHECK:           memref.store %{{.*}}, %[[C]]
// CHECK:         memref.load %[[C]]
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    memref.dealloc %[[SLOT]]
// CHECK-NEXT:    return
func.func @chain(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %a = memref.alloc() {alignment = 64 : i64} : memref<100xf32>
  %b = memref.alloc() {alignment = 64 : i64} : memref<100xf32>
  %c = memref.alloc() {alignment = 64 : i64} : memref<10x5xf32>
  scf.for %i = %c0 to %c100 step %c1 {
    memref.store %v, %a[%i] : memref<100xf32>
  }
  scf.for %i = %c0 to %c100 step %c1 {
    %x = memref.load %a[%i] : memref<100xf32>
    memref.store %x, %b[%i] : memref<100xf32>
  }
  scf.for %i = %c0 to %c100 step %c1 {
    %x = memref.load %b[%i] : memref<100xf32>
    memref.store %x, %c[%c0, %c1] : memref<10x5xf32>
  }
  %z = memref.load %c[%c0, %c1] : memref<10x5xf32>
  memref.dealloc %a : memref<100xf32>
  memref.dealloc %b : memref<100xf32>
  memref.dealloc %c : memref<10x5xf32>
  return %z : f32
}

// -----

// Both are in use at the last op of the first one's life.
// CHECK-LABEL: func.func @overlap
// CHECK-COUNT-2: memref.alloc() : memref<100xf32>
// CHECK-NOT:     memref.view
func.func @overlap(%v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<100xf32>
  %b = memref.alloc() : memref<100xf32>
  memref.store %v, %a[%c0] : memref<100xf32>
  memref.copy %a, %b : memref<100xf32> to memref<100xf32>
  %x = memref.load %b[%c0] : memref<100xf32>
  memref.dealloc %a : memref<100xf32>
  memref.dealloc %b : memref<100xf32>
  return
}

// -----

// Extents that are known at run time only: equal products are computed once, the slot is as large as the larger product.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME:  (%[[H:.*]]: index, %[[W:.*]]: index, %{{.*}}: f32)
// CHECK-DAG:     %[[FOUR:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[EIGHT:.*]] = arith.constant 8 : index
// CHECK:         %[[ROWS:.*]] = arith.muli %[[FOUR]], %[[H]]
// CHECK:         %[[LARGE:.*]] = arith.muli %[[ROWS]], %[[W]]
// CHECK:         %[[SMALL:.*]] = arith.muli %[[EIGHT]], %[[W]]
// CHECK:         %[[SIZE:.*]] = arith.maxsi %[[LARGE]], %[[SMALL]]
// CHECK:         %[[SLOT:.*]] = memref.alloc(%[[SIZE]]) {alignment = 64 : i64} : memref<?xi8>
// CHECK-DAG:     memref.view %[[SLOT]][%{{.*}}][%[[H]], %[[W]]] : memref<?xi8> to memref<?x?xf32>
// CHECK-DAG:     memref.view %[[SLOT]][%{{.*}}][%[[W]], %[[H]]] : memref<?xi8> to memref<?x?xf32>
// CHECK-DAG:     memref.view %[[SLOT]][%{{.*}}][%[[W]]] : memref<?xi8> to memref<2x?xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         memref.dealloc %[[SLOT]]
// CHECK-NOT:     memref.dealloc
func.func @dynamic(%h: index, %w: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%h, %w) : memref<?x?xf32>
  %b = memref.alloc(%w, %h) : memref<?x?xf32>
  %c = memref.alloc(%w) : memref<2x?xf32>
  memref.store %v, %a[%c0, %c0] : memref<?x?xf32>
  memref.store %v, %b[%c0, %c0] : memref<?x?xf32>
  memref.store %v, %c[%c0, %c0] : memref<2x?xf32>
  memref.dealloc %a : memref<?x?xf32>
  memref.dealloc %b : memref<?x?xf32>
  memref.dealloc %c : memref<2x?xf32>
  return
}

// -----

// The fourth could lie with either of the first two; it does with the one of its own size, which then is no larger.
// CHECK-LABEL: func.func @equal
// CHECK-SAME:  (%[[N:[^ ]*]]: index, %[[M:[^ ]*]]: index
// CHECK:         %[[FOUR:.*]] = arith.constant 4 : index
// CHECK:         %[[A:.*]] = memref.alloc(%[[N]]) : memref<?xf32>
// CHECK:         %[[SIZE:.*]] = arith.muli %[[FOUR]], %[[M]]
// CHECK-NOT:     arith.maxsi
// CHECK:         %[[SLOT:.*]] = memref.alloc(%[[SIZE]])
// CHECK-COUNT-2: memref.view %[[SLOT]][%{{.*}}][%[[M]]]
func.func @equal(%n: index, %m: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %b = memref.alloc(%m) : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  %d = memref.alloc(%m) : memref<?xf32>
  memref.store %v, %b[%c0] : memref<?xf32>
  memref.copy %b, %a : memref<?xf32> to memref<?xf32>
  memref.store %v, %d[%c0] : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %d : memref<?xf32>
  return
}

// -----

// Estimates say which is larger: the large ones share, and the small ones do.
// CHECK-LABEL: func.func @estimates
// CHECK-SAME:  (%[[IMG:[^ ]*]]: memref<?xf32>
// CHECK:         %[[N:.*]] = memref.dim %[[IMG]]
// CHECK:         %[[HALF:.*]] = arith.shrui %[[N]]
// CHECK:         %[[LARGE:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?xi8>
// CHECK-COUNT-2: memref.view %[[LARGE]][%{{.*}}][%[[N]]]
// CHECK:         %[[SMALL:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?xi8>
// CHECK-COUNT-2: memref.view %[[SMALL]][%{{.*}}][%[[HALF]]]
func.func @estimates(%img: memref<?xf32> {weft.estimate = array<i64: 1000>}, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %img, %c0 : memref<?xf32>
  %half = arith.shrui %n, %c1 : index
  %a = memref.alloc(%half) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  %d = memref.alloc(%half) : memref<?xf32>
  memref.store %v, %a[%c0] : memref<?xf32>
  memref.store %v, %b[%c0] : memref<?xf32>
  %x = memref.load %a[%c0] : memref<?xf32>
  memref.store %v, %c[%c0] : memref<?xf32>
  memref.store %v, %d[%c0] : memref<?xf32>
  %y = memref.load %c[%c0] : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %c : memref<?xf32>
  memref.dealloc %d : memref<?xf32>
  return
}

// -----

// A view of a buffer is a use of it, wherever it is made: the two do not share. The third one does with the first.
// CHECK-LABEL: func.func @views
// CHECK:         memref.alloc() : memref<8x8xf32>
// CHECK:         %[[SLOT:.*]] = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
// CHECK-COUNT-2: memref.view %[[SLOT]]
// CHECK:         memref.subview
func.func @views(%v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  %part = memref.subview %a[2, 2] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 18>>
  memref.store %v, %b[%c0, %c0] : memref<8x8xf32>
  memref.store %v, %part[%c0, %c0] : memref<4x4xf32, strided<[8, 1], offset: 18>>
  memref.store %v, %c[%c0, %c0] : memref<8x8xf32>
  %x = memref.load %b[%c0, %c0] : memref<8x8xf32>
  memref.dealloc %a : memref<8x8xf32>
  memref.dealloc %b : memref<8x8xf32>
  memref.dealloc %c : memref<8x8xf32>
  return
}

// -----

// A view that is made early is no use.
// CHECK-LABEL: func.func @views
// CHECK:         %[[SLOT:.*]] = memref.alloc() {alignment = 64 : i64} : memref<320xi8>
// CHECK-DAG:     %[[A:.*]] = memref.view %[[SLOT]]
// CHECK-DAG:     memref.subview %[[A]]
// CHECK-DAG:     %[[B:.*]] = memref.view %[[SLOT]]
// CHECK-DAG:     memref.subview %[[B]]
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @views(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8x10xf32>
  %part_a = memref.subview %a[0, 0] [8, 8] [1, 1] : memref<8x10xf32> to memref<8x8xf32, strided<[10, 1]>>
  %b = memref.alloc() : memref<8x10xf32>
  %part_b = memref.subview %b[0, 0] [8, 8] [1, 1] : memref<8x10xf32> to memref<8x8xf32, strided<[10, 1]>>
  memref.store %v, %part_a[%c0, %c0] : memref<8x8xf32, strided<[10, 1]>>
  %x = memref.load %part_a[%c0, %c0] : memref<8x8xf32, strided<[10, 1]>>
  memref.store %x, %part_b[%c0, %c0] : memref<8x8xf32, strided<[10, 1]>>
  %y = memref.load %part_b[%c0, %c0] : memref<8x8xf32, strided<[10, 1]>>
  memref.dealloc %a : memref<8x10xf32>
  memref.dealloc %b : memref<8x10xf32>
  return %y : f32
}
