// Indices are composed; a stage that is read by one of another size is computed more often, or less.

// RUN: pipeline-opt %s "-inline-stages=explain=true max-cost=8" -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: @composed
// CHECK:       pipeline.stage "b" (%y, %x) {
// CHECK-NEXT:    pipeline.load %arg0[%x floordiv 2 + 1, %y * 3 + 3]
// CHECK-NEXT:    pipeline.load %arg1[%y + 5] mirror
func.func @composed(%img: tensor<6x29xf32>, %row: tensor<5xf32>) -> tensor<9x10xf32> {
  // expected-remark @+1 {{"a" is inlined: computed 2.0 times at 1 operations, 1 more points read: 2.0}}
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%x + 1, %y * 3] : tensor<6x29xf32>
    %1 = pipeline.load %row[%y + 4] mirror : tensor<5xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<10x5xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y + 1, %x floordiv 2] : tensor<10x5xf32>
    pipeline.yield %0 : f32
  } : tensor<9x10xf32>
  return %b : tensor<9x10xf32>
}

// -----

// Each point is read once, by one of four.
// CHECK-LABEL: @down
// CHECK:       pipeline.stage "half"
// CHECK-COUNT-4: math.exp
// CHECK-NOT:   pipeline.stage
func.func @down(%img: tensor<16x20xf32>) -> tensor<8x10xf32> {
  // expected-remark @+1 {{"exp" is inlined: computed 1.0 times at 32 operations, 0 more points read: 0.0}}
  %a = pipeline.stage "exp" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<16x20xf32>
    %1 = math.exp %0 : f32
    pipeline.yield %1 : f32
  } : tensor<16x20xf32>
  %b = pipeline.stage "half" (%y, %x) {
    %0 = pipeline.load %a[%y * 2, %x * 2] : tensor<16x20xf32>
    %1 = pipeline.load %a[%y * 2, %x * 2 + 1] : tensor<16x20xf32>
    %2 = pipeline.load %a[%y * 2 + 1, %x * 2] : tensor<16x20xf32>
    %3 = pipeline.load %a[%y * 2 + 1, %x * 2 + 1] : tensor<16x20xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %2, %3 : f32
    %6 = arith.addf %4, %5 : f32
    pipeline.yield %6 : f32
  } : tensor<8x10xf32>
  return %b : tensor<8x10xf32>
}

// -----

// One point, but four times.
// CHECK-LABEL: @up
// CHECK:       pipeline.stage "exp"
// CHECK:       pipeline.stage "twice"
func.func @up(%img: tensor<8x10xf32>) -> tensor<16x20xf32> {
  // expected-remark @+1 {{"exp" stays: computed 4.0 times at 32 operations, 0 more points read: 96.0, expected at most 8}}
  %a = pipeline.stage "exp" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<8x10xf32>
    %1 = math.exp %0 : f32
    pipeline.yield %1 : f32
  } : tensor<8x10xf32>
  %b = pipeline.stage "twice" (%y, %x) {
    %0 = pipeline.load %a[%y floordiv 2, %x floordiv 2] : tensor<8x10xf32>
    pipeline.yield %0 : f32
  } : tensor<16x20xf32>
  return %b : tensor<16x20xf32>
}

// -----

// The same, of a size that is not known; and a row that is read for every row.
// CHECK-LABEL: @dynamic
// CHECK:       pipeline.stage "exp"
// CHECK:       pipeline.stage "table"
// CHECK:       pipeline.stage "twice"
func.func @dynamic(%img: tensor<?x?xf32>, %h: index, %w: index) -> tensor<?x?xf32> {
  // expected-remark @+1 {{"exp" stays: computed 2.0 times at 32 operations, 0 more points read: 32.0, expected at most 8}}
  %a = pipeline.stage "exp" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<?x?xf32>
    %1 = math.exp %0 : f32
    pipeline.yield %1 : f32
  } sized(%h, %w) : tensor<?x?xf32>
  // expected-remark @+1 {{"table" stays: computed 131072.0 times at 2 operations, 0 more points read: 262142.0, expected at most 8}}
  %t = pipeline.stage "table" (%x) {
    %0 = arith.index_cast %x : index to i32
    %1 = arith.sitofp %0 : i32 to f32
    pipeline.yield %1 : f32
  } : tensor<8xf32>
  %b = pipeline.stage "twice" (%y, %x) {
    %0 = pipeline.load %a[%y floordiv 2, %x] : tensor<?x?xf32>
    %1 = pipeline.load %t[%x mod 8] : tensor<8xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %b : tensor<?x?xf32>
}
