// Dynamic extents: kernels take them, strides and the grid are computed from them, checks stay on the host.

// RUN: pipeline-opt %s -map-to-gpu -canonicalize -cse | FileCheck %s

// CHECK-LABEL: func.func @f_extents
// CHECK-LABEL: gpu.func @f_g_a(
// CHECK-LABEL: gpu.func @f_h_b(
// CHECK-SAME:    %[[IN:[^:]*]]: memref<f32, 1> {llvm.noalias, llvm.readonly}, %[[OUT:[^:]*]]: memref<f32, 1> {llvm.noalias}, %[[H:[^:]*]]: index, %[[W:[^:]*]]: index) kernel
// CHECK-DAG:     memref.reinterpret_cast %[[IN]] to offset: [0], sizes: [%[[H]], %[[W]]], strides: [%[[W]], 1]
// CHECK-DAG:     memref.reinterpret_cast %[[OUT]] to offset: [0], sizes: [%[[H]], %[[W]]], strides: [%[[W]], 1]
// CHECK-DAG:     %[[LAST_Y:.*]] = arith.addi %[[H]], %{{.*}} : index
// CHECK-DAG:     %[[LAST_X:.*]] = arith.addi %[[W]], %{{.*}} : index
// CHECK:         arith.cmpi sle, %{{.*}}, %[[LAST_Y]] : index
// CHECK:         arith.cmpi sle, %{{.*}}, %[[LAST_X]] : index
// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[IMG:[^:]*]]: memref<?x?xf32>, %{{[^:]*}}: memref<?x?xf32>
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG:     %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG:     %[[H:.*]] = memref.dim %[[IMG]], %[[C0]]
// CHECK-DAG:     %[[W:.*]] = memref.dim %[[IMG]], %[[C1]]
// CHECK:         cf.assert
// CHECK:         gpu.alloc (%[[H]], %[[W]]) : memref<?x?xf32>
// CHECK-DAG:     %[[BLOCKS_Y:.*]] = arith.ceildivsi %[[H]], %[[C8]] : index
// CHECK-DAG:     %[[BLOCKS_X:.*]] = arith.ceildivsi %[[W]], %[[C32]] : index
// CHECK:         gpu.launch_func @f_kernels::@f_g_a blocks in (%[[BLOCKS_X]], %[[BLOCKS_Y]], %[[C1]])
// CHECK:         gpu.launch_func @f_kernels::@f_h_b
// CHECK-SAME:      %[[H]] : index, %[[W]] : index)
// CHECK:         gpu.dealloc
func.func @f(%img: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %0 = pipeline.group "g" {
    %a = pipeline.stage "a" (%y, %x) {
      %v = pipeline.load %img[%y - 1, %x] clamp : tensor<?x?xf32>
      pipeline.yield %v : f32
    } sized(%h, %w) : tensor<?x?xf32>
    pipeline.yield %a : tensor<?x?xf32>
  } : tensor<?x?xf32>
  %1 = pipeline.group "h" {
    %b = pipeline.stage "b" (%y, %x) {
      %v = pipeline.load %0[%y - 1, %x] clamp : tensor<?x?xf32>
      pipeline.yield %v : f32
    } sized(%h, %w) : tensor<?x?xf32>
    pipeline.yield %b : tensor<?x?xf32>
  } : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// A stride behind two extents, of which one is known.
// CHECK-LABEL: gpu.func @strides_g_s(
// CHECK-SAME:    %[[OUT:[^:]*]]: memref<f32, 1> {llvm.noalias}, %[[N:[^:]*]]: index
// CHECK-DAG:     %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG:     %[[STRIDE:.*]] = arith.muli %[[N]], %[[C3]] : index
// CHECK:         memref.reinterpret_cast %[[OUT]] to offset: [0], sizes: [2, %[[N]], 3], strides: [%[[STRIDE]], 3, 1]
func.func @strides(%v: f32, %n: index) -> tensor<2x?x3xf32> {
  %0 = pipeline.group "g" {
    %s = pipeline.stage "s" (%c, %y, %x) {
      pipeline.yield %v : f32
    } sized(%n) : tensor<2x?x3xf32>
    pipeline.yield %s : tensor<2x?x3xf32>
  } : tensor<2x?x3xf32>
  return %0 : tensor<2x?x3xf32>
}
