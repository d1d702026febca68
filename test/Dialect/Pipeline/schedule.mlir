// The schedule of a group: each key by itself, all together, none.

// RUN: pipeline-opt %s -split-input-file | pipeline-opt -split-input-file | FileCheck %s

// CHECK-LABEL: @tile
func.func @tile(%v: f32) -> tensor<16x512xf32> {
  // CHECK: pipeline.group "g" schedule {{[{]}}tile = array<i64: 8, 256>} {
  %0 = pipeline.group "g" schedule {tile = array<i64: 8, 256>} {
    %a = pipeline.stage "a" (%y, %x) {
      pipeline.yield %v : f32
    } : tensor<16x512xf32>
    pipeline.yield %a : tensor<16x512xf32>
  } : tensor<16x512xf32>
  return %0 : tensor<16x512xf32>
}

// -----

// CHECK-LABEL: @block
func.func @block(%v: f32) -> tensor<16x512xf32> {
  // CHECK: pipeline.group "g" schedule {{[{]}}block = array<i64: 4, 32>} {
  %0 = pipeline.group "g" schedule {block = array<i64: 4, 32>} {
    %a = pipeline.stage "a" (%y, %x) {
      pipeline.yield %v : f32
    } : tensor<16x512xf32>
    pipeline.yield %a : tensor<16x512xf32>
  } : tensor<16x512xf32>
  return %0 : tensor<16x512xf32>
}

// -----

// CHECK-LABEL: @fraction
func.func @fraction(%v: f32) -> tensor<16x512xf32> {
  // CHECK: pipeline.group "g" schedule {{[{]}}fraction = 5.000000e-01 : f64} {
  %0 = pipeline.group "g" schedule {fraction = 0.5} {
    %a = pipeline.stage "a" (%y, %x) {
      pipeline.yield %v : f32
    } : tensor<16x512xf32>
    pipeline.yield %a : tensor<16x512xf32>
  } : tensor<16x512xf32>
  return %0 : tensor<16x512xf32>
}

// -----

// CHECK-LABEL: @fraction_f32
func.func @fraction_f32(%v: f32) -> tensor<16x512xf32> {
  // CHECK: pipeline.group "g" schedule {{[{]}}fraction = 2.500000e-01 : f32} {
  %0 = pipeline.group "g" schedule {fraction = 0.25 : f32} {
    %a = pipeline.stage "a" (%y, %x) {
      pipeline.yield %v : f32
    } : tensor<16x512xf32>
    pipeline.yield %a : tensor<16x512xf32>
  } : tensor<16x512xf32>
  return %0 : tensor<16x512xf32>
}

// -----

// CHECK-LABEL: @layout_cyclic
func.func @layout_cyclic(%v: f32) -> tensor<16x512xf32> {
  // CHECK: pipeline.group "g" schedule {{[{]}}layout = "cyclic"} {
  %0 = pipeline.group "g" schedule {layout = "cyclic"} {
    %a = pipeline.stage "a" (%y, %x) {
      pipeline.yield %v : f32
    } : tensor<16x512xf32>
    pipeline.yield %a : tensor<16x512xf32>
  } : tensor<16x512xf32>
  return %0 : tensor<16x512xf32>
}

// -----

// CHECK-LABEL: @layout_blocked
func.func @layout_blocked(%v: f32) -> tensor<16x512xf32> {
  // CHECK: pipeline.group "g" schedule {{[{]}}layout = "blocked"} {
  %0 = pipeline.group "g" schedule {layout = "blocked"} {
    %a = pipeline.stage "a" (%y, %x) {
      pipeline.yield %v : f32
    } : tensor<16x512xf32>
    pipeline.yield %a : tensor<16x512xf32>
  } : tensor<16x512xf32>
  return %0 : tensor<16x512xf32>
}

// -----

// CHECK-LABEL: @vector
func.func @vector(%v: f32) -> tensor<16x512xf32> {
  // CHECK: pipeline.group "g" schedule {{[{]}}vector = 4 : i64} {
  %0 = pipeline.group "g" schedule {vector = 4} {
    %a = pipeline.stage "a" (%y, %x) {
      pipeline.yield %v : f32
    } : tensor<16x512xf32>
    pipeline.yield %a : tensor<16x512xf32>
  } : tensor<16x512xf32>
  return %0 : tensor<16x512xf32>
}

// -----

// CHECK-LABEL: @stream
func.func @stream(%v: f32) -> tensor<16x512xf32> {
  // CHECK: pipeline.group "g" schedule {{[{]}}stream = "y"} {
  %0 = pipeline.group "g" schedule {stream = "y"} {
    %a = pipeline.stage "a" (%y, %x) {
      pipeline.yield %v : f32
    } : tensor<16x512xf32>
    pipeline.yield %a : tensor<16x512xf32>
  } : tensor<16x512xf32>
  return %0 : tensor<16x512xf32>
}

// -----

// CHECK-LABEL: @overlap_scalene
func.func @overlap_scalene(%v: f32) -> tensor<16x512xf32> {
  // CHECK: pipeline.group "g" schedule {{[{]}}overlap = "scalene"} {
  %0 = pipeline.group "g" schedule {overlap = "scalene"} {
    %a = pipeline.stage "a" (%y, %x) {
      pipeline.yield %v : f32
    } : tensor<16x512xf32>
    pipeline.yield %a : tensor<16x512xf32>
  } : tensor<16x512xf32>
  return %0 : tensor<16x512xf32>
}

// -----

// CHECK-LABEL: @overlap_right_rectangle
func.func @overlap_right_rectangle(%v: f32) -> tensor<16x512xf32> {
  // CHECK: pipeline.group "g" schedule {{[{]}}overlap = "right-rectangle"} {
  %0 = pipeline.group "g" schedule {overlap = "right-rectangle"} {
    %a = pipeline.stage "a" (%y, %x) {
      pipeline.yield %v : f32
    } : tensor<16x512xf32>
    pipeline.yield %a : tensor<16x512xf32>
  } : tensor<16x512xf32>
  return %0 : tensor<16x512xf32>
}

// -----

// CHECK-LABEL: @all
func.func @all(%v: f32) -> tensor<16x512xf32> {
  // CHECK: pipeline.group "g" schedule {{[{]}}block = array<i64: 4, 32>, fraction = 5.000000e-01 : f64, layout = "cyclic", overlap = "scalene", stream = "y", tile = array<i64: 8, 256>, vector = 4 : i64} {
  %0 = pipeline.group "g" schedule {tile = array<i64: 8, 256>, block = array<i64: 4, 32>, fraction = 0.5, layout = "cyclic", vector = 4, stream = "y",
                                  overlap = "scalene"} {
    %a = pipeline.stage "a" (%y, %x) {
      pipeline.yield %v : f32
    } : tensor<16x512xf32>
    pipeline.yield %a : tensor<16x512xf32>
  } : tensor<16x512xf32>
  return %0 : tensor<16x512xf32>
}

// -----

// CHECK-LABEL: @empty
func.func @empty(%v: f32) -> tensor<16x512xf32> {
  // CHECK: pipeline.group "g" schedule {{[{]}}} {
  %0 = pipeline.group "g" schedule {} {
    %a = pipeline.stage "a" (%y, %x) {
      pipeline.yield %v : f32
    } : tensor<16x512xf32>
    pipeline.yield %a : tensor<16x512xf32>
  } : tensor<16x512xf32>
  return %0 : tensor<16x512xf32>
}
