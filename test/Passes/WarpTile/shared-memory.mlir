// A block has 48 KiB of shared memory. Tiles that do not fit: fewer warps in a block first, then fewer rows, then fewer columns.

// RUN: split-file %s %t
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={tile = array<i64: 8, 256>}' -warp-tile | FileCheck %s --check-prefix=FITS
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={tile = array<i64: 16, 256>}' -warp-tile | FileCheck %s --check-prefix=WARPS
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={tile = array<i64: 64, 256>}' -warp-tile | FileCheck %s --check-prefix=ROWS
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={tile = array<i64: 1, 8192>}' -warp-tile | FileCheck %s --check-prefix=COLUMNS
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={tile = array<i64: 16, 256>, fraction = 0.5 : f64}' -warp-tile | FileCheck %s --check-prefix=HALF
// RUN: pipeline-opt %t/chain.mlir -fuse='strategy=all schedule={tile = array<i64: 6, 256>}' -warp-tile | FileCheck %s --check-prefix=REUSED

// 10 x 256 x 4 bytes for each of four warps.
// FITS:    warp.tile_id warps [4, 1]
// FITS:    tensor<10x256xf32, #warp.shared>

// 18 x 256 x 4 bytes: four are too many, two are not.
// WARPS:   nvvm.reqntid = array<i32: 64, 1, 1>
// WARPS:   warp.tile_id warps [2, 1]
// WARPS:   tensor<18x256xf32, #warp.shared>

// 66 x 256 x 4 bytes are too many for one warp.
// ROWS:    nvvm.reqntid = array<i32: 32, 1, 1>
// ROWS:    warp.tile_id warps [1, 1]
// ROWS:    step [32, 256]
// ROWS:    tensor<34x256xf32, #warp.shared>

// COLUMNS: warp.tile_id warps [1, 1]
// COLUMNS: step [1, 4096]
// COLUMNS: tensor<3x4096xf32, #warp.shared>

// Of half the tile, 128 columns remain. (Registers, too, are counted: 18 x 4 values a lane.)
// HALF:    warp.tile_id warps [4, 1]
// HALF:    tensor<18x256xf32, #warp.shared>

// Tiles that are not alive together count once: of three stages' tiles two at a time.
// REUSED:  warp.tile_id warps [2, 1]
// REUSED:  tensor<12x256xf32, #warp.shared>
// REUSED:  tensor<10x256xf32, #warp.shared>
// REUSED:  tensor<8x256xf32, #warp.shared>

//--- blur.mlir
func.func @blur(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
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
  return %b : tensor<480x6400xf32>
}
//--- chain.mlir
func.func @chain(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
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
  %c = pipeline.stage "c" (%y, %x) {
    %0 = pipeline.load %b[%y - 1, %x] clamp : tensor<480x6400xf32>
    %1 = pipeline.load %b[%y + 1, %x] clamp : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %d = pipeline.stage "d" (%y, %x) {
    %0 = pipeline.load %c[%y - 1, %x] clamp : tensor<480x6400xf32>
    %1 = pipeline.load %c[%y + 1, %x] clamp : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %d : tensor<480x6400xf32>
}
