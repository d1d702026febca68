// The stage gives no value.
func.func @program(%img: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<8x8xf32>
  } : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
