// Small reduces are written out, point after point, the last variable fastest.

// RUN: pipeline-opt %s --unroll-reductions | FileCheck %s
// RUN: pipeline-opt %s --unroll-reductions=max-points=3 | FileCheck %s --check-prefix=FEW
// RUN: pipeline-opt %s --unroll-reductions=max-points=0 | FileCheck %s --check-prefix=NONE
// RUN: pipeline-opt %s --unroll-reductions="max-points=1 inner-points=3" | FileCheck %s --check-prefix=INNER
// RUN: not pipeline-opt %s --unroll-reductions=max-points=-1 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: pipeline-opt %s --unroll-reductions --remarks-filter=unroll-reductions 2>&1 >/dev/null | FileCheck %s --check-prefix=COUNT

// WRONG: option 'max-points' is -1, expected 0 or more
// COUNT: unrolled

// CHECK-LABEL: @window
func.func @window(%img: tensor<16x16xf32>, %zero: f32) -> tensor<16x16xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    // CHECK-NOT: pipeline.reduce
    // CHECK: %[[A:.*]] = pipeline.load %{{.*}}[%y - 1, %x] clamp
    // CHECK-NEXT: %[[S:.*]] = arith.addf %{{.*}}, %[[A]]
    // CHECK-NEXT: %[[B:.*]] = pipeline.load %{{.*}}[%y - 1, %x + 2] clamp
    // CHECK-NEXT: %[[T:.*]] = arith.addf %[[S]], %[[B]]
    // CHECK-NEXT: %[[C:.*]] = pipeline.load %{{.*}}[%y, %x] clamp
    // CHECK-NEXT: %[[U:.*]] = arith.addf %[[T]], %[[C]]
    // CHECK-NEXT: %[[D:.*]] = pipeline.load %{{.*}}[%y, %x + 2] clamp
    // CHECK-NEXT: %[[V:.*]] = arith.addf %[[U]], %[[D]]
    // CHECK-NEXT: pipeline.yield %[[V]]
    // FEW-LABEL: @window
    // FEW: pipeline.reduce
    // NONE-LABEL: @window
    // NONE: pipeline.reduce
    // INNER-LABEL: @window
    // INNER: %[[R:.*]] = pipeline.reduce (%rx) in [-1, 1) (%[[ACC:.*]] = %{{.*}} : f32) {
    // INNER-NEXT: %[[A:.*]] = pipeline.load %{{.*}}[%y + %rx, %x] clamp
    // INNER-NEXT: %[[S:.*]] = arith.addf %[[ACC]], %[[A]]
    // INNER-NEXT: %[[B:.*]] = pipeline.load %{{.*}}[%y + %rx, %x + 2] clamp
    // INNER-NEXT: %[[T:.*]] = arith.addf %[[S]], %[[B]]
    // INNER-NEXT: pipeline.yield %[[T]]
    // INNER: pipeline.yield %[[R]]
    %sum = pipeline.reduce (%dy, %dx) in [-1, 1) x [0, 2) (%acc = %zero : f32) {
      %p = pipeline.load %img[%y + %dy, %x + %dx * 2] clamp : tensor<16x16xf32>
      %s = arith.addf %acc, %p : f32
      pipeline.yield %s : f32
    } : f32
    pipeline.yield %sum : f32
  } : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// A variable that is a number becomes one; a load that uses none of them is written out as it is.
// CHECK-LABEL: @number
func.func @number(%img: tensor<16xi32>, %zero: i32) -> tensor<16xi32> {
  %0 = pipeline.stage "s" (%x) {
    // CHECK: %[[SEVEN:.*]] = arith.constant 7 : i32
    // CHECK-NEXT: %[[EIGHT:.*]] = arith.constant 8 : i32
    // CHECK: pipeline.load %{{.*}}[%x]
    // CHECK: arith.addi %{{.*}}, %[[SEVEN]] : i32
    // CHECK: pipeline.load %{{.*}}[%x]
    // CHECK: arith.addi %{{.*}}, %[[EIGHT]] : i32
    %sum = pipeline.reduce (%k) in [7, 9) (%acc = %zero : i32) {
      %p = pipeline.load %img[%x] : tensor<16xi32>
      %i = arith.index_cast %k : index to i32
      %s = arith.addi %acc, %i : i32
      %t = arith.addi %s, %p : i32
      pipeline.yield %t : i32
    } : i32
    pipeline.yield %sum : i32
  } : tensor<16xi32>
  return %0 : tensor<16xi32>
}

// The inner one is small, and is copied as often as the outer one has points: 3 * 11 is too many, so that stays.
// CHECK-LABEL: @nested
func.func @nested(%img: tensor<16x16xf32>, %zero: f32) -> tensor<16x16xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    // CHECK: pipeline.reduce (%rx) in [0, 11)
    // CHECK-NOT: pipeline.reduce
    // CHECK: pipeline.load %{{.*}}[%y + %rx, %x - 1] clamp
    // CHECK: pipeline.load %{{.*}}[%y + %rx, %x] clamp
    // CHECK: pipeline.load %{{.*}}[%y + %rx, %x + 1] clamp
    // CHECK: pipeline.yield
    // FEW-LABEL: @nested
    // FEW-COUNT-1: pipeline.reduce
    // FEW-NOT: pipeline.reduce
    // FEW-LABEL: @outer
    %a = pipeline.reduce (%k) in [0, 11) (%m = %zero : f32) {
      %b = pipeline.reduce (%l) in [-1, 2) (%n = %m : f32) {
        %p = pipeline.load %img[%y + %k, %x + %l] clamp : tensor<16x16xf32>
        %s = arith.addf %n, %p : f32
        pipeline.yield %s : f32
      } : f32
      pipeline.yield %b : f32
    } : f32
    pipeline.yield %a : f32
  } : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// A large one in a small one: two loops.
