// The plugin in a stock mlir-opt: our dialects and passes, as in our own driver.

// RUN: %mlir_opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(fuse{strategy=all})' %s | FileCheck %s
// RUN: %mlir_opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(fuse{strategy=all})' %examples/blur.mlir -o %t.stock
// RUN: pipeline-opt -fuse=strategy=all %examples/blur.mlir | diff %t.stock -

// Without the plugin they are not known.
// RUN: not %mlir_opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: error: Dialect `pipeline' not found for custom op 'pipeline.stage'

// Verifiers come along.
// RUN: sed 's/"a" (%%x)/"" (%%x)/' %s > %t.mlir
// RUN: not %mlir_opt --load-dialect-plugin=%plugin %t.mlir 2>&1 | FileCheck %s --check-prefix=VERIFIER
// VERIFIER: error: 'pipeline.stage' op name is "", expected a string that is not empty

// Named pipelines too.
// RUN: %mlir_opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(pipeline-to-cpu)' %s | FileCheck %s --check-prefix=CPU
// CPU: llvm.func @_mlir_ciface_f(

// CHECK: pipeline.group "g0" {
// CHECK:   pipeline.stage "a"
func.func @f(%v: f32) -> tensor<8xf32> {
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %a : tensor<8xf32>
}
