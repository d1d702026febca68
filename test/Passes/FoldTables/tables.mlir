// Loads of constants at places that are known are numbers; others stay.

// RUN: pipeline-opt %s --fold-tables | FileCheck %s
// RUN: pipeline-opt %s --fold-tables --remarks-filter=fold-tables -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: loads {{.*}} count=12

// CHECK-LABEL: func.func @weights(
func.func @weights() -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %w = arith.constant dense<[1.5, -2.5, 0x7FC00000]> : tensor<3xf32>
  // CHECK-DAG: %[[A:.*]] = arith.constant 1.500000e+00 : f32
  // CHECK-DAG: %[[B:.*]] = arith.constant -2.500000e+00 : f32
  // CHECK-DAG: %[[C:.*]] = arith.constant 0x7FC00000 : f32
  // CHECK: pipeline.stage "s"
  // CHECK-NEXT: pipeline.yield %[[A]], %[[B]], %[[C]]
  %s:3 = pipeline.stage "s" (%x) {
    %0 = pipeline.load %w[0] : tensor<3xf32>
    %1 = pipeline.load %w[1] : tensor<3xf32>
    %2 = pipeline.load %w[2] : tensor<3xf32>
    pipeline.yield %0, %1, %2 : f32, f32, f32
  } : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  return %s#0, %s#1, %s#2 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// Beyond its ends a table has what the mode says; places that are computed of constants are known, too.
// CHECK-LABEL: func.func @modes(
func.func @modes(%v: i32) -> (tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>) {
  %t = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i32
  // CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i32
  // CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : i32
  // CHECK-DAG: %[[SIX:.*]] = arith.constant 6 : i32
  // CHECK: pipeline.stage "s"
  // CHECK-NEXT: pipeline.yield %[[SIX]], %[[THREE]], %[[FOUR]], %arg0, %[[TWO]]
  %s:5 = pipeline.stage "s" (%x) {
    %one = arith.constant 1 : index
    %0 = pipeline.load %t[7, 2] clamp : tensor<2x3xi32>
    %1 = pipeline.load %t[-1, 3] mirror : tensor<2x3xi32>
    %2 = pipeline.load %t[-1, 3] wrap : tensor<2x3xi32>
    %3 = pipeline.load %t[0, 3] constant(%v) : tensor<2x3xi32>
    %4 = pipeline.gather %t[0, %one] clamp : tensor<2x3xi32>
    pipeline.yield %0, %1, %2, %3, %4 : i32, i32, i32, i32, i32
  } : tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>
  return %s#0, %s#1, %s#2, %s#3, %s#4 : tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>
}

// The edge is not repeated: row -1 is row 1, and column 3 is column 1.
// CHECK-LABEL: func.func @reflected(
func.func @reflected() -> tensor<16xi32> {
  %t = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  // CHECK: %[[FIVE:.*]] = arith.constant 5 : i32
  // CHECK: pipeline.stage "s"
  // CHECK-NEXT: pipeline.yield %[[FIVE]]
  %s = pipeline.stage "s" (%x) {
    %0 = pipeline.load %t[-1, 3] reflect101 : tensor<2x3xi32>
    pipeline.yield %0 : i32
  } : tensor<16xi32>
  return %s : tensor<16xi32>
}

// Of one number all over, any place is known, if it is inside.
// CHECK-LABEL: func.func @same(
func.func @same(%n: index) -> (tensor<16xf16>, tensor<16xf16>, tensor<16xi8>) {
  %t = arith.constant dense<0.5> : tensor<16xf16>
  %all = arith.constant dense<-1> : tensor<4xi8>
  // CHECK-DAG: %[[HALF:.*]] = arith.constant 5.000000e-01 : f16
  // CHECK-DAG: %[[MINUS:.*]] = arith.constant -1 : i8
  // CHECK: pipeline.stage "s"
  // CHECK-NEXT: pipeline.yield %[[HALF]], %[[HALF]], %[[MINUS]]
  %s:3 = pipeline.stage "s" (%x) {
    %0 = pipeline.load %t[%x] : tensor<16xf16>
    %1 = pipeline.load %t[%x + 1] wrap : tensor<16xf16>
    %2 = pipeline.load %all[3] : tensor<4xi8>
    pipeline.yield %0, %1, %2 : f16, f16, i8
  } : tensor<16xf16>, tensor<16xf16>, tensor<16xi8>
  return %s#0, %s#1, %s#2 : tensor<16xf16>, tensor<16xf16>, tensor<16xi8>
}

// What leaves its table is said where it is lowered, and what may leave it is asked at entry.
// CHECK-LABEL: func.func @stays(
func.func @stays(%n: index) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %v = arith.constant 7.0 : f32
  %t = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %one = arith.constant dense<1.0> : tensor<3xf32>
  // CHECK: pipeline.load {{.*}}[3] : tensor<3xf32>
  // CHECK: pipeline.load {{.*}} mod 3]
  // CHECK: pipeline.load {{.*}} : tensor<3xf32>
  // CHECK: pipeline.load {{.*}} constant
  %s:4 = pipeline.stage "s" (%x) {
    %0 = pipeline.load %t[3] : tensor<3xf32>
    %1 = pipeline.load %t[%x mod 3] : tensor<3xf32>
    %2 = pipeline.load %one[%x] : tensor<3xf32>
    %3 = pipeline.load %one[%x] constant(%v) : tensor<3xf32>
    pipeline.yield %0, %1, %2, %3 : f32, f32, f32, f32
  } sized(%n) : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  return %s#0, %s#1, %s#2, %s#3 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
