// Windows that lie apart are joined down their columns first, which are neighbours.

// RUN: pipeline-opt %s --partial-sums | FileCheck %s

// What is computed of two images, at other rows and columns: all that is left is one row of 16 columns.
// CHECK-LABEL: @differences
// CHECK-SAME:  (%[[A:[^:]*]]: tensor<?x?xi8>, %[[B:[^:]*]]: tensor<?x?xi8>, %[[H:[^:]*]]: index, %[[W:[^:]*]]: index)
// CHECK:       %[[ALL:.*]] = arith.muli %[[W]], %c16
// CHECK:       %[[COLUMNS:.*]] = pipeline.stage "s_columns" (%[[Y:.*]], %[[X:.*]]) {
// CHECK-NEXT:    %[[SUM:.*]] = pipeline.reduce (%[[R:.*]]) in [0, 16) (%[[ACC:.*]] = %c0_i32 : i32) {
// CHECK-NEXT:      %[[P:.*]] = pipeline.load %[[A]][%[[Y]] * 16 + %[[R]], %[[X]]] clamp
// CHECK-NEXT:      %[[Q:.*]] = pipeline.load %[[B]][%[[Y]] * 16 + %[[R]] + 2, %[[X]] - 3] clamp
// CHECK:           %[[D:.*]] = math.absi
// CHECK-NEXT:      %[[S:.*]] = arith.addi %[[ACC]], %[[D]] : i32
// CHECK-NEXT:      pipeline.yield %[[S]] : i32
// CHECK:         pipeline.yield %[[SUM]] : i32
// CHECK-NEXT:  } sized(%[[H]], %[[ALL]]) : tensor<?x?xi32>
// CHECK-NEXT:  pipeline.stage "s" (%[[Y:.*]], %[[X:.*]]) {
// CHECK-NEXT:    %[[SUM:.*]] = pipeline.reduce (%[[R:.*]]) in [0, 16) (%[[ACC:.*]] = %{{.*}} : i32) {
// CHECK-NEXT:      %[[P:.*]] = pipeline.load %[[COLUMNS]][%[[Y]], %[[X]] * 16 + %[[R]]] : tensor<?x?xi32>
// CHECK-NEXT:      %[[S:.*]] = arith.addi %[[ACC]], %[[P]] : i32
// CHECK-NEXT:      pipeline.yield %[[S]] : i32
// CHECK:         pipeline.yield %[[SUM]] : i32
// CHECK-NEXT:  } sized(%[[H]], %[[W]]) : tensor<?x?xi32>
func.func @differences(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %h: index, %w: index) -> tensor<?x?xi32> {
  %zero = arith.constant 0 : i32
  %0 = pipeline.stage "s" (%y, %x) {
    %sum = pipeline.reduce (%ry, %rx) in [0, 16) x [0, 16) (%acc = %zero : i32) {
      %p = pipeline.load %a[%y * 16 + %ry, %x * 16 + %rx] clamp : tensor<?x?xi8>
      %q = pipeline.load %b[%y * 16 + %ry + 2, %x * 16 + %rx - 3] clamp : tensor<?x?xi8>
      %v = arith.extui %p : i8 to i32
      %u = arith.extui %q : i8 to i32
      %d = arith.subi %v, %u : i32
      %m = math.absi %d : i32
      %s = arith.addi %acc, %m : i32
      pipeline.yield %s : i32
    } : i32
    pipeline.yield %sum : i32
  } sized(%h, %w) : tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// Windows that share columns, and begin to the left of their point. The greatest of a column begins with its first point.
// CHECK-LABEL: @greatest
// CHECK:       pipeline.stage "s_columns" (%[[Y:.*]], %[[X:.*]]) {
// CHECK-NEXT:    %[[FIRST:.*]] = pipeline.load %arg0[%[[Y]] - 2, %[[X]] - 4] mirror
// CHECK-NEXT:    pipeline.reduce (%[[R:.*]]) in [-2, 3) (%{{.*}} = %[[FIRST]] : f32) {
// CHECK-NEXT:      pipeline.load %arg0[%[[Y]] + %[[R]], %[[X]] - 4] mirror
// CHECK:       } : tensor<64x38xf32>
// CHECK:       pipeline.stage "s" (%[[Y:.*]], %[[X:.*]]) {
// CHECK:         pipeline.reduce (%[[R:.*]]) in [0, 8) (%{{.*}} = %arg1 : f32) {
// CHECK-NEXT:      pipeline.load %{{.*}}[%[[Y]], %[[X]] * 2 + %[[R]]]
func.func @greatest(%img: tensor<64x32xf32>, %least: f32) -> tensor<64x16xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    %most = pipeline.reduce (%ry, %rx) in [-2, 3) x [-4, 4) (%acc = %least : f32) {
      %p = pipeline.load %img[%y + %ry, %x * 2 + %rx] mirror : tensor<64x32xf32>
      %s = arith.maximumf %acc, %p : f32
      pipeline.yield %s : f32
    } : f32
    pipeline.yield %most : f32
  } : tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// What is the same for a window's columns is computed in the new stage, too; pixels' channels stay where they are.
