// Every message of the verifiers of scans.

// RUN: pipeline-opt %s -split-input-file -verify-diagnostics

func.func @empty_name(%v: f32, %i: i32, %h: index) {
  // expected-error @+1 {{name is "", expected a string that is not empty}}
  %0 = pipeline.scan "" (%x) along 0 {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @no_such_dimension(%v: f32, %i: i32, %h: index) {
  // expected-error @+1 {{walks along dimension 1, expected one of the 1 of 'tensor<8xf32>', counted from 0}}
  %0 = pipeline.scan "s" (%x) along 1 {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @negative_dimension(%v: f32, %i: i32, %h: index) {
  // expected-error @+1 {{walks along dimension -1, expected one of the 2 of 'tensor<8x8xf32>', counted from 0}}
  %0 = pipeline.scan "s" (%y, %x) along -1 {
    pipeline.yield %v : f32
  } : tensor<8x8xf32>
  return
}

// -----

func.func @coordinates(%v: f32, %i: i32, %h: index) {
  // expected-error @+1 {{body has 2 coordinates, expected 1, one for each dimension of 'tensor<8xf32>'}}
  %0 = pipeline.scan "s" (%y, %x) along 0 {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @extents(%v: f32, %i: i32, %h: index) {
  // expected-error @+1 {{has 0 extent operands, expected 1, one for each ? of 'tensor<?xf32>', as in sized(%h, %w)}}
  %0 = pipeline.scan "s" (%x) along 0 {
    pipeline.yield %v : f32
  } : tensor<?xf32>
  return
}

// -----

func.func @needed(%v: f32, %i: i32, %h: index) {
  // expected-error @+1 {{interval [0, 9) of dimension 0 is not inside the scan's [0, 8)}}
  %0 = pipeline.scan "s" (%x) along 0 {
    pipeline.yield %v : f32
  } in [0, 9) : tensor<8xf32>
  return
}

// -----

func.func @yields(%v: f32, %i: i32, %h: index) {
  %0 = pipeline.scan "s" (%x) along 0 {
    // expected-error @+1 {{has 0 operands, expected 1, one for each result of scan "s"}}
    pipeline.yield
  } : tensor<8xf32>
  return
}

// -----

func.func @ahead(%v: f32, %i: i32, %h: index) {
  %0 = pipeline.scan "s" (%x) along 0 {
    // expected-error @+1 {{reads 0 points before its own, expected at least 1: scan "s" has not computed what lies ahead}}
    %p = pipeline.previous 0 or %v : f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @far_ahead(%v: f32, %i: i32, %h: index) {
  %0 = pipeline.scan "s" (%x) along 0 {
    // expected-error @+1 {{reads -2 points before its own, expected at least 1: scan "s" has not computed what lies ahead}}
    %p = pipeline.previous -2 or %v : f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @no_such_result(%v: f32, %i: i32, %h: index) {
  %0 = pipeline.scan "s" (%x) along 0 {
    // expected-error @+1 {{reads result 1 of scan "s", expected one of its 1, counted from 0}}
    %p = pipeline.previous 1 of 1 or %v : f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @type(%v: f32, %i: i32, %h: index) {
  %0 = pipeline.scan "s" (%x) along 0 {
    // expected-error @+1 {{gives 'i32', expected 'f32', as result 0 of scan "s" has}}
    %p = pipeline.previous 1 or %i : i32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @op(%v: f32, %i: i32, %h: index) {
  %0 = pipeline.scan "s" (%x) along 0 {
    // expected-error @+1 {{is in scan "s", expected loads, gathers, reduces and ops of arith, math, scf, ub only}}
    %c = tensor.empty() : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @wide(%v: f32, %i: i32, %h: index) {
  %0 = pipeline.scan "s" (%x) along 0 {
    // expected-error @+1 {{gives 'f80' in scan "s", expected f64 at most}}
    %c = arith.extf %v : f32 to f80
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @previous_in_a_stage(%v: f32, %i: i32, %h: index) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{is not inside a pipeline.scan}}
    %p = pipeline.previous 1 or %v : f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @in_a_group(%v: f32, %i: i32, %h: index) {
  %g = pipeline.group "g" {
    // expected-error @+1 {{is in group "g", expected stages and constants only}}
    %0 = pipeline.scan "s" (%x) along 0 {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  return
}
