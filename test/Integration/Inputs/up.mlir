// Nearest neighbour: a larger image of a smaller one, in f16.
func.func @up(%img: tensor<?x?xf16> {weft.name = "img"}) -> (tensor<?x?xf16> {weft.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf16>
  %w = tensor.dim %img, %c1 : tensor<?x?xf16>
  %h2 = arith.muli %h, %c2 : index
  %w2 = arith.muli %w, %c2 : index
  %out = pipeline.stage "up" (%y, %x) {
    %v = pipeline.load %img[%y floordiv 2, %x floordiv 2] : tensor<?x?xf16>
    pipeline.yield %v : f16
  } sized(%h2, %w2) : tensor<?x?xf16>
  return %out : tensor<?x?xf16>
}
