// One stage with two results, in f64.
func.func @gradient(%img: tensor<?x?xf64> {weft.name = "img"}) -> (tensor<?x?xf64> {weft.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf64>
  %w = tensor.dim %img, %c1 : tensor<?x?xf64>
  %dx, %dy = pipeline.stage "gradient" (%y, %x) {
    %l = pipeline.load %img[%y, %x - 1] mirror : tensor<?x?xf64>
    %r = pipeline.load %img[%y, %x + 1] mirror : tensor<?x?xf64>
    %t = pipeline.load %img[%y - 1, %x] mirror : tensor<?x?xf64>
    %b = pipeline.load %img[%y + 1, %x] mirror : tensor<?x?xf64>
    %u = arith.subf %r, %l : f64
    %v = arith.subf %b, %t : f64
    pipeline.yield %u, %v : f64, f64
  } sized(%h, %w) : tensor<?x?xf64>, tensor<?x?xf64>
  %out = pipeline.stage "length" (%y, %x) {
    %u = pipeline.load %dx[%y, %x] : tensor<?x?xf64>
    %v = pipeline.load %dy[%y, %x] : tensor<?x?xf64>
    %uu = arith.mulf %u, %u : f64
    %vv = arith.mulf %v, %v : f64
    %s = arith.addf %uu, %vv : f64
    pipeline.yield %s : f64
  } sized(%h, %w) : tensor<?x?xf64>
  return %out : tensor<?x?xf64>
}
