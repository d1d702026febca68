// 2x2 means: a smaller image of a larger one.
func.func @down(%img: tensor<?x?xf32> {weft.name = "img"}) -> (tensor<?x?xf32> {weft.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %h2 = arith.divui %h, %c2 : index
  %w2 = arith.divui %w, %c2 : index
  %quarter = arith.constant 0.25 : f32
  %out = pipeline.stage "down" (%y, %x) {
    %a = pipeline.load %img[%y * 2, %x * 2] : tensor<?x?xf32>
    %b = pipeline.load %img[%y * 2, %x * 2 + 1] : tensor<?x?xf32>
    %c = pipeline.load %img[%y * 2 + 1, %x * 2] : tensor<?x?xf32>
    %d = pipeline.load %img[%y * 2 + 1, %x * 2 + 1] : tensor<?x?xf32>
    %s0 = arith.addf %a, %b : f32
    %s1 = arith.addf %c, %d : f32
    %s = arith.addf %s0, %s1 : f32
    %v = arith.mulf %s, %quarter : f32
    pipeline.yield %v : f32
  } sized(%h2, %w2) : tensor<?x?xf32>
  return %out : tensor<?x?xf32>
}
