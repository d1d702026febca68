// A group may hold constants: they go in front of it, out of iterates too.

// RUN: pipeline-opt %s --cpu-tile=target=zen5 --canonicalize | FileCheck %s
// RUN: pipeline-opt %s --cpu-schedule --cpu-tile=target=zen5 --canonicalize | FileCheck %s
// RUN: pipeline-opt %s --warp-tile | FileCheck %s --check-prefix=GPU

// CHECK-LABEL: @constants
// CHECK:       %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:       memref.store %[[ONE]], %{{.*}}
// GPU-LABEL:   @constants
// GPU:         warp.yield %{{.*}} : f32
func.func @constants() -> tensor<8xf32> {
  %0 = pipeline.group "g0" {
    %one = arith.constant 1.0 : f32
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %one : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @repeated
// CHECK:       %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK:       arith.mulf %{{.*}}, %[[TWO]] : f32
// GPU-LABEL:   @repeated
func.func @repeated(%img: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %0 = pipeline.iterate "again" %n (%state = %img : tensor<8xf32>) {
    %g = pipeline.group "g0" {
      %two = arith.constant 2.0 : f32
      %a = pipeline.stage "a" (%x) {
        %v = pipeline.load %state[%x] : tensor<8xf32>
        %w = arith.mulf %v, %two : f32
        pipeline.yield %w : f32
      } : tensor<8xf32>
      pipeline.yield %a : tensor<8xf32>
    } : tensor<8xf32>
    pipeline.yield %g : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}
