// PTX text of a kernel that is in the llvm dialect already.

// RUN: pipeline-opt %s -to-ptx | pipeline-opt | FileCheck %s
// RUN: pipeline-opt %s -to-ptx | pipeline-translate --mlir-to-ptx | FileCheck %s --check-prefix=PTX

module attributes {gpu.container_module} {
  // CHECK:      gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_80">, assembly = "
  // CHECK-NOT:  llvm.func
  // PTX:        .version 8.0
  // PTX:        .target sm_80
  // PTX:        .visible .entry copy(
  // PTX:        .reqntid 32, 8, 1
  // PTX:        ld.global.nc.b32
  // PTX:        st.global.b32
  // PTX:        ret;
  gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_80">] {
    llvm.func @copy(%in: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %out: !llvm.ptr<1> {llvm.noalias})
        attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 8, 1>} {
      %0 = llvm.load %in : !llvm.ptr<1> -> f32
      llvm.store %0, %out : f32, !llvm.ptr<1>
      llvm.return
    }
  }

  // The target's chip is optional in MLIR.
  // CHECK: gpu.binary @default_chip
  // PTX:   .target sm_75
  gpu.module @default_chip [#nvvm.target] {
    llvm.func @nothing() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }

  // CHECK: func.func @stays
  func.func @stays() {
    return
  }
}
