// What is no part of a tile, and a read that finds its tile elsewhere for every warp.

// RUN: not pipeline-opt %s -hybrid-register=fraction=1.5 2>&1 | FileCheck %s -DFOUND=1.5
// RUN: not pipeline-opt %s -hybrid-register=fraction=-0.5 2>&1 | FileCheck %s -DFOUND=-0.5
// RUN: not pipeline-opt %s -hybrid-register=fraction=half 2>&1 | FileCheck %s -DFOUND=half
// RUN: not pipeline-opt %s -hybrid-register=fraction=nan 2>&1 | FileCheck %s -DFOUND=nan
// CHECK: error: {{.*}}option 'fraction' is '[[FOUND]]', expected a number from 0.0 to 1.0

// RUN: pipeline-opt %s -hybrid-register=fraction=0.5 -verify-diagnostics

gpu.module @m {
  gpu.func @f(%v: f32, %t: index) kernel {
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
    %a = warp.compute "a" at (%t, %tile_x) step [8, 64] in [0, 8) x [0, 64) (%y, %x) {
      warp.yield %v : f32
    } : tensor<8x64xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_y, %tile_x) step [8, 64] in [0, 8) x [0, 64) (%y, %x) {
      // expected-error @+1 {{'warp.read' op index #0 of "a" does not move with the tile of "b"}}
      %0 = warp.read %a[%y, %x] : tensor<8x64xf32, #warp.shared>
      warp.yield %0 : f32
    } : tensor<8x64xf32, #warp.lane>
    gpu.return
  }
}
