// A chain of pointwise stages, as a colourist turns knobs: exposure, saturation about the luma, contrast about middle grey, the limits of what
// can be shown, and a soft curve, of which some is mixed in. Nothing looks beside itself: it takes as long as to read and write the image.
//
//   pipeline-run examples/grade.mlir --arg img=examples/data/chelsea.png --arg exposure=1.2 --arg saturation=1.3 --arg contrast=1.1 --arg curve=0.5 --out graded=graded.png

func.func @grade(%img: tensor<3x?x?xf32> {weft.name = "img", weft.estimate = array<i64: 3, 2832, 4256>},
                 %exposure: f32 {weft.name = "exposure"}, %saturation: f32 {weft.name = "saturation"},
                 %contrast: f32 {weft.name = "contrast"}, %curve: f32 {weft.name = "curve"})
    -> (tensor<3x?x?xf32> {weft.name = "graded"}) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = tensor.dim %img, %c1 : tensor<3x?x?xf32>
  %w = tensor.dim %img, %c2 : tensor<3x?x?xf32>
  %red = arith.constant 0.2126 : f32
  %green = arith.constant 0.7152 : f32
  %blue = arith.constant 0.0722 : f32
  %grey = arith.constant 0.18 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32

  %exposed = pipeline.stage "exposed" (%c, %y, %x) {
    %p = pipeline.load %img[%c, %y, %x] : tensor<3x?x?xf32>
    %v = arith.mulf %p, %exposure : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<3x?x?xf32>

  %luma = pipeline.stage "luma" (%y, %x) {
    %r = pipeline.load %exposed[0, %y, %x] : tensor<3x?x?xf32>
    %g = pipeline.load %exposed[1, %y, %x] : tensor<3x?x?xf32>
    %b = pipeline.load %exposed[2, %y, %x] : tensor<3x?x?xf32>
    %wr = arith.mulf %r, %red : f32
    %wg = arith.mulf %g, %green : f32
    %wb = arith.mulf %b, %blue : f32
    %s = arith.addf %wr, %wg : f32
    %v = arith.addf %s, %wb : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>

  %saturated = pipeline.stage "saturated" (%c, %y, %x) {
    %p = pipeline.load %exposed[%c, %y, %x] : tensor<3x?x?xf32>
    %l = pipeline.load %luma[%y, %x] : tensor<?x?xf32>
    %d = arith.subf %p, %l : f32
    %s = arith.mulf %d, %saturation : f32
    %v = arith.addf %l, %s : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<3x?x?xf32>

  %contrasted = pipeline.stage "contrasted" (%c, %y, %x) {
    %p = pipeline.load %saturated[%c, %y, %x] : tensor<3x?x?xf32>
    %d = arith.subf %p, %grey : f32
    %s = arith.mulf %d, %contrast : f32
    %v = arith.addf %s, %grey : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<3x?x?xf32>

  %limited = pipeline.stage "limited" (%c, %y, %x) {
    %p = pipeline.load %contrasted[%c, %y, %x] : tensor<3x?x?xf32>
    %a = arith.maximumf %p, %zero : f32
    %v = arith.minimumf %a, %one : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<3x?x?xf32>

  %soft = pipeline.stage "soft" (%c, %y, %x) {
    %p = pipeline.load %limited[%c, %y, %x] : tensor<3x?x?xf32>
    %p2 = arith.mulf %p, %p : f32
    %d = arith.mulf %p, %two : f32
    %s = arith.subf %three, %d : f32
    %v = arith.mulf %p2, %s : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<3x?x?xf32>

  %graded = pipeline.stage "graded" (%c, %y, %x) {
    %p = pipeline.load %limited[%c, %y, %x] : tensor<3x?x?xf32>
    %q = pipeline.load %soft[%c, %y, %x] : tensor<3x?x?xf32>
    %d = arith.subf %q, %p : f32
    %s = arith.mulf %d, %curve : f32
    %v = arith.addf %p, %s : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<3x?x?xf32>

  return %graded : tensor<3x?x?xf32>
}
