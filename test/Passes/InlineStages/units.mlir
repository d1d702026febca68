// What a scan or scatter reads is in memory.

// RUN: pipeline-opt %s --inline-stages="explain=true" -verify-diagnostics

func.func @f(%img: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // expected-remark @+1 {{"a" stays: it is a result, or read by a scan or scatter}}
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  %b = pipeline.scan "b" (%x) along 0 {
    %0 = pipeline.load %a[%x] : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  %c = pipeline.stage "c" (%x) {
    %0 = pipeline.load %a[%x] : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  return %b, %c : tensor<8xf32>, tensor<8xf32>
}
