// Long windows become sums of partial sums, which neighbouring points share.

// RUN: pipeline-opt %s --partial-sums | FileCheck %s
// RUN: pipeline-opt %s --partial-sums --partial-sums | FileCheck %s

// Of 16 points four sums of four; they begin where the window does, and reach as far as the last point needs.
// CHECK-LABEL: @row
// CHECK:       %[[PART:.*]] = pipeline.stage "row_part" (%x) {
// CHECK-NEXT:    %[[A:.*]] = pipeline.load %arg0[%x - 8] clamp : tensor<100xi8>
// CHECK-NEXT:    %[[WA:.*]] = arith.extui %[[A]] : i8 to i16
// CHECK-NEXT:    %[[B:.*]] = pipeline.load %arg0[%x - 7] clamp
// CHECK-NEXT:    %[[WB:.*]] = arith.extui %[[B]] : i8 to i16
// CHECK:         pipeline.load %arg0[%x - 5] clamp
// CHECK-NOT:     pipeline.load
// CHECK:         arith.addi %[[WA]], %[[WB]] : i16
// CHECK:       } : tensor<112xi16>
// CHECK:       pipeline.stage "row" (%x) {
// CHECK-NEXT:    %[[P:.*]] = pipeline.load %[[PART]][%x] : tensor<112xi16>
// CHECK-NEXT:    %[[Q:.*]] = pipeline.load %[[PART]][%x + 4] :
// CHECK-NEXT:    pipeline.load %[[PART]][%x + 8] :
// CHECK-NEXT:    pipeline.load %[[PART]][%x + 12] :
// CHECK-NEXT:    arith.addi %[[P]], %[[Q]] : i16
// CHECK:       } : tensor<100xi16>
func.func @row(%img: tensor<100xi8>) -> tensor<100xi16> {
  %c0 = arith.constant 0 : i16
  %row = pipeline.stage "row" (%x) {
    %s = pipeline.reduce (%r) in [-8, 8) (%acc = %c0 : i16) {
      %v = pipeline.load %img[%x + %r] clamp : tensor<100xi8>
      %w = arith.extui %v : i8 to i16
      %t = arith.addi %acc, %w : i16
      pipeline.yield %t : i16
    } : i16
    pipeline.yield %s : i16
  } : tensor<100xi16>
  return %row : tensor<100xi16>
}

// A rectangle is summed along its rows first, of which there are as many as are read; where these are short, all points of a row are written
// out. What the sum begins with is added. An image without points has no sums.
// CHECK-LABEL: @rectangle
// CHECK-DAG:   %[[SOME:.*]] = arith.minsi %[[H:.*]], %{{.*}} : index
// CHECK-DAG:   %[[MORE:.*]] = arith.muli %[[SOME]], %{{.*}} : index
// CHECK-DAG:   %[[ROWS:.*]] = arith.addi %[[H]], %[[MORE]] : index
// CHECK:       %[[X:.*]] = pipeline.stage "box_x" (%y, %x) {
// CHECK-NEXT:    pipeline.load %arg0[%y + 1, %x - 1] wrap
// CHECK:         pipeline.load %arg0[%y + 1, %x] wrap
// CHECK:         pipeline.load %arg0[%y + 1, %x + 1] wrap
// CHECK-NOT:     pipeline.load
// CHECK:       } sized(%[[ROWS]], %{{.*}}) : tensor<?x?xi32>
// CHECK:       %[[PART:.*]] = pipeline.stage "box_part" (%y, %x) {
// CHECK-NEXT:    pipeline.load %[[X]][%y, %x] : tensor<?x?xi32>
// CHECK:         pipeline.load %[[X]][%y + 5, %x] :
// CHECK-NOT:     pipeline.load
// CHECK:       pipeline.stage "box" (%y, %x) {
// CHECK:         pipeline.load %[[PART]][%y, %x] :
// CHECK:         pipeline.load %[[PART]][%y + 6, %x] :
// CHECK:         pipeline.load %[[PART]][%y + 30, %x] :
// CHECK:         pipeline.load %[[X]][%y + 36, %x] :
// CHECK:         arith.addi %arg1, %{{.*}} : i32
func.func @rectangle(%img: tensor<?x?xi32>, %init: i32) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xi32>
  %w = tensor.dim %img, %c1 : tensor<?x?xi32>
  %box = pipeline.stage "box" (%y, %x) {
    %s = pipeline.reduce (%ry, %rx) in [1, 38) x [-1, 2) (%acc = %init : i32) {
      %v = pipeline.load %img[%y + %ry, %x + %rx] wrap : tensor<?x?xi32>
      %t = arith.addi %v, %acc : i32
      pipeline.yield %t : i32
    } : i32
    pipeline.yield %s : i32
  } sized(%h, %w) : tensor<?x?xi32>
  return %box : tensor<?x?xi32>
}

