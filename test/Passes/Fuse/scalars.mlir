// What stands between stages moves before them, so that stages can stand together: constants, extents, arithmetic.

// RUN: pipeline-opt %s -fuse=strategy=all | FileCheck %s

// CHECK-LABEL: @constants
func.func @constants(%v: f32) -> tensor<8xf32> {
  // CHECK-NEXT: %[[HALF:.*]] = arith.constant 5.000000e-01 : f32
  // CHECK-NEXT: pipeline.group "g0" {
  // CHECK-NEXT:   pipeline.stage "a"
  // CHECK:        pipeline.stage "b"
  // CHECK:          arith.mulf %{{.*}}, %[[HALF]]
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %half = arith.constant 0.5 : f32
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x] : tensor<8xf32>
    %1 = arith.mulf %0, %half : f32
    pipeline.yield %1 : f32
  } : tensor<8xf32>
  return %b : tensor<8xf32>
}

// CHECK-LABEL: @index_arithmetic
// CHECK-SAME:  f32, %[[N:[^:]*]]: index
func.func @index_arithmetic(%v: f32, %n: index) -> tensor<?xf32> {
  // CHECK-NEXT: %[[TWO:.*]] = arith.constant 2 : index
  // CHECK-NEXT: %[[HALF:.*]] = arith.divsi %[[N]], %[[TWO]] : index
  // CHECK-NEXT: pipeline.group "g0" {
  // CHECK-NEXT:   pipeline.stage "a"
  // CHECK:        sized(%[[N]])
  // CHECK:        pipeline.stage "b"
  // CHECK:        sized(%[[HALF]])
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } sized(%n) : tensor<?xf32>
  %two = arith.constant 2 : index
  %half = arith.divsi %n, %two : index
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x * 2] : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%half) : tensor<?xf32>
  return %b : tensor<?xf32>
}

// An extent of a stage is what the stage was given: with that, arithmetic on it can move too.
// CHECK-LABEL: @dim_of_a_stage
// CHECK-SAME:  f32, %[[H:[^:]*]]: index, %[[W:[^:]*]]: index
func.func @dim_of_a_stage(%v: f32, %h: index, %w: index) -> tensor<?x?xf32> {
  // CHECK-NOT:  tensor.dim
  // CHECK:      %[[W2:.*]] = arith.muli %[[W]], %{{.*}} : index
  // CHECK-NEXT: pipeline.group "g0" {
  // CHECK-NEXT:   pipeline.stage "a"
  // CHECK:        pipeline.stage "b"
  // CHECK:        sized(%[[H]], %[[W2]])
  %a = pipeline.stage "a" (%y, %x) {
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ha = tensor.dim %a, %c0 : tensor<?x?xf32>
  %wa = tensor.dim %a, %c1 : tensor<?x?xf32>
  %two = arith.constant 2 : index
  %w2 = arith.muli %wa, %two : index
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x floordiv 2] clamp : tensor<?x?xf32>
    pipeline.yield %0 : f32
  } sized(%ha, %w2) : tensor<?x?xf32>
  return %b : tensor<?x?xf32>
}

// CHECK-LABEL: @static_dim_of_a_stage
func.func @static_dim_of_a_stage(%v: f32) -> tensor<?xf32> {
  // CHECK-NOT:  tensor.dim
  // CHECK:      %[[EIGHT:.*]] = arith.constant 8 : index
  // CHECK:      pipeline.stage "b"
  // CHECK:      sized(%[[EIGHT]])
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<8xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x] clamp : tensor<8xf32>
    pipeline.yield %0 : f32
  } sized(%n) : tensor<?xf32>
  return %b : tensor<?xf32>
}

// CHECK-LABEL: @dim_of_a_group
// CHECK-SAME:  f32, %[[N:[^:]*]]: index
func.func @dim_of_a_group(%v: f32, %n: index) -> tensor<?xf32> {
  // CHECK-NOT: tensor.dim
  // CHECK:     pipeline.stage "b"
  // CHECK:     sized(%[[N]])
  %g = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } sized(%n) : tensor<?xf32>
    pipeline.yield %a : tensor<?xf32>
  } : tensor<?xf32>
  %c0 = arith.constant 0 : index
  %na = tensor.dim %g, %c0 : tensor<?xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %g[%x] clamp : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%na) : tensor<?xf32>
  return %b : tensor<?xf32>
}

// The extent of an argument is not known better than that.
// CHECK-LABEL: @dim_of_an_argument
func.func @dim_of_an_argument(%v: f32, %img: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK:      %[[N:.*]] = tensor.dim
  // CHECK-NEXT: pipeline.group "g0" {
  // CHECK:      sized(%[[N]])
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %img, %c0 : tensor<?xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x] clamp : tensor<8xf32>
    pipeline.yield %0 : f32
  } sized(%n) : tensor<?xf32>
  return %b : tensor<?xf32>
}
