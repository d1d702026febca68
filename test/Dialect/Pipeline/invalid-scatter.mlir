// Every message of the verifiers of scatters.

// RUN: pipeline-opt %s -split-input-file -verify-diagnostics

func.func @combine(%v: f32, %i: i32, %h: index) {
  // expected-error @+1 {{combine is 'arith.subf', expected an associative op: arith.addf, arith.mulf, arith.minimumf, arith.maximumf, arith.minnumf, arith.maxnumf, arith.addi, arith.muli, arith.minsi, arith.maxsi, arith.minui, arith.maxui, arith.andi, arith.ori, arith.xori}}
  %0 = pipeline.scatter "s" () over (%x) in [0, 8) from(%v : f32) combine "arith.subf" {
    pipeline.update %v at [%h] : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @combine_of_integers(%v: f32, %i: i32, %h: index) {
  // expected-error @+1 {{combine is 'arith.addi', expected for result #0, 'f32', an op of floats: arith.addf, arith.mulf, arith.minimumf, arith.maximumf, arith.minnumf, arith.maxnumf}}
  %0 = pipeline.scatter "s" () over (%x) in [0, 8) from(%v : f32) combine "arith.addi" {
    pipeline.update %v at [%h] : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @combine_of_floats(%v: f32, %i: i32, %h: index) {
  // expected-error @+1 {{combine is 'arith.maximumf', expected for result #0, 'i32', an op of integers: arith.addi, arith.muli, arith.minsi, arith.maxsi, arith.minui, arith.maxui, arith.andi, arith.ori, arith.xori}}
  %0 = pipeline.scatter "s" () over (%x) in [0, 8) from(%i : i32) combine "arith.maximumf" {
    pipeline.update %i at [%h] : i32
  } : tensor<4xi32>
  return
}

// -----

func.func @reassoc(%v: f32, %i: i32, %h: index) {
  // expected-error @+1 {{'reassoc' is said of 'arith.mulf', expected it of sums of floats only, 'arith.addf'}}
  %0 = pipeline.scatter "s" () over (%x) in [0, 8) from(%v : f32) combine "arith.mulf" {
    pipeline.update %v at [%h] : f32
  } reassoc : tensor<4xf32>
  return
}

// -----

func.func @backwards(%v: f32, %i: i32, %h: index) {
  // expected-error @+1 {{interval #0 of the domain, [3, 2), ends before it begins}}
  %0 = pipeline.scatter "s" () over (%x) in [3, 2) from(%v : f32) combine "arith.addf" {
    pipeline.update %v at [%h] : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @variables(%v: f32, %i: i32, %h: index) {
  // expected-error @+1 {{body has 0 arguments, expected 2 for the domain at least}}
  %0 = pipeline.scatter "s" () over () in [0, 8) x [0, 8) from(%v : f32) combine "arith.addf" {
    pipeline.update %v at [%h] : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @no_variables(%v: f32, %i: i32, %h: index) {
  // expected-error @+1 {{has 10 ends of intervals in its domain, expected two for each of 1 to 4 variables}}
  %0 = pipeline.scatter "s" () over (%a, %b, %c, %d, %e) in [0, 8) x [0, 8) x [0, 8) x [0, 8) x [0, 8) from(%v : f32) combine "arith.addf" {
    pipeline.update %v at [%h] : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @coordinates(%v: f32, %i: i32, %h: index) {
  // expected-error @+1 {{body has 2 coordinates, expected at most 1, the leading dimensions of 'tensor<4xf32>'}}
  %0 = pipeline.scatter "s" (%a, %b) over (%x) in [0, 8) from(%v : f32) combine "arith.addf" {
    pipeline.update %v at [%h] : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @initial(%v: f32, %i: i32, %h: index) {
  // expected-error @+1 {{begins from 2 values, expected 1, one for each result}}
  %0 = pipeline.scatter "s" () over (%x) in [0, 8) from(%v, %v : f32, f32) combine "arith.addf" {
    pipeline.update %v at [%h] : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @initial_type(%v: f32, %i: i32, %h: index) {
  // expected-error @+1 {{begins result #0 from a value of type 'i32', expected 'f32'}}
  %0 = pipeline.scatter "s" () over (%x) in [0, 8) from(%i : i32) combine "arith.addf" {
    pipeline.update %v at [%h] : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @extents(%v: f32, %i: i32, %h: index) {
  // expected-error @+1 {{has 0 extent operands, expected 1, one for each ? of 'tensor<?xf32>', as in sized(%h, %w)}}
  %0 = pipeline.scatter "s" () over (%x) in [0, 8) from(%v : f32) combine "arith.addf" {
    pipeline.update %v at [%h] : f32
  } : tensor<?xf32>
  return
}

// -----

func.func @needed_places(%v: f32, %i: i32, %h: index) {
  // expected-error @+1 {{'in' is part of dimension 0, expected all of it: its places are computed}}
  %0 = pipeline.scatter "s" () over (%x) in [0, 8) from(%v : f32) combine "arith.addf" {
    pipeline.update %v at [%h] : f32
  } in [0, 2) : tensor<4xf32>
  return
}

// -----

func.func @needed(%v: f32, %i: i32, %h: index) {
  // expected-error @+1 {{interval [0, 5) of dimension 0 is not inside the scatter's [0, 4)}}
  %0 = pipeline.scatter "s" () over (%x) in [0, 8) from(%v : f32) combine "arith.addf" {
    pipeline.update %v at [%h] : f32
  } in [0, 5) : tensor<4xf32>
  return
}

// -----

func.func @values(%v: f32, %i: i32, %h: index) {
  %0 = pipeline.scatter "s" () over (%x) in [0, 8) from(%v : f32) combine "arith.addf" {
    // expected-error @+1 {{has 2 values, expected 1, one for each result of scatter "s"}}
    pipeline.update %v, %v at [%h] : f32, f32
  } : tensor<4xf32>
  return
}

// -----

func.func @value_type(%v: f32, %i: i32, %h: index) {
  %0 = pipeline.scatter "s" () over (%x) in [0, 8) from(%v : f32) combine "arith.addf" {
    // expected-error @+1 {{value #0 has type 'i32', expected 'f32' for result #0 of scatter "s"}}
    pipeline.update %i at [%h] : i32
  } : tensor<4xf32>
  return
}

// -----

func.func @places(%v: f32, %i: i32, %h: index) {
  %0 = pipeline.scatter "s" () over (%x) in [0, 8) from(%v : f32) combine "arith.addf" {
    // expected-error @+1 {{has 2 places, expected 1, one for each dimension of 'tensor<4xf32>' behind the 0 coordinates}}
    pipeline.update %v at [%h, %h] : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @no_place(%v: f32, %i: i32, %h: index) {
  %0 = pipeline.scatter "s" (%y) over (%x) in [0, 8) from(%v : f32) combine "arith.addf" {
    // expected-error @+1 {{has 0 places, expected 1, one for each dimension of 'tensor<4x4xf32>' behind the 1 coordinates}}
    pipeline.update %v at [] : f32
  } : tensor<4x4xf32>
  return
}

// -----

func.func @place_type(%v: f32, %i: i32, %h: index) {
  %0 = pipeline.scatter "s" () over (%x) in [0, 8) from(%v : f32) combine "arith.addf" {
    // expected-error @+2 {{expects different type than prior uses}}
    // expected-note @-3 {{prior use here}}
    pipeline.update %v at [%i] : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @op(%v: f32, %i: i32, %h: index) {
  %0 = pipeline.scatter "s" () over (%x) in [0, 8) from(%v : f32) combine "arith.addf" {
    // expected-error @+1 {{is in scatter "s", expected loads, gathers, reduces and ops of arith, math, scf, ub only}}
    %c = tensor.empty() : tensor<8xf32>
    pipeline.update %v at [%h] : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @previous(%v: f32, %i: i32, %h: index) {
  %0 = pipeline.scatter "s" () over (%x) in [0, 8) from(%v : f32) combine "arith.addf" {
    // expected-error @+1 {{is not inside a pipeline.scan}}
    %c = pipeline.previous 1 or %v : f32
    pipeline.update %v at [%h] : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @yield(%v: f32, %i: i32, %h: index) {
  // expected-error @+2 {{'pipeline.yield' op expects parent op to be one of 'pipeline.stage}}
  %0 = pipeline.scatter "s" () over (%x) in [0, 8) from(%v : f32) combine "arith.addf" {
    pipeline.yield %v : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @load(%v: f32, %i: i32, %h: index) {
  %t = pipeline.stage "t" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %0 = pipeline.scatter "s" () over (%x) in [0, 8) from(%v : f32) combine "arith.addf" {
    // expected-error @+1 {{index operand #0 is not a coordinate of scatter "s", expected affine functions of its coordinates}}
    %a = "pipeline.load"(%t, %h) <{map = affine_map<(d0) -> (d0)>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<8xf32>, index) -> f32
    pipeline.update %v at [%h] : f32
  } : tensor<4xf32>
  return
}
