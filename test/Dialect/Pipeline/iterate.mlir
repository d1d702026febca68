// RUN: pipeline-opt %s | FileCheck %s
// RUN: pipeline-opt %s | pipeline-opt | FileCheck %s
// RUN: pipeline-opt --mlir-print-op-generic %s | pipeline-opt | FileCheck %s

// An image with dynamic extents, a number of steps that is an argument.

// CHECK-LABEL: func.func @heat
// CHECK: %[[HEAT:.*]] = pipeline.iterate "heat" %[[N:.*]] (%[[U:.*]] = %[[IMG:.*]] : tensor<?xf32>) {
// CHECK-NEXT: %[[STEP:.*]] = pipeline.stage "step"
// CHECK: pipeline.load %[[U]]
// CHECK: pipeline.yield %[[STEP]] : tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[HEAT]]
func.func @heat(%img: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %w = tensor.dim %img, %c0 : tensor<?xf32>
  %last = pipeline.iterate "heat" %n (%u = %img : tensor<?xf32>) {
    %next = pipeline.stage "step" (%x) {
      %a = pipeline.load %u[%x - 1] clamp : tensor<?xf32>
      %b = pipeline.load %u[%x + 1] clamp : tensor<?xf32>
      %s = arith.addf %a, %b : f32
      %v = arith.mulf %s, %half : f32
      pipeline.yield %v : f32
    } sized(%w) : tensor<?xf32>
    pipeline.yield %next : tensor<?xf32>
  }
  return %last : tensor<?xf32>
}

// Two states of different types; the second becomes the first as it is.

// CHECK-LABEL: func.func @two
// CHECK: %[[TWO:.*]]:2 = pipeline.iterate "two" %{{.*}} (%[[A:.*]] = %{{.*}} : tensor<8xf32>, %[[B:.*]] = %{{.*}} : tensor<8xi32>) {
// CHECK: pipeline.yield %{{.*}}, %[[B]] : tensor<8xf32>, tensor<8xi32>
// CHECK: return %[[TWO]]#0, %[[TWO]]#1
func.func @two(%p: tensor<8xf32>, %q: tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>) {
  %c3 = arith.constant 3 : index
  %r:2 = pipeline.iterate "two" %c3 (%a = %p : tensor<8xf32>, %b = %q : tensor<8xi32>) {
    %next = pipeline.stage "next" (%x) {
      %i = pipeline.load %b[%x] : tensor<8xi32>
      %f = arith.sitofp %i : i32 to f32
      pipeline.yield %f : f32
    } : tensor<8xf32>
    pipeline.yield %next, %b : tensor<8xf32>, tensor<8xi32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xi32>
}
