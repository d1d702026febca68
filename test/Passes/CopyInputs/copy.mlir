// An image of which a stage's reduces read each point 64 times or more, also beyond its edges, is read from a copy.

// RUN: pipeline-opt %s --copy-inputs | FileCheck %s

// 16 planes of 9 points: each point of the image is read 144 times. Weights are not: nothing of them lies outside.
// CHECK-LABEL: @often
// CHECK-SAME:  (%[[IMG:[^:]*]]: tensor<16x?x32xf32> {weft.name = "img"}, %[[WEIGHTS:[^:]*]]: tensor<16x16x3x3xf32>,
// CHECK:       %[[DIM:.*]] = tensor.dim %[[IMG]], %c1{{.*}}
// CHECK-NEXT:  %[[COPY:.*]] = pipeline.stage "img_copy" ({{.*}}) {
// CHECK-NEXT:    %[[V:.*]] = pipeline.load %[[IMG]][%c, %y, %x] : tensor<16x?x32xf32>
// CHECK-NEXT:    pipeline.yield %[[V]] : f32
// CHECK-NEXT:  } sized(%[[DIM]])
// CHECK:       pipeline.stage "conv"
// CHECK:         pipeline.load %[[WEIGHTS]]
// CHECK:         pipeline.load %[[COPY]][%{{.*}}, %y + %{{.*}} - 1, %x + %{{.*}} - 1] constant(%{{.*}}) : tensor<16x?x32xf32>
func.func @often(%img: tensor<16x?x32xf32> {weft.name = "img"}, %weights: tensor<16x16x3x3xf32>, %zero: f32) -> tensor<16x?x32xf32> {
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c1 : tensor<16x?x32xf32>
  %0 = pipeline.stage "conv" (%c, %y, %x) {
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 16) x [0, 3) x [0, 3) (%acc = %zero : f32) {
      %2 = pipeline.load %weights[%c, %rc, %ry, %rx] : tensor<16x16x3x3xf32>
      %3 = pipeline.load %img[%rc, %y + %ry - 1, %x + %rx - 1] constant(%zero) : tensor<16x?x32xf32>
      %4 = math.fma %2, %3, %acc : f32
      pipeline.yield %4 : f32
    } : f32
    pipeline.yield %1 : f32
  } sized(%h) : tensor<16x?x32xf32>
  return %0 : tensor<16x?x32xf32>
}

// 49 times.
// CHECK-LABEL: @seldom
// CHECK-NOT:   _copy
func.func @seldom(%img: tensor<64x32xf32>, %zero: f32) -> tensor<64x32xf32> {
  %0 = pipeline.stage "sum" (%y, %x) {
    %1 = pipeline.reduce (%ry, %rx) in [0, 7) x [0, 7) (%acc = %zero : f32) {
      %3 = pipeline.load %img[%y + %ry - 3, %x + %rx - 3] clamp : tensor<64x32xf32>
      %4 = arith.addf %3, %acc : f32
      pipeline.yield %4 : f32
    } : f32
    pipeline.yield %1 : f32
  } : tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}

// Blocks side by side: a point is in one of them.
// CHECK-LABEL: @apart
// CHECK-NOT:   _copy
func.func @apart(%img: tensor<64x32xf32>, %zero: f32) -> tensor<8x4xf32> {
  %0 = pipeline.stage "sum" (%y, %x) {
    %1 = pipeline.reduce (%ry, %rx) in [0, 8) x [0, 8) (%acc = %zero : f32) {
      %3 = pipeline.load %img[8 * %y + %ry, 8 * %x + %rx] clamp : tensor<64x32xf32>
      %4 = arith.addf %3, %acc : f32
      pipeline.yield %4 : f32
    } : f32
    pipeline.yield %1 : f32
  } : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// 81 times, and rows of windows go on as reflections.
// CHECK-LABEL: @reflected
// CHECK:       pipeline.stage "image_copy"
// CHECK:       pipeline.load %image_copy[{{.*}}] reflect101
func.func @reflected(%img: tensor<64x32xf32>, %zero: f32) -> tensor<64x32xf32> {
  %0 = pipeline.stage "sum" (%y, %x) {
    %1 = pipeline.reduce (%ry, %rx) in [0, 9) x [0, 9) (%acc = %zero : f32) {
      %3 = pipeline.load %img[%y + %ry - 4, %x + %rx - 4] reflect101 : tensor<64x32xf32>
      %4 = arith.addf %3, %acc : f32
      pipeline.yield %4 : f32
    } : f32
    pipeline.yield %1 : f32
  } : tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}

// But not with the row's other end.
// CHECK-LABEL: @wrapped
// CHECK-NOT:   _copy
func.func @wrapped(%img: tensor<64x32xf32>, %zero: f32) -> tensor<64x32xf32> {
  %0 = pipeline.stage "sum" (%y, %x) {
    %1 = pipeline.reduce (%ry, %rx) in [0, 9) x [0, 9) (%acc = %zero : f32) {
      %3 = pipeline.load %img[%y + %ry - 4, %x + %rx - 4] wrap : tensor<64x32xf32>
      %4 = arith.addf %3, %acc : f32
      pipeline.yield %4 : f32
    } : f32
    pipeline.yield %1 : f32
  } : tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}

// All points that are read lie inside: there is no border.
// CHECK-LABEL: @inside
// CHECK-NOT:   _copy
func.func @inside(%img: tensor<128x64x32xf32>, %weights: tensor<8x128xf32>, %zero: f32) -> tensor<8x64x32xf32> {
  %0 = pipeline.stage "mix" (%c, %y, %x) {
    %1 = pipeline.reduce (%rx) in [0, 128) (%acc = %zero : f32) {
      %2 = pipeline.load %weights[%c, %rx] : tensor<8x128xf32>
      %3 = pipeline.load %img[%rx, %y, %x] : tensor<128x64x32xf32>
      %4 = math.fma %2, %3, %acc : f32
      pipeline.yield %4 : f32
    } : f32
    pipeline.yield %1 : f32
  } : tensor<8x64x32xf32>
  return %0 : tensor<8x64x32xf32>
}

// 49 times each of two loads.
// CHECK-LABEL: @both
// CHECK:       %[[COPY:.*]] = pipeline.stage "arg0_copy"
// CHECK:       pipeline.stage "sum"
// CHECK-COUNT-2: pipeline.load %[[COPY]]
func.func @both(%arg0: tensor<64x32xf32> {weft.name = "arg0"}, %zero: f32) -> tensor<64x32xf32> {
  %0 = pipeline.stage "sum" (%y, %x) {
    %1 = pipeline.reduce (%ry, %rx) in [0, 7) x [0, 7) (%acc = %zero : f32) {
      %3 = pipeline.load %arg0[%y + %ry - 3, %x + %rx - 3] clamp : tensor<64x32xf32>
      %4 = pipeline.load %arg0[%y + %ry, %x + %rx] clamp : tensor<64x32xf32>
      %5 = math.fma %3, %4, %acc : f32
      pipeline.yield %5 : f32
    } : f32
    pipeline.yield %1 : f32
  } : tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}
