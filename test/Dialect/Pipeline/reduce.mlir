// pipeline.reduce round-trips, in the custom form and in the generic one.

// RUN: pipeline-opt %s | pipeline-opt | FileCheck %s
// RUN: pipeline-opt %s -mlir-print-op-generic | pipeline-opt | FileCheck %s
// RUN: pipeline-opt %s -emit-bytecode | pipeline-opt | FileCheck %s

// CHECK-LABEL: @window
func.func @window(%img: tensor<16x16xf32>, %zero: f32) -> tensor<16x16xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    // CHECK: %[[SUM:.*]] = pipeline.reduce (%ry, %rx) in [-2, 3) x [-2, 3) (%acc = %{{.*}} : f32) {
    %sum = pipeline.reduce (%dy, %dx) in [-2, 3) x [-2, 3) (%acc = %zero : f32) {
      // CHECK: pipeline.load %{{.*}}[%y + %ry, %x + %rx * 2] clamp
      %p = pipeline.load %img[%y + %dy, %x + %dx * 2] clamp : tensor<16x16xf32>
      // CHECK: arith.addf %acc,
      %s = arith.addf %acc, %p : f32
      pipeline.yield %s : f32
    // CHECK: } : f32
    } : f32
    // CHECK: pipeline.yield %[[SUM]] : f32
    pipeline.yield %sum : f32
  } : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// Several accumulators of several types, a nested reduce, one in a branch, variables in a gather and as numbers.
// CHECK-LABEL: @more
func.func @more(%img: tensor<16x16xf32>, %c: i1, %zero: f32, %none: i32) -> tensor<16x16xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    // CHECK: %{{.*}}:2 = pipeline.reduce (%rx) in [0, 40) (%acc = %{{.*}} : f32, %acc_0 = %{{.*}} : i32) {
    %a:2 = pipeline.reduce (%k) in [0, 40) (%m = %zero : f32, %n = %none : i32) {
      %i = arith.index_cast %k : index to i32
      %j = arith.addi %n, %i : i32
      %z = arith.index_cast %j : i32 to index
      // CHECK: pipeline.gather %{{.*}}[%{{.*}}, %x + %rx] wrap
      %p = pipeline.gather %img[%z, %x + %k] wrap : tensor<16x16xf32>
      // CHECK: pipeline.reduce (%rx_{{.*}}) in [-1, 2)
      %q = pipeline.reduce (%l) in [-1, 2) (%o = %m : f32) {
        // CHECK: pipeline.load %{{.*}}[%rx + %rx_{{.*}}, %x] mirror
        %r = pipeline.load %img[%k + %l, %x] mirror : tensor<16x16xf32>
        %s = arith.maximumf %r, %o : f32
        pipeline.yield %s : f32
      } : f32
      %t = arith.addf %p, %q : f32
      pipeline.yield %t, %j : f32, i32
    // CHECK: } : f32, i32
    } : f32, i32
    // CHECK: scf.if
    %b = scf.if %c -> (f32) {
      // CHECK: pipeline.reduce
      %u = pipeline.reduce (%k) in [0, 2) (%m = %a#0 : f32) {
        %w = arith.mulf %m, %m : f32
        pipeline.yield %w : f32
      } : f32
      scf.yield %u : f32
    } else {
      scf.yield %zero : f32
    }
    pipeline.yield %b : f32
  } : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
