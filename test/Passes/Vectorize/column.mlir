// Columns beside each other, as rows of a transposed image are: what lanes read in their rows are neighbours, one number.

// RUN: pipeline-opt %s --vectorize --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @turned
// CHECK-NOT:   vector.gather
// CHECK:       scf.for
// CHECK-COUNT-16: vector.load %{{.*}} : memref<?x?xi8>, vector<2xi8>
// CHECK:       %[[BOTH:.*]] = vector.from_elements {{.*}} : vector<16xi16>
// CHECK-DAG:   %[[FIRST:.*]] = arith.trunci %[[BOTH]] : vector<16xi16> to vector<16xi8>
// CHECK-DAG:   vector.store %[[FIRST]]
// CHECK-DAG:   %[[ABOVE:.*]] = arith.shrui %[[BOTH]], %{{.*}} : vector<16xi16>
// CHECK-DAG:   %[[SECOND:.*]] = arith.trunci %[[ABOVE]] : vector<16xi16> to vector<16xi8>
// CHECK-DAG:   vector.store %[[SECOND]]
func.func @turned(%in: memref<?x?xi8>, %out: memref<64x64xi8>, %y: index, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %next = arith.addi %y, %c1 : index
  scf.for %x = %a to %b step %c1 {
    %p = memref.load %in[%x, %y] : memref<?x?xi8>
    %q = memref.load %in[%x, %next] : memref<?x?xi8>
    memref.store %p, %out[%y, %x] : memref<64x64xi8>
    memref.store %q, %out[%next, %x] : memref<64x64xi8>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// The first of the columns may be one that was moved back.
// CHECK-LABEL: @moved
// CHECK-NOT:   vector.gather
// CHECK:       scf.for
// CHECK-COUNT-16: vector.load %{{.*}} : memref<?x?xi8>, vector<2xi8>
// CHECK:       vector.from_elements {{.*}} : vector<16xi16>
func.func @moved(%in: memref<?x?xi8>, %out: memref<64x64xi8>, %at: index, %last: index, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %y = arith.minsi %at, %last : index
  %next = arith.addi %y, %c1 : index
  scf.for %x = %a to %b step %c1 {
    %p = memref.load %in[%x, %y] : memref<?x?xi8>
    %q = memref.load %in[%x, %next] : memref<?x?xi8>
    memref.store %p, %out[%y, %x] : memref<64x64xi8>
    memref.store %q, %out[%next, %x] : memref<64x64xi8>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// Rows that are computed are, too; what was a float is one again.
// CHECK-LABEL: @computed
// CHECK-NOT:   vector.gather
// CHECK:       scf.for
// CHECK:       %[[ROWS:.*]] = arith.maxsi %{{.*}}, %{{.*}} : vector<4xindex>
// CHECK:       %[[ROW:.*]] = vector.extract %[[ROWS]][0]
// CHECK:       vector.load %{{.*}}[%[[ROW]], %{{.*}}] : memref<?x?xf16>, vector<4xf16>
// CHECK:       vector.from_elements {{.*}} : vector<4xi64>
// CHECK:       vector.bitcast %{{.*}} : vector<4xi16> to vector<4xf16>
func.func @computed(%in: memref<?x?xf16>, %out: memref<64xf16>, %y: index, %last: index, %a: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %y1 = arith.addi %y, %c1 : index
  %y2 = arith.addi %y, %c2 : index
  %y3 = arith.addi %y, %c3 : index
  scf.for %x = %a to %b step %c1 {
    %back = arith.subi %last, %x : index
    %row = arith.maxsi %back, %c0 : index
    %p = memref.load %in[%row, %y] : memref<?x?xf16>
    %q = memref.load %in[%row, %y1] : memref<?x?xf16>
    %r = memref.load %in[%row, %y2] : memref<?x?xf16>
    %s = memref.load %in[%row, %y3] : memref<?x?xf16>
    %t = arith.addf %p, %q : f16
    %u = arith.addf %t, %r : f16
    %v = arith.addf %u, %s : f16
    memref.store %v, %out[%x] : memref<64xf16>
  } {weft.lanes = 4 : i64, weft.wide}
  return
}

// A column alone is gathered.
// CHECK-LABEL: @alone
// CHECK:       vector.gather
func.func @alone(%in: memref<?x?xi8>, %out: memref<64xi8>, %y: index, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  scf.for %x = %a to %b step %c1 {
    %p = memref.load %in[%x, %y] : memref<?x?xi8>
    memref.store %p, %out[%x] : memref<64xi8>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}
