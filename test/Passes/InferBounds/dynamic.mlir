// Dynamic extents: such a dimension counts as needed whole; static ones beside it are narrowed all the same.

// RUN: pipeline-opt %s -infer-bounds | FileCheck %s

// CHECK-LABEL: @result
func.func @result(%v: f32, %n: index) -> tensor<?xf32> {
  // CHECK: } sized(%{{.*}}) in [0, ?) : tensor<?xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } sized(%n) : tensor<?xf32>
  return %a : tensor<?xf32>
}

// CHECK-LABEL: @static_beside_dynamic
func.func @static_beside_dynamic(%v: f32, %n: index) -> tensor<?x10xf32> {
  // CHECK: } sized(%{{.*}}) in [0, ?) x [4, 14) : tensor<?x20xf32>
  %a = pipeline.stage "a" (%y, %x) {
    pipeline.yield %v : f32
  } sized(%n) : tensor<?x20xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y + 1, %x + 4] clamp : tensor<?x20xf32>
    pipeline.yield %0 : f32
  } sized(%n) : tensor<?x10xf32>
  return %b : tensor<?x10xf32>
}

// How far the consumer reaches is not known.
// CHECK-LABEL: @dynamic_consumer
func.func @dynamic_consumer(%v: f32, %n: index) -> tensor<?xf32> {
  // CHECK: } in [0, 20) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x] clamp : tensor<20xf32>
    pipeline.yield %0 : f32
  } sized(%n) : tensor<?xf32>
  return %b : tensor<?xf32>
}

// CHECK-LABEL: @dynamic_consumer_of_a_row
func.func @dynamic_consumer_of_a_row(%v: f32, %n: index) -> tensor<?xf32> {
  // CHECK: } in [3, 4) x [0, 20) : tensor<20x20xf32>
  %a = pipeline.stage "a" (%y, %x) {
    pipeline.yield %v : f32
  } : tensor<20x20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[3, %x] clamp : tensor<20x20xf32>
    pipeline.yield %0 : f32
  } sized(%n) : tensor<?xf32>
  return %b : tensor<?xf32>
}
