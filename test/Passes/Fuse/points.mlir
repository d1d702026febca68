// A small image has too few tiles for a GPU: each thread computes a point. Of a large one warps walk down strips.

// RUN: pipeline-opt %s --infer-bounds --fuse="target=h100 schedules=true size=128x128" | FileCheck %s --check-prefix=SMALL
// RUN: pipeline-opt %s --infer-bounds --fuse="target=h100 schedules=true size=4096x4096" | FileCheck %s --check-prefix=LARGE
// RUN: pipeline-opt %s --infer-bounds --fuse="target=v100-pact20 schedules=true size=128x128" | FileCheck %s --check-prefix=PAPER

// SMALL: pipeline.group "g0" schedule {block = array<i64: {{[48]}}, 32>, scope = "thread"}
// LARGE: pipeline.group "g0" schedule {block = array<i64: {{[0-9]+}}, 32>, layout = "blocked", {{.*}}tile = array<i64: {{[0-9]+}}, {{[0-9]+}}>
// The paper's model knows no cycles, and no such kernels.
// PAPER-NOT: scope = "thread"
func.func @blur(%img: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %bx = pipeline.stage "blurx" (%y, %x) {
    %a = pipeline.load %img[%y, %x - 1] clamp : tensor<?x?xf32>
    %b = pipeline.load %img[%y, %x] clamp : tensor<?x?xf32>
    %c = pipeline.load %img[%y, %x + 1] clamp : tensor<?x?xf32>
    %d = arith.addf %a, %b : f32
    %e = arith.addf %d, %c : f32
    pipeline.yield %e : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %by = pipeline.stage "blury" (%y, %x) {
    %a = pipeline.load %bx[%y - 1, %x] clamp : tensor<?x?xf32>
    %b = pipeline.load %bx[%y, %x] clamp : tensor<?x?xf32>
    %c = pipeline.load %bx[%y + 1, %x] clamp : tensor<?x?xf32>
    %d = arith.addf %a, %b : f32
    %e = arith.addf %d, %c : f32
    pipeline.yield %e : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %by : tensor<?x?xf32>
}

// Colours times how much they cover, at half the size: a thread has all planes of a point, and loads the last of them once.
// SMALL-LABEL: func.func @half
// SMALL:       pipeline.group "g0" schedule {block = array<i64: 1, {{[48]}}, 32>, scope = "thread", tile = array<i64: 4, 1, 1>}
// SMALL-NOT:   pipeline.group
// PAPER-LABEL: func.func @half
func.func @half(%img: tensor<4x256x256xf32>) -> tensor<4x128x128xf32> {
  %c3 = arith.constant 3 : index
  %covered = pipeline.stage "covered" (%c, %y, %x) {
    %v = pipeline.load %img[%c, %y, %x] : tensor<4x256x256xf32>
    %cover = pipeline.load %img[3, %y, %x] : tensor<4x256x256xf32>
    %is_colour = arith.cmpi slt, %c, %c3 : index
    %colour = arith.mulf %v, %cover : f32
    %r = arith.select %is_colour, %colour, %cover : f32
    pipeline.yield %r : f32
  } : tensor<4x256x256xf32>
  %half = pipeline.stage "half" (%c, %y, %x) {
    %a = pipeline.load %covered[%c, %y * 2 - 1, %x * 2 - 1] clamp : tensor<4x256x256xf32>
    %b = pipeline.load %covered[%c, %y * 2 - 1, %x * 2] clamp : tensor<4x256x256xf32>
    %d = pipeline.load %covered[%c, %y * 2, %x * 2 - 1] clamp : tensor<4x256x256xf32>
    %e = pipeline.load %covered[%c, %y * 2, %x * 2] : tensor<4x256x256xf32>
    %s0 = arith.addf %a, %b : f32
    %s1 = arith.addf %d, %e : f32
    %s = arith.addf %s0, %s1 : f32
    pipeline.yield %s : f32
  } : tensor<4x128x128xf32>
  return %half : tensor<4x128x128xf32>
}
