// A compute becomes loops over its box, as many points at a time as there are lanes. All lanes compute; those beyond the box
// repeat its last point, and do not store.

// RUN: pipeline-opt %s -lower-warp -canonicalize -cse -split-input-file | FileCheck %s

// CHECK-LABEL: gpu.func @shared
// CHECK-SAME:  (%[[IMG:.*]]: memref<480x640xf32, 1>, %[[OUT:.*]]: memref<480x640xf32, 1>)
// Four warps of 10 x 64 x 4 bytes.
// CHECK-SAME:  workgroup(%[[SHARED:.*]] : memref<10240xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
gpu.module @m {
  gpu.func @shared(%img: memref<480x640xf32, 1>, %out: memref<480x640xf32, 1>) kernel {
    // CHECK-NOT:  warp.
    // CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
    // CHECK-DAG:  %[[C1:.*]] = arith.constant 1 : index
    // CHECK-DAG:  %[[C2:.*]] = arith.constant 2 : index
    // CHECK-DAG:  %[[C4:.*]] = arith.constant 4 : index
    // CHECK-DAG:  %[[C8:.*]] = arith.constant 8 : index
    // CHECK-DAG:  %[[C10:.*]] = arith.constant 10 : index
    // CHECK-DAG:  %[[C32:.*]] = arith.constant 32 : index
    // CHECK-DAG:  %[[C64:.*]] = arith.constant 64 : index
    // CHECK-DAG:  %[[PER_WARP:.*]] = arith.constant 2560 : index
    // CHECK-DAG:  %[[ALL:.*]] = arith.constant -1 : i32
    // CHECK:      %[[THREAD:.*]] = gpu.thread_id x
    // CHECK-NEXT: %[[LANE:.*]] = arith.remui %[[THREAD]], %[[C32]]
    // CHECK-NEXT: %[[WARP:.*]] = arith.divui %[[THREAD]], %[[C32]]
    // CHECK-NEXT: %[[TX:.*]] = gpu.block_id x
    // CHECK-NEXT: %[[BY:.*]] = gpu.block_id y
    // CHECK-NEXT: %[[FIRST:.*]] = arith.muli %[[BY]], %[[C4]]
    // CHECK-NEXT: %[[TY:.*]] = arith.addi %[[FIRST]], %[[WARP]]
    // CHECK-NEXT: %[[START:.*]] = arith.muli %[[WARP]], %[[PER_WARP]]
    // CHECK-NEXT: %[[TILE:.*]] = memref.view %[[SHARED]][%[[START]]][] : {{.*}} to memref<640xf32, #gpu.address_space<workgroup>>
    // Where tiles begin, once for all loops.
    // CHECK-NEXT: %[[Y0:.*]] = arith.muli %[[TY]], %[[C8]]
    // CHECK-NEXT: arith.muli %[[TX]], %[[C64]]
    // CHECK-NEXT: arith.addi %[[Y0]], %c-1
    // CHECK-NEXT: scf.for %[[I:.*]] = %[[C0]] to %[[C10]] step %[[C1]] {
    // CHECK-NEXT:   scf.for %[[J:.*]] = %[[C0]] to %[[C2]] step %[[C1]] {
    // CHECK-NEXT:     %[[ITERATION:.*]] = arith.muli %[[J]], %[[C32]]
    // CHECK-NEXT:     %[[COLUMN:.*]] = arith.addi %[[ITERATION]], %[[LANE]]
    // CHECK:          %[[V:.*]] = memref.load %[[IMG]]
    // CHECK-NEXT:     %[[ROW:.*]] = arith.muli %[[I]], %[[C64]]
    // CHECK-NEXT:     %[[PLACE:.*]] = arith.addi %[[ROW]], %[[COLUMN]]
    // CHECK-NEXT:     memref.store %[[V]], %[[TILE]][%[[PLACE]]]
    // CHECK:      nvvm.bar.warp.sync %[[ALL]]
    // A tile that is written back is written where it is computed.
    // CHECK-NEXT: scf.for %{{.*}} = %[[C0]] to %[[C8]] step %[[C1]] {
    // CHECK:          %[[W:.*]] = memref.load %[[TILE]]
    // CHECK-NEXT:     memref.store %[[W]], %[[OUT]]
    // CHECK:      gpu.return
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
    %a = warp.compute "a" at (%tile_y, %tile_x) step [8, 64] in [-1, 9) x [0, 64) (%y, %x) {
      %0 = memref.load %img[%y, %x] : memref<480x640xf32, 1>
      warp.yield %0 : f32
    } : tensor<10x64xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_y, %tile_x) step [8, 64] in [0, 8) x [0, 64) (%y, %x) {
      %0 = warp.read %a[%y - 1, %x] : tensor<10x64xf32, #warp.shared>
      warp.yield %0 : f32
    } : tensor<8x64xf32, #warp.lane>
    warp.write %b in [0, 8) x [0, 64) to %out : tensor<8x64xf32, #warp.lane>, memref<480x640xf32, 1>
    gpu.return
  }
}

