// Numbers below zero where an op says that they have no sign: what of them Forma has a literal of, and what not.
func.func @below_zero(%a: tensor<?xi8> {weft.name = "a"}, %b: tensor<?xi16> {weft.name = "b"},
                      %c: tensor<?xi32> {weft.name = "c"}, %d: tensor<?xi64> {weft.name = "d"})
    -> (tensor<?xi8> {weft.name = "e"}, tensor<?xi16> {weft.name = "f"}, tensor<?xi32> {weft.name = "g"}, tensor<?xi64> {weft.name = "h"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xi8>
  %e, %f, %g, %h = pipeline.stage "out" (%x) {
    %0 = pipeline.load %a[%x] : tensor<?xi8>
    %1 = pipeline.load %b[%x] clamp : tensor<?xi16>
    %2 = pipeline.load %c[%x] clamp : tensor<?xi32>
    %3 = pipeline.load %d[%x] clamp : tensor<?xi64>
    %c8 = arith.constant -128 : i8
    %4 = arith.cmpi ule, %0, %c8 : i8
    %c16 = arith.constant -2 : i16
    %5 = arith.cmpi ult, %1, %c16 : i16
    %c32 = arith.constant -2147483648 : i32
    %6 = arith.cmpi ugt, %2, %c32 : i32
    %one = arith.constant 1 : i8
    %e8 = arith.select %4, %0, %one : i8
    %e16 = arith.select %5, %1, %c16 : i16
    %e32 = arith.select %6, %2, %c32 : i32
    %c64 = arith.constant -5000000000 : i64
    %7 = arith.maxui %3, %c64 : i64
    pipeline.yield %e8, %e16, %e32, %7 : i8, i16, i32, i64
  } sized(%n) : tensor<?xi8>, tensor<?xi16>, tensor<?xi32>, tensor<?xi64>
  return %e, %f, %g, %h : tensor<?xi8>, tensor<?xi16>, tensor<?xi32>, tensor<?xi64>
}
