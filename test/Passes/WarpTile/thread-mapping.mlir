// How a block's threads become warps, and a warp's lanes lie: W_x = min(B_x, 32), W_y = min(B_y, 32 / W_x), and
// ceil(B / W) warps along each dimension (section 4 of the PolyMage-GPU paper). Outermost dimensions first.

// RUN: split-file %s %t
// RUN: pipeline-opt %t/2d.mlir -fuse=strategy=all -warp-tile | FileCheck %s --check-prefix=DEFAULT
// RUN: pipeline-opt %t/2d.mlir -fuse='strategy=all schedule={block = array<i64: 8, 16>}' -warp-tile | FileCheck %s --check-prefix=PAPER
// RUN: pipeline-opt %t/2d.mlir -fuse='strategy=all schedule={block = array<i64: 8, 64>}' -warp-tile | FileCheck %s --check-prefix=WIDE
// RUN: pipeline-opt %t/2d.mlir -fuse='strategy=all schedule={block = array<i64: 32, 1>}' -warp-tile | FileCheck %s --check-prefix=HIGH
// RUN: pipeline-opt %t/2d.mlir -fuse='strategy=all schedule={block = array<i64: 3, 20>}' -warp-tile | FileCheck %s --check-prefix=PADDED
// RUN: pipeline-opt %t/2d.mlir -fuse='strategy=all schedule={block = array<i64: 1, 1>}' -warp-tile | FileCheck %s --check-prefix=ONE
// RUN: pipeline-opt %t/1d.mlir -fuse=strategy=all -warp-tile | FileCheck %s --check-prefix=LINE
// RUN: pipeline-opt %t/3d.mlir -fuse='strategy=all schedule={block = array<i64: 2, 4, 8>}' -warp-tile | FileCheck %s --check-prefix=VOLUME

// DEFAULT: nvvm.reqntid = array<i32: 128, 1, 1>
// DEFAULT: warp.tile_id warps [4, 1] lanes [1, 32]
// The paper's example: a block of 16x8 threads is four warps of 16x2 lanes.
// PAPER:   nvvm.reqntid = array<i32: 128, 1, 1>
// PAPER:   warp.tile_id warps [4, 1] lanes [2, 16]
// WIDE:    nvvm.reqntid = array<i32: 512, 1, 1>
// WIDE:    warp.tile_id warps [8, 2] lanes [1, 32]
// HIGH:    nvvm.reqntid = array<i32: 32, 1, 1>
// HIGH:    warp.tile_id warps [1, 1] lanes [32, 1]
// No power of two, and no whole warp: more threads than the schedule says.
// PADDED:  nvvm.reqntid = array<i32: 96, 1, 1>
// PADDED:  warp.tile_id warps [3, 1] lanes [1, 32]
// ONE:     nvvm.reqntid = array<i32: 32, 1, 1>
// ONE:     warp.tile_id warps [1, 1] lanes [32, 1]
// LINE:    nvvm.reqntid = array<i32: 128, 1, 1>
// LINE:    warp.tile_id warps [4] lanes [32]
// VOLUME:  nvvm.reqntid = array<i32: 64, 1, 1>
// VOLUME:  warp.tile_id warps [2, 1, 1] lanes [1, 4, 8]

//--- 1d.mlir
func.func @f(%v: f32) -> tensor<65536xf32> {
  %s = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<65536xf32>
  return %s : tensor<65536xf32>
}
//--- 2d.mlir
func.func @f(%v: f32) -> tensor<4800x6400xf32> {
  %s = pipeline.stage "s" (%y, %x) {
    pipeline.yield %v : f32
  } : tensor<4800x6400xf32>
  return %s : tensor<4800x6400xf32>
}
//--- 3d.mlir
func.func @f(%v: f32) -> tensor<64x480x640xf32> {
  %s = pipeline.stage "s" (%z, %y, %x) {
    pipeline.yield %v : f32
  } : tensor<64x480x640xf32>
  return %s : tensor<64x480x640xf32>
}
