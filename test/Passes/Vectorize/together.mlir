// The channels of a pixel that each lane looks up at a place of its own: one number for all of them.

// RUN: pipeline-opt %s --split-input-file --vectorize --canonicalize --cse | FileCheck %s

// Four bytes are a number as they lie.
// CHECK-LABEL: @four
// CHECK-COUNT-4: vector.load {{.*}} : memref<16x16x4xi8>, vector<4xi8>
// CHECK:         %[[ALL:.*]] = vector.from_elements {{.*}} : vector<4xi32>
// CHECK-NOT:     vector.load
// CHECK-DAG:     arith.trunci %[[ALL]] : vector<4xi32> to vector<4xi8>
// CHECK-DAG:     %[[ABOVE:.*]] = arith.shrui %[[ALL]], %{{.*}} : vector<4xi32>
// CHECK:         arith.trunci %[[ABOVE]]
func.func @four(%in: memref<16x16x4xi8>, %at: memref<16x2xindex>, %out: memref<2x16xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  scf.for %x = %c0 to %c16 step %c1 {
    %i = memref.load %at[%x, %c0] : memref<16x2xindex>
    %j = memref.load %at[%x, %c1] : memref<16x2xindex>
    %r = memref.load %in[%i, %j, %c0] : memref<16x16x4xi8>
    %a = memref.load %in[%i, %j, %c3] : memref<16x16x4xi8>
    memref.store %r, %out[%c0, %x] : memref<2x16xi8>
    memref.store %a, %out[%c1, %x] : memref<2x16xi8>
  } {weft.lanes = 4, weft.wide}
  return
}

// -----

// Three have a fourth behind them, but for the last pixel of all. Of an image of fewer than four bytes they are gathered.
// CHECK-LABEL: @three
// CHECK-SAME:  (%[[IN:[^:]*]]: memref<16x?x3xi8>
// CHECK:         %[[END:.*]] = arith.muli %{{.*}}, %c3 : index
// CHECK:         arith.addi %{{.*}}, %[[END]] : index
// CHECK:         %[[LAST:.*]] = arith.addi %{{.*}}, %c-1 : index
// CHECK:         %[[ENOUGH:.*]] = arith.cmpi sge, %[[LAST]], %c0 : index
// CHECK:         scf.if %[[ENOUGH]] -> (vector<4xi32>)
// CHECK:           arith.minsi {{.*}} {weft.places}
// CHECK-COUNT-4:   vector.load %[[IN]]{{.*}}, vector<4xi8>
// CHECK:           vector.from_elements
// CHECK:           arith.shrui
// CHECK:         } else {
// CHECK-COUNT-3:   vector.gather
func.func @three(%in: memref<16x?x3xi8>, %at: memref<16x2xindex>, %out: memref<2x16xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  scf.for %x = %c0 to %c16 step %c1 {
    %i = memref.load %at[%x, %c0] : memref<16x2xindex>
    %j = memref.load %at[%x, %c1] : memref<16x2xindex>
    %r = memref.load %in[%i, %j, %c0] : memref<16x?x3xi8>
    %b = memref.load %in[%i, %j, %c2] : memref<16x?x3xi8>
    memref.store %r, %out[%c0, %x] : memref<2x16xi8>
    memref.store %b, %out[%c1, %x] : memref<2x16xi8>
  } {weft.lanes = 4, weft.wide}
  return
}
