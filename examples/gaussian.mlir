// A 5x5 Gaussian blur of bytes, OpenCV's GaussianBlur: the binomial 1 4 6 4 1 along x, then along y, and 1/256 of the sum, rounded. The edge
// is repeated. Sums need 12 and 16 bits: --narrow-integers finds that out, and the program is written without a thought of it.
//
//   pipeline-run examples/gaussian.mlir --arg img=examples/data/camera.png --out blurred=blurred.png

func.func @gaussian(%img: tensor<?x?xi8> {weft.name = "img", weft.unsigned, weft.estimate = array<i64: 4800, 6400>})
    -> (tensor<?x?xi8> {weft.name = "blurred", weft.unsigned}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xi8>
  %w = tensor.dim %img, %c1 : tensor<?x?xi8>
  %four = arith.constant 4 : i32
  %six = arith.constant 6 : i32
  %half = arith.constant 128 : i32
  %eight = arith.constant 8 : i32

  %blurx = pipeline.stage "blurx" (%y, %x) {
    %b0 = pipeline.load %img[%y, %x - 2] clamp : tensor<?x?xi8>
    %b1 = pipeline.load %img[%y, %x - 1] clamp : tensor<?x?xi8>
    %b2 = pipeline.load %img[%y, %x] : tensor<?x?xi8>
    %b3 = pipeline.load %img[%y, %x + 1] clamp : tensor<?x?xi8>
    %b4 = pipeline.load %img[%y, %x + 2] clamp : tensor<?x?xi8>
    %p0 = arith.extui %b0 : i8 to i32
    %p1 = arith.extui %b1 : i8 to i32
    %p2 = arith.extui %b2 : i8 to i32
    %p3 = arith.extui %b3 : i8 to i32
    %p4 = arith.extui %b4 : i8 to i32
    %far = arith.addi %p0, %p4 : i32
    %near = arith.addi %p1, %p3 : i32
    %n = arith.muli %near, %four : i32
    %c = arith.muli %p2, %six : i32
    %s = arith.addi %far, %n : i32
    %v = arith.addi %s, %c : i32
    pipeline.yield %v : i32
  } sized(%h, %w) : tensor<?x?xi32>

  %blury = pipeline.stage "blury" (%y, %x) {
    %p0 = pipeline.load %blurx[%y - 2, %x] clamp : tensor<?x?xi32>
    %p1 = pipeline.load %blurx[%y - 1, %x] clamp : tensor<?x?xi32>
    %p2 = pipeline.load %blurx[%y, %x] : tensor<?x?xi32>
    %p3 = pipeline.load %blurx[%y + 1, %x] clamp : tensor<?x?xi32>
    %p4 = pipeline.load %blurx[%y + 2, %x] clamp : tensor<?x?xi32>
    %far = arith.addi %p0, %p4 : i32
    %near = arith.addi %p1, %p3 : i32
    %n = arith.muli %near, %four : i32
    %c = arith.muli %p2, %six : i32
    %s = arith.addi %far, %n : i32
    %t = arith.addi %s, %c : i32
    %r = arith.addi %t, %half : i32
    %q = arith.shrui %r, %eight : i32
    %v = arith.trunci %q : i32 to i8
    pipeline.yield %v : i8
  } sized(%h, %w) : tensor<?x?xi8>

  return %blury : tensor<?x?xi8>
}
