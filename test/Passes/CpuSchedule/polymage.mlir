// PolyMage's fusion: one tile for all groups; what a single group reads goes into that, where tiles overlap by little.
//
// "sum" reads two columns on either side and "mean" as many rows: tiles of 32 x 256 compute (36 x 260) / (32 x 256) - 1, 14 %, beyond
// their share with both, those of 8 x 16 87 %.

// RUN: pipeline-opt %s --infer-bounds --cpu-schedule="strategy=polymage target=zen5" | FileCheck %s --check-prefix=ONE
// RUN: pipeline-opt %s --infer-bounds --cpu-schedule="strategy=polymage target=zen5 threshold=10" | FileCheck %s --check-prefix=TWO
// RUN: pipeline-opt %s --infer-bounds --cpu-schedule="strategy=polymage target=zen5 tile=8x16" | FileCheck %s --check-prefix=SMALL
// ONE:     pipeline.group "g0" schedule {tile = array<i64: 32, 256>} {
// ONE:       pipeline.stage "sum"
// ONE:       pipeline.stage "mean"
// ONE-NOT: pipeline.group
// TWO:     pipeline.group "g0" schedule {tile = array<i64: 32, 256>} {
// TWO:     pipeline.group "g1" schedule {tile = array<i64: 32, 256>} {
// SMALL:   pipeline.group "g0" schedule {tile = array<i64: 8, 16>} {
// SMALL:   pipeline.group "g1" schedule {tile = array<i64: 8, 16>} {

// One tile and a shape are for any strategy.
// RUN: pipeline-opt %s --infer-bounds --cpu-schedule="target=zen5 tile=64x512 overlap=uniform-slope" | FileCheck %s --check-prefix=SHAPE
// SHAPE: pipeline.group "g0" schedule {overlap = "uniform-slope", tile = array<i64: 64, 512>} {

// RUN: not pipeline-opt %s --cpu-schedule="tile=8y16" 2>&1 | FileCheck %s --check-prefix=TILE
// TILE: option 'tile' is '8y16', expected positive numbers such as 32x256

func.func @box(%img: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
  %sum = pipeline.stage "sum" (%y, %x) {
    %a = pipeline.load %img[%y, %x - 2] clamp : tensor<2048x2048xf32>
    %b = pipeline.load %img[%y, %x + 2] clamp : tensor<2048x2048xf32>
    %v = arith.addf %a, %b : f32
    pipeline.yield %v : f32
  } : tensor<2048x2048xf32>
  %mean = pipeline.stage "mean" (%y, %x) {
    %a = pipeline.load %sum[%y - 2, %x - 2] clamp : tensor<2048x2048xf32>
    %b = pipeline.load %sum[%y + 2, %x + 2] clamp : tensor<2048x2048xf32>
    %v = arith.mulf %a, %b : f32
    pipeline.yield %v : f32
  } : tensor<2048x2048xf32>
  return %mean : tensor<2048x2048xf32>
}
