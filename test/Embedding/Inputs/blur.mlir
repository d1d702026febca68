// A blur of three points along x and three along y.
func.func @blur(%img: tensor<480x640xf32>) -> tensor<480x640xf32> {
  %third = arith.constant 0.333333343 : f32
  %blurx = pipeline.stage "blurx" (%y, %x) {
    %l = pipeline.load %img[%y, %x - 1] clamp : tensor<480x640xf32>
    %c = pipeline.load %img[%y, %x] : tensor<480x640xf32>
    %r = pipeline.load %img[%y, %x + 1] clamp : tensor<480x640xf32>
    %s = arith.addf %l, %c : f32
    %t = arith.addf %s, %r : f32
    %v = arith.mulf %t, %third : f32
    pipeline.yield %v : f32
  } : tensor<480x640xf32>
  %blury = pipeline.stage "blury" (%y, %x) {
    %a = pipeline.load %blurx[%y - 1, %x] clamp : tensor<480x640xf32>
    %c = pipeline.load %blurx[%y, %x] : tensor<480x640xf32>
    %b = pipeline.load %blurx[%y + 1, %x] clamp : tensor<480x640xf32>
    %s = arith.addf %a, %c : f32
    %t = arith.addf %s, %b : f32
    %v = arith.mulf %t, %third : f32
    pipeline.yield %v : f32
  } : tensor<480x640xf32>
  return %blury : tensor<480x640xf32>
}
