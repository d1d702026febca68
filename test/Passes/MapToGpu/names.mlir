// Names of kernels and of their module are fresh, and can stand in PTX.
// RUN: pipeline-opt --map-to-gpu %s | FileCheck %s
// RUN: pipeline-opt --pipeline-to-ptx=tiling=none %s | FileCheck %s --check-prefix=PTX

// Two groups with the same name, and stages with the same name.
// CHECK: gpu.module @same_kernels {
// CHECK: gpu.func @same_g_a(
// CHECK: gpu.func @same_g_a_1(
// CHECK: gpu.launch_func @same_kernels::@same_g_a
// CHECK: gpu.launch_func @same_kernels::@same_g_a_1
func.func @same(%v: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  %1 = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

func.func private @odd_name_kernels()

// CHECK: gpu.module @odd_name_kernels_1 {
// CHECK: gpu.func @odd_name_g0_a_b(
// PTX: .visible .entry odd_name_g0_a_b(
func.func @"odd name"(%v: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "a-b" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
