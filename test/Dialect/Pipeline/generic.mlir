// The generic form: what the syntax stands for, printed and parsed again.

// RUN: pipeline-opt %s -mlir-print-op-generic | FileCheck %s
// RUN: pipeline-opt %s -mlir-print-op-generic | pipeline-opt | FileCheck %s --check-prefix=CUSTOM

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1 - 1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0) -> (d0, 3)>

// CUSTOM-LABEL: func.func @program
func.func @program(%img: tensor<8x?xf32>, %v: f32, %w: index) -> tensor<8x?xf32> {
  // CHECK:        "pipeline.group"() <{name = "g", schedule = {vector = 4 : i64}}> ({
  // CUSTOM:       pipeline.group "g" schedule {vector = 4 : i64} {
  %0 = pipeline.group "g" schedule {vector = 4} {
    // CHECK-NEXT:   "pipeline.stage"(%[[W:.*]]) <{name = "s", needed = array<i64: 0, 8, 1, -9223372036854775808>}> ({
    // CHECK-NEXT:   ^bb0(%[[Y:.*]]: index, %[[X:.*]]: index):
    // CUSTOM-NEXT:   pipeline.stage "s" (%y, %x) {
    %s = pipeline.stage "s" (%y, %x) {
      // CHECK-NEXT:   "pipeline.load"(%[[IMG:.*]], %[[Y]], %[[X]]) <{boundary = 1 : i32, map = #[[ID]], operandSegmentSizes = array<i32: 1, 2, 0>}> : (tensor<8x?xf32>, index, index) -> f32
      // CUSTOM-NEXT:  pipeline.load %{{.*}}[%y, %x - 1] clamp : tensor<8x?xf32>
      %a = pipeline.load %img[%y, %x - 1] clamp : tensor<8x?xf32>
      // CHECK-NEXT:   "pipeline.load"(%[[IMG]], %[[Y]], %[[V:.*]]) <{boundary = 4 : i32, map = #[[ROW]], operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<8x?xf32>, index, f32) -> f32
      // CUSTOM-NEXT:  pipeline.load %{{.*}}[%y, 3] constant(%{{.*}}) : tensor<8x?xf32>
      %b = pipeline.load %img[%y, 3] constant(%v) : tensor<8x?xf32>
      // CHECK-NEXT:   "pipeline.yield"(%{{.*}}) : (f32) -> ()
      // CUSTOM-NEXT:  pipeline.yield %{{.*}} : f32
      pipeline.yield %a : f32
    // CHECK-NEXT:   }) : (index) -> tensor<8x?xf32>
    // CUSTOM-NEXT:  } sized(%{{.*}}) in [0, 8) x [1, ?) : tensor<8x?xf32>
    } sized(%w) in [0, 8) x [1, ?) : tensor<8x?xf32>
    // CHECK-NEXT:   "pipeline.yield"(%{{.*}}) : (tensor<8x?xf32>) -> ()
    // CUSTOM-NEXT:  pipeline.yield %{{.*}} : tensor<8x?xf32>
    pipeline.yield %s : tensor<8x?xf32>
  // CHECK-NEXT:   }) : () -> tensor<8x?xf32>
  // CUSTOM-NEXT:  } : tensor<8x?xf32>
  } : tensor<8x?xf32>
  return %0 : tensor<8x?xf32>
}

// What an op's properties leave out has its default.
// CUSTOM-LABEL: func.func @no_boundary
func.func @no_boundary(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "pipeline.stage"() <{name = "s"}> ({
  ^bb0(%x: index):
    // CHECK:  "pipeline.load"(%{{.*}}) <{boundary = 0 : i32,
    // CUSTOM: pipeline.load %{{.*}}[%x] : tensor<8xf32>
    %a = "pipeline.load"(%img, %x) <{map = affine_map<(d0) -> (d0)>, operandSegmentSizes = array<i32: 1, 1, 0>}>
      : (tensor<8xf32>, index) -> f32
    "pipeline.yield"(%a) : (f32) -> ()
  }) : () -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
