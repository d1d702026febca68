// Halide's recursive blur of a colour image: each value is mixed with the blurred one before it, `alpha` parts of 1 its own. Down
// every column, up again, along every row, and back: four scans, each of which runs the filter once over all lines. A line begins
// with its own first value.
//
//   pipeline-run examples/iir_blur.mlir --arg img=examples/data/chelsea.png --arg alpha=0.2 --out blurred=blurred.png

func.func @iir_blur(%img: tensor<3x?x?xf32> {weft.name = "img", weft.estimate = array<i64: 3, 2560, 1536>},
    %alpha: f32 {weft.name = "alpha"}) -> (tensor<3x?x?xf32> {weft.name = "blurred"}) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = tensor.dim %img, %c1 : tensor<3x?x?xf32>
  %w = tensor.dim %img, %c2 : tensor<3x?x?xf32>
  %one = arith.constant 1.0 : f32
  %rest = arith.subf %one, %alpha : f32

  %down = pipeline.scan "down" (%c, %y, %x) along 1 {
    %a = pipeline.load %img[%c, %y, %x] : tensor<3x?x?xf32>
    %p = pipeline.previous 1 or %a : f32
    %own = arith.mulf %a, %alpha : f32
    %before = arith.mulf %p, %rest : f32
    %v = arith.addf %before, %own : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<3x?x?xf32>

  %up = pipeline.scan "up" (%c, %y, %x) along 1 backward {
    %a = pipeline.load %down[%c, %y, %x] : tensor<3x?x?xf32>
    %p = pipeline.previous 1 or %a : f32
    %own = arith.mulf %a, %alpha : f32
    %before = arith.mulf %p, %rest : f32
    %v = arith.addf %before, %own : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<3x?x?xf32>

  %right = pipeline.scan "right" (%c, %y, %x) along 2 {
    %a = pipeline.load %up[%c, %y, %x] : tensor<3x?x?xf32>
    %p = pipeline.previous 1 or %a : f32
    %own = arith.mulf %a, %alpha : f32
    %before = arith.mulf %p, %rest : f32
    %v = arith.addf %before, %own : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<3x?x?xf32>

  %left = pipeline.scan "left" (%c, %y, %x) along 2 backward {
    %a = pipeline.load %right[%c, %y, %x] : tensor<3x?x?xf32>
    %p = pipeline.previous 1 or %a : f32
    %own = arith.mulf %a, %alpha : f32
    %before = arith.mulf %p, %rest : f32
    %v = arith.addf %before, %own : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<3x?x?xf32>

  return %left : tensor<3x?x?xf32>
}
