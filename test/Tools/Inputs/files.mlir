// Results of several types, and images that are tied.

func.func @constant(%value: f32 {weft.name = "value"}) -> (tensor<2x3xf32> {weft.name = "out"}) {
  %out = pipeline.stage "out" (%y, %x) {
    pipeline.yield %value : f32
  } : tensor<2x3xf32>
  return %out : tensor<2x3xf32>
}

func.func @deep(%img: tensor<?x?xi16> {weft.name = "img", weft.unsigned}) -> (tensor<?x?xi16> {weft.name = "out", weft.unsigned}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xi16>
  %w = tensor.dim %img, %c1 : tensor<?x?xi16>
  %out = pipeline.stage "out" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<?x?xi16>
    pipeline.yield %0 : i16
  } sized(%h, %w) : tensor<?x?xi16>
  return %out : tensor<?x?xi16>
}

func.func @alpha(%img: tensor<4x?x?xf32> {weft.name = "img"}) -> (tensor<4x?x?xf32> {weft.name = "out"}) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = tensor.dim %img, %c1 : tensor<4x?x?xf32>
  %w = tensor.dim %img, %c2 : tensor<4x?x?xf32>
  %out = pipeline.stage "out" (%c, %y, %x) {
    %0 = pipeline.load %img[%c, %y, %x] : tensor<4x?x?xf32>
    pipeline.yield %0 : f32
  } sized(%h, %w) : tensor<4x?x?xf32>
  return %out : tensor<4x?x?xf32>
}

// `b` has a margin around each point of `a`; of `table` as many values are read as `n` says.
func.func @tied(%a: tensor<?x?xf32> {weft.name = "a"}, %b: tensor<?x?xf32> {weft.name = "b"}, %table: tensor<?xf32> {weft.name = "table"},
    %n: index {weft.name = "n"}, %free: tensor<?x?xi8> {weft.name = "free"}) -> (tensor<?x?xf32> {weft.name = "out"}, tensor<?xf32> {weft.name = "row"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %a, %c0 : tensor<?x?xf32>
  %w = tensor.dim %a, %c1 : tensor<?x?xf32>
  %out = pipeline.stage "out" (%y, %x) {
    %0 = pipeline.load %a[%y, %x] : tensor<?x?xf32>
    %1 = pipeline.load %b[%y + 2, %x + 3] : tensor<?x?xf32>
    %2 = pipeline.load %free[%y, %x] clamp : tensor<?x?xi8>
    %3 = arith.sitofp %2 : i8 to f32
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %3 : f32
    pipeline.yield %5 : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %c8 = arith.constant 8 : index
  %m = arith.subi %n, %c8 : index
  %row = pipeline.stage "row" (%x) {
    %0 = pipeline.load %table[%x] : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%m) : tensor<?xf32>
  return %out, %row : tensor<?x?xf32>, tensor<?xf32>
}
