// Several live-outs: one grid of tiles, and each is written where it is computed.

// RUN: pipeline-opt %s -fuse=strategy=all -warp-tile -split-input-file | FileCheck %s

// A live-out that is read computes its halo, and writes its tile without.
// CHECK-LABEL: gpu.func @two_g0
// CHECK-SAME:  %[[IMG:[^:]*]]: memref<f32, 1> {llvm.noalias, llvm.readonly}, %[[A:[^:]*]]: memref<f32, 1> {llvm.noalias}, %[[B:[^:]*]]: memref<f32, 1> {llvm.noalias})
func.func @two(%img: tensor<480x6400xf32>) -> (tensor<480x6400xf32>, tensor<480x6400xf32>) {
  // CHECK-DAG: %[[A_MEM:.*]] = memref.reinterpret_cast %[[A]]
  // CHECK-DAG: %[[B_MEM:.*]] = memref.reinterpret_cast %[[B]]
  // CHECK:     %a = warp.compute "a" {{.*}} in [-1, 9) x [0, 128)
  // CHECK:     } : tensor<10x128xf32, #warp.shared>
  // CHECK:     warp.write %a in [0, 8) x [0, 128) to %[[A_MEM]] : tensor<10x128xf32, #warp.shared>
  // CHECK:     %b = warp.compute "b" {{.*}} in [0, 8) x [0, 128)
  // CHECK:     } : tensor<8x128xf32, #warp.lane>
  // CHECK:     warp.write %b in [0, 8) x [0, 128) to %[[B_MEM]]
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y - 1, %x] clamp : tensor<480x6400xf32>
    %1 = pipeline.load %a[%y + 1, %x] clamp : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %a, %b : tensor<480x6400xf32>, tensor<480x6400xf32>
}

// -----

// A stage with several results has a tile of each. Those that nobody reads are written, too, if they leave.
// CHECK-LABEL: gpu.func @results_g0
func.func @results(%img: tensor<480x6400xf32>) -> (tensor<480x6400xi32>, tensor<480x6400xf32>) {
  // CHECK: %a:2 = warp.compute "a" {{.*}} in [0, 8) x [-1, 129)
  // CHECK: } : tensor<8x130xf32, #warp.shared>, tensor<8x130xi32, #warp.shared>
  // CHECK: warp.write %a#1 in [0, 8) x [0, 128)
  // CHECK: warp.compute "b"
  // CHECK:   warp.read %a#0[%y, %x - 1]
  %a:2 = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    %i = arith.fptosi %v : f32 to i32
    pipeline.yield %v, %i : f32, i32
  } : tensor<480x6400xf32>, tensor<480x6400xi32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a#0[%y, %x - 1] clamp : tensor<480x6400xf32>
    %1 = pipeline.load %a#0[%y, %x + 1] clamp : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %a#1, %b : tensor<480x6400xi32>, tensor<480x6400xf32>
}

// -----

// Live-outs of different size: as many tiles as the larger one has. Each is cut off at its own end.
// CHECK-LABEL: gpu.func @sizes_g0
func.func @sizes(%img: tensor<480x6400xf32>) -> (tensor<480x6400xf32>, tensor<240x640xf32>) {
  // CHECK: warp.compute "a" {{.*}} of(%c480, %c6400) (%y, %x) {
  // CHECK: warp.write %a
  // CHECK: warp.compute "b" {{.*}} of(%c240, %c640) (%y, %x) {
  // CHECK: warp.write %b
  // CHECK: func.func @sizes
  // CHECK-DAG: %[[X:.*]] = arith.constant 50 : index
  // CHECK-DAG: %[[Y:.*]] = arith.constant 15 : index
  // CHECK: gpu.launch_func @sizes_kernels::@sizes_g0 blocks in (%[[X]], %[[Y]],
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %v = pipeline.load %img[%y + 240, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<240x640xf32>
  return %a, %b : tensor<480x6400xf32>, tensor<240x640xf32>
}

// -----

// A live-out at half the resolution of another goes along at its own step.
// CHECK-LABEL: gpu.func @pyramid_g0
func.func @pyramid(%img: tensor<480x6400xf32>) -> (tensor<480x6400xf32>, tensor<240x3200xf32>) {
  // CHECK: %a = warp.compute "a" {{.*}} step [16, 256]
  // CHECK: warp.write %a in [0, 16) x [0, 256)
  // CHECK: %b = warp.compute "b" {{.*}} step [8, 128]
  // CHECK: warp.write %b in [0, 8) x [0, 128)
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %v = pipeline.load %a[%y * 2, %x * 2] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<240x3200xf32>
  return %a, %b : tensor<480x6400xf32>, tensor<240x3200xf32>
}
