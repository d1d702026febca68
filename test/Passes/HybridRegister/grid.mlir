// Lanes in rows and columns: with a fraction of 1 the tiles inside go to registers whole, those at an edge stay.

// RUN: split-file %s %t
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={tile = array<i64: 4, 32>, block = array<i64: 4, 16>, fraction = 1.0 : f64}' -warp-tile -split-interior -hybrid-register | FileCheck %s --check-prefix=GRID
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={tile = array<i64: 4, 32>, block = array<i64: 16, 8>, fraction = 1.0 : f64, inputs = "shared"}' -warp-tile -split-interior -hybrid-register | FileCheck %s --check-prefix=INPUTS
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={tile = array<i64: 4, 32>, block = array<i64: 4, 16>, fraction = 0.5 : f64}' -warp-tile -split-interior -hybrid-register | FileCheck %s --check-prefix=KEPT
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={tile = array<i64: 4, 32>, block = array<i64: 4, 16>, fraction = 1.0 : f64}' -block-tile -split-interior -hybrid-register | FileCheck %s --check-prefix=KEPT
// RUN: pipeline-opt %t/turned.mlir -fuse='strategy=all schedule={tile = array<i64: 16, 16>, block = array<i64: 4, 16>, fraction = 1.0 : f64}' -warp-tile -split-interior -hybrid-register | FileCheck %s --check-prefix=KEPT
// RUN: pipeline-opt %t/half.mlir -fuse='strategy=all schedule={tile = array<i64: 4, 16>, block = array<i64: 4, 16>, fraction = 1.0 : f64}' -warp-tile -split-interior -hybrid-register | FileCheck %s --check-prefix=KEPT

// GRID:     warp.tile_id warps [2, 1] lanes [2, 16]
// GRID:     scf.if
// GRID:       warp.compute "a" {{.*}} in [-1, 5) x [0, 32)
// GRID:       } : tensor<6x32xf32, #warp.grid<2, 16>>
// GRID:       warp.compute "b" {{.*}} in [0, 4) x [0, 32)
// GRID:         warp.read %a[%y - 1, %x] : tensor<6x32xf32, #warp.grid<2, 16>>
// GRID:       } : tensor<4x32xf32, #warp.grid<2, 16>>
// GRID:       warp.write %b in [0, 4) x [0, 32) to %b_out : tensor<4x32xf32, #warp.grid<2, 16>>
// GRID:     } else {
// GRID:       } : tensor<6x32xf32, #warp.shared>

// INPUTS:   warp.tile_id warps [4, 1] lanes [4, 8]
// INPUTS:   warp.compute "input0" {{.*}} in [-1, 5) x [-1, 33)
// INPUTS:   } : tensor<6x34xf32, #warp.grid<4, 8>>

// A part of a tile is of lanes along columns only; a block has no lanes; and what is read at another place than a fixed distance away is shared.
// KEPT-NOT: warp.grid

//--- blur.mlir
func.func @blur(%img: tensor<480x640xf32>) -> tensor<480x640xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x - 1] clamp : tensor<480x640xf32>
    %1 = pipeline.load %img[%y, %x + 1] clamp : tensor<480x640xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<480x640xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y - 1, %x] clamp : tensor<480x640xf32>
    %1 = pipeline.load %a[%y + 1, %x] clamp : tensor<480x640xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<480x640xf32>
  return %b : tensor<480x640xf32>
}
//--- turned.mlir
func.func @turned(%img: tensor<480x480xf32>) -> tensor<480x480xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<480x480xf32>
    %1 = arith.addf %0, %0 : f32
    pipeline.yield %1 : f32
  } : tensor<480x480xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%x, %y] : tensor<480x480xf32>
    %1 = pipeline.load %a[%x, %y - 1] clamp : tensor<480x480xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<480x480xf32>
  return %b : tensor<480x480xf32>
}
//--- half.mlir
func.func @half(%img: tensor<480x640xf32>) -> tensor<240x320xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<480x640xf32>
    %1 = arith.addf %0, %0 : f32
    pipeline.yield %1 : f32
  } : tensor<480x640xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y * 2 - 1, %x * 2] clamp : tensor<480x640xf32>
    %1 = pipeline.load %a[%y * 2 + 1, %x * 2] : tensor<480x640xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<240x320xf32>
  return %b : tensor<240x320xf32>
}
