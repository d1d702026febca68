// For a machine as many steps become one as cost least there, those that are left over counted.

// RUN: pipeline-opt --time-tile="steps=8 target=zen5" --split-input-file %s | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: pipeline-opt --time-tile="steps=8 target=v100" --split-input-file %s | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: not pipeline-opt --time-tile="target=z80" %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not pipeline-opt --time-tile="target=%t.none.toml" %s 2>&1 | FileCheck %s --check-prefix=FILE
// NONE: option 'target': 'z80' is not known, expected a CPU (host, {{.*}}zen5{{.*}}) or a GPU ({{.*}}v100,{{.*}})
// FILE: option 'target': {{.*}}none.toml: cannot be read: No such file

// Memory is what a step costs. Five divides twenty.
// CHECK-LABEL: @light
// CHECK: pipeline.iterate "heat" %{{.*}}
// CHECK: pipeline.stage "step_4"
// CHECK-NOT: step_5
// CHECK: pipeline.yield
// CHECK-NOT: pipeline.iterate
func.func @light(%img: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %n = arith.constant 20 : index
  %last = pipeline.iterate "heat" %n (%u = %img : tensor<4096x4096xf32>) {
    %next = pipeline.stage "step" (%y, %x) {
      %a = pipeline.load %u[%y - 1, %x] clamp : tensor<4096x4096xf32>
      %b = pipeline.load %u[%y + 1, %x] clamp : tensor<4096x4096xf32>
      %v = arith.addf %a, %b : f32
      pipeline.yield %v : f32
    } : tensor<4096x4096xf32>
    pipeline.yield %next : tensor<4096x4096xf32>
  }
  return %last : tensor<4096x4096xf32>
}

// -----

// Coordinates that wrap have no tiles of several steps on a CPU.
// CHECK-LABEL: @around
// CHECK: pipeline.stage "step"
// CPU-NOT: step_1
// GPU: pipeline.stage "step_1"
func.func @around(%img: tensor<4096x4096xf32>, %n: index) -> tensor<4096x4096xf32> {
  %last = pipeline.iterate "heat" %n (%u = %img : tensor<4096x4096xf32>) {
    %next = pipeline.stage "step" (%y, %x) {
      %a = pipeline.load %u[%y - 1, %x] wrap : tensor<4096x4096xf32>
      %b = pipeline.load %u[%y + 1, %x] wrap : tensor<4096x4096xf32>
      %v = arith.addf %a, %b : f32
      pipeline.yield %v : f32
    } : tensor<4096x4096xf32>
    pipeline.yield %next : tensor<4096x4096xf32>
  }
  return %last : tensor<4096x4096xf32>
}

// -----

// A state that becomes another one is followed; one that comes from elsewhere is left alone.
// CHECK-LABEL: @swap
// CHECK: pipeline.stage "next_1"
// CHECK-LABEL: @fixed
// CHECK-NOT: next_1
// CHECK: return
func.func @swap(%img: tensor<4096x4096xf32>, %before: tensor<4096x4096xf32>, %n: index) -> tensor<4096x4096xf32> {
  %last:2 = pipeline.iterate "wave" %n (%p = %before : tensor<4096x4096xf32>, %q = %img : tensor<4096x4096xf32>) {
    %next = pipeline.stage "next" (%y, %x) {
      %a = pipeline.load %p[%y, %x] : tensor<4096x4096xf32>
      %b = pipeline.load %q[%y + 1, %x] clamp : tensor<4096x4096xf32>
      %v = arith.addf %a, %b : f32
      pipeline.yield %v : f32
    } : tensor<4096x4096xf32>
    pipeline.yield %q, %next : tensor<4096x4096xf32>, tensor<4096x4096xf32>
  }
  return %last#1 : tensor<4096x4096xf32>
}
func.func @fixed(%img: tensor<64x64xf32>, %other: tensor<64x64xf32>, %n: index) -> tensor<64x64xf32> {
  %last = pipeline.iterate "odd" %n (%p = %img : tensor<64x64xf32>) {
    %next = pipeline.stage "next" (%y, %x) {
      %a = pipeline.load %p[%y, %x] : tensor<64x64xf32>
      pipeline.yield %a : f32
    } : tensor<64x64xf32>
    pipeline.yield %other : tensor<64x64xf32>
  }
  return %last : tensor<64x64xf32>
}
