// Stages that one other reads, at one point: they move there, whatever they cost, and take what they read along.

// RUN: pipeline-opt %s -inline-stages -split-input-file | FileCheck %s

// CHECK-LABEL: @chain
// CHECK:       pipeline.stage "c" (%y, %x) {
// CHECK-NEXT:    %[[L:.*]] = pipeline.load %arg0[%y, %x - 1] clamp
// CHECK-NEXT:    %[[R:.*]] = pipeline.load %arg0[%y, %x + 1] clamp
// CHECK-NEXT:    %[[A:.*]] = arith.addf %[[L]], %[[R]]
// CHECK-NEXT:    %[[B:.*]] = math.exp %[[A]]
// CHECK-NEXT:    %[[C:.*]] = arith.negf %[[B]]
// CHECK-NEXT:    pipeline.yield %[[C]]
// CHECK-NOT:   pipeline.stage
func.func @chain(%img: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x - 1] clamp : tensor<?x?xf32>
    %1 = pipeline.load %img[%y, %x + 1] clamp : tensor<?x?xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x] : tensor<?x?xf32>
    %1 = math.exp %0 : f32
    pipeline.yield %1 : f32
  } sized(%h, %w) : tensor<?x?xf32>
  // An extent that is asked of a stage does not keep it.
  %h2 = tensor.dim %b, %c0 : tensor<?x?xf32>
  %c = pipeline.stage "c" (%y, %x) {
    %0 = pipeline.load %b[%y, %x] : tensor<?x?xf32>
    %1 = arith.negf %0 : f32
    pipeline.yield %1 : f32
  } sized(%h2, %w) : tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}

// -----

// Two loads of one point are one, and so are a load of the body and one that was there.
// CHECK-LABEL: @same_points
// CHECK:       pipeline.stage "c"
// CHECK-NEXT:    %[[V:.*]] = pipeline.load %arg0[%x]
// CHECK-NEXT:    %[[E:.*]] = math.exp %[[V]]
// CHECK-NEXT:    %[[M:.*]] = arith.mulf %[[E]], %[[E]]
// CHECK-NEXT:    %[[S:.*]] = arith.addf %[[M]], %[[V]]
// CHECK-NEXT:    pipeline.yield %[[S]]
func.func @same_points(%img: tensor<8xf32>) -> tensor<8xf32> {
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xf32>
    %1 = math.exp %0 : f32
    pipeline.yield %1 : f32
  } : tensor<8xf32>
  %c = pipeline.stage "c" (%x) {
    %0 = pipeline.load %a[%x] : tensor<8xf32>
    %1 = pipeline.load %a[%x] : tensor<8xf32>
    %2 = pipeline.load %img[%x] : tensor<8xf32>
    %3 = arith.mulf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

// Consumers first: when "sum" is asked, "left" and "right" have gone into "out", which alone reads it then.
// CHECK-LABEL: @diamond
// CHECK:       pipeline.stage "out"
// CHECK-COUNT-1: math.exp
// CHECK-NOT:   pipeline.stage
func.func @diamond(%img: tensor<8xf32>) -> tensor<8xf32> {
  %sum = pipeline.stage "sum" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xf32>
    %1 = math.exp %0 : f32
    pipeline.yield %1 : f32
  } : tensor<8xf32>
  %left = pipeline.stage "left" (%x) {
    %0 = pipeline.load %sum[%x] : tensor<8xf32>
    %1 = arith.negf %0 : f32
    pipeline.yield %1 : f32
  } : tensor<8xf32>
  %right = pipeline.stage "right" (%x) {
    %0 = pipeline.load %sum[%x] : tensor<8xf32>
    %1 = math.absf %0 : f32
    pipeline.yield %1 : f32
  } : tensor<8xf32>
  %out = pipeline.stage "out" (%x) {
    %0 = pipeline.load %left[%x] : tensor<8xf32>
    %1 = pipeline.load %right[%x] : tensor<8xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<8xf32>
  return %out : tensor<8xf32>
}

// -----

// Coordinates that are numbers become those of the point that is read.
// CHECK-LABEL: @numbers
// CHECK:       pipeline.stage "c" (%y, %x) {
// CHECK:         %[[P:.*]] = arith.addi %x, %{{.*}} : index
// CHECK-NEXT:    %[[I:.*]] = arith.index_cast %[[P]] : index to i32
// CHECK-NEXT:    pipeline.yield %[[I]]
func.func @numbers() -> tensor<4x7xi32> {
  %a = pipeline.stage "a" (%x) {
    %0 = arith.index_cast %x : index to i32
    pipeline.yield %0 : i32
  } : tensor<8xi32>
  %c = pipeline.stage "c" (%y, %x) {
    %0 = pipeline.load %a[%x + 1] : tensor<8xi32>
    pipeline.yield %0 : i32
  } : tensor<4x7xi32>
  return %c : tensor<4x7xi32>
}
