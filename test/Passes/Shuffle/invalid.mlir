// Register tiles that cannot be unrolled.

// RUN: pipeline-opt %s -shuffle -split-input-file -verify-diagnostics

gpu.module @m {
  gpu.func @shared_beside_registers(%v: f32) kernel {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [32] in [0, 32) (%x) {
      warp.yield %v : f32
    } : tensor<32xf32, #warp.cyclic<1>>
    // expected-error @+1 {{'warp.compute' op "b" is shared beside tiles in registers, expected all in registers}}
    %b = warp.compute "b" at (%tile_x) step [32] in [0, 32) (%x) {
      %0 = warp.read %a[%x] : tensor<32xf32, #warp.cyclic<1>>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.shared>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @no_fixed_distance(%v: f32, %out: memref<640xf32, 1>) kernel {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [256] in [0, 256) (%x) {
      warp.yield %v : f32
    } : tensor<256xf32, #warp.cyclic<8>>
    %b = warp.compute "b" at (%tile_x) step [32] in [0, 32) (%x) {
      // expected-error @+1 {{'warp.read' op reads at no fixed distance along x, expected a shared tile}}
      %0 = warp.read %a[%x * 8] : tensor<256xf32, #warp.cyclic<8>>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.cyclic<1>>
    warp.write %b in [0, 32) to %out : tensor<32xf32, #warp.cyclic<1>>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @samples_of_blocked_lanes(%v: f32, %out: memref<640xf32, 1>) kernel {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [64] in [0, 64) (%x) {
      warp.yield %v : f32
    } : tensor<64xf32, #warp.blocked<2>>
    %b = warp.compute "b" at (%tile_x) step [32] in [0, 32) (%x) {
      // expected-error @+1 {{'warp.read' op reads at no fixed distance along x, expected a shared tile}}
      %0 = warp.read %a[%x * 2] : tensor<64xf32, #warp.blocked<2>>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.blocked<1>>
    warp.write %b in [0, 32) to %out : tensor<32xf32, #warp.blocked<1>>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @another_place(%v: f32, %t: index) kernel {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%t) step [32] in [0, 32) (%x) {
      warp.yield %v : f32
    } : tensor<32xf32, #warp.cyclic<1>>
    %b = warp.compute "b" at (%tile_x) step [32] in [0, 32) (%x) {
      // expected-error @+1 {{'warp.read' op index #0 of "a" does not move with the tile of "b"}}
      %0 = warp.read %a[%x] : tensor<32xf32, #warp.cyclic<1>>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.cyclic<1>>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @no_such_row(%v: f32, %out: memref<480x640xf32, 1>) kernel {
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
    %a = warp.compute "a" at (%tile_y, %tile_x) step [2, 32] in [0, 2) x [0, 32) (%y, %x) {
      warp.yield %v : f32
    } : tensor<2x32xf32, #warp.cyclic<1>>
    %b = warp.compute "b" at (%tile_y, %tile_x) step [2, 32] in [0, 2) x [0, 32) (%y, %x) {
      // expected-error @+1 {{'warp.read' op reads a row that its tile does not have}}
      %0 = warp.read %a[%y + 1, %x] : tensor<2x32xf32, #warp.cyclic<1>>
      warp.yield %0 : f32
    } : tensor<2x32xf32, #warp.cyclic<1>>
    warp.write %b in [0, 2) x [0, 32) to %out : tensor<2x32xf32, #warp.cyclic<1>>, memref<480x640xf32, 1>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @no_shared_part(%v: f32, %out: memref<640xf32, 1>) kernel {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [32] in [0, 32) (%x) {
      warp.yield %v : f32
    } : tensor<32xf32, #warp.hybrid<0>>
    // expected-error @+1 {{'warp.compute' op reads left of a tile that has no shared part}}
    %b = warp.compute "b" at (%tile_x) step [32] in [0, 32) (%x) {
      %0 = warp.read %a[%x - 1] : tensor<32xf32, #warp.hybrid<0>>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.hybrid<0>>
    warp.write %b in [0, 32) to %out : tensor<32xf32, #warp.hybrid<0>>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @too_large(%v: f32, %out: memref<480x640xf32, 1>) kernel {
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
    // expected-error @+1 {{'warp.compute' op "a" has 17592186044416 points in each lane, expected at most 131072, which are all written out}}
    %a = warp.compute "a" at (%tile_y, %tile_x) step [17592186044416, 32] in [0, 17592186044416) x [0, 32) (%y, %x) {
      warp.yield %v : f32
    } : tensor<17592186044416x32xf32, #warp.cyclic<1>>
    warp.write %a in [0, 17592186044416) x [0, 32) to %out : tensor<17592186044416x32xf32, #warp.cyclic<1>>, memref<480x640xf32, 1>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @grid_at_an_edge(%v: f32, %n: index) kernel {
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [2, 16] : index, index
    // expected-error @+1 {{'warp.compute' op "a" may lie at an edge, expected a tile inside in lanes of rows and columns}}
    %a = warp.compute "a" at (%tile_y, %tile_x) step [2, 16] in [0, 2) x [0, 16) of (%n, %n) (%y, %x) {
      warp.yield %v : f32
    } : tensor<2x16xf32, #warp.grid<2, 16>>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @grid_beside_columns(%v: f32) kernel {
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [2, 16] : index, index
    %a = warp.compute "a" at (%tile_y, %tile_x) step [2, 32] in [0, 2) x [0, 32) (%y, %x) {
      warp.yield %v : f32
    } : tensor<2x32xf32, #warp.grid<2, 16>>
    // expected-error @+1 {{'warp.compute' op "b" has another layout than what stands beside it}}
    %b = warp.compute "b" at (%tile_y, %tile_x) step [2, 32] in [0, 2) x [0, 32) (%y, %x) {
      warp.yield %v : f32
    } : tensor<2x32xf32, #warp.cyclic<1>>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @columns_beside_grid(%v: f32) kernel {
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [2, 16] : index, index
    %a = warp.compute "a" at (%tile_y, %tile_x) step [2, 32] in [0, 2) x [0, 32) (%y, %x) {
      warp.yield %v : f32
    } : tensor<2x32xf32, #warp.cyclic<1>>
    // expected-error @+1 {{'warp.compute' op "b" has another layout than what stands beside it}}
    %b = warp.compute "b" at (%tile_y, %tile_x) step [2, 32] in [0, 2) x [0, 32) (%y, %x) {
      warp.yield %v : f32
    } : tensor<2x32xf32, #warp.grid<2, 16>>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @grid_turned(%v: f32) kernel {
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [2, 16] : index, index
    %a = warp.compute "a" at (%tile_y, %tile_x) step [16, 16] in [0, 16) x [0, 16) (%y, %x) {
      warp.yield %v : f32
    } : tensor<16x16xf32, #warp.grid<2, 16>>
    %b = warp.compute "b" at (%tile_x, %tile_y) step [16, 16] in [0, 16) x [0, 16) (%y, %x) {
      // expected-error @+1 {{'warp.read' op reads a tile in lanes of rows and columns at another place than a fixed distance away, expected a shared tile}}
      %0 = warp.read %a[%x, %y] : tensor<16x16xf32, #warp.grid<2, 16>>
      warp.yield %0 : f32
    } : tensor<16x16xf32, #warp.grid<2, 16>>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @grid_too_large(%v: f32) kernel {
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [2, 16] : index, index
    // expected-error @+1 {{'warp.compute' op "a" has 262144 points in each lane, expected at most 131072, which are all written out}}
    %a = warp.compute "a" at (%tile_y, %tile_x) step [2048, 4096] in [0, 2048) x [0, 4096) (%y, %x) {
      warp.yield %v : f32
    } : tensor<2048x4096xf32, #warp.grid<2, 16>>
    gpu.return
  }
}
