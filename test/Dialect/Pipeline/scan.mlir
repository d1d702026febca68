// Scans: every variant of the syntax, printed as it was written.

// RUN: pipeline-opt %s | pipeline-opt | FileCheck %s
// RUN: pipeline-opt %s --mlir-print-op-generic | pipeline-opt | FileCheck %s

// CHECK-LABEL: @forwards
func.func @forwards(%img: tensor<8x9xf32>, %zero: f32) -> tensor<8x9xf32> {
  // CHECK:      %sums = pipeline.scan "sums" (%y, %x) along 1 {
  // CHECK-NEXT:   %[[P:.*]] = pipeline.previous 1 or %{{.*}} : f32
  // CHECK:        pipeline.yield %{{.*}} : f32
  // CHECK-NEXT: } : tensor<8x9xf32>
  %0 = pipeline.scan "sums" (%y, %x) along 1 {
    %p = pipeline.previous 1 or %zero : f32
    %a = pipeline.load %img[%y, %x] : tensor<8x9xf32>
    %v = arith.addf %p, %a : f32
    pipeline.yield %v : f32
  } : tensor<8x9xf32>
  return %0 : tensor<8x9xf32>
}

// CHECK-LABEL: @backwards
// CHECK-SAME: %[[H:[^:]*]]: index, %[[W:[^:]*]]: index
func.func @backwards(%h: index, %w: index, %zero: f32, %one: i8) -> (tensor<?x?xf32>, tensor<?x?xi8>) {
  // CHECK:      %s:2 = pipeline.scan "s" (%y, %x) along 0 backward {
  // CHECK-NEXT:   pipeline.previous 2 or %{{.*}} : f32
  // CHECK-NEXT:   pipeline.previous 1 of 1 or %{{.*}} : i8
  // CHECK:      } sized(%[[H]], %[[W]]) in [0, ?) x [1, 4) : tensor<?x?xf32>, tensor<?x?xi8>
  %0:2 = pipeline.scan "s" (%y, %x) along 0 backward {
    %p = pipeline.previous 2 of 0 or %zero : f32
    %q = pipeline.previous 1 of 1 or %one : i8
    pipeline.yield %p, %q : f32, i8
  } sized(%h, %w) in [0, ?) x [1, 4) : tensor<?x?xf32>, tensor<?x?xi8>
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xi8>
}

// A value before may be wanted in one case only.
// CHECK-LABEL: @in_a_branch
func.func @in_a_branch(%zero: f32) -> tensor<8xf32> {
  // CHECK: scf.if
  // CHECK:   pipeline.previous 3 or %{{.*}} : f32
  %0 = pipeline.scan "s" (%x) along 0 {
    %three = arith.constant 3 : index
    %c = arith.cmpi sgt, %x, %three : index
    %v = scf.if %c -> f32 {
      %p = pipeline.previous 3 or %zero : f32
      scf.yield %p : f32
    } else {
      scf.yield %zero : f32
    }
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
