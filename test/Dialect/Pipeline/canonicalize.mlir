// What upstream passes make of pure stages and loads: no pattern of ours is at work.

// RUN: pipeline-opt %s -canonicalize | FileCheck %s
// RUN: pipeline-opt %s -cse | FileCheck %s --check-prefix=CSE
// RUN: pipeline-opt %s -canonicalize -cse -symbol-dce -sccp -o /dev/null

// CHECK-LABEL: @dead_stage
func.func @dead_stage(%img: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NOT: "dead"
  %0 = pipeline.stage "dead" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  // CHECK: return %arg0
  return %img : tensor<8xf32>
}

// CHECK-LABEL: @dead_chain
func.func @dead_chain(%img: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NOT: pipeline.stage
  %0 = pipeline.stage "a" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  %1 = pipeline.stage "b" (%x) {
    %a = pipeline.load %0[%x] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  // CHECK: return
  return %img : tensor<8xf32>
}

// CHECK-LABEL: @dead_group
func.func @dead_group(%v: f32) {
  // CHECK-NOT: pipeline
  %0 = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  // CHECK: return
  return
}

// CHECK-LABEL: @dead_stage_in_group
func.func @dead_stage_in_group(%v: f32) -> tensor<8xf32> {
  %0 = pipeline.group "g" {
    // CHECK-NOT: "dead"
    %a = pipeline.stage "dead" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    // CHECK: pipeline.stage "live"
    %b = pipeline.stage "live" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %b : tensor<8xf32>
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @dead_load
func.func @dead_load(%img: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // CHECK-NOT: pipeline.load
    %a = pipeline.load %img[%x + 1] clamp : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  // CHECK: return
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @constants_fold
func.func @constants_fold(%img: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: %[[HALF:.*]] = arith.constant 5.000000e-01 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  // CHECK: pipeline.stage "s"
  %0 = pipeline.stage "s" (%x) {
    %half = arith.divf %one, %two : f32
    // CHECK:      %[[A:.*]] = pipeline.load
    // CHECK-NEXT: arith.mulf %[[A]], %[[HALF]]
    %a = pipeline.load %img[%x] : tensor<8xf32>
    %b = arith.mulf %a, %half : f32
    pipeline.yield %b : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CSE-LABEL: @equal_loads
func.func @equal_loads(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // CSE:      %[[A:.*]] = pipeline.load %{{.*}}[%x + 1] clamp
    // CSE-NEXT: arith.addf %[[A]], %[[A]]
    %a = pipeline.load %img[%x + 1] clamp : tensor<8xf32>
    %b = pipeline.load %img[%x + 1] clamp : tensor<8xf32>
    %c = arith.addf %a, %b : f32
    pipeline.yield %c : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CSE-LABEL: @unequal_loads
func.func @unequal_loads(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // CSE: pipeline.load %{{.*}}[%x] clamp
    %a = pipeline.load %img[%x] clamp : tensor<8xf32>
    // CSE: pipeline.load %{{.*}}[%x] mirror
    %b = pipeline.load %img[%x] mirror : tensor<8xf32>
    // CSE: pipeline.load %{{.*}}[%x + 1] clamp
    %c = pipeline.load %img[%x + 1] clamp : tensor<8xf32>
    %d = arith.addf %a, %b : f32
    %e = arith.addf %c, %d : f32
    pipeline.yield %e : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CSE-LABEL: @equal_stages
func.func @equal_stages(%img: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CSE: %[[S:.*]] = pipeline.stage "s"
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  // CSE-NOT: pipeline.stage
  %1 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  // CSE: return %[[S]], %[[S]]
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// A name is what people find a stage by, so it keeps stages apart.
// CSE-LABEL: @equal_but_for_the_name
func.func @equal_but_for_the_name(%v: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  // CSE: pipeline.stage "a"
  %0 = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  // CSE: pipeline.stage "b"
  %1 = pipeline.stage "b" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
