// Every message of the verifiers and parsers, one case each. Messages name the op, the operand and what is expected.

// RUN: pipeline-opt %s -split-input-file -verify-diagnostics

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

func.func @no_name(%v: f32) {
  // expected-error @+1 {{'pipeline.stage' op requires attribute 'name'}}
  %0 = "pipeline.stage"() ({
  ^bb0(%x: index):
    pipeline.yield %v : f32
  }) : () -> tensor<8xf32>
  return
}

// -----

func.func @empty_name(%v: f32) {
  // expected-error @+1 {{'pipeline.stage' op name is "", expected a string that is not empty}}
  %0 = pipeline.stage "" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @no_result() {
  // expected-error @+1 {{'pipeline.stage' op has no result, expected at least one image}}
  "pipeline.stage"() <{name = "s"}> ({
  ^bb0(%x: index):
    "pipeline.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @rank_0(%v: f32) {
  // expected-error @+1 {{'pipeline.stage' op result #0 has rank 0, expected 1 to 4}}
  %0 = pipeline.stage "s" () {
    pipeline.yield %v : f32
  } : tensor<f32>
  return
}

// -----

func.func @rank_5(%v: f32) {
  // expected-error @+1 {{'pipeline.stage' op result #0 has rank 5, expected 1 to 4}}
  %0 = pipeline.stage "s" (%a, %b, %c, %d, %e) {
    pipeline.yield %v : f32
  } : tensor<1x1x1x1x1xf32>
  return
}

// -----

func.func @unranked_result(%v: f32) {
  // expected-error-re @+1 {{'pipeline.stage' op result #0 must be variadic of ranked tensor of {{.*}}, but got 'tensor<*xf32>'}}
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<*xf32>
  return
}

// -----

func.func @memref_result(%v: f32) {
  // expected-error-re @+1 {{'pipeline.stage' op result #0 must be variadic of ranked tensor of {{.*}}, but got 'memref<8xf32>'}}
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : memref<8xf32>
  return
}

// -----

func.func @elements_of_i1(%v: f32) {
  // expected-error-re @+1 {{'pipeline.stage' op result #0 must be variadic of ranked tensor of {{.*}}, but got 'tensor<8xi1>'}}
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xi1>
  return
}

// -----

func.func @elements_of_bf16(%v: f32) {
  // expected-error-re @+1 {{'pipeline.stage' op result #0 must be variadic of ranked tensor of {{.*}}, but got 'tensor<8xbf16>'}}
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xbf16>
  return
}

// -----

func.func @elements_of_index(%v: f32) {
  // expected-error-re @+1 {{'pipeline.stage' op result #0 must be variadic of ranked tensor of {{.*}}, but got 'tensor<8xindex>'}}
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xindex>
  return
}

// -----

func.func @elements_of_ui8(%v: f32) {
  // expected-error-re @+1 {{'pipeline.stage' op result #0 must be variadic of ranked tensor of {{.*}}, but got 'tensor<8xui8>'}}
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xui8>
  return
}

// -----

func.func @elements_of_complex_f32(%v: f32) {
  // expected-error-re @+1 {{'pipeline.stage' op result #0 must be variadic of ranked tensor of {{.*}}, but got 'tensor<8xcomplex<f32>>'}}
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xcomplex<f32>>
  return
}

// -----

func.func @encoding(%v: f32) {
  // expected-error @+1 {{'pipeline.stage' op result #0 has type 'tensor<8xf32, "csr">', expected a tensor without encoding}}
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32, "csr">
  return
}

// -----

func.func @results_of_two_shapes(%v: f32, %b: i8) {
  // expected-error @+1 {{'pipeline.stage' op result #1 has type 'tensor<9xi8>', expected the shape of result #0, 'tensor<8xf32>'}}
  %0:2 = pipeline.stage "s" (%x) {
    pipeline.yield %v, %b : f32, i8
  } : tensor<8xf32>, tensor<9xi8>
  return
}

// -----

func.func @extent_missing(%v: f32, %h: index) {
  // expected-error @+1 {{'pipeline.stage' op has 1 extent operands, expected 2, one for each ? of 'tensor<?x?xf32>', as in sized(%h, %w)}}
  %0 = pipeline.stage "s" (%y, %x) {
    pipeline.yield %v : f32
  } sized(%h) : tensor<?x?xf32>
  return
}

// -----

func.func @extent_too_many(%v: f32, %h: index) {
  // expected-error @+1 {{'pipeline.stage' op has 1 extent operands, expected 0, one for each ? of 'tensor<8xf32>'}}
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } sized(%h) : tensor<8xf32>
  return
}

// -----

func.func @extent_of_wrong_type(%v: f32, %h: i64) {
  // expected-error @+1 {{'pipeline.stage' op operand #0 must be variadic of index, but got 'i64'}}
  %0 = "pipeline.stage"(%h) <{name = "s"}> ({
  ^bb0(%x: index):
    pipeline.yield %v : f32
  }) : (i64) -> tensor<?xf32>
  return
}

// -----

func.func @coordinate_missing(%v: f32) {
  // expected-error @+1 {{'pipeline.stage' op body has 1 coordinates, expected 2, one for each dimension of 'tensor<8x8xf32>'}}
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<8x8xf32>
  return
}

// -----

func.func @coordinate_too_many(%v: f32) {
  // expected-error @+1 {{'pipeline.stage' op body has 2 coordinates, expected 1, one for each dimension of 'tensor<8xf32>'}}
  %0 = pipeline.stage "s" (%y, %x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @coordinate_of_wrong_type(%v: f32) {
  // expected-error @+1 {{'pipeline.stage' op coordinate #0 has type 'i32', expected 'index'}}
  %0 = "pipeline.stage"() <{name = "s"}> ({
  ^bb0(%x: i32):
    pipeline.yield %v : f32
  }) : () -> tensor<8xf32>
  return
}

// -----

func.func @coordinate_with_type(%v: f32) {
  // expected-error @+1 {{expected ')' in argument list}}
  %0 = pipeline.stage "s" (%x: index) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @no_coordinates(%v: f32) {
  // expected-error @+1 {{expected '(' in argument list}}
  %0 = pipeline.stage "s" {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Bodies of stages
//===----------------------------------------------------------------------===//

func.func @no_region() {
  // expected-error @+1 {{'pipeline.stage' op requires one region}}
  %0 = "pipeline.stage"() <{name = "s"}> : () -> tensor<8xf32>
  return
}

// -----

func.func @region_without_block() {
  // expected-error @+1 {{'pipeline.stage' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  %0 = "pipeline.stage"() <{name = "s"}> ({}) : () -> tensor<8xf32>
  return
}

// -----

func.func @empty_body() {
  // expected-error @+1 {{'pipeline.stage' op expects a non-empty block}}
  %0 = pipeline.stage "s" (%x) {} : tensor<8xf32>
  return
}

// -----

func.func @two_blocks(%v: f32) {
  // expected-error @+1 {{'pipeline.stage' op expects region #0 to have 0 or 1 blocks}}
  %0 = pipeline.stage "s" (%x) {
    cf.br ^next
  ^next:
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @no_yield(%v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{block with no terminator}}
    %a = arith.negf %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @yield_in_the_middle(%v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.yield' op must be the last operation in the parent block}}
    pipeline.yield %v : f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @ends_with_something_else(%v: f32) {
  // expected-error @+1 {{'pipeline.stage' op body does not end with pipeline.yield}}
  %0 = pipeline.stage "s" (%x) {
    ub.unreachable
  } : tensor<8xf32>
  return
}

// -----

func.func @yield_of_too_few(%v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.yield' op has 0 operands, expected 1, one for each result of stage "s"}}
    pipeline.yield
  } : tensor<8xf32>
  return
}

// -----

func.func @yield_of_too_many(%v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.yield' op has 2 operands, expected 1, one for each result of stage "s"}}
    pipeline.yield %v, %v : f32, f32
  } : tensor<8xf32>
  return
}

// -----

func.func @yield_of_wrong_type(%v: f32) {
  %0:2 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.yield' op operand #1 has type 'f32', expected 'i8' for result #1 of stage "s"}}
    pipeline.yield %v, %v : f32, f32
  } : tensor<8xf32>, tensor<8xi8>
  return
}

// -----

func.func @yield_outside() {
  // expected-error @+1 {{'pipeline.yield' op expects parent op to be one of 'pipeline.stage}}
  pipeline.yield
  return
}

// -----

func.func @yield_in_scf(%v: f32, %c: i1) {
  %0 = pipeline.stage "s" (%x) {
    scf.if %c {
      // expected-error @+1 {{'pipeline.yield' op expects parent op to be one of 'pipeline.stage}}
      pipeline.yield %v : f32
    }
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @side_effect(%v: f32, %m: memref<8xf32>) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'memref.store' op is in stage "s", expected loads, gathers, reduces and ops of arith, math, scf, ub only}}
    memref.store %v, %m[%x] : memref<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @side_effect_in_scf(%v: f32, %c: i1) {
  %0 = pipeline.stage "s" (%x) {
    scf.if %c {
      // expected-error @+1 {{'vector.print' op is in stage "s", expected loads, gathers, reduces and ops of arith, math, scf, ub only}}
      vector.print %v : f32
    }
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @stage_in_stage(%v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.stage' op is in stage "s", expected loads, gathers, reduces and ops of arith, math, scf, ub only}}
    %1 = pipeline.stage "inner" (%z) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @group_in_stage(%v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.group' op is in stage "s", expected loads, gathers, reduces and ops of arith, math, scf, ub only}}
    %1 = pipeline.group "g" {
      %2 = pipeline.stage "inner" (%z) {
        pipeline.yield %v : f32
      } : tensor<8xf32>
      pipeline.yield %2 : tensor<8xf32>
    } : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// The part of a stage that is needed
//===----------------------------------------------------------------------===//

func.func @needed_rank(%v: f32) {
  // expected-error @+1 {{'pipeline.stage' op 'in' has 2 intervals, expected 1, one for each dimension}}
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } in [0, 8) x [0, 8) : tensor<8xf32>
  return
}

// -----

func.func @needed_beyond(%v: f32) {
  // expected-error @+1 {{'pipeline.stage' op interval [0, 9) of dimension 0 is not inside the stage's [0, 8)}}
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } in [0, 9) : tensor<8xf32>
  return
}

// -----

func.func @needed_before(%v: f32) {
  // expected-error @+1 {{'pipeline.stage' op interval [-1, 8) of dimension 0 is not inside the stage's [0, 8)}}
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } in [-1, 8) : tensor<8xf32>
  return
}

// -----

func.func @needed_reversed(%v: f32) {
  // expected-error @+1 {{'pipeline.stage' op interval [5, 3) of dimension 0 is not inside the stage's [0, 8)}}
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } in [5, 3) : tensor<8xf32>
  return
}

// -----

func.func @needed_open_end(%v: f32) {
  // expected-error @+1 {{'pipeline.stage' op interval [0, ?) of dimension 0 is not inside the stage's [0, 8)}}
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } in [0, ?) : tensor<8xf32>
  return
}

// -----

func.func @needed_open_start(%v: f32) {
  // expected-error @+1 {{'pipeline.stage' op interval [?, 8) of dimension 0 is not inside the stage's [0, 8)}}
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } in [?, 8) : tensor<8xf32>
  return
}

// -----

func.func @needed_dynamic_before(%v: f32, %w: index) {
  // expected-error @+1 {{'pipeline.stage' op interval [-1, ?) of dimension 0 is not inside the stage's [0, ?)}}
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } sized(%w) in [-1, ?) : tensor<?xf32>
  return
}

// -----

func.func @needed_dynamic_reversed(%v: f32, %w: index) {
  // expected-error @+1 {{'pipeline.stage' op interval [5, 3) of dimension 0 is not inside the stage's [0, ?)}}
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } sized(%w) in [5, 3) : tensor<?xf32>
  return
}

// -----

func.func @needed_dynamic_open_start(%v: f32, %w: index) {
  // expected-error @+1 {{'pipeline.stage' op interval [?, 8) of dimension 0 is not inside the stage's [0, ?)}}
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } sized(%w) in [?, 8) : tensor<?xf32>
  return
}

// -----

func.func @needed_second_dimension(%v: f32) {
  // expected-error @+1 {{'pipeline.stage' op interval [0, 9) of dimension 1 is not inside the stage's [0, 8)}}
  %0 = pipeline.stage "s" (%y, %x) {
    pipeline.yield %v : f32
  } in [0, 8) x [0, 9) : tensor<8x8xf32>
  return
}

// -----

func.func @needed_odd(%v: f32) {
  // expected-error @+1 {{'pipeline.stage' op 'in' has 3 ends of intervals, expected 2, two for each dimension}}
  %0 = "pipeline.stage"() <{name = "s", needed = array<i64: 0, 8, 1>}> ({
  ^bb0(%x: index):
    pipeline.yield %v : f32
  }) : () -> tensor<8xf32>
  return
}

// -----

func.func @needed_of_i32(%v: f32) {
  // expected-error @+1 {{invalid properties {name = "s", needed = array<i32: 0, 8>} for op pipeline.stage}}
  %0 = "pipeline.stage"() <{name = "s", needed = array<i32: 0, 8>}> ({
  ^bb0(%x: index):
    pipeline.yield %v : f32
  }) : () -> tensor<8xf32>
  return
}

// -----

func.func @needed_syntax(%v: f32) {
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  // expected-error @+1 {{expected ')'}}
  } in [0, 8] : tensor<8xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

func.func @load_outside_a_stage(%img: tensor<8xf32>) {
  // expected-error @+1 {{'pipeline.load' op is not inside a pipeline.stage}}
  %a = pipeline.load %img[0] : tensor<8xf32>
  return
}

// -----

func.func @load_of_memref(%m: memref<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{invalid kind of type specified: expected builtin.tensor, but found 'memref<8xf32>'}}
    %a = pipeline.load %m[%x] : memref<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @load_of_i1(%m: tensor<8xi1>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error-re @+1 {{'source' must be ranked tensor of {{.*}}, but got 'tensor<8xi1>'}}
    %a = pipeline.load %m[%x] : tensor<8xi1>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @load_of_unranked(%m: tensor<*xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf32>'}}
    %a = pipeline.load %m[%x] : tensor<*xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @load_of_encoding(%m: tensor<8xf32, "csr">, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op source has type 'tensor<8xf32, "csr">', expected a tensor without encoding}}
    %a = pipeline.load %m[%x] : tensor<8xf32, "csr">
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @load_of_nothing(%m: tensor<8x0xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op source 'tensor<8x0xf32>' has extent 0 in dimension 1, expected at least one point}}
    %a = pipeline.load %m[%x, %x] clamp : tensor<8x0xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @too_few_indices(%img: tensor<8x8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op has 1 indices, expected 2, one for each dimension of the source 'tensor<8x8xf32>'}}
    %a = pipeline.load %img[%x] : tensor<8x8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @too_many_indices(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op has 2 indices, expected 1, one for each dimension of the source 'tensor<8xf32>'}}
    %a = pipeline.load %img[%x, 0] : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @index_not_affine(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{non-affine expression: at least one of the multiply operands has to be either a constant or symbolic}}
    %a = pipeline.load %img[%x * %x] : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @index_of_symbols(%img: tensor<8xf32>, %v: f32, %i: index) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op has 1 symbols in its map (d0)[s0] -> (d0 + s0), expected indices that are functions of coordinates only}}
    %a = pipeline.load %img[%x + symbol(%i)] : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @index_floordiv_0(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op index #0 divides by 0, expected a positive constant}}
    %a = pipeline.load %img[%x floordiv 0] clamp : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @index_ceildiv_0(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op index #0 divides by 0, expected a positive constant}}
    %a = pipeline.load %img[%x ceildiv 0] clamp : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @index_mod_0(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op index #0 divides by 0, expected a positive constant}}
    %a = pipeline.load %img[%x mod 0] clamp : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @index_divides_by_a_negative(%img: tensor<8x8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op index #1 divides by -2, expected a positive constant}}
    %a = pipeline.load %img[0, (%x + 1) floordiv -2 + 1] clamp : tensor<8x8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @index_not_of_a_coordinate(%img: tensor<8xf32>, %v: f32, %i: index) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op index operand #1 is not a coordinate of stage "s", expected affine functions of its coordinates; a computed index is for pipeline.gather}}
    %a = pipeline.load %img[%x + %i] clamp : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @index_computed(%img: tensor<8xf32>) {
  %one = arith.constant 1 : index
  %0 = pipeline.stage "s" (%x) {
    %i = arith.addi %x, %one : index
    // expected-error @+1 {{'pipeline.load' op index operand #0 is not a coordinate of stage "s", expected affine functions of its coordinates; a computed index is for pipeline.gather}}
    %a = pipeline.load %img[%i] clamp : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @index_of_a_loop(%img: tensor<8xf32>, %v: f32, %i: index) {
  %0 = pipeline.stage "s" (%x) {
    %sum = scf.for %k = %i to %i step %i iter_args(%before = %v) -> f32 {
      // expected-error @+1 {{'pipeline.load' op index operand #0 is not a coordinate of stage "s", expected affine functions of its coordinates; a computed index is for pipeline.gather}}
      %a = pipeline.load %img[%k] : tensor<8xf32>
      scf.yield %a : f32
    }
    pipeline.yield %sum : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @load_of_the_stage_itself() {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{operand #0 does not dominate this use}}
    %a = pipeline.load %0[%x] : tensor<8xf32>
    pipeline.yield %a : f32
  // expected-note @-4 {{operand defined here}}
  } : tensor<8xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Boundaries
//===----------------------------------------------------------------------===//

func.func @boundary_unknown(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{unknown keyword 'reflect', expected one of none, clamp, mirror, wrap, constant, reflect101}}
    %a = pipeline.load %img[%x] reflect : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @boundary_constant_of_nothing(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op boundary 'constant' has no value, expected one, as in constant(%v)}}
    %a = pipeline.load %img[%x] constant : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @boundary_clamp_of_a_value(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op boundary 'clamp' has a value in parentheses, expected none}}
    %a = pipeline.load %img[%x] clamp(%v) : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @boundary_reflect101_of_a_value(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op boundary 'reflect101' has a value in parentheses, expected none}}
    %a = pipeline.load %img[%x] reflect101(%v) : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @boundary_mirror_of_a_value(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op boundary 'mirror' has a value in parentheses, expected none}}
    %a = pipeline.load %img[%x] mirror(%v) : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @boundary_wrap_of_a_value(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op boundary 'wrap' has a value in parentheses, expected none}}
    %a = pipeline.load %img[%x] wrap(%v) : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @boundary_none_of_a_value(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op boundary 'none' has a value in parentheses, expected none}}
    %a = pipeline.load %img[%x] none(%v) : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @boundary_constant_of_wrong_type(%img: tensor<8xf32>, %v: f32, %i: i8) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{use of value '%i' expects different type than prior uses: 'f32' vs 'i8'}}
    %a = pipeline.load %img[%x] constant(%i) : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @boundary_unknown_number(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{Invalid attribute `boundary` in property conversion: 9 : i32}}
    %a = "pipeline.load"(%img, %x) <{boundary = 9 : i32, map = affine_map<(d0) -> (d0)>, operandSegmentSizes = array<i32: 1, 1, 0>}>
      : (tensor<8xf32>, index) -> f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Loads in generic form
//===----------------------------------------------------------------------===//

func.func @load_without_map(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op requires attribute 'map'}}
    %a = "pipeline.load"(%img, %x) <{operandSegmentSizes = array<i32: 1, 1, 0>}>
      : (tensor<8xf32>, index) -> f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @load_with_another_attribute_as_map(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{Invalid attribute `map` in property conversion: "d0"}}
    %a = "pipeline.load"(%img, %x) <{map = "d0", operandSegmentSizes = array<i32: 1, 1, 0>}>
      : (tensor<8xf32>, index) -> f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @load_without_coordinates(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op has 0 coordinates, expected 1, as its map (d0) -> (d0) says}}
    %a = "pipeline.load"(%img) <{map = affine_map<(d0) -> (d0)>, operandSegmentSizes = array<i32: 1, 0, 0>}>
      : (tensor<8xf32>) -> f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @load_of_wrong_type(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op failed to verify that value type is the element type of the source}}
    %a = "pipeline.load"(%img, %x) <{map = affine_map<(d0) -> (d0)>, operandSegmentSizes = array<i32: 1, 1, 0>}>
      : (tensor<8xf32>, index) -> f64
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @load_outside_of_wrong_type(%img: tensor<8xf32>, %v: f32, %i: i8) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op failed to verify that padding value type is the element type of the source}}
    %a = "pipeline.load"(%img, %x, %i) <{boundary = 4 : i32, map = affine_map<(d0) -> (d0)>, operandSegmentSizes = array<i32: 1, 1, 1>}>
      : (tensor<8xf32>, index, i8) -> f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @load_without_segments(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op operand count (2) does not match with the total size (0) specified in attribute 'operandSegmentSizes'}}
    %a = "pipeline.load"(%img, %x) <{map = affine_map<(d0) -> (d0)>}>
      : (tensor<8xf32>, index) -> f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @load_with_segments_too_long(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op operand count (2) does not match with the total size (3) specified in attribute 'operandSegmentSizes'}}
    %a = "pipeline.load"(%img, %x) <{map = affine_map<(d0) -> (d0)>, operandSegmentSizes = array<i32: 1, 1, 1>}>
      : (tensor<8xf32>, index) -> f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @load_with_negative_segments(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op 'operandSegmentSizes' attribute cannot have negative elements}}
    %a = "pipeline.load"(%img, %x) <{map = affine_map<(d0) -> (d0)>, operandSegmentSizes = array<i32: 1, 2, -1>}>
      : (tensor<8xf32>, index) -> f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @load_with_two_sources(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error-re @+1 {{'pipeline.load' op operand #1 must be ranked tensor of {{.*}}, but got 'index'}}
    %a = "pipeline.load"(%img, %x) <{map = affine_map<(d0) -> (d0)>, operandSegmentSizes = array<i32: 2, 0, 0>}>
      : (tensor<8xf32>, index) -> f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @load_with_two_values_outside(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op operand group starting at #1 requires 0 or 1 element, but found 2}}
    %a = "pipeline.load"(%img, %v, %v) <{map = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 1, 0, 2>}>
      : (tensor<8xf32>, f32, f32) -> f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

func.func @load_without_operands(%img: tensor<8xf32>, %v: f32) {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op expected 1 or more operands, but found 0}}
    %a = "pipeline.load"() <{map = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>}>
      : () -> f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

func.func @group_no_name(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op requires attribute 'name'}}
  %0 = "pipeline.group"() ({
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  }) : () -> tensor<8xf32>
  return
}

// -----

func.func @group_empty_name(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op name is "", expected a string that is not empty}}
  %0 = pipeline.group "" {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @group_no_result() {
  // expected-error @+1 {{'pipeline.group' op has no result, expected at least one image}}
  pipeline.group "g" {
    pipeline.yield
  }
  return
}

// -----

func.func @group_rank(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op result #0 has rank 0, expected 1 to 4}}
  %0 = pipeline.group "g" schedule {stream = "x"} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<f32>
  return
}

// -----

func.func @group_with_arguments(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op body has 1 arguments, expected none}}
  %0 = "pipeline.group"() <{name = "g"}> ({
  ^bb0(%i: index):
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  }) : () -> tensor<8xf32>
  return
}

