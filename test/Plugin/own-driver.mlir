// The plugin loaded into our own driver, which has all of it already: nothing happens twice.

// RUN: pipeline-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %s -fuse=strategy=all | FileCheck %s
// RUN: pipeline-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(fuse{strategy=none})' \
// RUN:   | FileCheck %s
// RUN: pipeline-opt --load-pass-plugin=%plugin %s -fuse=strategy=all | FileCheck %s

// CHECK: pipeline.group "g0" {
// CHECK:   pipeline.stage "a"
func.func @f(%v: f32) -> tensor<8xf32> {
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %a : tensor<8xf32>
}
