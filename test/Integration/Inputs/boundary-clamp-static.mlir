// Boundary clamp of an input and of a stage, static extents.
func.func @boundary(%img: tensor<9x13xf32> {weft.name = "img"}) -> (tensor<9x13xf32> {weft.name = "out"}) {
  %half = arith.constant 0.5 : f32
  %two = arith.constant 2.0 : f32
  %first = pipeline.stage "first" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<9x13xf32>
    %b = pipeline.load %img[%y - 2, %x + 3] clamp : tensor<9x13xf32>
    %b2 = arith.mulf %b, %two : f32
    %v = arith.addf %a, %b2 : f32
    pipeline.yield %v : f32
  } : tensor<9x13xf32>
  %second = pipeline.stage "second" (%y, %x) {
    %a = pipeline.load %first[%y, %x] : tensor<9x13xf32>
    %b = pipeline.load %first[%y + 5, %x - 7] clamp : tensor<9x13xf32>
    %v = arith.addf %a, %b : f32
    pipeline.yield %v : f32
  } : tensor<9x13xf32>
  return %second : tensor<9x13xf32>
}
