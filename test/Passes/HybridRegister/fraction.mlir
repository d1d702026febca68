// The right columns of each tile go to registers, the same number in every stage, rounded to whole warps of columns. What is
// left of them stays shared: with 1.0 that is the overlap.

// RUN: pipeline-opt %s -hybrid-register=fraction=0.0 | FileCheck %s --check-prefix=NONE
// RUN: pipeline-opt %s -hybrid-register=fraction=0.05 | FileCheck %s --check-prefix=NONE
// RUN: pipeline-opt %s -hybrid-register=fraction=0.1 | FileCheck %s --check-prefix=LITTLE
// RUN: pipeline-opt %s -hybrid-register=fraction=0.5 | FileCheck %s --check-prefix=HALF
// RUN: pipeline-opt %s -hybrid-register=fraction=0.99 | FileCheck %s --check-prefix=ALL
// RUN: pipeline-opt %s -hybrid-register=fraction=1.0 | FileCheck %s --check-prefix=ALL
// RUN: pipeline-opt %s -hybrid-register | FileCheck %s --check-prefix=SCHEDULE

// Of 256 columns 12.8 are less than half a warp of them, 25.6 are more.
// NONE:     %a = warp.compute "a"
// NONE:     } : tensor<10x258xf32, #warp.shared>
// NONE:     } : tensor<8x256xf32, #warp.lane>
// LITTLE:   } : tensor<10x258xf32, #warp.hybrid<226>>
// LITTLE:   } : tensor<8x256xf32, #warp.hybrid<224>>
// HALF:     %a = warp.compute "a" at(%tile_y, %tile_x) step [8, 256] in [-1, 9) x [-1, 257) (%y, %x) {
// HALF:     } : tensor<10x258xf32, #warp.hybrid<130>>
// HALF:     warp.read %a[%y - 1, %x - 1] : tensor<10x258xf32, #warp.hybrid<130>>
// HALF:     } : tensor<8x256xf32, #warp.hybrid<128>>
// HALF:     warp.write %b in [0, 8) x [0, 256) to %{{.*}} : tensor<8x256xf32, #warp.hybrid<128>>
// ALL:      } : tensor<10x258xf32, #warp.hybrid<2>>
// ALL:      } : tensor<8x256xf32, #warp.hybrid<0>>

// Without the option, what the schedule says: here 0.75.
// SCHEDULE: } : tensor<10x258xf32, #warp.hybrid<66>>
// SCHEDULE: } : tensor<8x256xf32, #warp.hybrid<64>>

gpu.module @m {
  gpu.func @f(%v: f32, %out: memref<480x6400xf32, 1>) kernel attributes {warp.schedule = {fraction = 0.75}} {
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
    %a = warp.compute "a" at (%tile_y, %tile_x) step [8, 256] in [-1, 9) x [-1, 257) (%y, %x) {
      warp.yield %v : f32
    } : tensor<10x258xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_y, %tile_x) step [8, 256] in [0, 8) x [0, 256) (%y, %x) {
      %0 = warp.read %a[%y - 1, %x - 1] : tensor<10x258xf32, #warp.shared>
      %1 = warp.read %a[%y + 1, %x + 1] : tensor<10x258xf32, #warp.shared>
      %2 = arith.addf %0, %1 : f32
      warp.yield %2 : f32
    } : tensor<8x256xf32, #warp.lane>
    warp.write %b in [0, 8) x [0, 256) to %out : tensor<8x256xf32, #warp.lane>, memref<480x6400xf32, 1>
    gpu.return
  }
}
