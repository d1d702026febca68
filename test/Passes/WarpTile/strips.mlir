// Tiles that are made for registers (layout = "blocked", or a stream): all boxes have the same columns, as many as the lanes of
// a warp hold, of which those are written that are right in the end. Inputs are tiles, too, read from memory once.

// RUN: split-file %s %t
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={layout = "blocked"}' -warp-tile | FileCheck %s --check-prefixes=STRIP,BLOCKED
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={stream = "y"}' -warp-tile | FileCheck %s --check-prefixes=STRIP,STREAM
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={layout = "blocked", vector = 2}' -warp-tile | FileCheck %s --check-prefix=TWO
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={layout = "blocked", tile = array<i64: 8, 64>}' -warp-tile | FileCheck %s --check-prefix=NARROW
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={layout = "blocked", block = array<i64: 4, 64>}' -warp-tile | FileCheck %s --check-prefix=MAPPED
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={layout = "cyclic"}' -warp-tile | FileCheck %s --check-prefix=NONE
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={layout = "blocked", fraction = 0.0 : f64}' -warp-tile | FileCheck %s --check-prefix=NONE
// RUN: pipeline-opt %t/down.mlir -fuse='strategy=all schedule={layout = "blocked"}' -warp-tile | FileCheck %s --check-prefix=NONE
// RUN: pipeline-opt %t/two-modes.mlir -fuse='strategy=all schedule={layout = "blocked"}' -warp-tile | FileCheck %s --check-prefix=MODES

// One column of halo on either side: 4 columns, a lane, are left over there.
// STRIP:      gpu.func @blur_g0
// BLOCKED-SAME: warp.schedule = {layout = "blocked", vector = 4 : i64}
// STREAM-SAME:  warp.schedule = {layout = "cyclic", stream = "y", vector = 4 : i64}
// STRIP:        warp.tile_id warps [4, 1] lanes [1, 32]
// STRIP-NEXT:   %input0 = warp.compute "input0" at(%tile_y, %tile_x) step [8, 120] in [-1, 9) x [-4, 124) (%y, %x) {
// The input's index is brought inside in its own tile, so a tile of it has no extents.
// STRIP-NEXT:     warp.load %{{.*}}[%y, %x] clamp : memref
// STRIP-NEXT:     warp.yield
// STRIP-NEXT:   } : tensor<10x128xf32, #warp.shared>
// STRIP-NEXT:   %a = warp.compute "a" {{.*}} in [-1, 9) x [-4, 124) of(%c480, %c6400) (%y, %x) {
// STRIP-NEXT:     warp.read %input0[%y, %x - 1] : tensor
// STRIP-NEXT:     warp.read %input0[%y, %x + 1] : tensor
// STRIP:        %b = warp.compute "b" {{.*}} in [0, 8) x [-4, 124) of(%c480, %c6400) (%y, %x) {
// STRIP-NEXT:     warp.read %a[%y - 1, %x] clamp : tensor
// STRIP-NEXT:     warp.read %a[%y + 1, %x] clamp : tensor
// STRIP:        warp.write %b in [0, 8) x [0, 120) to
// STRIP-NEXT:   gpu.return

// TWO:     warp.schedule = {layout = "blocked", vector = 2 : i64}
// TWO:     step [8, 60] in [-1, 9) x [-2, 62)

// Fewer columns may be written than there are.
// NARROW:  step [8, 64] in [-1, 9) x [-4, 124)
// NARROW:  warp.write %{{.*}} in [0, 8) x [0, 64)

// All lanes along x, all warps along y.
// MAPPED:    warp.tile_id warps [8, 1] lanes [1, 32]

// Not asked for, less than half of it asked for, or a stage that does not go along the columns: tiles as ever.
// NONE-NOT: warp.schedule = {layout
// NONE-NOT: "input0"
// NONE:     warp.compute "b" {{.*}} step [8, 128] in [0, 8) x [0, 128)
// NONE-NOT: "input0"

// Two boundary modes are two tiles of the image; what stays inside reads the first.
// MODES:      %[[CLAMP:.*]] = warp.compute "input0"
// MODES-NEXT:   warp.load %{{.*}}[%y, %x] clamp : memref
// MODES:      %[[MIRROR:.*]] = warp.compute "input1"
// MODES-NEXT:   warp.load %{{.*}}[%y, %x] modes ["clamp", "mirror"] : memref
// MODES:      warp.compute "b"
// MODES-NEXT:   warp.read %[[CLAMP]][%y, %x - 1] : tensor
// MODES-NEXT:   warp.read %[[MIRROR]][%y, %x + 1] : tensor
// MODES-NEXT:   warp.read %[[CLAMP]][%y, %x] : tensor

//--- blur.mlir
func.func @blur(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x - 1] clamp : tensor<480x6400xf32>
    %1 = pipeline.load %img[%y, %x + 1] clamp : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
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
//--- down.mlir
func.func @down(%img: tensor<480x12800xf32>) -> tensor<480x6400xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x12800xf32>
    pipeline.yield %v : f32
  } : tensor<480x12800xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x * 2] : tensor<480x12800xf32>
    %1 = pipeline.load %a[%y, %x * 2 + 1] : tensor<480x12800xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}
//--- two-modes.mlir
func.func @two_modes(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %img[%y, %x - 1] clamp : tensor<480x6400xf32>
    %1 = pipeline.load %img[%y, %x + 1] mirror : tensor<480x6400xf32>
    %2 = pipeline.load %img[%y, %x] mirror : tensor<480x6400xf32>
    %3 = arith.addf %0, %1 : f32
    %v = arith.addf %2, %3 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}
