// A product joins the sum of its own point, whether the reduce is written out afterwards or not.

// RUN: pipeline-opt %s --contract | FileCheck %s
// RUN: pipeline-opt %s --contract --unroll-reductions | FileCheck %s --check-prefix=OUT

// CHECK-LABEL: @f
// OUT-LABEL: @f
func.func @f(%img: tensor<16xf32>, %v: f32, %w: f32) -> tensor<16xf32> {
  %0 = pipeline.stage "s" (%x) {
    // The init is a product, but that the sum of the first point uses it is not seen, so that both forms agree.
    // CHECK: %[[INIT:.*]] = arith.mulf
    // OUT: %[[INIT:.*]] = arith.mulf
    // OUT: arith.addf %[[INIT]]
    // OUT: math.fma
    // OUT: arith.addf
    // OUT: math.fma
    // OUT-NOT: math.fma
    %init = arith.mulf %v, %w : f32
    %sum = pipeline.reduce (%k) in [0, 2) (%acc = %init : f32) {
      %p = pipeline.load %img[%x + %k] clamp : tensor<16xf32>
      // CHECK: arith.addf %acc
      %s = arith.addf %acc, %p : f32
      // CHECK-NEXT: math.fma
      // CHECK-NEXT: pipeline.yield
      %m = arith.mulf %p, %w : f32
      %t = arith.addf %s, %m : f32
      pipeline.yield %t : f32
    } : f32
    pipeline.yield %sum : f32
  } : tensor<16xf32>
  return %0 : tensor<16xf32>
}
