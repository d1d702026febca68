// A stage that is a reduce and reads memory alone: threads compute several points, whose sums are in registers.

// RUN: pipeline-opt %s -split-input-file --infer-bounds --fuse="target=h100 schedules=true" | FileCheck %s
// RUN: pipeline-opt %s -split-input-file --infer-bounds --fuse="target=h100 schedules=true" --warp-tile | FileCheck %s --check-prefix=KERNEL
// RUN: pipeline-opt %s -split-input-file --infer-bounds --fuse="target=v100-pact20 schedules=true" | FileCheck %s --check-prefix=PAPER

// The paper's model knows no cycles, and no such kernels.
// PAPER-NOT: scope = "thread"

// CHECK: pipeline.group "g0" schedule {block = array<i64: 4, 32>, scope = "thread", tile = array<i64: 8, 4>}
// KERNEL: gpu.func @product_g0{{.*}} nvvm.reqntid = array<i32: 32, 4, 1>
func.func @product(%a: tensor<1024x256xf32>, %b: tensor<256x1024xf32>) -> tensor<1024x1024xf32> {
  %c = pipeline.stage "c" (%y, %x) {
    %zero = arith.constant 0.0 : f32
    %sum = pipeline.reduce (%k) in [0, 256) (%acc = %zero : f32) {
      %l = pipeline.load %a[%y, %k] : tensor<1024x256xf32>
      %r = pipeline.load %b[%k, %x] : tensor<256x1024xf32>
      %next = math.fma %l, %r, %acc : f32
      pipeline.yield %next : f32
    } : f32
    pipeline.yield %sum : f32
  } : tensor<1024x1024xf32>
  return %c : tensor<1024x1024xf32>
}

// -----

// Warps of other planes, which read the same rows, share a block.
// CHECK: pipeline.group "g0" schedule {block = array<i64: 2, 2, 32>, scope = "thread", tile = array<i64: 8, 4, 1>}
// KERNEL: gpu.func @layer_g0{{.*}} nvvm.reqntid = array<i32: 32, 2, 2>
func.func @layer(%img: tensor<16x512x512xf32>, %weights: tensor<16x16x3x3xf32>) -> tensor<16x512x512xf32> {
  %out = pipeline.stage "out" (%c, %y, %x) {
    %zero = arith.constant 0.0 : f32
    %sum = pipeline.reduce (%rc, %ry, %rx) in [0, 16) x [0, 3) x [0, 3) (%acc = %zero : f32) {
      %w = pipeline.load %weights[%c, %rc, %ry, %rx] : tensor<16x16x3x3xf32>
      %v = pipeline.load %img[%rc, %y + %ry - 1, %x + %rx - 1] constant(%zero) : tensor<16x512x512xf32>
      %next = math.fma %w, %v, %acc : f32
      pipeline.yield %next : f32
    } : f32
    pipeline.yield %sum : f32
  } : tensor<16x512x512xf32>
  return %out : tensor<16x512x512xf32>
}

// -----

// Of four dimensions planes are blocks.
// CHECK: pipeline.group "g0" schedule {block = array<i64: 1, 1, 4, 32>, scope = "thread", tile = array<i64: 1, 8, 4, 1>}
// KERNEL: gpu.func @batch_g0{{.*}} nvvm.reqntid = array<i32: 32, 4, 1>
func.func @batch(%img: tensor<4x16x512x512xf32>, %weights: tensor<16x16x3x3xf32>) -> tensor<4x16x512x512xf32> {
  %out = pipeline.stage "out" (%n, %c, %y, %x) {
    %zero = arith.constant 0.0 : f32
    %sum = pipeline.reduce (%rc, %ry, %rx) in [0, 16) x [0, 3) x [0, 3) (%acc = %zero : f32) {
      %w = pipeline.load %weights[%c, %rc, %ry, %rx] : tensor<16x16x3x3xf32>
      %v = pipeline.load %img[%n, %rc, %y + %ry - 1, %x + %rx - 1] constant(%zero) : tensor<4x16x512x512xf32>
      %next = math.fma %w, %v, %acc : f32
      pipeline.yield %next : f32
    } : f32
    pipeline.yield %sum : f32
  } : tensor<4x16x512x512xf32>
  return %out : tensor<4x16x512x512xf32>
}
