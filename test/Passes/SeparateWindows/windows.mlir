// A window whose weights are a column times a row becomes a stage along rows, and a sum down a column of it.

// RUN: pipeline-opt %s --separate-windows -split-input-file | FileCheck %s
// RUN: pipeline-opt %s --separate-windows --separate-windows -split-input-file | FileCheck %s
// RUN: pipeline-opt %s --separate-windows=least=100 -split-input-file | FileCheck %s --check-prefix=FEW
// RUN: pipeline-opt %s --separate-windows=strided=2 -split-input-file | FileCheck %s --check-prefix=STRIDED
// FEW-NOT: pipeline.stage "{{.*}}_{{[xy]}}"

// Bytes that are widened, with weights 1 2 1 each way: as products and as a shift. The three is no part of the window.
// CHECK-LABEL: @binomial
// CHECK-SAME: (%[[IMG:.*]]: tensor<?x?xi8>)
// CHECK: %[[S_X:.*]] = pipeline.stage "s_x" (%y, %x) {
// CHECK-NEXT: %[[L:.*]] = pipeline.load %[[IMG]][%y, %x - 1] clamp
// CHECK-NEXT: %[[LW:.*]] = arith.extui %[[L]] : i8 to i16
// CHECK-NEXT: %[[C:.*]] = pipeline.load %[[IMG]][%y, %x] clamp
// CHECK-NEXT: %[[CW:.*]] = arith.extui %[[C]] : i8 to i16
// CHECK-NEXT: %[[C2:.*]] = arith.muli %[[CW]], %c2_i16
// CHECK-NEXT: %[[R:.*]] = pipeline.load %[[IMG]][%y, %x + 1] clamp
// CHECK-NEXT: %[[RW:.*]] = arith.extui %[[R]] : i8 to i16
// CHECK-NEXT: %[[LC:.*]] = arith.addi %[[LW]], %[[C2]]
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[LC]], %[[RW]]
// CHECK-NEXT: pipeline.yield %[[SUM]] : i16
// CHECK-NEXT: } sized(%[[H:.*]], %[[W:.*]]) : tensor<?x?xi16>
// CHECK-NEXT: pipeline.stage "s" (%y, %x) {
// CHECK-NEXT: %[[A:.*]] = pipeline.load %[[S_X]][%y - 1, %x] clamp
// CHECK-NEXT: %[[B:.*]] = pipeline.load %[[S_X]][%y, %x] clamp
// CHECK-NEXT: %[[B2:.*]] = arith.muli %[[B]], %c2_i16
// CHECK-NEXT: %[[D:.*]] = pipeline.load %[[S_X]][%y + 1, %x] clamp
// CHECK-NEXT: %[[AB:.*]] = arith.addi %[[A]], %[[B2]]
// CHECK-NEXT: %[[ABD:.*]] = arith.addi %[[AB]], %[[D]]
// CHECK-NEXT: %[[ALL:.*]] = arith.addi %[[ABD]], %c3_i16
// CHECK-NEXT: pipeline.yield %[[ALL]] : i16
// CHECK-NEXT: } sized(%[[H]], %[[W]]) : tensor<?x?xi16>
func.func @binomial(%img: tensor<?x?xi8>) -> tensor<?x?xi16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i16
  %two = arith.constant 2 : i16
  %three = arith.constant 3 : i16
  %h = tensor.dim %img, %c0 : tensor<?x?xi8>
  %w = tensor.dim %img, %c1 : tensor<?x?xi8>
  %s = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%y - 1, %x - 1] clamp : tensor<?x?xi8>
    %b = pipeline.load %img[%y - 1, %x] clamp : tensor<?x?xi8>
    %c = pipeline.load %img[%y - 1, %x + 1] clamp : tensor<?x?xi8>
    %d = pipeline.load %img[%y, %x - 1] clamp : tensor<?x?xi8>
    %e = pipeline.load %img[%y, %x] clamp : tensor<?x?xi8>
    %f = pipeline.load %img[%y, %x + 1] clamp : tensor<?x?xi8>
    %g = pipeline.load %img[%y + 1, %x - 1] clamp : tensor<?x?xi8>
    %i = pipeline.load %img[%y + 1, %x] clamp : tensor<?x?xi8>
    %j = pipeline.load %img[%y + 1, %x + 1] clamp : tensor<?x?xi8>
    %aw = arith.extui %a : i8 to i16
    %bw = arith.extui %b : i8 to i16
    %cw = arith.extui %c : i8 to i16
    %dw = arith.extui %d : i8 to i16
    %ew = arith.extui %e : i8 to i16
    %fw = arith.extui %f : i8 to i16
    %gw = arith.extui %g : i8 to i16
    %iw = arith.extui %i : i8 to i16
    %jw = arith.extui %j : i8 to i16
    %b2 = arith.muli %bw, %two : i16
    %d2 = arith.shli %dw, %one : i16
    %e2 = arith.muli %ew, %two : i16
    %e4 = arith.muli %two, %e2 : i16
    %f2 = arith.muli %two, %fw : i16
    %i2 = arith.muli %iw, %two : i16
    %s0 = arith.addi %aw, %b2 : i16
    %s1 = arith.addi %s0, %cw : i16
    %s2 = arith.addi %s1, %d2 : i16
    %s3 = arith.addi %s2, %e4 : i16
    %s4 = arith.addi %s3, %f2 : i16
    %s5 = arith.addi %gw, %i2 : i16
    %s6 = arith.addi %s5, %jw : i16
    %s7 = arith.addi %s4, %s6 : i16
    %s8 = arith.addi %s7, %three : i16
    pipeline.yield %s8 : i16
  } sized(%h, %w) : tensor<?x?xi16>
  return %s : tensor<?x?xi16>
}

