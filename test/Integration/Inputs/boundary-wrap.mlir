// Boundary wrap of an input and of a stage, with reaches beyond small images.
func.func @boundary(%img: tensor<?x?xf32> {weft.name = "img"}) -> (tensor<?x?xf32> {weft.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %half = arith.constant 0.5 : f32
  %two = arith.constant 2.0 : f32
  %first = pipeline.stage "first" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<?x?xf32>
    %b = pipeline.load %img[%y - 2, %x + 3] wrap : tensor<?x?xf32>
    %b2 = arith.mulf %b, %two : f32
    %v = arith.addf %a, %b2 : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %second = pipeline.stage "second" (%y, %x) {
    %a = pipeline.load %first[%y, %x] : tensor<?x?xf32>
    %b = pipeline.load %first[%y + 5, %x - 7] wrap : tensor<?x?xf32>
    %v = arith.addf %a, %b : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %second : tensor<?x?xf32>
}
