// One tile for a thread block. Boxes and splits are those of --warp-tile; registers are not for blocks.

// RUN: split-file %s %t
// RUN: pipeline-opt %t/blur.mlir -fuse=strategy=all -block-tile | FileCheck %s --check-prefixes=TILE,DEFAULT
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={tile = array<i64: 16, 64>, block = array<i64: 8, 16>}' -block-tile | FileCheck %s --check-prefixes=TILE,SCHEDULE
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={layout = "blocked", stream = "y", fraction = 0.5 : f64}' -block-tile | FileCheck %s --check-prefixes=TILE,DEFAULT
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={tile = array<i64: 64, 256>}' -block-tile | FileCheck %s --check-prefix=SHARED
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={tile = array<i64: 8, 128>, fraction = 0.5 : f64}' -block-tile -hybrid-register -shuffle | FileCheck %s --check-prefixes=TILE,DEFAULT
// RUN: pipeline-opt %t/volume.mlir -fuse=strategy=all -block-tile | FileCheck %s --check-prefix=VOLUME

// TILE:     gpu.func @blur_g0(
// DEFAULT:  nvvm.reqntid = array<i32: 128, 1, 1>
// DEFAULT:  %tile_y, %tile_x = warp.tile_id block lanes [4, 32]
// SCHEDULE: nvvm.reqntid = array<i32: 128, 1, 1>
// SCHEDULE: %tile_y, %tile_x = warp.tile_id block lanes [8, 16]
// DEFAULT:  warp.compute "a" {{.*}} step [8, 128] in [-1, 9) x [0, 128) of(%c480, %c6400) (%y, %x) {
// SCHEDULE: warp.compute "a" {{.*}} step [16, 64] in [-1, 17) x [0, 64) of(%c480, %c6400) (%y, %x) {
// TILE:     } : tensor<{{.*}}, #warp.shared>
// DEFAULT:  warp.compute "b" {{.*}} step [8, 128] in [0, 8) x [0, 128) of(%c480, %c6400) (%y, %x) {
// SCHEDULE: warp.compute "b" {{.*}} step [16, 64] in [0, 16) x [0, 64) of(%c480, %c6400) (%y, %x) {
// TILE-NEXT:  warp.read %a[%y - 1, %x] clamp :
// TILE-NEXT:  warp.read %a[%y + 1, %x] clamp :
// TILE:     } : tensor<{{.*}}, #warp.lane>
// TILE:     warp.write %b
// TILE-NOT: warp.compute
// TILE:     func.func @blur
// A block for each tile: 60 x 50, or 30 x 100.
// DEFAULT-DAG:  %[[X:.*]] = arith.constant 50 : index
// DEFAULT-DAG:  %[[Y:.*]] = arith.constant 60 : index
// DEFAULT:      gpu.launch_func {{.*}} blocks in (%[[X]], %[[Y]],
// SCHEDULE-DAG: %[[X:.*]] = arith.constant 100 : index
// SCHEDULE-DAG: %[[Y:.*]] = arith.constant 30 : index
// SCHEDULE:     gpu.launch_func {{.*}} blocks in (%[[X]], %[[Y]],

// 66 x 256 x 4 bytes are more than a block has.
// SHARED:   step [32, 256]

// VOLUME:   warp.tile_id block lanes [1, 4, 32]

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
//--- volume.mlir
func.func @volume(%v: f32) -> tensor<3x480x6400xf32> {
  %a = pipeline.stage "a" (%c, %y, %x) {
    pipeline.yield %v : f32
  } : tensor<3x480x6400xf32>
  return %a : tensor<3x480x6400xf32>
}
