func.func @scaled(%img: tensor<?x?xf32> {weft.name = "img", weft.extents = ["h", ""]}, %by: f32 {weft.name = "by"}) -> (tensor<?x?xf32> {weft.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %out = pipeline.stage "out" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<?x?xf32>
    %1 = arith.mulf %0, %by : f32
    pipeline.yield %1 : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %out : tensor<?x?xf32>
}
