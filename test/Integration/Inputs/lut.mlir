// A lookup table on bytes.
func.func @lut(%img: tensor<?x?xi8> {weft.name = "img", weft.unsigned}, %table: tensor<256xf32> {weft.name = "table"})
    -> (tensor<?x?xf32> {weft.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xi8>
  %w = tensor.dim %img, %c1 : tensor<?x?xi8>
  %out = pipeline.stage "lut" (%y, %x) {
    %p = pipeline.load %img[%y, %x] : tensor<?x?xi8>
    %i = arith.index_castui %p : i8 to index
    %v = pipeline.gather %table[%i] clamp : tensor<256xf32>
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %out : tensor<?x?xf32>
}
