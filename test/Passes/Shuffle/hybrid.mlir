// Hybrid tiles, as in Figures 4 and 5 of the PolyMage-GPU paper: half of the tile is shared, the other half in registers, two
// columns a lane. A read is of the lane's own register (type 1), of the shared part (2), or of another lane's register of this
// parallelogram (3) or of the one before (4): of the latter two the lane that has them selects, and one shuffle brings it.

// RUN: pipeline-opt %s -shuffle -cse -split-input-file | FileCheck %s

// CHECK-LABEL: gpu.func @figure_5
// CHECK-SAME:  (%[[IMG:.*]]: memref<640xf32, 1>, %[[OUT:.*]]: memref<640xf32, 1>)
gpu.module @m {
  gpu.func @figure_5(%img: memref<640xf32, 1>, %out: memref<640xf32, 1>) kernel {
    // CHECK-DAG:  %[[LANE:.*]] = gpu.lane_id
    // CHECK-DAG:  %[[C2:.*]] = arith.constant 2 : index
    // CHECK-DAG:  %[[C30:.*]] = arith.constant 30 : index
    // CHECK-DAG:  %[[C32:.*]] = arith.constant 32 : index
    // CHECK-DAG:  %[[C62:.*]] = arith.constant 62 : index
    // CHECK-DAG:  %[[C64:.*]] = arith.constant 64 : index
    // CHECK-DAG:  %[[C96:.*]] = arith.constant 96 : index
    // CHECK-DAG:  %[[X:.*]] = arith.addi %{{.*}}, %[[LANE]] : index
    // CHECK-DAG:  %[[X0:.*]] = arith.addi %[[X]], %[[C64]] : index
    // CHECK-DAG:  %[[X1:.*]] = arith.addi %[[X]], %[[C96]] : index
    // CHECK-DAG:  %[[AT:.*]] = arith.addi %[[X]], %[[C62]] : index
    // Two lanes back, around the warp.
    // CHECK-DAG:  %[[BACK:.*]] = arith.addi %[[LANE]], %[[C30]] : index
    // CHECK-DAG:  %[[AROUND:.*]] = arith.remui %[[BACK]], %[[C32]] : index
    // CHECK-DAG:  %[[SOURCE:.*]] = arith.index_cast %[[AROUND]] : index to i32
    // CHECK-DAG:  %[[IS_LEFT:.*]] = arith.cmpi slt, %[[LANE]], %[[C2]] : index
    // CHECK-DAG:  %[[IS_RIGHT:.*]] = arith.cmpi sge, %[[LANE]], %[[C30]] : index

    // The shared parts come first, with what is left of the tile.
    // CHECK:      %[[S:.*]] = warp.compute "blurx" at(%tile_x) step [128] in [-2, 64) (%x) {
    // CHECK:      } : tensor<66xf32, #warp.shared>
    // CHECK:      %[[B:.*]] = warp.compute "blury" at(%tile_x) step [128] in [0, 64) (%x) {
    // CHECK:        warp.read %[[S]][%x - 2] : tensor<66xf32, #warp.shared>
    // CHECK:      } : tensor<64xf32, #warp.lane>
    // CHECK:      warp.write %[[B]] in [0, 64) to %[[OUT]]

    // Two registers of each lane.
    // CHECK:      %[[A0:.*]] = memref.load %[[IMG]][%[[X0]]]
    // CHECK-NEXT: %[[A1:.*]] = memref.load %[[IMG]][%[[X1]]]
    // The first: the lane's own, and for the other types 2 and 3.
    // CHECK-NEXT: %[[TYPE_2:.*]] = warp.read %[[S]][%[[AT]]] : tensor<66xf32, #warp.shared>
    // CHECK-NEXT: %[[TYPE_3:.*]], %{{.*}} = gpu.shuffle idx %[[A0]], %[[SOURCE]], %{{.*}} : f32
    // CHECK-NEXT: %[[L0:.*]] = arith.select %[[IS_LEFT]], %[[TYPE_2]], %[[TYPE_3]] : f32
    // CHECK-NEXT: %[[B0:.*]] = arith.addf %[[A0]], %[[L0]] : f32
    // The second: types 3 and 4 in one.
    // CHECK-NEXT: %[[WANTED:.*]] = arith.select %[[IS_RIGHT]], %[[A0]], %[[A1]] : f32
    // CHECK-NEXT: %[[TYPE_4:.*]], %{{.*}} = gpu.shuffle idx %[[WANTED]], %[[SOURCE]], %{{.*}} : f32
    // CHECK-NEXT: %[[B1:.*]] = arith.addf %[[A1]], %[[TYPE_4]] : f32
    // CHECK-NEXT: memref.store %[[B0]], %[[OUT]][%[[X0]]]
    // CHECK-NEXT: memref.store %[[B1]], %[[OUT]][%[[X1]]]
    // CHECK-NEXT: gpu.return
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "blurx" at (%tile_x) step [128] in [-2, 128) (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0 : f32
    } : tensor<130xf32, #warp.hybrid<66>>
    %b = warp.compute "blury" at (%tile_x) step [128] in [0, 128) (%x) {
      %0 = warp.read %a[%x] : tensor<130xf32, #warp.hybrid<66>>
      %1 = warp.read %a[%x - 2] : tensor<130xf32, #warp.hybrid<66>>
      %2 = arith.addf %0, %1 : f32
      warp.yield %2 : f32
    } : tensor<128xf32, #warp.hybrid<64>>
    warp.write %b in [0, 128) to %out : tensor<128xf32, #warp.hybrid<64>>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// Reads to the right are own reads: the registers of a producer lie as far to the right as its consumer reads.
// CHECK-LABEL: gpu.func @skew
gpu.module @m {
  gpu.func @skew(%img: memref<640xf32, 1>, %out: memref<640xf32, 1>) kernel {
    // CHECK:      %[[A:.*]] = memref.load %{{.*}}[%x{{[0-9]+}}]
    // CHECK:      %[[L:.*]], %{{.*}} = gpu.shuffle idx %[[A]]
    // CHECK:      %[[LEFT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[L]]
    // CHECK:      %[[SUM:.*]] = arith.addf %[[LEFT]], %[[A]]
    // CHECK-NOT:  gpu.shuffle
    // CHECK:      gpu.return
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [64] in [-1, 65) (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0 : f32
    } : tensor<66xf32, #warp.hybrid<34>>
    %b = warp.compute "b" at (%tile_x) step [64] in [0, 64) (%x) {
      %0 = warp.read %a[%x - 1] : tensor<66xf32, #warp.hybrid<34>>
      %1 = warp.read %a[%x + 1] : tensor<66xf32, #warp.hybrid<34>>
      %2 = arith.addf %0, %1 : f32
      warp.yield %2 : f32
    } : tensor<64xf32, #warp.hybrid<32>>
    warp.write %b in [0, 64) to %out : tensor<64xf32, #warp.hybrid<32>>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// Further than a warp is wide. The first column finds all in the shared part; the second some there, some in the first; the
// third all in the first two.
// CHECK-LABEL: gpu.func @further
gpu.module @m {
  gpu.func @further(%img: memref<640xf32, 1>, %out: memref<640xf32, 1>) kernel {
    // CHECK:      %[[S:.*]] = warp.compute "a" {{.*}} in [-40, 32) (%x) {
    // CHECK:      %[[A0:.*]] = memref.load %{{.*}}[%x{{[0-9]+}}]
    // CHECK-NEXT: %[[A1:.*]] = memref.load
    // CHECK:      %[[FIRST:.*]] = warp.read %[[S]]
    // CHECK:      %[[SHARED:.*]] = warp.read %[[S]]
    // CHECK-NEXT: %[[MOVED:.*]], %{{.*}} = gpu.shuffle idx %[[A0]]
    // CHECK-NEXT: %[[SECOND:.*]] = arith.select %{{.*}}, %[[SHARED]], %[[MOVED]]
    // CHECK-NEXT: %[[WANTED:.*]] = arith.select %{{.*}}, %[[A0]], %[[A1]]
    // CHECK-NEXT: %[[THIRD:.*]], %{{.*}} = gpu.shuffle idx %[[WANTED]]
    // CHECK-DAG:  memref.store %[[FIRST]]
    // CHECK-DAG:  memref.store %[[SECOND]]
    // CHECK-DAG:  memref.store %[[THIRD]]
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [128] in [-40, 128) (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0 : f32
    } : tensor<168xf32, #warp.hybrid<72>>
    %b = warp.compute "b" at (%tile_x) step [128] in [0, 128) (%x) {
      %0 = warp.read %a[%x - 40] : tensor<168xf32, #warp.hybrid<72>>
      warp.yield %0 : f32
    } : tensor<128xf32, #warp.hybrid<32>>
    warp.write %b in [0, 128) to %out : tensor<128xf32, #warp.hybrid<32>>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// A whole warp away: own registers, without a shuffle.
// CHECK-LABEL: gpu.func @a_warp_away
// CHECK-NOT:   gpu.shuffle
// CHECK:       %[[A0:.*]] = memref.load %{{.*}}[%lane_x]
// CHECK:       %[[S:.*]] = warp.read
// CHECK-NOT:   gpu.shuffle
// CHECK:       memref.store %[[S]]
// CHECK-NEXT:  memref.store %[[A0]]
gpu.module @m {
  gpu.func @a_warp_away(%img: memref<640xf32, 1>, %out: memref<640xf32, 1>) kernel {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [64] in [-32, 64) (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0 : f32
    } : tensor<96xf32, #warp.hybrid<32>>
    %b = warp.compute "b" at (%tile_x) step [64] in [0, 64) (%x) {
      %0 = warp.read %a[%x - 32] : tensor<96xf32, #warp.hybrid<32>>
      warp.yield %0 : f32
    } : tensor<64xf32, #warp.hybrid<0>>
    warp.write %b in [0, 64) to %out : tensor<64xf32, #warp.hybrid<0>>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// Rows: each has its own registers, in the order in which they are written, so that few are alive together.
// CHECK-LABEL: gpu.func @rows
gpu.module @m {
  gpu.func @rows(%img: memref<480x640xf32, 1>, %out: memref<480x640xf32, 1>) kernel {
    // CHECK:      %[[R0:.*]] = memref.load
    // CHECK:      %[[R1:.*]] = memref.load
    // CHECK:      %[[S0:.*]] = arith.addf %[[R0]], %[[R1]]
    // CHECK:      memref.store %[[S0]]
    // CHECK:      %[[R2:.*]] = memref.load
    // CHECK:      %[[S1:.*]] = arith.addf %[[R1]], %[[R2]]
    // CHECK:      memref.store %[[S1]]
    // CHECK:      gpu.return
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
    %a = warp.compute "a" at (%tile_y, %tile_x) step [2, 32] in [0, 3) x [0, 32) (%y, %x) {
      %0 = memref.load %img[%y, %x] : memref<480x640xf32, 1>
      warp.yield %0 : f32
    } : tensor<3x32xf32, #warp.hybrid<0>>
    %b = warp.compute "b" at (%tile_y, %tile_x) step [2, 32] in [0, 2) x [0, 32) (%y, %x) {
      %0 = warp.read %a[%y, %x] : tensor<3x32xf32, #warp.hybrid<0>>
      %1 = warp.read %a[%y + 1, %x] : tensor<3x32xf32, #warp.hybrid<0>>
      %2 = arith.addf %0, %1 : f32
      warp.yield %2 : f32
    } : tensor<2x32xf32, #warp.hybrid<0>>
    warp.write %b in [0, 2) x [0, 32) to %out : tensor<2x32xf32, #warp.hybrid<0>>, memref<480x640xf32, 1>
    gpu.return
  }
}
