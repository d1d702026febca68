// Stages of several resolutions: of each as many more columns are registers as its tiles move further, so what a column reads is in
// registers, or left of them.

// RUN: pipeline-opt %s -hybrid-register=fraction=0.5 -split-input-file | FileCheck %s

// CHECK-LABEL: gpu.func @down
// Of the 130 columns of "a" 64 are registers, of the 64 of "b" 32.
// CHECK:       warp.compute "a"
// CHECK:       } : tensor<130xf32, #warp.hybrid<66>>
// CHECK:       warp.compute "b"
// CHECK:       } : tensor<64xf32, #warp.hybrid<32>>
gpu.module @m {
  gpu.func @down(%v: f32, %out: memref<6400xf32, 1>) kernel {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [128] in [-1, 129) (%x) {
      warp.yield %v : f32
    } : tensor<130xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_x) step [64] in [0, 64) (%x) {
      %0 = warp.read %a[%x * 2 - 1] : tensor<130xf32, #warp.shared>
      %1 = warp.read %a[%x * 2 + 2] : tensor<130xf32, #warp.shared>
      %2 = arith.addf %0, %1 : f32
      warp.yield %2 : f32
    } : tensor<64xf32, #warp.lane>
    warp.write %b in [0, 64) to %out : tensor<64xf32, #warp.lane>, memref<6400xf32, 1>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @up
// CHECK:       } : tensor<66xf32, #warp.hybrid<34>>
// CHECK:       } : tensor<128xf32, #warp.hybrid<64>>
gpu.module @m {
  gpu.func @up(%v: f32, %out: memref<6400xf32, 1>) kernel {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [64] in [-1, 65) (%x) {
      warp.yield %v : f32
    } : tensor<66xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_x) step [128] in [0, 128) (%x) {
      %0 = warp.read %a[(%x - 1) floordiv 2] : tensor<66xf32, #warp.shared>
      %1 = warp.read %a[(%x + 1) floordiv 2] : tensor<66xf32, #warp.shared>
      %2 = arith.addf %0, %1 : f32
      warp.yield %2 : f32
    } : tensor<128xf32, #warp.lane>
    warp.write %b in [0, 128) to %out : tensor<128xf32, #warp.lane>, memref<6400xf32, 1>
    gpu.return
  }
}

// -----

// Every second column alone: 127 columns are no four registers a lane, so "b" has one less than asked for, and "a" two.
// CHECK-LABEL: gpu.func @alone
// CHECK:       } : tensor<127xf32, #warp.hybrid<63>>
// CHECK:       } : tensor<64xf32, #warp.hybrid<32>>
gpu.module @m {
  gpu.func @alone(%v: f32, %out: memref<6400xf32, 1>) kernel attributes {warp.schedule = {fraction = 1.0}} {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [128] in [0, 127) (%x) {
      warp.yield %v : f32
    } : tensor<127xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_x) step [64] in [0, 64) (%x) {
      %0 = warp.read %a[%x * 2] : tensor<127xf32, #warp.shared>
      warp.yield %0 : f32
    } : tensor<64xf32, #warp.lane>
    warp.write %b in [0, 64) to %out : tensor<64xf32, #warp.lane>, memref<6400xf32, 1>
    gpu.return
  }
}

// -----

// At an edge the pieces of all stages are as many: 32 columns of "a", 16 of "b".
// CHECK-LABEL: gpu.func @edge
// CHECK:       scf.for %[[I:.*]] = %{{.*}} to %c4
// CHECK:         warp.compute "a" at(%[[AT:.*]]) step [32] in [-1, 63) of(
// CHECK:         } : tensor<64xf32, #warp.cyclic<2>>
// CHECK:         warp.compute "b" at(%[[AT]]) step [16] in [0, 32) of(
// CHECK:         } : tensor<32xf32, #warp.cyclic<1>>
// CHECK:         warp.write %b in [0, 16) to
gpu.module @m {
  gpu.func @edge(%v: f32, %w: index, %h: index, %out: memref<6400xf32, 1>) kernel {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [128] in [-1, 129) of (%w) (%x) {
      warp.yield %v : f32
    } : tensor<130xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_x) step [64] in [0, 64) of (%h) (%x) {
      %0 = warp.read %a[%x * 2 - 1] clamp : tensor<130xf32, #warp.shared>
      %1 = warp.read %a[%x * 2 + 2] clamp : tensor<130xf32, #warp.shared>
      %2 = arith.addf %0, %1 : f32
      warp.yield %2 : f32
    } : tensor<64xf32, #warp.lane>
    warp.write %b in [0, 64) to %out : tensor<64xf32, #warp.lane>, memref<6400xf32, 1>
    gpu.return
  }
}
