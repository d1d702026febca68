// Stages that stay, and `only`, which inlines them all the same.

// RUN: pipeline-opt %s -inline-stages=explain=true -split-input-file -verify-diagnostics | FileCheck %s
// RUN: pipeline-opt %s -inline-stages=only=a,dear,nobody -split-input-file | FileCheck %s --check-prefix=ONLY

// CHECK-LABEL: @kept
// CHECK:       pipeline.stage "a"
// CHECK:       pipeline.stage "dear"
// CHECK:       pipeline.group
// CHECK:         pipeline.stage "nobody"
// CHECK:         pipeline.stage "c"
// ONLY-LABEL:  @kept
// ONLY:        %[[A:.*]] = pipeline.stage "a"
// ONLY-NOT:    pipeline.stage "dear"
// ONLY:        pipeline.group
// ONLY-NEXT:     pipeline.stage "c"
// ONLY-NEXT:       %[[V:.*]] = pipeline.load %arg0[%x]
// ONLY-NEXT:       arith.negf %[[V]]
// ONLY:            math.exp
// ONLY:            math.absf
// ONLY:        return %[[A]]
func.func @kept(%img: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // expected-remark @+1 {{"a" stays: it is a result}}
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xf32>
    %1 = arith.negf %0 : f32
    pipeline.yield %1 : f32
  } : tensor<8xf32>
  // expected-remark @+1 {{"dear" stays: a group holds it, or a stage that reads it}}
  %dear = pipeline.stage "dear" (%x) {
    %0 = pipeline.load %a[%x] : tensor<8xf32>
    %1 = math.exp %0 : f32
    pipeline.yield %1 : f32
  } : tensor<8xf32>
  %g = pipeline.group "by hand" {
    // expected-remark @+1 {{"nobody" stays: a group holds it, or a stage that reads it}}
    %b = pipeline.stage "nobody" (%x) {
      %0 = pipeline.load %dear[%x] : tensor<8xf32>
      %1 = math.absf %0 : f32
      pipeline.yield %1 : f32
    } : tensor<8xf32>
    %c = pipeline.stage "c" (%x) {
      %0 = pipeline.load %b[%x] : tensor<8xf32>
      pipeline.yield %0 : f32
    } : tensor<8xf32>
    pipeline.yield %c : tensor<8xf32>
  } : tensor<8xf32>
  return %a, %g : tensor<8xf32>, tensor<8xf32>
}
