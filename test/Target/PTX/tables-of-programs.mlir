// The PTX of all programs is one text, in which each table has a name of its own.

// RUN: pipeline-translate --mlir-to-ptx --chip sm_90 %s | FileCheck %s

// CHECK:     .b8 table[8]
// CHECK:     .entry first_g0(
// CHECK:     .b8 table_1[2] = {1, 2};
// CHECK-NOT: .b8 table
// CHECK:     .entry second_g0(
func.func @first(%img: tensor<64xf32>) -> tensor<64xf32> {
  %table = arith.constant dense<[0.5, 2.0]> : tensor<2xf32>
  %0 = pipeline.stage "first" (%x) {
    %a = pipeline.load %img[%x] : tensor<64xf32>
    %b = pipeline.load %table[%x mod 2] : tensor<2xf32>
    %c = arith.mulf %a, %b : f32
    pipeline.yield %c : f32
  } : tensor<64xf32>
  return %0 : tensor<64xf32>
}

func.func @second(%img: tensor<64xi8>) -> tensor<64xi8> {
  %table = arith.constant dense<[1, 2]> : tensor<2xi8>
  %0 = pipeline.stage "second" (%x) {
    %a = pipeline.load %img[%x] : tensor<64xi8>
    %b = pipeline.load %table[%x mod 2] : tensor<2xi8>
    %c = arith.addi %a, %b : i8
    pipeline.yield %c : i8
  } : tensor<64xi8>
  return %0 : tensor<64xi8>
}
