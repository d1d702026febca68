// A 3x3 box blur, separated: along x, then along y. The edge is repeated.
//
//   pipeline-run examples/blur.mlir --arg img=examples/data/camera.png --out blurred=blurred.png

func.func @blur(%img: tensor<?x?xf32> {weft.name = "img", weft.estimate = array<i64: 4800, 6400>})
    -> (tensor<?x?xf32> {weft.name = "blurred"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %three = arith.constant 3.0 : f32

  %blurx = pipeline.stage "blurx" (%y, %x) {
    %l = pipeline.load %img[%y, %x - 1] clamp : tensor<?x?xf32>
    %c = pipeline.load %img[%y, %x] : tensor<?x?xf32>
    %r = pipeline.load %img[%y, %x + 1] clamp : tensor<?x?xf32>
    %s0 = arith.addf %l, %c : f32
    %s1 = arith.addf %s0, %r : f32
    %v = arith.divf %s1, %three : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>

  %blury = pipeline.stage "blury" (%y, %x) {
    %l = pipeline.load %blurx[%y - 1, %x] clamp : tensor<?x?xf32>
    %c = pipeline.load %blurx[%y, %x] : tensor<?x?xf32>
    %r = pipeline.load %blurx[%y + 1, %x] clamp : tensor<?x?xf32>
    %s0 = arith.addf %l, %c : f32
    %s1 = arith.addf %s0, %r : f32
    %v = arith.divf %s1, %three : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>

  return %blury : tensor<?x?xf32>
}
