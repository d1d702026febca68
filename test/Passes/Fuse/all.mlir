// all, with a target: Forma's tile, as large as the block, halved until the shared memory of a block holds what it needs.

// RUN: split-file %s %t
// RUN: pipeline-opt %t/blur.mlir -fuse="strategy=all target=h200" | FileCheck %s --check-prefix=WHOLE
// RUN: sed 's/f32/f64/g' %t/wide.mlir | pipeline-opt -fuse="strategy=all target=h200" | FileCheck %s --check-prefix=HALVED
// RUN: pipeline-opt %t/blur.mlir -fuse=strategy=all | FileCheck %s --check-prefix=PLAIN
// RUN: pipeline-opt %t/split.mlir -fuse="strategy=all target=h200" -warp-tile | FileCheck %s --check-prefix=SPLIT

// WHOLE:  pipeline.group "g0" schedule {block = array<i64: 32, 32>, scope = "block", tile = array<i64: 32, 32>} {
// 96 x 96 points of 8 bytes are more than 48 KiB, and so are 80 x 96; 80 x 80 are, too; 72 x 80 are 45 KiB.
// HALVED: pipeline.group "g0" schedule {block = array<i64: 8, 16>, scope = "block", tile = array<i64: 8, 16>} {
// Without a target there is no schedule.
// PLAIN:  pipeline.group "g0" {

// No box of "a" is what a tile of "b" reads: two kernels, both for blocks.
// SPLIT:  gpu.func @split_g0_a
// SPLIT:    warp.tile_id block lanes [32, 32]
// SPLIT:  gpu.func @split_g0(
// SPLIT:    warp.tile_id block lanes [32, 32]

//--- blur.mlir
func.func @blur(%img: tensor<480x640xf32>) -> tensor<480x640xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<480x640xf32>
    pipeline.yield %0 : f32
  } : tensor<480x640xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y - 1, %x] clamp : tensor<480x640xf32>
    %1 = pipeline.load %a[%y + 1, %x] clamp : tensor<480x640xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<480x640xf32>
  return %b : tensor<480x640xf32>
}
//--- wide.mlir
func.func @wide(%img: tensor<480x640xf32>) -> tensor<480x640xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<480x640xf32>
    pipeline.yield %0 : f32
  } : tensor<480x640xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y - 32, %x - 32] wrap : tensor<480x640xf32>
    %1 = pipeline.load %a[%y + 32, %x + 32] wrap : tensor<480x640xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<480x640xf32>
  return %b : tensor<480x640xf32>
}
//--- split.mlir
func.func @split(%img: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<1024x1024xf32>
    pipeline.yield %0 : f32
  } : tensor<1024x1024xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x] : tensor<1024x1024xf32>
    %1 = pipeline.load %a[%x, %y] : tensor<1024x1024xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<1024x1024xf32>
  return %b : tensor<1024x1024xf32>
}
