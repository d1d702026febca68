// What is not expanded.

// RUN: pipeline-opt %s -expand-math | FileCheck %s

// What is exact on every target, and what nobody has asked for yet.
// CHECK-LABEL: @others
// CHECK:       math.sqrt
// CHECK-NEXT:  math.absf
// CHECK-NEXT:  math.floor
// CHECK-NEXT:  math.fma
// CHECK-NEXT:  math.roundeven
// CHECK-NEXT:  math.erf
func.func @others(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %b = math.sqrt %a : f32
    %c = math.absf %b : f32
    %d = math.floor %c : f32
    %e = math.fma %d, %c, %b : f32
    %f = math.roundeven %e : f32
    %g = math.erf %f : f32
    pipeline.yield %g : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Numbers outside of stages are computed once, on the host; functions without stages are not ours.
// CHECK-LABEL: @outside
// CHECK:       math.exp
func.func @outside(%f: f32) -> tensor<8xf32> {
  %e = math.exp %f : f32
  %0 = pipeline.stage "s" (%i) {
    pipeline.yield %e : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @no_program
// CHECK:       math.exp
func.func @no_program(%f: f32) -> f32 {
  %e = math.exp %f : f32
  return %e : f32
}
