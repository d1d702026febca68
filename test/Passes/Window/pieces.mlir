// RUN: pipeline-opt --window --split-input-file %s 2>/dev/null | FileCheck %s

// A histogram is a piece of its own, of which windows of the image give parts: what lies beside the window is counted nowhere.

// CHECK-LABEL: func.func @ranks_window_histogram(
// CHECK-SAME: tensor<?xi8> {weft.name = "img"}
// CHECK-SAME: %[[END:[^:]*]]: index {weft.name = "end0"}
// CHECK: %[[FIRST:first0.*]] = arith.maxsi
// CHECK: pipeline.scatter "histogram" () over (%rx) in [0, %{{.*}}) from(%c0_i32 : i32)
// CHECK: %[[X:.*]] = arith.addi %rx, %[[FIRST]]
// CHECK: arith.cmpi sge, %[[X]], %[[FIRST]]
// CHECK: arith.cmpi slt, %[[X]], %[[END]]
// CHECK: %[[AT:.*]] = arith.select %{{.*}}, %{{.*}}, %c-1
// CHECK: pipeline.update %c1_i32 at [%[[AT]]]
// CHECK-LABEL: func.func @ranks_window_histogram_needs(

// What all of them begin with, and what joins two.
// CHECK-LABEL: func.func @ranks_window_histogram_begin(
// CHECK: pipeline.yield %c7_i32
// CHECK-LABEL: func.func @ranks_window_histogram_join(
// CHECK-SAME: tensor<256xi32> {weft.name = "histogram_a"}, %{{.*}}: tensor<256xi32> {weft.name = "histogram_b"}
// CHECK: arith.addi

// What depends on no window is computed once.
// CHECK-LABEL: func.func @ranks_window_table(
// CHECK-SAME: tensor<256xi32> {weft.name = "histogram"}
// CHECK-LABEL: func.func @ranks_window_table_needs(

// CHECK-LABEL: func.func @ranks_window(
// CHECK-SAME: tensor<?xi8> {weft.name = "img"}
// CHECK-SAME: tensor<256xi32> {weft.name = "table"}
func.func @ranks(%img: tensor<?xi8> {weft.name = "img"}) -> (tensor<?xi32> {weft.name = "ranks"}) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  %w = tensor.dim %img, %c0 : tensor<?xi8>
  %histogram = pipeline.scatter "histogram" () over (%rx) in [0, %w) from(%seven : i32) combine "arith.addi" {
    %v = pipeline.load %img[%rx] : tensor<?xi8>
    %p = arith.index_castui %v : i8 to index
    pipeline.update %one at [%p] : i32
  } : tensor<256xi32>
  %table = pipeline.stage "table" (%x) {
    %v = pipeline.load %histogram[%x] : tensor<256xi32>
    %s = arith.addi %v, %one : i32
    pipeline.yield %s : i32
  } : tensor<256xi32>
  %ranks = pipeline.stage "ranks" (%x) {
    %v = pipeline.load %img[%x] : tensor<?xi8>
    %p = arith.index_castui %v : i8 to index
    %r = pipeline.gather %table[%p] clamp : tensor<256xi32>
    pipeline.yield %r : i32
  } sized(%w) : tensor<?xi32>
  return %ranks : tensor<?xi32>
}

// -----

// Sums along columns and then along rows: whole columns first, then whole rows.

// CHECK-LABEL: func.func @integral_window_down(
// CHECK-LABEL: func.func @integral_window(
// CHECK-SAME: tensor<?x?xi32> {weft.name = "down"}
func.func @integral(%img: tensor<?x?xi32> {weft.name = "img"}) -> (tensor<?x?xi32> {weft.name = "integral"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %h = tensor.dim %img, %c0 : tensor<?x?xi32>
  %w = tensor.dim %img, %c1 : tensor<?x?xi32>
  %down = pipeline.scan "down" (%y, %x) along 0 {
    %p = pipeline.previous 1 or %zero : i32
    %v = pipeline.load %img[%y, %x] : tensor<?x?xi32>
    %s = arith.addi %p, %v : i32
    pipeline.yield %s : i32
  } sized(%h, %w) : tensor<?x?xi32>
  %integral = pipeline.scan "across" (%y, %x) along 1 {
    %p = pipeline.previous 1 or %zero : i32
    %v = pipeline.load %down[%y, %x] : tensor<?x?xi32>
    %s = arith.addi %p, %v : i32
    pipeline.yield %s : i32
  } sized(%h, %w) : tensor<?x?xi32>
  return %integral : tensor<?x?xi32>
}
