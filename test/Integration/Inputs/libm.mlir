// Mathematics that has approximate instructions.

func.func @libm(%img: tensor<?x?xf32> {weft.name = "img"}) -> (tensor<?x?xf32> {weft.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %three = arith.constant 3.0 : f32
  %out = pipeline.stage "out" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<?x?xf32>
    %exp = math.exp %a : f32
    %log = math.log %exp : f32
    %pow = math.powf %exp, %a : f32
    %sin = math.sin %pow : f32
    %cos = math.cos %log : f32
    %tanh = math.tanh %a : f32
    %0 = arith.mulf %sin, %cos : f32
    %1 = arith.addf %0, %tanh : f32
    // A whole power of what is negative; 0 to the power of 0.
    %minus = arith.negf %a : f32
    %cube = math.powf %minus, %three : f32
    %2 = arith.addf %1, %cube : f32
    %zero = arith.subf %a, %a : f32
    %unit = math.powf %zero, %zero : f32
    %3 = arith.addf %2, %unit : f32
    pipeline.yield %3 : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %out : tensor<?x?xf32>
}
