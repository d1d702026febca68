// At an edge of the image: a row with a boundary mode is the one that the mode leads to, of those at hand; along x each lane
// fetches, for columns outside, the column that the mode leads to, once for a row.

// RUN: pipeline-opt %s -shuffle -canonicalize -cse -split-input-file | FileCheck %s

// CHECK-LABEL: gpu.func @rows
// CHECK-SAME:  %[[H:[^:]*]]: index, %[[W:[^:]*]]: index) kernel
gpu.module @m {
  gpu.func @rows(%img: memref<480x640xf32, 1>, %out: memref<480x640xf32, 1>, %h: index, %w: index) kernel {
    // The row above the tile, or the first of it.
    // CHECK:      %[[ABOVE:.*]] = memref.load
    // CHECK:      %[[FIRST:.*]] = memref.load
    // CHECK:      %[[IS_FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0{{.*}} : index
    // CHECK-NEXT: %[[VALUE:.*]] = arith.select %[[IS_FIRST]], %[[FIRST]], %[[ABOVE]] : f32
    // CHECK-NOT:  gpu.shuffle
    // Nothing is written outside of the image.
    // CHECK:      arith.cmpi slt, %{{.*}}, %[[H]]
    // CHECK:      scf.if
    // CHECK-NEXT:   memref.store %[[VALUE]]
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
    %a = warp.compute "a" at (%tile_y, %tile_x) step [1, 32] in [-1, 1) x [0, 32) of (%h, %w) (%y, %x) {
      %0 = memref.load %img[%y, %x] : memref<480x640xf32, 1>
      warp.yield %0 : f32
    } : tensor<2x32xf32, #warp.cyclic<1>>
    %b = warp.compute "b" at (%tile_y, %tile_x) step [1, 32] in [0, 1) x [0, 32) of (%h, %w) (%y, %x) {
      %0 = warp.read %a[%y - 1, %x] clamp : tensor<2x32xf32, #warp.cyclic<1>>
      warp.yield %0 : f32
    } : tensor<1x32xf32, #warp.cyclic<1>>
    warp.write %b in [0, 1) x [0, 32) to %out : tensor<1x32xf32, #warp.cyclic<1>>, memref<480x640xf32, 1>
    gpu.return
  }
}

// -----

// Two reads of one row: it is padded once, then shuffled for each.
// CHECK-LABEL: gpu.func @columns
gpu.module @m {
  gpu.func @columns(%img: memref<640xf32, 1>, %out: memref<640xf32, 1>, %w: index) kernel {
    // CHECK:      %[[A:.*]] = memref.load
    // CHECK-NEXT: %[[PADDED:.*]], %{{.*}} = gpu.shuffle idx %[[A]]
    // CHECK-NEXT: %[[LEFT:.*]], %{{.*}} = gpu.shuffle idx %[[PADDED]]
    // CHECK-NEXT: %[[RIGHT:.*]], %{{.*}} = gpu.shuffle idx %[[PADDED]]
    // CHECK-NEXT: arith.addf %[[LEFT]], %[[RIGHT]]
    // CHECK-NOT:  gpu.shuffle
    // CHECK:      gpu.return
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [30] in [-1, 31) of (%w) (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.cyclic<1>>
    %b = warp.compute "b" at (%tile_x) step [30] in [-1, 31) of (%w) (%x) {
      %0 = warp.read %a[%x - 1] mirror : tensor<32xf32, #warp.cyclic<1>>
      %1 = warp.read %a[%x + 1] mirror : tensor<32xf32, #warp.cyclic<1>>
      %2 = arith.addf %0, %1 : f32
      warp.yield %2 : f32
    } : tensor<32xf32, #warp.cyclic<1>>
    warp.write %b in [0, 30) to %out : tensor<32xf32, #warp.cyclic<1>>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// So where the edge is not repeated.
// CHECK-LABEL: gpu.func @reflected_columns
gpu.module @m {
  gpu.func @reflected_columns(%img: memref<640xf32, 1>, %out: memref<640xf32, 1>, %w: index) kernel {
    // CHECK:      %[[A:.*]] = memref.load
    // CHECK-NEXT: %[[PADDED:.*]], %{{.*}} = gpu.shuffle idx %[[A]]
    // CHECK-NEXT: %[[LEFT:.*]], %{{.*}} = gpu.shuffle idx %[[PADDED]]
    // CHECK-NEXT: %[[RIGHT:.*]], %{{.*}} = gpu.shuffle idx %[[PADDED]]
    // CHECK-NEXT: arith.addf %[[LEFT]], %[[RIGHT]]
    // CHECK-NOT:  gpu.shuffle
    // CHECK:      gpu.return
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [30] in [-1, 31) of (%w) (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.cyclic<1>>
    %b = warp.compute "b" at (%tile_x) step [30] in [-1, 31) of (%w) (%x) {
      %0 = warp.read %a[%x - 1] reflect101 : tensor<32xf32, #warp.cyclic<1>>
      %1 = warp.read %a[%x + 1] reflect101 : tensor<32xf32, #warp.cyclic<1>>
      %2 = arith.addf %0, %1 : f32
      warp.yield %2 : f32
    } : tensor<32xf32, #warp.cyclic<1>>
    warp.write %b in [0, 30) to %out : tensor<32xf32, #warp.cyclic<1>>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// A constant: the shuffle, and then the padding value. To the left alone: the read goes nowhere else.
// CHECK-LABEL: gpu.func @constant
// CHECK-SAME:  %[[V:[^:]*]]: f32) kernel
gpu.module @m {
  gpu.func @constant(%img: memref<640xf32, 1>, %out: memref<640xf32, 1>, %w: index, %v: f32) kernel {
    // CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
    // CHECK-DAG:  %[[IN:.*]] = arith.cmpi sge, %{{.*}}, %[[C0]] : index
    // CHECK:      gpu.shuffle idx
    // CHECK:      arith.select %[[IN]], %{{.*}}, %[[V]] : f32
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [30] in [-1, 31) of (%w) (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.cyclic<1>>
    %b = warp.compute "b" at (%tile_x) step [30] in [-1, 31) of (%w) (%x) {
      %0 = warp.read %a[%x - 1] constant(%v) : tensor<32xf32, #warp.cyclic<1>>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.cyclic<1>>
    warp.write %b in [0, 30) to %out : tensor<32xf32, #warp.cyclic<1>>, memref<640xf32, 1>
    gpu.return
  }
}
