// Kernels index with 32 bits: domains of scatters too.

// RUN: pipeline-opt %s --map-to-gpu -split-input-file -verify-diagnostics

func.func @domain(%v: f32, %z: index) -> tensor<4xf32> {
  // expected-error @+1 {{the domain of scatter "s" has more than 2147483647 points, the most that a kernel can index}}
  %0 = pipeline.scatter "s" () over (%y, %x) in [0, 65536) x [0, 32768) from(%v : f32) combine "arith.addf" {
    pipeline.update %v at [%z] : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @index(%img: tensor<8xf32>, %v: f32, %z: index) -> tensor<4xf32> {
  %0 = pipeline.scatter "s" () over (%x) in [0, 8) from(%v : f32) combine "arith.addf" {
    // expected-error @+1 {{index #0 (rx * 1000000000) of scatter "s" reaches 7000000000, beyond the 32 bits of a kernel's indices}}
    %a = pipeline.load %img[%x * 1000000000] clamp : tensor<8xf32>
    pipeline.update %a at [%z] : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @line(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.scan "s" (%x) along 0 {
    // expected-error @+1 {{index #0 (x * 1000000000) of scan "s" reaches 7000000000, beyond the 32 bits of a kernel's indices}}
    %a = pipeline.load %img[%x * 1000000000] clamp : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
