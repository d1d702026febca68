// Programs that C calls: extents and strides that vary, an entry check, numbers of every kind, names that C has not, time steps.

func.func @blur(%img: tensor<?x?xf32> {weft.name = "img"}) -> (tensor<?x?xf32> {weft.name = "blurred"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %three = arith.constant 3.0 : f32
  %blurx = pipeline.stage "blurx" (%y, %x) {
    %l = pipeline.load %img[%y, %x - 1] clamp : tensor<?x?xf32>
    %c = pipeline.load %img[%y, %x] : tensor<?x?xf32>
    %r = pipeline.load %img[%y, %x + 1] clamp : tensor<?x?xf32>
    %s0 = arith.addf %l, %c : f32
    %s1 = arith.addf %s0, %r : f32
    %v = arith.divf %s1, %three : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %blury = pipeline.stage "blury" (%y, %x) {
    %l = pipeline.load %blurx[%y - 1, %x] clamp : tensor<?x?xf32>
    %c = pipeline.load %blurx[%y, %x] : tensor<?x?xf32>
    %r = pipeline.load %blurx[%y + 1, %x] clamp : tensor<?x?xf32>
    %s0 = arith.addf %l, %c : f32
    %s1 = arith.addf %s0, %r : f32
    %v = arith.divf %s1, %three : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %blury : tensor<?x?xf32>
}

// Two rows fewer, so that an image must have two.
func.func @crop(%img: tensor<?x?xf32> {weft.name = "img"}, %gain: f32 {weft.name = "gain"})
    -> (tensor<?x?xf32> {weft.name = "cropped"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %rows = arith.subi %h, %c2 : index
  %0 = pipeline.stage "crop" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<?x?xf32>
    %b = pipeline.load %img[%y + 2, %x] : tensor<?x?xf32>
    %s = arith.addf %a, %b : f32
    %v = arith.mulf %s, %gain : f32
    pipeline.yield %v : f32
  } sized(%rows, %w) : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Extents are known, and `int` is no name in C.
func.func @fixed(%image: tensor<2x3xi8> {weft.name = "int", weft.unsigned}, %one: tensor<f32> {weft.name = "the one"})
    -> (tensor<2x3xi8> {weft.name = "out", weft.unsigned}, tensor<3xf32> {weft.name = "line"}) {
  %c1 = arith.constant 1 : i8
  %0 = pipeline.stage "next" (%y, %x) {
    %a = pipeline.load %image[%y, %x] : tensor<2x3xi8>
    %v = arith.addi %a, %c1 : i8
    pipeline.yield %v : i8
  } : tensor<2x3xi8>
  %1 = pipeline.stage "line" (%x) {
    %v = pipeline.load %one[] : tensor<f32>
    pipeline.yield %v : f32
  } : tensor<3xf32>
  return %0, %1 : tensor<2x3xi8>, tensor<3xf32>
}

// The sum of all numbers, those of `%negate` subtracted.
func.func @numbers(%a: i8 {weft.name = "a"}, %b: i16 {weft.name = "b"}, %c: i32 {weft.name = "c"}, %d: i64 {weft.name = "d"},
                   %e: index {weft.name = "e"}, %f: f16 {weft.name = "f"}, %g: f32 {weft.name = "g"}, %h: f64 {weft.name = "h"},
                   %negate: i1 {weft.name = "negate"}) -> (tensor<1xf64> {weft.name = "sum"}) {
  %0 = pipeline.stage "sum" (%x) {
    %af = arith.sitofp %a : i8 to f64
    %bf = arith.sitofp %b : i16 to f64
    %cf = arith.sitofp %c : i32 to f64
    %df = arith.sitofp %d : i64 to f64
    %ei = arith.index_cast %e : index to i64
    %ef = arith.sitofp %ei : i64 to f64
    %ff = arith.extf %f : f16 to f64
    %gf = arith.extf %g : f32 to f64
    %s0 = arith.addf %af, %bf : f64
    %s1 = arith.addf %s0, %cf : f64
    %s2 = arith.addf %s1, %df : f64
    %s3 = arith.addf %s2, %ef : f64
    %s4 = arith.addf %s3, %ff : f64
    %s5 = arith.addf %s4, %gf : f64
    %s6 = arith.addf %s5, %h : f64
    %m = arith.negf %s6 : f64
    %v = arith.select %negate, %m, %s6 : f64
    pipeline.yield %v : f64
  } : tensor<1xf64>
  return %0 : tensor<1xf64>
}

// Steps between the caller's memory and our own; what began is handed on as well.
func.func @heat(%img: tensor<?x?xf32> {weft.name = "img"}, %n: index {weft.name = "n"})
    -> (tensor<?x?xf32> {weft.name = "heat"}, tensor<?x?xf32> {weft.name = "copy"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f32
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %last = pipeline.iterate "heat" %n (%u = %img : tensor<?x?xf32>) {
    %next = pipeline.stage "step" (%y, %x) {
      %a = pipeline.load %u[%y - 1, %x] clamp : tensor<?x?xf32>
      %b = pipeline.load %u[%y, %x + 1] clamp : tensor<?x?xf32>
      %s = arith.addf %a, %b : f32
      %v = arith.mulf %s, %half : f32
      pipeline.yield %v : f32
    } sized(%h, %w) : tensor<?x?xf32>
    pipeline.yield %next : tensor<?x?xf32>
  }
  return %last, %img : tensor<?x?xf32>, tensor<?x?xf32>
}

// Three dimensions.
func.func @planes(%img: tensor<?x?x?xf32> {weft.name = "img"}) -> (tensor<?x?x?xf32> {weft.name = "twice"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %img, %c0 : tensor<?x?x?xf32>
  %h = tensor.dim %img, %c1 : tensor<?x?x?xf32>
  %w = tensor.dim %img, %c2 : tensor<?x?x?xf32>
  %0 = pipeline.stage "twice" (%c, %y, %x) {
    %a = pipeline.load %img[%c, %y, %x] : tensor<?x?x?xf32>
    %v = arith.addf %a, %a : f32
    pipeline.yield %v : f32
  } sized(%n, %h, %w) : tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
