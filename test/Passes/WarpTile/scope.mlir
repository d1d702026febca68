// Who computes a tile: the schedule says, and the pass where it does not. Both kinds stand in one program.

// RUN: pipeline-opt %s -warp-tile -split-interior -hybrid-register -shuffle | FileCheck %s --check-prefixes=CHECK,WARP
// RUN: pipeline-opt %s -block-tile -split-interior -hybrid-register -shuffle | FileCheck %s --check-prefixes=CHECK,BLOCK

// CHECK: gpu.func @both_warps
// CHECK:   warp.tile_id warps [4, 1] lanes [1, 32]
// CHECK:   vector.load
// Registers are not for a tile of a block, whose threads need not be whole warps.
// CHECK: gpu.func @both_blocks
// CHECK:   nvvm.reqntid = array<i32: 180, 1, 1>
// CHECK:   warp.tile_id block lanes [10, 18]
// CHECK:   warp.compute "c"
// CHECK:   #warp.shared
// CHECK-NOT: warp.blocked
// CHECK: gpu.func @both_open
// WARP:    warp.tile_id warps [4, 1] lanes [1, 32]
// BLOCK:   warp.tile_id block lanes [4, 32]
// CHECK: func.func @both
// CHECK:   gpu.launch_func @both_kernels::@both_warps
// CHECK:   gpu.launch_func @both_kernels::@both_blocks
// CHECK:   gpu.launch_func @both_kernels::@both_open
func.func @both(%img: tensor<480x640xf32>) -> tensor<480x640xf32> {
  %0 = pipeline.group "warps" schedule {scope = "warp", layout = "blocked", tile = array<i64: 8, 128>} {
    %a = pipeline.stage "a" (%y, %x) {
      %v = pipeline.load %img[%y, %x] : tensor<480x640xf32>
      pipeline.yield %v : f32
    } : tensor<480x640xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %l = pipeline.load %a[%y, %x - 1] clamp : tensor<480x640xf32>
      %r = pipeline.load %a[%y, %x + 1] clamp : tensor<480x640xf32>
      %v = arith.addf %l, %r : f32
      pipeline.yield %v : f32
    } : tensor<480x640xf32>
    pipeline.yield %b : tensor<480x640xf32>
  } : tensor<480x640xf32>
  %1 = pipeline.group "blocks" schedule {scope = "block", block = array<i64: 10, 18>, tile = array<i64: 8, 16>, layout = "blocked", stream = "y"} {
    %c = pipeline.stage "c" (%y, %x) {
      %v = pipeline.load %0[%y, %x] : tensor<480x640xf32>
      pipeline.yield %v : f32
    } : tensor<480x640xf32>
    %d = pipeline.stage "d" (%y, %x) {
      %l = pipeline.load %c[%y - 1, %x - 1] clamp : tensor<480x640xf32>
      %r = pipeline.load %c[%y + 1, %x + 1] clamp : tensor<480x640xf32>
      %v = arith.addf %l, %r : f32
      pipeline.yield %v : f32
    } : tensor<480x640xf32>
    pipeline.yield %d : tensor<480x640xf32>
  } : tensor<480x640xf32>
  %2 = pipeline.group "open" {
    %e = pipeline.stage "e" (%y, %x) {
      %v = pipeline.load %1[%y, %x] : tensor<480x640xf32>
      pipeline.yield %v : f32
    } : tensor<480x640xf32>
    pipeline.yield %e : tensor<480x640xf32>
  } : tensor<480x640xf32>
  return %2 : tensor<480x640xf32>
}
