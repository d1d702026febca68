// The least and the greatest value of a window, their distance; two accumulators.
func.func @range(%img: tensor<?x?xf32> {weft.name = "img"}) -> (tensor<?x?xf32> {weft.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %b = pipeline.stage "range" (%y, %x) {
    %first = pipeline.load %img[%y, %x] : tensor<?x?xf32>
    %lo, %hi = pipeline.reduce (%ry, %rx) in [-3, 4) x [-3, 4) (%least = %first : f32, %most = %first : f32) {
      %p = pipeline.load %img[%y + %ry, %x + %rx] wrap : tensor<?x?xf32>
      %l = arith.minimumf %least, %p : f32
      %m = arith.maximumf %most, %p : f32
      pipeline.yield %l, %m : f32, f32
    } : f32, f32
    %v = arith.subf %hi, %lo : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %b : tensor<?x?xf32>
}
