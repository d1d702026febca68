// Programs that cannot be lowered, to loops or to kernels: each is one message.

// RUN: pipeline-opt %s -convert-pipeline-to-loops -split-input-file -verify-diagnostics
// RUN: pipeline-opt %s -map-to-gpu -split-input-file -verify-diagnostics

// expected-error @+1 {{'func.func' op @branches has several blocks, expected a program without branches}}
func.func @branches(%v: f32) -> tensor<8xf32> {
  cf.br ^next
^next:
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @number_returned(%v: f32) -> (tensor<8xf32>, f32) {
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  // expected-error @+1 {{'func.return' op returns a number, expected tensors only}}
  return %0, %v : tensor<8xf32>, f32
}

// -----

func.func @tensor_constant(%v: f32) -> tensor<8xf32> {
  // expected-error @+1 {{'arith.constant' op takes or gives a tensor, which in a program only stages, scans, scatters, groups, iterates, loads, return, and tensor.dim with a constant may}}
  %k = arith.constant dense<1.0> : tensor<8xf32>
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %k[%x] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @tensor_op(%img: tensor<8xf32>, %i: index) -> tensor<8xf32> {
  // expected-error @+1 {{'tensor.extract' op takes or gives a tensor}}
  %v = tensor.extract %img[%i] : tensor<8xf32>
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @stage_in_a_branch(%img: tensor<8xf32>, %v: f32, %condition: i1) -> tensor<8xf32> {
  // expected-error @+1 {{'scf.if' op takes or gives a tensor}}
  %0 = scf.if %condition -> tensor<8xf32> {
    %s = pipeline.stage "s" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  } else {
    scf.yield %img : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}
