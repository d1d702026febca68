// Lanes that read along rows of their own: these are loaded as vectors, and transposed.

// RUN: pipeline-opt %s --split-input-file --vectorize --canonicalize --cse | FileCheck %s

// Ten iterations: eight of which each lane has a vector, and two that end one of two.
// CHECK-LABEL: @sums
// CHECK-SAME:  (%[[IN:[^:]*]]: memref<64x10xf32>
// CHECK:       %[[LAST:.*]] = arith.minsi
// CHECK:       %[[X:.*]] = arith.maxsi %[[LAST]], %c0
// CHECK:       %[[SUM:.*]] = scf.for %[[R:.*]] = %c0 to %c8 step %c4 iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (vector<4xf32>)
// CHECK-DAG:     %[[X1:.*]] = arith.addi %[[X]], %c1
// CHECK-DAG:     %[[ROW0:.*]] = vector.load %[[IN]][%[[X]], %[[R]]] : memref<64x10xf32>, vector<4xf32>
// CHECK-DAG:     %[[ROW1:.*]] = vector.load %[[IN]][%[[X1]], %[[R]]]
// CHECK-COUNT-8: vector.shuffle
// CHECK:         memref.prefetch
// CHECK:         %[[A:.*]] = arith.addf %[[BEFORE]], %{{.*}} : vector<4xf32>
// CHECK:         %[[B:.*]] = arith.addf %[[A]],
// CHECK:         %[[C:.*]] = arith.addf %[[B]],
// CHECK:         arith.addf %[[C]],
// CHECK-NEXT:    scf.yield
// CHECK:       vector.load %[[IN]][%[[X]], %c8] : memref<64x10xf32>, vector<2xf32>
// CHECK-NOT:   vector.gather
func.func @sums(%in: memref<64x10xf32>, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %c64 step %c1 {
    %sum = scf.for %r = %c0 to %c10 step %c1 iter_args(%acc = %zero) -> f32 {
      %v = memref.load %in[%x, %r] : memref<64x10xf32>
      %s = arith.addf %acc, %v : f32
      scf.yield %s : f32
    }
    memref.store %sum, %out[%x] : memref<64xf32>
  } {weft.lanes = 4, weft.wide}
  return
}

// -----

// As many as nobody knows: those behind the last whole vectors one by one.
// CHECK-LABEL: @any_number
// CHECK:       scf.for %{{.*}} = %c0 to %[[WHOLE:.*]] step %c4
// CHECK-COUNT-4: vector.load
// CHECK:       scf.for %{{.*}} = %[[WHOLE]] to %arg{{.*}} step %c1
// CHECK:         vector.gather
func.func @any_number(%in: memref<64x?xf32>, %out: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.for %x = %c0 to %c64 step %c1 {
    %sum = scf.for %r = %c0 to %n step %c1 iter_args(%acc = %zero) -> f32 {
      %v = memref.load %in[%x, %r] : memref<64x?xf32>
      %s = arith.addf %acc, %v : f32
      scf.yield %s : f32
    }
    memref.store %sum, %out[%x] : memref<64xf32>
  } {weft.lanes = 4, weft.wide}
  return
}

// -----

// A reduce that was written out.
// CHECK-LABEL: @written_out
// CHECK-SAME:  (%[[IN:[^:]*]]: memref<64x8xf32>
// CHECK:       vector.load %[[IN]][%{{.*}}, %c2] : memref<64x8xf32>, vector<4xf32>
// CHECK-COUNT-3: vector.load %[[IN]]
// CHECK-COUNT-7: vector.shuffle
// CHECK-NOT:   vector.load
// CHECK-NOT:   vector.gather
func.func @written_out(%in: memref<64x8xf32>, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c64 = arith.constant 64 : index
  scf.for %x = %c0 to %c64 step %c1 {
    %a = memref.load %in[%x, %c2] : memref<64x8xf32>
    %b = memref.load %in[%x, %c4] : memref<64x8xf32>
    %c = memref.load %in[%x, %c5] : memref<64x8xf32>
    %d = arith.addf %a, %b : f32
    %e = arith.addf %c, %d : f32
    memref.store %e, %out[%x] : memref<64xf32>
  } {weft.lanes = 4, weft.wide}
  return
}

// -----

// Of few points no lane is idle, if there is a vector of them.
// CHECK-LABEL: @few
// CHECK-NOT:   mask
// CHECK:       vector.load %{{.*}} : memref<64xf32>, vector<8xf32>
// CHECK-NOT:   mask
// CHECK:       vector.store
func.func @few(%in: memref<64xf32>, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %x = %c0 to %c8 step %c1 {
    %v = memref.load %in[%x] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %out[%x] : memref<64xf32>
  } {weft.lanes = 16, weft.masked}
  return
}
