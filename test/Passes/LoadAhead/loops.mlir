// Loads of the next iteration are made before this one computes.

// RUN: pipeline-opt %s --load-ahead | FileCheck %s
// Once is enough: what is loaded ahead is carried, and its place is not known an iteration before.
// RUN: pipeline-opt %s --load-ahead --load-ahead | FileCheck %s --check-prefix=TWICE
// RUN: pipeline-opt %s --load-ahead="most=1" | FileCheck %s --check-prefix=MOST

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @stream
  // CHECK-SAME:    %[[IN:[^:]*]]: memref<?xf32> {llvm.noalias}, %[[OUT:[^:]*]]: memref
  // CHECK:         %[[FIRST:.*]] = memref.load %[[IN]][%c0]
  // CHECK:         scf.for %[[ROW:.*]] = %c0 to %c32 step %c4 iter_args(%[[BEFORE:.*]] = %{{.*}}, %[[V:.*]] = %[[FIRST]])
  // CHECK:           %[[AFTER:.*]] = arith.addi %[[ROW]], %c4
  // CHECK:           %[[LAST:.*]] = arith.minsi %[[AFTER]], %c28
  // CHECK:           %[[NEXT:.*]] = memref.load %[[IN]][%[[LAST]]]
  // CHECK:           %[[SUM:.*]] = arith.addf %[[V]], %[[BEFORE]]
  // CHECK:           memref.store %[[SUM]], %[[OUT]][%[[ROW]]]
  // CHECK:           scf.yield %[[SUM]], %[[NEXT]] : f32, f32
  // CHECK:         memref.store
  // TWICE-LABEL: gpu.func @stream
  // TWICE:         scf.for {{.*}} -> (f32, f32)
  // MOST-LABEL:  gpu.func @stream
  // MOST:          scf.for {{.*}} -> (f32, f32)
  gpu.func @stream(%in: memref<?xf32> {llvm.noalias}, %out: memref<?xf32> {llvm.noalias}) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c28 = arith.constant 28 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %row = %c0 to %c32 step %c4 iter_args(%before = %zero) -> f32 {
      %v = memref.load %in[%row] : memref<?xf32>
      %s = arith.addf %v, %before : f32
      memref.store %s, %out[%row] : memref<?xf32>
      scf.yield %s : f32
    }
    memref.store %sum, %out[%c0] : memref<?xf32>
    gpu.return
  }

  // Of a vector two registers, which are more than one.
  // CHECK-LABEL: gpu.func @vectors
  // CHECK:         vector.load
  // CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f32, vector<2xf32>)
  // MOST-LABEL:  gpu.func @vectors
  // MOST:          scf.for {{.*}} -> (f32) {
  gpu.func @vectors(%in: memref<?xf32> {llvm.noalias}, %out: memref<?xf32> {llvm.noalias}) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %row = %c0 to %c32 step %c2 iter_args(%before = %zero) -> f32 {
      %v = vector.load %in[%row] : memref<?xf32>, vector<2xf32>
      %a = vector.extract %v[0] : f32 from vector<2xf32>
      %s = arith.addf %a, %before : f32
      scf.yield %s : f32
    }
    memref.store %sum, %out[%c0] : memref<?xf32>
    gpu.return
  }

  // What the kernel writes may have changed; what is loaded, and what is carried, is not known before.
  // CHECK-LABEL: gpu.func @stays
  // CHECK-SAME:    %[[IN:[^:]*]]: memref<?xf32> {llvm.noalias}, %[[OUT:[^:]*]]: memref
  // CHECK-NOT:     memref.load
  // CHECK:         scf.for {{.*}} -> (f32, index) {
  // CHECK:           memref.load %[[OUT]]
  // CHECK:           memref.load %[[IN]]
  // CHECK:           scf.if
  // CHECK:             memref.load %[[IN]]
  gpu.func @stays(%in: memref<?xf32> {llvm.noalias}, %out: memref<?xf32> {llvm.noalias}, %yes: i1) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %sum:2 = scf.for %row = %c0 to %c32 step %c1 iter_args(%before = %zero, %at = %c0) -> (f32, index) {
      %v = memref.load %out[%row] : memref<?xf32>
      %w = memref.load %in[%at] : memref<?xf32>
      scf.if %yes {
        %u = memref.load %in[%row] : memref<?xf32>
        memref.store %u, %out[%c0] : memref<?xf32>
      }
      %s = arith.addf %v, %w : f32
      memref.store %s, %out[%row] : memref<?xf32>
      %next = arith.addi %at, %row : index
      scf.yield %s, %next : f32, index
    }
    gpu.return
  }

  // Two arguments may be one image.
  // CHECK-LABEL: gpu.func @overlapping
  // CHECK-NOT:     memref.load
  // CHECK:         scf.for
  // CHECK-NEXT:      memref.load
  gpu.func @overlapping(%in: memref<?xf32>, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    scf.for %row = %c0 to %c32 step %c1 {
      %v = memref.load %in[%row] : memref<?xf32>
      memref.store %v, %out[%row] : memref<?xf32>
    }
    gpu.return
  }

  // A short loop is unrolled, and one whose bounds nobody knows may have no iteration at all.
  // CHECK-LABEL: gpu.func @short
  // CHECK-NOT:     memref.load
  // CHECK:         scf.for
  // CHECK-NEXT:      memref.load
  // CHECK:         scf.for
  // CHECK-NEXT:      memref.load
  gpu.func @short(%in: memref<?xf32> {llvm.noalias}, %out: memref<?xf32> {llvm.noalias}, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %row = %c0 to %c3 step %c1 {
      %v = memref.load %in[%row] : memref<?xf32>
      memref.store %v, %out[%row] : memref<?xf32>
    }
    scf.for %row = %c0 to %n step %c1 {
      %v = memref.load %in[%row] : memref<?xf32>
      memref.store %v, %out[%row] : memref<?xf32>
    }
    gpu.return
  }
}
