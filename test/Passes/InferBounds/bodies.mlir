// A window reads a box, a gather the whole of a dimension that it computes the index of.

// RUN: pipeline-opt %s --infer-bounds -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: @needed
func.func @needed(%img: tensor<32x32xf32>, %zero: f32) -> tensor<8x8xf32> {
  // CHECK: } in [3, 12) x [0, 20) : tensor<32x32xf32>
  %a = pipeline.stage "a" (%y, %x) {
    %p = pipeline.load %img[%y, %x] : tensor<32x32xf32>
    pipeline.yield %p : f32
  } : tensor<32x32xf32>
  // CHECK: } in [0, 32) x [0, 8) : tensor<32x32xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %p = pipeline.load %img[%y, %x] : tensor<32x32xf32>
    pipeline.yield %p : f32
  } : tensor<32x32xf32>
  %c = pipeline.stage "c" (%y, %x) {
    %s = pipeline.reduce (%k, %l) in [3, 5) x [-4, 7) (%acc = %zero : f32) {
      %p = pipeline.load %a[%y + %k, %x * 2 + %l - 1] clamp : tensor<32x32xf32>
      %s = arith.addf %acc, %p : f32
      pipeline.yield %s : f32
    } : f32
    %z = arith.addi %y, %x : index
    %q = pipeline.gather %b[%z, %x] clamp : tensor<32x32xf32>
    %t = arith.addf %s, %q : f32
    pipeline.yield %t : f32
  } : tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// -----

func.func @leaves(%img: tensor<16x16xf32>, %zero: f32) -> tensor<16x16xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    %s = pipeline.reduce (%k, %l) in [0, 1) x [0, 3) (%acc = %zero : f32) {
      // expected-error @+1 {{index #1 (x + rx) of stage "s" covers [0, 17], expected inside [0, 15] of the source 'tensor<16x16xf32>'; give the load a boundary (clamp, mirror, reflect101, wrap, constant) or the stage another extent}}
      %p = pipeline.load %img[%y + %k, %x + %l] : tensor<16x16xf32>
      %s = arith.addf %acc, %p : f32
      pipeline.yield %s : f32
    } : f32
    pipeline.yield %s : f32
  } : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