// -----

// 66 columns: three iterations, and in the last most lanes are beyond the box.
// CHECK-LABEL: gpu.func @rest
gpu.module @m {
  gpu.func @rest(%img: memref<640xf32, 1>) kernel {
    // CHECK-DAG: %[[C65:.*]] = arith.constant 65 : index
    // CHECK-DAG: %[[C66:.*]] = arith.constant 66 : index
    // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
    // CHECK:     scf.for %{{.*}} to %[[C3]] step
    // CHECK:       %[[PLACE:.*]] = arith.addi
    // CHECK:       %[[IN:.*]] = arith.cmpi slt, %[[PLACE]], %[[C66]]
    // CHECK:       %[[INSIDE:.*]] = arith.minsi %[[PLACE]], %[[C65]]
    // CHECK:       %[[V:.*]] = memref.load
    // CHECK-NEXT:  scf.if %[[IN]] {
    // CHECK-NEXT:    memref.store %[[V]], %{{.*}}[%[[INSIDE]]]
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [64] in [-1, 65) (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0 : f32
    } : tensor<66xf32, #warp.shared>
    gpu.return
  }
}

// -----

// Lanes of 2 x 16: half as many rows, half as many columns at a time.
// CHECK-LABEL: gpu.func @lanes
gpu.module @m {
  gpu.func @lanes(%v: f32, %out: memref<480x640xf32, 1>) kernel {
    // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
    // CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
    // CHECK:     %[[LANE:.*]] = arith.remui %{{.*}}, %c32
    // CHECK-DAG: %[[LANE_X:.*]] = arith.remui %[[LANE]], %[[C16]]
    // CHECK-DAG: %[[LANE_Y:.*]] = arith.divui %[[LANE]], %[[C16]]
    // CHECK:     scf.for %{{.*}} to %[[C4]] step
    // CHECK:       arith.addi %{{.*}}, %[[LANE_Y]]
    // CHECK:       scf.for %{{.*}} to %[[C4]] step
    // CHECK:         arith.addi %{{.*}}, %[[LANE_X]]
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [2, 16] : index, index
    %a = warp.compute "a" at (%tile_y, %tile_x) step [8, 64] in [0, 8) x [0, 64) (%y, %x) {
      warp.yield %v : f32
    } : tensor<8x64xf32, #warp.lane>
    warp.write %a in [0, 8) x [0, 64) to %out : tensor<8x64xf32, #warp.lane>, memref<480x640xf32, 1>
    gpu.return
  }
}

// -----

// Warps are numbered along x first.
// CHECK-LABEL: gpu.func @warps
gpu.module @m {
  gpu.func @warps(%out: memref<480x640xindex>) kernel {
    // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
    // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
    // CHECK:     %[[WARP:.*]] = arith.divui %{{.*}}, %c32
    // CHECK-DAG: %[[WARP_X:.*]] = arith.remui %[[WARP]], %[[C3]]
    // CHECK-DAG: %[[WARP_Y:.*]] = arith.divui %[[WARP]], %[[C3]]
    // CHECK-DAG: %[[X:.*]] = arith.muli %{{.*}}, %[[C3]]
    // CHECK-DAG: %[[TX:.*]] = arith.addi %[[X]], %[[WARP_X]]
    // CHECK-DAG: %[[Y:.*]] = arith.muli %{{.*}}, %[[C2]]
    // CHECK-DAG: %[[TY:.*]] = arith.addi %[[Y]], %[[WARP_Y]]
    // CHECK:     memref.store %[[TX]], %{{.*}}[%[[TY]], %[[TX]]]
    %tile_y, %tile_x = warp.tile_id warps [2, 3] lanes [1, 32] : index, index
    memref.store %tile_x, %out[%tile_y, %tile_x] : memref<480x640xindex>
    gpu.return
  }
}
