// The load leaves the image at its right edge, unless the image has more than 8 columns.

func.func @program(%img: tensor<?x?xf32>) -> tensor<8x8xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    // Line 6:
    %v = pipeline.load %img[%y, %x + 1] : tensor<?x?xf32>
    pipeline.yield %v : f32
  } : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
