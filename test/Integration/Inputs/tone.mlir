// A photograph to linear light, smoothed but for its edges, and shown with a curve: powers, exponentials, a hyperbolic tangent.

func.func @tone(%img: tensor<?x?xf32> {weft.name = "img"}) -> (tensor<?x?xf32> {weft.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %gamma = arith.constant 2.2 : f32
  %sharpness = arith.constant -8.0 : f32
  %one = arith.constant 1.0 : f32
  %linear = pipeline.stage "linear" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<?x?xf32>
    %v = math.powf %a, %gamma : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  // Neighbours weigh e^(-8 d^2), d being how much they differ.
  %smooth = pipeline.stage "smooth" (%y, %x) {
    %l = pipeline.load %linear[%y, %x - 1] clamp : tensor<?x?xf32>
    %c = pipeline.load %linear[%y, %x] : tensor<?x?xf32>
    %r = pipeline.load %linear[%y, %x + 1] clamp : tensor<?x?xf32>
    %dl = arith.subf %l, %c : f32
    %dr = arith.subf %r, %c : f32
    %dl2 = arith.mulf %dl, %dl : f32
    %dr2 = arith.mulf %dr, %dr : f32
    %el = arith.mulf %dl2, %sharpness : f32
    %er = arith.mulf %dr2, %sharpness : f32
    %wl = math.exp %el : f32
    %wr = math.exp %er : f32
    %pl = arith.mulf %wl, %l : f32
    %pr = arith.mulf %wr, %r : f32
    %s0 = arith.addf %pl, %c : f32
    %s1 = arith.addf %s0, %pr : f32
    %w0 = arith.addf %wl, %one : f32
    %w1 = arith.addf %w0, %wr : f32
    %v = arith.divf %s1, %w1 : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %out = pipeline.stage "out" (%y, %x) {
    %u = pipeline.load %smooth[%y - 1, %x] mirror : tensor<?x?xf32>
    %d = pipeline.load %smooth[%y + 1, %x] mirror : tensor<?x?xf32>
    %s = arith.addf %u, %d : f32
    %v = math.tanh %s : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %out : tensor<?x?xf32>
}
