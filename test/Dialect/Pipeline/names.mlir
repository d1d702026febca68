// SSA names in printed IR: stages and groups lend theirs, coordinates are n, c, y, x.

// RUN: pipeline-opt %s | FileCheck %s

// CHECK-LABEL: @coordinates
func.func @coordinates(%v: f32) {
  // CHECK: (%x) {
  %0 = pipeline.stage "one" (%i) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  // CHECK: (%y, %x) {
  %1 = pipeline.stage "two" (%i, %j) {
    pipeline.yield %v : f32
  } : tensor<8x8xf32>
  // CHECK: (%c, %y, %x) {
  %2 = pipeline.stage "three" (%i, %j, %k) {
    pipeline.yield %v : f32
  } : tensor<8x8x8xf32>
  // CHECK: (%n, %c, %y, %x) {
  %3 = pipeline.stage "four" (%i, %j, %k, %l) {
    pipeline.yield %v : f32
  } : tensor<8x8x8x8xf32>
  return
}

// CHECK-LABEL: @results
func.func @results(%v: f32) {
  // CHECK: %blurx = pipeline.stage "blurx"
  %0 = pipeline.stage "blurx" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  // The printer numbers the results of one op.
  // CHECK: %sobel:2 = pipeline.stage "sobel"
  %1:2 = pipeline.stage "sobel" (%x) {
    pipeline.yield %v, %v : f32, f32
  } : tensor<8xf32>, tensor<8xf32>
  // CHECK: %g0 = pipeline.group "g0"
  %2 = pipeline.group "g0" {
    // CHECK: %inner = pipeline.stage "inner"
    %a = pipeline.stage "inner" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// CHECK-LABEL: @same_name_twice
func.func @same_name_twice(%v: f32) -> tensor<8xf32> {
  // CHECK: %s = pipeline.stage "s"
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  // CHECK: %s_0 = pipeline.stage "s"
  %1 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  // CHECK: %[[X:.*]] = pipeline.stage "x" (%[[COORDINATE:.*]]) {
  // CHECK-NOT: pipeline.stage
  // CHECK: return %[[X]]
  %2 = pipeline.stage "x" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// What an SSA name cannot hold becomes an underscore; what cannot begin one leaves the printer its numbers.
// CHECK-LABEL: @odd_characters
func.func @odd_characters(%v: f32) {
  // CHECK: %blur_x_1_ = pipeline.stage "blur-x.1 "
  %0 = pipeline.stage "blur-x.1 " (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  // CHECK: %caf_ = pipeline.stage "caf\C3\A9"
  %1 = pipeline.stage "café" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  // CHECK: %a_b = pipeline.stage "a\22b"
  %2 = pipeline.stage "a\"b" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  // CHECK: %{{[0-9]+}} = pipeline.stage "3x3"
  %3 = pipeline.stage "3x3" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  // CHECK: %{{[0-9]+}} = pipeline.stage "_private"
  %4 = pipeline.stage "_private" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}
