// Two neighbours at computed places, as bilinear interpolation reads them: each lane loads both as one number.

// RUN: pipeline-opt %s --vectorize --canonicalize --cse | FileCheck %s

// The first column of the pair is brought before the last one; which half a column lies in is asked of each. Rows of one column are gathered.
// CHECK-LABEL: @pair
// CHECK-SAME:  (%[[IN:[a-z0-9]*]]: memref<?x?xi8>, %{{.*}}: memref<?xi32>, %{{.*}}: memref<2x64xi8>, %{{.*}}: index, %{{.*}}: index, %[[LAST:.*]]: index)
// CHECK-DAG:   %[[BEFORE:.*]] = arith.addi %[[LAST]], %c-1
// CHECK-DAG:   %[[INSIDE:.*]] = arith.maxsi %[[COLUMN:.*]], %{{.*}} : vector<16xindex>
// CHECK-DAG:   %[[MOST:.*]] = vector.broadcast %[[BEFORE]] : index to vector<16xindex>
// CHECK:       %[[FIRST:.*]] = arith.minsi %[[INSIDE]], %[[MOST]] : vector<16xindex>
// CHECK:       %[[WIDE:.*]] = arith.cmpi sgt, %[[LAST]], %c0
// CHECK:       %[[BOTH:.*]] = scf.if %[[WIDE]] -> (vector<16xi16>)
// CHECK-COUNT-16: vector.load %[[IN]][%c0, %{{.*}}] : memref<?x?xi8>, vector<2xi8>
// CHECK:         vector.from_elements {{.*}} : vector<16xi16>
// CHECK:       } else {
// CHECK:         vector.gather {{.*}} into vector<16xi8>
// CHECK:       }
// CHECK-NOT:   vector.gather
// CHECK-DAG:   %[[IS_FIRST:.*]] = arith.cmpi eq, %{{.*}}, %[[FIRST]] : vector<16xindex>
// CHECK-DAG:   %[[UPPER:.*]] = arith.shrui %[[BOTH]], %{{.*}} : vector<16xi16>
// CHECK:       %[[HALF:.*]] = arith.select %[[IS_FIRST]], %[[BOTH]], %[[UPPER]]
// CHECK:       arith.trunci %[[HALF]] : vector<16xi16> to vector<16xi8>
func.func @pair(%in: memref<?x?xi8>, %at: memref<?xi32>, %out: memref<2x64xi8>, %a: index, %b: index, %last: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %x = %a to %b step %c1 {
    %place = memref.load %at[%x] : memref<?xi32>
    %j = arith.index_cast %place : i32 to index
    %j1 = arith.addi %j, %c1 : index
    %low = arith.maxsi %j, %c0 : index
    %left = arith.minsi %low, %last : index
    %low1 = arith.maxsi %j1, %c0 : index
    %right = arith.minsi %low1, %last : index
    %p = memref.load %in[%c1, %left] : memref<?x?xi8>
    %q = memref.load %in[%c1, %right] : memref<?x?xi8>
    memref.store %p, %out[%c0, %x] : memref<2x64xi8>
    memref.store %q, %out[%c1, %x] : memref<2x64xi8>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// Columns that are brought between other numbers, and one of three, are gathered each.
// CHECK-LABEL: @no_pair
// CHECK-COUNT-2: vector.gather
// CHECK-NOT:   vector<2xi8>
func.func @no_pair(%in: memref<?x?xi8>, %at: memref<?xi32>, %out: memref<2x64xi8>, %a: index, %b: index, %last: index, %most: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %x = %a to %b step %c1 {
    %place = memref.load %at[%x] : memref<?xi32>
    %j = arith.index_cast %place : i32 to index
    %j1 = arith.addi %j, %c1 : index
    %low = arith.maxsi %j, %c0 : index
    %left = arith.minsi %low, %last : index
    %low1 = arith.maxsi %j1, %c0 : index
    %right = arith.minsi %low1, %most : index
    %p = memref.load %in[%c1, %left] : memref<?x?xi8>
    %q = memref.load %in[%c1, %right] : memref<?x?xi8>
    memref.store %p, %out[%c0, %x] : memref<2x64xi8>
    memref.store %q, %out[%c1, %x] : memref<2x64xi8>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}
