// Bytes, as they are.
func.func @copy(%img: tensor<8x8xi8> {weft.name = "img", weft.unsigned}) -> (tensor<8x8xi8> {weft.name = "out", weft.unsigned}) {
  %0 = pipeline.stage "copy" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<8x8xi8>
    pipeline.yield %a : i8
  } : tensor<8x8xi8>
  return %0 : tensor<8x8xi8>
}
