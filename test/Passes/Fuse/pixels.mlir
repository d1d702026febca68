// Of an image whose last dimension is its colours a thread has all of a pixel: lanes along three colours would be idle but for three of 32.

// RUN: pipeline-opt %s --fuse="target=h100" | FileCheck %s

// CHECK-LABEL: @pixels
// CHECK: schedule {block = array<i64: {{[48]}}, 32, 1>, scope = "thread", tile = array<i64: {{[124]}}, {{[124]}}, 3>}
func.func @pixels(%img: tensor<1080x1920x3xi8>) -> tensor<1080x1920x3xi8> {
  %out = pipeline.stage "out" (%y, %x, %c) {
    %r = pipeline.load %img[%y, %x, 0] : tensor<1080x1920x3xi8>
    %v = pipeline.load %img[%y, %x, %c] : tensor<1080x1920x3xi8>
    %s = arith.subi %v, %r : i8
    pipeline.yield %s : i8
  } : tensor<1080x1920x3xi8>
  return %out : tensor<1080x1920x3xi8>
}

// Of four dimensions the threads of a block lie along rows of pixels.
// CHECK-LABEL: @stack
// CHECK: schedule {block = array<i64: 1, 1, {{128|256}}, 1>, scope = "thread", tile = array<i64: 1, {{[124]}}, {{[124]}}, 4>}
func.func @stack(%img: tensor<8x480x640x4xf32>) -> tensor<8x480x640x4xf32> {
  %out = pipeline.stage "out" (%n, %y, %x, %c) {
    %a = pipeline.load %img[%n, %y, %x, 3] : tensor<8x480x640x4xf32>
    %v = pipeline.load %img[%n, %y, %x, %c] : tensor<8x480x640x4xf32>
    %s = arith.mulf %v, %a : f32
    pipeline.yield %s : f32
  } : tensor<8x480x640x4xf32>
  return %out : tensor<8x480x640x4xf32>
}

// A row of pixels.
// CHECK-LABEL: @row
// CHECK: schedule {block = array<i64: {{128|256}}, 1>, scope = "thread", tile = array<i64: {{[124]}}, 2>}
func.func @row(%img: tensor<4096x2xf32>) -> tensor<4096x2xf32> {
  %out = pipeline.stage "out" (%x, %c) {
    %v = pipeline.load %img[%x, %c] : tensor<4096x2xf32>
    %s = arith.addf %v, %v : f32
    pipeline.yield %s : f32
  } : tensor<4096x2xf32>
  return %out : tensor<4096x2xf32>
}
