// Tiles that cannot be lowered to shared memory.

// RUN: pipeline-opt %s -lower-warp -split-input-file -verify-diagnostics

gpu.module @m {
  gpu.func @registers(%v: f32) kernel {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    // expected-error @+1 {{'warp.compute' op "a" has a tile in registers, expected none: run --shuffle first}}
    %a = warp.compute "a" at (%tile_x) step [64] in [0, 64) (%x) {
      warp.yield %v : f32
    } : tensor<64xf32, #warp.hybrid<32>>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @stream(%v: f32) kernel {
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
    // expected-error @+1 {{'warp.stream' op walks down rows in registers: run --shuffle first}}
    warp.stream unroll 8 {
      %a = warp.compute "a" at (%tile_y, %tile_x) step [8, 64] in [0, 8) x [0, 64) (%y, %x) {
        warp.yield %v : f32
      } : tensor<8x64xf32, #warp.shared>
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{'gpu.func' op kernel needs 65536 bytes of shared memory a block, expected at most 49152: choose a smaller tile or block}}
  gpu.func @too_large(%v: f32) kernel {
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
    %a = warp.compute "a" at (%tile_y, %tile_x) step [64, 64] in [0, 64) x [0, 64) (%y, %x) {
      warp.yield %v : f32
    } : tensor<64x64xf32, #warp.shared>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @another_place(%v: f32, %t: index) kernel {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%t) step [32] in [0, 32) (%x) {
      warp.yield %v : f32
    } : tensor<32xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_x) step [32] in [0, 32) (%x) {
      // expected-error @+1 {{'warp.read' op index #0 of "a" does not move with the tile of "b"}}
      %0 = warp.read %a[%x] : tensor<32xf32, #warp.shared>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.lane>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @coupled(%v: f32) kernel {
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
    %a = warp.compute "a" at (%tile_x) step [32] in [0, 40) (%x) {
      warp.yield %v : f32
    } : tensor<40xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_y, %tile_x) step [8, 32] in [0, 8) x [0, 32) (%y, %x) {
      // expected-error @+1 {{'warp.read' op index #0 of "a" does not move with the tile of "b"}}
      %0 = warp.read %a[%y + %x] : tensor<40xf32, #warp.shared>
      warp.yield %0 : f32
    } : tensor<8x32xf32, #warp.lane>
    gpu.return
  }
}

// -----

// As many warps as can be counted: their memory cannot be.
gpu.module @m {
  // expected-error @+1 {{kernel needs 9223372036854775807 bytes of shared memory a block, expected at most}}
  gpu.func @countless(%v: f32) kernel {
    %tile_x = warp.tile_id warps [9223372036854775807] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [128] in [0, 128) (%x) {
      warp.yield %v : f32
    } : tensor<128xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_x) step [64] in [0, 64) (%x) {
      %0 = warp.read %a[%x * 2] : tensor<128xf32, #warp.shared>
      warp.yield %0 : f32
    } : tensor<64xf32, #warp.lane>
    gpu.return
  }
}

// -----

// The product of the extents has 65 bits.
gpu.module @m {
  // expected-error @+1 {{kernel needs 9223372036854775807 bytes of shared memory a block, expected at most}}
  gpu.func @endless(%v: f32) kernel {
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
    %a = warp.compute "a" at (%tile_y, %tile_x) step [4294967296, 4294967296] in [0, 4294967296) x [0, 4294967296) (%y, %x) {
      warp.yield %v : f32
    } : tensor<4294967296x4294967296xf32, #warp.shared>
    gpu.return
  }
}