// -----

// The first stage has the rows of the image and the columns and planes of the stage. The least of a rectangle needs no weights.
// CHECK-LABEL: @least
// CHECK: pipeline.stage "m_x" (%c, %y, %x) {
// CHECK-NEXT: pipeline.load %arg0[2, %y, %x floordiv 2] mirror
// CHECK-NEXT: pipeline.load %arg0[2, %y, %x floordiv 2 + 1] mirror
// CHECK-NEXT: pipeline.load %arg0[2, %y, %x floordiv 2 + 2] mirror
// CHECK-NEXT: arith.minimumf
// CHECK-NEXT: arith.minimumf
// CHECK-NEXT: pipeline.yield
// CHECK-NEXT: } : tensor<4x9x30xf32>
// CHECK-NEXT: pipeline.stage "m" (%c, %y, %x) {
// CHECK-NEXT: pipeline.load %m_x[%c, %y, %x] mirror
// CHECK-NEXT: pipeline.load %m_x[%c, %y + 3, %x] mirror
// CHECK-NEXT: pipeline.load %m_x[%c, %y + 4, %x] mirror
// CHECK-NEXT: pipeline.load %m_x[%c, %y + 7, %x] mirror
// CHECK-NEXT: arith.minimumf
// CHECK-NEXT: arith.minimumf
// CHECK-NEXT: arith.minimumf
// CHECK-NEXT: pipeline.yield
// CHECK-NEXT: } : tensor<4x7x30xf32>
func.func @least(%img: tensor<3x9x16xf32>) -> tensor<4x7x30xf32> {
  %m = pipeline.stage "m" (%c, %y, %x) {
    %0 = pipeline.load %img[2, %y, %x floordiv 2] mirror : tensor<3x9x16xf32>
    %1 = pipeline.load %img[2, %y, %x floordiv 2 + 1] mirror : tensor<3x9x16xf32>
    %2 = pipeline.load %img[2, %y, %x floordiv 2 + 2] mirror : tensor<3x9x16xf32>
    %3 = pipeline.load %img[2, %y + 3, %x floordiv 2] mirror : tensor<3x9x16xf32>
    %4 = pipeline.load %img[2, %y + 3, %x floordiv 2 + 1] mirror : tensor<3x9x16xf32>
    %5 = pipeline.load %img[2, %y + 3, %x floordiv 2 + 2] mirror : tensor<3x9x16xf32>
    %6 = pipeline.load %img[2, %y + 4, %x floordiv 2] mirror : tensor<3x9x16xf32>
    %7 = pipeline.load %img[2, %y + 4, %x floordiv 2 + 1] mirror : tensor<3x9x16xf32>
    %8 = pipeline.load %img[2, %y + 4, %x floordiv 2 + 2] mirror : tensor<3x9x16xf32>
    %9 = pipeline.load %img[2, %y + 7, %x floordiv 2] mirror : tensor<3x9x16xf32>
    %10 = pipeline.load %img[2, %y + 7, %x floordiv 2 + 1] mirror : tensor<3x9x16xf32>
    %11 = pipeline.load %img[2, %y + 7, %x floordiv 2 + 2] mirror : tensor<3x9x16xf32>
    %12 = arith.minimumf %0, %1 : f32
    %13 = arith.minimumf %2, %3 : f32
    %14 = arith.minimumf %4, %5 : f32
    %15 = arith.minimumf %6, %7 : f32
    %16 = arith.minimumf %8, %9 : f32
    %17 = arith.minimumf %10, %11 : f32
    %18 = arith.minimumf %12, %13 : f32
    %19 = arith.minimumf %14, %15 : f32
    %20 = arith.minimumf %16, %17 : f32
    %21 = arith.minimumf %18, %19 : f32
    %22 = arith.minimumf %21, %20 : f32
    pipeline.yield %22 : f32
  } : tensor<4x7x30xf32>
  return %m : tensor<4x7x30xf32>
}

