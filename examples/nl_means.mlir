// Non-local means of a colour image, as Halide has it: each point becomes the mean of the 7x7 points around it,
// weighted by how alike their surroundings are: exp(-d / (7 sigma)^2), where d is the squared distance of two 7x7
// patches over all colours. Each of the 49 offsets has an image of distances, and a patch of these is summed along
// columns, then along rows. The edge is repeated.
//
//   pipeline-run examples/nl_means.mlir --arg img=examples/data/chelsea.png --arg sigma=0.12 --out means=means.png

func.func @nl_means(%arg0: tensor<3x?x?xf32> {weft.estimate = array<i64: 3, 2560, 1536>, weft.name = "img"}, %arg1: f32 {weft.name = "sigma"}) -> (tensor<3x?x?xf32> {weft.name = "means"}) {
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %arg0, %c1 : tensor<3x?x?xf32>
  %c2 = arith.constant 2 : index
  %dim_0 = tensor.dim %arg0, %c2 : tensor<3x?x?xf32>
  %c6 = arith.constant 6 : index
  %0 = arith.addi %dim_0, %c6 : index
  %1 = arith.addi %dim, %c6 : index
  %cst = arith.constant 0.000000e+00 : f32
  %distance = pipeline.stage "distance" (%n, %c, %y, %x) {
    %5 = pipeline.reduce (%rx) in [0, 3) (%acc = %cst : f32) {
      %6 = pipeline.load %arg0[%rx, %y - 3, %x - 3] clamp : tensor<3x?x?xf32>
      %7 = pipeline.load %arg0[%rx, %y + %n - 6, %x + %c - 6] clamp : tensor<3x?x?xf32>
      %8 = arith.subf %6, %7 : f32
      %9 = arith.mulf %8, %8 : f32
      %10 = arith.addf %acc, %9 : f32
      pipeline.yield %10 : f32
    } : f32
    pipeline.yield %5 : f32
  } sized(%1, %0) : tensor<7x7x?x?xf32>
  %columns = pipeline.stage "columns" (%n, %c, %y, %x) {
    %5 = pipeline.reduce (%rx) in [0, 7) (%acc = %cst : f32) {
      %6 = pipeline.load %distance[%n, %c, %y + %rx, %x] : tensor<7x7x?x?xf32>
      %7 = arith.addf %acc, %6 : f32
      pipeline.yield %7 : f32
    } : f32
    pipeline.yield %5 : f32
  } sized(%dim, %0) : tensor<7x7x?x?xf32>
  %2 = arith.mulf %arg1, %arg1 : f32
  %cst_1 = arith.constant 4.900000e+01 : f32
  %3 = arith.mulf %2, %cst_1 : f32
  %cst_2 = arith.constant -1.000000e+00 : f32
  %4 = arith.divf %cst_2, %3 : f32
  %weight = pipeline.stage "weight" (%n, %c, %y, %x) {
    %5 = pipeline.reduce (%rx) in [0, 7) (%acc = %cst : f32) {
      %8 = pipeline.load %columns[%n, %c, %y, %x + %rx] : tensor<7x7x?x?xf32>
      %9 = arith.addf %acc, %8 : f32
      pipeline.yield %9 : f32
    } : f32
    %6 = arith.mulf %5, %4 : f32
    %7 = math.exp %6 : f32
    pipeline.yield %7 : f32
  } sized(%dim, %dim_0) : tensor<7x7x?x?xf32>
  %total = pipeline.stage "total" (%y, %x) {
    %5 = pipeline.reduce (%ry, %rx) in [0, 7) x [0, 7) (%acc = %cst : f32) {
      %6 = pipeline.load %weight[%ry, %rx, %y, %x] : tensor<7x7x?x?xf32>
      %7 = arith.addf %acc, %6 : f32
      pipeline.yield %7 : f32
    } : f32
    pipeline.yield %5 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %sum = pipeline.stage "sum" (%c, %y, %x) {
    %5 = pipeline.reduce (%ry, %rx) in [0, 7) x [0, 7) (%acc = %cst : f32) {
      %6 = pipeline.load %weight[%ry, %rx, %y, %x] : tensor<7x7x?x?xf32>
      %7 = pipeline.load %arg0[%c, %y + %ry - 3, %x + %rx - 3] clamp : tensor<3x?x?xf32>
      %8 = arith.mulf %6, %7 : f32
      %9 = arith.addf %acc, %8 : f32
      pipeline.yield %9 : f32
    } : f32
    pipeline.yield %5 : f32
  } sized(%dim, %dim_0) : tensor<3x?x?xf32>
  %cst_3 = arith.constant 1.000000e+00 : f32
  %means = pipeline.stage "means" (%c, %y, %x) {
    %5 = pipeline.load %sum[%c, %y, %x] : tensor<3x?x?xf32>
    %6 = pipeline.load %total[%y, %x] : tensor<?x?xf32>
    %7 = arith.divf %5, %6 : f32
    %8 = arith.maximumf %7, %cst : f32
    %9 = arith.minimumf %8, %cst_3 : f32
    pipeline.yield %9 : f32
  } sized(%dim, %dim_0) : tensor<3x?x?xf32>
  return %means : tensor<3x?x?xf32>
}
