// Static programs: memory for tensors, one loop a dimension, stages one after the other.

// RUN: pipeline-opt %s -convert-pipeline-to-loops -canonicalize -cse | FileCheck %s

// CHECK-LABEL: func.func @one_stage
// CHECK-SAME:  (%[[IMG:.*]]: memref<8x9xf32, strided<[?, 1]>>, %[[OUT:.*]]: memref<8x9xf32, strided<[?, 1]>>) {
func.func @one_stage(%img: tensor<8x9xf32>) -> tensor<8x9xf32> {
  // CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG:  %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG:  %[[C8:.*]] = arith.constant 8 : index
  // CHECK-DAG:  %[[C9:.*]] = arith.constant 9 : index
  // CHECK:      scf.for %[[Y:.*]] = %[[C0]] to %[[C8]] step %[[C1]] {
  // CHECK-NEXT:   scf.for %[[X:.*]] = %[[C0]] to %[[C9]] step %[[C1]] {
  // CHECK-NEXT:     %[[A:.*]] = memref.load %[[IMG]][%[[Y]], %[[X]]]
  // CHECK-NEXT:     %[[V:.*]] = arith.addf %[[A]], %[[A]]
  // CHECK-NEXT:     memref.store %[[V]], %[[OUT]][%[[Y]], %[[X]]]
  // CHECK-NEXT:   }
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  %0 = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<8x9xf32>
    %v = arith.addf %a, %a : f32
    pipeline.yield %v : f32
  } : tensor<8x9xf32>
  return %0 : tensor<8x9xf32>
}

// CHECK-LABEL: func.func @ranks
func.func @ranks(%a: tensor<8xf32>, %b: tensor<2x3x4xf32>, %c: tensor<5x6x7x8xf32>)
    -> (tensor<8xf32>, tensor<2x3x4xf32>, tensor<5x6x7x8xf32>) {
  // CHECK:     scf.for %[[I:.*]] =
  // CHECK-NOT: scf.for
  // CHECK:     memref.store %{{.*}}, %{{.*}}[%[[I]]] : memref<8xf32>
  %0 = pipeline.stage "one" (%i) {
    %v = pipeline.load %a[%i] : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  // CHECK: scf.for %[[I:.*]] =
  // CHECK: scf.for %[[J:.*]] =
  // CHECK: scf.for %[[K:.*]] =
  // CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]], %[[K]]] : memref<2x3x4xf32, strided<[?, ?, 1]>>
  %1 = pipeline.stage "three" (%i, %j, %k) {
    %v = pipeline.load %b[%i, %j, %k] : tensor<2x3x4xf32>
    pipeline.yield %v : f32
  } : tensor<2x3x4xf32>
  // CHECK: scf.for %[[I:.*]] =
  // CHECK: scf.for %[[J:.*]] =
  // CHECK: scf.for %[[K:.*]] =
  // CHECK: scf.for %[[L:.*]] =
  // CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]], %[[K]], %[[L]]] : memref<5x6x7x8xf32, strided<[?, ?, ?, 1]>>
  %2 = pipeline.stage "four" (%i, %j, %k, %l) {
    %v = pipeline.load %c[%i, %j, %k, %l] : tensor<5x6x7x8xf32>
    pipeline.yield %v : f32
  } : tensor<5x6x7x8xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<2x3x4xf32>, tensor<5x6x7x8xf32>
}

// What is between stages is allocated before the first of them and freed after the last.
// CHECK-LABEL: func.func @intermediates
// CHECK-SAME:  (%[[IMG:.*]]: memref<8xf32>, %[[OUT:.*]]: memref<8xf32>) {
func.func @intermediates(%img: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK:      %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
  // CHECK-NEXT: %[[B:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
  // CHECK-NEXT: scf.for
  // CHECK-NEXT:   memref.load %[[IMG]]
  // CHECK-NEXT:   memref.store %{{.*}}, %[[A]]
  // CHECK:      scf.for
  // CHECK-NEXT:   memref.load %[[A]]
  // CHECK-NEXT:   memref.store %{{.*}}, %[[B]]
  // CHECK:      scf.for
  // CHECK-NEXT:   memref.load %[[B]]
  // CHECK-NEXT:   memref.store %{{.*}}, %[[OUT]]
  // CHECK-NEXT: }
  // CHECK-NEXT: memref.dealloc %[[A]]
  // CHECK-NEXT: memref.dealloc %[[B]]
  // CHECK-NEXT: return
  %a = pipeline.stage "a" (%x) {
    %v = pipeline.load %img[%x] : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %b = pipeline.stage "b" (%x) {
    %v = pipeline.load %a[%x] : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %c = pipeline.stage "c" (%x) {
    %v = pipeline.load %b[%x] : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %c : tensor<8xf32>
}

// CHECK-LABEL: func.func @no_points
func.func @no_points(%v: f32) -> tensor<4x0xf32> {
  // CHECK-NOT: memref.store
  // CHECK:     return
  %0 = pipeline.stage "s" (%y, %x) {
    pipeline.yield %v : f32
  } : tensor<4x0xf32>
  return %0 : tensor<4x0xf32>
}
