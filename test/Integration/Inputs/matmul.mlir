// A product of matrices, of 48 columns and 48 rows.
func.func @matmul(%a: tensor<?x48xf32> {weft.name = "a"}, %b: tensor<48x?xf32> {weft.name = "b"}) -> (tensor<?x?xf32> {weft.name = "out"}) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %a, %c0 : tensor<?x48xf32>
  %w = tensor.dim %b, %c1 : tensor<48x?xf32>
  %out = pipeline.stage "matmul" (%y, %x) {
    %s = pipeline.reduce (%k) in [0, 48) (%acc = %zero : f32) {
      %p = pipeline.load %a[%y, %k] : tensor<?x48xf32>
      %q = pipeline.load %b[%k, %x] : tensor<48x?xf32>
      %r = arith.mulf %p, %q : f32
      %t = arith.addf %acc, %r : f32
      pipeline.yield %t : f32
    } : f32
    pipeline.yield %s : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %out : tensor<?x?xf32>
}
