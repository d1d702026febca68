// Footprints of indices that are more than a shift: exact intervals, no wider than what is read.

// RUN: pipeline-opt %s -infer-bounds | FileCheck %s

// CHECK-LABEL: @down
func.func @down(%v: f32) -> tensor<10xf32> {
  // CHECK: } in [1, 20) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x * 2 + 1] : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<10xf32>
  return %b : tensor<10xf32>
}

// CHECK-LABEL: @up
func.func @up(%v: f32) -> tensor<15xf32> {
  // CHECK: } in [0, 8) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x floordiv 2] : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<15xf32>
  return %b : tensor<15xf32>
}

// CHECK-LABEL: @ceildiv
func.func @ceildiv(%v: f32) -> tensor<16xf32> {
  // CHECK: } in [0, 9) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x ceildiv 2] : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<16xf32>
  return %b : tensor<16xf32>
}

// CHECK-LABEL: @mod
func.func @mod(%v: f32) -> tensor<16xf32> {
  // CHECK: } in [5, 8) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x mod 3 + 5] : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<16xf32>
  return %b : tensor<16xf32>
}

// The parity of a Bayer pattern: 0, 0, 2, 2, ... 8, 8. Interval arithmetic on the parts would say -1.
// CHECK-LABEL: @same_coordinate_twice
func.func @same_coordinate_twice(%v: f32) -> tensor<10xf32> {
  // CHECK: } in [0, 9) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x - %x mod 2] : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<10xf32>
  return %b : tensor<10xf32>
}

// CHECK-LABEL: @backwards
func.func @backwards(%v: f32) -> tensor<10xf32> {
  // CHECK: } in [10, 20) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[-%x + 19] : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<10xf32>
  return %b : tensor<10xf32>
}

// CHECK-LABEL: @transposed
func.func @transposed(%v: f32) -> tensor<3x5xf32> {
  // CHECK: } in [0, 5) x [0, 3) : tensor<20x20xf32>
  %a = pipeline.stage "a" (%y, %x) {
    pipeline.yield %v : f32
  } : tensor<20x20xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%x, %y] : tensor<20x20xf32>
    pipeline.yield %0 : f32
  } : tensor<3x5xf32>
  return %b : tensor<3x5xf32>
}

// CHECK-LABEL: @sum_of_coordinates
func.func @sum_of_coordinates(%v: f32) -> tensor<3x5xf32> {
  // CHECK: } in [0, 7) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y + %x] : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<3x5xf32>
  return %b : tensor<3x5xf32>
}

// CHECK-LABEL: @number
func.func @number(%v: f32) -> tensor<5xf32> {
  // CHECK: } in [7, 8) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[7] : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<5xf32>
  return %b : tensor<5xf32>
}
