// The load leaves the image at its right edge.
func.func @outside(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "next" (%x) {
    %r = pipeline.load %img[%x + 1] : tensor<8xf32>
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
