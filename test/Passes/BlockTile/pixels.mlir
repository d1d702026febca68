// A stage that all planes of a pixel read at one point is computed there by a block, and a thread has all of them, where its tile does.

// RUN: pipeline-opt %s -fuse="strategy=all schedule={scope = \"block\", tile = array<i64: 3, 8, 128>}" -block-tile | FileCheck %s
// RUN: pipeline-opt %s -fuse="strategy=all schedule={scope = \"block\", tile = array<i64: 3, 8, 128>}" -block-tile -split-interior | FileCheck %s --check-prefix=SPLIT
// RUN: pipeline-opt %s -fuse="strategy=all schedule={scope = \"block\", tile = array<i64: 1, 8, 128>}" -block-tile | FileCheck %s --check-prefix=APART
// RUN: pipeline-opt %s -fuse="strategy=all schedule={scope = \"block\", tile = array<i64: 3, 8, 128>, block = array<i64: 3, 2, 32>}" -block-tile | FileCheck %s --check-prefix=APART
// RUN: pipeline-opt %s -fuse="strategy=all schedule={scope = \"block\", tile = array<i64: 3, 8, 128>, nested = false}" -block-tile | FileCheck %s --check-prefix=FLAT
// RUN: pipeline-opt %s -fuse="strategy=all schedule={tile = array<i64: 3, 8, 128>}" -warp-tile | FileCheck %s --check-prefix=FLAT

// CHECK-NOT: warp.compute "light"
// CHECK:     warp.compute "lit"
// CHECK-SAME:  in [0, 3) x [0, 8) x [0, 128)
// CHECK-NEXT:  warp.load %{{.*}}[%y, %x]
// CHECK-NEXT:  math.sqrt
// CHECK-NEXT:  warp.load %{{.*}}[%c, %y, %x]
// CHECK:     {planes_together} : tensor<3x8x128xf32, #warp.lane>
// SPLIT: {planes_together}

// A plane in each tile, or for each thread.
// APART-NOT: warp.compute "light"
// APART-NOT: planes_together

// Of warps, or where it is not wanted, it has a tile.
// FLAT:     warp.compute "light"
// FLAT-NOT: planes_together

func.func @pixels(%img: tensor<3x480x6400xf32>, %grey: tensor<480x6400xf32>) -> tensor<3x480x6400xf32> {
  %a = pipeline.stage "light" (%y, %x) {
    %0 = pipeline.load %grey[%y, %x] : tensor<480x6400xf32>
    %v = math.sqrt %0 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %b = pipeline.stage "lit" (%c, %y, %x) {
    %0 = pipeline.load %a[%y, %x] : tensor<480x6400xf32>
    %1 = pipeline.load %img[%c, %y, %x] : tensor<3x480x6400xf32>
    %v = arith.mulf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<3x480x6400xf32>
  return %b : tensor<3x480x6400xf32>
}
