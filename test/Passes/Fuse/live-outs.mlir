// Live-outs: what anything outside uses of a group, and nothing else, leaves it.

// RUN: pipeline-opt %s -fuse=strategy=all | FileCheck %s

func.func private @use(tensor<8xf32>)

// CHECK-LABEL: @several
func.func @several(%v: f32) -> (tensor<8xf32>, tensor<4xi8>) {
  // CHECK:      %[[G:.*]]:2 = pipeline.group "g0" {
  // CHECK:        %[[A:.*]] = pipeline.stage "a"
  // CHECK:        %[[B:.*]] = pipeline.stage "b"
  // CHECK:        pipeline.yield %[[A]], %[[B]] : tensor<8xf32>, tensor<4xi8>
  // CHECK-NEXT: } : tensor<8xf32>, tensor<4xi8>
  // CHECK-NEXT: return %[[G]]#0, %[[G]]#1
  %i = arith.constant 1 : i8
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %b = pipeline.stage "b" (%x) {
    pipeline.yield %i : i8
  } : tensor<4xi8>
  return %a, %b : tensor<8xf32>, tensor<4xi8>
}

// The order is that of the stages, not of their uses.
// CHECK-LABEL: @order
func.func @order(%v: f32) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK: %[[G:.*]]:2 = pipeline.group "g0" {
  // CHECK: return %[[G]]#1, %[[G]]#0, %[[G]]#1
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %b = pipeline.stage "b" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %b, %a, %b : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: @used_inside_and_outside
func.func @used_inside_and_outside(%v: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: %[[G:.*]]:2 = pipeline.group "g0" {
  // CHECK: %[[A:.*]] = pipeline.stage "a"
  // CHECK: pipeline.load %[[A]][%x]
  // CHECK: return %[[G]]#0, %[[G]]#1
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x] : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: @some_results_of_a_stage
func.func @some_results_of_a_stage(%v: f32, %i: i8) -> (tensor<8xi8>, tensor<8xf32>) {
  // CHECK: %[[G:.*]]:2 = pipeline.group "g0" {
  // CHECK:   %[[A:.*]]:3 = pipeline.stage "a"
  // CHECK:   %[[B:.*]] = pipeline.stage "b"
  // CHECK:   pipeline.yield %[[A]]#1, %[[B]] : tensor<8xi8>, tensor<8xf32>
  // CHECK: return %[[G]]#0, %[[G]]#1
  %a:3 = pipeline.stage "a" (%x) {
    pipeline.yield %v, %i, %v : f32, i8, f32
  } : tensor<8xf32>, tensor<8xi8>, tensor<8xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a#2[%x] : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  return %a#1, %b : tensor<8xi8>, tensor<8xf32>
}

// A group needs a result, so a group of dead stages yields its last image. Canonicalization removes it.
// CHECK-LABEL: @dead
func.func @dead(%v: f32) {
  // CHECK: pipeline.group "g0" {
  // CHECK: %[[B:.*]] = pipeline.stage "b"
  // CHECK: pipeline.yield %[[B]] : tensor<8xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x] : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  return
}
