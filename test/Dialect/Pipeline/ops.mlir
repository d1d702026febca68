// Syntax: every op, every variant of it, each printed as it was written.

// RUN: pipeline-opt %s | pipeline-opt | FileCheck %s
// RUN: pipeline-opt %s --mlir-print-debuginfo | pipeline-opt | FileCheck %s

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @static_extents
func.func @static_extents(%v: f32) -> tensor<480x640xf32> {
  // CHECK:      pipeline.stage "s" (%y, %x) {
  // CHECK-NEXT:   pipeline.yield %{{.*}} : f32
  // CHECK-NEXT: } : tensor<480x640xf32>
  %0 = pipeline.stage "s" (%y, %x) {
    pipeline.yield %v : f32
  } : tensor<480x640xf32>
  return %0 : tensor<480x640xf32>
}

// CHECK-LABEL: @dynamic_extents
// CHECK-SAME:  f32, %[[H:[^:]*]]: index, %[[W:[^:]*]]: index
func.func @dynamic_extents(%v: f32, %h: index, %w: index) -> tensor<?x?xf32> {
  // CHECK: } sized(%[[H]], %[[W]]) : tensor<?x?xf32>
  %0 = pipeline.stage "s" (%y, %x) {
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: @mixed_extents
// CHECK-SAME:  f32, %[[W:[^:]*]]: index
func.func @mixed_extents(%v: f32, %w: index) -> tensor<3x?x8xf32> {
  // CHECK: } sized(%[[W]]) : tensor<3x?x8xf32>
  %0 = pipeline.stage "s" (%c, %y, %x) {
    pipeline.yield %v : f32
  } sized(%w) : tensor<3x?x8xf32>
  return %0 : tensor<3x?x8xf32>
}

// CHECK-LABEL: @needed
func.func @needed(%v: f32) -> tensor<480x640xf32> {
  // CHECK: } in [0, 480) x [1, 639) : tensor<480x640xf32>
  %0 = pipeline.stage "s" (%y, %x) {
    pipeline.yield %v : f32
  } in [0, 480) x [1, 639) : tensor<480x640xf32>
  return %0 : tensor<480x640xf32>
}

// Nothing of this stage is needed.
// CHECK-LABEL: @needed_empty
func.func @needed_empty(%v: f32) -> tensor<8xf32> {
  // CHECK: } in [3, 3) : tensor<8xf32>
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } in [3, 3) : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @needed_dynamic
func.func @needed_dynamic(%v: f32, %h: index, %w: index) -> tensor<?x?xf32> {
  // CHECK: } sized(%{{.*}}, %{{.*}}) in [2, ?) x [0, 16) : tensor<?x?xf32>
  %0 = pipeline.stage "s" (%y, %x) {
    pipeline.yield %v : f32
  } sized(%h, %w) in [2, ?) x [0, 16) : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: @several_results
func.func @several_results(%m: f32, %d: i8) -> (tensor<8x8xf32>, tensor<8x8xi8>) {
  // CHECK: %[[S:.*]]:2 = pipeline.stage "sobel" (%y, %x) {
  // CHECK:   pipeline.yield %{{.*}}, %{{.*}} : f32, i8
  // CHECK: } : tensor<8x8xf32>, tensor<8x8xi8>
  %mag, %dir = pipeline.stage "sobel" (%y, %x) {
    pipeline.yield %m, %d : f32, i8
  } : tensor<8x8xf32>, tensor<8x8xi8>
  // CHECK: return %[[S]]#0, %[[S]]#1
  return %mag, %dir : tensor<8x8xf32>, tensor<8x8xi8>
}

// CHECK-LABEL: @ranks
func.func @ranks(%v: f32) {
  // CHECK: (%x) {
  %0 = pipeline.stage "r1" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  // CHECK: (%y, %x) {
  %1 = pipeline.stage "r2" (%y, %x) {
    pipeline.yield %v : f32
  } : tensor<8x8xf32>
  // CHECK: (%c, %y, %x) {
  %2 = pipeline.stage "r3" (%c, %y, %x) {
    pipeline.yield %v : f32
  } : tensor<3x8x8xf32>
  // CHECK: (%n, %c, %y, %x) {
  %3 = pipeline.stage "r4" (%n, %c, %y, %x) {
    pipeline.yield %v : f32
  } : tensor<2x3x8x8xf32>
  return
}

// CHECK-LABEL: @element_types
func.func @element_types(%f16: tensor<8xf16>, %f32: tensor<8xf32>, %f64: tensor<8xf64>, %i8: tensor<8xi8>,
                         %i16: tensor<8xi16>, %i32: tensor<8xi32>, %i64: tensor<8xi64>) {
  // CHECK:      pipeline.load {{.*}} : tensor<8xf16>
  // CHECK-NEXT: pipeline.load {{.*}} : tensor<8xf32>
  // CHECK-NEXT: pipeline.load {{.*}} : tensor<8xf64>
  // CHECK-NEXT: pipeline.load {{.*}} : tensor<8xi8>
  // CHECK-NEXT: pipeline.load {{.*}} : tensor<8xi16>
  // CHECK-NEXT: pipeline.load {{.*}} : tensor<8xi32>
  // CHECK-NEXT: pipeline.load {{.*}} : tensor<8xi64>
  // CHECK-NEXT: pipeline.yield {{.*}} : f16, f32, f64, i8, i16, i32, i64
  // CHECK-NEXT: } : tensor<8xf16>, tensor<8xf32>, tensor<8xf64>, tensor<8xi8>, tensor<8xi16>, tensor<8xi32>, tensor<8xi64>
  %0:7 = pipeline.stage "s" (%x) {
    %a = pipeline.load %f16[%x] : tensor<8xf16>
    %b = pipeline.load %f32[%x] : tensor<8xf32>
    %c = pipeline.load %f64[%x] : tensor<8xf64>
    %d = pipeline.load %i8[%x] : tensor<8xi8>
    %e = pipeline.load %i16[%x] : tensor<8xi16>
    %f = pipeline.load %i32[%x] : tensor<8xi32>
    %g = pipeline.load %i64[%x] : tensor<8xi64>
    pipeline.yield %a, %b, %c, %d, %e, %f, %g : f16, f32, f64, i8, i16, i32, i64
  } : tensor<8xf16>, tensor<8xf32>, tensor<8xf64>, tensor<8xi8>, tensor<8xi16>, tensor<8xi32>, tensor<8xi64>
  return
}

// CHECK-LABEL: @attributes_of_no_dialect_of_ours
func.func @attributes_of_no_dialect_of_ours(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // CHECK: pipeline.load %{{.*}}[%x] clamp {note = "a"} : tensor<8xf32>
    %a = pipeline.load %img[%x] clamp {note = "a"} : tensor<8xf32>
    // CHECK: pipeline.yield %{{.*}} : f32 {note = "b"}
    pipeline.yield %a : f32 {note = "b"}
  // CHECK: } {note = "c"} : tensor<8xf32>
  } {note = "c"} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @boundaries
// CHECK-SAME:  %[[IMG:[^:]*]]: tensor<8x8xf32>, %[[V:[^:]*]]: f32
func.func @boundaries(%img: tensor<8x8xf32>, %v: f32) -> tensor<8x8xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    // CHECK: pipeline.load %[[IMG]][%y, %x] : tensor<8x8xf32>
    %a = pipeline.load %img[%y, %x] : tensor<8x8xf32>
    // `none` is what nothing means.
    // CHECK: pipeline.load %[[IMG]][%y, %x] : tensor<8x8xf32>
    %b = pipeline.load %img[%y, %x] none : tensor<8x8xf32>
    // CHECK: pipeline.load %[[IMG]][%y, %x] clamp : tensor<8x8xf32>
    %c = pipeline.load %img[%y, %x] clamp : tensor<8x8xf32>
    // CHECK: pipeline.load %[[IMG]][%y, %x] mirror : tensor<8x8xf32>
    %d = pipeline.load %img[%y, %x] mirror : tensor<8x8xf32>
    // CHECK: pipeline.load %[[IMG]][%y, %x] reflect101 : tensor<8x8xf32>
    %g = pipeline.load %img[%y, %x] reflect101 : tensor<8x8xf32>
    // CHECK: pipeline.load %[[IMG]][%y, %x] wrap : tensor<8x8xf32>
    %e = pipeline.load %img[%y, %x] wrap : tensor<8x8xf32>
    // CHECK: pipeline.load %[[IMG]][%y, %x] constant(%[[V]]) : tensor<8x8xf32>
    %f = pipeline.load %img[%y, %x] constant(%v) : tensor<8x8xf32>
    pipeline.yield %a : f32
  } : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: @indices
func.func @indices(%img: tensor<8x8xf32>, %all: tensor<?x?xf32>, %list: tensor<8xf32>) -> tensor<8x8xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    // CHECK: [%y - 1, %x + 1]
    %a = pipeline.load %img[%y - 1, %x + 1] clamp : tensor<8x8xf32>
    // CHECK: [%x, %y]
    %b = pipeline.load %img[%x, %y] : tensor<8x8xf32>
    // CHECK: [%y + %x, %y - %x]
    %c = pipeline.load %img[%y + %x, %y - %x] clamp : tensor<8x8xf32>
    // CHECK: [%y * 2 + 1, %x * -3]
    %d = pipeline.load %img[2 * %y + 1, -3 * %x] wrap : tensor<8x8xf32>
    // CHECK: [%y floordiv 2, %x ceildiv 2]
    %e = pipeline.load %img[%y floordiv 2, %x ceildiv 2] : tensor<8x8xf32>
    // CHECK: [%y mod 2, (%x + 1) mod 8]
    %f = pipeline.load %img[%y mod 2, (%x + 1) mod 8] : tensor<8x8xf32>
    // CHECK: [%y, 3]
    %g = pipeline.load %img[%y, 3] : tensor<8x8xf32>
    // CHECK: [0, 7]
    %h = pipeline.load %img[0, 7] : tensor<8x8xf32>
    // CHECK: [%x, %x]
    %i = pipeline.load %img[%x, %x] : tensor<8x8xf32>
    // CHECK: [%y, %x] : tensor<?x?xf32>
    %j = pipeline.load %all[%y, %x] : tensor<?x?xf32>
    // CHECK: [%x] : tensor<8xf32>
    %k = pipeline.load %list[%x] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: @inside_scf
func.func @inside_scf(%img: tensor<8xf32>, %c: i1, %v: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    // CHECK: scf.if
    // CHECK:   pipeline.load %{{.*}}[%x] : tensor<8xf32>
    %a = scf.if %c -> f32 {
      %b = pipeline.load %img[%x] : tensor<8xf32>
      scf.yield %b : f32
    } else {
      scf.yield %v : f32
    }
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @group
func.func @group(%img: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK:      pipeline.group "g0" {
  // CHECK-NEXT:   %[[A:.*]] = pipeline.stage "a" (%y, %x) {
  // CHECK:        %[[B:.*]] = pipeline.stage "b" (%y, %x) {
  // CHECK-NEXT:     pipeline.load %[[A]][%y, %x]
  // CHECK:        pipeline.yield %[[B]] : tensor<8x8xf32>
  // CHECK-NEXT: } : tensor<8x8xf32>
  %0 = pipeline.group "g0" {
    %a = pipeline.stage "a" (%y, %x) {
      %p = pipeline.load %img[%y, %x] : tensor<8x8xf32>
      pipeline.yield %p : f32
    } : tensor<8x8xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %p = pipeline.load %a[%y, %x] : tensor<8x8xf32>
      pipeline.yield %p : f32
    } : tensor<8x8xf32>
    pipeline.yield %b : tensor<8x8xf32>
  } : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: @group_live_outs
func.func @group_live_outs(%v: f32) -> (tensor<8xf32>, tensor<4xf32>) {
  // CHECK: %[[G:.*]]:2 = pipeline.group "g0" {
  // CHECK:   pipeline.yield %{{.*}}, %{{.*}} : tensor<8xf32>, tensor<4xf32>
  // CHECK: } : tensor<8xf32>, tensor<4xf32>
  %0:2 = pipeline.group "g0" {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    %b = pipeline.stage "b" (%x) {
      pipeline.yield %v : f32
    } : tensor<4xf32>
    pipeline.yield %a, %b : tensor<8xf32>, tensor<4xf32>
  } : tensor<8xf32>, tensor<4xf32>
  // CHECK: return %[[G]]#0, %[[G]]#1
  return %0#0, %0#1 : tensor<8xf32>, tensor<4xf32>
}

// CHECK-LABEL: @group_constant
func.func @group_constant() -> tensor<8xf32> {
  // CHECK: pipeline.group "g0" {
  // CHECK-NEXT: arith.constant 1.0
  %0 = pipeline.group "g0" {
    %one = arith.constant 1.0 : f32
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %one : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
