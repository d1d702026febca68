// Kernels that keep their tiles shared, whatever the fraction.

// RUN: pipeline-opt %s -hybrid-register=fraction=1.0 -split-input-file | FileCheck %s

// A stage that reads every eighth column of another: eight shuffles for each of a lane's columns.
// CHECK-LABEL: gpu.func @sampled
// CHECK-NOT:   hybrid
// CHECK-NOT:   cyclic
gpu.module @m {
  gpu.func @sampled(%v: f32) kernel {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [512] in [0, 512) (%x) {
      warp.yield %v : f32
    } : tensor<512xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_x) step [64] in [0, 64) (%x) {
      %0 = warp.read %a[%x * 8] : tensor<512xf32, #warp.shared>
      warp.yield %0 : f32
    } : tensor<64xf32, #warp.lane>
    gpu.return
  }
}

// -----

// Rows that are columns of the producer.
// CHECK-LABEL: gpu.func @transposed
// CHECK-NOT:   hybrid
// CHECK-NOT:   cyclic
gpu.module @m {
  gpu.func @transposed(%v: f32) kernel {
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
    %a = warp.compute "a" at (%tile_x, %tile_y) step [64, 64] in [0, 64) x [0, 64) (%y, %x) {
      warp.yield %v : f32
    } : tensor<64x64xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_y, %tile_x) step [64, 64] in [0, 64) x [0, 64) (%y, %x) {
      %0 = warp.read %a[%x, %y] : tensor<64x64xf32, #warp.shared>
      warp.yield %0 : f32
    } : tensor<64x64xf32, #warp.lane>
    gpu.return
  }
}

// -----

// Lanes that lie along two dimensions, and tiles of a block, whose threads are no lanes of each other.
// CHECK-LABEL: gpu.func @lanes
// CHECK-NOT:   hybrid
gpu.module @m {
  gpu.func @lanes(%v: f32) kernel {
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [2, 16] : index, index
    %a = warp.compute "a" at (%tile_y, %tile_x) step [8, 64] in [0, 8) x [0, 64) (%y, %x) {
      warp.yield %v : f32
    } : tensor<8x64xf32, #warp.shared>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @block
  // CHECK-NOT:   hybrid
  gpu.func @block(%v: f32) kernel {
    %tile_y, %tile_x = warp.tile_id block lanes [4, 32] : index, index
    %a = warp.compute "a" at (%tile_y, %tile_x) step [8, 64] in [0, 8) x [0, 64) (%y, %x) {
      warp.yield %v : f32
    } : tensor<8x64xf32, #warp.shared>
    gpu.return
  }
}
