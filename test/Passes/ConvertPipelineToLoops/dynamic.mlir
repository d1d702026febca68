// Dynamic extents: read at entry, checked at entry, told to the caller by @NAME_extents.

// RUN: pipeline-opt %s -convert-pipeline-to-loops -canonicalize -cse | FileCheck %s

// CHECK-LABEL: func.func @blur_extents
// CHECK-SAME:  (%[[IMG:.*]]: memref<?x8xf32, strided<[?, 1]>>, %[[E:.*]]: memref<2xindex>) {
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG:     %[[H:.*]] = memref.dim %[[IMG]], %[[C0]]
// CHECK:         memref.store %[[H]], %[[E]][%[[C0]]]
// CHECK-NEXT:    memref.store %[[C8]], %[[E]][%[[C1]]]
// CHECK-NEXT:    return

// CHECK-LABEL: func.func @blur(
// CHECK-SAME:  %[[IMG:.*]]: memref<?x8xf32, strided<[?, 1]>> {weft.name = "img"}, %[[OUT:.*]]: memref<?x8xf32, strided<[?, 1]>> {weft.name = "blurred"}) {
func.func @blur(%img: tensor<?x8xf32> {weft.name = "img"}) -> (tensor<?x8xf32> {weft.name = "blurred"}) {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[H:.*]] = memref.dim %[[IMG]], %[[C0]]
  // CHECK-DAG: %[[OUT_H:.*]] = memref.dim %[[OUT]], %[[C0]]
  // CHECK:     %[[SAME:.*]] = arith.cmpi eq, %[[OUT_H]], %[[H]] : index
  // CHECK:     cf.assert %[[SAME]], "{{.*}}dynamic.mlir:[[@LINE-5]]:1: the memory for result #0 has another extent in dimension 0 than the result, expected blurred.y = img.y"
  // CHECK:     %[[A:.*]] = memref.alloc(%[[H]]) {alignment = 64 : i64} : memref<?x8xf32>
  // CHECK:     scf.for %{{.*}} = %[[C0]] to %[[H]] step
  // CHECK:     scf.for %{{.*}} = %[[C0]] to %[[H]] step
  // CHECK:     memref.dealloc %[[A]]
  %c0 = arith.constant 0 : index
  %h = tensor.dim %img, %c0 : tensor<?x8xf32>
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y - 1, %x] clamp : tensor<?x8xf32>
    pipeline.yield %0 : f32
  } sized(%h) : tensor<?x8xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y - 1, %x] clamp : tensor<?x8xf32>
    pipeline.yield %0 : f32
  } sized(%h) : tensor<?x8xf32>
  return %b : tensor<?x8xf32>
}

// Static results need no companion.
// CHECK-NOT:   @static_result_extents
// CHECK-LABEL: func.func @static_result(
func.func @static_result(%img: tensor<?xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] clamp : tensor<?xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Extents of all results, one after the other; the arithmetic on them moves along.
// CHECK-LABEL: func.func @several_results_extents
// CHECK-SAME:  %[[N:[^:]*]]: index, %[[E:[^:]*]]: memref<3xindex>
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[HALF:.*]] = arith.divsi %[[N]], %[[C2]]
// CHECK:         memref.store %[[N]], %[[E]]
// CHECK:         memref.store %[[HALF]], %[[E]]
// CHECK:         memref.store %[[C4]], %[[E]]
// CHECK:         return
// CHECK-LABEL: func.func @several_results(
func.func @several_results(%v: f32, %n: index) -> (tensor<?xf32>, tensor<?x4xf32>) {
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } sized(%n) : tensor<?xf32>
  %c2 = arith.constant 2 : index
  %half = arith.divsi %n, %c2 : index
  %b = pipeline.stage "b" (%y, %x) {
    pipeline.yield %v : f32
  } sized(%half) : tensor<?x4xf32>
  return %a, %b : tensor<?xf32>, tensor<?x4xf32>
}

