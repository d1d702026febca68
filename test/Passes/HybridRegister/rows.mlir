// Which row a read means where a boundary mode may lead to any row of a tile is chosen among all of them, for each row and column: that is
// written out, too.

// RUN: pipeline-opt %s -split-input-file --hybrid-register -verify-diagnostics | FileCheck %s

// `b` is larger than `a`, by how much of a tile nobody knows: of 200 rows each is one of 200. Two reads of one row choose it once.
// CHECK-LABEL: gpu.func @any_row
// CHECK-NOT:   cyclic
gpu.module @m {
  gpu.func @any_row(%v: f32, %h: index, %more: index) kernel attributes {warp.schedule = {fraction = 1.000000e+00 : f64}} {
    %w = arith.constant 64 : index
    %tile_y, %tile_x = warp.tile_id warps [1, 1] lanes [1, 32] : index, index
    // expected-remark@below {{the tiles of 2 stages stay in shared memory: in registers they would be some 122200 operations, expected at most 32768}}
    %a = warp.compute "a" at (%tile_y, %tile_x) step [200, 64] in [0, 200) x [0, 64) of (%h, %w) needed [0, ?) x [0, 64) (%y, %x) {
      warp.yield %v : f32
    } : tensor<200x64xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_y, %tile_x) step [200, 64] in [0, 200) x [0, 64) of (%more, %w) needed [0, ?) x [0, 64) (%y, %x) {
      %0 = warp.read %a[%y, %x] clamp : tensor<200x64xf32, #warp.shared>
      %1 = warp.read %a[%y, %x - 1] clamp : tensor<200x64xf32, #warp.shared>
      %2 = arith.addf %0, %1 : f32
      warp.yield %2 : f32
    } : tensor<200x64xf32, #warp.lane>
    gpu.return
  }
}

// -----

// As large: the row below the last is the last, and each is one of two.
// CHECK-LABEL: gpu.func @next_row
// CHECK:       cyclic
gpu.module @m {
  gpu.func @next_row(%v: f32, %h: index) kernel attributes {warp.schedule = {fraction = 1.000000e+00 : f64}} {
    %w = arith.constant 64 : index
    %tile_y, %tile_x = warp.tile_id warps [1, 1] lanes [1, 32] : index, index
    %a = warp.compute "a" at (%tile_y, %tile_x) step [200, 64] in [0, 201) x [-1, 64) of (%h, %w) needed [0, ?) x [0, 64) (%y, %x) {
      warp.yield %v : f32
    } : tensor<201x65xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_y, %tile_x) step [200, 64] in [0, 200) x [0, 64) of (%h, %w) needed [0, ?) x [0, 64) (%y, %x) {
      %0 = warp.read %a[%y + 1, %x] clamp : tensor<201x65xf32, #warp.shared>
      %1 = warp.read %a[%y, %x - 1] clamp : tensor<201x65xf32, #warp.shared>
      %2 = arith.addf %0, %1 : f32
      warp.yield %2 : f32
    } : tensor<200x64xf32, #warp.lane>
    gpu.return
  }
}
