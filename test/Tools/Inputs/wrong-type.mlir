// The load says another type than the image has.

func.func @program(%img: tensor<8x8xf32>) -> tensor<8x8xi32> {
  %0 = pipeline.stage "s" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<8x8xi32>
    pipeline.yield %v : i32
  } : tensor<8x8xi32>
  return %0 : tensor<8x8xi32>
}
