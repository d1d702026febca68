// Halide's recursive blur of a colour image: each value is mixed with the blurred one before it, `alpha` parts of 1 its
// own. Down every column, up again, along every row, and back: four scans, each of which runs the filter once over all
// lines. A line begins with its own first value.
//
//   pipeline-run examples/iir_blur.mlir --arg img=examples/data/chelsea.png --arg alpha=0.2 --out blurred=blurred.png

func.func @iir_blur(%arg0: tensor<3x?x?xf32> {weft.estimate = array<i64: 3, 2560, 1536>, weft.name = "img"}, %arg1: f32 {weft.name = "alpha"}) -> (tensor<3x?x?xf32> {weft.name = "blurred"}) {
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %arg0, %c1 : tensor<3x?x?xf32>
  %c2 = arith.constant 2 : index
  %dim_0 = tensor.dim %arg0, %c2 : tensor<3x?x?xf32>
  %cst = arith.constant 1.000000e+00 : f32
  %0 = arith.subf %cst, %arg1 : f32
  %down = pipeline.scan "down" (%c, %y, %x) along 1 {
    %1 = pipeline.load %arg0[%c, %y, %x] : tensor<3x?x?xf32>
    %2 = pipeline.previous 1 or %1 : f32
    %3 = arith.mulf %2, %0 : f32
    %4 = arith.mulf %1, %arg1 : f32
    %5 = arith.addf %3, %4 : f32
    pipeline.yield %5 : f32
  } sized(%dim, %dim_0) : tensor<3x?x?xf32>
  %up = pipeline.scan "up" (%c, %y, %x) along 1 backward {
    %1 = pipeline.load %down[%c, %y, %x] : tensor<3x?x?xf32>
    %2 = pipeline.previous 1 or %1 : f32
    %3 = arith.mulf %2, %0 : f32
    %4 = arith.mulf %1, %arg1 : f32
    %5 = arith.addf %3, %4 : f32
    pipeline.yield %5 : f32
  } sized(%dim, %dim_0) : tensor<3x?x?xf32>
  %right = pipeline.scan "right" (%c, %y, %x) along 2 {
    %1 = pipeline.load %up[%c, %y, %x] : tensor<3x?x?xf32>
    %2 = pipeline.previous 1 or %1 : f32
    %3 = arith.mulf %2, %0 : f32
    %4 = arith.mulf %1, %arg1 : f32
    %5 = arith.addf %3, %4 : f32
    pipeline.yield %5 : f32
  } sized(%dim, %dim_0) : tensor<3x?x?xf32>
  %left = pipeline.scan "left" (%c, %y, %x) along 2 backward {
    %1 = pipeline.load %right[%c, %y, %x] : tensor<3x?x?xf32>
    %2 = pipeline.previous 1 or %1 : f32
    %3 = arith.mulf %2, %0 : f32
    %4 = arith.mulf %1, %arg1 : f32
    %5 = arith.addf %3, %4 : f32
    pipeline.yield %5 : f32
  } sized(%dim, %dim_0) : tensor<3x?x?xf32>
  return %left : tensor<3x?x?xf32>
}
