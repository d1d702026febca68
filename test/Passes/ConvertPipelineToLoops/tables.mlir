// A constant that stages read is a global of the module, one for each program.

// RUN: pipeline-opt %s --convert-pipeline-to-loops | FileCheck %s

// CHECK: memref.global "private" constant @f_weights : memref<3xf32> = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> {alignment = 64 : i64}
// CHECK: memref.global "private" constant @f_table : memref<2x2xi8> = dense<{{\[}}[1, -2], [3, 4]]>
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[OUT:.*]]: memref<3xf32>, %[[BYTES:.*]]: memref<2x2xi8
// CHECK-NOT: dense
// CHECK-DAG: %[[W:.*]] = memref.get_global @f_weights : memref<3xf32>
// CHECK-DAG: %[[T:.*]] = memref.get_global @f_table : memref<2x2xi8>
// CHECK: scf.for %[[X:.*]] =
// CHECK:   %[[V:.*]] = memref.load %[[W]][%[[X]]]
// CHECK:   memref.store %[[V]], %[[OUT]]
// CHECK: memref.load %[[T]]
// CHECK-NOT: dealloc
func.func @f() -> (tensor<3xf32>, tensor<2x2xi8>) {
  %w = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32> loc("weights")
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %w[%x] : tensor<3xf32>
    pipeline.yield %0 : f32
  } : tensor<3xf32>
  %t = arith.constant dense<[[1, -2], [3, 4]]> : tensor<2x2xi8>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %t[%x, %y] : tensor<2x2xi8>
    pipeline.yield %0 : i8
  } : tensor<2x2xi8>
  return %a, %b : tensor<3xf32>, tensor<2x2xi8>
}

// One in the body of a stage, or of a reduce in it, is one of the program.
// CHECK: memref.global "private" constant @inside_table : memref<2xf32>
// CHECK: memref.global "private" constant @inside_table_1 : memref<3xf32>
// CHECK-LABEL: func.func @inside(
// CHECK-DAG: memref.get_global @inside_table : memref<2xf32>
// CHECK-DAG: memref.get_global @inside_table_1 : memref<3xf32>
// CHECK: scf.for
// CHECK-NOT: dense
func.func @inside(%img: tensor<8xf32>) -> tensor<8xf32> {
  %a = pipeline.stage "a" (%x) {
    %t = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %0 = pipeline.load %t[%x mod 2] : tensor<2xf32>
    %1 = pipeline.reduce (%i) in [0, 3) (%sum = %0 : f32) {
      %w = arith.constant dense<[3.0, 4.0, 5.0]> : tensor<3xf32>
      %2 = pipeline.load %w[%i] : tensor<3xf32>
      %3 = pipeline.load %img[%x + %i] clamp : tensor<8xf32>
      %4 = arith.mulf %2, %3 : f32
      %5 = arith.addf %sum, %4 : f32
      pipeline.yield %5 : f32
    } : f32
    pipeline.yield %1 : f32
  } : tensor<8xf32>
  return %a : tensor<8xf32>
}

// Its extents are known; one in a group, or in the body of an iterate, is one of the program.
// CHECK: memref.global "private" constant @g_table : memref<4xf32>
// CHECK: memref.global "private" constant @g_table_1 : memref<2xf32>
// CHECK-LABEL: func.func @g(
// CHECK: scf.for
func.func @g(%img: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = pipeline.iterate "steps" %n (%s = %img : tensor<4xf32>) {
    %t = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    %g = pipeline.group "g" {
      %w = arith.constant dense<[0.5, 0.25]> : tensor<2xf32>
      %a = pipeline.stage "a" (%x) {
        %0 = pipeline.load %s[%x] : tensor<4xf32>
        %1 = pipeline.load %t[%x] : tensor<4xf32>
        %2 = pipeline.load %w[%x floordiv 2] : tensor<2xf32>
        %3 = math.fma %0, %2, %1 : f32
        pipeline.yield %3 : f32
      } : tensor<4xf32>
      pipeline.yield %a : tensor<4xf32>
    } : tensor<4xf32>
    pipeline.yield %g : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK: memref.global "private" constant @h_table
// CHECK-LABEL: func.func @h(
// CHECK: %[[N:.*]] = arith.constant 3 : index
// CHECK: scf.for {{.*}} to %[[N]]
func.func @h() -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %w = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %n = tensor.dim %w, %c0 : tensor<3xf32>
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %w[%x] : tensor<3xf32>
    pipeline.yield %0 : f32
  } sized(%n) : tensor<?xf32>
  return %a : tensor<?xf32>
}
