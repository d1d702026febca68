// What the verifier says of a pipeline.gather.

// RUN: pipeline-opt %s -split-input-file -verify-diagnostics

func.func @no_boundary(%table: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %i = arith.addi %x, %x : index
    // expected-error @+1 {{'pipeline.gather' op has no boundary, expected clamp, mirror, reflect101, wrap or constant: a computed index can be anything}}
    %v = pipeline.gather %table[%i] : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @computes_with_it(%table: tensor<8x8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %i = arith.addi %x, %x : index
    // expected-error @+1 {{'pipeline.gather' op index #1 (d1 + 1) computes with a computed value, expected it alone or an affine function of coordinates}}
    %v = pipeline.gather %table[%x, %i + 1] clamp : tensor<8x8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @outside_of_a_stage(%table: tensor<8xf32>, %i: index) -> f32 {
  // expected-error @+1 {{'pipeline.gather' op is not inside a pipeline.stage}}
  %v = pipeline.gather %table[%i] clamp : tensor<8xf32>
  return %v : f32
}

// -----

func.func @too_few(%table: tensor<8x8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.gather' op has 1 indices, expected 2, one for each dimension of the source 'tensor<8x8xf32>'}}
    %v = pipeline.gather %table[%x] clamp : tensor<8x8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @nothing_there(%table: tensor<0xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.gather' op source 'tensor<0xf32>' has extent 0 in dimension 0, expected at least one point}}
    %v = pipeline.gather %table[%x] clamp : tensor<0xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// An accumulator is a computed value.
func.func @accumulator(%table: tensor<8xf32>) -> tensor<8xi32> {
  %0 = pipeline.stage "s" (%x) {
    %r = pipeline.reduce (%k) in [0, 4) (%at = %x : index) {
      // expected-error @+1 {{'pipeline.load' op index operand #0 is not a coordinate of stage "s", expected affine functions of its coordinates; a computed index is for pipeline.gather}}
      %v = pipeline.load %table[%at] clamp : tensor<8xf32>
      pipeline.yield %at : index
    } : index
    %n = arith.index_cast %r : index to i32
    pipeline.yield %n : i32
  } : tensor<8xi32>
  return %0 : tensor<8xi32>
}
