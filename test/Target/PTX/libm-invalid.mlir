// libm=target: what has no instruction.

// RUN: pipeline-opt %s --pipeline-to-ptx=libm=target -split-input-file -verify-diagnostics

// expected-error @+1 {{a kernel needs 'exp' of f64, for which there is no PTX, expected libm=shared, or a libdevice that has it}}
func.func @wide(%img: tensor<8xf64>) -> tensor<8xf64> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf64>
    %v = math.exp %a : f64
    pipeline.yield %v : f64
  } : tensor<8xf64>
  return %0 : tensor<8xf64>
}

// -----

// expected-error @+1 {{a kernel needs 'expm1' of f32, for which there is no PTX, expected libm=shared}}
func.func @difference(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    %v = math.expm1 %a : f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
