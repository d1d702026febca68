// Products that stay products.

// RUN: pipeline-opt %s -contract | FileCheck %s

// The product is wanted by itself, too.
// CHECK-LABEL: @other_use
// CHECK:       arith.mulf
// CHECK-NEXT:  arith.addf
func.func @other_use(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0:2 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %p = arith.mulf %a, %a : f32
    %s = arith.addf %p, %a : f32
    pipeline.yield %s, %p : f32, f32
  } : tensor<8xf32>, tensor<8xf32>
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: @used_twice
// CHECK:       arith.mulf
// CHECK-NEXT:  arith.addf
func.func @used_twice(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %p = arith.mulf %a, %a : f32
    %s = arith.addf %p, %p : f32
    pipeline.yield %s : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// One of the two is.
// CHECK-LABEL: @the_other_one
// CHECK:       %[[P:.*]] = arith.mulf
// CHECK:       %[[Q:.*]] = arith.mulf
// CHECK-NEXT:  math.fma %{{.*}}, %{{.*}}, %[[Q]]
func.func @the_other_one(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %p = arith.mulf %a, %a : f32
    %b = arith.addf %a, %a : f32
    %c = arith.addf %b, %p : f32
    %q = arith.mulf %b, %b : f32
    %r = arith.mulf %b, %a : f32
    %s = arith.addf %q, %r : f32
    %t = arith.divf %s, %q : f32
    %u = arith.divf %t, %c : f32
    %v = arith.divf %u, %p : f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A product before an `scf.if` and a sum in it; in a branch, both.
// CHECK-LABEL: @regions
// CHECK:       arith.mulf
// CHECK:       scf.if
// CHECK-NEXT:    arith.addf
// CHECK:       else
// CHECK-NEXT:    math.fma
func.func @regions(%x: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %p = arith.mulf %a, %a : f32
    %r = scf.if %c -> (f32) {
      %s = arith.addf %p, %a : f32
      scf.yield %s : f32
    } else {
      %q = arith.mulf %a, %a : f32
      %t = arith.addf %q, %a : f32
      scf.yield %t : f32
    }
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Numbers outside of stages, and functions without stages, are not ours.
// CHECK-LABEL: @outside
// CHECK:       arith.addf
func.func @outside(%f: f32) -> tensor<8xf32> {
  %p = arith.mulf %f, %f : f32
  %s = arith.addf %p, %f : f32
  %0 = pipeline.stage "s" (%i) {
    pipeline.yield %s : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @no_program
// CHECK:       arith.addf
func.func @no_program(%f: f32) -> f32 {
  %p = arith.mulf %f, %f : f32
  %s = arith.addf %p, %f : f32
  return %s : f32
}

// Not a type that every target fuses.
// CHECK-LABEL: @bf16
// CHECK:       arith.addf
func.func @bf16(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %b = arith.truncf %a : f32 to bf16
    %p = arith.mulf %b, %b : bf16
    %s = arith.addf %p, %b : bf16
    %r = arith.extf %s : bf16 to f32
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
