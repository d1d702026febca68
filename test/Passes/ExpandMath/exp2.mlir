// One expansion, op by op.

// RUN: pipeline-opt %s -expand-math -cse | FileCheck %s

// CHECK-DAG:   %[[MAGIC:.*]] = arith.constant 0x4B400000 : f32
// CHECK-DAG:   %[[MAGIC_BITS:.*]] = arith.constant 1262485504 : i32
// CHECK:       %[[A:.*]] = pipeline.load
// What is beyond overflows, or is 0, as the limits are and do.
// CHECK:       %[[IS_LOW:.*]] = arith.cmpf olt, %[[A]], %[[LOW:.*]] : f32
// CHECK-NEXT:  %[[RAISED:.*]] = arith.select %[[IS_LOW]], %[[LOW]], %[[A]] : f32
// CHECK:       %[[IS_HIGH:.*]] = arith.cmpf ogt, %[[RAISED]], %[[HIGH:.*]] : f32
// CHECK-NEXT:  %[[X:.*]] = arith.select %[[IS_HIGH]], %[[HIGH]], %[[RAISED]] : f32
// The nearest integer, by adding and subtracting 1.5 * 2^23; its bits are those of the sum.
// CHECK-NEXT:  %[[SUM:.*]] = arith.addf %[[X]], %[[MAGIC]] : f32
// CHECK-NEXT:  %[[NEAREST:.*]] = arith.subf %[[SUM]], %[[MAGIC]] : f32
// CHECK-NEXT:  %[[BITS:.*]] = arith.bitcast %[[SUM]] : f32 to i32
// CHECK-NEXT:  %[[N:.*]] = arith.subi %[[BITS]], %[[MAGIC_BITS]] : i32
// The polynomial of the rest.
// CHECK-NEXT:  %[[REST:.*]] = arith.subf %[[X]], %[[NEAREST]] : f32
// CHECK-COUNT-6: math.fma %{{.*}}, %[[REST]], %{{.*}} : f32
// Times 2^n, in two steps.
// CHECK:       %[[HALF:.*]] = arith.shrsi %[[N]], %{{.*}} : i32
// CHECK:       arith.shli
// CHECK:       arith.mulf
// CHECK-NEXT:  arith.subi %[[N]], %[[HALF]] : i32
// CHECK:       arith.shli
// CHECK:       %[[RESULT:.*]] = arith.mulf
// CHECK-NEXT:  pipeline.yield %[[RESULT]] : f32
func.func @exp2(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %b = math.exp2 %a : f32
    pipeline.yield %b : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
