// Scans and iterates work on planes: between these and the caller's pixels are copies.

// RUN: pipeline-opt %s --channels-outermost --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @sums
// CHECK:       %[[PLANES:.*]] = pipeline.stage "img_planes" (%c, %y, %x) {
// CHECK:       %[[SUMS:.*]] = pipeline.scan "sums" (%c, %y, %x) along 1 {
// CHECK:         pipeline.load %[[PLANES]][%c, %y, %x] : tensor<3x8x16xi32>
// CHECK:       %[[PIXELS:.*]] = pipeline.stage "sums_pixels" (%c, %y, %x) {
// CHECK:         pipeline.load %[[SUMS]][%c, %y, %x]
// CHECK:       return %[[PIXELS]], %{{.*}} : tensor<3x8x16xi32>, tensor<3x8x16xi32>
func.func @sums(%img: tensor<8x16x3xi32> {weft.name = "img"}) -> (tensor<8x16x3xi32>, tensor<8x16x3xi32>) {
  %zero = arith.constant 0 : i32
  %sums = pipeline.scan "sums" (%y, %x, %c) along 0 {
    %0 = pipeline.load %img[%y, %x, %c] : tensor<8x16x3xi32>
    %1 = pipeline.previous 1 or %zero : i32
    %2 = arith.addi %0, %1 : i32
    pipeline.yield %2 : i32
  } : tensor<8x16x3xi32>
  %twice = pipeline.stage "twice" (%y, %x, %c) {
    %0 = pipeline.load %sums[%y, %x, %c] : tensor<8x16x3xi32>
    %1 = pipeline.load %img[%y, %x, %c] : tensor<8x16x3xi32>
    %2 = arith.addi %0, %1 : i32
    pipeline.yield %2 : i32
  } : tensor<8x16x3xi32>
  return %sums, %twice : tensor<8x16x3xi32>, tensor<8x16x3xi32>
}

// -----

// CHECK-LABEL: func.func @heat
// CHECK:       %[[PLANES:.*]] = pipeline.stage "img_planes" (%c, %y, %x) {
// CHECK:       %[[HEAT:.*]] = pipeline.iterate "heat" %{{.*}} (%[[STATE:.*]] = %[[PLANES]] : tensor<3x8x16xf32>) {
// CHECK:         pipeline.stage "step" (%c, %y, %x) {
// CHECK:           pipeline.load %[[STATE]][%c, %y, %x - 1] clamp : tensor<3x8x16xf32>
// CHECK:       %[[PIXELS:.*]] = pipeline.stage "image_pixels" (%c, %y, %x) {
// CHECK:         pipeline.load %[[HEAT]][%c, %y, %x]
// CHECK:       return %[[PIXELS]]
func.func @heat(%img: tensor<8x16x3xf32> {weft.name = "img"}, %n: index) -> tensor<8x16x3xf32> {
  %dark = pipeline.stage "dark" (%y, %x) {
    %0 = pipeline.load %img[%y, %x, 0] : tensor<8x16x3xf32>
    pipeline.yield %0 : f32
  } : tensor<8x16xf32>
  %heat = pipeline.iterate "heat" %n (%s = %img : tensor<8x16x3xf32>) {
    %a = pipeline.stage "step" (%y, %x, %c) {
      %0 = pipeline.load %s[%y, %x - 1, %c] clamp : tensor<8x16x3xf32>
      %1 = pipeline.load %dark[%y, %x] : tensor<8x16xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<8x16x3xf32>
    pipeline.yield %a : tensor<8x16x3xf32>
  }
  return %heat : tensor<8x16x3xf32>
}
