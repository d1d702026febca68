// RUN: pipeline-opt --window %s 2>/dev/null | FileCheck %s
// RUN: pipeline-opt --window %s 2>/dev/null > %t.once && pipeline-opt --window --window %s 2>/dev/null | diff %t.once -

// Pieces have names of their own, also where units have one name, that of an argument, or one that functions of windows have. Functions that
// are there already are not made again.

// CHECK: func.func @f_window_counts_1(
// CHECK-SAME: tensor<?xi8> {weft.name = "counts"}
// CHECK-SAME: -> (tensor<256xi32> {weft.name = "counts_1"})
// CHECK: func.func @f_window_counts_1_needs(
// CHECK: func.func @f_window_counts_2(
// CHECK: func.func @f_window_needs_1(
// CHECK-SAME: tensor<256xi32> {weft.name = "counts_1"}
// CHECK-SAME: tensor<256xi32> {weft.name = "counts_2"}
// CHECK: func.func @f_window_needs_1_needs(
// CHECK: func.func @f_window(
// CHECK-SAME: tensor<?xi8> {weft.name = "counts"}
// CHECK-SAME: tensor<256xi32> {weft.name = "needs_1"}
// CHECK: func.func @f_window_needs(
func.func @f(%img: tensor<?xi8> {weft.name = "counts"}) -> (tensor<?xi32> {weft.name = "ranks"}) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %w = tensor.dim %img, %c0 : tensor<?xi8>
  %a = pipeline.scatter "counts" () over (%rx) in [0, %w) from(%one : i32) combine "arith.addi" {
    %v = pipeline.load %img[%rx] : tensor<?xi8>
    %p = arith.index_castui %v : i8 to index
    pipeline.update %one at [%p] : i32
  } : tensor<256xi32>
  %b = pipeline.scatter "counts" () over (%rx) in [0, %w) from(%one : i32) combine "arith.maxsi" {
    %v = pipeline.load %img[%rx] : tensor<?xi8>
    %p = arith.index_castui %v : i8 to index
    %x = arith.extsi %v : i8 to i32
    pipeline.update %x at [%p] : i32
  } : tensor<256xi32>
  %table = pipeline.stage "needs" (%x) {
    %v = pipeline.load %a[%x] : tensor<256xi32>
    %u = pipeline.load %b[%x] : tensor<256xi32>
    %s = arith.addi %v, %u : i32
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
