// A sum of integers, or an extreme, over a rectangle is written out although it is large: `--separate-windows` makes a row and a column of it.

// RUN: pipeline-opt %s --unroll-reductions=rectangle-points=64 | FileCheck %s
// RUN: pipeline-opt %s --unroll-reductions=rectangle-points=64 --separate-windows=strided=1 --canonicalize | FileCheck %s --check-prefix=SEPARATE
// RUN: pipeline-opt %s --unroll-reductions | FileCheck %s --check-prefix=FEW

// CHECK-LABEL: @sum
// CHECK-NOT:   pipeline.reduce
// CHECK-COUNT-64: pipeline.load
// CHECK:       return
// SEPARATE-LABEL: @sum
// SEPARATE-COUNT-16: pipeline.load
// SEPARATE-NOT: pipeline.load
// SEPARATE:    return
// FEW-LABEL:   @sum
// FEW:         pipeline.reduce
func.func @sum(%img: tensor<64x64xi8>, %zero: i32) -> tensor<8x8xi32> {
  %s = pipeline.stage "s" (%y, %x) {
    %sum = pipeline.reduce (%i, %j) in [0, 8) x [0, 8) (%acc = %zero : i32) {
      %a = pipeline.load %img[%y * 8 + %j, %x * 8 + %i] : tensor<64x64xi8>
      %w = arith.extui %a : i8 to i32
      %t = arith.addi %acc, %w : i32
      pipeline.yield %t : i32
    } : i32
    pipeline.yield %sum : i32
  } : tensor<8x8xi32>
  return %s : tensor<8x8xi32>
}

// Sums of floats have an order; a product is no sum; along one dimension it is no rectangle; and of two accumulators, or more points, none is written out.
// CHECK-LABEL: @others
// CHECK-COUNT-5: pipeline.reduce
// CHECK:       return
func.func @others(%f: tensor<64x64xf32>, %img: tensor<64x64xi32>, %zero: f32, %none: i32) -> (tensor<8x8xf32>, tensor<8x8xi32>) {
  %s = pipeline.stage "s" (%y, %x) {
    %0 = pipeline.reduce (%i, %j) in [0, 8) x [0, 8) (%acc = %zero : f32) {
      %a = pipeline.load %f[%y * 8 + %j, %x * 8 + %i] : tensor<64x64xf32>
      %t = arith.addf %acc, %a : f32
      pipeline.yield %t : f32
    } : f32
    pipeline.yield %0 : f32
  } : tensor<8x8xf32>
  %t = pipeline.stage "t" (%y, %x) {
    %0 = pipeline.reduce (%i, %j) in [0, 8) x [0, 8) (%acc = %none : i32) {
      %a = pipeline.load %img[%y * 8 + %j, %x * 8 + %i] : tensor<64x64xi32>
      %b = arith.muli %a, %a : i32
      %c = arith.addi %acc, %b : i32
      pipeline.yield %c : i32
    } : i32
    %1 = pipeline.reduce (%i, %j) in [0, 8) x [0, 7) (%acc = %none : i32) {
      %a = pipeline.load %img[%y * 8, %x * 8 + %i + %j] clamp : tensor<64x64xi32>
      %c = arith.addi %acc, %a : i32
      pipeline.yield %c : i32
    } : i32
    %2:2 = pipeline.reduce (%i, %j) in [0, 8) x [0, 8) (%acc = %none : i32, %most = %none : i32) {
      %a = pipeline.load %img[%y * 8 + %j, %x * 8 + %i] : tensor<64x64xi32>
      %c = arith.addi %acc, %a : i32
      %m = arith.maxsi %most, %a : i32
      pipeline.yield %c, %m : i32, i32
    } : i32, i32
    %3 = pipeline.reduce (%i, %j) in [0, 8) x [0, 9) (%acc = %none : i32) {
      %a = pipeline.load %img[%y * 8 + %j, %x * 8 + %i] clamp : tensor<64x64xi32>
      %c = arith.addi %acc, %a : i32
      pipeline.yield %c : i32
    } : i32
    %4 = arith.addi %0, %1 : i32
    %5 = arith.addi %2#0, %2#1 : i32
    %6 = arith.addi %4, %5 : i32
    %7 = arith.addi %6, %3 : i32
    pipeline.yield %7 : i32
  } : tensor<8x8xi32>
  return %s, %t : tensor<8x8xf32>, tensor<8x8xi32>
}
