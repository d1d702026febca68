// PolyMage's fusion on a GPU: one schedule for all groups, and a group goes into its only consumer where tiles overlap by less than is tolerated.

// Each of the two boxes moves a tile of 16 rows by 2, that of 32 columns by 2: 20 %, and both together 41 %.
// RUN: pipeline-opt %s -infer-bounds -fuse="strategy=polymage target=v100 threshold=50 schedule={scope = \"block\", tile = array<i64: 16, 32>, block = array<i64: 8, 32>}" | FileCheck %s --check-prefix=ONE
// RUN: pipeline-opt %s -infer-bounds -fuse="strategy=polymage target=v100 threshold=10 schedule={scope = \"block\", tile = array<i64: 16, 32>, block = array<i64: 8, 32>}" | FileCheck %s --check-prefix=THREE

// The image has three planes, of which the schedule does not speak: a tile has all, a block threads in one.
// ONE-COUNT-1: pipeline.group "g0" schedule {block = array<i64: 1, 8, 32>, scope = "block", tile = array<i64: 3, 16, 32>}
// ONE-NOT:     pipeline.group
// THREE-COUNT-3: pipeline.group "g{{.}}" schedule {block = array<i64: 1, 8, 32>, scope = "block", tile = array<i64: 3, 16, 32>}

// RUN: not pipeline-opt %s -fuse=strategy=polymage 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not pipeline-opt %s -fuse="strategy=polymage schedule={scope = \"block\"}" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: option 'strategy' is 'polymage', expected a 'schedule' with the tile of all groups
// RUN: not pipeline-opt %s -fuse="strategy=polymage schedule={tile = array<i64: 0, 8>}" 2>&1 | FileCheck %s --check-prefix=TILE
// TILE: option 'schedule': schedule key 'tile' is array<i64: 0, 8>, expected array<i64: ...> of 2 positive numbers, one for each dimension
// RUN: not pipeline-opt %s -fuse="strategy=polymage threshold=-1 schedule={tile = array<i64: 8, 8>}" 2>&1 | FileCheck %s --check-prefix=THRESHOLD
// THRESHOLD: option 'threshold' is -1, expected 0 or more

func.func @boxes(%img: tensor<3x2048x2048xf32>) -> tensor<3x2048x2048xf32> {
  %a = pipeline.stage "a" (%c, %y, %x) {
    %0 = pipeline.load %img[%c, %y - 1, %x - 1] clamp : tensor<3x2048x2048xf32>
    %1 = pipeline.load %img[%c, %y + 1, %x + 1] clamp : tensor<3x2048x2048xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<3x2048x2048xf32>
  %b = pipeline.stage "b" (%c, %y, %x) {
    %0 = pipeline.load %a[%c, %y - 1, %x - 1] clamp : tensor<3x2048x2048xf32>
    %1 = pipeline.load %a[%c, %y + 1, %x + 1] clamp : tensor<3x2048x2048xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<3x2048x2048xf32>
  %d = pipeline.stage "d" (%c, %y, %x) {
    %0 = pipeline.load %b[%c, %y - 1, %x - 1] clamp : tensor<3x2048x2048xf32>
    %1 = pipeline.load %b[%c, %y + 1, %x + 1] clamp : tensor<3x2048x2048xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<3x2048x2048xf32>
  return %d : tensor<3x2048x2048xf32>
}
