// A group written by hand, one stage of which nobody outside sees; and that stage alone.
func.func @main(%img: tensor<8x8xf32> {weft.name = "img"}) -> (tensor<8x8xf32> {weft.name = "out"}) {
  %two = arith.constant 2.0 : f32
  %0:2 = pipeline.group "by-hand" schedule {tile = array<i64: 4, 4>} {
    %inside = pipeline.stage "inside" (%y, %x) {
      %a = pipeline.load %img[%y, %x + 1] clamp : tensor<8x8xf32>
      %b = arith.mulf %a, %two : f32
      pipeline.yield %b : f32
    } : tensor<8x8xf32>
    %both = pipeline.stage "both" (%y, %x) {
      %a = pipeline.load %inside[%y, %x] : tensor<8x8xf32>
      %b = pipeline.load %inside[%y - 1, %x] mirror : tensor<8x8xf32>
      %c = arith.addf %a, %b : f32
      pipeline.yield %c : f32
    } : tensor<8x8xf32>
    pipeline.yield %both, %both : tensor<8x8xf32>, tensor<8x8xf32>
  } : tensor<8x8xf32>, tensor<8x8xf32>
  %last = pipeline.stage "last" (%y, %x) {
    %a = pipeline.load %0#0[%y, %x] : tensor<8x8xf32>
    %b = pipeline.load %0#1[%y, %x] : tensor<8x8xf32>
    %c = arith.subf %a, %b : f32
    %d = arith.addf %a, %c : f32
    pipeline.yield %d : f32
  } : tensor<8x8xf32>
  return %last : tensor<8x8xf32>
}

func.func @inside(%img: tensor<8x8xf32> {weft.name = "img"}) -> (tensor<8x8xf32> {weft.name = "out"}) {
  %two = arith.constant 2.0 : f32
  %inside = pipeline.stage "inside" (%y, %x) {
    %a = pipeline.load %img[%y, %x + 1] clamp : tensor<8x8xf32>
    %b = arith.mulf %a, %two : f32
    pipeline.yield %b : f32
  } : tensor<8x8xf32>
  return %inside : tensor<8x8xf32>
}
