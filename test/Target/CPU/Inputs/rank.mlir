// More dimensions than a weft_buffer has, of an image that nobody reads.

func.func @f(%v: i32 {weft.name = "v"}, %img: tensor<1x1x1x1x8xi32> {weft.name = "img"}) -> tensor<8xi32> {
  %s = pipeline.stage "s" (%x) {
    pipeline.yield %v : i32
  } : tensor<8xi32>
  return %s : tensor<8xi32>
}
