// Footprints through boundary modes: what of a producer is read where indices fall outside it.

// RUN: pipeline-opt %s -infer-bounds | FileCheck %s

// CHECK-LABEL: @none
func.func @none(%v: f32) -> tensor<10xf32> {
  // CHECK: } in [3, 13) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x + 3] : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<10xf32>
  return %b : tensor<10xf32>
}

// CHECK-LABEL: @clamp
func.func @clamp(%v: f32) -> tensor<10xf32> {
  // CHECK: } in [0, 8) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x - 2] clamp : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<10xf32>
  return %b : tensor<10xf32>
}

// Every index is beyond the end: the last point is all that is read.
// CHECK-LABEL: @clamp_outside
func.func @clamp_outside(%v: f32) -> tensor<10xf32> {
  // CHECK: } in [19, 20) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x + 30] clamp : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<10xf32>
  return %b : tensor<10xf32>
}

// -3 and -2 are 2 and 1.
// CHECK-LABEL: @mirror_before
func.func @mirror_before(%v: f32) -> tensor<2xf32> {
  // CHECK: } in [1, 3) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x - 3] mirror : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<2xf32>
  return %b : tensor<2xf32>
}

// 17 to 21 are 17, 18, 19, 19, 18.
// CHECK-LABEL: @mirror_across
func.func @mirror_across(%v: f32) -> tensor<5xf32> {
  // CHECK: } in [17, 20) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x + 17] mirror : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<5xf32>
  return %b : tensor<5xf32>
}

// -3 and -2 are 3 and 2.
// CHECK-LABEL: @reflect101_before
func.func @reflect101_before(%v: f32) -> tensor<2xf32> {
  // CHECK: } in [2, 4) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x - 3] reflect101 : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<2xf32>
  return %b : tensor<2xf32>
}

// 17 to 21 are 17, 18, 19, 18, 17.
// CHECK-LABEL: @reflect101_across
func.func @reflect101_across(%v: f32) -> tensor<5xf32> {
  // CHECK: } in [17, 20) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x + 17] reflect101 : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<5xf32>
  return %b : tensor<5xf32>
}

// Beyond both edges several times: 3 points have the period 4, and -103 and -102 are 1 and 2.
// CHECK-LABEL: @reflect101_far
func.func @reflect101_far(%v: f32) -> tensor<2xf32> {
  // CHECK: } in [1, 3) : tensor<3xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<3xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x - 103] reflect101 : tensor<3xf32>
    pipeline.yield %0 : f32
  } : tensor<2xf32>
  return %b : tensor<2xf32>
}

// -5 to -3 are 15 to 17.
// CHECK-LABEL: @wrap_before
func.func @wrap_before(%v: f32) -> tensor<3xf32> {
  // CHECK: } in [15, 18) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x - 5] wrap : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<3xf32>
  return %b : tensor<3xf32>
}

// -1, 0 and 1 are at both ends: an interval that holds them is the whole.
// CHECK-LABEL: @wrap_across
func.func @wrap_across(%v: f32) -> tensor<3xf32> {
  // CHECK: } in [0, 20) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x - 1] wrap : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<3xf32>
  return %b : tensor<3xf32>
}

// CHECK-LABEL: @constant
func.func @constant(%v: f32) -> tensor<10xf32> {
  // CHECK: } in [0, 8) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x - 2] constant(%v) : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<10xf32>
  return %b : tensor<10xf32>
}

// One source under two modes: the hull of both.
// CHECK-LABEL: @two_modes
func.func @two_modes(%v: f32) -> tensor<2xf32> {
  // CHECK: } in [0, 5) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x - 5] clamp : tensor<20xf32>
    %1 = pipeline.load %a[%x - 5] mirror : tensor<20xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<2xf32>
  return %b : tensor<2xf32>
}
