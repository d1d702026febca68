// A lane has all planes of a pixel: they are written out, and what does not depend on the plane stands there once.

// RUN: pipeline-opt %s -lower-warp -canonicalize -cse | FileCheck %s

// CHECK-LABEL: gpu.func @lit
// CHECK-SAME:  (%[[IMG:.*]]: memref<3x480x640xf32, 1>, %[[GREY:.*]]: memref<480x640xf32, 1>, %[[OUT:.*]]: memref<3x480x640xf32, 1>)
gpu.module @m {
  gpu.func @lit(%img: memref<3x480x640xf32, 1>, %grey: memref<480x640xf32, 1>, %out: memref<3x480x640xf32, 1>) kernel {
    // CHECK:      %[[C0:.*]] = arith.muli %{{.*}}, %c3
    // Loops along rows and columns alone.
    // CHECK:      scf.for
    // CHECK-NEXT:   scf.for
    // CHECK-NOT:    scf.for
    // CHECK:          %[[C1:.*]] = arith.addi %[[C0]], %c1
    // CHECK-NEXT:     %[[C2:.*]] = arith.addi %[[C0]], %c2
    // CHECK:          %[[G:.*]] = memref.load %[[GREY]]
    // CHECK-NEXT:     %[[LIGHT:.*]] = math.sqrt %[[G]]
    // CHECK-NOT:      math.sqrt
    // CHECK:          %[[P0:.*]] = memref.load %[[IMG]][%[[C0]],
    // CHECK-NEXT:     %[[V0:.*]] = arith.mulf %[[LIGHT]], %[[P0]]
    // CHECK-NEXT:     %[[P1:.*]] = memref.load %[[IMG]][%[[C1]],
    // CHECK-NEXT:     %[[V1:.*]] = arith.mulf %[[LIGHT]], %[[P1]]
    // CHECK-NEXT:     %[[P2:.*]] = memref.load %[[IMG]][%[[C2]],
    // CHECK-NEXT:     %[[V2:.*]] = arith.mulf %[[LIGHT]], %[[P2]]
    // CHECK:          memref.store %[[V0]], %[[OUT]][%[[C0]],
    // CHECK:          memref.store %[[V1]], %[[OUT]][%[[C1]],
    // CHECK:          memref.store %[[V2]], %[[OUT]][%[[C2]],
    %tile_c, %tile_y, %tile_x = warp.tile_id warps [1, 4, 1] lanes [1, 1, 32] : index, index, index
    %lit = warp.compute "lit" at (%tile_c, %tile_y, %tile_x) step [3, 8, 64] in [0, 3) x [0, 8) x [0, 64) (%c, %y, %x) {
      %0 = warp.load %grey[%y, %x] : memref<480x640xf32, 1>
      %light = math.sqrt %0 : f32
      %1 = warp.load %img[%c, %y, %x] : memref<3x480x640xf32, 1>
      %v = arith.mulf %light, %1 : f32
      warp.yield %v : f32
    } {planes_together} : tensor<3x8x64xf32, #warp.lane>
    warp.write %lit in [0, 3) x [0, 8) x [0, 64) to %out : tensor<3x8x64xf32, #warp.lane>, memref<3x480x640xf32, 1>
    gpu.return
  }
}
