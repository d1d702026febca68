// Time steps of several kinds. Each function is run for several numbers of steps, and compared with NumPy.

// One state: a stage reads it.
func.func @heat(%img: tensor<?x?xf32> {weft.name = "img"}, %n: index {weft.name = "n"})
    -> (tensor<?x?xf32> {weft.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %k = arith.constant 0.125 : f32
  %half = arith.constant 0.5 : f32
  %last = pipeline.iterate "heat" %n (%u = %img : tensor<?x?xf32>) {
    %next = pipeline.stage "step" (%y, %x) {
      %c = pipeline.load %u[%y, %x] : tensor<?x?xf32>
      %l = pipeline.load %u[%y, %x - 1] clamp : tensor<?x?xf32>
      %r = pipeline.load %u[%y, %x + 1] clamp : tensor<?x?xf32>
      %t = pipeline.load %u[%y - 1, %x] clamp : tensor<?x?xf32>
      %b = pipeline.load %u[%y + 1, %x] clamp : tensor<?x?xf32>
      %s0 = arith.addf %l, %r : f32
      %s1 = arith.addf %t, %b : f32
      %s = arith.addf %s0, %s1 : f32
      %a = arith.mulf %c, %half : f32
      %m = arith.mulf %s, %k : f32
      %v = arith.addf %a, %m : f32
      pipeline.yield %v : f32
    } sized(%h, %w) : tensor<?x?xf32>
    pipeline.yield %next : tensor<?x?xf32>
  }
  return %last : tensor<?x?xf32>
}

// Two states, one of which becomes the other; a stage between them; an image from outside; a stage behind.
func.func @wave(%before: tensor<?x?xf32> {weft.name = "img"}, %n: index {weft.name = "n"})
    -> (tensor<?x?xf32> {weft.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %before, %c0 : tensor<?x?xf32>
  %w = tensor.dim %before, %c1 : tensor<?x?xf32>
  %tenth = arith.constant 0.125 : f32
  %two = arith.constant 2.0 : f32
  %speed = pipeline.stage "speed" (%y, %x) {
    %a = pipeline.load %before[%y, %x - 2] wrap : tensor<?x?xf32>
    %v = arith.mulf %a, %tenth : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %r:2 = pipeline.iterate "wave" %n (%p = %before : tensor<?x?xf32>, %q = %speed : tensor<?x?xf32>) {
    %hq = tensor.dim %q, %c0 : tensor<?x?xf32>
    %laplace = pipeline.stage "laplace" (%y, %x) {
      %c = pipeline.load %q[%y, %x] : tensor<?x?xf32>
      %l = pipeline.load %q[%y, %x - 1] mirror : tensor<?x?xf32>
      %r = pipeline.load %q[%y, %x + 1] mirror : tensor<?x?xf32>
      %s = arith.addf %l, %r : f32
      %c2 = arith.mulf %c, %two : f32
      %v = arith.subf %s, %c2 : f32
      pipeline.yield %v : f32
    } sized(%hq, %w) : tensor<?x?xf32>
    %next = pipeline.stage "next" (%y, %x) {
      %a = pipeline.load %p[%y, %x] : tensor<?x?xf32>
      %b = pipeline.load %q[%y, %x] : tensor<?x?xf32>
      %m = pipeline.load %laplace[%y, %x] : tensor<?x?xf32>
      %f = pipeline.load %speed[%y, %x] : tensor<?x?xf32>
      %b2 = arith.mulf %b, %two : f32
      %d = arith.subf %b2, %a : f32
      %g = arith.mulf %f, %m : f32
      %v = arith.addf %d, %g : f32
      pipeline.yield %v : f32
    } sized(%h, %w) : tensor<?x?xf32>
    pipeline.yield %q, %next : tensor<?x?xf32>, tensor<?x?xf32>
  }
  %out = pipeline.stage "out" (%y, %x) {
    %a = pipeline.load %r#0[%y, %x] : tensor<?x?xf32>
    %b = pipeline.load %r#1[%y, %x] : tensor<?x?xf32>
    %v = arith.addf %a, %b : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %out : tensor<?x?xf32>
}

// A scan in a step, a state that both results come from, static extents.
func.func @mixed(%img: tensor<9x33xf32> {weft.name = "img"}, %n: index {weft.name = "n"})
    -> (tensor<9x33xf32> {weft.name = "out"}, tensor<9x33xf32> {weft.name = "same"}) {
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %r:2 = pipeline.iterate "mixed" %n (%p = %img : tensor<9x33xf32>, %q = %img : tensor<9x33xf32>) {
    %sums = pipeline.scan "sums" (%y, %x) along 1 {
      %a = pipeline.load %p[%y, %x] : tensor<9x33xf32>
      %b = pipeline.previous 1 or %zero : f32
      %s = arith.addf %a, %b : f32
      %v = arith.mulf %s, %half : f32
      pipeline.yield %v : f32
    } : tensor<9x33xf32>
    pipeline.yield %sums, %sums : tensor<9x33xf32>, tensor<9x33xf32>
  }
  return %r#0, %r#1 : tensor<9x33xf32>, tensor<9x33xf32>
}
