// RUN: pipeline-opt --time-tile="steps=2" --split-input-file %s | FileCheck %s
// RUN: pipeline-opt --time-tile="steps=1" --split-input-file %s | FileCheck %s --check-prefix=ONE

// The number of steps is not known: what is left over has an iterate of its own.

// CHECK-LABEL: func.func @dynamic(%arg0: tensor<16xf32>, %arg1: index)
// CHECK: %[[HALF:.*]] = arith.floordivsi %arg1, %{{.*}}
// CHECK: %[[REST:.*]] = arith.remui %arg1, %{{.*}}
// CHECK: %[[PAIRS:.*]] = pipeline.iterate "heat" %[[HALF]] (%[[U:.*]] = %arg0 : tensor<16xf32>) {
// CHECK: %[[A:.*]] = pipeline.stage "step" (
// CHECK: pipeline.load %[[U]]
// CHECK: %[[B:.*]] = pipeline.stage "step_1" (
// CHECK: pipeline.load %[[A]]
// CHECK: pipeline.yield %[[B]] : tensor<16xf32>
// CHECK: %[[LAST:.*]] = pipeline.iterate "heat" %[[REST]] (%[[V:.*]] = %[[PAIRS]] : tensor<16xf32>) {
// CHECK: pipeline.stage "step" (
// CHECK: pipeline.load %[[V]]
// CHECK: return %[[LAST]]

// ONE-LABEL: func.func @dynamic
// ONE-NOT: step_1
func.func @dynamic(%img: tensor<16xf32>, %n: index) -> tensor<16xf32> {
  %last = pipeline.iterate "heat" %n (%u = %img : tensor<16xf32>) {
    %next = pipeline.stage "step" (%x) {
      %a = pipeline.load %u[%x - 1] clamp : tensor<16xf32>
      %b = pipeline.load %u[%x + 1] clamp : tensor<16xf32>
      %v = arith.addf %a, %b : f32
      pipeline.yield %v : f32
    } : tensor<16xf32>
    pipeline.yield %next : tensor<16xf32>
  }
  return %last : tensor<16xf32>
}

// -----

// All steps in pairs: nothing is left over. A state that becomes another one is followed.

// CHECK-LABEL: func.func @swap
// CHECK: %[[C3:.*]] = arith.constant 3 : index
// CHECK: %[[R:.*]]:2 = pipeline.iterate "wave" %[[C3]] (%[[P:.*]] = %arg0 : tensor<16xf32>, %[[Q:.*]] = %arg1 : tensor<16xf32>) {
// CHECK: %[[A:.*]] = pipeline.stage "next" (
// CHECK: pipeline.load %[[P]]
// CHECK: pipeline.load %[[Q]]
// CHECK: %[[B:.*]] = pipeline.stage "next_1" (
// CHECK: pipeline.load %[[Q]]
// CHECK: pipeline.load %[[A]]
// CHECK: pipeline.yield %[[A]], %[[B]] : tensor<16xf32>, tensor<16xf32>
// CHECK-NOT: pipeline.iterate
// CHECK: return %[[R]]#1
func.func @swap(%before: tensor<16xf32>, %now: tensor<16xf32>) -> tensor<16xf32> {
  %c6 = arith.constant 6 : index
  %r:2 = pipeline.iterate "wave" %c6 (%p = %before : tensor<16xf32>, %q = %now : tensor<16xf32>) {
    %next = pipeline.stage "next" (%x) {
      %a = pipeline.load %p[%x] : tensor<16xf32>
      %b = pipeline.load %q[%x] : tensor<16xf32>
      %v = arith.subf %b, %a : f32
      pipeline.yield %v : f32
    } : tensor<16xf32>
    pipeline.yield %q, %next : tensor<16xf32>, tensor<16xf32>
  }
  return %r#1 : tensor<16xf32>
}

// -----

// Fewer steps than would be one: the iterate stays as it was.

// CHECK-LABEL: func.func @few
// CHECK: %[[C1:.*]] = arith.constant 1 : index
// CHECK: pipeline.iterate "once" %[[C1]] (
// CHECK-NOT: step_1
// CHECK: return
func.func @few(%img: tensor<16xf32>) -> tensor<16xf32> {
  %c1 = arith.constant 1 : index
  %last = pipeline.iterate "once" %c1 (%u = %img : tensor<16xf32>) {
    %next = pipeline.stage "step" (%x) {
      %a = pipeline.load %u[%x] : tensor<16xf32>
      pipeline.yield %a : f32
    } : tensor<16xf32>
    pipeline.yield %next : tensor<16xf32>
  }
  return %last : tensor<16xf32>
}
