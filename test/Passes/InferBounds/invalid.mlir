// Loads without a boundary that leave their source, and programs that are none.

// RUN: pipeline-opt %s -infer-bounds -split-input-file -verify-diagnostics
// Lowerings check by themselves, also where this pass was not run.
// RUN: pipeline-opt %s -convert-pipeline-to-loops -split-input-file -verify-diagnostics
// RUN: pipeline-opt %s -map-to-gpu -split-input-file -verify-diagnostics

func.func @before_the_start(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op index #0 (x - 1) of stage "s" covers [-1, 6], expected inside [0, 7] of the source 'tensor<8xf32>'; give the load a boundary (clamp, mirror, reflect101, wrap, constant) or the stage another extent}}
    %a = pipeline.load %img[%x - 1] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @beyond_the_end(%img: tensor<8x9xf32>) -> tensor<8x8xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    // expected-error @+1 {{index #1 (x + 2) of stage "s" covers [2, 9], expected inside [0, 8] of the source 'tensor<8x9xf32>'}}
    %a = pipeline.load %img[%y, %x + 2] : tensor<8x9xf32>
    pipeline.yield %a : f32
  } : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @both_indices(%img: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    // expected-error @+2 {{index #0 (y - 1) of stage "s" covers [-1, 6]}}
    // expected-error @+1 {{index #1 (x + 1) of stage "s" covers [1, 8]}}
    %a = pipeline.load %img[%y - 1, %x + 1] : tensor<8x8xf32>
    pipeline.yield %a : f32
  } : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @every_load_is_reported(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{index #0 (x - 1)}}
    %a = pipeline.load %img[%x - 1] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  %1 = pipeline.stage "t" (%x) {
    // expected-error @+1 {{index #0 (x + 1) of stage "t"}}
    %a = pipeline.load %0[%x + 1] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

func.func @of_a_stage(%v: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<6xf32>
  %1 = pipeline.stage "t" (%x) {
    // expected-error @+1 {{index #0 (x) of stage "t" covers [0, 7], expected inside [0, 5] of the source 'tensor<6xf32>'}}
    %a = pipeline.load %0[%x] : tensor<6xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// What of a stage is needed does not excuse it: a stage means all of its points.
func.func @needed_or_not(%img: tensor<8xf32>) -> tensor<4xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{index #0 (x + 1) of stage "s" covers [1, 8]}}
    %a = pipeline.load %img[%x + 1] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  %1 = pipeline.stage "t" (%x) {
    %a = pipeline.load %0[%x] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @in_a_dead_stage(%img: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "dead" (%x) {
    // expected-error @+1 {{index #0 (8) of stage "dead" covers [8, 8], expected inside [0, 7]}}
    %a = pipeline.load %img[8] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %img : tensor<8xf32>
}

// -----

func.func @in_a_group(%img: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %0 = pipeline.group "g" {
    %s = pipeline.stage "s" (%x) {
      // expected-error @+1 {{index #0 (x - 2) of stage "s" covers [-2, 5]}}
      %a = pipeline.load %img[%x - 2] : tensor<8xf32>
      pipeline.yield %a : f32
    } : tensor<8xf32>
    pipeline.yield %s : tensor<8xf32>
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @inside_an_if(%img: tensor<8xf32>, %v: f32, %condition: i1) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %r = scf.if %condition -> f32 {
      // expected-error @+1 {{index #0 (x * 2) of stage "s" covers [0, 14]}}
      %a = pipeline.load %img[%x * 2] : tensor<8xf32>
      scf.yield %a : f32
    } else {
      scf.yield %v : f32
    }
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// The ranges of floordiv and mod are exact: what is inside is let pass ...
func.func @exact_inside(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x + 1 - (%x mod 2) * 2] : tensor<8xf32>
    %b = pipeline.load %img[%x - %x floordiv 2] : tensor<8xf32>
    %c = pipeline.load %img[(%x floordiv 2) * 2] : tensor<8xf32>
    %d = pipeline.load %img[(%x * 3) mod 8] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// ... and what leaves by one is found.
func.func @exact_outside(%img: tensor<8xf32>) -> tensor<7xf32> {
  %0 = pipeline.stage "s" (%x) {
    // At most 7, of 6.
    %a = pipeline.load %img[%x + 1 - %x mod 2] : tensor<8xf32>
    // expected-error @+1 {{index #0 (x - (x mod 2) * 2) of stage "s" covers [-1, 6]}}
    %b = pipeline.load %img[%x - (%x mod 2) * 2] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

func.func @floordiv_of_negative(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{index #0 ((x - 1) floordiv 2) of stage "s" covers [-1, 3]}}
    %a = pipeline.load %img[(%x - 1) floordiv 2] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// The end is not known, the start is.
func.func @dynamic_before_the_start(%img: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{index #0 (x - 1) of stage "s" covers [-1, ?], expected inside [0, ?] of the source 'tensor<?xf32>'}}
    %a = pipeline.load %img[%x - 1] : tensor<?xf32>
    pipeline.yield %a : f32
  } sized(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// The start is not known, the end is.
func.func @dynamic_beyond_the_end(%img: tensor<8xf32>, %n: index) -> tensor<?xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{index #0 (-x + 8) of stage "s" covers [?, 8], expected inside [0, 7]}}
    %a = pipeline.load %img[-%x + 8] : tensor<8xf32>
    pipeline.yield %a : f32
  } sized(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// No point is computed, so none is read outside.
func.func @no_points(%img: tensor<8xf32>) -> tensor<0xf32> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x - 100] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<0xf32>
  return %0 : tensor<0xf32>
}

// -----

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

func.func @no_such_dimension(%img: tensor<?xf32>) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'tensor.dim' op asks for dimension 1, expected 0 to 0}}
  %n = tensor.dim %img, %c1 : tensor<?xf32>
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] clamp : tensor<?xf32>
    pipeline.yield %a : f32
  } sized(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @below_the_first_dimension(%img: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %below = arith.constant -1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  // expected-error @+1 {{'tensor.dim' op asks for dimension -1, expected 0 to 1}}
  %w = tensor.dim %img, %below : tensor<?x?xf32>
  %0 = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%y, %x] clamp : tensor<?x?xf32>
    pipeline.yield %a : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
