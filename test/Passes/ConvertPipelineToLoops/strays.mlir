// What is no part of a program is refused, wherever it stands; constants count as extents wherever they stand.
// RUN: pipeline-opt --convert-pipeline-to-loops -split-input-file -verify-diagnostics %s | FileCheck %s

func.func @dim_of_unknown_dimension(%img: tensor<?xf32>, %n: index, %k: index) -> tensor<?xf32> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] clamp : tensor<?xf32>
    pipeline.yield %a : f32
  } sized(%n) : tensor<?xf32>
  // expected-error @+1 {{'tensor.dim' op takes or gives a tensor, which in a program only stages}}
  %d = tensor.dim %0, %k : tensor<?xf32>
  %1 = pipeline.stage "t" (%x) {
    %a = pipeline.load %0[%x] clamp : tensor<?xf32>
    pipeline.yield %a : f32
  } sized(%d) : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @pixel_in_a_branch(%v: f32, %b: i1) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %s = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %r = scf.if %b -> f32 {
    // expected-error @+1 {{'tensor.extract' op takes or gives a tensor, which in a program only stages}}
    %e = tensor.extract %s[%c0] : tensor<8xf32>
    scf.yield %e : f32
  } else {
    scf.yield %v : f32
  }
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

func.func @caller(%img: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'func.call' op uses program @called, which is lowered; expected it inlined (--inline)}}
  %0 = call @called(%img) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @called(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @nothing_returned(
// CHECK: return
func.func @nothing_returned(%v: f32) {
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return
}

// -----

// CHECK-LABEL: func.func @constant_extent_in_a_group(
// CHECK: memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?xf32>
func.func @constant_extent_in_a_group(%img: tensor<8xf32>) -> tensor<?xf32> {
  %g = pipeline.group "g" {
    %n = arith.constant 8 : index
    %b = pipeline.stage "b" (%x) {
      %0 = pipeline.load %img[%x] : tensor<8xf32>
      pipeline.yield %0 : f32
    } sized(%n) : tensor<?xf32>
    %d = pipeline.stage "d" (%x) {
      %0 = pipeline.load %b[%x] : tensor<?xf32>
      pipeline.yield %0 : f32
    } sized(%n) : tensor<?xf32>
    pipeline.yield %d : tensor<?xf32>
  } : tensor<?xf32>
  return %g : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @needed_beyond_a_dynamic_extent(
// CHECK: cf.assert %{{.*}}, "{{.*}}: stage \22a\22 is needed beyond its extent in dimension 0, expected arg1 >= 16"
func.func @needed_beyond_a_dynamic_extent(%v: f32, %n: index) -> tensor<?xf32> {
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } sized(%n) in [2, 16) : tensor<?xf32>
  return %a : tensor<?xf32>
}
