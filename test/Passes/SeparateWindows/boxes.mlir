// A box of a volume becomes its rows, and a rectangle of those; a large rectangle becomes two stages again.

// RUN: pipeline-opt %s --unroll-reductions=rectangle-points=128 --separate-windows --canonicalize --cse | FileCheck %s
// RUN: pipeline-opt %s --unroll-reductions=rectangle-points=128 --separate-windows --separate-windows --canonicalize --cse | FileCheck %s

// Of 27 points three, and nine of these.
// CHECK-LABEL: @most
// CHECK-SAME: (%[[IMG:.*]]: tensor<?x?x?xi8>)
// CHECK: %[[ROWS:.*]] = pipeline.stage "most_x" (%c, %y, %x) {
// CHECK-NEXT: pipeline.load %[[IMG]][%c, %y, %x - 1] clamp
// CHECK-NEXT: pipeline.load %[[IMG]][%c, %y, %x] clamp
// CHECK-NEXT: pipeline.load %[[IMG]][%c, %y, %x + 1] clamp
// CHECK-NEXT: arith.maxui
// CHECK-NEXT: arith.maxui
// CHECK-NEXT: pipeline.yield
// CHECK-NEXT: } sized(%[[D:.*]], %[[H:.*]], %[[W:.*]]) : tensor<?x?x?xi8>
// CHECK-NEXT: pipeline.stage "most" (%c, %y, %x) {
// CHECK-NEXT: pipeline.load %[[ROWS]][%c - 1, %y - 1, %x] clamp
// CHECK-NEXT: pipeline.load %[[ROWS]][%c - 1, %y, %x] clamp
// CHECK-COUNT-7: pipeline.load %[[ROWS]][%c{{.*}}, %y{{.*}}, %x] clamp
// CHECK-NOT: pipeline.load
// CHECK: } sized(%[[D]], %[[H]], %[[W]]) : tensor<?x?x?xi8>
func.func @most(%img: tensor<?x?x?xi8>) -> tensor<?x?x?xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant 0 : i8
  %d = tensor.dim %img, %c0 : tensor<?x?x?xi8>
  %h = tensor.dim %img, %c1 : tensor<?x?x?xi8>
  %w = tensor.dim %img, %c2 : tensor<?x?x?xi8>
  %most = pipeline.stage "most" (%c, %y, %x) {
    %0 = pipeline.reduce (%k, %j, %i) in [-1, 2) x [-1, 2) x [-1, 2) (%acc = %none : i8) {
      %1 = pipeline.load %img[%c + %k, %y + %j, %x + %i] clamp : tensor<?x?x?xi8>
      %2 = arith.maxui %acc, %1 : i8
      pipeline.yield %2 : i8
    } : i8
    pipeline.yield %0 : i8
  } sized(%d, %h, %w) : tensor<?x?x?xi8>
  return %most : tensor<?x?x?xi8>
}

// Of 125 points five, five of these, and five of those. Every other plane is left out: what is summed first is those, as that is least work.
// CHECK-LABEL: @sum
// CHECK: pipeline.stage "sum_c" (%c, %y, %x) {
// CHECK-NEXT: pipeline.load %{{.*}}[%c * 2 - 2, %y, %x] clamp
// CHECK-COUNT-5: arith.extui
// CHECK-NOT: pipeline.load
// CHECK: : tensor<16x64x64xi32>
// CHECK: pipeline.stage "sum_x" (%c, %y, %x) {
// CHECK-NEXT: pipeline.load %sum_c[%c, %y, %x - 2] clamp
// CHECK-COUNT-4: pipeline.load
// CHECK-NOT: pipeline.load
// CHECK: : tensor<16x64x64xi32>
// CHECK: pipeline.stage "sum" (%c, %y, %x) {
// CHECK-NEXT: pipeline.load %sum_x[%c, %y - 2, %x] clamp
// CHECK-COUNT-4: pipeline.load
// CHECK-NOT: pipeline.load
// CHECK: : tensor<16x64x64xi32>
func.func @sum(%img: tensor<32x64x64xi8>, %none: i32) -> tensor<16x64x64xi32> {
  %sum = pipeline.stage "sum" (%c, %y, %x) {
    %0 = pipeline.reduce (%k, %j, %i) in [-2, 3) x [-2, 3) x [-2, 3) (%acc = %none : i32) {
      %1 = pipeline.load %img[%c * 2 + %k, %y + %j, %x + %i] clamp : tensor<32x64x64xi8>
      %2 = arith.extui %1 : i8 to i32
      %3 = arith.addi %acc, %2 : i32
      pipeline.yield %3 : i32
    } : i32
    pipeline.yield %0 : i32
  } : tensor<16x64x64xi32>
  return %sum : tensor<16x64x64xi32>
}

// Points that fill no box stay what they are: of the planes beside it only the middle.
// CHECK-LABEL: @ball
// CHECK: pipeline.stage "ball"
// CHECK-COUNT-7: pipeline.load
// CHECK: return
func.func @ball(%img: tensor<32x64x64xi8>) -> tensor<32x64x64xi8> {
  %ball = pipeline.stage "ball" (%c, %y, %x) {
    %0 = pipeline.load %img[%c, %y, %x] : tensor<32x64x64xi8>
    %1 = pipeline.load %img[%c - 1, %y, %x] clamp : tensor<32x64x64xi8>
    %2 = pipeline.load %img[%c + 1, %y, %x] clamp : tensor<32x64x64xi8>
    %3 = pipeline.load %img[%c, %y - 1, %x] clamp : tensor<32x64x64xi8>
    %4 = pipeline.load %img[%c, %y + 1, %x] clamp : tensor<32x64x64xi8>
    %5 = pipeline.load %img[%c, %y, %x - 1] clamp : tensor<32x64x64xi8>
    %6 = pipeline.load %img[%c, %y, %x + 1] clamp : tensor<32x64x64xi8>
    %7 = arith.minui %0, %1 : i8
    %8 = arith.minui %7, %2 : i8
    %9 = arith.minui %8, %3 : i8
    %10 = arith.minui %9, %4 : i8
    %11 = arith.minui %10, %5 : i8
    %12 = arith.minui %11, %6 : i8
    pipeline.yield %12 : i8
  } : tensor<32x64x64xi8>
  return %ball : tensor<32x64x64xi8>
}
