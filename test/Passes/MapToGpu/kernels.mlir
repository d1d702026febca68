// Kernels: one for each live-out of a group, launched in order.

// RUN: pipeline-opt %s -map-to-gpu -canonicalize -cse | FileCheck %s

// CHECK: module attributes {gpu.container_module} {

// CHECK-LABEL: gpu.module @one_kernels {
// CHECK:         gpu.func @one_g_s(%[[IMG:.*]]: memref<f32, 1> {llvm.noalias, llvm.readonly}, %[[OUT:.*]]: memref<f32, 1> {llvm.noalias}) kernel
// CHECK-SAME:      nvvm.reqntid = array<i32: 32, 8, 1>
// CHECK-DAG:       %[[SOURCE:.*]] = memref.reinterpret_cast %[[IMG]] to offset: [0], sizes: [8, 9], strides: [9, 1]
// CHECK-DAG:       %[[TARGET:.*]] = memref.reinterpret_cast %[[OUT]] to offset: [0], sizes: [8, 9], strides: [9, 1]
// CHECK:           %[[A:.*]] = memref.load %[[SOURCE]][%[[Y:.*]], %[[X:.*]]]
// CHECK:           %[[V:.*]] = arith.addf %[[A]], %[[A]] : f32
// CHECK:           memref.store %[[V]], %[[TARGET]][%[[Y]], %[[X]]]
// CHECK:           gpu.return
// CHECK-LABEL: func.func @one
// CHECK-SAME:  (%[[IMG:.*]]: memref<8x9xf32>, %[[OUT:.*]]: memref<8x9xf32>) {
func.func @one(%img: tensor<8x9xf32>) -> tensor<8x9xf32> {
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
  // CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
  // CHECK-DAG: %[[IMG_0:.*]] = memref.reinterpret_cast %[[IMG]] to offset: [0], sizes: [], strides: []
  // CHECK-DAG: %[[IMG_1:.*]] = memref.memory_space_cast %[[IMG_0]] : memref<f32> to memref<f32, 1>
  // CHECK-DAG: %[[OUT_0:.*]] = memref.reinterpret_cast %[[OUT]] to offset: [0], sizes: [], strides: []
  // CHECK-DAG: %[[OUT_1:.*]] = memref.memory_space_cast %[[OUT_0]] : memref<f32> to memref<f32, 1>
  // CHECK:     gpu.launch_func @one_kernels::@one_g_s blocks in (%[[C1]], %[[C1]], %[[C1]]) threads in (%[[C32]], %[[C8]], %[[C1]])
  // CHECK-SAME:  args(%[[IMG_1]] : memref<f32, 1>, %[[OUT_1]] : memref<f32, 1>)
  // CHECK:     return
  %0 = pipeline.group "g" {
    %s = pipeline.stage "s" (%y, %x) {
      %a = pipeline.load %img[%y, %x] : tensor<8x9xf32>
      %v = arith.addf %a, %a : f32
      pipeline.yield %v : f32
    } : tensor<8x9xf32>
    pipeline.yield %s : tensor<8x9xf32>
  } : tensor<8x9xf32>
  return %0 : tensor<8x9xf32>
}

// CHECK-LABEL: gpu.module @live_outs_kernels {
// CHECK:         gpu.func @live_outs_g_a(
// CHECK:         gpu.func @live_outs_g_b(
// CHECK-LABEL: func.func @live_outs
func.func @live_outs(%v: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NOT: gpu.alloc
  // CHECK:     gpu.launch_func @live_outs_kernels::@live_outs_g_a
  // CHECK:     gpu.launch_func @live_outs_kernels::@live_outs_g_b
  %0:2 = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    %b = pipeline.stage "b" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a, %b : tensor<8xf32>, tensor<8xf32>
  } : tensor<8xf32>, tensor<8xf32>
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// All results of one stage are stored by one kernel, each that leaves the group.
// CHECK-LABEL: gpu.module @results_kernels {
// CHECK:         gpu.func @results_g_a(%[[F:.*]]: memref<f32, 1> {llvm.noalias}, %[[I:.*]]: memref<i8, 1> {llvm.noalias}
// CHECK-COUNT-2:   memref.store
// CHECK-NOT:       memref.store
// CHECK-NOT:     gpu.func
// CHECK-LABEL: func.func @results
func.func @results(%v: f32, %i: i8) -> (tensor<8xi8>, tensor<8xf32>) {
  %0:2 = pipeline.group "g" {
    %a:3 = pipeline.stage "a" (%x) {
      pipeline.yield %v, %i, %v : f32, i8, f32
    } : tensor<8xf32>, tensor<8xi8>, tensor<8xf32>
    pipeline.yield %a#2, %a#1 : tensor<8xf32>, tensor<8xi8>
  } : tensor<8xf32>, tensor<8xi8>
  return %0#1, %0#0 : tensor<8xi8>, tensor<8xf32>
}

// What one group makes and another reads lies in the memory of the GPU.
// CHECK-LABEL: gpu.module @two_groups_kernels {
// CHECK-LABEL: func.func @two_groups
// CHECK-SAME:  (%{{.*}}: memref<8xf32>, %[[OUT:.*]]: memref<8xf32>) {
func.func @two_groups(%img: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK:      %[[A:.*]] = gpu.alloc () : memref<8xf32>
  // CHECK-DAG:  %[[A_0:.*]] = memref.reinterpret_cast %[[A]] to
  // CHECK-DAG:  %[[A_1:.*]] = memref.memory_space_cast %[[A_0]] :
  // CHECK:      gpu.launch_func @two_groups_kernels::@two_groups_g_a {{.*}} args(%{{.*}} : memref<f32, 1>, %[[A_1]] : memref<f32, 1>)
  // CHECK:      gpu.launch_func @two_groups_kernels::@two_groups_h_b {{.*}} args(%[[A_1]] : memref<f32, 1>, %{{.*}} : memref<f32, 1>)
  // CHECK:      gpu.dealloc %[[A]] : memref<8xf32>
  // CHECK-NEXT: return
  %0 = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      %1 = pipeline.load %img[%x] : tensor<8xf32>
      pipeline.yield %1 : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  %1 = pipeline.group "h" {
    %b = pipeline.stage "b" (%x) {
      %2 = pipeline.load %0[%x] : tensor<8xf32>
      pipeline.yield %2 : f32
    } : tensor<8xf32>
    pipeline.yield %b : tensor<8xf32>
  } : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Stages that were not fused get a group, and a kernel, each.
// CHECK-LABEL: gpu.module @no_groups_kernels {
// CHECK:         gpu.func @no_groups_g0_a(
// CHECK:         gpu.func @no_groups_g1_b(
// CHECK-LABEL: func.func @no_groups
func.func @no_groups(%v: f32) -> tensor<8xf32> {
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x] : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  return %b : tensor<8xf32>
}

// What a symbol of PTX cannot hold becomes an underscore.
// CHECK-LABEL: gpu.module @names_kernels {
// CHECK:         gpu.func @names_my_group_blur_x_1__(
// CHECK-LABEL: func.func @names
func.func @names(%v: f32) -> tensor<8xf32> {
  %0 = pipeline.group "my group" {
    %a = pipeline.stage "blur-x.1 é" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a : tensor<8xf32>
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
