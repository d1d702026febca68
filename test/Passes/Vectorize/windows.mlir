// Bytes at places of a row that depend on the columns alone: lanes that lie near each other look them up in a window of the row, which begins at the first
// of them or the last, and ends in the row.

// RUN: pipeline-opt %s --vectorize --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @row
// CHECK:       %[[N:.*]] = memref.dim %arg0, %c1
// CHECK:       scf.for
// CHECK:         %[[AT:.*]] = arith.minsi %{{.*}} : vector<16xindex>
// CHECK-DAG:     %[[FIRST:.*]] = vector.extract %[[AT]][0] : index
// CHECK-DAG:     %[[LAST:.*]] = vector.extract %[[AT]][15] : index
// CHECK:         %[[LEAST:.*]] = arith.minsi %[[FIRST]], %[[LAST]] : index
// CHECK-NEXT:    %[[BASE:.*]] = arith.minsi %[[LEAST]], %{{.*}} : index
// CHECK:         %[[STEPS:.*]] = arith.index_cast %{{.*}} : vector<16xindex> to vector<16xi32>
// CHECK-NEXT:    %[[IN:.*]] = arith.cmpi ult, %[[STEPS]], %{{.*}} : vector<16xi32>
// CHECK:         %[[ALL:.*]] = arith.cmpi eq, %{{.*}}, %c-1_i16 : i16
// CHECK-NEXT:    %[[FITS:.*]] = arith.andi %{{.*}}, %[[ALL]] : i1
// CHECK-NEXT:    %[[V:.*]] = scf.if %[[FITS]] -> (vector<16xi8>) {
// CHECK:           %[[WINDOW:.*]] = memref.reinterpret_cast %arg0 to offset: [%{{.*}}], sizes: [128], strides: [1]
// CHECK-NEXT:      vector.gather %[[WINDOW]][%c0] [%[[STEPS]]]
// CHECK:         } else {
// CHECK:           vector.gather %arg0
// CHECK:         }
// CHECK:         vector.store %[[V]]
func.func @row(%in: memref<?x?xi8>, %out: memref<?xi8>, %y: index, %scale: f32, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = memref.dim %in, %c1 : memref<?x?xi8>
  %last = arith.subi %w, %c1 : index
  scf.for %x = %c0 to %count step %c1 {
    %i = arith.index_cast %x : index to i32
    %f = arith.sitofp %i : i32 to f32
    %s = arith.mulf %f, %scale : f32
    %n = arith.fptosi %s : f32 to i32
    %at = arith.index_cast %n : i32 to index
    %inside = arith.minsi %at, %last : index
    %v = memref.load %in[%y, %inside] : memref<?x?xi8>
    memref.store %v, %out[%x] : memref<?xi8>
  } {weft.lanes = 16 : i64, weft.permutes = 8 : i64, weft.wide}
  return
}

// Channels of pixels are looked up in one window.
// CHECK-LABEL: @pixels
// CHECK:       scf.if %{{.*}} -> (vector<16xi8>, vector<16xi8>, vector<16xi8>) {
// CHECK:         %[[WINDOW:.*]] = memref.reinterpret_cast %arg0 to offset: [%{{.*}}], sizes: [255], strides: [1]
// CHECK-COUNT-3: vector.gather %[[WINDOW]][%c0]
// CHECK-NOT:   memref.reinterpret_cast
// CHECK:       return
func.func @pixels(%in: memref<?x?x3xi8>, %out: memref<3x?xi8>, %y: index, %scale: f32, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %x = %c0 to %count step %c1 {
    %i = arith.index_cast %x : index to i32
    %f = arith.sitofp %i : i32 to f32
    %s = arith.mulf %f, %scale : f32
    %n = arith.fptosi %s : f32 to i32
    %at = arith.index_cast %n : i32 to index
    %r = memref.load %in[%y, %at, %c0] : memref<?x?x3xi8>
    %g = memref.load %in[%y, %at, %c1] : memref<?x?x3xi8>
    %b = memref.load %in[%y, %at, %c2] : memref<?x?x3xi8>
    memref.store %r, %out[%c0, %x] : memref<3x?xi8>
    memref.store %g, %out[%c1, %x] : memref<3x?xi8>
    memref.store %b, %out[%c2, %x] : memref<3x?xi8>
  } {weft.lanes = 16 : i64, weft.permutes = 8 : i64, weft.wide}
  return
}

// Of another row for each lane, at places that are loaded, and where the CPU permutes no bytes it is as it is.
// CHECK-LABEL: @others
// CHECK-NOT:   memref.reinterpret_cast
// CHECK:       return
func.func @others(%in: memref<?x?xi8>, %places: memref<?xi32>, %out: memref<?xi8>, %y: index, %scale: f32, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %x = %c0 to %count step %c1 {
    %n = memref.load %places[%x] : memref<?xi32>
    %at = arith.index_cast %n : i32 to index
    %v = memref.load %in[%y, %at] : memref<?x?xi8>
    %w = memref.load %in[%at, %at] : memref<?x?xi8>
    %s = arith.addi %v, %w : i8
    memref.store %s, %out[%x] : memref<?xi8>
  } {weft.lanes = 16 : i64, weft.permutes = 8 : i64, weft.wide}
  scf.for %x = %c0 to %count step %c1 {
    %i = arith.index_cast %x : index to i32
    %f = arith.sitofp %i : i32 to f32
    %s = arith.mulf %f, %scale : f32
    %n = arith.fptosi %s : f32 to i32
    %at = arith.index_cast %n : i32 to index
    %v = memref.load %in[%y, %at] : memref<?x?xi8>
    memref.store %v, %out[%x] : memref<?xi8>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}
