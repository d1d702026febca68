// Bytes of an image between stages can be counted: that is asked where it does not follow from what the caller has. And the program's own
// divisions have a meaning.

// RUN: pipeline-opt %s -convert-pipeline-to-loops -split-input-file -verify-diagnostics | FileCheck %s

// Each factor is taken from what is left of 2^44 points.
// CHECK-LABEL: func.func @asked(
// CHECK-SAME:    %{{.*}}: memref<?xf32>, %[[N:.*]]: index, %[[M:.*]]: index,
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[MOST:.*]] = arith.constant 17592186044416 : index
// CHECK:         %[[SOME:.*]] = arith.maxsi %[[M]], %[[C1]] : index
// CHECK-NEXT:    %[[LEFT:.*]] = arith.divsi %[[MOST]], %[[SOME]] : index
// CHECK-NEXT:    %[[OK:.*]] = arith.cmpi sle, %[[N]], %[[LEFT]] : index
// CHECK-NEXT:    cf.assert %[[OK]], "{{.*}}stage \22a\22 has more than 17592186044416 points"
// CHECK-NOT:     more than
// CHECK:         return
func.func @asked(%img: tensor<?xf32>, %n: index, %m: index) -> tensor<8xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%x] clamp : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%n, %m) : tensor<?x?xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x, %x] clamp : tensor<?x?xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  return %b : tensor<8xf32>
}

// -----

// A level of a pyramid is part of the image, and the caller has that.
// CHECK-LABEL: func.func @level(
// CHECK-NOT:     more than
// CHECK:         return
func.func @level(%img: tensor<?x?xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %h1 = arith.addi %h, %c1 : index
  %h2 = arith.divui %h1, %c2 : index
  %h21 = arith.addi %h2, %c1 : index
  %h4 = arith.divui %h21, %c2 : index
  %w2 = arith.ceildivui %w, %c2 : index
  %a = pipeline.stage "a" (%z, %y, %x) {
    %0 = pipeline.load %img[%y * 4, %x * 2] clamp : tensor<?x?xf32>
    pipeline.yield %0 : f32
  } sized(%h4, %w2) : tensor<3x?x?xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[2, %x, %x] clamp : tensor<3x?x?xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  return %b : tensor<8xf32>
}

// -----

func.func @known(%img: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{stage "a" has more than 17592186044416 points}}
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%x] clamp : tensor<4xf32>
    pipeline.yield %0 : f32
  } : tensor<4294967296x4294967296xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x, %x] clamp : tensor<4294967296x4294967296xf32>
    pipeline.yield %0 : f32
  } : tensor<4xf32>
  return %b : tensor<4xf32>
}

// -----

// Where the divisor is known nothing is asked; both functions ask, since the extents are a quotient.
// CHECK-LABEL: func.func @divided_extents(
// CHECK:         %[[OK:.*]] = arith.cmpi ne, %[[N:.*]], %{{.*}} : index
// CHECK-NEXT:    cf.assert %[[OK]], "{{.*}}a division by zero, expected arg1 != 0"
// CHECK:         arith.divui %{{.*}}, %[[N]]
// CHECK-NOT:     division
// CHECK-LABEL: func.func @divided(
// CHECK:         %[[OK:.*]] = arith.cmpi ne, %[[N:.*]], %{{.*}} : index
// CHECK-NEXT:    cf.assert %[[OK]], "{{.*}}a division by zero, expected arg1 != 0"
// CHECK:         arith.divui %{{.*}}, %[[N]]
func.func @divided(%img: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %w = tensor.dim %img, %c0 : tensor<?xf32>
  %part = arith.divui %w, %n : index
  %half = arith.divui %part, %c2 : index
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x] clamp : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%half) : tensor<?xf32>
  return %a : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @signed(
// CHECK-SAME:    %[[N:.*]]: i32, %[[M:.*]]: i32,
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG:     %[[LEAST:.*]] = arith.constant -2147483648 : i32
// CHECK-DAG:     %[[MINUS:.*]] = arith.constant -1 : i32
// CHECK:         %[[OK:.*]] = arith.cmpi ne, %[[M]], %[[ZERO]] : i32
// CHECK-NEXT:    cf.assert %[[OK]], "{{.*}}a division by zero, expected arg1 != 0"
// CHECK-NEXT:    %[[A:.*]] = arith.cmpi ne, %[[N]], %[[LEAST]] : i32
// CHECK-NEXT:    %[[B:.*]] = arith.cmpi ne, %[[M]], %[[MINUS]] : i32
// CHECK-NEXT:    %[[EITHER:.*]] = arith.ori %[[A]], %[[B]] : i1
// CHECK-NEXT:    cf.assert %[[EITHER]], "{{.*}}a quotient that its type does not hold, expected arg0 != -2147483648 or arg1 != -1"
// CHECK-NEXT:    arith.remsi %[[N]], %[[M]]
func.func @signed(%n: i32, %m: i32) -> tensor<8xi32> {
  %q = arith.remsi %n, %m : i32
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %q : i32
  } : tensor<8xi32>
  return %a : tensor<8xi32>
}
