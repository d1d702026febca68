// Scans need their lines whole, scatters their places; what they read follows from that.

// RUN: pipeline-opt %s -infer-bounds -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: @scan
func.func @scan(%v: f32) -> tensor<3x4xf32> {
  // CHECK: } in [1, 4) x [0, 20) : tensor<20x20xf32>
  %a = pipeline.stage "a" (%y, %x) {
    pipeline.yield %v : f32
  } : tensor<20x20xf32>
  // CHECK: } in [1, 4) x [0, 20) : tensor<20x20xf32>
  %b = pipeline.scan "b" (%y, %x) along 1 {
    %0 = pipeline.load %a[%y, %x] : tensor<20x20xf32>
    %p = pipeline.previous 1 or %0 : f32
    pipeline.yield %p : f32
  } : tensor<20x20xf32>
  // CHECK: } in [0, 3) x [0, 4) : tensor<3x4xf32>
  %c = pipeline.stage "c" (%y, %x) {
    %0 = pipeline.load %b[%y + 1, %x + 5] : tensor<20x20xf32>
    pipeline.yield %0 : f32
  } : tensor<3x4xf32>
  return %c : tensor<3x4xf32>
}

// -----

// CHECK-LABEL: @scatter
func.func @scatter(%v: f32, %z: index) -> tensor<3xf32> {
  // CHECK: } in [7, 31) x [0, 8) : tensor<64x20xf32>
  %a = pipeline.stage "a" (%y, %x) {
    pipeline.yield %v : f32
  } : tensor<64x20xf32>
  // CHECK: } in [1, 4) x [0, 12) : tensor<8x12xf32>
  %b = pipeline.scatter "b" (%y) over (%r, %x) in [-1, 7) x [0, 8) from(%v : f32) combine "arith.addf" {
    %0 = pipeline.load %a[%y * 8 + %r, %x] clamp : tensor<64x20xf32>
    pipeline.update %0 at [%z] : f32
  } : tensor<8x12xf32>
  // CHECK: } in [0, 3) : tensor<3xf32>
  %c = pipeline.stage "c" (%x) {
    %0 = pipeline.load %b[%x + 1, 2] : tensor<8x12xf32>
    pipeline.yield %0 : f32
  } : tensor<3xf32>
  return %c : tensor<3xf32>
}

// -----

func.func @scatter_leaves(%img: tensor<8xf32>, %v: f32) -> tensor<1xf32> {
  %a = pipeline.scatter "a" () over (%x) in [0, 9) from(%v : f32) combine "arith.addf" {
    // expected-error @+1 {{index #0 (rx) of scatter "a" covers [0, 8], expected inside [0, 7] of the source 'tensor<8xf32>'; give the load a boundary (clamp, mirror, reflect101, wrap, constant) or the scatter another extent}}
    %0 = pipeline.load %img[%x] : tensor<8xf32>
    %c = arith.constant 0 : index
    pipeline.update %0 at [%c] : f32
  } : tensor<1xf32>
  return %a : tensor<1xf32>
}
