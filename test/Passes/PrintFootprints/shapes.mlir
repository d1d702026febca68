// The three shapes of a tile, on the example of the paper's figures 3, 8 and 10; a consumer that looks only to the left; live-outs
// of two sizes; groups and stages between them; sizes that are not known.

// RUN: pipeline-opt %s -print-footprints="tile=32" -o /dev/null 2>&1 | FileCheck %s --check-prefixes=CHECK,SCALENE
// RUN: pipeline-opt %s -print-footprints="tile=32 shape=right-rectangle" -o /dev/null 2>&1 | FileCheck %s --check-prefixes=CHECK,RIGHT
// RUN: pipeline-opt %s -print-footprints="tile=32 shape=uniform-slope" -o /dev/null 2>&1 | FileCheck %s --check-prefixes=CHECK,UNIFORM

// The IR stays as it is, dimensions of stages and all.
// RUN: pipeline-opt %s > %t.before
// RUN: pipeline-opt %s -print-footprints 2>/dev/null | diff - %t.before

// Three points to either side of "a", or six to its left: as many. One slope: widths 2/1 and 3/2, twice 2.
// CHECK-LABEL: // @example: tile 32 {{.*}}, 32 tiles, first interior (1)
// SCALENE-NEXT: stage first interior tile largest redundant uniform-slope
// SCALENE-NEXT: a [29, 67) 38 18.8% 40
// SCALENE-NEXT: b [30, 66) 36 12.5% 40
// SCALENE-NEXT: c [32, 64) 32 0.0% 40
// SCALENE-NEXT: (argument 0) [29, 67) 38
// RIGHT-NEXT: stage
// RIGHT-NEXT: a [29, 67) 38 18.8% 40
// RIGHT-NEXT: b [30, 66) 36 12.5% 40
// RIGHT-NEXT: c [32, 64) 32 0.0% 40
// UNIFORM-NEXT: stage
// UNIFORM-NEXT: a [28, 68) 40 25.0% 40
// UNIFORM-NEXT: b [28, 68) 40 25.0% 40
// UNIFORM-NEXT: c [28, 68) 40 25.0% 40
func.func @example(%img: tensor<1000xf32>) -> tensor<1000xf32> {
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x] : tensor<1000xf32>
    pipeline.yield %0 : f32
  } : tensor<1000xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x - 1] clamp : tensor<1000xf32>
    %1 = pipeline.load %a[%x + 1] clamp : tensor<1000xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<1000xf32>
  %c = pipeline.stage "c" (%x) {
    %0 = pipeline.load %b[%x - 2] clamp : tensor<1000xf32>
    %1 = pipeline.load %b[%x + 2] clamp : tensor<1000xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<1000xf32>
  return %c : tensor<1000xf32>
}

// Exactly, "a" ends before the tile does. Its right side kept, it does not.
// CHECK-LABEL: // @left
// SCALENE:    a [29, 63) 34
// RIGHT:      a [29, 64) 35
// UNIFORM:    a [29, 64) 35
func.func @left(%img: tensor<1000xf32>) -> tensor<1000xf32> {
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x] : tensor<1000xf32>
    pipeline.yield %0 : f32
  } : tensor<1000xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x - 3] clamp : tensor<1000xf32>
    %1 = pipeline.load %a[%x - 1] clamp : tensor<1000xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<1000xf32>
  return %b : tensor<1000xf32>
}

// The tile is one of "full", the last live-out; "half" has its share of it, and what is read besides.
// CHECK-LABEL: // @live_outs
// SCALENE:    base [31, 64) 33 3.1%
// SCALENE-NEXT: half [16, 33) 17 6.2%
// SCALENE-NEXT: full [32, 64) 32 0.0%
func.func @live_outs(%img: tensor<1000xf32>) -> (tensor<500xf32>, tensor<1000xf32>) {
  %base = pipeline.stage "base" (%x) {
    %0 = pipeline.load %img[%x] : tensor<1000xf32>
    pipeline.yield %0 : f32
  } : tensor<1000xf32>
  %half = pipeline.stage "half" (%x) {
    %0 = pipeline.load %base[%x * 2 - 1] clamp : tensor<1000xf32>
    pipeline.yield %0 : f32
  } : tensor<500xf32>
  %full = pipeline.stage "full" (%x) {
    %0 = pipeline.load %half[%x floordiv 2] : tensor<500xf32>
    %1 = pipeline.load %half[(%x + 1) floordiv 2] clamp : tensor<500xf32>
    %2 = pipeline.load %base[%x] : tensor<1000xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<1000xf32>
  return %half, %full : tensor<500xf32>, tensor<1000xf32>
}

// Wrapped around the edge, the whole is read.
// CHECK-LABEL: // @wrapped
// SCALENE:    a [31, 65) 1000 6.2%
func.func @wrapped(%img: tensor<1000xf32>) -> tensor<1000xf32> {
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x] : tensor<1000xf32>
    pipeline.yield %0 : f32
  } : tensor<1000xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x - 1] wrap : tensor<1000xf32>
    %1 = pipeline.load %a[%x + 1] wrap : tensor<1000xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<1000xf32>
  return %b : tensor<1000xf32>
}

// Stages before a group and behind it are tiled apart. Of an image without an estimate, `size` says the extents.
// CHECK-LABEL: // @groups: tile 32
// SCALENE:     before [0, 32) 32
// CHECK:       // @groups group "mine": tile 32
// SCALENE:     mine [32, 64) 32
// SCALENE:     (before) [31, 63) 32
// CHECK:       // @groups: tile 32
// SCALENE:     behind [0, 32) 32
// SCALENE:     (mine) [0, 32) 32
func.func @groups(%img: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %img, %c0 : tensor<?xf32>
  %before = pipeline.stage "before" (%x) {
    %0 = pipeline.load %img[%x] : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%n) : tensor<?xf32>
  %mine = pipeline.group "mine" {
    %inner = pipeline.stage "mine" (%x) {
      %0 = pipeline.load %before[%x - 1] clamp : tensor<?xf32>
      pipeline.yield %0 : f32
    } sized(%n) : tensor<?xf32>
    pipeline.yield %inner : tensor<?xf32>
  } : tensor<?xf32>
  %m = tensor.dim %mine, %c0 : tensor<?xf32>
  %behind = pipeline.stage "behind" (%x) {
    %0 = pipeline.load %mine[%x] : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%m) : tensor<?xf32>
  return %behind : tensor<?xf32>
}
