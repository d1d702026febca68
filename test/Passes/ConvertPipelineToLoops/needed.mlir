// Of a stage that was narrowed, what is needed is computed, into memory of its full extents.

// RUN: pipeline-opt %s -convert-pipeline-to-loops -canonicalize -cse | FileCheck %s

// CHECK-LABEL: @part
func.func @part(%v: f32) -> tensor<8x8xf32> {
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
  // CHECK-DAG: %[[C7:.*]] = arith.constant 7 : index
  // CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
  // CHECK:     scf.for %[[Y:.*]] = %[[C2]] to %[[C7]] step %[[C1]] {
  // CHECK:     scf.for %[[X:.*]] = %[[C1]] to %[[C8]] step %[[C1]] {
  // CHECK:     memref.store %{{.*}}, %{{.*}}[%[[Y]], %[[X]]] : memref<8x8xf32, strided<[?, 1]>>
  %0 = pipeline.stage "s" (%y, %x) {
    pipeline.yield %v : f32
  } in [2, 7) x [1, 8) : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @dynamic
// CHECK-SAME:  %[[N:[^:]*]]: index
func.func @dynamic(%v: f32, %n: index) -> tensor<?xf32> {
  // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
  // CHECK:     scf.for %{{.*}} = %[[C3]] to %[[N]] step
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } sized(%n) in [3, ?) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: @nothing
func.func @nothing(%v: f32) -> tensor<8xf32> {
  // CHECK-NOT: memref.store
  // CHECK:     return
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } in [3, 3) : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// From 2 on, x - 2 stays inside: no clamp is left.
// CHECK-LABEL: @boundary_of_a_part
func.func @boundary_of_a_part(%img: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NOT: arith.maxsi
  // CHECK:     return
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x - 2] clamp : tensor<8xf32>
    pipeline.yield %a : f32
  } in [2, 8) : tensor<8xf32>
  return %0 : tensor<8xf32>
}