// -----

// Of an image that is read at every other row a column of the stage's rows saves more: that is what comes first.
// CHECK-LABEL: @other_rows
// CHECK: pipeline.stage "m_y" (%y, %x) {
// CHECK-NEXT: pipeline.load %arg0[%y * 2, %x] clamp
// CHECK-NEXT: pipeline.load %arg0[%y * 2 + 1, %x] clamp
// CHECK-NEXT: pipeline.load %arg0[%y * 2 + 2, %x] clamp
// CHECK: } : tensor<8x16xi8>
// CHECK-NEXT: pipeline.stage "m" (%y, %x) {
// CHECK-NEXT: pipeline.load %m_y[%y, %x] clamp
// CHECK-NEXT: pipeline.load %m_y[%y, %x + 1] clamp
// CHECK-NEXT: pipeline.load %m_y[%y, %x + 2] clamp
func.func @other_rows(%img: tensor<16x16xi8>) -> tensor<8x14xi8> {
  %m = pipeline.stage "m" (%y, %x) {
    %0 = pipeline.load %img[%y * 2, %x] clamp : tensor<16x16xi8>
    %1 = pipeline.load %img[%y * 2, %x + 1] clamp : tensor<16x16xi8>
    %2 = pipeline.load %img[%y * 2, %x + 2] clamp : tensor<16x16xi8>
    %3 = pipeline.load %img[%y * 2 + 1, %x] clamp : tensor<16x16xi8>
    %4 = pipeline.load %img[%y * 2 + 1, %x + 1] clamp : tensor<16x16xi8>
    %5 = pipeline.load %img[%y * 2 + 1, %x + 2] clamp : tensor<16x16xi8>
    %6 = pipeline.load %img[%y * 2 + 2, %x] clamp : tensor<16x16xi8>
    %7 = pipeline.load %img[%y * 2 + 2, %x + 1] clamp : tensor<16x16xi8>
    %8 = pipeline.load %img[%y * 2 + 2, %x + 2] clamp : tensor<16x16xi8>
    %9 = arith.maxui %0, %1 : i8
    %10 = arith.maxui %2, %3 : i8
    %11 = arith.maxui %4, %5 : i8
    %12 = arith.maxui %6, %7 : i8
    %13 = arith.maxui %9, %10 : i8
    %14 = arith.maxui %11, %12 : i8
    %15 = arith.maxui %13, %14 : i8
    %16 = arith.maxui %15, %8 : i8
    pipeline.yield %16 : i8
  } : tensor<8x14xi8>
  return %m : tensor<8x14xi8>
}

// -----

