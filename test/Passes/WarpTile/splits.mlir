// What has no overlapped tile goes to memory: its group is split before it, into kernels that run one after the other.

// RUN: pipeline-opt %s -fuse=strategy=all -warp-tile -split-input-file | FileCheck %s

// A third of the way, of tiles of 8x128 that stay because 3 divides too little: a tile of 9x129 it is, and no split.
// CHECK-LABEL: gpu.module @a_third_kernels
// CHECK-COUNT-1: gpu.func
// CHECK-NOT:     gpu.func
// CHECK:       func.func @a_third
func.func @a_third(%img: tensor<160x2134xf32>) -> tensor<480x6400xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<160x2134xf32>
    pipeline.yield %v : f32
  } : tensor<160x2134xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y floordiv 3, %x floordiv 3] : tensor<160x2134xf32>
    %1 = pipeline.load %a[%y floordiv 3, (%x + 1) floordiv 3] clamp : tensor<160x2134xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}

// -----

// Two consumers at two scales.
// CHECK-LABEL: gpu.module @scales_kernels
// CHECK:         gpu.func @scales_{{[^(]*}}(
// CHECK:           warp.compute "a"
// CHECK:           warp.write %a
// CHECK:         gpu.func @scales_{{[^(]*}}(
// CHECK:           warp.compute "b"
// CHECK:       func.func @scales
// CHECK:         %[[A:.*]] = gpu.alloc
// CHECK-COUNT-2: gpu.launch_func
// CHECK:         gpu.dealloc %[[A]]
func.func @scales(%img: tensor<960x12800xf32>) -> tensor<480x6400xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<960x12800xf32>
    pipeline.yield %v : f32
  } : tensor<960x12800xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x] : tensor<960x12800xf32>
    %1 = pipeline.load %a[%y * 2, %x * 2] : tensor<960x12800xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}

// -----

// Coordinates that are added; an index that runs backwards; a boundary mode that leads far away. (Twice each, so that the
// producer is not inlined.)
// CHECK-LABEL: gpu.module @sum_kernels
// CHECK-COUNT-2: gpu.func
// CHECK:       func.func @sum
func.func @sum(%img: tensor<8192xf32>) -> tensor<480x6400xf32> {
  %a = pipeline.stage "a" (%x) {
    %v = pipeline.load %img[%x] : tensor<8192xf32>
    pipeline.yield %v : f32
  } : tensor<8192xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y + %x] : tensor<8192xf32>
    %1 = pipeline.load %a[%y + %x + 1] : tensor<8192xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}

// -----

// CHECK-LABEL: gpu.module @backwards_kernels
// CHECK-COUNT-2: gpu.func
// CHECK:       func.func @backwards
func.func @backwards(%img: tensor<6400xf32>) -> tensor<6400xf32> {
  %a = pipeline.stage "a" (%x) {
    %v = pipeline.load %img[%x] : tensor<6400xf32>
    pipeline.yield %v : f32
  } : tensor<6400xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[6399 - %x] : tensor<6400xf32>
    %1 = pipeline.load %a[6398 - %x] clamp : tensor<6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<6400xf32>
  return %b : tensor<6400xf32>
}

// -----

// CHECK-LABEL: gpu.module @far_kernels
// CHECK-COUNT-2: gpu.func
// CHECK:       func.func @far
func.func @far(%img: tensor<6400xf32>) -> tensor<6400xf32> {
  %a = pipeline.stage "a" (%x) {
    %v = pipeline.load %img[%x] : tensor<6400xf32>
    pipeline.yield %v : f32
  } : tensor<6400xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x - 65] clamp : tensor<6400xf32>
    %1 = pipeline.load %a[%x] : tensor<6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<6400xf32>
  return %b : tensor<6400xf32>
}

// -----

// Live-outs of different rank are no grid.
// CHECK-LABEL: gpu.module @ranks_kernels
// CHECK-COUNT-2: gpu.func
// CHECK:       func.func @ranks
func.func @ranks(%v: f32) -> (tensor<6400xf32>, tensor<480x6400xf32>) {
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %a, %b : tensor<6400xf32>, tensor<480x6400xf32>
}

// -----

// What is split off is split again.
// CHECK-LABEL: gpu.module @twice_kernels
// CHECK-COUNT-3: gpu.func
// CHECK:       func.func @twice
func.func @twice(%img: tensor<6400xf32>) -> tensor<6400xf32> {
  %a = pipeline.stage "a" (%x) {
    %v = pipeline.load %img[%x] : tensor<6400xf32>
    pipeline.yield %v : f32
  } : tensor<6400xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[6399 - %x] : tensor<6400xf32>
    %1 = pipeline.load %a[6398 - %x] clamp : tensor<6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<6400xf32>
  %c = pipeline.stage "c" (%x) {
    %0 = pipeline.load %b[6399 - %x] : tensor<6400xf32>
    %1 = pipeline.load %b[6398 - %x] clamp : tensor<6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<6400xf32>
  return %c : tensor<6400xf32>
}
