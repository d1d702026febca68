// Lens blur of the left image of a stereo pair, after Halide's app: how much the colours differ for each of 8 shifts; these costs, weighted
// by how sure they are, smoothed by a pyramid; the shift of least cost as depth; and 32 samples around each point, of which those count
// whose blur reaches it. Less than the app: 8 shifts of 32, 4 levels of 8 (halves are rounded up), and samples from a hash of their own.
//
//   left --+-> cost (shift, y, x) --> pyramid --+-> least --> radius --> worst --+-> samples --> blurred
//   right -+-> confidence (y, x) ---> pyramid --+             (how far a point's light is spread)
//
// `focus` is the shift that stays sharp, 0 to 7, `scale` the growth of the radius with distance from it, 0 to 1.
//
//   pipeline-run examples/lens_blur.mlir --arg left=left.png --arg right=right.png --arg focus=2 --arg scale=0.5 --out blurred=blurred.png

func.func @lens_blur(%left: tensor<3x?x?xi8> {weft.name = "left", weft.unsigned, weft.estimate = array<i64: 3, 2560, 1536>},
    %right: tensor<3x?x?xi8> {weft.name = "right", weft.unsigned, weft.estimate = array<i64: 3, 2560, 1536>},
    %focus: f32 {weft.name = "focus"}, %scale: f32 {weft.name = "scale"}) -> (tensor<3x?x?xf32> {weft.name = "blurred"}) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h0 = tensor.dim %left, %c1 : tensor<3x?x?xi8>
  %w0 = tensor.dim %left, %c2 : tensor<3x?x?xi8>
  %h1 = arith.ceildivui %h0, %c2 : index
  %w1 = arith.ceildivui %w0, %c2 : index
  %h2 = arith.ceildivui %h1, %c2 : index
  %w2 = arith.ceildivui %w1, %c2 : index
  %h3 = arith.ceildivui %h2, %c2 : index
  %w3 = arith.ceildivui %w2, %c2 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %half = arith.constant 0.5 : f32
  %quarter = arith.constant 0.25 : f32
  %rest = arith.constant 0.75 : f32
  %eighth = arith.constant 0.125 : f32
  %huge = arith.constant 0x7F800000 : f32

  // A shift is two points wide: the lesser difference counts.
  %cost = pipeline.stage "cost" (%z, %y, %x) {
    %sum = pipeline.reduce (%c) in [0, 3) (%acc = %zero : f32) {
      %a8 = pipeline.load %left[%c, %y, %x] : tensor<3x?x?xi8>
      %b8 = pipeline.load %right[%c, %y, %x + %z * 2] clamp : tensor<3x?x?xi8>
      %d8 = pipeline.load %right[%c, %y, %x + %z * 2 + 1] clamp : tensor<3x?x?xi8>
      %a = arith.uitofp %a8 : i8 to f32
      %b = arith.uitofp %b8 : i8 to f32
      %d = arith.uitofp %d8 : i8 to f32
      %ab = arith.subf %a, %b : f32
      %ad = arith.subf %a, %d : f32
      %ab1 = math.absf %ab : f32
      %ad1 = math.absf %ad : f32
      %m = arith.minimumf %ab1, %ad1 : f32
      %m2 = arith.mulf %m, %m : f32
      %s = arith.addf %acc, %m2 : f32
      pipeline.yield %s : f32
    } : f32
    pipeline.yield %sum : f32
  } sized(%h0, %w0) : tensor<8x?x?xf32>

  // The variance over the shifts.
  %conf0 = pipeline.stage "confidence" (%y, %x) {
    %squares, %sum = pipeline.reduce (%z) in [0, 8) (%acc2 = %zero : f32, %acc = %zero : f32) {
      %a = pipeline.load %cost[%z, %y, %x] : tensor<8x?x?xf32>
      %a2 = arith.mulf %a, %a : f32
      %s2 = arith.addf %acc2, %a2 : f32
      %s = arith.addf %acc, %a : f32
      pipeline.yield %s2, %s : f32, f32
    } : f32, f32
    %mean2 = arith.mulf %squares, %eighth : f32
    %mean = arith.mulf %sum, %eighth : f32
    %m2 = arith.mulf %mean, %mean : f32
    %v = arith.subf %mean2, %m2 : f32
    pipeline.yield %v : f32
  } sized(%h0, %w0) : tensor<?x?xf32>

  %cost0 = pipeline.stage "cost0" (%z, %y, %x) {
    %a = pipeline.load %cost[%z, %y, %x] : tensor<8x?x?xf32>
    %b = pipeline.load %conf0[%y, %x] : tensor<?x?xf32>
    %v = arith.mulf %a, %b : f32
    pipeline.yield %v : f32
  } sized(%h0, %w0) : tensor<8x?x?xf32>

  // Down: 1 3 3 1, along rows and along columns.
  %cost_down1 = pipeline.stage "cost_down1" (%z, %y, %x) {
    %a = pipeline.load %cost0[%z, %y, %x * 2 - 1] clamp : tensor<8x?x?xf32>
    %b = pipeline.load %cost0[%z, %y, %x * 2] clamp : tensor<8x?x?xf32>
    %c = pipeline.load %cost0[%z, %y, %x * 2 + 1] clamp : tensor<8x?x?xf32>
    %d = pipeline.load %cost0[%z, %y, %x * 2 + 2] clamp : tensor<8x?x?xf32>
    %near = arith.addf %b, %c : f32
    %far = arith.addf %a, %d : f32
    %near3 = arith.mulf %near, %three : f32
    %s = arith.addf %far, %near3 : f32
    %v = arith.mulf %s, %eighth : f32
    pipeline.yield %v : f32
  } sized(%h0, %w1) : tensor<8x?x?xf32>

  %cost1 = pipeline.stage "cost1" (%z, %y, %x) {
    %a = pipeline.load %cost_down1[%z, %y * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %b = pipeline.load %cost_down1[%z, %y * 2, %x] clamp : tensor<8x?x?xf32>
    %c = pipeline.load %cost_down1[%z, %y * 2 + 1, %x] clamp : tensor<8x?x?xf32>
    %d = pipeline.load %cost_down1[%z, %y * 2 + 2, %x] clamp : tensor<8x?x?xf32>
    %near = arith.addf %b, %c : f32
    %far = arith.addf %a, %d : f32
    %near3 = arith.mulf %near, %three : f32
    %s = arith.addf %far, %near3 : f32
    %v = arith.mulf %s, %eighth : f32
    pipeline.yield %v : f32
  } sized(%h1, %w1) : tensor<8x?x?xf32>

  %conf_down1 = pipeline.stage "conf_down1" (%y, %x) {
    %a = pipeline.load %conf0[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %b = pipeline.load %conf0[%y, %x * 2] clamp : tensor<?x?xf32>
    %c = pipeline.load %conf0[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %d = pipeline.load %conf0[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %near = arith.addf %b, %c : f32
    %far = arith.addf %a, %d : f32
    %near3 = arith.mulf %near, %three : f32
    %s = arith.addf %far, %near3 : f32
    %v = arith.mulf %s, %eighth : f32
    pipeline.yield %v : f32
  } sized(%h0, %w1) : tensor<?x?xf32>

  %conf1 = pipeline.stage "conf1" (%y, %x) {
    %a = pipeline.load %conf_down1[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %b = pipeline.load %conf_down1[%y * 2, %x] clamp : tensor<?x?xf32>
    %c = pipeline.load %conf_down1[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %d = pipeline.load %conf_down1[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %near = arith.addf %b, %c : f32
    %far = arith.addf %a, %d : f32
    %near3 = arith.mulf %near, %three : f32
    %s = arith.addf %far, %near3 : f32
    %v = arith.mulf %s, %eighth : f32
    pipeline.yield %v : f32
  } sized(%h1, %w1) : tensor<?x?xf32>

  %cost_down2 = pipeline.stage "cost_down2" (%z, %y, %x) {
    %a = pipeline.load %cost1[%z, %y, %x * 2 - 1] clamp : tensor<8x?x?xf32>
    %b = pipeline.load %cost1[%z, %y, %x * 2] clamp : tensor<8x?x?xf32>
    %c = pipeline.load %cost1[%z, %y, %x * 2 + 1] clamp : tensor<8x?x?xf32>
    %d = pipeline.load %cost1[%z, %y, %x * 2 + 2] clamp : tensor<8x?x?xf32>
    %near = arith.addf %b, %c : f32
    %far = arith.addf %a, %d : f32
    %near3 = arith.mulf %near, %three : f32
    %s = arith.addf %far, %near3 : f32
    %v = arith.mulf %s, %eighth : f32
    pipeline.yield %v : f32
  } sized(%h1, %w2) : tensor<8x?x?xf32>

  %cost2 = pipeline.stage "cost2" (%z, %y, %x) {
    %a = pipeline.load %cost_down2[%z, %y * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %b = pipeline.load %cost_down2[%z, %y * 2, %x] clamp : tensor<8x?x?xf32>
    %c = pipeline.load %cost_down2[%z, %y * 2 + 1, %x] clamp : tensor<8x?x?xf32>
    %d = pipeline.load %cost_down2[%z, %y * 2 + 2, %x] clamp : tensor<8x?x?xf32>
    %near = arith.addf %b, %c : f32
    %far = arith.addf %a, %d : f32
    %near3 = arith.mulf %near, %three : f32
    %s = arith.addf %far, %near3 : f32
    %v = arith.mulf %s, %eighth : f32
    pipeline.yield %v : f32
  } sized(%h2, %w2) : tensor<8x?x?xf32>

  %conf_down2 = pipeline.stage "conf_down2" (%y, %x) {
    %a = pipeline.load %conf1[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %b = pipeline.load %conf1[%y, %x * 2] clamp : tensor<?x?xf32>
    %c = pipeline.load %conf1[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %d = pipeline.load %conf1[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %near = arith.addf %b, %c : f32
    %far = arith.addf %a, %d : f32
    %near3 = arith.mulf %near, %three : f32
    %s = arith.addf %far, %near3 : f32
    %v = arith.mulf %s, %eighth : f32
    pipeline.yield %v : f32
  } sized(%h1, %w2) : tensor<?x?xf32>

  %conf2 = pipeline.stage "conf2" (%y, %x) {
    %a = pipeline.load %conf_down2[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %b = pipeline.load %conf_down2[%y * 2, %x] clamp : tensor<?x?xf32>
    %c = pipeline.load %conf_down2[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %d = pipeline.load %conf_down2[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %near = arith.addf %b, %c : f32
    %far = arith.addf %a, %d : f32
    %near3 = arith.mulf %near, %three : f32
    %s = arith.addf %far, %near3 : f32
    %v = arith.mulf %s, %eighth : f32
    pipeline.yield %v : f32
  } sized(%h2, %w2) : tensor<?x?xf32>

  %cost_down3 = pipeline.stage "cost_down3" (%z, %y, %x) {
    %a = pipeline.load %cost2[%z, %y, %x * 2 - 1] clamp : tensor<8x?x?xf32>
    %b = pipeline.load %cost2[%z, %y, %x * 2] clamp : tensor<8x?x?xf32>
    %c = pipeline.load %cost2[%z, %y, %x * 2 + 1] clamp : tensor<8x?x?xf32>
    %d = pipeline.load %cost2[%z, %y, %x * 2 + 2] clamp : tensor<8x?x?xf32>
    %near = arith.addf %b, %c : f32
    %far = arith.addf %a, %d : f32
    %near3 = arith.mulf %near, %three : f32
    %s = arith.addf %far, %near3 : f32
    %v = arith.mulf %s, %eighth : f32
    pipeline.yield %v : f32
  } sized(%h2, %w3) : tensor<8x?x?xf32>

  %cost3 = pipeline.stage "cost3" (%z, %y, %x) {
    %a = pipeline.load %cost_down3[%z, %y * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %b = pipeline.load %cost_down3[%z, %y * 2, %x] clamp : tensor<8x?x?xf32>
    %c = pipeline.load %cost_down3[%z, %y * 2 + 1, %x] clamp : tensor<8x?x?xf32>
    %d = pipeline.load %cost_down3[%z, %y * 2 + 2, %x] clamp : tensor<8x?x?xf32>
    %near = arith.addf %b, %c : f32
    %far = arith.addf %a, %d : f32
    %near3 = arith.mulf %near, %three : f32
    %s = arith.addf %far, %near3 : f32
    %v = arith.mulf %s, %eighth : f32
    pipeline.yield %v : f32
  } sized(%h3, %w3) : tensor<8x?x?xf32>

  %conf_down3 = pipeline.stage "conf_down3" (%y, %x) {
    %a = pipeline.load %conf2[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %b = pipeline.load %conf2[%y, %x * 2] clamp : tensor<?x?xf32>
    %c = pipeline.load %conf2[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %d = pipeline.load %conf2[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %near = arith.addf %b, %c : f32
    %far = arith.addf %a, %d : f32
    %near3 = arith.mulf %near, %three : f32
    %s = arith.addf %far, %near3 : f32
    %v = arith.mulf %s, %eighth : f32
    pipeline.yield %v : f32
  } sized(%h2, %w3) : tensor<?x?xf32>

  %conf3 = pipeline.stage "conf3" (%y, %x) {
    %a = pipeline.load %conf_down3[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %b = pipeline.load %conf_down3[%y * 2, %x] clamp : tensor<?x?xf32>
    %c = pipeline.load %conf_down3[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %d = pipeline.load %conf_down3[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %near = arith.addf %b, %c : f32
    %far = arith.addf %a, %d : f32
    %near3 = arith.mulf %near, %three : f32
    %s = arith.addf %far, %near3 : f32
    %v = arith.mulf %s, %eighth : f32
    pipeline.yield %v : f32
  } sized(%h3, %w3) : tensor<?x?xf32>

  // Up again: linear, and the mean with the finer level.
  %cost_up2 = pipeline.stage "cost_up2" (%z, %y, %x) {
    %a = pipeline.load %cost3[%z, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<8x?x?xf32>
    %b = pipeline.load %cost3[%z, %y, %x floordiv 2] : tensor<8x?x?xf32>
    %q = arith.mulf %a, %quarter : f32
    %r = arith.mulf %b, %rest : f32
    %v = arith.addf %q, %r : f32
    pipeline.yield %v : f32
  } sized(%h3, %w2) : tensor<8x?x?xf32>

  %cost_pull2 = pipeline.stage "cost_pull2" (%z, %y, %x) {
    %a = pipeline.load %cost_up2[%z, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %b = pipeline.load %cost_up2[%z, %y floordiv 2, %x] : tensor<8x?x?xf32>
    %own = pipeline.load %cost2[%z, %y, %x] : tensor<8x?x?xf32>
    %q = arith.mulf %a, %quarter : f32
    %r = arith.mulf %b, %rest : f32
    %up = arith.addf %q, %r : f32
    %s = arith.addf %up, %own : f32
    %v = arith.mulf %s, %half : f32
    pipeline.yield %v : f32
  } sized(%h2, %w2) : tensor<8x?x?xf32>

  %conf_up2 = pipeline.stage "conf_up2" (%y, %x) {
    %a = pipeline.load %conf3[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %b = pipeline.load %conf3[%y, %x floordiv 2] : tensor<?x?xf32>
    %q = arith.mulf %a, %quarter : f32
    %r = arith.mulf %b, %rest : f32
    %v = arith.addf %q, %r : f32
    pipeline.yield %v : f32
  } sized(%h3, %w2) : tensor<?x?xf32>

  %conf_pull2 = pipeline.stage "conf_pull2" (%y, %x) {
    %a = pipeline.load %conf_up2[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %b = pipeline.load %conf_up2[%y floordiv 2, %x] : tensor<?x?xf32>
    %own = pipeline.load %conf2[%y, %x] : tensor<?x?xf32>
    %q = arith.mulf %a, %quarter : f32
    %r = arith.mulf %b, %rest : f32
    %up = arith.addf %q, %r : f32
    %s = arith.addf %up, %own : f32
    %v = arith.mulf %s, %half : f32
    pipeline.yield %v : f32
  } sized(%h2, %w2) : tensor<?x?xf32>

  %cost_up1 = pipeline.stage "cost_up1" (%z, %y, %x) {
    %a = pipeline.load %cost_pull2[%z, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<8x?x?xf32>
    %b = pipeline.load %cost_pull2[%z, %y, %x floordiv 2] : tensor<8x?x?xf32>
    %q = arith.mulf %a, %quarter : f32
    %r = arith.mulf %b, %rest : f32
    %v = arith.addf %q, %r : f32
    pipeline.yield %v : f32
  } sized(%h2, %w1) : tensor<8x?x?xf32>

  %cost_pull1 = pipeline.stage "cost_pull1" (%z, %y, %x) {
    %a = pipeline.load %cost_up1[%z, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %b = pipeline.load %cost_up1[%z, %y floordiv 2, %x] : tensor<8x?x?xf32>
    %own = pipeline.load %cost1[%z, %y, %x] : tensor<8x?x?xf32>
    %q = arith.mulf %a, %quarter : f32
    %r = arith.mulf %b, %rest : f32
    %up = arith.addf %q, %r : f32
    %s = arith.addf %up, %own : f32
    %v = arith.mulf %s, %half : f32
    pipeline.yield %v : f32
  } sized(%h1, %w1) : tensor<8x?x?xf32>

  %conf_up1 = pipeline.stage "conf_up1" (%y, %x) {
    %a = pipeline.load %conf_pull2[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %b = pipeline.load %conf_pull2[%y, %x floordiv 2] : tensor<?x?xf32>
    %q = arith.mulf %a, %quarter : f32
    %r = arith.mulf %b, %rest : f32
    %v = arith.addf %q, %r : f32
    pipeline.yield %v : f32
  } sized(%h2, %w1) : tensor<?x?xf32>

  %conf_pull1 = pipeline.stage "conf_pull1" (%y, %x) {
    %a = pipeline.load %conf_up1[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %b = pipeline.load %conf_up1[%y floordiv 2, %x] : tensor<?x?xf32>
    %own = pipeline.load %conf1[%y, %x] : tensor<?x?xf32>
    %q = arith.mulf %a, %quarter : f32
    %r = arith.mulf %b, %rest : f32
    %up = arith.addf %q, %r : f32
    %s = arith.addf %up, %own : f32
    %v = arith.mulf %s, %half : f32
    pipeline.yield %v : f32
  } sized(%h1, %w1) : tensor<?x?xf32>

  %cost_up0 = pipeline.stage "cost_up0" (%z, %y, %x) {
    %a = pipeline.load %cost_pull1[%z, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<8x?x?xf32>
    %b = pipeline.load %cost_pull1[%z, %y, %x floordiv 2] : tensor<8x?x?xf32>
    %q = arith.mulf %a, %quarter : f32
    %r = arith.mulf %b, %rest : f32
    %v = arith.addf %q, %r : f32
    pipeline.yield %v : f32
  } sized(%h1, %w0) : tensor<8x?x?xf32>

  %cost_pull0 = pipeline.stage "cost_pull0" (%z, %y, %x) {
    %a = pipeline.load %cost_up0[%z, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %b = pipeline.load %cost_up0[%z, %y floordiv 2, %x] : tensor<8x?x?xf32>
    %own = pipeline.load %cost0[%z, %y, %x] : tensor<8x?x?xf32>
    %q = arith.mulf %a, %quarter : f32
    %r = arith.mulf %b, %rest : f32
    %up = arith.addf %q, %r : f32
    %s = arith.addf %up, %own : f32
    %v = arith.mulf %s, %half : f32
    pipeline.yield %v : f32
  } sized(%h0, %w0) : tensor<8x?x?xf32>

  %conf_up0 = pipeline.stage "conf_up0" (%y, %x) {
    %a = pipeline.load %conf_pull1[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %b = pipeline.load %conf_pull1[%y, %x floordiv 2] : tensor<?x?xf32>
    %q = arith.mulf %a, %quarter : f32
    %r = arith.mulf %b, %rest : f32
    %v = arith.addf %q, %r : f32
    pipeline.yield %v : f32
  } sized(%h1, %w0) : tensor<?x?xf32>

  %conf_pull0 = pipeline.stage "conf_pull0" (%y, %x) {
    %a = pipeline.load %conf_up0[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %b = pipeline.load %conf_up0[%y floordiv 2, %x] : tensor<?x?xf32>
    %own = pipeline.load %conf0[%y, %x] : tensor<?x?xf32>
    %q = arith.mulf %a, %quarter : f32
    %r = arith.mulf %b, %rest : f32
    %up = arith.addf %q, %r : f32
    %s = arith.addf %up, %own : f32
    %v = arith.mulf %s, %half : f32
    pipeline.yield %v : f32
  } sized(%h0, %w0) : tensor<?x?xf32>

  // The first shift of the least cost.
  %depth = pipeline.stage "depth" (%y, %x) {
    %n = pipeline.load %conf_pull0[%y, %x] : tensor<?x?xf32>
    %least, %best, %last = pipeline.reduce (%z) in [0, 8) (%low = %huge : f32, %at = %zero : f32, %here = %zero : f32) {
      %a = pipeline.load %cost_pull0[%z, %y, %x] : tensor<8x?x?xf32>
      %q = arith.divf %a, %n : f32
      %less = arith.cmpf olt, %q, %low : f32
      %l = arith.select %less, %q, %low : f32
      %b = arith.select %less, %here, %at : f32
      %next = arith.addf %here, %one : f32
      pipeline.yield %l, %b, %next : f32, f32, f32
    } : f32, f32, f32
    pipeline.yield %best : f32
  } sized(%h0, %w0) : tensor<?x?xf32>

  %radius = pipeline.stage "radius" (%y, %x) {
    %d = pipeline.load %depth[%y, %x] : tensor<?x?xf32>
    %off = arith.subf %d, %focus : f32
    %far = math.absf %off : f32
    %v = arith.mulf %far, %scale : f32
    pipeline.yield %v : f32
  } sized(%h0, %w0) : tensor<?x?xf32>

  // The largest radius of all points that may reach this one: no radius is larger than 7.
  %worst_y = pipeline.stage "worst_y" (%y, %x) {
    %v = pipeline.reduce (%r) in [-7, 8) (%acc = %zero : f32) {
      %a = pipeline.load %radius[%y + %r, %x] clamp : tensor<?x?xf32>
      %m = arith.maximumf %acc, %a : f32
      pipeline.yield %m : f32
    } : f32
    pipeline.yield %v : f32
  } sized(%h0, %w0) : tensor<?x?xf32>

  %worst = pipeline.stage "worst" (%y, %x) {
    %v = pipeline.reduce (%r) in [-7, 8) (%acc = %zero : f32) {
      %a = pipeline.load %worst_y[%y, %x + %r] clamp : tensor<?x?xf32>
      %m = arith.maximumf %acc, %a : f32
      pipeline.yield %m : f32
    } : f32
    pipeline.yield %v : f32
  } sized(%h0, %w0) : tensor<?x?xf32>

  // A sample counts if its own light reaches this point, and it lies in front of it or this point's light reaches as far.
  %blurred = pipeline.stage "blurred" (%c, %y, %x) {
    %ky = arith.constant 1973 : i32
    %kx = arith.constant 9277 : i32
    %ks = arith.constant 26699 : i32
    %mix = arith.constant 739982445 : i32
    %b15 = arith.constant 15 : i32
    %b16 = arith.constant 16 : i32
    %low16 = arith.constant 65535 : i32
    %unit = arith.constant 1.52587890625e-05 : f32
    %two = arith.constant 2.0 : f32
    %white = arith.constant 0.0039215688593685627 : f32
    %own8 = pipeline.load %left[%c, %y, %x] : tensor<3x?x?xi8>
    %own = arith.uitofp %own8 : i8 to f32
    %d = pipeline.load %depth[%y, %x] : tensor<?x?xf32>
    %rad = pipeline.load %radius[%y, %x] : tensor<?x?xf32>
    %rad2 = arith.mulf %rad, %rad : f32
    %reach = pipeline.load %worst[%y, %x] : tensor<?x?xf32>
    %span = arith.mulf %reach, %two : f32
    %yi = arith.index_cast %y : index to i32
    %xi = arith.index_cast %x : index to i32
    %hy = arith.muli %yi, %ky : i32
    %hx = arith.muli %xi, %kx : i32
    %place = arith.addi %hy, %hx : i32
    %sum, %count = pipeline.reduce (%s) in [0, 32) (%acc = %own : f32, %n = %one : f32) {
      %si = arith.index_cast %s : index to i32
      %hs = arith.muli %si, %ks : i32
      %k0 = arith.addi %place, %hs : i32
      %k1 = arith.shrui %k0, %b15 : i32
      %k2 = arith.xori %k0, %k1 : i32
      %k3 = arith.muli %k2, %mix : i32
      %k4 = arith.shrui %k3, %b15 : i32
      %k = arith.xori %k3, %k4 : i32
      %u16 = arith.andi %k, %low16 : i32
      %v16 = arith.shrui %k, %b16 : i32
      %uf = arith.uitofp %u16 : i32 to f32
      %vf = arith.uitofp %v16 : i32 to f32
      %u1 = arith.mulf %uf, %unit : f32
      %v1 = arith.mulf %vf, %unit : f32
      %uc = arith.subf %u1, %half : f32
      %vc = arith.subf %v1, %half : f32
      %us = arith.mulf %uc, %span : f32
      %vs = arith.mulf %vc, %span : f32
      %u = arith.fptosi %us : f32 to i32
      %v = arith.fptosi %vs : f32 to i32
      %uu = arith.muli %u, %u : i32
      %vv = arith.muli %v, %v : i32
      %r2i = arith.addi %uu, %vv : i32
      %r2 = arith.sitofp %r2i : i32 to f32
      %du = arith.index_cast %u : i32 to index
      %dv = arith.index_cast %v : i32 to index
      %sx = arith.addi %x, %du : index
      %sy = arith.addi %y, %dv : index
      %there8 = pipeline.gather %left[%c, %sy, %sx] clamp : tensor<3x?x?xi8>
      %ds = pipeline.gather %depth[%sy, %sx] clamp : tensor<?x?xf32>
      %rs = pipeline.gather %radius[%sy, %sx] clamp : tensor<?x?xf32>
      %rs2 = arith.mulf %rs, %rs : f32
      %mine = arith.cmpf olt, %r2, %rad2 : f32
      %its = arith.cmpf olt, %r2, %rs2 : f32
      %front = arith.cmpf olt, %ds, %d : f32
      %either = arith.ori %mine, %front : i1
      %counts = arith.andi %either, %its : i1
      %there = arith.uitofp %there8 : i8 to f32
      %more = arith.addf %acc, %there : f32
      %n1 = arith.addf %n, %one : f32
      %new = arith.select %counts, %more, %acc : f32
      %nn = arith.select %counts, %n1, %n : f32
      pipeline.yield %new, %nn : f32, f32
    } : f32, f32
    %q = arith.divf %sum, %count : f32
    %v = arith.mulf %q, %white : f32
    pipeline.yield %v : f32
  } sized(%h0, %w0) : tensor<3x?x?xf32>

  return %blurred : tensor<3x?x?xf32>
}