// What stays: weights that are no product, a rectangle with a hole, floats, whose sums round, a stride that reads no row twice, a border that sums to something.
// CHECK-LABEL: @stays
// CHECK-COUNT-5: pipeline.stage
// CHECK-NOT: pipeline.stage
func.func @stays(%img: tensor<16x16xi32>, %f: tensor<16x16xf32>) -> (tensor<16x16xi32>, tensor<16x16xi32>, tensor<16x16xf32>, tensor<16x16xi32>, tensor<16x16xi32>) {
  %two = arith.constant 2 : i32
  %five = arith.constant 5 : i32
  %cross = pipeline.stage "cross" (%y, %x) {
    %s = pipeline.reduce (%ry, %rx) in [0, 3) x [0, 3) (%sum = %two : i32) {
      %0 = pipeline.load %img[%y + %ry, %x + %rx] clamp : tensor<16x16xi32>
      %1 = arith.addi %sum, %0 : i32
      pipeline.yield %1 : i32
    } : i32
    %0 = pipeline.load %img[%y, %x] clamp : tensor<16x16xi32>
    %1 = pipeline.load %img[%y, %x + 1] clamp : tensor<16x16xi32>
    %2 = pipeline.load %img[%y + 1, %x] clamp : tensor<16x16xi32>
    %3 = pipeline.load %img[%y + 1, %x + 1] clamp : tensor<16x16xi32>
    %4 = arith.muli %3, %five : i32
    %5 = arith.addi %0, %1 : i32
    %6 = arith.addi %2, %4 : i32
    %7 = arith.addi %5, %6 : i32
    %8 = arith.addi %7, %s : i32
    pipeline.yield %8 : i32
  } : tensor<16x16xi32>
  %hole = pipeline.stage "hole" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] clamp : tensor<16x16xi32>
    %1 = pipeline.load %img[%y, %x + 1] clamp : tensor<16x16xi32>
    %2 = pipeline.load %img[%y, %x + 2] clamp : tensor<16x16xi32>
    %3 = pipeline.load %img[%y + 1, %x] clamp : tensor<16x16xi32>
    %4 = pipeline.load %img[%y + 1, %x + 2] clamp : tensor<16x16xi32>
    %5 = pipeline.load %img[%y + 2, %x] clamp : tensor<16x16xi32>
    %6 = pipeline.load %img[%y + 2, %x + 1] clamp : tensor<16x16xi32>
    %7 = pipeline.load %img[%y + 2, %x + 2] clamp : tensor<16x16xi32>
    %8 = arith.maxsi %0, %1 : i32
    %9 = arith.maxsi %2, %3 : i32
    %10 = arith.maxsi %4, %5 : i32
    %11 = arith.maxsi %6, %7 : i32
    %12 = arith.maxsi %8, %9 : i32
    %13 = arith.maxsi %10, %11 : i32
    %14 = arith.maxsi %12, %13 : i32
    pipeline.yield %14 : i32
  } : tensor<16x16xi32>
  %float = pipeline.stage "float" (%y, %x) {
    %0 = pipeline.load %f[%y, %x] clamp : tensor<16x16xf32>
    %1 = pipeline.load %f[%y, %x + 1] clamp : tensor<16x16xf32>
    %2 = pipeline.load %f[%y, %x + 2] clamp : tensor<16x16xf32>
    %3 = pipeline.load %f[%y + 1, %x] clamp : tensor<16x16xf32>
    %4 = pipeline.load %f[%y + 1, %x + 1] clamp : tensor<16x16xf32>
    %5 = pipeline.load %f[%y + 1, %x + 2] clamp : tensor<16x16xf32>
    %6 = arith.addf %0, %1 : f32
    %7 = arith.addf %2, %3 : f32
    %8 = arith.addf %4, %5 : f32
    %9 = arith.addf %6, %7 : f32
    %10 = arith.addf %8, %9 : f32
    pipeline.yield %10 : f32
  } : tensor<16x16xf32>
  %apart = pipeline.stage "apart" (%y, %x) {
    %0 = pipeline.load %img[%y * 3, %x * 3] clamp : tensor<16x16xi32>
    %1 = pipeline.load %img[%y * 3, %x * 3 + 1] clamp : tensor<16x16xi32>
    %2 = pipeline.load %img[%y * 3, %x * 3 + 2] clamp : tensor<16x16xi32>
    %3 = pipeline.load %img[%y * 3 + 1, %x * 3] clamp : tensor<16x16xi32>
    %4 = pipeline.load %img[%y * 3 + 1, %x * 3 + 1] clamp : tensor<16x16xi32>
    %5 = pipeline.load %img[%y * 3 + 1, %x * 3 + 2] clamp : tensor<16x16xi32>
    %6 = pipeline.load %img[%y * 3 + 2, %x * 3] clamp : tensor<16x16xi32>
    %7 = pipeline.load %img[%y * 3 + 2, %x * 3 + 1] clamp : tensor<16x16xi32>
    %8 = pipeline.load %img[%y * 3 + 2, %x * 3 + 2] clamp : tensor<16x16xi32>
    %9 = arith.addi %0, %1 : i32
    %10 = arith.addi %2, %3 : i32
    %11 = arith.addi %4, %5 : i32
    %12 = arith.addi %6, %7 : i32
    %13 = arith.addi %9, %10 : i32
    %14 = arith.addi %11, %12 : i32
    %15 = arith.addi %13, %14 : i32
    %16 = arith.addi %15, %8 : i32
    pipeline.yield %16 : i32
  } : tensor<16x16xi32>
  %bordered = pipeline.stage "bordered" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] constant(%two) : tensor<16x16xi32>
    %1 = pipeline.load %img[%y, %x + 1] constant(%two) : tensor<16x16xi32>
    %2 = pipeline.load %img[%y, %x + 2] constant(%two) : tensor<16x16xi32>
    %3 = pipeline.load %img[%y + 1, %x] constant(%two) : tensor<16x16xi32>
    %4 = pipeline.load %img[%y + 1, %x + 1] constant(%two) : tensor<16x16xi32>
    %5 = pipeline.load %img[%y + 1, %x + 2] constant(%two) : tensor<16x16xi32>
    %6 = pipeline.load %img[%y + 2, %x] constant(%two) : tensor<16x16xi32>
    %7 = pipeline.load %img[%y + 2, %x + 1] constant(%two) : tensor<16x16xi32>
    %8 = pipeline.load %img[%y + 2, %x + 2] constant(%two) : tensor<16x16xi32>
    %9 = arith.addi %0, %1 : i32
    %10 = arith.addi %2, %3 : i32
    %11 = arith.addi %4, %5 : i32
    %12 = arith.addi %6, %7 : i32
    %13 = arith.addi %9, %10 : i32
    %14 = arith.addi %11, %12 : i32
    %15 = arith.addi %13, %14 : i32
    %16 = arith.addi %15, %8 : i32
    pipeline.yield %16 : i32
  } : tensor<16x16xi32>
  return %cross, %hole, %float, %apart, %bordered : tensor<16x16xi32>, tensor<16x16xi32>, tensor<16x16xf32>, tensor<16x16xi32>, tensor<16x16xi32>
}

