// Strategies: one group of everything, one group of each stage.

// RUN: pipeline-opt %s -fuse | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: pipeline-opt %s -fuse=strategy=all | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: pipeline-opt %s -fuse=strategy=none | FileCheck %s --check-prefixes=CHECK,NONE
// What has been fused stays as it is.
// RUN: pipeline-opt %s -fuse=strategy=none -fuse=strategy=all | FileCheck %s --check-prefixes=CHECK,NONE

// CHECK-LABEL: @chain
// CHECK-SAME: %[[IMG:[^:]*]]: tensor
func.func @chain(%img: tensor<8xf32>) -> tensor<8xf32> {
  // ALL-NEXT:  %[[G:.*]] = pipeline.group "g0" {
  // ALL-NEXT:    %[[A:.*]] = pipeline.stage "a" (%x) {
  // ALL-NEXT:      pipeline.load %[[IMG]][%x - 1] clamp
  // ALL:         pipeline.stage "b"
  // ALL-NEXT:      pipeline.load %[[A]][%x - 1] clamp
  // ALL:         %[[C:.*]] = pipeline.stage "c"
  // ALL:         pipeline.yield %[[C]] : tensor<8xf32>
  // ALL-NEXT:  } : tensor<8xf32>
  // ALL-NEXT:  return %[[G]]

  // NONE-NEXT: %[[G0:.*]] = pipeline.group "g0" {
  // NONE-NEXT:   %[[A:.*]] = pipeline.stage "a" (%x) {
  // NONE:        pipeline.yield %[[A]] : tensor<8xf32>
  // NONE-NEXT: } : tensor<8xf32>
  // NONE-NEXT: %[[G1:.*]] = pipeline.group "g1" {
  // NONE-NEXT:   %[[B:.*]] = pipeline.stage "b" (%x) {
  // NONE-NEXT:     pipeline.load %[[G0]][%x - 1] clamp
  // NONE:        pipeline.yield %[[B]] : tensor<8xf32>
  // NONE-NEXT: } : tensor<8xf32>
  // NONE-NEXT: %[[G2:.*]] = pipeline.group "g2" {
  // NONE-NEXT:   %[[C:.*]] = pipeline.stage "c" (%x) {
  // NONE-NEXT:     pipeline.load %[[G1]][%x - 1] clamp
  // NONE:        pipeline.yield %[[C]] : tensor<8xf32>
  // NONE-NEXT: } : tensor<8xf32>
  // NONE-NEXT: return %[[G2]]
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x - 1] clamp : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x - 1] clamp : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  %c = pipeline.stage "c" (%x) {
    %0 = pipeline.load %b[%x - 1] clamp : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  return %c : tensor<8xf32>
}

// Groups of different functions are strangers: each function counts from g0.
// CHECK-LABEL: @another_function
func.func @another_function(%v: f32) -> tensor<8xf32> {
  // CHECK: pipeline.group "g0"
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %a : tensor<8xf32>
}

// CHECK-LABEL: @no_stages
func.func @no_stages(%v: f32) -> f32 {
  // CHECK-NEXT: arith.addf
  // CHECK-NEXT: return
  %0 = arith.addf %v, %v : f32
  return %0 : f32
}

// CHECK-LABEL: func.func private @declaration
func.func private @declaration(tensor<8xf32>)

module {
  // CHECK-LABEL: @nested_module
  func.func @nested_module(%v: f32) -> tensor<8xf32> {
    // CHECK: pipeline.group "g0"
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    return %a : tensor<8xf32>
  }
}
