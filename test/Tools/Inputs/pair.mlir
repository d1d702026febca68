func.func @f(%img: tensor<4x4xf32> {weft.name = "img"})
    -> (tensor<4x4xf32> {weft.name = "a"}, tensor<4x4xf32> {weft.name = "b"}) {
  %0:2 = pipeline.stage "twice" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<4x4xf32>
    %w = arith.addf %v, %v : f32
    pipeline.yield %v, %w : f32, f32
  } : tensor<4x4xf32>, tensor<4x4xf32>
  return %0#0, %0#1 : tensor<4x4xf32>, tensor<4x4xf32>
}
