// Needs pass through groups: from a group's results to its live-outs, and from its stages to what they read.

// RUN: pipeline-opt %s -infer-bounds | FileCheck %s

// CHECK-LABEL: @into_and_out_of_a_group
func.func @into_and_out_of_a_group(%v: f32) -> tensor<10xf32> {
  // CHECK: pipeline.stage "a"
  // CHECK: } in [5, 15) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %g = pipeline.group "g" {
    // CHECK: pipeline.stage "b"
    // CHECK: } in [4, 14) : tensor<18xf32>
    %b = pipeline.stage "b" (%x) {
      %0 = pipeline.load %a[%x + 1] : tensor<20xf32>
      pipeline.yield %0 : f32
    } : tensor<18xf32>
    // CHECK: pipeline.stage "c"
    // CHECK: } in [2, 12) : tensor<16xf32>
    %c = pipeline.stage "c" (%x) {
      %0 = pipeline.load %b[%x + 2] : tensor<18xf32>
      pipeline.yield %0 : f32
    } : tensor<16xf32>
    pipeline.yield %c : tensor<16xf32>
  } : tensor<16xf32>
  // CHECK: pipeline.stage "d"
  // CHECK: } in [0, 10) : tensor<10xf32>
  %d = pipeline.stage "d" (%x) {
    %0 = pipeline.load %g[%x + 2] : tensor<16xf32>
    pipeline.yield %0 : f32
  } : tensor<10xf32>
  return %d : tensor<10xf32>
}

// CHECK-LABEL: @live_out_that_is_read_inside_too
func.func @live_out_that_is_read_inside_too(%v: f32) -> (tensor<5xf32>, tensor<5xf32>) {
  %g:2 = pipeline.group "g" {
    // CHECK: pipeline.stage "a"
    // CHECK: } in [3, 18) : tensor<20xf32>
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<20xf32>
    %b = pipeline.stage "b" (%x) {
      %0 = pipeline.load %a[%x + 13] : tensor<20xf32>
      pipeline.yield %0 : f32
    } : tensor<5xf32>
    pipeline.yield %a, %b : tensor<20xf32>, tensor<5xf32>
  } : tensor<20xf32>, tensor<5xf32>
  %c = pipeline.stage "c" (%x) {
    %0 = pipeline.load %g#0[%x + 3] : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<5xf32>
  return %g#1, %c : tensor<5xf32>, tensor<5xf32>
}

// CHECK-LABEL: @dead_live_out
func.func @dead_live_out(%v: f32) -> tensor<5xf32> {
  %g:2 = pipeline.group "g" {
    // CHECK: pipeline.stage "a"
    // CHECK: } : tensor<20xf32>
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<20xf32>
    // CHECK: pipeline.stage "b"
    // CHECK: } in [0, 5) : tensor<5xf32>
    %b = pipeline.stage "b" (%x) {
      pipeline.yield %v : f32
    } : tensor<5xf32>
    pipeline.yield %a, %b : tensor<20xf32>, tensor<5xf32>
  } : tensor<20xf32>, tensor<5xf32>
  return %g#1 : tensor<5xf32>
}
