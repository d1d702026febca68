// Arguments with the names of a let, of a coordinate, of a word of Forma and of a function, and numbers that Forma has no literal beside.
func.func @names(%img: tensor<?xf32> {weft.name = "img"}, %v: f32 {weft.name = "v"}, %x: f32 {weft.name = "x"},
                 %at: f32 {weft.name = "at"}, %min: f32 {weft.name = "min"})
    -> (tensor<?xf32> {weft.name = "abs"}, tensor<?xi64> {weft.name = "int"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %img, %c0 : tensor<?xf32>
  %out, %large = pipeline.stage "out" (%i) {
    %0 = pipeline.load %img[%i] : tensor<?xf32>
    %1 = pipeline.load %img[%i + 1] clamp : tensor<?xf32>
    %2 = arith.addf %0, %1 : f32
    %3 = arith.mulf %2, %v : f32
    %4 = arith.addf %2, %3 : f32
    %5 = arith.subf %4, %x : f32
    %6 = arith.mulf %5, %at : f32
    %7 = arith.minimumf %6, %min : f32
    %8 = arith.fptosi %0 : f32 to i64
    %c = arith.constant -5000000000 : i64
    %9 = arith.addi %8, %c : i64
    pipeline.yield %7, %9 : f32, i64
  } sized(%n) : tensor<?xf32>, tensor<?xi64>
  return %out, %large : tensor<?xf32>, tensor<?xi64>
}
