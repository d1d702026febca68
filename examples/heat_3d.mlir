// Steps of the heat equation in three dimensions: each is u + 1/8 of its second differences along z, y and x, in f64.
// Points beyond the edge have its value.
//
//   pipeline-run examples/heat_3d.mlir --arg u=u.npy --arg steps=100 --out last=last.npy

func.func @heat_3d(%arg0: tensor<?x?x?xf64> {weft.estimate = array<i64: 150, 150, 150>, weft.name = "u"}, %arg1: index {weft.name = "steps"}) -> (tensor<?x?x?xf64> {weft.name = "last"}) {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?x?x?xf64>
  %c1 = arith.constant 1 : index
  %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?x?xf64>
  %c2 = arith.constant 2 : index
  %dim_1 = tensor.dim %arg0, %c2 : tensor<?x?x?xf64>
  %cst = arith.constant 2.000000e+00 : f64
  %cst_2 = arith.constant 1.250000e-01 : f64
  %heat = pipeline.iterate "heat" %arg1 (%arg2 = %arg0 : tensor<?x?x?xf64>) {
    %step = pipeline.stage "step" (%c, %y, %x) {
      %0 = pipeline.load %arg2[%c, %y, %x] : tensor<?x?x?xf64>
      %1 = pipeline.load %arg2[%c + 1, %y, %x] clamp : tensor<?x?x?xf64>
      %2 = pipeline.load %arg2[%c - 1, %y, %x] clamp : tensor<?x?x?xf64>
      %3 = arith.mulf %0, %cst : f64
      %4 = arith.subf %1, %3 : f64
      %5 = arith.addf %4, %2 : f64
      %6 = arith.mulf %cst_2, %5 : f64
      %7 = pipeline.load %arg2[%c, %y + 1, %x] clamp : tensor<?x?x?xf64>
      %8 = pipeline.load %arg2[%c, %y - 1, %x] clamp : tensor<?x?x?xf64>
      %9 = arith.subf %7, %3 : f64
      %10 = arith.addf %9, %8 : f64
      %11 = arith.mulf %cst_2, %10 : f64
      %12 = arith.addf %6, %11 : f64
      %13 = pipeline.load %arg2[%c, %y, %x + 1] clamp : tensor<?x?x?xf64>
      %14 = pipeline.load %arg2[%c, %y, %x - 1] clamp : tensor<?x?x?xf64>
      %15 = arith.subf %13, %3 : f64
      %16 = arith.addf %15, %14 : f64
      %17 = arith.mulf %cst_2, %16 : f64
      %18 = arith.addf %12, %17 : f64
      %19 = arith.addf %18, %0 : f64
      pipeline.yield %19 : f64
    } sized(%dim, %dim_0, %dim_1) : tensor<?x?x?xf64>
    pipeline.yield %step : tensor<?x?x?xf64>
  }
  return %heat : tensor<?x?x?xf64>
}
