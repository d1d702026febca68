// Levels of a pyramid whose extents nobody knows: each is half of the finer one, rounded up, so that it is known how far a read leaves
// it, and levels share a group. Of an extent that has nothing to do with it that is not known.

// RUN: pipeline-opt %s --cpu-schedule="target=zen5 strategy=dp" | FileCheck %s

// CHECK-LABEL: @down
// CHECK:       pipeline.group "g0"
// CHECK:         pipeline.stage "a"
// CHECK:         pipeline.stage "b"
// CHECK:         pipeline.stage "c"
// CHECK-NOT:   pipeline.group
func.func @down(%img: tensor<?xf32> {weft.estimate = array<i64: 1000000>}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %img, %c0 : tensor<?xf32>
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x] : tensor<?xf32>
    %1 = arith.addf %0, %0 : f32
    pipeline.yield %1 : f32
  } sized(%n) : tensor<?xf32>
  %n1 = arith.addi %n, %c1 : index
  %h = arith.shrsi %n1, %c1 : index
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x * 2] clamp : tensor<?xf32>
    %1 = pipeline.load %a[%x * 2 + 1] clamp : tensor<?xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } sized(%h) : tensor<?xf32>
  %c = pipeline.stage "c" (%x) {
    %0 = pipeline.load %b[%x floordiv 2] : tensor<?xf32>
    %1 = pipeline.load %a[%x] : tensor<?xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } sized(%n) : tensor<?xf32>
  return %c : tensor<?xf32>
}

// CHECK-LABEL: @other
// CHECK:       pipeline.group "g0"
// CHECK:         pipeline.stage "a"
// CHECK:       pipeline.group "g1"
// CHECK:         pipeline.stage "b"
func.func @other(%img: tensor<?xf32> {weft.estimate = array<i64: 1000000>}, %like: tensor<?xf32> {weft.estimate = array<i64: 1000000>}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %img, %c0 : tensor<?xf32>
  %m = tensor.dim %like, %c0 : tensor<?xf32>
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x] : tensor<?xf32>
    %1 = arith.addf %0, %0 : f32
    pipeline.yield %1 : f32
  } sized(%n) : tensor<?xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x - 1] clamp : tensor<?xf32>
    %1 = pipeline.load %a[%x + 1] clamp : tensor<?xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } sized(%m) : tensor<?xf32>
  return %b : tensor<?xf32>
}
