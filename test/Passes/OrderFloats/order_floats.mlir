// Maxima of maxima of floats are integers of the same order in between.

// RUN: pipeline-opt %s --order-floats --split-input-file | FileCheck %s
// RUN: pipeline-opt %s --order-floats --order-floats --split-input-file | FileCheck %s

// CHECK-LABEL: @chain
// CHECK:       pipeline.stage "two"
// CHECK:         %[[A:.*]] = pipeline.load %{{.*}}[%x] : tensor<64xf32>
// CHECK-NEXT:    %[[BITS:.*]] = arith.bitcast %[[A]] : f32 to i32
// CHECK-NEXT:    %[[SIGN:.*]] = arith.shrsi %[[BITS]], %c31_i32
// CHECK-NEXT:    %[[OTHERS:.*]] = arith.shrui %[[SIGN]], %c1_i32
// CHECK-NEXT:    %[[TURNED:.*]] = arith.xori %[[BITS]], %[[OTHERS]]
// CHECK-NEXT:    %[[IS:.*]] = arith.cmpf uno, %[[A]], %[[A]]
// CHECK-NEXT:    %[[ORDER:.*]] = arith.select %[[IS]], %c2143289344_i32, %[[TURNED]]
// CHECK:         pipeline.load
// CHECK:         arith.maxsi %[[ORDER]], %{{.*}} : i32
// CHECK:       } : tensor<64xi32>
// CHECK:       pipeline.stage "most"
// CHECK-COUNT-16: pipeline.load %{{.*}} : tensor<64xi32>
// CHECK:         arith.maxsi
// CHECK:         %[[SIGN:.*]] = arith.shrsi %[[MOST:.*]], %c31_i32
// CHECK-NEXT:    %[[OTHERS:.*]] = arith.shrui %[[SIGN]], %c1_i32
// CHECK-NEXT:    %[[TURNED:.*]] = arith.xori %[[MOST]], %[[OTHERS]]
// CHECK-NEXT:    %[[FLOAT:.*]] = arith.bitcast %[[TURNED]] : i32 to f32
// CHECK-NEXT:    pipeline.yield %[[FLOAT]] : f32
// CHECK:       } : tensor<64xf32>
func.func @chain(%img: tensor<64xf32>) -> tensor<64xf32> {
  %two = pipeline.stage "two" (%x) {
    %0 = pipeline.load %img[%x] : tensor<64xf32>
    %1 = pipeline.load %img[%x + 1] clamp : tensor<64xf32>
    %2 = arith.maximumf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<64xf32>
  %most = pipeline.stage "most" (%x) {
    %l0 = pipeline.load %two[%x + 0] clamp : tensor<64xf32>
    %l1 = pipeline.load %two[%x + 2] clamp : tensor<64xf32>
    %l2 = pipeline.load %two[%x + 4] clamp : tensor<64xf32>
    %l3 = pipeline.load %two[%x + 6] clamp : tensor<64xf32>
    %l4 = pipeline.load %two[%x + 8] clamp : tensor<64xf32>
    %l5 = pipeline.load %two[%x + 10] clamp : tensor<64xf32>
    %l6 = pipeline.load %two[%x + 12] clamp : tensor<64xf32>
    %l7 = pipeline.load %two[%x + 14] clamp : tensor<64xf32>
    %l8 = pipeline.load %two[%x + 16] clamp : tensor<64xf32>
    %l9 = pipeline.load %two[%x + 18] clamp : tensor<64xf32>
    %l10 = pipeline.load %two[%x + 20] clamp : tensor<64xf32>
    %l11 = pipeline.load %two[%x + 22] clamp : tensor<64xf32>
    %l12 = pipeline.load %two[%x + 24] clamp : tensor<64xf32>
    %l13 = pipeline.load %two[%x + 26] clamp : tensor<64xf32>
    %l14 = pipeline.load %two[%x + 28] clamp : tensor<64xf32>
    %l15 = pipeline.load %two[%x + 30] clamp : tensor<64xf32>
    %m1 = arith.maximumf %l0, %l1 : f32
    %m2 = arith.maximumf %m1, %l2 : f32
    %m3 = arith.maximumf %m2, %l3 : f32
    %m4 = arith.maximumf %m3, %l4 : f32
    %m5 = arith.maximumf %m4, %l5 : f32
    %m6 = arith.maximumf %m5, %l6 : f32
    %m7 = arith.maximumf %m6, %l7 : f32
    %m8 = arith.maximumf %m7, %l8 : f32
    %m9 = arith.maximumf %m8, %l9 : f32
    %m10 = arith.maximumf %m9, %l10 : f32
    %m11 = arith.maximumf %m10, %l11 : f32
    %m12 = arith.maximumf %m11, %l12 : f32
    %m13 = arith.maximumf %m12, %l13 : f32
    %m14 = arith.maximumf %m13, %l14 : f32
    %m15 = arith.maximumf %m14, %l15 : f32
    pipeline.yield %m15 : f32
  } : tensor<64xf32>
  return %most : tensor<64xf32>
}

// -----

// A chain that reads few of its own results stays, and so does one that others read.
// CHECK-LABEL: @few
// CHECK-NOT:   i32
// CHECK:       return
func.func @few(%img: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %two = pipeline.stage "two" (%x) {
    %0 = pipeline.load %img[%x] : tensor<64xf32>
    %1 = pipeline.load %img[%x + 1] clamp : tensor<64xf32>
    %2 = arith.minimumf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<64xf32>
  %four = pipeline.stage "four" (%x) {
    %0 = pipeline.load %two[%x] : tensor<64xf32>
    %1 = pipeline.load %two[%x + 2] clamp : tensor<64xf32>
    %2 = arith.minimumf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<64xf32>
  return %two, %four : tensor<64xf32>, tensor<64xf32>
}
