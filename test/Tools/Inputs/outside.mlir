// The load leaves the image at its right edge.
func.func @program(%img: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    %v = pipeline.load %img[%y, %x + 1] : tensor<8x8xf32>
    pipeline.yield %v : f32
  } : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
