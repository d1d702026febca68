// Stages are grouped where that costs least, and tiles are as wide as the second cache holds the rows in use.

// RUN: pipeline-opt %s --cpu-schedule=target=zen5 | FileCheck %s
// RUN: pipeline-opt %s '--cpu-schedule=target=zen5 strategy=none' | FileCheck %s --check-prefix=NONE
// RUN: not pipeline-opt %s '--cpu-schedule=size=4k' 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: option 'size' is '4k', expected positive numbers, for example 2832x4256

// Some 16 tiles for each core.
// CHECK-LABEL: @blur
// CHECK: pipeline.group "g0" schedule {tile = array<i64: 152, 6400>}
// CHECK: pipeline.stage "a"
// CHECK: pipeline.stage "b"
// NONE-LABEL: @blur
// NONE: pipeline.group "g0"
// NONE: pipeline.stage "a"
// NONE: pipeline.group "g1"
// NONE: pipeline.stage "b"
func.func @blur(%img: tensor<4800x6400xf32>) -> tensor<4800x6400xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<4800x6400xf32>
    %1 = arith.addf %0, %0 : f32
    pipeline.yield %1 : f32
  } : tensor<4800x6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y - 1, %x] clamp : tensor<4800x6400xf32>
    %1 = pipeline.load %a[%y + 1, %x] clamp : tensor<4800x6400xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<4800x6400xf32>
  return %b : tensor<4800x6400xf32>
}

// 64 rows of 64000 points are more than the cache holds: tiles are narrower. What is written by hand stays.
// CHECK-LABEL: @wide
// CHECK: pipeline.group "mine" schedule {tile = array<i64: 5, 7>}
// CHECK: pipeline.group "g0" schedule {tile = array<i64: 4800, 1008>}
func.func @wide(%img: tensor<4800x64000xf32>) -> tensor<4800x64000xf32> {
  %i = pipeline.group "mine" schedule {tile = array<i64: 5, 7>} {
    %0 = pipeline.stage "i" (%y, %x) {
      %1 = pipeline.load %img[%y, %x] : tensor<4800x64000xf32>
      %2 = arith.mulf %1, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<4800x64000xf32>
    pipeline.yield %0 : tensor<4800x64000xf32>
  } : tensor<4800x64000xf32>
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %i[%y, %x] : tensor<4800x64000xf32>
    %1 = arith.addf %0, %0 : f32
    pipeline.yield %1 : f32
  } : tensor<4800x64000xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y - 31, %x] clamp : tensor<4800x64000xf32>
    %1 = pipeline.load %a[%y + 31, %x] clamp : tensor<4800x64000xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<4800x64000xf32>
  return %b : tensor<4800x64000xf32>
}

// Columns that no memory has room for are cut as any are.
// CHECK-LABEL: @endless
// CHECK: pipeline.group "g0" schedule {tile = array<i64: {{[0-9]+, [0-9]+}}>}
func.func @endless(%img: tensor<64x17592186044416xf32>) -> tensor<64x17592186044416xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<64x17592186044416xf32>
    %1 = arith.addf %0, %0 : f32
    pipeline.yield %1 : f32
  } : tensor<64x17592186044416xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y - 1, %x] clamp : tensor<64x17592186044416xf32>
    %1 = pipeline.load %a[%y, %x + 1] clamp : tensor<64x17592186044416xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<64x17592186044416xf32>
  return %b : tensor<64x17592186044416xf32>
}
