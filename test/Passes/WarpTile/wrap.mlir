// wrap leads from one edge to the other, where no tile reaches. A stage that is read so is periodic: its points outside are the
// wrapped ones, and readers look where they would without a boundary.

// RUN: pipeline-opt %s -fuse=strategy=all -warp-tile -split-input-file | FileCheck %s

// CHECK-LABEL: gpu.func @periodic_g0
func.func @periodic(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  // CHECK:      warp.compute "a" {{.*}} in [0, 8) x [-1, 129) of(%c480, %c6400) wrap [1] (%y, %x) {
  // CHECK-NEXT:   warp.load %{{.*}}[%y, %x] : memref
  // CHECK:      warp.compute "b" {{.*}} in [0, 8) x [0, 128) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:   warp.read %a[%y, %x - 1] : tensor
  // CHECK-NEXT:   warp.read %a[%y, %x + 1] : tensor
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x - 1] wrap : tensor<480x6400xf32>
    %1 = pipeline.load %a[%y, %x + 1] wrap : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}

// -----

// What a periodic stage reads with wrap is periodic, too.
// CHECK-LABEL: gpu.func @all_periodic_g0
func.func @all_periodic(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  // CHECK: warp.compute "a" {{.*}} of(%c480, %c6400) wrap [1] (%y, %x) {
  // CHECK: warp.compute "b" {{.*}} of(%c480, %c6400) wrap [1] (%y, %x) {
  // CHECK: warp.compute "c" {{.*}} of(%c480, %c6400) (%y, %x) {
  // CHECK-NOT: gpu.func
  // CHECK: func.func @all_periodic
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x - 1] wrap : tensor<480x6400xf32>
    %1 = pipeline.load %a[%y, %x + 1] wrap : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %c = pipeline.stage "c" (%y, %x) {
    %0 = pipeline.load %b[%y, %x - 1] wrap : tensor<480x6400xf32>
    %1 = pipeline.load %b[%y, %x + 1] wrap : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %c : tensor<480x6400xf32>
}

// -----

// But a periodic stage that clamps its own reads of a stage is computed to memory: at a wrapped point its reads would have
// to start anew on the other side.
// CHECK-LABEL: gpu.module @mixed_kernels
// CHECK:         gpu.func @mixed_{{[^(]*}}(
// CHECK:           warp.compute "a"
// CHECK:           warp.compute "b"
// CHECK:           warp.write %b
// CHECK:         gpu.func @mixed_{{[^(]*}}(
// CHECK:           warp.compute "c"
// CHECK:       func.func @mixed
// CHECK:         gpu.alloc
func.func @mixed(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x - 1] clamp : tensor<480x6400xf32>
    %1 = pipeline.load %a[%y, %x] : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %c = pipeline.stage "c" (%y, %x) {
    %0 = pipeline.load %b[%y, %x - 1] wrap : tensor<480x6400xf32>
    %1 = pipeline.load %b[%y, %x] wrap : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %c : tensor<480x6400xf32>
}