// CHECK-LABEL: @channels
// CHECK:       pipeline.stage "s_columns" (%c, %y, %x) {
// CHECK-NEXT:    %[[N:.*]] = arith.index_cast %x : index to i32
// CHECK:           %[[P:.*]] = pipeline.load %arg0[%c * 8 + %{{.*}}, %y, %x]
// CHECK:           arith.shrui %{{.*}}, %[[N]]
// CHECK:       } : tensor<4x40x3xi32>
func.func @channels(%img: tensor<32x40x3xi8>) -> tensor<4x5x3xi32> {
  %zero = arith.constant 0 : i32
  %0 = pipeline.stage "s" (%y, %x, %c) {
    %by = arith.index_cast %c : index to i32
    %sum = pipeline.reduce (%ry, %rx) in [0, 8) x [0, 8) (%acc = %zero : i32) {
      %p = pipeline.load %img[%y * 8 + %ry, %x * 8 + %rx, %c] : tensor<32x40x3xi8>
      %q = arith.extui %p : i8 to i32
      %r = arith.shrui %q, %by : i32
      %s = arith.addi %acc, %r : i32
      pipeline.yield %s : i32
    } : i32
    pipeline.yield %sum : i32
  } : tensor<4x5x3xi32>
  return %0 : tensor<4x5x3xi32>
}

// Not sums of floats, which have an order; not windows that leave columns out, that have few rows, that differ from column to column, or whose rows lie
// along another dimension than the stage's.
// CHECK-LABEL: @others
// CHECK-NOT:   _columns
func.func @others(%img: tensor<64x64xi8>, %floats: tensor<64x64xf32>, %weights: tensor<8xi32>)
    -> (tensor<8x8xf32>, tensor<8x4xi32>, tensor<16x8xi32>, tensor<8x8xi32>, tensor<8x8x16xi32>) {
  %zero = arith.constant 0 : i32
  %none = arith.constant 0.0 : f32
  %0 = pipeline.stage "floats" (%y, %x) {
    %sum = pipeline.reduce (%ry, %rx) in [0, 8) x [0, 8) (%acc = %none : f32) {
      %p = pipeline.load %floats[%y * 8 + %ry, %x * 8 + %rx] : tensor<64x64xf32>
      %s = arith.addf %acc, %p : f32
      pipeline.yield %s : f32
    } : f32
    pipeline.yield %sum : f32
  } : tensor<8x8xf32>
  %1 = pipeline.stage "gaps" (%y, %x) {
    %sum = pipeline.reduce (%ry, %rx) in [0, 8) x [0, 8) (%acc = %zero : i32) {
      %p = pipeline.load %img[%y * 8 + %ry, %x * 16 + %rx] : tensor<64x64xi8>
      %q = arith.extui %p : i8 to i32
      %s = arith.addi %acc, %q : i32
      pipeline.yield %s : i32
    } : i32
    pipeline.yield %sum : i32
  } : tensor<8x4xi32>
  %2 = pipeline.stage "few" (%y, %x) {
    %sum = pipeline.reduce (%ry, %rx) in [0, 3) x [0, 8) (%acc = %zero : i32) {
      %p = pipeline.load %img[%y * 3 + %ry, %x * 8 + %rx] : tensor<64x64xi8>
      %q = arith.extui %p : i8 to i32
      %s = arith.addi %acc, %q : i32
      pipeline.yield %s : i32
    } : i32
    pipeline.yield %sum : i32
  } : tensor<16x8xi32>
  %3 = pipeline.stage "weighted" (%y, %x) {
    %sum = pipeline.reduce (%ry, %rx) in [0, 8) x [0, 8) (%acc = %zero : i32) {
      %p = pipeline.load %img[%y * 8 + %ry, %x * 8 + %rx] : tensor<64x64xi8>
      %w = pipeline.load %weights[%rx] : tensor<8xi32>
      %q = arith.extui %p : i8 to i32
      %m = arith.muli %q, %w : i32
      %s = arith.addi %acc, %m : i32
      pipeline.yield %s : i32
    } : i32
    pipeline.yield %sum : i32
  } : tensor<8x8xi32>
  %4 = pipeline.stage "planes" (%y, %x, %c) {
    %number = arith.index_cast %c : index to i32
    %sum = pipeline.reduce (%ry, %rx) in [0, 8) x [0, 8) (%acc = %zero : i32) {
      %p = pipeline.load %img[%y * 8 + %ry, %x * 8 + %rx] : tensor<64x64xi8>
      %q = arith.extui %p : i8 to i32
      %is = arith.cmpi eq, %q, %number : i32
      %own = arith.select %is, %q, %zero : i32
      %s = arith.addi %acc, %own : i32
      pipeline.yield %s : i32
    } : i32
    pipeline.yield %sum : i32
  } : tensor<8x8x16xi32>
  return %0, %1, %2, %3, %4 : tensor<8x8xf32>, tensor<8x4xi32>, tensor<16x8xi32>, tensor<8x8xi32>, tensor<8x8x16xi32>
}