// CHECK-LABEL: @outer
func.func @outer(%img: tensor<16x16xf32>, %zero: f32) -> tensor<16x16xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    // CHECK: %[[FIRST:.*]] = pipeline.reduce (%rx) in [0, 40) (%acc = %{{.*}} : f32)
    // CHECK: pipeline.load %{{.*}}[%y, %x + %rx] clamp
    // CHECK: pipeline.reduce (%rx) in [0, 40) (%acc = %[[FIRST]] : f32)
    // CHECK: pipeline.load %{{.*}}[%y + 1, %x + %rx] clamp
    %a = pipeline.reduce (%k) in [0, 2) (%m = %zero : f32) {
      %b = pipeline.reduce (%l) in [0, 40) (%n = %m : f32) {
        %p = pipeline.load %img[%y + %k, %x + %l] clamp : tensor<16x16xf32>
        %s = arith.addf %n, %p : f32
        pipeline.yield %s : f32
      } : f32
      pipeline.yield %b : f32
    } : f32
    pipeline.yield %a : f32
  } : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// A gather whose computed index is a constant is a load, and one that is affine is one.
// CHECK-LABEL: @gathers
func.func @gathers(%img: tensor<16x16xf32>, %n: index) -> tensor<16x16xf32> {
  %c3 = arith.constant 3 : index
  %0 = pipeline.stage "s" (%y, %x) {
    // CHECK: pipeline.load %{{.*}}[3, %x] clamp
    %a = pipeline.gather %img[%c3, %x] clamp : tensor<16x16xf32>
    // CHECK: pipeline.load %{{.*}}[%y, %x + 1] wrap
    %b = pipeline.gather %img[%y, %x + 1] wrap : tensor<16x16xf32>
    // CHECK: pipeline.gather %{{.*}}[%{{.*}}, %x] clamp
    %c = pipeline.gather %img[%n, %x] clamp : tensor<16x16xf32>
    %s = arith.addf %a, %b : f32
    %t = arith.addf %s, %c : f32
    pipeline.yield %t : f32
  } : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// Of 49 points 29 lie in a disk: they are few enough to be written out, and the others are not loaded.
// CHECK-LABEL: @disk
// CHECK:       pipeline.stage "s" (%y, %x) {
// CHECK-NEXT:  %[[FIRST:.*]] = arith.maxui %{{.*}}, %c0_i16 : i16
// CHECK:       pipeline.load %{{.*}}[%y - 3, %x] clamp
// CHECK-COUNT-28: pipeline.load
// CHECK-NOT:   pipeline.load
// CHECK:       pipeline.yield
func.func @disk(%img: tensor<16x16xi16>, %first: i16) -> tensor<16x16xi16> {
  %c9 = arith.constant 9 : index
  %none = arith.constant 0 : i16
  %0 = pipeline.stage "s" (%y, %x) {
    %1 = pipeline.reduce (%ry, %rx) in [-3, 4) x [-3, 4) (%acc = %first : i16) {
      %2 = arith.muli %rx, %rx : index
      %3 = arith.muli %ry, %ry : index
      %4 = arith.addi %2, %3 : index
      %5 = arith.cmpi sle, %4, %c9 : index
      %6 = pipeline.load %img[%y + %ry, %x + %rx] clamp : tensor<16x16xi16>
      %7 = arith.select %5, %6, %none : i16
      %8 = arith.maxui %acc, %7 : i16
      pipeline.yield %8 : i16
    } : i16
    pipeline.yield %1 : i16
  } : tensor<16x16xi16>
  return %0 : tensor<16x16xi16>
}

// A condition that depends on the point of the stage leaves out none.
// CHECK-LABEL: @half
// CHECK:       pipeline.reduce
func.func @half(%img: tensor<16x16xi16>, %first: i16) -> tensor<16x16xi16> {
  %none = arith.constant 0 : i16
  %0 = pipeline.stage "s" (%y, %x) {
    %1 = pipeline.reduce (%ry, %rx) in [-3, 4) x [-3, 4) (%acc = %first : i16) {
      %5 = arith.cmpi sle, %rx, %x : index
      %6 = pipeline.load %img[%y + %ry, %x + %rx] clamp : tensor<16x16xi16>
      %7 = arith.select %5, %6, %none : i16
      %8 = arith.maxui %acc, %7 : i16
      pipeline.yield %8 : i16
    } : i16
    pipeline.yield %1 : i16
  } : tensor<16x16xi16>
  return %0 : tensor<16x16xi16>
}
