// Hybrid tiles at an edge of the image become strips of 32 columns, one after the other: a boundary mode can lead anywhere, and
// the shared part could not wait for the registers' part.

// RUN: pipeline-opt %s -hybrid-register=fraction=0.5 -split-input-file | FileCheck %s

// CHECK-LABEL: gpu.func @pieces
gpu.module @m {
  gpu.func @pieces(%v: f32, %h: index, %w: index, %out: memref<480x6400xf32, 1>) kernel {
    // CHECK:      %[[C4:.*]] = arith.constant 4 : index
    // CHECK:      scf.for %[[I:.*]] = %{{.*}} to %[[C4]]
    // CHECK:        %[[FIRST:.*]] = arith.muli %tile_x, %[[C4]] : index
    // CHECK:        %[[AT:.*]] = arith.addi %[[FIRST]], %[[I]] : index
    // CHECK:        %a = warp.compute "a" at(%tile_y, %[[AT]]) step [8, 32] in [-1, 9) x [-1, 63) of(
    // CHECK:        } : tensor<10x64xf32, #warp.cyclic<2>>
    // CHECK:        %b = warp.compute "b" at(%tile_y, %[[AT]]) step [8, 32] in [0, 8) x [-1, 63) of(
    // CHECK:          warp.read %a[%y - 1, %x - 1] clamp : tensor<10x64xf32, #warp.cyclic<2>>
    // CHECK:        } : tensor<8x64xf32, #warp.cyclic<2>>
    // CHECK:        warp.write %b in [0, 8) x [0, 32) to
    // CHECK:      }
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
    %a = warp.compute "a" at (%tile_y, %tile_x) step [8, 128] in [-1, 9) x [-1, 129) of (%h, %w) (%y, %x) {
      warp.yield %v : f32
    } : tensor<10x130xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_y, %tile_x) step [8, 128] in [0, 8) x [0, 128) of (%h, %w) (%y, %x) {
      %0 = warp.read %a[%y - 1, %x - 1] clamp : tensor<10x130xf32, #warp.shared>
      %1 = warp.read %a[%y + 1, %x + 1] clamp : tensor<10x130xf32, #warp.shared>
      %2 = arith.addf %0, %1 : f32
      warp.yield %2 : f32
    } : tensor<8x128xf32, #warp.lane>
    warp.write %b in [0, 8) x [0, 128) to %out : tensor<8x128xf32, #warp.lane>, memref<480x6400xf32, 1>
    gpu.return
  }
}

// -----

// As many columns as divide the tile.
// CHECK-LABEL: gpu.func @odd
gpu.module @m {
  gpu.func @odd(%v: f32, %w: index, %out: memref<6400xf32, 1>) kernel {
    // CHECK: %[[PIECES:.*]] = arith.constant 4 : index
    // CHECK: scf.for %{{.*}} to %[[PIECES]]
    // CHECK:   step [25] in [0, 32) of(
    // CHECK:   warp.write %a in [0, 25) to
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [100] in [0, 100) of (%w) (%x) {
      warp.yield %v : f32
    } : tensor<100xf32, #warp.lane>
    warp.write %a in [0, 100) to %out : tensor<100xf32, #warp.lane>, memref<6400xf32, 1>
    gpu.return
  }
}
