// Images that a tile reads more often than it has points of them: with inputs = "shared" a tile of each is loaded first.

// RUN: split-file %s %t
// RUN: pipeline-opt %t/blur.mlir -fuse="strategy=all target=h200 inputs=shared" | FileCheck %s --check-prefix=SAID
// RUN: pipeline-opt %t/blur.mlir -fuse="strategy=all target=h200 inputs=shared" -block-tile | FileCheck %s --check-prefix=BLOCK
// RUN: pipeline-opt %t/blur.mlir -fuse="strategy=all target=h200 inputs=shared" -block-tile -split-interior -lower-warp | FileCheck %s --check-prefix=LOWERED
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={inputs = "shared"}' -warp-tile | FileCheck %s --check-prefix=WARP
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={inputs = "shared", fraction = 0.5 : f64}' -warp-tile | FileCheck %s --check-prefix=REGISTERS
// RUN: pipeline-opt %t/once.mlir -fuse="strategy=all target=h200 inputs=shared" | FileCheck %s --check-prefix=NOTHING
// RUN: pipeline-opt %t/once.mlir -fuse='strategy=all schedule={inputs = "shared"}' -block-tile | FileCheck %s --check-prefix=ONCE
// RUN: pipeline-opt %t/modes.mlir -fuse='strategy=all schedule={inputs = "shared"}' -block-tile | FileCheck %s --check-prefix=MODES
// RUN: pipeline-opt %t/window.mlir -fuse='strategy=all schedule={inputs = "shared"}' -block-tile | FileCheck %s --check-prefix=WINDOW
// RUN: pipeline-opt %t/far.mlir -fuse="strategy=all target=h200 inputs=shared" -block-tile | FileCheck %s --check-prefix=FAR
// RUN: pipeline-opt %t/sparse.mlir -fuse="strategy=all target=h200 inputs=shared" -block-tile | FileCheck %s --check-prefix=FAR
// RUN: pipeline-run %t/modes.mlir --target simt --arg img=random:1 --pipeline-options='strategy=all tiling=block inputs=shared' --out a=%t/simt.npy
// RUN: pipeline-run %t/modes.mlir --target reference --arg img=random:1 --out a=%t/reference.npy
// RUN: cmp %t/simt.npy %t/reference.npy

// SAID: pipeline.group "g0" schedule {block = array<i64: 32, 32>, inputs = "shared", scope = "block", tile = array<i64: 32, 32>} {

// What "a" reads: a column more on either side. The tile has what the mode leads to, so "a" reads it without one.
// BLOCK:      %input0 = warp.compute "input0" at(%tile_y, %tile_x) step [32, 32] in [-1, 33) x [-1, 33) (%y, %x) {
// BLOCK-NEXT:   %[[V:.*]] = warp.load %image[%y, %x] clamp :
// BLOCK-NEXT:   warp.yield %[[V]]
// BLOCK-NEXT: } : tensor<34x34xf32, #warp.shared>
// BLOCK-NEXT: %a = warp.compute "a" {{.*}} in [-1, 33) x [0, 32) of
// BLOCK-NEXT:   warp.read %input0[%y, %x - 1] : tensor<34x34xf32, #warp.shared>
// BLOCK-NEXT:   warp.read %input0[%y, %x + 1] : tensor<34x34xf32, #warp.shared>
// BLOCK-NOT:  warp.load

// 34 x 34 points, and then 34 x 32 of "a". All threads load before one reads.
// LOWERED: workgroup(%shared : memref<8976xi8,
// LOWERED: memref.load %image[
// LOWERED: memref.store %input0, %input0.tile
// LOWERED: gpu.barrier
// LOWERED: memref.load %input0.tile

// WARP: %input0 = warp.compute "input0" {{.*}} step [8, 128] in [-1, 9) x [-1, 129) (%y, %x)

// Tiles whose right part is in registers read memory.
// REGISTERS-NOT: input0

// What is read once is loaded where it is needed, and the schedule says nothing.
// NOTHING: pipeline.group "g0" schedule {block = array<i64: 32, 32>, scope = "block", tile = array<i64: 32, 32>} {
// ONCE-NOT: input0

