// Elements and ranks that no example has: i16, f16, i8, i64; three, one and four dimensions; three results.

func.func @kinds(%a: tensor<?x?x?xi16> {weft.name = "a"}, %b: tensor<?xf16> {weft.name = "b"},
                 %c: tensor<2x?x3x?xi8> {weft.name = "c"})
    -> (tensor<?x?x?xi64> {weft.name = "wide"}, tensor<2x?x3x?xi8> {weft.name = "negated"}, tensor<1xf64> {weft.name = "first"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %a, %c0 : tensor<?x?x?xi16>
  %h = tensor.dim %a, %c1 : tensor<?x?x?xi16>
  %w = tensor.dim %a, %c2 : tensor<?x?x?xi16>
  %wide = pipeline.stage "wide" (%z, %y, %x) {
    %l = pipeline.load %a[%z, %y, %x - 1] clamp : tensor<?x?x?xi16>
    %r = pipeline.load %a[%z, %y + 1, %x] mirror : tensor<?x?x?xi16>
    %lw = arith.extsi %l : i16 to i64
    %rw = arith.extsi %r : i16 to i64
    %v = arith.muli %lw, %rw : i64
    pipeline.yield %v : i64
  } sized(%n, %h, %w) : tensor<?x?x?xi64>
  %p = tensor.dim %c, %c1 : tensor<2x?x3x?xi8>
  %q = tensor.dim %c, %c3 : tensor<2x?x3x?xi8>
  %negated = pipeline.stage "negated" (%t, %z, %y, %x) {
    %v = pipeline.load %c[%t, %z, %y, %x] : tensor<2x?x3x?xi8>
    %c0_i8 = arith.constant 0 : i8
    %s = arith.subi %c0_i8, %v : i8
    pipeline.yield %s : i8
  } sized(%p, %q) : tensor<2x?x3x?xi8>
  %half = arith.constant 0.5 : f16
  %first = pipeline.stage "first" (%i) {
    %v = pipeline.load %b[%i] constant(%half) : tensor<?xf16>
    %d = arith.extf %v : f16 to f64
    pipeline.yield %d : f64
  } : tensor<1xf64>
  return %wide, %negated, %first : tensor<?x?x?xi64>, tensor<2x?x3x?xi8>, tensor<1xf64>
}
