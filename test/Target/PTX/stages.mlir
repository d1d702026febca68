// PTX with lines of the source says the stage where another one begins. Code of a stage that is computed where it is read stays that
// stage's; what is of none is the kernel's.

// RUN: pipeline-opt %s "--pipeline-to-ptx=lines=true strategy=all" | pipeline-translate --mlir-to-ptx - -o %t.ptx
// RUN: FileCheck %s --check-prefixes=CHECK,WARP < %t.ptx
// RUN: pipeline-opt %s "--pipeline-to-ptx=lines=true strategy=all tiling=none" | pipeline-translate --mlir-to-ptx - | FileCheck %s

// Nothing else is different.
// RUN: pipeline-opt %s "--pipeline-to-ptx=strategy=all" | pipeline-translate --mlir-to-ptx - -o %t.plain
// RUN: not grep "// a" %t.plain
// RUN: grep "^.[a-z].*;" %t.plain > %t.plain-code
// RUN: grep "^.[a-z].*;" %t.ptx | diff %t.plain-code -

// CHECK: .visible .entry f_g0
func.func @f(%img: tensor<4096x4096xf32>, %other: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  // WARP: .loc 1 [[#@LINE-1]] 1 // f_g0
  %half = arith.constant 5.000000e-01 : f32
  %0 = pipeline.stage "a b" (%y, %x) {
    // CHECK:      .loc 1 [[#@LINE+1]] 10 // a b
    %v = pipeline.load %img[%y, %x] : tensor<4096x4096xf32>
    // CHECK:      .loc 1 [[#@LINE+2]] 10{{$}}
    // CHECK-NEXT: mul.rn.f32
    %w = arith.mulf %v, %half : f32
    pipeline.yield %w : f32
  } : tensor<4096x4096xf32>
  %1 = pipeline.stage "c" (%y, %x) {
    %l = pipeline.load %0[%y, %x] : tensor<4096x4096xf32>
    // CHECK:      .loc 1 [[#@LINE+1]] 10 // c
    %r = pipeline.load %other[%y, %x] : tensor<4096x4096xf32>
    // CHECK:      .loc 1 [[#@LINE+2]] 10{{$}}
    // CHECK-NEXT: sub.rn.f32
    %v = arith.subf %l, %r : f32
    pipeline.yield %v : f32
  } : tensor<4096x4096xf32>
  return %1 : tensor<4096x4096xf32>
}
