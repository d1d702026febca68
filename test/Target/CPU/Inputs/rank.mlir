// More dimensions than a weft_buffer has.

func.func @f(%img: tensor<1x1x1x1x8xi32> {weft.name = "img"}) -> tensor<8xi32> {
  %s = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[0, 0, 0, 0, %x] : tensor<1x1x1x1x8xi32>
    pipeline.yield %a : i32
  } : tensor<8xi32>
  return %s : tensor<8xi32>
}
