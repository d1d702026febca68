// Names that would end the script of a page, or begin a comment in it.
func.func @tags(%img: tensor<64x64xf32> {weft.name = "<img src=x>"}) -> (tensor<64x64xf32> {weft.name = "</script><script>alert(1)</script>"}) {
  %a = pipeline.stage "</script><!--" (%y, %x) {
    %0 = pipeline.load %img[%y, %x + 1] clamp : tensor<64x64xf32>
    pipeline.yield %0 : f32
  } : tensor<64x64xf32>
  return %a : tensor<64x64xf32>
}
