// What there is no PTX for: one message that names it, and no half-written file.

// RUN: pipeline-opt %s --pipeline-to-ptx -split-input-file -verify-diagnostics
// RUN: rm -f %t.ptx
// RUN: not pipeline-translate %s --mlir-to-ptx -o %t.ptx 2>&1 | FileCheck %s
// RUN: not ls %t.ptx

// CHECK: error: gpu.module @erf_kernels: a kernel needs 'erf' of f32

// expected-error @+1 {{gpu.module @erf_kernels: a kernel needs 'erf' of f32, for which there is no PTX yet}}
func.func @erf(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    %v = math.erf %a : f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// expected-error @+1 {{gpu.module @atanh_kernels: a kernel needs 'atanh' of f64, for which there is no PTX yet}}
func.func @atanh(%img: tensor<8xf64>) -> tensor<8xf64> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf64>
    %v = math.atanh %a : f64
    pipeline.yield %v : f64
  } : tensor<8xf64>
  return %0 : tensor<8xf64>
}

// -----

// What LLVM itself finds wrong, which would end the process.
module attributes {gpu.container_module} {
  // expected-error @+1 {{gpu.module @kernels: can't parse integer attribute -2147483648 in nvvm.reqntid}}
  gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
    llvm.func @copy() attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 8, 2147483648>} {
      llvm.return
    }
  }
}
