// Zeros are not added to what is never -0.

// RUN: pipeline-opt %s --fold-zeros | FileCheck %s

// The sum of a reduce that was written out: its first number is a square, the sum is never -0, and so it is in the next stage.
// CHECK-LABEL: @sums
// CHECK:       pipeline.stage "a"
// CHECK:         %[[P:.*]] = pipeline.load %{{.*}}[%x]
// CHECK-NEXT:    %[[Q:.*]] = pipeline.load %{{.*}}[%x + 1]
// CHECK-NEXT:    %[[S:.*]] = arith.mulf %[[P]], %[[P]]
// CHECK-NEXT:    %[[T:.*]] = arith.addf %[[S]], %[[Q]]
// CHECK-NEXT:    pipeline.yield %[[T]]
// CHECK:       pipeline.stage "b"
// CHECK:         %[[P:.*]] = pipeline.load %{{.*}}[%x]
// CHECK-NEXT:    %[[Q:.*]] = pipeline.load %{{.*}}[%x + 1]
// CHECK-NEXT:    %[[S:.*]] = arith.addf %[[P]], %[[Q]]
// CHECK-NEXT:    pipeline.yield %[[S]]
func.func @sums(%img: tensor<16xf32>) -> tensor<16xf32> {
  %zero = arith.constant 0.0 : f32
  %a = pipeline.stage "a" (%x) {
    %p = pipeline.load %img[%x] : tensor<16xf32>
    %q = pipeline.load %img[%x + 1] clamp : tensor<16xf32>
    %0 = math.fma %p, %p, %zero : f32
    %1 = arith.addf %zero, %0 : f32
    %2 = arith.addf %1, %q : f32
    pipeline.yield %2 : f32
  } : tensor<16xf32>
  %b = pipeline.stage "b" (%x) {
    %p = pipeline.load %a[%x] : tensor<16xf32>
    %q = pipeline.load %a[%x + 1] clamp : tensor<16xf32>
    %0 = arith.addf %zero, %p : f32
    %1 = arith.addf %0, %q : f32
    pipeline.yield %1 : f32
  } : tensor<16xf32>
  return %b : tensor<16xf32>
}

// Of an image nothing is known, a product can be -0, and so can a square be that was added to what is below 0 before it was rounded; and
// what is outside of a stage.
// CHECK-LABEL: @kept
// CHECK-COUNT-5: arith.addf
// CHECK-NOT:   arith.addf
func.func @kept(%img: tensor<16xf32>, %out: f32) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %below = arith.constant -1.0 : f32
  %loaded = pipeline.stage "loaded" (%x) {
    %p = pipeline.load %img[%x] : tensor<16xf32>
    %0 = arith.addf %zero, %p : f32
    pipeline.yield %0 : f32
  } : tensor<16xf32>
  %product = pipeline.stage "product" (%x) {
    %p = pipeline.load %img[%x] : tensor<16xf32>
    %q = pipeline.load %img[%x + 1] clamp : tensor<16xf32>
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %0, %zero : f32
    pipeline.yield %1 : f32
  } : tensor<16xf32>
  %fused = pipeline.stage "fused" (%x) {
    %p = pipeline.load %img[%x] : tensor<16xf32>
    %0 = math.fma %p, %p, %below : f32
    %1 = arith.addf %0, %zero : f32
    pipeline.yield %1 : f32
  } : tensor<16xf32>
  %square = pipeline.stage "square" (%x) {
    %p = pipeline.load %img[%x] : tensor<16xf32>
    %0 = arith.mulf %p, %p : f32
    pipeline.yield %0 : f32
  } : tensor<16xf32>
  %outside = pipeline.stage "outside" (%x) {
    %p = pipeline.load %square[%x + 1] constant(%out) : tensor<16xf32>
    %0 = arith.addf %p, %zero : f32
    pipeline.yield %0 : f32
  } : tensor<16xf32>
  %one = pipeline.stage "one" (%x) {
    %p = pipeline.load %img[%x] : tensor<16xf32>
    %q = arith.subf %p, %p : f32
    %0 = arith.addf %q, %zero : f32
    pipeline.yield %0 : f32
  } : tensor<16xf32>
  return %loaded, %product, %fused, %outside, %one : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// What was an integer, a magnitude, and the larger of two such.
// CHECK-LABEL: @others
// CHECK-NOT:   arith.addf
// CHECK:       return
func.func @others(%img: tensor<16xf32>, %bytes: tensor<16xi8>) -> (tensor<16xf32>, tensor<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %integer = pipeline.stage "integer" (%x) {
    %p = pipeline.load %bytes[%x] : tensor<16xi8>
    %q = arith.sitofp %p : i8 to f32
    %0 = arith.addf %zero, %q : f32
    pipeline.yield %0 : f32
  } : tensor<16xf32>
  %larger = pipeline.stage "larger" (%x) {
    %p = pipeline.load %img[%x] : tensor<16xf32>
    %q = math.absf %p : f32
    %r = pipeline.load %integer[%x] : tensor<16xf32>
    %s = arith.maximumf %q, %r : f32
    %0 = arith.addf %s, %zero : f32
    pipeline.yield %0 : f32
  } : tensor<16xf32>
  return %integer, %larger : tensor<16xf32>, tensor<16xf32>
}
