// What the parser and the verifier say of a pipeline.reduce.

// RUN: pipeline-opt %s -split-input-file -verify-diagnostics

func.func @outside_of_a_stage(%zero: f32) -> f32 {
  // expected-error @+1 {{'pipeline.reduce' op is not inside a pipeline.stage}}
  %0 = pipeline.reduce (%k) in [0, 2) (%a = %zero : f32) {
    pipeline.yield %a : f32
  } : f32
  return %0 : f32
}

// -----

func.func @no_accumulator() -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.reduce' op has no accumulator, expected at least one, as in (%acc = %zero : f32)}}
    "pipeline.reduce"() <{window = array<i64: 0, 2>}> ({
    ^bb0(%k: index):
      pipeline.yield
    }) : () -> ()
    %v = arith.constant 0.0 : f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @empty(%zero: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.reduce' op interval [2, 2) of variable #1 is empty, expected at least one point}}
    %r = pipeline.reduce (%k, %l) in [0, 2) x [2, 2) (%a = %zero : f32) {
      pipeline.yield %a : f32
    } : f32
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @unknown(%zero: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.reduce' op interval of variable #0 has a '?', expected numbers}}
    %r = pipeline.reduce (%k) in [0, ?) (%a = %zero : f32) {
      pipeline.yield %a : f32
    } : f32
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @wide(%zero: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.reduce' op interval [0, 4294967296) of variable #0 goes beyond 32 bits}}
    %r = pipeline.reduce (%k) in [0, 4294967296) (%a = %zero : f32) {
      pipeline.yield %a : f32
    } : f32
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @large(%zero: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.reduce' op window has 10000000000 points, expected at most 2147483647}}
    %r = pipeline.reduce (%k, %l) in [0, 100000) x [0, 100000) (%a = %zero : f32) {
      pipeline.yield %a : f32
    } : f32
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @five_variables(%zero: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.reduce' op window has 10 ends of intervals, expected two for each of 1 to 4 variables}}
    %r = pipeline.reduce (%a, %b, %c, %d, %e) in [0, 2) x [0, 2) x [0, 2) x [0, 2) x [0, 2) (%f = %zero : f32) {
      pipeline.yield %f : f32
    } : f32
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @other_count(%zero: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.reduce' op body has 2 arguments, expected 3: 2 variables of the window and 1 accumulators}}
    %r = pipeline.reduce (%k) in [0, 2) x [0, 2) (%a = %zero : f32) {
      pipeline.yield %a : f32
    } : f32
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @variable_type(%zero: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.reduce' op variable #0 has type 'i32', expected 'index'}}
    %r = "pipeline.reduce"(%zero) <{window = array<i64: 0, 2>}> ({
    ^bb0(%k: i32, %a: f32):
      pipeline.yield %a : f32
    }) : (f32) -> f32
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @accumulator_type(%zero: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.reduce' op accumulator #0 has type 'f64', expected that of its init, 'f32'}}
    %r = "pipeline.reduce"(%zero) <{window = array<i64: 0, 2>}> ({
    ^bb0(%k: index, %a: f64):
      pipeline.yield %a : f64
    }) : (f32) -> f32
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @results(%zero: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.reduce' op has 2 results, expected 1, one for each accumulator}}
    %r:2 = pipeline.reduce (%k) in [0, 2) (%a = %zero : f32) {
      pipeline.yield %a : f32
    } : f32, f32
    pipeline.yield %r#0 : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @result_type(%zero: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.reduce' op result #0 has type 'f64', expected that of its accumulator, 'f32'}}
    %r = pipeline.reduce (%k) in [0, 2) (%a = %zero : f32) {
      pipeline.yield %a : f32
    } : f64
    %t = arith.truncf %r : f64 to f32
    pipeline.yield %t : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @yield_count(%zero: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %r = pipeline.reduce (%k) in [0, 2) (%a = %zero : f32) {
      // expected-error @+1 {{'pipeline.yield' op has 2 operands, expected 1, one for each result of the reduce}}
      pipeline.yield %a, %a : f32, f32
    } : f32
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @yield_type(%zero: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %r = pipeline.reduce (%k) in [0, 2) (%a = %zero : f32) {
      // expected-error @+1 {{'pipeline.yield' op operand #0 has type 'index', expected 'f32' for result #0 of the reduce}}
      pipeline.yield %k : index
    } : f32
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @leaves(%img: tensor<8xf32>, %zero: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %r = pipeline.reduce (%k) in [0, 2) (%a = %zero : f32) {
      // expected-error @+1 {{unknown keyword 'between'}}
      %p = pipeline.load %img[%x + %k] between : tensor<8xf32>
      pipeline.yield %a : f32
    } : f32
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
