// Float to integer saturates, and NaN gives 0: LLVM's own conversion is undefined there, and processors differ.

// RUN: pipeline-opt %s -convert-pipeline-to-loops | FileCheck %s

// CHECK-LABEL: @signed
func.func @signed(%img: tensor<8xf32>) -> tensor<8xi8> {
  // CHECK: %[[A:.*]] = memref.load
  // CHECK: %[[I:.*]] = llvm.call_intrinsic "llvm.fptosi.sat.i8.f32"(%[[A]]) : (f32) -> i8
  // CHECK: memref.store %[[I]]
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    %i = arith.fptosi %a : f32 to i8
    pipeline.yield %i : i8
  } : tensor<8xi8>
  return %0 : tensor<8xi8>
}

// CHECK-LABEL: @unsigned
func.func @unsigned(%img: tensor<8xf64>) -> tensor<8xi64> {
  // CHECK: llvm.call_intrinsic "llvm.fptoui.sat.i64.f64"(%{{.*}}) : (f64) -> i64
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf64>
    %i = arith.fptoui %a : f64 to i64
    pipeline.yield %i : i64
  } : tensor<8xi64>
  return %0 : tensor<8xi64>
}

// A half is a single first.
// CHECK-LABEL: @half
func.func @half(%img: tensor<8xf16>) -> tensor<8xi16> {
  // CHECK: %[[F:.*]] = arith.extf %{{.*}} : f16 to f32
  // CHECK: llvm.call_intrinsic "llvm.fptosi.sat.i16.f32"(%[[F]]) : (f32) -> i16
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf16>
    %i = arith.fptosi %a : f16 to i16
    pipeline.yield %i : i16
  } : tensor<8xi16>
  return %0 : tensor<8xi16>
}

// CHECK-LABEL: @in_a_branch
func.func @in_a_branch(%img: tensor<8xf32>, %c: i1, %v: i8) -> tensor<8xi8> {
  // CHECK: scf.if
  // CHECK:   llvm.call_intrinsic "llvm.fptosi.sat.i8.f32"
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    %r = scf.if %c -> i8 {
      %i = arith.fptosi %a : f32 to i8
      scf.yield %i : i8
    } else {
      scf.yield %v : i8
    }
    pipeline.yield %r : i8
  } : tensor<8xi8>
  return %0 : tensor<8xi8>
}

// Integers to floats are exact or rounded everywhere alike.
// CHECK-LABEL: @other_way
func.func @other_way(%img: tensor<8xi8>) -> tensor<8xf32> {
  // CHECK: arith.uitofp
  // CHECK: return
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xi8>
    %f = arith.uitofp %a : i8 to f32
    pipeline.yield %f : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
