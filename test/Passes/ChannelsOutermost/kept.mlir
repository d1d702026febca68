// What is no image of pixels stays as it is.

// RUN: pipeline-opt %s --channels-outermost --split-input-file | FileCheck %s

// Too many channels, and too few columns.
// CHECK-LABEL: func.func @sizes
// CHECK-NOT:   interleaved
// CHECK:       pipeline.stage "many" (%c, %y, %x) {
// CHECK:       pipeline.stage "small" (%c, %y, %x) {
func.func @sizes(%many: tensor<8x16x5xf32>, %small: tensor<8x4x3xf32>) -> (tensor<8x16x5xf32>, tensor<8x4x3xf32>) {
  %a = pipeline.stage "many" (%y, %x, %c) {
    %0 = pipeline.load %many[%y, %x, %c] : tensor<8x16x5xf32>
    pipeline.yield %0 : f32
  } : tensor<8x16x5xf32>
  %b = pipeline.stage "small" (%y, %x, %c) {
    %0 = pipeline.load %small[%y, %x, %c] : tensor<8x4x3xf32>
    pipeline.yield %0 : f32
  } : tensor<8x4x3xf32>
  return %a, %b : tensor<8x16x5xf32>, tensor<8x4x3xf32>
}

// -----

// Rows of %m lie along %k: vectors along %x would have to be gathered.
// CHECK-LABEL: func.func @product
// CHECK-NOT:   interleaved
// CHECK:       pipeline.load %{{.*}}[%c, %y, %{{.*}}] : tensor<8x16x64xf32>
func.func @product(%m: tensor<8x16x64xf32>, %w: tensor<64x3xf32>, %zero: f32) -> tensor<8x16x3xf32> {
  %a = pipeline.stage "product" (%y, %x, %c) {
    %0 = pipeline.reduce (%k) in [0, 64) (%acc = %zero : f32) {
      %1 = pipeline.load %m[%y, %x, %k] : tensor<8x16x64xf32>
      %2 = pipeline.load %w[%k, %c] : tensor<64x3xf32>
      %3 = math.fma %1, %2, %acc : f32
      pipeline.yield %3 : f32
    } : f32
    pipeline.yield %0 : f32
  } : tensor<8x16x3xf32>
  return %a : tensor<8x16x3xf32>
}

// -----

// Weights are not read along rows.
// CHECK-LABEL: func.func @weights
// CHECK-SAME:  {weft.interleaved}, %{{[^:]*}}: tensor<3x5x3xf32>)
// CHECK:       pipeline.load %{{.*}}[%c, 0, 0] : tensor<3x5x3xf32>
func.func @weights(%img: tensor<8x16x3xf32>, %weights: tensor<3x5x3xf32>) -> tensor<8x16x3xf32> {
  %a = pipeline.stage "a" (%y, %x, %c) {
    %0 = pipeline.load %img[%y, %x, %c] : tensor<8x16x3xf32>
    %1 = pipeline.load %weights[%c, 0, 0] : tensor<3x5x3xf32>
    %2 = arith.mulf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<8x16x3xf32>
  return %a : tensor<8x16x3xf32>
}

// -----

// Groups are written by hand.
// CHECK-LABEL: func.func @group
// CHECK-NOT:   interleaved
func.func @group(%img: tensor<8x16x3xf32>) -> tensor<8x16x3xf32> {
  %g = pipeline.group "g" {
    %a = pipeline.stage "a" (%y, %x, %c) {
      %0 = pipeline.load %img[%y, %x, %c] : tensor<8x16x3xf32>
      pipeline.yield %0 : f32
    } : tensor<8x16x3xf32>
    pipeline.yield %a : tensor<8x16x3xf32>
  } : tensor<8x16x3xf32>
  return %g : tensor<8x16x3xf32>
}
