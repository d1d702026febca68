// greedy: AutoGPU's tiles and costs. Tiles belong to blocks; a block has the points of its largest box as threads.

// RUN: split-file %s %t
// RUN: pipeline-opt %t/blur.mlir -fuse="strategy=greedy target=h200 report=%t/blur.json" | FileCheck %s --check-prefix=BLUR
// RUN: FileCheck %s --check-prefix=TERMS --input-file=%t/blur.json
// RUN: pipeline-opt %t/volume.mlir -fuse="strategy=greedy target=h200" | FileCheck %s --check-prefix=VOLUME
// RUN: pipeline-opt %t/line.mlir -fuse="strategy=greedy target=h200" | FileCheck %s --check-prefix=LINE
// RUN: pipeline-opt %t/small.mlir -fuse="strategy=greedy target=h200" | FileCheck %s --check-prefix=SMALL
// RUN: sed -e 's/[+] 20/+ 5/g; s/- 20/- 5/g' %t/far.mlir | pipeline-opt -fuse="strategy=greedy target=h200" | FileCheck %s --check-prefix=DEAR
// RUN: pipeline-opt %t/far.mlir -fuse="strategy=greedy target=h200 report=%t/far.json" | FileCheck %s --check-prefix=FAR
// RUN: FileCheck %s --check-prefix=THREADS --input-file=%t/far.json
// RUN: pipeline-opt %t/idle.mlir -fuse="strategy=greedy target=h200 report=%t/idle.json" -o %t/out
// RUN: FileCheck %s --check-prefix=IDLE --input-file=%t/idle.json
// RUN: pipeline-opt %t/blur.mlir -fuse="strategy=greedy target=h200" -warp-tile | FileCheck %s --check-prefix=KERNEL
// RUN: pipeline-opt %t/blur.mlir -fuse="strategy=greedy target=h200" -block-tile | FileCheck %s --check-prefix=KERNEL

// A merge that pays: a row more above and below, and no image between. Whole warps: 32 columns are a multiple of a warp.
// BLUR:     pipeline.group "g0" schedule {block = array<i64: [[Y:[0-9]+]], [[X:[0-9]+]]>, scope = "block", tile = array<i64: {{[0-9]+}}, [[X]]>} {
// BLUR:       pipeline.stage "a"
// BLUR:       pipeline.stage "b"
// BLUR-NOT: pipeline.group
// KERNEL:   warp.tile_id block lanes [
// TERMS:    "strategy": "greedy",
// TERMS:    "term": "arithmetic",
// TERMS:    "term": "inputs",
// TERMS:    "term": "members",

// Three planes are in the tile whole, and have no threads.
// VOLUME:   schedule {block = array<i64: 1, {{[0-9]+}}, {{[0-9]+}}>, scope = "block", tile = array<i64: 3, {{[0-9]+}}, {{[0-9]+}}>}

// One dimension of 4096 points: T_max is 4096 / 128. Those are 128 tiles for 132 SMs, but smaller ones are no whole warps.
// LINE:     schedule {block = array<i64: 32>, scope = "block", tile = array<i64: 32>}

// Of 5 x 7 points the longer dimension is tiled, and no rule of efficiency is met: it has a kernel all the same.
// SMALL:    schedule {block = array<i64: 1, {{[2-7]}}>, scope = "block", tile = array<i64: 5, {{[2-7]}}>}

// A merge that does not pay: for a tile of 16 x 16 points "a" has 26 x 26, and would load as much more.
// DEAR:     pipeline.group "g0"
// DEAR:       pipeline.stage "a"
// DEAR:     pipeline.group "g1"
// DEAR:       pipeline.stage "b"

// Reads 20 rows and columns away: the box of "a" for the smallest tile has 48 x 48 points, more than a block has threads.
// FAR:      pipeline.group "g0"
// FAR:        pipeline.stage "a"
// FAR:      pipeline.group "g1"
// FAR:        pipeline.stage "b"
// THREADS:  "why": "no block fits on h200: it has 2304 threads, expected 1 to 1024"

// 256 x 256 points: of tiles larger than 16 x 16 and the like there are fewer than SMs.
// IDLE:     "why": "{{[0-9]+}} tiles leave SMs idle, expected at least 132"

//--- blur.mlir
func.func @blur(%img: tensor<2160x3840xf32>) -> tensor<2160x3840xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x - 1] clamp : tensor<2160x3840xf32>
    %1 = pipeline.load %img[%y, %x + 1] clamp : tensor<2160x3840xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<2160x3840xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y - 1, %x] clamp : tensor<2160x3840xf32>
    %1 = pipeline.load %a[%y + 1, %x] clamp : tensor<2160x3840xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<2160x3840xf32>
  return %b : tensor<2160x3840xf32>
}
//--- volume.mlir
func.func @volume(%img: tensor<3x480x640xf32>) -> tensor<3x480x640xf32> {
  %a = pipeline.stage "a" (%c, %y, %x) {
    %0 = pipeline.load %img[%c, %y, %x] : tensor<3x480x640xf32>
    %1 = arith.addf %0, %0 : f32
    pipeline.yield %1 : f32
  } : tensor<3x480x640xf32>
  return %a : tensor<3x480x640xf32>
}
//--- line.mlir
func.func @line(%img: tensor<4096xf32>) -> tensor<4096xf32> {
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x] : tensor<4096xf32>
    %1 = arith.addf %0, %0 : f32
    pipeline.yield %1 : f32
  } : tensor<4096xf32>
  return %a : tensor<4096xf32>
}
//--- small.mlir
func.func @small(%img: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<5x7xf32>
    %1 = arith.addf %0, %0 : f32
    pipeline.yield %1 : f32
  } : tensor<5x7xf32>
  return %a : tensor<5x7xf32>
}
//--- far.mlir
func.func @far(%img: tensor<2160x3840xf32>) -> tensor<2160x3840xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x - 1] clamp : tensor<2160x3840xf32>
    %1 = pipeline.load %img[%y, %x + 1] clamp : tensor<2160x3840xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<2160x3840xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y - 20, %x - 20] clamp : tensor<2160x3840xf32>
    %1 = pipeline.load %a[%y + 20, %x + 20] clamp : tensor<2160x3840xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<2160x3840xf32>
  return %b : tensor<2160x3840xf32>
}
//--- idle.mlir
func.func @idle(%img: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<256x256xf32>
    %1 = arith.addf %0, %0 : f32
    pipeline.yield %1 : f32
  } : tensor<256x256xf32>
  return %a : tensor<256x256xf32>
}
