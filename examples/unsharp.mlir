// Unsharp mask of a colour image, as PolyMage has it: blur with 1 4 6 4 1 over the rows, then over the columns; where the
// image differs from its blur by more than a threshold, the difference is added to it three times.
//
//   pipeline-run examples/unsharp.mlir --arg img=examples/data/chelsea.png --out sharp=sharp.png

func.func @unsharp(%img: tensor<3x?x?xf32> {weft.name = "img", weft.estimate = array<i64: 3, 2832, 4256>})
    -> (tensor<3x?x?xf32> {weft.name = "sharp"}) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = tensor.dim %img, %c1 : tensor<3x?x?xf32>
  %w = tensor.dim %img, %c2 : tensor<3x?x?xf32>
  %four = arith.constant 4.0 : f32
  %six = arith.constant 6.0 : f32
  %sixteenth = arith.constant 0.0625 : f32
  %weight = arith.constant 3.0 : f32
  %weight1 = arith.constant 4.0 : f32
  %threshold = arith.constant 0.001 : f32

  %blurx = pipeline.stage "blurx" (%c, %y, %x) {
    %p0 = pipeline.load %img[%c, %y - 2, %x] clamp : tensor<3x?x?xf32>
    %p1 = pipeline.load %img[%c, %y - 1, %x] clamp : tensor<3x?x?xf32>
    %p2 = pipeline.load %img[%c, %y, %x] : tensor<3x?x?xf32>
    %p3 = pipeline.load %img[%c, %y + 1, %x] clamp : tensor<3x?x?xf32>
    %p4 = pipeline.load %img[%c, %y + 2, %x] clamp : tensor<3x?x?xf32>
    %e = arith.addf %p0, %p4 : f32
    %m = arith.addf %p1, %p3 : f32
    %m4 = arith.mulf %m, %four : f32
    %c6 = arith.mulf %p2, %six : f32
    %s0 = arith.addf %e, %m4 : f32
    %s1 = arith.addf %s0, %c6 : f32
    %v = arith.mulf %s1, %sixteenth : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<3x?x?xf32>

  %blury = pipeline.stage "blury" (%c, %y, %x) {
    %p0 = pipeline.load %blurx[%c, %y, %x - 2] clamp : tensor<3x?x?xf32>
    %p1 = pipeline.load %blurx[%c, %y, %x - 1] clamp : tensor<3x?x?xf32>
    %p2 = pipeline.load %blurx[%c, %y, %x] : tensor<3x?x?xf32>
    %p3 = pipeline.load %blurx[%c, %y, %x + 1] clamp : tensor<3x?x?xf32>
    %p4 = pipeline.load %blurx[%c, %y, %x + 2] clamp : tensor<3x?x?xf32>
    %e = arith.addf %p0, %p4 : f32
    %m = arith.addf %p1, %p3 : f32
    %m4 = arith.mulf %m, %four : f32
    %c6 = arith.mulf %p2, %six : f32
    %s0 = arith.addf %e, %m4 : f32
    %s1 = arith.addf %s0, %c6 : f32
    %v = arith.mulf %s1, %sixteenth : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<3x?x?xf32>

  %sharpen = pipeline.stage "sharpen" (%c, %y, %x) {
    %i = pipeline.load %img[%c, %y, %x] : tensor<3x?x?xf32>
    %b = pipeline.load %blury[%c, %y, %x] : tensor<3x?x?xf32>
    %more = arith.mulf %i, %weight1 : f32
    %less = arith.mulf %b, %weight : f32
    %v = arith.subf %more, %less : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<3x?x?xf32>

  %masked = pipeline.stage "masked" (%c, %y, %x) {
    %i = pipeline.load %img[%c, %y, %x] : tensor<3x?x?xf32>
    %b = pipeline.load %blury[%c, %y, %x] : tensor<3x?x?xf32>
    %s = pipeline.load %sharpen[%c, %y, %x] : tensor<3x?x?xf32>
    %d = arith.subf %i, %b : f32
    %a = math.absf %d : f32
    %flat = arith.cmpf olt, %a, %threshold : f32
    %v = arith.select %flat, %i, %s : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<3x?x?xf32>

  return %masked : tensor<3x?x?xf32>
}
