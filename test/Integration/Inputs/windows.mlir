// A 9x9 mean of a 5x5 mean: one is written out, the other a loop.
func.func @windows(%img: tensor<?x?xf32> {weft.name = "img"}) -> (tensor<?x?xf32> {weft.name = "out"}) {
  %zero = arith.constant 0.0 : f32
  %w5 = arith.constant 0.04 : f32
  %w9 = arith.constant 0.012345679 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %a = pipeline.stage "five" (%y, %x) {
    %s = pipeline.reduce (%ry, %rx) in [-2, 3) x [-2, 3) (%acc = %zero : f32) {
      %p = pipeline.load %img[%y + %ry, %x + %rx] clamp : tensor<?x?xf32>
      %q = arith.mulf %p, %w5 : f32
      %t = arith.addf %acc, %q : f32
      pipeline.yield %t : f32
    } : f32
    pipeline.yield %s : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %b = pipeline.stage "nine" (%y, %x) {
    %s = pipeline.reduce (%ry, %rx) in [-4, 5) x [-4, 5) (%acc = %zero : f32) {
      %p = pipeline.load %a[%y + %ry, %x + %rx] mirror : tensor<?x?xf32>
      %q = arith.mulf %p, %w9 : f32
      %t = arith.addf %acc, %q : f32
      pipeline.yield %t : f32
    } : f32
    pipeline.yield %s : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %b : tensor<?x?xf32>
}