// Two modes are two tiles; a load that stays inside reads the first.
// MODES:      %input0 = warp.compute "input0" {{.*}} in [-1, 8) x [0, 128)
// MODES-NEXT:   warp.load %img[%y, %x] modes ["mirror", "clamp"]
// MODES:      %input1 = warp.compute "input1" {{.*}} in [-1, 9) x [0, 129)
// MODES-NEXT:   warp.load %img[%y, %x] constant(%cst)
// MODES:      %a = warp.compute
// MODES-NEXT:   warp.read %input0[%y - 1, %x] :
// MODES-NEXT:   warp.read %input0[%y, %x] :
// MODES-NEXT:   warp.read %input1[%y - 1, %x + 1] :
// MODES-NEXT:   warp.read %input1[%y + 1, %x] :

// A window whole; what lies at a computed place stays in memory.
// WINDOW:     %input0 = warp.compute "input0" {{.*}} in [-2, 10) x [-2, 130)
// WINDOW:     %a = warp.compute
// WINDOW:       warp.read %input0[%y + %{{.*}}, %x + %{{.*}}] : tensor<12x132xf32, #warp.shared>
// WINDOW:       warp.load %image[%{{.*}}, %x] clamp

// No tile has room for what 401 x 401 points around it are, nor is it worth it where few of them are read.
// FAR: gpu.func @far_g0
// FAR-NOT: input0

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
//--- once.mlir
func.func @once(%img: tensor<480x640xf32>) -> tensor<480x640xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<480x640xf32>
    %1 = arith.addf %0, %0 : f32
    pipeline.yield %1 : f32
  } : tensor<480x640xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y - 1, %x] clamp : tensor<480x640xf32>
    %1 = pipeline.load %a[%y + 1, %x] clamp : tensor<480x640xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<480x640xf32>
  return %b : tensor<480x640xf32>
}
//--- modes.mlir
func.func @modes(%img: tensor<50x60xf32> {weft.name = "img"}) -> (tensor<50x60xf32> {weft.name = "a"}) {
  %zero = arith.constant 0.0 : f32
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y - 1, %x] mirror : tensor<50x60xf32>
    %1 = pipeline.load %img[%y, %x] : tensor<50x60xf32>
    %2 = pipeline.load %img[%y - 1, %x + 1] constant(%zero) : tensor<50x60xf32>
    %3 = pipeline.load %img[%y + 1, %x] constant(%zero) : tensor<50x60xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %2, %3 : f32
    %6 = arith.addf %4, %5 : f32
    pipeline.yield %6 : f32
  } : tensor<50x60xf32>
  return %a : tensor<50x60xf32>
}
//--- window.mlir
func.func @window(%img: tensor<480x640xf32>, %row: i32) -> tensor<480x640xf32> {
  %zero = arith.constant 0.0 : f32
  %a = pipeline.stage "a" (%y, %x) {
    %sum = pipeline.reduce (%ry, %rx) in [-2, 3) x [-2, 3) (%acc = %zero : f32) {
      %0 = pipeline.load %img[%y + %ry, %x + %rx] clamp : tensor<480x640xf32>
      %1 = arith.addf %acc, %0 : f32
      pipeline.yield %1 : f32
    } : f32
    %z = arith.index_cast %row : i32 to index
    %2 = pipeline.gather %img[%z, %x] clamp : tensor<480x640xf32>
    %3 = arith.addf %sum, %2 : f32
    pipeline.yield %3 : f32
  } : tensor<480x640xf32>
  return %a : tensor<480x640xf32>
}
//--- far.mlir
func.func @far(%img: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %a = pipeline.stage "a" (%y, %x) {
    %sum = pipeline.reduce (%ry, %rx) in [-200, 201) x [-200, 201) (%acc = %zero : f32) {
      %0 = pipeline.load %img[%y + %ry, %x + %rx] clamp : tensor<1024x1024xf32>
      %1 = arith.addf %acc, %0 : f32
      pipeline.yield %1 : f32
    } : f32
    pipeline.yield %sum : f32
  } : tensor<1024x1024xf32>
  return %a : tensor<1024x1024xf32>
}
//--- sparse.mlir
func.func @far(%img: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y - 20, %x - 20] clamp : tensor<1024x1024xf32>
    %1 = pipeline.load %img[%y + 20, %x + 20] clamp : tensor<1024x1024xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<1024x1024xf32>
  return %a : tensor<1024x1024xf32>
}
