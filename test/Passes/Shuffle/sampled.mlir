// Reads of another resolution: the lane that has a column is a function of the reader's lane.

// RUN: pipeline-opt %s -shuffle -canonicalize -cse -split-input-file | FileCheck %s

// Every second column. Lanes 0 to 15 want the first register, in lane 2 x, lanes 16 to 31 the second, and each lane takes its half.
// CHECK-LABEL: gpu.func @down
// CHECK-DAG:   %[[TWICE:.*]] = arith.muli %[[LANE:.*]], %c2{{.*}} : index
// CHECK:       %[[OF:.*]] = arith.remui %[[TWICE]], %c32{{.*}} : index
// CHECK:       %[[FROM:.*]] = arith.index_cast %[[OF]] : index to i32
// CHECK:       %[[A0:.*]] = memref.load
// CHECK:       %[[A1:.*]] = memref.load
// CHECK:       %[[LEFT:.*]], %{{.*}} = gpu.shuffle idx %[[A0]], %[[FROM]]
// CHECK:       %[[RIGHT:.*]], %{{.*}} = gpu.shuffle idx %[[A1]], %[[FROM]]
// CHECK:       %[[VALUE:.*]] = arith.select %{{.*}}, %[[LEFT]], %[[RIGHT]] : f32
// CHECK-NOT:   gpu.shuffle
// CHECK:       memref.store %[[VALUE]]
gpu.module @m {
  gpu.func @down(%img: memref<640xf32, 1>, %out: memref<320xf32, 1>) kernel {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [64] in [0, 64) (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0 : f32
    } : tensor<64xf32, #warp.cyclic<2>>
    %b = warp.compute "b" at (%tile_x) step [32] in [0, 32) (%x) {
      %0 = warp.read %a[%x * 2] : tensor<64xf32, #warp.cyclic<2>>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.cyclic<1>>
    warp.write %b in [0, 32) to %out : tensor<32xf32, #warp.cyclic<1>>, memref<320xf32, 1>
    gpu.return
  }
}

// -----

// Each column twice: a lane's first register has columns of the lower half of the lanes, its second those of the upper half.
// CHECK-LABEL: gpu.func @up
// CHECK:       %[[HALF:.*]] = arith.divui %{{.*}}, %c2{{.*}} : index
// CHECK:       %[[A:.*]] = memref.load
// CHECK:       gpu.shuffle idx %[[A]]
// CHECK:       gpu.shuffle idx %[[A]]
// CHECK-NOT:   gpu.shuffle
// CHECK-NOT:   arith.select
// CHECK:       gpu.return
gpu.module @m {
  gpu.func @up(%img: memref<320xf32, 1>, %out: memref<640xf32, 1>) kernel {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [32] in [0, 32) (%x) {
      %0 = memref.load %img[%x] : memref<320xf32, 1>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.cyclic<1>>
    %b = warp.compute "b" at (%tile_x) step [64] in [0, 64) (%x) {
      %0 = warp.read %a[%x floordiv 2] : tensor<32xf32, #warp.cyclic<1>>
      warp.yield %0 : f32
    } : tensor<64xf32, #warp.cyclic<2>>
    warp.write %b in [0, 64) to %out : tensor<64xf32, #warp.cyclic<2>>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// Left of the registers of a hybrid tile the shared part is read, by the lanes that want it: lane 0, whose column 2 x - 1 it is.
// CHECK-LABEL: gpu.func @left
// CHECK:       %[[COLUMN:.*]] = arith.addi %sample_x, %c-1{{.*}} : index
// CHECK:       %[[FIRST:.*]] = arith.cmpi slt, %{{.*}}, %c1{{ |_.* }}: index
// CHECK:       warp.compute "a"
// CHECK:       } : tensor<1xf32, #warp.shared>
// CHECK:       %[[SHARED:.*]] = warp.read %a[%[[COLUMN]]] : tensor<1xf32, #warp.shared>
// CHECK:       gpu.shuffle idx
// CHECK:       gpu.shuffle idx
// CHECK:       %[[MOVED:.*]] = arith.select
// CHECK-NEXT:  %[[VALUE:.*]] = arith.select %[[FIRST]], %[[SHARED]], %[[MOVED]] : f32
// CHECK-NOT:   gpu.shuffle
// CHECK:       memref.store %[[VALUE]]
// CHECK:       gpu.return
gpu.module @m {
  gpu.func @left(%img: memref<640xf32, 1>, %out: memref<320xf32, 1>) kernel {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [64] in [-1, 64) (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0 : f32
    } : tensor<65xf32, #warp.hybrid<1>>
    %b = warp.compute "b" at (%tile_x) step [32] in [0, 32) (%x) {
      %0 = warp.read %a[%x * 2 - 1] : tensor<65xf32, #warp.hybrid<1>>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.hybrid<0>>
    warp.write %b in [0, 32) to %out : tensor<32xf32, #warp.hybrid<0>>, memref<320xf32, 1>
    gpu.return
  }
}
