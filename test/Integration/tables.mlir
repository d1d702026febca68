// Constants that stages read, as weights at places that are known, in windows that are written out and in one that is not, as a table that
// pixels look up, and in the body of a stage, by coordinates: the same everywhere, and what NumPy says.
// REQUIRES: python
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/tables.py %t %s | FileCheck %s
// CHECK: blur is right
// CHECK: toned is right
// CHECK: dithered is right
// CHECK: wide is right

func.func @f(%img: tensor<?x?xi8> {weft.name = "img", weft.unsigned})
    -> (tensor<?x?xf32> {weft.name = "blur"}, tensor<?x?xi16> {weft.name = "toned"}, tensor<?x?xi8> {weft.name = "dithered", weft.unsigned},
        tensor<?x?xf64> {weft.name = "wide"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xi8>
  %w = tensor.dim %img, %c1 : tensor<?x?xi8>
  %weights = arith.constant dense<[1.0, 4.0, 6.0, 4.0, 1.0]> : tensor<5xf32>
  %tone = arith.constant dense<[-300, 20, 3, 41, 5, 1000]> : tensor<6xi16>
  %many = arith.constant dense<[0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5, 12.5, 13.5, 14.5, 15.5, 16.5, 17.5, 18.5, 19.5, 20.5, 21.5,
    22.5, 23.5, 24.5, 25.5, 26.5, 27.5, 28.5, 29.5, 30.5, 31.5, 32.5, 33.5, 34.5, 35.5, 36.5, 37.5, 38.5, 39.5, 40.5]> : tensor<41xf64>
  %rows = pipeline.stage "rows" (%y, %x) {
    %zero = arith.constant 0.0 : f32
    %s = pipeline.reduce (%r) in [-2, 3) (%sum = %zero : f32) {
      %p = pipeline.load %img[%y, %x + %r] mirror : tensor<?x?xi8>
      %v = arith.uitofp %p : i8 to f32
      %k = pipeline.load %weights[%r + 2] : tensor<5xf32>
      %m = arith.mulf %v, %k : f32
      %n = arith.addf %sum, %m : f32
      pipeline.yield %n : f32
    } : f32
    pipeline.yield %s : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %blur = pipeline.stage "blur" (%y, %x) {
    %zero = arith.constant 0.0 : f32
    %s = pipeline.reduce (%r) in [-2, 3) (%sum = %zero : f32) {
      %v = pipeline.load %rows[%y + %r, %x] mirror : tensor<?x?xf32>
      %k = pipeline.load %weights[%r + 2] : tensor<5xf32>
      %m = arith.mulf %v, %k : f32
      %n = arith.addf %sum, %m : f32
      pipeline.yield %n : f32
    } : f32
    pipeline.yield %s : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %toned = pipeline.stage "toned" (%y, %x) {
    %p = pipeline.load %img[%y, %x] : tensor<?x?xi8>
    %c8 = arith.constant 8 : i8
    %e = arith.divui %p, %c8 : i8
    %i = arith.index_castui %e : i8 to index
    %v = pipeline.gather %tone[%i] clamp : tensor<6xi16>
    pipeline.yield %v : i16
  } sized(%h, %w) : tensor<?x?xi16>
  %dithered = pipeline.stage "dithered" (%y, %x) {
    %bayer = arith.constant dense<[[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]> : tensor<4x4xi8>
    %p = pipeline.load %img[%y, %x] : tensor<?x?xi8>
    %b = pipeline.load %bayer[%y mod 4, %x] wrap : tensor<4x4xi8>
    %s = arith.addi %p, %b : i8
    pipeline.yield %s : i8
  } sized(%h, %w) : tensor<?x?xi8>
  %wide = pipeline.stage "wide" (%y, %x) {
    %zero = arith.constant 0.0 : f64
    %s = pipeline.reduce (%r) in [0, 41) (%sum = %zero : f64) {
      %p = pipeline.load %img[%y, %x + %r] clamp : tensor<?x?xi8>
      %v = arith.uitofp %p : i8 to f64
      %k = pipeline.load %many[%r] : tensor<41xf64>
      %m = arith.mulf %v, %k : f64
      %n = arith.addf %sum, %m : f64
      pipeline.yield %n : f64
    } : f64
    pipeline.yield %s : f64
  } sized(%h, %w) : tensor<?x?xf64>
  return %blur, %toned, %dithered, %wide : tensor<?x?xf32>, tensor<?x?xi16>, tensor<?x?xi8>, tensor<?x?xf64>
}
