// Stages over pixels get their channels before their rows. What the caller has stays as it is in memory.

// RUN: pipeline-opt %s --channels-outermost --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @blur
// CHECK-SAME:  (%[[IMG:.*]]: tensor<3x?x?xi8> {weft.estimate = array<i64: 3, 1080, 1920>, weft.extents = ["", "H", "W"], weft.interleaved, weft.name = "img"})
// CHECK-SAME:  -> (tensor<3x?x?xi8> {weft.interleaved, weft.name = "out"})
// CHECK-DAG:   %[[H:.*]] = tensor.dim %[[IMG]], %c1
// CHECK-DAG:   %[[W:.*]] = tensor.dim %[[IMG]], %c2
// CHECK:       %[[A:.*]] = pipeline.stage "a" (%c, %y, %x) {
// CHECK:         pipeline.load %[[IMG]][%c, %y, %x - 1] clamp : tensor<3x?x?xi8>
// CHECK:       } sized(%[[H]], %[[W]]) : tensor<3x?x?xi8>
// CHECK:       %[[B:.*]] = pipeline.stage "b" (%c, %y, %x) {
// CHECK:         pipeline.load %[[A]][-%c + 2, %y + 1, %x] clamp : tensor<3x?x?xi8>
// CHECK:       return %[[B]] : tensor<3x?x?xi8>
func.func @blur(%img: tensor<?x?x3xi8> {weft.name = "img", weft.estimate = array<i64: 1080, 1920, 3>, weft.extents = ["H", "W", ""]})
    -> (tensor<?x?x3xi8> {weft.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?x3xi8>
  %w = tensor.dim %img, %c1 : tensor<?x?x3xi8>
  %a = pipeline.stage "a" (%y, %x, %c) {
    %0 = pipeline.load %img[%y, %x - 1, %c] clamp : tensor<?x?x3xi8>
    pipeline.yield %0 : i8
  } sized(%h, %w) : tensor<?x?x3xi8>
  %b = pipeline.stage "b" (%y, %x, %c) {
    %0 = pipeline.load %a[%y + 1, %x, -%c + 2] clamp : tensor<?x?x3xi8>
    pipeline.yield %0 : i8
  } sized(%h, %w) : tensor<?x?x3xi8>
  return %b : tensor<?x?x3xi8>
}

// -----

// A gray image has no channels; those of what it is made from are read pixel by pixel.
// CHECK-LABEL: func.func @gray
// CHECK-SAME:  (%[[IMG:.*]]: tensor<4x8x16xf32> {weft.interleaved}) -> tensor<8x16xf32>
// CHECK:       pipeline.stage "gray" (%y, %x) {
// CHECK:         pipeline.load %[[IMG]][3, %y, %x] : tensor<4x8x16xf32>
func.func @gray(%img: tensor<8x16x4xf32>) -> tensor<8x16xf32> {
  %gray = pipeline.stage "gray" (%y, %x) {
    %0 = pipeline.load %img[%y, %x, 3] : tensor<8x16x4xf32>
    pipeline.yield %0 : f32
  } : tensor<8x16xf32>
  return %gray : tensor<8x16xf32>
}

// -----

// Images of four dimensions; what is needed of a stage is said of the same dimensions.
// CHECK-LABEL: func.func @batch
// CHECK-SAME:  (%[[IMG:.*]]: tensor<5x2x8x16xf32> {weft.interleaved}, %[[OTHER:.*]]: tensor<5x2x8x16xf32> {weft.interleaved}
// CHECK:       pipeline.stage "sum" (%n, %c, %y, %x) {
// CHECK:       } in [0, 5) x [0, 2) x [1, 8) x [0, 16) : tensor<5x2x8x16xf32>
func.func @batch(%img: tensor<5x8x16x2xf32>, %other: tensor<5x8x16x2xf32>) -> tensor<5x8x16x2xf32> {
  %sum = pipeline.stage "sum" (%n, %y, %x, %c) {
    %0 = pipeline.load %img[%n, %y, %x, %c] : tensor<5x8x16x2xf32>
    %1 = pipeline.load %other[%n, %y, %x, 0] : tensor<5x8x16x2xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } in [0, 5) x [1, 8) x [0, 16) x [0, 2) : tensor<5x8x16x2xf32>
  return %sum : tensor<5x8x16x2xf32>
}

// -----

// Backwards along rows is along rows.
// CHECK-LABEL: func.func @flip(
// CHECK-SAME:  %[[IMG:.*]]: tensor<3x8x16xi8> {weft.interleaved})
// CHECK:       pipeline.gather %[[IMG]][%c, %y, %{{.*}}] clamp : tensor<3x8x16xi8>
func.func @flip(%img: tensor<8x16x3xi8>) -> tensor<8x16x3xi8> {
  %last = arith.constant 15 : index
  %a = pipeline.stage "a" (%y, %x, %c) {
    %from = arith.subi %last, %x : index
    %0 = pipeline.gather %img[%y, %from, %c] clamp : tensor<8x16x3xi8>
    pipeline.yield %0 : i8
  } : tensor<8x16x3xi8>
  return %a : tensor<8x16x3xi8>
}
