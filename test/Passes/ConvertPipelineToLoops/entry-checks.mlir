// Checks of what extents leave open: each condition once, none that follows from what is known, no code beside.

// RUN: pipeline-opt %s -convert-pipeline-to-loops | FileCheck %s

// A stage as large as its source reads something wherever it has a point; what is asked with it are constants and extents, once.
// CHECK-LABEL: func.func @own_extents_extents(
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT:    %[[W:.*]] = memref.dim %{{.*}}, %[[C1]]
// CHECK-NEXT:    %[[H:.*]] = memref.dim %{{.*}}, %[[C0]]
// CHECK-NEXT:    memref.store %[[H]]
// CHECK-NEXT:    memref.store %[[W]]
// CHECK-NEXT:    return
// CHECK-LABEL: func.func @own_extents(
// CHECK:         cf.assert %{{.*}}, "{{.*}}the memory for result #0 has another extent in dimension 0 than the result, expected b.y = arg0.y"
// CHECK:         cf.assert %{{.*}}, "{{.*}}the memory for result #0 has another extent in dimension 1 than the result, expected b.x = arg0.x"
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @own_extents(%img: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %three = arith.constant 3.0 : f32
  %a = pipeline.stage "a" (%y, %x) {
    %l = pipeline.load %img[%y, %x - 1] clamp : tensor<?x?xf32>
    %r = pipeline.load %img[%y - 1, %x] mirror : tensor<?x?xf32>
    %0 = arith.addf %l, %r : f32
    %v = arith.divf %0, %three : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x + 1] wrap : tensor<?x?xf32>
    pipeline.yield %0 : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %b : tensor<?x?xf32>
}

// Two stages, three loads, two conditions; the arithmetic of a check that is not made is not made either.
// CHECK-LABEL: func.func @once(
// CHECK-SAME:    %[[IMG:[^:]*]]: memref<?xf32>
// CHECK-DAG:     %[[CM3:.*]] = arith.constant -3 : index
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK:         %[[W:.*]] = memref.dim %[[IMG]], %[[C0]]
// CHECK-NEXT:    %[[POSITIVE:.*]] = arith.cmpi sge, %[[N:.*]], %[[C0]] : index
// CHECK-NEXT:    cf.assert %[[POSITIVE]], "{{.*}}:[[# @LINE + 9]]:8: stage \22a\22 has a negative extent in dimension 0, expected arg1 >= 0"
// CHECK-NEXT:    %[[LAST:.*]] = arith.addi %[[W]], %[[CM3]] : index
// CHECK-NEXT:    %[[IN:.*]] = arith.cmpi sle, %[[N]], %[[LAST]] : index
// CHECK-NEXT:    %[[NONE:.*]] = arith.cmpi eq, %[[N]], %[[C0]] : index
// CHECK-NEXT:    %[[OK:.*]] = arith.ori %[[IN]], %[[NONE]] : i1
// CHECK-NEXT:    cf.assert %[[OK]], "{{.*}}:[[# @LINE + 5]]:10: index #0 (x + 3) of stage \22a\22 leaves its source, expected arg1 <= arg0.x - 3 or arg1 = 0"
// CHECK-NOT:     leaves its source
// CHECK:         scf.for
func.func @once(%img: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x + 3] : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%n) : tensor<?xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %img[%x + 3] : tensor<?xf32>
    %1 = pipeline.load %a[%x] : tensor<?xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } sized(%n) : tensor<?xf32>
  return %b : tensor<?xf32>
}

// What is cut off an image is inside of it, if what remains has an extent: that is checked, and asked of the companion too.
// CHECK-LABEL: func.func @crop_extents(
// CHECK:         %[[W:.*]] = memref.dim
// CHECK-NEXT:    %[[N:.*]] = arith.subi %[[W]], %{{.*}} : index
// CHECK-NEXT:    %[[POSITIVE:.*]] = arith.cmpi sge, %[[W]], %c2 : index
// CHECK-NEXT:    cf.assert %[[POSITIVE]], "{{.*}}stage \22s\22 has a negative extent in dimension 0, expected arg0.x >= 2"
// CHECK-NEXT:    memref.store %[[N]]
// CHECK-LABEL: func.func @crop(
// CHECK:         cf.assert %{{.*}}stage \22s\22 has a negative extent in dimension 0
// CHECK-NOT:     leaves its source
// CHECK:         return
func.func @crop(%img: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %w = tensor.dim %img, %c0 : tensor<?xf32>
  %n = arith.subi %w, %c2 : index
  %0 = pipeline.stage "s" (%x) {
    %l = pipeline.load %img[%x] : tensor<?xf32>
    %r = pipeline.load %img[%x + 2] : tensor<?xf32>
    %v = arith.addf %l, %r : f32
    pipeline.yield %v : f32
  } sized(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// One point too far: not where there is none, and nowhere else.
// CHECK-LABEL: func.func @too_far(
// CHECK:         %[[W:.*]] = memref.dim
// CHECK:         %[[NONE:.*]] = arith.cmpi eq, %[[W]], %{{.*}} : index
// CHECK-NEXT:    cf.assert %[[NONE]], "{{.*}}index #0 (x + 1) of stage \22s\22 leaves its source, expected arg0.x = 0"
func.func @too_far(%img: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %w = tensor.dim %img, %c0 : tensor<?xf32>
  %0 = pipeline.stage "s" (%x) {
    %v = pipeline.load %img[%x + 1] : tensor<?xf32>
    pipeline.yield %v : f32
  } sized(%w) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// One more than an extent may be none, as numbers wrap.
// CHECK-LABEL: func.func @wraps(
// CHECK:         cf.assert %{{.*}}stage \22s\22 has a negative extent in dimension 0
func.func @wraps(%img: tensor<?xf32>, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = tensor.dim %img, %c0 : tensor<?xf32>
  %n = arith.addi %w, %c1 : index
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } sized(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// A domain that begins before 0 has points where an image has none.
// CHECK-LABEL: func.func @before(
// CHECK:         cf.assert %{{.*}}scatter \22s\22 reads a source without points in dimension 0
func.func @before(%img: tensor<?xf32>, %v: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %w = tensor.dim %img, %c0 : tensor<?xf32>
  %0 = pipeline.scatter "s" () over (%x) in [-3, %w) from(%v : f32) combine "arith.maximumf" {
    %a = pipeline.load %img[%x] clamp : tensor<?xf32>
    pipeline.update %a at [%c0] : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
