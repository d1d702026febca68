// Steps of the heat equation in one dimension: each is u + 1/8 of its second difference, in f64. The edge is held at
// what it is: points beyond it have its value.
//
//   pipeline-run examples/heat_1d.mlir --arg u=u.npy --arg steps=100 --out last=last.npy

func.func @heat_1d(%arg0: tensor<?xf64> {weft.estimate = array<i64: 160000>, weft.name = "u"}, %arg1: index {weft.name = "steps"}) -> (tensor<?xf64> {weft.name = "last"}) {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf64>
  %cst = arith.constant 2.000000e+00 : f64
  %cst_0 = arith.constant 1.250000e-01 : f64
  %heat = pipeline.iterate "heat" %arg1 (%arg2 = %arg0 : tensor<?xf64>) {
    %step = pipeline.stage "step" (%x) {
      %0 = pipeline.load %arg2[%x + 1] clamp : tensor<?xf64>
      %1 = pipeline.load %arg2[%x] : tensor<?xf64>
      %2 = pipeline.load %arg2[%x - 1] clamp : tensor<?xf64>
      %3 = arith.mulf %1, %cst : f64
      %4 = arith.subf %0, %3 : f64
      %5 = arith.addf %4, %2 : f64
      %6 = arith.mulf %cst_0, %5 : f64
      %7 = arith.addf %6, %1 : f64
      pipeline.yield %7 : f64
    } sized(%dim) : tensor<?xf64>
    pipeline.yield %step : tensor<?xf64>
  }
  return %heat : tensor<?xf64>
}
