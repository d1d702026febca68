// Bytecode: what the text says survives the way there and back.

// RUN: pipeline-opt %s > %t.mlir
// RUN: pipeline-opt %s --emit-bytecode -o %t.mlirbc
// RUN: pipeline-opt %t.mlirbc | diff %t.mlir -
// RUN: FileCheck %s --input-file=%t.mlir

// CHECK: pipeline.group "g" schedule {tile = array<i64: 4, 4>} {
// CHECK: pipeline.load %{{.*}}[%y floordiv 2, %x + 1] mirror
// CHECK: pipeline.load %{{.*}}[%y, 3] constant(%{{.*}})
// CHECK: } sized(%{{.*}}) in [0, 8) x [1, ?) :
func.func @program(%img: tensor<8x?xf32> {weft.name = "img", weft.estimate = array<i64: 8, 640>}, %w: index)
    -> (tensor<8x?xf32> {weft.name = "out"}, tensor<8x?xi8> {weft.unsigned}) {
  %zero = arith.constant 0.0 : f32
  %byte = arith.constant 7 : i8
  %0:2 = pipeline.group "g" schedule {tile = array<i64: 4, 4>} {
    %s:2 = pipeline.stage "s" (%y, %x) {
      %a = pipeline.load %img[%y floordiv 2, %x + 1] mirror : tensor<8x?xf32>
      %b = pipeline.load %img[%y, 3] constant(%zero) : tensor<8x?xf32>
      %c = arith.addf %a, %b : f32
      pipeline.yield %c, %byte : f32, i8
    } sized(%w) in [0, 8) x [1, ?) : tensor<8x?xf32>, tensor<8x?xi8>
    pipeline.yield %s#0, %s#1 : tensor<8x?xf32>, tensor<8x?xi8>
  } : tensor<8x?xf32>, tensor<8x?xi8>
  return %0#0, %0#1 : tensor<8x?xf32>, tensor<8x?xi8>
}
