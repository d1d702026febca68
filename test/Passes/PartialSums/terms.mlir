// What a window sums of each point is computed once: it becomes a stage, and the window a sum of loads.

// RUN: pipeline-opt %s --partial-sums | FileCheck %s
// RUN: pipeline-opt %s --partial-sums=term-points=33 | FileCheck %s --check-prefix=LARGER

// LARGER-NOT: _term

// Windows side by side, whose points are each in one alone.
// CHECK-LABEL: @squares
// CHECK:       %[[TERM:.*]] = pipeline.stage "s_term" (%[[Y:.*]], %[[X:.*]]) {
// CHECK-NEXT:    %[[P:.*]] = pipeline.load %arg0[%[[Y]], %[[X]]] : tensor<?x?xi8>
// CHECK-NEXT:    %[[WIDE:.*]] = arith.extui %[[P]]
// CHECK-NEXT:    %[[SQUARE:.*]] = arith.muli %[[WIDE]], %[[WIDE]]
// CHECK-NEXT:    pipeline.yield %[[SQUARE]] : i32
// CHECK:       pipeline.stage "s" (%[[Y:.*]], %[[X:.*]]) {
// CHECK-NEXT:    pipeline.reduce (%[[RY:.*]], %[[RX:.*]]) in [0, 3) x [0, 4) (%[[ACC:.*]] = %{{.*}} : i32) {
// CHECK-NEXT:      %[[P:.*]] = pipeline.load %[[TERM]][%[[Y]] * 3 + %[[RY]], %[[X]] * 4 + %[[RX]]] clamp : tensor<?x?xi32>
// CHECK-NEXT:      %[[SUM:.*]] = arith.addi %[[ACC]], %[[P]]
// CHECK-NEXT:      pipeline.yield %[[SUM]]
func.func @squares(%img: tensor<?x?xi8>, %h: index, %w: index) -> tensor<?x?xi32> {
  %zero = arith.constant 0 : i32
  %0 = pipeline.stage "s" (%y, %x) {
    %sum = pipeline.reduce (%ry, %rx) in [0, 3) x [0, 4) (%acc = %zero : i32) {
      %p = pipeline.load %img[%y * 3 + %ry, %x * 4 + %rx] clamp : tensor<?x?xi8>
      %q = arith.extui %p : i8 to i32
      %r = arith.muli %q, %q : i32
      %s = arith.addi %acc, %r : i32
      pipeline.yield %s : i32
    } : i32
    pipeline.yield %sum : i32
  } sized(%h, %w) : tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// The greatest of anything, in any order; of a long row that is partial extremes.
// CHECK-LABEL: @greatest
// CHECK:       pipeline.stage "s_term"
// CHECK:         math.absf
// CHECK:       pipeline.stage "s_part"
// CHECK-NOT:   math.absf
func.func @greatest(%img: tensor<64xf32>, %least: f32) -> tensor<64xf32> {
  %0 = pipeline.stage "s" (%x) {
    %most = pipeline.reduce (%r) in [-12, 13) (%acc = %least : f32) {
      %p = pipeline.load %img[%x + %r] mirror : tensor<64xf32>
      %q = math.absf %p : f32
      %s = arith.maximumf %acc, %q : f32
      pipeline.yield %s : f32
    } : f32
    pipeline.yield %most : f32
  } : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// Not what differs from window to window: a weight, another point, or the point of the stage. Not of floats, whose sum has an order, of few points, of
// more points than windows have, or where a value stands for what is outside.
// CHECK-LABEL: @others
// CHECK-NOT:   _term
func.func @others(%img: tensor<64x64xi8>, %weights: tensor<9xi32>, %floats: tensor<64xf32>)
    -> (tensor<56xi32>, tensor<56xi32>, tensor<64x64xi32>, tensor<56xf32>, tensor<8x64xi32>, tensor<8xi32>, tensor<64xi32>) {
  %zero = arith.constant 0 : i32
  %none = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i8
  %c7 = arith.constant 7 : index
  %0 = pipeline.stage "weighted" (%x) {
    %sum = pipeline.reduce (%r) in [0, 9) (%acc = %zero : i32) {
      %p = pipeline.load %img[7, %x + %r] : tensor<64x64xi8>
      %w = pipeline.load %weights[%r] : tensor<9xi32>
      %q = arith.extui %p : i8 to i32
      %m = arith.muli %q, %w : i32
      %s = arith.addi %acc, %m : i32
      pipeline.yield %s : i32
    } : i32
    pipeline.yield %sum : i32
  } : tensor<56xi32>
  %1 = pipeline.stage "two" (%x) {
    %sum = pipeline.reduce (%r) in [0, 9) (%acc = %zero : i32) {
      %p = pipeline.load %img[%x, %x + %r] clamp : tensor<64x64xi8>
      %q = arith.extui %p : i8 to i32
      %m = arith.muli %q, %q : i32
      %s = arith.addi %acc, %m : i32
      pipeline.yield %s : i32
    } : i32
    pipeline.yield %sum : i32
  } : tensor<56xi32>
  %2 = pipeline.stage "own" (%y, %x) {
    %own = pipeline.load %img[%y, %x] : tensor<64x64xi8>
    %sum = pipeline.reduce (%r) in [0, 9) (%acc = %zero : i32) {
      %p = pipeline.load %img[%y, %x + %r] clamp : tensor<64x64xi8>
      %d = arith.subi %p, %own : i8
      %q = arith.extui %d : i8 to i32
      %s = arith.addi %acc, %q : i32
      pipeline.yield %s : i32
    } : i32
    pipeline.yield %sum : i32
  } : tensor<64x64xi32>
  %3 = pipeline.stage "floats" (%x) {
    %sum = pipeline.reduce (%r) in [0, 9) (%acc = %none : f32) {
      %p = pipeline.load %floats[%x + %r] clamp : tensor<64xf32>
      %q = arith.mulf %p, %p : f32
      %s = arith.addf %acc, %q : f32
      pipeline.yield %s : f32
    } : f32
    pipeline.yield %sum : f32
  } : tensor<56xf32>
  %4 = pipeline.stage "few" (%y, %x) {
    %sum = pipeline.reduce (%r) in [0, 8) (%acc = %zero : i32) {
      %p = pipeline.load %img[%y + %r, %x] clamp : tensor<64x64xi8>
      %q = arith.extui %p : i8 to i32
      %m = arith.muli %q, %q : i32
      %s = arith.addi %acc, %m : i32
      pipeline.yield %s : i32
    } : i32
    pipeline.yield %sum : i32
  } : tensor<8x64xi32>
  %5 = pipeline.stage "far" (%x) {
    %sum = pipeline.reduce (%r) in [0, 9) (%acc = %zero : i32) {
      %p = pipeline.load %img[7, %x * 16 + %r] clamp : tensor<64x64xi8>
      %q = arith.extui %p : i8 to i32
      %m = arith.muli %q, %q : i32
      %s = arith.addi %acc, %m : i32
      pipeline.yield %s : i32
    } : i32
    pipeline.yield %sum : i32
  } : tensor<8xi32>
  %6 = pipeline.stage "outside" (%x) {
    %sum = pipeline.reduce (%r) in [0, 9) (%acc = %zero : i32) {
      %p = pipeline.load %img[%x, %x + %r] constant(%c0) : tensor<64x64xi8>
      %q = arith.extui %p : i8 to i32
      %m = arith.muli %q, %q : i32
      %s = arith.addi %acc, %m : i32
      pipeline.yield %s : i32
    } : i32
    pipeline.yield %sum : i32
  } : tensor<64xi32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<56xi32>, tensor<56xi32>, tensor<64x64xi32>, tensor<56xf32>, tensor<8x64xi32>, tensor<8xi32>, tensor<64xi32>
}
