// Groups written by hand are kept as they are. The stages before one and behind one do not meet in a group, for that group
// would both feed it and read it.

// RUN: pipeline-opt %s -fuse=strategy=all | FileCheck %s

// CHECK-LABEL: @kept
func.func @kept(%v: f32) -> tensor<8xf32> {
  // CHECK-NEXT: pipeline.group "mine" schedule {block = array<i64: 64>} {
  // CHECK-NEXT:   pipeline.stage "a"
  // CHECK-NOT:  pipeline.group
  // CHECK:      return
  %g = pipeline.group "mine" schedule {block = array<i64: 64>} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return %g : tensor<8xf32>
}

// CHECK-LABEL: @splits_the_run
func.func @splits_the_run(%v: f32) -> tensor<8xf32> {
  // CHECK-NEXT: %[[G0:.*]] = pipeline.group "g0" {
  // CHECK:        pipeline.stage "a"
  // CHECK:      %[[MINE:.*]] = pipeline.group "mine" {
  // CHECK:        pipeline.stage "b"
  // CHECK:          pipeline.load %[[G0]][%x]
  // CHECK:      %[[G1:.*]] = pipeline.group "g1" {
  // CHECK:        pipeline.stage "c"
  // CHECK:          pipeline.load %[[G0]][%x]
  // CHECK:          pipeline.load %[[MINE]][%x]
  // CHECK:        pipeline.stage "d"
  // CHECK:      return %[[G1]]
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %g = pipeline.group "mine" {
    %b = pipeline.stage "b" (%x) {
      %0 = pipeline.load %a[%x] : tensor<8xf32>
      pipeline.yield %0 : f32
    } : tensor<8xf32>
    pipeline.yield %b : tensor<8xf32>
  } : tensor<8xf32>
  %c = pipeline.stage "c" (%x) {
    %0 = pipeline.load %a[%x] : tensor<8xf32>
    %1 = pipeline.load %g[%x] : tensor<8xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<8xf32>
  %d = pipeline.stage "d" (%x) {
    %0 = pipeline.load %c[%x] : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  return %d : tensor<8xf32>
}

// Names of new groups avoid those there are.
// CHECK-LABEL: @names
func.func @names(%v: f32) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK: pipeline.group "g1" {
  // CHECK: pipeline.stage "a"
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  // CHECK: pipeline.group "g0" {
  // CHECK: pipeline.stage "b"
  %g = pipeline.group "g0" {
    %b = pipeline.stage "b" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %b : tensor<8xf32>
  } : tensor<8xf32>
  // CHECK: pipeline.group "g2" {
  // CHECK: pipeline.stage "c"
  %c = pipeline.stage "c" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %a, %g, %c : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
