// How long the code of rows that are computed together is: what is the same for all of them, as the weights of a layer are, is loaded once.

// RUN: pipeline-opt %s --unroll-reductions --cpu-tile=target=zen4 --canonicalize --cse | FileCheck %s

// 30 products a point, 120 and as many loads of four, and 30 of weights; these for two vectors, which share what is spread over their lanes.
// CHECK-LABEL: @layer
// CHECK: scf.for %{{.*}} step %c4
// CHECK:   scf.for
// CHECK-COUNT-30: memref.load %weights
// CHECK-NOT: memref.load %weights
// CHECK-COUNT-4: memref.store
// CHECK: {weft.lanes = 32 : i64, weft.registers = 2 : i64, weft.wide}
func.func @layer(%img: tensor<64x96x30xf32>, %weights: tensor<30x32xf32> {weft.name = "weights"}, %zero: f32) -> tensor<64x96x32xf32> {
  %out = pipeline.stage "a" (%y, %x, %o) {
    %0 = pipeline.reduce (%r) in [0, 30) (%acc = %zero : f32) {
      %1 = pipeline.load %img[%y, %x, %r] : tensor<64x96x30xf32>
      %2 = pipeline.load %weights[%r, %o] : tensor<30x32xf32>
      %3 = math.fma %1, %2, %acc : f32
      pipeline.yield %3 : f32
    } : f32
    pipeline.yield %0 : f32
  } : tensor<64x96x32xf32>
  return %out : tensor<64x96x32xf32>
}
