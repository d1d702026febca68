// A program of four dimensions, for parts of larger images.

func.func @rank4(%img: tensor<?x?x?x?xf32> {weft.name = "img"}) -> (tensor<?x?x?x?xf32> {weft.name = "twice"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %img, %c0 : tensor<?x?x?x?xf32>
  %c = tensor.dim %img, %c1 : tensor<?x?x?x?xf32>
  %h = tensor.dim %img, %c2 : tensor<?x?x?x?xf32>
  %w = tensor.dim %img, %c3 : tensor<?x?x?x?xf32>
  %0 = pipeline.stage "twice" (%a, %b, %y, %x) {
    %1 = pipeline.load %img[%a, %b, %y, %x] : tensor<?x?x?x?xf32>
    %2 = arith.addf %1, %1 : f32
    pipeline.yield %2 : f32
  } sized(%n, %c, %h, %w) : tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}