// What is read every third column apart is summed down columns first where a load with gaps costs something: the rows of these sums are
// read with gaps in place of all nine.
// STRIDED-LABEL: @strided
// STRIDED:      %[[ROWS:.*]] = pipeline.stage "apart_y" (%y, %x) {
// STRIDED-NEXT:   pipeline.load %arg0[%y * 3, %x] clamp
// STRIDED:        pipeline.load %arg0[%y * 3 + 1, %x] clamp
// STRIDED:        pipeline.load %arg0[%y * 3 + 2, %x] clamp
// STRIDED:      pipeline.stage "apart" (%y, %x) {
// STRIDED-NEXT:   pipeline.load %[[ROWS]][%y, %x * 3] clamp
// STRIDED-NEXT:   pipeline.load %[[ROWS]][%y, %x * 3 + 1] clamp
// STRIDED-NEXT:   pipeline.load %[[ROWS]][%y, %x * 3 + 2] clamp
// STRIDED-NOT:    pipeline.load
// CHECK-LABEL: @strided
// CHECK-NOT:   apart_y
func.func @strided(%img: tensor<48x48xi32>) -> tensor<16x16xi32> {
  %apart = pipeline.stage "apart" (%y, %x) {
    %0 = pipeline.load %img[%y * 3, %x * 3] clamp : tensor<48x48xi32>
    %1 = pipeline.load %img[%y * 3, %x * 3 + 1] clamp : tensor<48x48xi32>
    %2 = pipeline.load %img[%y * 3, %x * 3 + 2] clamp : tensor<48x48xi32>
    %3 = pipeline.load %img[%y * 3 + 1, %x * 3] clamp : tensor<48x48xi32>
    %4 = pipeline.load %img[%y * 3 + 1, %x * 3 + 1] clamp : tensor<48x48xi32>
    %5 = pipeline.load %img[%y * 3 + 1, %x * 3 + 2] clamp : tensor<48x48xi32>
    %6 = pipeline.load %img[%y * 3 + 2, %x * 3] clamp : tensor<48x48xi32>
    %7 = pipeline.load %img[%y * 3 + 2, %x * 3 + 1] clamp : tensor<48x48xi32>
    %8 = pipeline.load %img[%y * 3 + 2, %x * 3 + 2] clamp : tensor<48x48xi32>
    %9 = arith.addi %0, %1 : i32
    %10 = arith.addi %2, %3 : i32
    %11 = arith.addi %4, %5 : i32
    %12 = arith.addi %6, %7 : i32
    %13 = arith.addi %9, %10 : i32
    %14 = arith.addi %11, %12 : i32
    %15 = arith.addi %13, %14 : i32
    %16 = arith.addi %15, %8 : i32
    pipeline.yield %16 : i32
  } : tensor<16x16xi32>
  return %apart : tensor<16x16xi32>
}
