// How many planes a tile has: as costs less.

// RUN: pipeline-opt %s --cpu-schedule=target=zen5 | FileCheck %s

// Each channel of a layer reads all of its input. A tile of one channel would read the image from memory for each; four of them share
// loads in registers, and all of them the rows that are in the cache. Tiles are so narrow that these rows have room there.
// CHECK-LABEL: @layer
// CHECK: pipeline.group "g0" schedule {tile = array<i64: 64, {{[0-9]+}}, 512>}
func.func @layer(%img: tensor<64x1024x1024xf32>, %weights: tensor<64x64xf32>, %zero: f32) -> tensor<64x1024x1024xf32> {
  %layer = pipeline.stage "layer" (%c, %y, %x) {
    %0 = pipeline.reduce (%r) in [0, 64) (%acc = %zero : f32) {
      %1 = pipeline.load %img[%r, %y, %x] : tensor<64x1024x1024xf32>
      %2 = pipeline.load %weights[%c, %r] : tensor<64x64xf32>
      %3 = math.fma %1, %2, %acc : f32
      pipeline.yield %3 : f32
    } : f32
    pipeline.yield %0 : f32
  } : tensor<64x1024x1024xf32>
  return %layer : tensor<64x1024x1024xf32>
}

// Planes that have nothing in common are computed one by one.
// CHECK-LABEL: @apart
// CHECK: pipeline.group "g0" schedule {tile = array<i64: 1, {{[0-9]+, [0-9]+}}>}
func.func @apart(%img: tensor<64x1024x1024xf32>) -> tensor<64x1024x1024xf32> {
  %apart = pipeline.stage "apart" (%c, %y, %x) {
    %0 = pipeline.load %img[%c, %y - 1, %x] clamp : tensor<64x1024x1024xf32>
    %1 = pipeline.load %img[%c, %y + 1, %x] clamp : tensor<64x1024x1024xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<64x1024x1024xf32>
  return %apart : tensor<64x1024x1024xf32>
}

// Planes whose values lie beside each other where they are looked up: all of them together, at one place.
// CHECK-LABEL: @looked_up
// CHECK: pipeline.group "g0" schedule {tile = array<i64: 3, {{[0-9]+}}, {{[0-9]+}}>}
func.func @looked_up(%img: tensor<1024x1024x3xi8>, %scale: f32) -> tensor<3x1024x1024xi8> {
  %out = pipeline.stage "out" (%c, %y, %x) {
    %i = arith.index_cast %x : index to i32
    %f = arith.sitofp %i : i32 to f32
    %s = arith.mulf %f, %scale : f32
    %r = math.sqrt %s : f32
    %n = arith.divf %scale, %r : f32
    %k = arith.fptosi %n : f32 to i32
    %j = arith.index_cast %k : i32 to index
    %v = pipeline.gather %img[%y, %j, %c] clamp : tensor<1024x1024x3xi8>
    pipeline.yield %v : i8
  } : tensor<3x1024x1024xi8>
  return %out : tensor<3x1024x1024xi8>
}
