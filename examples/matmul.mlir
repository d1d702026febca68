// A product of matrices, c = a b, in f32: m x 256 by 256 x n points. Each point is one reduction over the 256 products,
// summed up in their order. It shows what a program of one stage without overlap becomes; it is no library's matmul,
// which keeps a block of c in registers.
//
//   pipeline-run examples/matmul.mlir --arg a=a.npy --arg b=b.npy --out c=c.npy

func.func @matmul(%arg0: tensor<?x256xf32> {weft.estimate = array<i64: 1024, 256>, weft.name = "a"}, %arg1: tensor<256x?xf32> {weft.estimate = array<i64: 256, 1024>, weft.name = "b"}) -> (tensor<?x?xf32> {weft.name = "c"}) {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?x256xf32>
  %c1 = arith.constant 1 : index
  %dim_0 = tensor.dim %arg1, %c1 : tensor<256x?xf32>
  %cst = arith.constant 0.000000e+00 : f32
  %c = pipeline.stage "c" (%y, %x) {
    %0 = pipeline.reduce (%rx) in [0, 256) (%acc = %cst : f32) {
      %1 = pipeline.load %arg0[%y, %rx] : tensor<?x256xf32>
      %2 = pipeline.load %arg1[%rx, %x] : tensor<256x?xf32>
      %3 = arith.mulf %1, %2 : f32
      %4 = arith.addf %acc, %3 : f32
      pipeline.yield %4 : f32
    } : f32
    pipeline.yield %0 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}
