// Whose mathematics: what all targets share, or the C library's.

// RUN: pipeline-translate --mlir-to-llvmir %s | FileCheck %s --check-prefixes=CHECK,SHARED
// RUN: pipeline-opt %s --pipeline-to-cpu=libm=target | pipeline-translate --mlir-to-llvmir | FileCheck %s --check-prefixes=CHECK,TARGET
// RUN: pipeline-translate --mlir-to-llvmir --libm target %s | FileCheck %s --check-prefixes=CHECK,TARGET

// CHECK-LABEL: define void @f(
// SHARED-NOT:  @llvm.exp
// SHARED:      @llvm.fma.v8f32
// SHARED-NOT:  @atanf
// TARGET:      @llvm.exp.v8f32
// TARGET:      @llvm.atan.v8f32
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %b = math.exp %a : f32
    %c = math.atan %b : f32
    pipeline.yield %c : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
