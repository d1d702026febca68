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

func.func @table_returned() -> (tensor<8xf32>, tensor<8xf32>) {
  %k = arith.constant dense<1.0> : tensor<8xf32>
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %k[%x] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  // expected-error @+1 {{'func.return' op takes a constant, which in a program only loads and tensor.dim may; expected an image: --copy-results makes a stage of it}}
  return %0, %k : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @table_as_state(%n: index) -> tensor<8xf32> {
  %k = arith.constant dense<1.0> : tensor<8xf32>
  // expected-error @+1 {{'pipeline.iterate' op takes a constant, which in a program only loads and tensor.dim may}}
  %0 = pipeline.iterate "steps" %n (%s = %k : tensor<8xf32>) {
    %1 = pipeline.stage "s" (%x) {
      %a = pipeline.load %s[%x] : tensor<8xf32>
      pipeline.yield %a : f32
    } : tensor<8xf32>
    pipeline.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @table_left() -> tensor<8xf32> {
  %k = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{index #0 (x) of stage "s" covers [0, 7], expected inside [0, 2] of the source 'tensor<3xf32>'}}
    %a = pipeline.load %k[%x] : tensor<3xf32>
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
