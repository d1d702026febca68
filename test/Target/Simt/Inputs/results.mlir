// Results in every way: an argument, a stage of two results, a stage that others read, the same one twice, bytes, and a rank of 1 to 4.
func.func @results(%img: tensor<?x?xf32> {weft.name = "img"}, %gain: f32 {weft.name = "gain"}) -> (
    tensor<?x?xf32> {weft.name = "same"}, tensor<?x?xf32> {weft.name = "sum"}, tensor<?x?xf32> {weft.name = "difference"},
    tensor<?x?xf32> {weft.name = "again"}, tensor<?xi8> {weft.name = "row", weft.unsigned}, tensor<2x3x4x5xf64> {weft.name = "cube"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %hundred = arith.constant 1.000000e+02 : f32
  %root = math.sqrt %gain : f32
  %sum, %difference = pipeline.stage "pair" (%y, %x) {
    %a = pipeline.load %img[%y - 1, %x + 2] mirror : tensor<?x?xf32>
    %b = pipeline.load %img[%y + 3, %x] wrap : tensor<?x?xf32>
    %c = arith.mulf %b, %root : f32
    %d = arith.addf %a, %c : f32
    %e = arith.subf %a, %c : f32
    pipeline.yield %d, %e : f32, f32
  } sized(%h, %w) : tensor<?x?xf32>, tensor<?x?xf32>
  %row = pipeline.stage "row" (%x) {
    %a = pipeline.load %difference[0, %x] clamp : tensor<?x?xf32>
    %b = arith.mulf %a, %hundred : f32
    %c = arith.fptoui %b : f32 to i8
    pipeline.yield %c : i8
  } sized(%w) : tensor<?xi8>
  %cube = pipeline.stage "cube" (%n, %c, %y, %x) {
    %a = pipeline.load %sum[%n + %y, %c + %x] clamp : tensor<?x?xf32>
    %b = arith.extf %a : f32 to f64
    pipeline.yield %b : f64
  } : tensor<2x3x4x5xf64>
  return %img, %sum, %difference, %sum, %row, %cube
      : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xi8>, tensor<2x3x4x5xf64>
}
