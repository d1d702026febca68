// GPU modules that cannot become PTX.

// RUN: pipeline-opt %s -to-ptx -split-input-file -verify-diagnostics

module attributes {gpu.container_module} {
  // expected-error @+1 {{gpu.module @kernels: has no #nvvm.target, expected one, as --nvvm-attach-target puts it}}
  gpu.module @kernels {
    llvm.func @f() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

// LLVM would end the process over a chip that it does not know with this version of PTX.
module attributes {gpu.container_module} {
  // expected-error @+1 {{gpu.module @kernels: unknown chip 'sm_999', expected one of sm_70, sm_72, sm_75, sm_80, }}
  gpu.module @kernels [#nvvm.target<chip = "sm_999">] {
    llvm.func @f() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  // expected-error @+1 {{gpu.module @kernels: a kernel needs 'exp' of f32, for which there is no PTX yet}}
  gpu.module @kernels [#nvvm.target<chip = "sm_90">] {
    llvm.func @__nv_expf(f32) -> f32
    llvm.func @f(%a: f32, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %0 = llvm.call @__nv_expf(%a) : (f32) -> f32
      llvm.store %0, %out : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  // expected-error @+1 {{gpu.module @kernels: a kernel calls 'elsewhere', which is not defined}}
  gpu.module @kernels [#nvvm.target<chip = "sm_90">] {
    llvm.func @elsewhere()
    llvm.func @f() attributes {gpu.kernel, nvvm.kernel} {
      llvm.call @elsewhere() : () -> ()
      llvm.return
    }
  }
}

// -----

// Kernels must be lowered first.
module attributes {gpu.container_module} {
  // expected-error @+1 {{gpu.module @kernels: the module cannot be translated to LLVM IR; is everything in it lowered to the llvm dialect?}}
  gpu.module @kernels [#nvvm.target<chip = "sm_90">] {
    // expected-error @+2 {{unsupported GPU operation: gpu.func}}
    // expected-error @+1 {{LLVM Translation failed for operation: gpu.func}}
    gpu.func @f() kernel {
      gpu.return
    }
  }
}
