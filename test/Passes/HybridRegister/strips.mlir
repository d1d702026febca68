// Tiles that --warp-tile made for registers go there whole; with a stream, in a loop over rows.

// RUN: split-file %s %t
// RUN: sed 's/SCHEDULE/layout = "blocked", vector = 4/' %t/blur.mlir | pipeline-opt -hybrid-register | FileCheck %s --check-prefix=BLOCKED
// RUN: sed 's/SCHEDULE/layout = "cyclic", vector = 4/' %t/blur.mlir | pipeline-opt -hybrid-register | FileCheck %s --check-prefix=CYCLIC
// RUN: sed 's/SCHEDULE/layout = "blocked", vector = 4, fraction = 0.5/' %t/blur.mlir | pipeline-opt -hybrid-register | FileCheck %s --check-prefix=BLOCKED
// RUN: sed 's/SCHEDULE/layout = "blocked", vector = 4, fraction = 0.4/' %t/blur.mlir | pipeline-opt -hybrid-register | FileCheck %s --check-prefix=SHARED
// RUN: sed 's/SCHEDULE/layout = "blocked", vector = 4/' %t/blur.mlir | pipeline-opt -hybrid-register=fraction=0.0 | FileCheck %s --check-prefix=SHARED
// RUN: sed 's/SCHEDULE/layout = "blocked", vector = 4, stream = "y"/' %t/blur.mlir | pipeline-opt -hybrid-register | FileCheck %s --check-prefix=STREAM
// RUN: sed 's/SCHEDULE/layout = "blocked", vector = 4, stream = "y"/' %t/far.mlir | pipeline-opt -hybrid-register | FileCheck %s --check-prefix=FAR

// BLOCKED-NOT: warp.stream
// BLOCKED:     } : tensor<18x128xf32, #warp.blocked<4>>
// BLOCKED:     warp.read %a[%y - 1, %x] : tensor<18x128xf32, #warp.blocked<4>>
// BLOCKED:     } : tensor<16x128xf32, #warp.blocked<4>>

// CYCLIC:      } : tensor<18x128xf32, #warp.cyclic<4>>
// CYCLIC:      } : tensor<16x128xf32, #warp.cyclic<4>>

// All or nothing: less than half is nothing.
// SHARED:      } : tensor<18x128xf32, #warp.shared>
// SHARED:      } : tensor<16x128xf32, #warp.lane>

// Whole iterations, each at least as long as the window of three rows: of 16 rows, 4.
// STREAM:      %tile_y, %tile_x = warp.tile_id
// STREAM-NEXT: warp.stream unroll 4 {
// STREAM-NEXT:   %a = warp.compute "a"
// STREAM:        } : tensor<18x128xf32, #warp.blocked<4>>
// STREAM:        %b = warp.compute "b"
// STREAM:        warp.write %b
// STREAM-NEXT: }

// Where no iteration fits the rows, all of them: 7 rows of window, 10 of tile.
// FAR:         warp.stream unroll 10 {

//--- blur.mlir
gpu.module @m {
  gpu.func @blur(%v: f32, %out: memref<480x6400xf32, 1>) kernel attributes {warp.schedule = {SCHEDULE}} {
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
    %a = warp.compute "a" at (%tile_y, %tile_x) step [16, 120] in [-1, 17) x [-4, 124) (%y, %x) {
      warp.yield %v : f32
    } : tensor<18x128xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_y, %tile_x) step [16, 120] in [0, 16) x [-4, 124) (%y, %x) {
      %0 = warp.read %a[%y - 1, %x] : tensor<18x128xf32, #warp.shared>
      %1 = warp.read %a[%y + 1, %x] : tensor<18x128xf32, #warp.shared>
      %2 = arith.addf %0, %1 : f32
      warp.yield %2 : f32
    } : tensor<16x128xf32, #warp.lane>
    warp.write %b in [0, 16) x [0, 120) to %out : tensor<16x128xf32, #warp.lane>, memref<480x6400xf32, 1>
    gpu.return
  }
}
//--- far.mlir
gpu.module @m {
  gpu.func @far(%v: f32, %out: memref<480x6400xf32, 1>) kernel attributes {warp.schedule = {SCHEDULE}} {
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
    %a = warp.compute "a" at (%tile_y, %tile_x) step [10, 128] in [-3, 13) x [0, 128) (%y, %x) {
      warp.yield %v : f32
    } : tensor<16x128xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_y, %tile_x) step [10, 128] in [0, 10) x [0, 128) (%y, %x) {
      %0 = warp.read %a[%y - 3, %x] : tensor<16x128xf32, #warp.shared>
      %1 = warp.read %a[%y + 3, %x] : tensor<16x128xf32, #warp.shared>
      %2 = arith.addf %0, %1 : f32
      warp.yield %2 : f32
    } : tensor<10x128xf32, #warp.lane>
    warp.write %b in [0, 10) x [0, 128) to %out : tensor<10x128xf32, #warp.lane>, memref<480x6400xf32, 1>
    gpu.return
  }
}
