// Boundary modes of loads that are replaced.

// RUN: pipeline-opt %s -inline-stages -split-input-file | FileCheck %s

// They move to the loads of a stage that reads at its own coordinates, from images as large as itself.
// CHECK-LABEL: @move
// CHECK-NOT:   "square"
// CHECK:       pipeline.stage "sum" (%y, %x) {
// CHECK:         pipeline.load %arg0[%y, %x - 1] clamp
// CHECK:         pipeline.load %arg0[%y - 9, %x] mirror
// CHECK:         pipeline.load %arg0[%y, %x + 7] wrap
// CHECK:         pipeline.load %arg0[%y + 3, %x - 2] reflect101
func.func @move(%img: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  // Another name of the same extent.
  %w2 = tensor.dim %img, %c1 : tensor<?x?xf32>
  %a = pipeline.stage "square" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<?x?xf32>
    %1 = arith.mulf %0, %0 : f32
    pipeline.yield %1 : f32
  } sized(%h, %w2) : tensor<?x?xf32>
  %b = pipeline.stage "sum" (%y, %x) {
    %0 = pipeline.load %a[%y, %x - 1] clamp : tensor<?x?xf32>
    %1 = pipeline.load %a[%y - 9, %x] mirror : tensor<?x?xf32>
    %2 = pipeline.load %a[%y, %x + 7] wrap : tensor<?x?xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    %5 = pipeline.load %a[%y + 3, %x - 2] reflect101 : tensor<?x?xf32>
    %6 = arith.addf %4, %5 : f32
    pipeline.yield %6 : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %b : tensor<?x?xf32>
}

// -----

// Dimensions in which the index stays inside do not mind: there the stage may read where it likes, in the same mode.
// CHECK-LABEL: @other_dimension
// CHECK-NOT:   "dx"
// CHECK:       pipeline.load %arg0[%y + 1, %x - 2] clamp
func.func @other_dimension(%img: tensor<16x20xf32>) -> tensor<16x20xf32> {
  %a = pipeline.stage "dx" (%y, %x) {
    %0 = pipeline.load %img[%y, %x - 2] clamp : tensor<16x20xf32>
    %1 = math.exp %0 : f32
    pipeline.yield %1 : f32
  } : tensor<16x20xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y + 1, %x] clamp : tensor<16x20xf32>
    pipeline.yield %0 : f32
  } : tensor<16x20xf32>
  return %b : tensor<16x20xf32>
}

// -----

// A mode that does nothing is left out, and the stage's own mode is kept.
// CHECK-LABEL: @inside
// CHECK:       %[[ZERO:.*]] = arith.constant 0.0
// CHECK-NOT:   "a"
// CHECK:       pipeline.load %arg0[%x + 1] constant(%[[ZERO]])
func.func @inside(%img: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x - 1] constant(%zero) : tensor<8xf32>
    %1 = arith.negf %0 : f32
    pipeline.yield %1 : f32
  } : tensor<10xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x + 2] mirror : tensor<10xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  return %b : tensor<8xf32>
}

// -----

// What lies outside does not pass through the body: `constant` moves through copies only.
// CHECK-LABEL: @constant
// CHECK-NOT:   "copy"
// CHECK:       pipeline.stage "negated"
// CHECK:       pipeline.stage "b"
// CHECK:         pipeline.load %arg0[%x + 1, %y] constant(%{{.*}}) : tensor<9x8xf32>
// CHECK:         pipeline.load %negated[%x - 1] constant(%{{.*}}) : tensor<9xf32>
func.func @constant(%img: tensor<9x8xf32>, %row: tensor<9xf32>) -> tensor<8x9xf32> {
  %one = arith.constant 1.0 : f32
  %copy = pipeline.stage "copy" (%y, %x) {
    %0 = pipeline.load %img[%x, %y] : tensor<9x8xf32>
    pipeline.yield %0 : f32
  } : tensor<8x9xf32>
  %negated = pipeline.stage "negated" (%x) {
    %0 = pipeline.load %row[%x] : tensor<9xf32>
    %1 = arith.negf %0 : f32
    pipeline.yield %1 : f32
  } : tensor<9xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %copy[%y, %x + 1] constant(%one) : tensor<8x9xf32>
    %1 = pipeline.load %negated[%x - 1] constant(%one) : tensor<9xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<8x9xf32>
  return %b : tensor<8x9xf32>
}

// -----

// Where the stage reads beside its point, or from a larger image, the mode stays, and so does the stage.
// CHECK-LABEL: @kept
// CHECK:       pipeline.stage "beside"
// CHECK:       pipeline.stage "smaller"
// CHECK:       pipeline.stage "other_mode"
// CHECK:       pipeline.stage "numbers"
// CHECK:       pipeline.stage "b"
func.func @kept(%img: tensor<9x8xf32>) -> tensor<9x8xf32> {
  %beside = pipeline.stage "beside" (%y, %x) {
    %0 = pipeline.load %img[%y, %x - 1] clamp : tensor<9x8xf32>
    pipeline.yield %0 : f32
  } : tensor<9x8xf32>
  %smaller = pipeline.stage "smaller" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<9x8xf32>
    pipeline.yield %0 : f32
  } : tensor<9x7xf32>
  %other = pipeline.stage "other_mode" (%y, %x) {
    %0 = pipeline.load %img[%y - 1, %x] mirror : tensor<9x8xf32>
    pipeline.yield %0 : f32
  } : tensor<9x8xf32>
  %numbers = pipeline.stage "numbers" (%y, %x) {
    %0 = arith.index_cast %x : index to i32
    %1 = arith.sitofp %0 : i32 to f32
    pipeline.yield %1 : f32
  } : tensor<9x8xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %beside[%y, %x - 1] clamp : tensor<9x8xf32>
    %1 = pipeline.load %smaller[%y, %x - 1] clamp : tensor<9x7xf32>
    %2 = pipeline.load %other[%y, %x - 1] clamp : tensor<9x8xf32>
    %3 = pipeline.load %numbers[%y, %x - 1] clamp : tensor<9x8xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %2, %3 : f32
    %6 = arith.addf %4, %5 : f32
    pipeline.yield %6 : f32
  } : tensor<9x8xf32>
  return %b : tensor<9x8xf32>
}
