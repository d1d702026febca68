// Kernels index with 32 bits, whoever computes a tile: what is known to need more is refused, and not read elsewhere.

// RUN: pipeline-opt %s --infer-bounds --map-to-gpu -split-input-file -verify-diagnostics -o /dev/null
// RUN: pipeline-opt %s --infer-bounds --fuse --warp-tile -split-input-file -verify-diagnostics -o /dev/null
// RUN: pipeline-opt %s --infer-bounds --fuse --block-tile -split-input-file -verify-diagnostics -o /dev/null

func.func @far(%img: tensor<37xf32>) -> tensor<37xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op index #0 (x - 5000000000) of stage "s" reaches -5000000000, beyond the 32 bits of a kernel's indices}}
    %v = pipeline.load %img[%x - 5000000000] wrap : tensor<37xf32>
    pipeline.yield %v : f32
  } : tensor<37xf32>
  return %0 : tensor<37xf32>
}

// -----

// What is divided has them all; what is only added may leave them on the way.
func.func @divided(%img: tensor<37xf32>) -> tensor<37xf32> {
  %0 = pipeline.stage "s" (%x) {
    %v = pipeline.load %img[%x + 5000000000 - 4999999999] wrap : tensor<37xf32>
    // expected-error @+1 {{index #0 ((x * 100000000) floordiv 99999999) of stage "s" reaches 3600000000, beyond}}
    %w = pipeline.load %img[(%x * 100000000) floordiv 99999999] wrap : tensor<37xf32>
    %s = arith.addf %v, %w : f32
    pipeline.yield %s : f32
  } : tensor<37xf32>
  return %0 : tensor<37xf32>
}

// -----

// However many points there are: a divisor of 2^63 - 1 would be -1 in 32 bits.
func.func @divisor(%img: tensor<?xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{index #0 ((x floordiv 9223372036854775807) * 2) of stage "s" divides by 9223372036854775807, beyond}}
    %v = pipeline.load %img[%x floordiv 9223372036854775807 * 2] wrap : tensor<?xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @factor(%img: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %img, %c0 : tensor<?xf32>
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{index #0 (x * 4611686018427387904 + 1) of stage "s" multiplies by 4611686018427387904, beyond}}
    %v = pipeline.load %img[%x * 4611686018427387904 + 1] wrap : tensor<?xf32>
    pipeline.yield %v : f32
  } sized(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Of a window, too.
func.func @window(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %zero = arith.constant 0.0 : f32
    %r = pipeline.reduce (%v) in [0, 30) (%a = %zero : f32) {
      // expected-error @+1 {{index #0 (x + rx * 100000000) of stage "s" reaches 2900000007, beyond}}
      %l = pipeline.load %img[%x + %v * 100000000] mirror : tensor<8xf32>
      %s = arith.addf %a, %l : f32
      pipeline.yield %s : f32
    } : f32
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Where there is no point there is no index.
func.func @empty(%img: tensor<8xf32>) -> tensor<0xf32> {
  %0 = pipeline.stage "s" (%x) {
    %v = pipeline.load %img[%x + 5000000000] clamp : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<0xf32>
  return %0 : tensor<0xf32>
}
