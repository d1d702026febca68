// One fraction in registers for all tiles, and no other schedules than tiles.

// RUN: pipeline-opt %s --infer-bounds --fuse="target=v100 fraction=0.0" | FileCheck %s --check-prefix=SHARED
// RUN: pipeline-opt %s --infer-bounds --fuse="target=v100 fraction=0.5" | FileCheck %s --check-prefix=HALF
// RUN: pipeline-opt %s --infer-bounds --fuse="target=v100 fraction=1.0" | FileCheck %s --check-prefix=ALL
// SHARED:     pipeline.group "g0" schedule {block = array<i64: {{[0-9, ]+}}>, tile = array<i64: {{[0-9, ]+}}>} {
// HALF:       pipeline.group "g0" schedule {block = array<i64: {{[0-9, ]+}}>, fraction = 5.{{0+}}e-01 : f64, tile = array<i64: {{[0-9, ]+}}>} {
// ALL:        pipeline.group "g0" schedule {block = array<i64: {{[0-9, ]+}}>, fraction = 1.{{0+}}e+00 : f64, tile = array<i64: {{[0-9, ]+}}>} {

// RUN: not pipeline-opt %s --fuse="target=v100 fraction=1.5" 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: option 'fraction' is '1.5', expected a number from 0.0 to 1.0

// The paper's targets have the paper's schedules: tiles, no strips.
// RUN: pipeline-opt %s --infer-bounds --fuse="target=v100-pact20" | FileCheck %s --check-prefix=PAPER
// PAPER:     pipeline.group "g0" schedule {
// PAPER-NOT: layout
// PAPER:     pipeline.stage "sum"

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