// An extent that was computed may be negative.
// CHECK-LABEL: func.func @negative_extent(
// CHECK-SAME:  f32, %[[N:[^:]*]]: index
func.func @negative_extent(%v: f32, %n: index) -> tensor<?xf32> {
  // CHECK: %[[OK:.*]] = arith.cmpi sge, %[[N]], %{{.*}} : index
  // CHECK: cf.assert %[[OK]], "{{.*}}:[[@LINE+1]]:8: stage \22s\22 has a negative extent in dimension 0, expected arg1 >= 0"
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } sized(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Without a boundary: the ends of the index, as far as they are not known, unless the stage has no point.
// CHECK-LABEL: func.func @leaves_its_source(
// CHECK-SAME:  %[[IMG:[^:]*]]: memref<?xf32>, %[[N:[^:]*]]: index
func.func @leaves_its_source(%img: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  // CHECK-DAG: %[[W:.*]] = memref.dim %[[IMG]]
  // CHECK-DAG: %[[LAST:.*]] = arith.addi %[[W]], %{{.*}} : index
  // CHECK:     %[[IN:.*]] = arith.cmpi sle, %{{.*}}, %[[LAST]] : index
  // CHECK:     %[[EMPTY:.*]] = arith.cmpi eq, %[[N]], %{{.*}} : index
  // CHECK:     %[[OK:.*]] = arith.ori %[[IN]], %[[EMPTY]] : i1
  // CHECK:     cf.assert %[[OK]], "{{.*}}:[[@LINE+2]]:10: index #0 (x + 3) of stage \22s\22 leaves its source, expected arg1 <= arg0.x - 3 or arg1 = 0"
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x + 3] : tensor<?xf32>
    pipeline.yield %a : f32
  } sized(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// The coordinate of a stage as large as its source stays inside.
// CHECK-LABEL: func.func @own_extent(
func.func @own_extent(%img: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK-NOT: leaves its source
  // CHECK:     return
  %c0 = arith.constant 0 : index
  %n = tensor.dim %img, %c0 : tensor<?xf32>
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<?xf32>
    pipeline.yield %a : f32
  } sized(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// No boundary makes a value of nothing.
// CHECK-LABEL: func.func @source_without_points(
// CHECK-SAME:  %[[IMG:[^:]*]]: memref<?xf32>
func.func @source_without_points(%img: tensor<?xf32>) -> tensor<8xf32> {
  // CHECK: %[[W:.*]] = memref.dim %[[IMG]]
  // CHECK: %[[OK:.*]] = arith.cmpi sgt, %[[W]], %{{.*}} : index
  // CHECK: cf.assert %[[OK]], "{{.*}}:[[@LINE+2]]:10: stage \22s\22 reads a source without points in dimension 0, expected arg0.x > 0"
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] wrap : tensor<?xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Boundary modes over an extent that is not known.
// CHECK-LABEL: func.func @modes(
// CHECK-SAME:  %[[IMG:[^:]*]]: memref<?xf32>
func.func @modes(%img: tensor<?xf32>) -> tensor<8xf32> {
  // CHECK: %[[W:.*]] = memref.dim %[[IMG]]
  // CHECK: scf.for
  // CHECK:   %[[LAST:.*]] = arith.addi %[[W]], %{{.*}} : index
  // CHECK:   arith.minsi %{{.*}}, %[[LAST]] : index
  // CHECK:   %[[SOME:.*]] = arith.maxsi %[[W]], %{{.*}} : index
  // CHECK:   %[[PERIOD:.*]] = arith.muli %[[SOME]], %{{.*}} : index
  // CHECK:   arith.remsi %{{.*}}, %[[PERIOD]] : index
  // CHECK:   arith.remsi %{{.*}}, %[[SOME]] : index
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x - 1] clamp : tensor<?xf32>
    %b = pipeline.load %img[%x - 2] mirror : tensor<?xf32>
    %c = pipeline.load %img[%x - 3] wrap : tensor<?xf32>
    %d = arith.addf %a, %b : f32
    %e = arith.addf %d, %c : f32
    pipeline.yield %e : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
