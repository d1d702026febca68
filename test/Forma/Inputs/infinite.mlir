// Infinities, which Forma has no word for.
func.func @infinite(%a: tensor<?xf32> {weft.name = "a"}) -> (tensor<?xf32> {weft.name = "b"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x] : tensor<?xf32>
    %least = arith.constant 0xFF800000 : f32
    %most = arith.constant 0x7F800000 : f32
    %half = arith.constant 0x7C00 : f16
    %1 = arith.maximumf %0, %least : f32
    %2 = arith.minimumf %1, %most : f32
    %3 = arith.extf %half : f16 to f32
    %4 = arith.addf %2, %3 : f32
    pipeline.yield %4 : f32
  } sized(%n) : tensor<?xf32>
  return %b : tensor<?xf32>
}