// A column of few points has partial sums of none: rows that are computed together share what they load.
// CHECK-LABEL: @column
// CHECK-NOT:   _part
// CHECK:       pipeline.reduce (%{{.*}}) in [0, 32)
func.func @column(%img: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %zero = arith.constant 0 : i32
  %sums = pipeline.stage "column" (%y, %x) {
    %s = pipeline.reduce (%r) in [0, 32) (%acc = %zero : i32) {
      %v = pipeline.load %img[%y + %r, %x] clamp : tensor<64x64xi32>
      %t = arith.addi %v, %acc : i32
      pipeline.yield %t : i32
    } : i32
    pipeline.yield %s : i32
  } : tensor<64x64xi32>
  return %sums : tensor<64x64xi32>
}

// The greatest of 14 points, of floats too: that of five, at three places, the last of which overlaps the one before.
// CHECK-LABEL: @greatest
// CHECK:       %[[PART:.*]] = pipeline.stage "greatest_part"
// CHECK:       pipeline.stage "greatest" (%x) {
// CHECK:         pipeline.load %[[PART]][%x] :
// CHECK:         pipeline.load %[[PART]][%x + 5] :
// CHECK:         pipeline.load %[[PART]][%x + 9] :
// CHECK-NOT:     pipeline.load
func.func @greatest(%img: tensor<64xf32>, %least: f32) -> tensor<64xf32> {
  %0 = pipeline.stage "greatest" (%x) {
    %s = pipeline.reduce (%r) in [0, 14) (%acc = %least : f32) {
      %v = pipeline.load %img[%x + %r] clamp : tensor<64xf32>
      %t = arith.maximumf %acc, %v : f32
      pipeline.yield %t : f32
    } : f32
    pipeline.yield %s : f32
  } : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// What stays: floats, which would round otherwise; weights; few points; a coordinate that another index follows, too; points apart.
// CHECK-LABEL: @stay
// CHECK-NOT:   _part
func.func @stay(%f: tensor<64x64xf32>, %i: tensor<64x64xi32>, %fz: f32, %iz: i32) -> (tensor<64x64xf32>, tensor<64x64xi32>, tensor<64x64xi32>, tensor<64x64xi32>, tensor<64x64xi32>) {
  %floats = pipeline.stage "floats" (%y, %x) {
    %s = pipeline.reduce (%r) in [0, 40) (%acc = %fz : f32) {
      %v = pipeline.load %f[%y, %x + %r] clamp : tensor<64x64xf32>
      %t = arith.addf %acc, %v : f32
      pipeline.yield %t : f32
    } : f32
    pipeline.yield %s : f32
  } : tensor<64x64xf32>
  %weights = pipeline.stage "weights" (%y, %x) {
    %s = pipeline.reduce (%r) in [0, 40) (%acc = %iz : i32) {
      %v = pipeline.load %i[%y, %x + %r] clamp : tensor<64x64xi32>
      %k = arith.index_cast %r : index to i32
      %w = arith.muli %v, %k : i32
      %t = arith.addi %acc, %w : i32
      pipeline.yield %t : i32
    } : i32
    pipeline.yield %s : i32
  } : tensor<64x64xi32>
  %few = pipeline.stage "few" (%y, %x) {
    %s = pipeline.reduce (%r) in [0, 11) (%acc = %iz : i32) {
      %v = pipeline.load %i[%y, %x + %r] clamp : tensor<64x64xi32>
      %t = arith.addi %acc, %v : i32
      pipeline.yield %t : i32
    } : i32
    pipeline.yield %s : i32
  } : tensor<64x64xi32>
  %skewed = pipeline.stage "skewed" (%y, %x) {
    %s = pipeline.reduce (%r) in [0, 40) (%acc = %iz : i32) {
      %v = pipeline.load %i[%x, %x + %r] clamp : tensor<64x64xi32>
      %t = arith.addi %acc, %v : i32
      pipeline.yield %t : i32
    } : i32
    pipeline.yield %s : i32
  } : tensor<64x64xi32>
  %apart = pipeline.stage "apart" (%y, %x) {
    %s = pipeline.reduce (%r) in [0, 40) (%acc = %iz : i32) {
      %v = pipeline.load %i[%y, %x + %r * 2] clamp : tensor<64x64xi32>
      %t = arith.addi %acc, %v : i32
      pipeline.yield %t : i32
    } : i32
    pipeline.yield %s : i32
  } : tensor<64x64xi32>
  return %floats, %weights, %few, %skewed, %apart : tensor<64x64xf32>, tensor<64x64xi32>, tensor<64x64xi32>, tensor<64x64xi32>, tensor<64x64xi32>
}
