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
