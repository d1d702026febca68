// RUN: pipeline-opt %s --count-loads=at-least=2 -verify-diagnostics -o /dev/null

func.func @f(%img: tensor<16xf32>) -> tensor<16xf32> {
  // expected-remark@below {{"a" makes 2 loads}}
  %a = pipeline.stage "a" (%x) {
    %l = pipeline.load %img[%x - 1] clamp : tensor<16xf32>
    %r = pipeline.load %img[%x + 1] clamp : tensor<16xf32>
    %s = arith.addf %l, %r : f32
    pipeline.yield %s : f32
  } : tensor<16xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x] : tensor<16xf32>
    pipeline.yield %0 : f32
  } : tensor<16xf32>
  return %b : tensor<16xf32>
}
