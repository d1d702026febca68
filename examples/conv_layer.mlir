// A layer of a neural network in f32: 3x3 convolution of 16 channels to 16, one reduction over 144 products, with a
// bias and ReLU. Beyond the edge the image is 0, so that its size stays. Weights are [to, from, dy, dx].
//
//   pipeline-run examples/conv_layer.mlir --arg img=img.npy --arg weights=weights.npy --arg bias=bias.npy --out out=out.npy

func.func @conv_layer(%arg0: tensor<16x?x?xf32> {weft.estimate = array<i64: 16, 512, 512>, weft.name = "img"}, %arg1: tensor<16x16x3x3xf32> {weft.name = "weights"}, %arg2: tensor<16xf32> {weft.name = "bias"}) -> (tensor<16x?x?xf32> {weft.name = "out"}) {
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %arg0, %c1 : tensor<16x?x?xf32>
  %c2 = arith.constant 2 : index
  %dim_0 = tensor.dim %arg0, %c2 : tensor<16x?x?xf32>
  %cst = arith.constant 0.000000e+00 : f32
  %out = pipeline.stage "out" (%c, %y, %x) {
    %0 = pipeline.load %arg2[%c] : tensor<16xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 16) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg1[%c, %rc, %ry, %rx] : tensor<16x16x3x3xf32>
      %4 = pipeline.load %arg0[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<16x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<16x?x?xf32>
  return %out : tensor<16x?x?xf32>
}
