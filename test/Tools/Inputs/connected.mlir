// Stages that are made of each other, in one function of two.
func.func @connected(%img: tensor<480x640xi8> {weft.name = "img", weft.unsigned}, %gain: f32)
    -> (tensor<480x640xf32> {weft.name = "out"}, tensor<480x640xf32> {weft.name = "other"}) {
  %floats = pipeline.stage "floats" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x640xi8>
    %f = arith.uitofp %v : i8 to f32
    %g = arith.mulf %f, %gain : f32
    pipeline.yield %g : f32
  } : tensor<480x640xf32>
  %taps = pipeline.stage "taps" (%y, %x) {
    %a = pipeline.load %floats[%y, %x - 1] wrap : tensor<480x640xf32>
    %b = pipeline.load %floats[%y, %x] : tensor<480x640xf32>
    %c = pipeline.load %floats[%y, %x + 1] mirror : tensor<480x640xf32>
    %s = arith.addf %a, %b : f32
    %t = arith.addf %s, %c : f32
    pipeline.yield %t : f32
  } : tensor<480x640xf32>
  %window = pipeline.stage "window" (%y, %x) {
    %zero = arith.constant 0.0 : f32
    %sum = pipeline.reduce (%dy, %dx) in [-2, 3) x [-7, 8) (%acc = %zero : f32) {
      %v = pipeline.load %taps[%y + %dy, %x + %dx] clamp : tensor<480x640xf32>
      %s = arith.addf %acc, %v : f32
      pipeline.yield %s : f32
    } : f32
    pipeline.yield %sum : f32
  } : tensor<480x640xf32>
  %last = pipeline.stage "last" (%y, %x) {
    %v = pipeline.load %window[%y, %x] : tensor<480x640xf32>
    %w = pipeline.load %taps[%y, %x] : tensor<480x640xf32>
    %d = arith.subf %v, %w : f32
    pipeline.yield %d : f32
  } : tensor<480x640xf32>
  return %last, %floats : tensor<480x640xf32>, tensor<480x640xf32>
}

func.func private @other(%img: tensor<8xf32>) -> tensor<8xf32> {
  return %img : tensor<8xf32>
}