// -----

func.func @group_empty() {
  // expected-error @+1 {{'pipeline.group' op expects a non-empty block}}
  %0 = pipeline.group "g" {
  } : tensor<8xf32>
  return
}

// -----

func.func @group_of_other_ops(%v: f32) {
  %0 = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    // expected-error @+1 {{'arith.addf' op is in group "g", expected stages and constants only}}
    %b = arith.addf %v, %v : f32
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @group_in_group(%v: f32) {
  %0 = pipeline.group "g" {
    // expected-error @+1 {{'pipeline.group' op is in group "g", expected stages and constants only}}
    %b = pipeline.group "inner" {
      %a = pipeline.stage "a" (%x) {
        pipeline.yield %v : f32
      } : tensor<8xf32>
      pipeline.yield %a : tensor<8xf32>
    } : tensor<8xf32>
    pipeline.yield %b : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @group_does_not_yield(%v: f32) {
  %0 = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    // expected-error @+1 {{'ub.unreachable' op is in group "g", expected stages and constants only}}
    ub.unreachable
  } : tensor<8xf32>
  return
}

// -----

func.func @group_yields_too_few(%v: f32) {
  %0:2 = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    // expected-error @+1 {{'pipeline.yield' op has 1 operands, expected 2, one for each result of group "g"}}
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>, tensor<8xf32>
  return
}

// -----

func.func @group_yields_wrong_type(%v: f32) {
  %0 = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    // expected-error @+1 {{'pipeline.yield' op operand #0 has type 'tensor<8xf32>', expected 'tensor<9xf32>' for result #0 of group "g"}}
    pipeline.yield %a : tensor<8xf32>
  } : tensor<9xf32>
  return
}

// -----

func.func @group_yields_an_argument(%img: tensor<8xf32>) {
  %0 = pipeline.group "g" {
    // expected-error @+1 {{'pipeline.yield' op operand #0 is not a result of a stage of group "g", expected its live-outs}}
    pipeline.yield %img : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @group_yields_a_constant() {
  %0 = pipeline.group "g" {
    %a = arith.constant dense<0.0> : tensor<8xf32>
    // expected-error @+1 {{'pipeline.yield' op operand #0 is not a result of a stage of group "g", expected its live-outs}}
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @group_yields_a_stage_outside(%v: f32) {
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %0 = pipeline.group "g" {
    // expected-error @+1 {{'pipeline.yield' op operand #0 is not a result of a stage of group "g", expected its live-outs}}
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @group_reads_its_own_result() {
  %0 = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      // expected-error @+1 {{operand #0 does not dominate this use}}
      %p = pipeline.load %0[%x] : tensor<8xf32>
      pipeline.yield %p : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  // expected-note @-7 {{operand defined here}}
  } : tensor<8xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

func.func @schedule_no_dictionary(%v: f32) {
  // expected-error @+1 {{invalid kind of attribute specified}}
  %0 = pipeline.group "g" schedule [8] {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_unknown_key(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule has unknown key 'tiles', expected tile, block, fraction, inputs, layout, vector, scope, stream, overlap or nested}}
  %0 = pipeline.group "g" schedule {tiles = 8} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_tile_no_array(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'tile' is 8 : i64, expected array<i64: ...> of 1 positive numbers, one for each dimension}}
  %0 = pipeline.group "g" schedule {tile = 8} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_tile_of_i32(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'tile' is array<i32: 8>, expected array<i64: ...> of 1 positive numbers, one for each dimension}}
  %0 = pipeline.group "g" schedule {tile = array<i32: 8>} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_tile_rank(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'tile' is array<i64: 8, 8>, expected array<i64: ...> of 1 positive numbers, one for each dimension}}
  %0 = pipeline.group "g" schedule {tile = array<i64: 8, 8>} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_tile_zero(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'tile' is array<i64: 0>, expected array<i64: ...> of 1 positive numbers, one for each dimension}}
  %0 = pipeline.group "g" schedule {tile = array<i64: 0>} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_tile_of_many_points(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'tile' is array<i64: 9223372036854775807>, expected at most 1073741824 points together}}
  %0 = pipeline.group "g" schedule {tile = array<i64: 9223372036854775807>} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_tile_product(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'tile' is array<i64: 4294967296, 4294967296>, expected at most 1073741824 points together}}
  %0 = pipeline.group "g" schedule {tile = array<i64: 4294967296, 4294967296>} {
    %a = pipeline.stage "a" (%y, %x) {
      pipeline.yield %v : f32
    } : tensor<8x8xf32>
    pipeline.yield %a : tensor<8x8xf32>
  } : tensor<8x8xf32>
  return
}

// -----

func.func @schedule_block_negative(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'block' is array<i64: -32>, expected array<i64: ...> of 1 positive numbers, one for each dimension}}
  %0 = pipeline.group "g" schedule {block = array<i64: -32>} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_fraction_no_float(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'fraction' is 1 : i64, expected a float from 0.0 to 1.0}}
  %0 = pipeline.group "g" schedule {fraction = 1} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_fraction_above_1(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'fraction' is 1.500000e+00 : f64, expected a float from 0.0 to 1.0}}
  %0 = pipeline.group "g" schedule {fraction = 1.5} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_fraction_negative(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'fraction' is -5.000000e-01 : f64, expected a float from 0.0 to 1.0}}
  %0 = pipeline.group "g" schedule {fraction = -0.5} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_fraction_nan(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'fraction' is 0x7FF8000000000000 : f64, expected a float from 0.0 to 1.0}}
  %0 = pipeline.group "g" schedule {fraction = 0x7FF8000000000000 : f64} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_scope(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'scope' is "grid", expected "warp" or "block"}}
  %0 = pipeline.group "g" schedule {scope = "grid"} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_layout(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'layout' is "skewed", expected "cyclic" or "blocked"}}
  %0 = pipeline.group "g" schedule {layout = "skewed"} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_layout_empty(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'layout' is "", expected "cyclic" or "blocked"}}
  %0 = pipeline.group "g" schedule {layout = ""} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_layout_no_string(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'layout' is 1 : i64, expected "cyclic" or "blocked"}}
  %0 = pipeline.group "g" schedule {layout = 1} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_vector(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'vector' is 3 : i64, expected 1, 2, 4, 8 or 16, of type i64}}
  %0 = pipeline.group "g" schedule {vector = 3} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_vector_type(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'vector' is 4 : i8, expected 1, 2, 4, 8 or 16, of type i64}}
  %0 = pipeline.group "g" schedule {vector = 4 : i8} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_inputs(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'inputs' is "registers", expected "memory" or "shared"}}
  %0 = pipeline.group "g" schedule {inputs = "registers"} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_stream(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'stream' is "y", expected "x"}}
  %0 = pipeline.group "g" schedule {stream = "y"} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_nested(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'nested' is "no", expected true or false}}
  %0 = pipeline.group "g" schedule {nested = "no"} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @schedule_overlap(%v: f32) {
  // expected-error @+1 {{'pipeline.group' op schedule key 'overlap' is "hexagonal", expected "scalene" or "right-rectangle" or "uniform-slope"}}
  %0 = pipeline.group "g" schedule {overlap = "hexagonal"} {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @source_rank(%img: tensor<1x1x1x1x8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op source has rank 5, expected at most 4}}
    %a = pipeline.load %img[0, 0, 0, 0, %x] : tensor<1x1x1x1x8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @wide_float(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    // expected-error @+1 {{'arith.extf' op gives 'f128' in stage "s", expected f64 at most}}
    %b = arith.extf %a : f32 to f128
    %c = arith.truncf %b : f128 to f32
    pipeline.yield %c : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
