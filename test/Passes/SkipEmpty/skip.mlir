// Work is done where a result has points; what the program checks is checked in any case.

// RUN: pipeline-opt %s -skip-empty -split-input-file | FileCheck %s
// RUN: pipeline-opt %s -skip-empty -split-input-file --remarks-filter=skip-empty -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT-COUNT-2: guarded | Category:skip-empty | count=1
// COUNT-NOT: count=1

// CHECK-LABEL: func.func @image(
// CHECK:         cf.assert %{{.*}}, "before"
// CHECK:         %[[H:.*]] = memref.dim %arg2, %c0
// CHECK-NEXT:    %[[ROWS:.*]] = arith.cmpi ne, %[[H]], %c0
// CHECK-NEXT:    %[[W:.*]] = memref.dim %arg2, %c2
// CHECK-NEXT:    %[[COLUMNS:.*]] = arith.cmpi ne, %[[W]], %c0
// CHECK-NEXT:    %[[POINTS:.*]] = arith.andi %[[ROWS]], %[[COLUMNS]] : i1
// CHECK-NEXT:    scf.if %[[POINTS]] {
// CHECK:           %[[A:.*]] = memref.alloc
// CHECK:           memref.dealloc %[[A]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @image_extents(%in: memref<?x3x?xf32>, %ok: i1, %extents: memref<3xindex>) {
  return
}
func.func @image(%in: memref<?x3x?xf32>, %ok: i1, %out: memref<?x3x?xf32>) {
  cf.assert %ok, "before"
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %h = memref.dim %in, %c0 : memref<?x3x?xf32>
  %w = memref.dim %in, %c2 : memref<?x3x?xf32>
  %a = memref.alloc(%h, %w) : memref<?x3x?xf32>
  memref.copy %in, %a : memref<?x3x?xf32> to memref<?x3x?xf32>
  memref.copy %a, %out : memref<?x3x?xf32> to memref<?x3x?xf32>
  memref.dealloc %a : memref<?x3x?xf32>
  return
}

// -----

// Any of two results.
// CHECK-LABEL: func.func @two(
// CHECK:         %[[FIRST:.*]] = arith.cmpi ne
// CHECK:         %[[SECOND:.*]] = arith.cmpi ne
// CHECK-NEXT:    %[[ANY:.*]] = arith.ori %[[FIRST]], %[[SECOND]] : i1
// CHECK-NEXT:    scf.if %[[ANY]] {
func.func @two_extents(%in: memref<?xf32>, %extents: memref<2xindex>) {
  return
}
func.func @two(%in: memref<?xf32>, %a: memref<?xf32>, %b: memref<?xf32>) {
  memref.copy %in, %a : memref<?xf32> to memref<?xf32>
  memref.copy %in, %b : memref<?xf32> to memref<?xf32>
  return
}

// -----

// One of them always has points.
// CHECK-LABEL: func.func @always(
// CHECK-NOT:     scf.if
// CHECK:         return
func.func @always_extents(%in: memref<?xf32>, %extents: memref<2xindex>) {
  return
}
func.func @always(%in: memref<?xf32>, %a: memref<?xf32>, %b: memref<4xf32>) {
  memref.copy %in, %a : memref<?xf32> to memref<?xf32>
  return
}

// -----

// No program of ours.
// CHECK-LABEL: func.func @other(
// CHECK-NOT:     scf.if
// CHECK:         return
func.func @other(%in: memref<?xf32>, %a: memref<?xf32>) {
  memref.copy %in, %a : memref<?xf32> to memref<?xf32>
  return
}
