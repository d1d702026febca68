// Strips: all columns in registers. At their margins shuffles bring what means nothing, and nothing that is written depends on it.

// RUN: pipeline-opt %s -shuffle -cse -split-input-file | FileCheck %s

// Blocked: most neighbours lie in the lane itself. Of four columns only the first wants one of the lane before, and only the
// last one of the lane behind.
// CHECK-LABEL: gpu.func @blocked
gpu.module @m {
  gpu.func @blocked(%img: memref<640xf32, 1>, %out: memref<640xf32, 1>) kernel {
    // CHECK-DAG:   %[[C1:.*]] = arith.constant 1 : i32
    // CHECK-DAG:   %[[C32:.*]] = arith.constant 32 : i32
    // CHECK:       %[[A0:.*]] = memref.load
    // CHECK-NEXT:  %[[A1:.*]] = memref.load
    // CHECK-NEXT:  %[[A2:.*]] = memref.load
    // CHECK-NEXT:  %[[A3:.*]] = memref.load
    // CHECK-NEXT:  %[[BEFORE:.*]], %{{.*}} = gpu.shuffle up %[[A3]], %[[C1]], %[[C32]] : f32
    // CHECK-NEXT:  arith.addf %[[BEFORE]], %[[A1]]
    // CHECK-NEXT:  arith.addf %[[A0]], %[[A2]]
    // CHECK-NEXT:  arith.addf %[[A1]], %[[A3]]
    // CHECK-NEXT:  %[[BEHIND:.*]], %{{.*}} = gpu.shuffle down %[[A0]], %[[C1]], %[[C32]] : f32
    // CHECK-NEXT:  arith.addf %[[A2]], %[[BEHIND]]
    // CHECK-NOT:   gpu.shuffle
    // CHECK:       gpu.return
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [120] in [-4, 124) (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0 : f32
    } : tensor<128xf32, #warp.blocked<4>>
    %b = warp.compute "b" at (%tile_x) step [120] in [-4, 124) (%x) {
      %0 = warp.read %a[%x - 1] : tensor<128xf32, #warp.blocked<4>>
      %1 = warp.read %a[%x + 1] : tensor<128xf32, #warp.blocked<4>>
      %2 = arith.addf %0, %1 : f32
      warp.yield %2 : f32
    } : tensor<128xf32, #warp.blocked<4>>
    warp.write %b in [0, 120) to %out : tensor<128xf32, #warp.blocked<4>>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// Six columns away: two of the lane before, two of the one before that.
// CHECK-LABEL: gpu.func @blocked_further
gpu.module @m {
  gpu.func @blocked_further(%img: memref<640xf32, 1>, %out: memref<640xf32, 1>) kernel {
    // CHECK-DAG:   %[[C1:.*]] = arith.constant 1 : i32
    // CHECK-DAG:   %[[C2:.*]] = arith.constant 2 : i32
    // CHECK:       %[[A0:.*]] = memref.load
    // CHECK-NEXT:  %[[A1:.*]] = memref.load
    // CHECK-NEXT:  %[[A2:.*]] = memref.load
    // CHECK-NEXT:  %[[A3:.*]] = memref.load
    // CHECK-NEXT:  gpu.shuffle up %[[A2]], %[[C2]]
    // CHECK-NEXT:  gpu.shuffle up %[[A3]], %[[C2]]
    // CHECK-NEXT:  gpu.shuffle up %[[A0]], %[[C1]]
    // CHECK-NEXT:  gpu.shuffle up %[[A1]], %[[C1]]
    // CHECK-NOT:   gpu.shuffle
    // CHECK:       gpu.return
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [120] in [-8, 120) (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0 : f32
    } : tensor<128xf32, #warp.blocked<4>>
    %b = warp.compute "b" at (%tile_x) step [120] in [-8, 120) (%x) {
      %0 = warp.read %a[%x - 6] : tensor<128xf32, #warp.blocked<4>>
      warp.yield %0 : f32
    } : tensor<128xf32, #warp.blocked<4>>
    warp.write %b in [0, 120) to %out : tensor<128xf32, #warp.blocked<4>>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// Cyclic: each column wants a neighbour of another lane; one shuffle for each read and column. Reads of the same shuffle once.
// CHECK-LABEL: gpu.func @cyclic
gpu.module @m {
  gpu.func @cyclic(%img: memref<640xf32, 1>, %out: memref<640xf32, 1>) kernel {
    // CHECK:       %[[A0:.*]] = memref.load
    // CHECK-NEXT:  %[[A1:.*]] = memref.load
    // CHECK-NEXT:  %[[WANTED:.*]] = arith.select %{{.*}}, %[[A0]], %[[A1]]
    // CHECK-NEXT:  %[[B0:.*]], %{{.*}} = gpu.shuffle idx %[[WANTED]]
    // CHECK-NEXT:  arith.addf %[[B0]], %[[B0]]
    // Right of the last column is nothing that counts.
    // CHECK-NEXT:  %[[B1:.*]], %{{.*}} = gpu.shuffle idx %[[A1]]
    // CHECK-NEXT:  arith.addf %[[B1]], %[[B1]]
    // CHECK-NOT:   gpu.shuffle
    // CHECK:       gpu.return
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [60] in [0, 64) (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0 : f32
    } : tensor<64xf32, #warp.cyclic<2>>
    %b = warp.compute "b" at (%tile_x) step [60] in [0, 64) (%x) {
      %0 = warp.read %a[%x + 1] : tensor<64xf32, #warp.cyclic<2>>
      %1 = warp.read %a[%x + 1] : tensor<64xf32, #warp.cyclic<2>>
      %2 = arith.addf %0, %1 : f32
      warp.yield %2 : f32
    } : tensor<64xf32, #warp.cyclic<2>>
    warp.write %b in [0, 60) to %out : tensor<64xf32, #warp.cyclic<2>>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// Only lanes with columns of the box write: of blocked<4> in [-4, 124) lanes 1 to 30 have [0, 120).
// CHECK-LABEL: gpu.func @margins
gpu.module @m {
  gpu.func @margins(%v: f32, %out: memref<640xf32, 1>) kernel {
    // CHECK-DAG:     %[[LANE:.*]] = gpu.lane_id
    // CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
    // CHECK-DAG:     %[[C31:.*]] = arith.constant 31 : index
    // CHECK-DAG:     %[[FROM:.*]] = arith.cmpi sge, %[[LANE]], %[[C1]]
    // CHECK-DAG:     %[[TO:.*]] = arith.cmpi slt, %[[LANE]], %[[C31]]
    // CHECK-DAG:     %[[WRITES:.*]] = arith.andi %[[FROM]], %[[TO]]
    // CHECK-COUNT-4: scf.if %[[WRITES]] {
    // CHECK-NOT:     scf.if
    // CHECK:         gpu.return
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [120] in [-4, 124) (%x) {
      warp.yield %v : f32
    } : tensor<128xf32, #warp.blocked<4>>
    warp.write %a in [0, 120) to %out : tensor<128xf32, #warp.blocked<4>>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// All lanes shuffle, always: a read in a branch is made before the branch.
// CHECK-LABEL: gpu.func @branch
gpu.module @m {
  gpu.func @branch(%c: i1, %v: f32, %out: memref<640xf32, 1>) kernel {
    // CHECK:      %[[MOVED:.*]], %{{.*}} = gpu.shuffle
    // CHECK-NEXT: scf.if
    // CHECK-NEXT:   scf.yield %[[MOVED]] : f32
    // CHECK-NEXT: } else {
    // CHECK-NOT:  gpu.shuffle
    // CHECK:      gpu.return
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [30] in [-1, 31) (%x) {
      warp.yield %v : f32
    } : tensor<32xf32, #warp.cyclic<1>>
    %b = warp.compute "b" at (%tile_x) step [30] in [-1, 31) (%x) {
      %0 = scf.if %c -> f32 {
        %1 = warp.read %a[%x - 1] : tensor<32xf32, #warp.cyclic<1>>
        scf.yield %1 : f32
      } else {
        scf.yield %v : f32
      }
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.cyclic<1>>
    warp.write %b in [0, 30) to %out : tensor<32xf32, #warp.cyclic<1>>, memref<640xf32, 1>
    gpu.return
  }
}
