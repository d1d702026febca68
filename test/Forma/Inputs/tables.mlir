func.func @f(%img: tensor<?x?xf32> {weft.name = "img"}) -> (tensor<?x?xf32> {weft.name = "out"}, tensor<?x?xi16> {weft.name = "low", weft.unsigned}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %weights = arith.constant dense<[0.25, 0.5, -1.5e-3]> : tensor<3xf32> loc("weights")
  %a:2 = pipeline.stage "a" (%y, %x) {
    %bits = arith.constant dense<[[1, -2], [3, 4]]> : tensor<2x2xi16>
    %same = arith.constant dense<2.0> : tensor<3xf64>
    %0 = pipeline.load %weights[2] : tensor<3xf32>
    %1 = pipeline.load %img[%y, %x - 1] mirror : tensor<?x?xf32>
    %2 = arith.mulf %0, %1 : f32
    %3 = pipeline.load %bits[%y mod 2, %x + 1] clamp : tensor<2x2xi16>
    %4 = arith.fptosi %1 : f32 to i32
    %5 = arith.index_cast %4 : i32 to index
    %6 = pipeline.gather %same[%5] clamp : tensor<3xf64>
    %7 = arith.truncf %6 : f64 to f32
    %8 = arith.addf %2, %7 : f32
    pipeline.yield %8, %3 : f32, i16
  } sized(%h, %w) : tensor<?x?xf32>, tensor<?x?xi16>
  return %a#0, %a#1 : tensor<?x?xf32>, tensor<?x?xi16>
}
