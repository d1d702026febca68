// One step of a Gaussian pyramid: 1 2 1 along x and along y, then every second point of every second row.
func.func @step(%img: tensor<?x?xf32> {weft.name = "img"}) -> (tensor<?x?xf32> {weft.name = "half"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %h2 = arith.ceildivui %h, %c2 : index
  %w2 = arith.ceildivui %w, %c2 : index
  %two = arith.constant 2.0 : f32
  %quarter = arith.constant 0.25 : f32
  %bx = pipeline.stage "blurx" (%y, %x) {
    %l = pipeline.load %img[%y, %x - 1] mirror : tensor<?x?xf32>
    %c = pipeline.load %img[%y, %x] : tensor<?x?xf32>
    %r = pipeline.load %img[%y, %x + 1] mirror : tensor<?x?xf32>
    %m = arith.mulf %c, %two : f32
    %s0 = arith.addf %l, %m : f32
    %s1 = arith.addf %s0, %r : f32
    %v = arith.mulf %s1, %quarter : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %by = pipeline.stage "blury" (%y, %x) {
    %l = pipeline.load %bx[%y - 1, %x] mirror : tensor<?x?xf32>
    %c = pipeline.load %bx[%y, %x] : tensor<?x?xf32>
    %r = pipeline.load %bx[%y + 1, %x] mirror : tensor<?x?xf32>
    %m = arith.mulf %c, %two : f32
    %s0 = arith.addf %l, %m : f32
    %s1 = arith.addf %s0, %r : f32
    %v = arith.mulf %s1, %quarter : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %half = pipeline.stage "half" (%y, %x) {
    %v = pipeline.load %by[%y * 2, %x * 2] clamp : tensor<?x?xf32>
    pipeline.yield %v : f32
  } sized(%h2, %w2) : tensor<?x?xf32>
  return %half : tensor<?x?xf32>
}
