// Planes that have a stage in common are a tile together, where it is worth more than the tiles that there are then less of: `grey`, and
// what it reads, are had once instead of three times. Planes that share nothing are tiles of their own.

// RUN: pipeline-opt %s -infer-bounds -fuse=target=v100 -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @saturate
// CHECK:       pipeline.group {{.*}} tile = array<i64: 3, {{[0-9]+}}, {{[0-9]+}}>
func.func @saturate(%img: tensor<3x1024x1024xf32>, %by: f32) -> tensor<3x1024x1024xf32> {
  %third = arith.constant 0.333333343 : f32
  %grey = pipeline.stage "grey" (%y, %x) {
    %r = pipeline.load %img[0, %y, %x] : tensor<3x1024x1024xf32>
    %g = pipeline.load %img[1, %y, %x] : tensor<3x1024x1024xf32>
    %b = pipeline.load %img[2, %y, %x] : tensor<3x1024x1024xf32>
    %rg = arith.addf %r, %g : f32
    %rgb = arith.addf %rg, %b : f32
    %v = arith.mulf %rgb, %third : f32
    pipeline.yield %v : f32
  } : tensor<1024x1024xf32>
  %out = pipeline.stage "out" (%c, %y, %x) {
    %p = pipeline.load %img[%c, %y, %x] : tensor<3x1024x1024xf32>
    %m = pipeline.load %grey[%y, %x] : tensor<1024x1024xf32>
    %d = arith.subf %p, %m : f32
    %s = arith.mulf %d, %by : f32
    %v = arith.addf %m, %s : f32
    pipeline.yield %v : f32
  } : tensor<3x1024x1024xf32>
  return %out : tensor<3x1024x1024xf32>
}

// -----

// CHECK-LABEL: func.func @apart
// CHECK:       pipeline.group {{.*}} tile = array<i64: 1, {{[0-9]+}}, {{[0-9]+}}>
func.func @apart(%img: tensor<3x1024x1024xf32>) -> tensor<3x1024x1024xf32> {
  %a = pipeline.stage "a" (%c, %y, %x) {
    %l = pipeline.load %img[%c, %y, %x - 1] clamp : tensor<3x1024x1024xf32>
    %r = pipeline.load %img[%c, %y, %x + 1] clamp : tensor<3x1024x1024xf32>
    %v = arith.addf %l, %r : f32
    pipeline.yield %v : f32
  } : tensor<3x1024x1024xf32>
  %b = pipeline.stage "b" (%c, %y, %x) {
    %l = pipeline.load %a[%c, %y - 1, %x] clamp : tensor<3x1024x1024xf32>
    %r = pipeline.load %a[%c, %y + 1, %x] clamp : tensor<3x1024x1024xf32>
    %v = arith.addf %l, %r : f32
    pipeline.yield %v : f32
  } : tensor<3x1024x1024xf32>
  return %b : tensor<3x1024x1024xf32>
}

// -----

// All colours read the alpha of their point, which is a plane of the same stage: only a tile with all planes has both, as it does not move
// along them.

// CHECK-LABEL: func.func @over_alpha
// CHECK:       pipeline.group "g0" {{.*}} tile = array<i64: 3, {{[0-9]+}}, {{[0-9]+}}>
// CHECK:         pipeline.stage "wide"
// CHECK:         pipeline.stage "colour"
// CHECK-NOT:   pipeline.group
func.func @over_alpha(%img: tensor<4x1024x1024xf32>) -> tensor<3x1024x1024xf32> {
  %wide = pipeline.stage "wide" (%c, %y, %x) {
    %l = pipeline.load %img[%c, %y, %x - 1] clamp : tensor<4x1024x1024xf32>
    %r = pipeline.load %img[%c, %y, %x + 1] clamp : tensor<4x1024x1024xf32>
    %v = arith.addf %l, %r : f32
    pipeline.yield %v : f32
  } : tensor<4x1024x1024xf32>
  %colour = pipeline.stage "colour" (%c, %y, %x) {
    %p = pipeline.load %wide[%c, %y, %x] : tensor<4x1024x1024xf32>
    %a = pipeline.load %wide[3, %y, %x] : tensor<4x1024x1024xf32>
    %v = arith.divf %p, %a : f32
    pipeline.yield %v : f32
  } : tensor<3x1024x1024xf32>
  return %colour : tensor<3x1024x1024xf32>
}
