// Values from 0 to 0.1.
func.func @dim(%img: tensor<8x8xf32> {weft.name = "img"}) -> (tensor<8x8xf32> {weft.name = "out"}) {
  %tenth = arith.constant 0.1 : f32
  %0 = pipeline.stage "dim" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<8x8xf32>
    %b = arith.mulf %a, %tenth : f32
    pipeline.yield %b : f32
  } : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
