// Each stage gets the box that its consumers' boxes read, exactly: halos are those of the loads, not one slope for the group.

// RUN: pipeline-opt %s -fuse='strategy=all schedule={tile = array<i64: 8, 256>}' -warp-tile -split-input-file | FileCheck %s

// CHECK-LABEL: gpu.func @blur_g0
func.func @blur(%img: tensor<4800x6400xf32>) -> tensor<4800x6400xf32> {
  // CHECK: %blurx = warp.compute "blurx" at(%tile_y, %tile_x) step [8, 256] in [-1, 9) x [0, 256) of(%c4800, %c6400) (%y, %x) {
  // CHECK:   warp.load %{{.*}}[%y, %x - 1] clamp :
  // CHECK:   warp.load %{{.*}}[%y, %x + 1] clamp :
  // CHECK: } : tensor<10x256xf32, #warp.shared>
  %bx = pipeline.stage "blurx" (%y, %x) {
    %l = pipeline.load %img[%y, %x - 1] clamp : tensor<4800x6400xf32>
    %r = pipeline.load %img[%y, %x + 1] clamp : tensor<4800x6400xf32>
    %v = arith.addf %l, %r : f32
    pipeline.yield %v : f32
  } : tensor<4800x6400xf32>
  // CHECK: %blury = warp.compute "blury" at(%tile_y, %tile_x) step [8, 256] in [0, 8) x [0, 256) of(%c4800, %c6400) (%y, %x) {
  // CHECK:   warp.read %blurx[%y - 1, %x] clamp : tensor<10x256xf32, #warp.shared>
  // CHECK:   warp.read %blurx[%y + 1, %x] clamp : tensor<10x256xf32, #warp.shared>
  // CHECK: } : tensor<8x256xf32, #warp.lane>
  // CHECK: warp.write %blury in [0, 8) x [0, 256) to
  %by = pipeline.stage "blury" (%y, %x) {
    %u = pipeline.load %bx[%y - 1, %x] clamp : tensor<4800x6400xf32>
    %d = pipeline.load %bx[%y + 1, %x] clamp : tensor<4800x6400xf32>
    %v = arith.addf %u, %d : f32
    pipeline.yield %v : f32
  } : tensor<4800x6400xf32>
  return %by : tensor<4800x6400xf32>
}

// -----

// Halos that differ on both sides add up from stage to stage; two consumers get the hull of what they read.
// CHECK-LABEL: gpu.func @chain_g0
func.func @chain(%img: tensor<4800x6400xf32>) -> tensor<4800x6400xf32> {
  // CHECK: warp.compute "a" {{.*}} in [-2, 9) x [-3, 257) of(%c4800, %c6400) (%y, %x) {
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<4800x6400xf32>
    pipeline.yield %v : f32
  } : tensor<4800x6400xf32>
  // CHECK: warp.compute "b" {{.*}} in [0, 9) x [-2, 256) of(%c4800, %c6400) (%y, %x) {
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x - 1] clamp : tensor<4800x6400xf32>
    %1 = pipeline.load %a[%y, %x] : tensor<4800x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<4800x6400xf32>
  // CHECK: warp.compute "c" {{.*}} in [0, 8) x [0, 256) of(%c4800, %c6400) (%y, %x) {
  %c = pipeline.stage "c" (%y, %x) {
    %0 = pipeline.load %b[%y + 1, %x - 2] clamp : tensor<4800x6400xf32>
    %1 = pipeline.load %b[%y, %x] : tensor<4800x6400xf32>
    %2 = pipeline.load %a[%y - 2, %x + 1] clamp : tensor<4800x6400xf32>
    %3 = arith.addf %0, %1 : f32
    %v = arith.addf %2, %3 : f32
    pipeline.yield %v : f32
  } : tensor<4800x6400xf32>
  return %c : tensor<4800x6400xf32>
}

// -----

// Coordinates may change places: the box of the producer follows.
// CHECK-LABEL: gpu.func @transposed_g0
func.func @transposed(%img: tensor<6400x4800xf32>) -> tensor<4800x6400xf32> {
  // CHECK: warp.compute "a" at(%tile_x, %tile_y) step [256, 8] in [0, 256) x [-1, 9) of(%c6400, %c4800) (%y, %x) {
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<6400x4800xf32>
    pipeline.yield %v : f32
  } : tensor<6400x4800xf32>
  // CHECK: warp.read %a[%x, %y - 1] clamp :
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%x, %y - 1] clamp : tensor<6400x4800xf32>
    %1 = pipeline.load %a[%x, %y + 1] clamp : tensor<6400x4800xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<4800x6400xf32>
  return %b : tensor<4800x6400xf32>
}

// -----

// A row that all tiles read stays where it is.
// CHECK-LABEL: gpu.func @row_g0
func.func @row(%img: tensor<4800x6400xf32>) -> tensor<4800x6400xf32> {
  // CHECK: warp.compute "a" at(%{{.*}}, %tile_x) step [0, 256] in [0, 4) x [0, 256) of(%c4800, %c6400) (%y, %x) {
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<4800x6400xf32>
    pipeline.yield %v : f32
  } : tensor<4800x6400xf32>
  // CHECK: warp.read %a[0, %x] :
  // CHECK: warp.read %a[3, %x] :
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[0, %x] : tensor<4800x6400xf32>
    %1 = pipeline.load %a[3, %x] : tensor<4800x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<4800x6400xf32>
  return %b : tensor<4800x6400xf32>
}
