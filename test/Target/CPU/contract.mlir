// Products that join sums: on the CPU and in the reference alike.

// RUN: pipeline-opt %s --pipeline-to-cpu | pipeline-translate --mlir-to-llvmir | FileCheck %s --check-prefixes=CHECK,ON
// RUN: pipeline-translate --mlir-to-llvmir %s | FileCheck %s --check-prefixes=CHECK,ON
// RUN: pipeline-translate --mlir-to-llvmir --contract false %s | FileCheck %s --check-prefixes=CHECK,OFF

// CHECK-LABEL: define void @f(
// ON:          call <8 x half> @llvm.fma.v8f16(
// ON:          call <8 x float> @llvm.fma.v8f32(
// OFF-NOT:     llvm.fma
// OFF-DAG:     fmul <8 x half>
// OFF-DAG:     fmul <8 x float>
// OFF-DAG:     fadd <8 x half>
// OFF-DAG:     fadd <8 x float>
func.func @f(%x: tensor<8xf16>, %y: tensor<8xf32>) -> (tensor<8xf16>, tensor<8xf32>) {
  %0:2 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf16>
    %b = pipeline.load %y[%i] : tensor<8xf32>
    %p = arith.mulf %a, %a : f16
    %q = arith.mulf %b, %b : f32
    %s = arith.addf %p, %a : f16
    %t = arith.addf %q, %b : f32
    pipeline.yield %s, %t : f16, f32
  } : tensor<8xf16>, tensor<8xf32>
  return %0#0, %0#1 : tensor<8xf16>, tensor<8xf32>
}
