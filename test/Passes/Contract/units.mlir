// Bodies of scans and scatters are contracted as those of stages are.

// RUN: pipeline-opt %s --contract | FileCheck %s

// CHECK-LABEL: @f
func.func @f(%img: tensor<8xf32>, %k: f32, %z: index) -> (tensor<8xf32>, tensor<4xf32>) {
  // CHECK: pipeline.scan
  // CHECK:   %[[P:.*]] = pipeline.previous
  // CHECK:   %[[V:.*]] = math.fma %[[P]], %{{.*}}, %{{.*}} : f32
  // CHECK:   pipeline.yield %[[V]]
  %0 = pipeline.scan "s" (%x) along 0 {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    %p = pipeline.previous 1 or %k : f32
    %m = arith.mulf %p, %k : f32
    %v = arith.addf %m, %a : f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  // A product that is combined is no product of a sum: what is there is joined with a rounded value.
  // CHECK: pipeline.scatter
  // CHECK:   %[[M:.*]] = arith.mulf
  // CHECK:   pipeline.update %[[M]]
  %1 = pipeline.scatter "t" () over (%x) in [0, 8) from(%k : f32) combine "arith.addf" {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    %m = arith.mulf %a, %k : f32
    pipeline.update %m at [%z] : f32
  } : tensor<4xf32>
  return %0, %1 : tensor<8xf32>, tensor<4xf32>
}
