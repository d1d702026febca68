// So small that every schedule of it can be tried.
func.func @few(%img: tensor<8xi8> {weft.name = "img", weft.unsigned}) -> (tensor<8xi8> {weft.name = "out", weft.unsigned}) {
  %0 = pipeline.stage "copy" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xi8>
    pipeline.yield %a : i8
  } : tensor<8xi8>
  return %0 : tensor<8xi8>
}
