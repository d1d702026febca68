// What a kernel takes: memory, then the extents and numbers that it uses. Constants it makes itself.

// RUN: pipeline-opt %s -map-to-gpu -canonicalize -cse | FileCheck %s

// CHECK-LABEL: gpu.func @numbers_g_s(
// CHECK-SAME:    %{{[^:]*}}: memref<f32, 1> {llvm.noalias, llvm.readonly}, %{{[^:]*}}: memref<f32, 1> {llvm.noalias}, %[[B:[^:]*]]: i1, %[[F:[^:]*]]: f32) kernel
// CHECK:         arith.select %[[B]], %{{.*}}, %[[F]] : f32
// CHECK-LABEL: func.func @numbers
// CHECK-SAME:    %[[F:[^:]*]]: f32, %{{[^:]*}}: memref<8xf32>, %[[B:[^:]*]]: i1
// CHECK:         gpu.launch_func {{.*}} %[[B]] : i1, %[[F]] : f32)
func.func @numbers(%f: f32, %img: tensor<8xf32>, %b: i1, %not_used: index) -> tensor<8xf32> {
  %0 = pipeline.group "g" {
    %s = pipeline.stage "s" (%x) {
      %a = pipeline.load %img[%x] : tensor<8xf32>
      %r = arith.select %b, %a, %f : f32
      pipeline.yield %r : f32
    } : tensor<8xf32>
    pipeline.yield %s : tensor<8xf32>
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: gpu.func @constants_g_s(
// CHECK-SAME:    %{{[^:]*}}: memref<f32, 1> {llvm.noalias, llvm.readonly}, %{{[^:]*}}: memref<f32, 1> {llvm.noalias}) kernel
// CHECK-DAG:     arith.constant 5.000000e-01 : f32
// CHECK-DAG:     arith.constant 2.500000e-01 : f32
func.func @constants(%img: tensor<8xf32>) -> tensor<8xf32> {
  %half = arith.constant 0.5 : f32
  %0 = pipeline.group "g" {
    %quarter = arith.constant 0.25 : f32
    %s = pipeline.stage "s" (%x) {
      %a = pipeline.load %img[%x - 1] constant(%quarter) : tensor<8xf32>
      %v = arith.mulf %a, %half : f32
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %s : tensor<8xf32>
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Inputs in the order in which they are read, each once.
// CHECK-LABEL: gpu.func @inputs_g_b(
// CHECK-SAME:    %{{[^:]*}}: memref<i8, 1> {llvm.noalias, llvm.readonly}, %{{[^:]*}}: memref<f32, 1> {llvm.noalias, llvm.readonly}, %{{[^:]*}}: memref<f32, 1> {llvm.noalias}) kernel
func.func @inputs(%f: tensor<8xf32>, %i: tensor<8xi8>, %not_read: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      %v = pipeline.load %f[%x] : tensor<8xf32>
      %w = pipeline.load %f[%x + 1] clamp : tensor<8xf32>
      %u = arith.addf %v, %w : f32
      pipeline.yield %u : f32
    } : tensor<8xf32>
    %b = pipeline.stage "b" (%x) {
      %v = pipeline.load %i[%x] : tensor<8xi8>
      %w = pipeline.load %a[%x] : tensor<8xf32>
      %z = arith.sitofp %v : i8 to f32
      %u = arith.addf %w, %z : f32
      pipeline.yield %u : f32
    } : tensor<8xf32>
    pipeline.yield %b : tensor<8xf32>
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Conversions saturate here as in the reference.
// CHECK-LABEL: gpu.func @conversion_g_s(
// CHECK:         llvm.call_intrinsic "llvm.fptosi.sat.i8.f32"
func.func @conversion(%f: tensor<8xf32>) -> tensor<8xi8> {
  %0 = pipeline.group "g" {
    %s = pipeline.stage "s" (%x) {
      %v = pipeline.load %f[%x] : tensor<8xf32>
      %w = arith.fptosi %v : f32 to i8
      pipeline.yield %w : i8
    } : tensor<8xi8>
    pipeline.yield %s : tensor<8xi8>
  } : tensor<8xi8>
  return %0 : tensor<8xi8>
}

// A source of rank 0 is a number in memory.
// CHECK-LABEL: gpu.func @rank_0_g0_s(
// CHECK-SAME:  %[[S:[^:]*]]: memref<f32, 1>
// CHECK: %[[V:.*]] = memref.reinterpret_cast %[[S]] to offset: [0], sizes: [], strides: []
// CHECK: memref.load %[[V]][]
func.func @rank_0(%s: tensor<f32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %s[] : tensor<f32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
