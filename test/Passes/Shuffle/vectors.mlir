// Blocked lanes load inputs and store results as vectors of up to 16 bytes, where --warp-tile has found rows to be aligned.

// RUN: pipeline-opt %s -shuffle -split-input-file | FileCheck %s

// CHECK-LABEL: gpu.func @f32
gpu.module @m {
  gpu.func @f32(%img: memref<640xf32, 1>, %out: memref<640xf32, 1>) kernel {
    // CHECK:      %[[V:.*]] = vector.load %{{.*}}[%[[X:.*]]] {alignment = 16 : i64} : memref<640xf32, 1>, vector<4xf32>
    // CHECK-NEXT: %[[A0:.*]] = vector.extract %[[V]][0]
    // CHECK-NEXT: %[[A1:.*]] = vector.extract %[[V]][1]
    // CHECK-NEXT: %[[A2:.*]] = vector.extract %[[V]][2]
    // CHECK-NEXT: %[[A3:.*]] = vector.extract %[[V]][3]
    // CHECK:      %[[W:.*]] = vector.from_elements %[[A0]], %[[A1]], %[[A2]], %[[A3]] : vector<4xf32>
    // CHECK:      vector.store %[[W]], %{{.*}}[%[[X]]] {alignment = 16 : i64} : memref<640xf32, 1>, vector<4xf32>
    // CHECK-NOT:  memref.store
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "input0" at (%tile_x) step [128] in [0, 128) (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0 : f32
    } {aligned} : tensor<128xf32, #warp.blocked<4>>
    warp.write %a in [0, 128) to %out {aligned} : tensor<128xf32, #warp.blocked<4>>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @other_sizes
gpu.module @m {
  gpu.func @other_sizes(%img: memref<640xf64, 1>, %bytes: memref<640xi8, 1>, %out: memref<640xf64, 1>, %more: memref<640xi8, 1>) kernel {
    // CHECK: vector.load %{{.*}} {alignment = 16 : i64} : memref<640xf64, 1>, vector<2xf64>
    // CHECK: vector.load %{{.*}} {alignment = 16 : i64} : memref<640xf64, 1>, vector<2xf64>
    // CHECK: vector.load %{{.*}} {alignment = 4 : i64} : memref<640xi8, 1>, vector<4xi8>
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "input0" at (%tile_x) step [128] in [0, 128) (%x) {
      %0 = memref.load %img[%x] : memref<640xf64, 1>
      warp.yield %0 : f64
    } {aligned} : tensor<128xf64, #warp.blocked<4>>
    warp.write %a in [0, 128) to %out : tensor<128xf64, #warp.blocked<4>>, memref<640xf64, 1>
    %b = warp.compute "input1" at (%tile_x) step [128] in [0, 128) (%x) {
      %0 = memref.load %bytes[%x] : memref<640xi8, 1>
      warp.yield %0 : i8
    } {aligned} : tensor<128xi8, #warp.blocked<4>>
    warp.write %b in [0, 128) to %more : tensor<128xi8, #warp.blocked<4>>, memref<640xi8, 1>
    gpu.return
  }
}

// -----

// Not aligned, one column a lane, or cyclic: one value after the other.
// CHECK-LABEL: gpu.func @values
// CHECK-NOT:   vector.
gpu.module @m {
  gpu.func @values(%img: memref<640xf32, 1>, %out: memref<640xf32, 1>) kernel {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "input0" at (%tile_x) step [64] in [0, 64) (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0 : f32
    } : tensor<64xf32, #warp.blocked<2>>
    warp.write %a in [0, 64) to %out : tensor<64xf32, #warp.blocked<2>>, memref<640xf32, 1>
    %b = warp.compute "input1" at (%tile_x) step [32] in [0, 32) (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0 : f32
    } {aligned} : tensor<32xf32, #warp.blocked<1>>
    warp.write %b in [0, 32) to %out {aligned} : tensor<32xf32, #warp.blocked<1>>, memref<640xf32, 1>
    %c = warp.compute "input2" at (%tile_x) step [64] in [0, 64) (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0 : f32
    } {aligned} : tensor<64xf32, #warp.cyclic<2>>
    warp.write %c in [0, 64) to %out {aligned} : tensor<64xf32, #warp.cyclic<2>>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// A vector lies where the load says: of row 0, the same for all rows of the tile. The coordinates the other way round, a diagonal and a
// column are no rows.
// CHECK-LABEL: gpu.func @rows
gpu.module @m {
  gpu.func @rows(%img: memref<480x640xf32, 1>, %line: memref<640xf32, 1>, %out: memref<480x640xf32, 1>) kernel {
    // CHECK:     vector.load %{{.*}}[%c0, %[[X:.*]]] {alignment = 16 : i64} : memref<480x640xf32, 1>, vector<4xf32>
    // CHECK:     vector.store %{{.*}}, %{{.*}}[%[[X]]] {alignment = 16 : i64} : memref<640xf32, 1>, vector<4xf32>
    // CHECK:     vector.load %{{.*}}[%c0, %[[X]]] {alignment = 16 : i64} : memref<480x640xf32, 1>, vector<4xf32>
    // CHECK-NOT: vector.load
    // CHECK-COUNT-9: memref.load
    // CHECK-NOT: memref.load
    // CHECK:     vector.load %{{.*}}[%c0, %[[X]]] {alignment = 16 : i64} : memref<480x640xf32, 1>, vector<4xf32>
    // CHECK-NOT: vector.load
    // CHECK-COUNT-9: memref.load
    %c0 = arith.constant 0 : index
    %tile_y, %tile_x = warp.tile_id warps [1, 4] lanes [1, 32] : index, index
    %a = warp.compute "line" at (%tile_x) step [128] in [0, 128) (%x) {
      %0 = memref.load %img[%c0, %x] : memref<480x640xf32, 1>
      warp.yield %0 : f32
    } {aligned} : tensor<128xf32, #warp.blocked<4>>
    warp.write %a in [0, 128) to %line {aligned} : tensor<128xf32, #warp.blocked<4>>, memref<640xf32, 1>
    %b = warp.compute "first" at (%tile_y, %tile_x) step [2, 128] in [0, 2) x [0, 128) (%y, %x) {
      %0 = memref.load %img[%c0, %x] : memref<480x640xf32, 1>
      warp.yield %0 : f32
    } {aligned} : tensor<2x128xf32, #warp.blocked<4>>
    warp.write %b in [0, 2) x [0, 128) to %out {aligned} : tensor<2x128xf32, #warp.blocked<4>>, memref<480x640xf32, 1>
    %c = warp.compute "transposed" at (%tile_y, %tile_x) step [2, 128] in [0, 2) x [0, 128) (%y, %x) {
      %0 = memref.load %img[%x, %y] : memref<480x640xf32, 1>
      warp.yield %0 : f32
    } {aligned} : tensor<2x128xf32, #warp.blocked<4>>
    warp.write %c in [0, 2) x [0, 128) to %out {aligned} : tensor<2x128xf32, #warp.blocked<4>>, memref<480x640xf32, 1>
    %d = warp.compute "diagonal" at (%tile_y, %tile_x) step [2, 128] in [0, 2) x [0, 128) (%y, %x) {
      %0 = memref.load %img[%x, %x] : memref<480x640xf32, 1>
      warp.yield %0 : f32
    } {aligned} : tensor<2x128xf32, #warp.blocked<4>>
    warp.write %d in [0, 2) x [0, 128) to %out {aligned} : tensor<2x128xf32, #warp.blocked<4>>, memref<480x640xf32, 1>
    %e = warp.compute "column" at (%tile_y, %tile_x) step [2, 128] in [0, 2) x [0, 128) (%y, %x) {
      %0 = memref.load %img[%y, %c0] : memref<480x640xf32, 1>
      warp.yield %0 : f32
    } {aligned} : tensor<2x128xf32, #warp.blocked<4>>
    warp.write %e in [0, 2) x [0, 128) to %out {aligned} : tensor<2x128xf32, #warp.blocked<4>>, memref<480x640xf32, 1>
    gpu.return
  }
}

// -----

// Two tiles that are the same input.
// CHECK-LABEL: gpu.func @twice
gpu.module @m {
  gpu.func @twice(%img: memref<640xf32, 1>, %out: memref<640xf32, 1>, %more: memref<640xf32, 1>) kernel {
    // CHECK:          vector.load
    // CHECK-NOT:      vector.load
    // CHECK-COUNT-2:  vector.store
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a, %b = warp.compute "input0" at (%tile_x) step [128] in [0, 128) (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0, %0 : f32, f32
    } {aligned} : tensor<128xf32, #warp.blocked<4>>, tensor<128xf32, #warp.blocked<4>>
    warp.write %a in [0, 128) to %out {aligned} : tensor<128xf32, #warp.blocked<4>>, memref<640xf32, 1>
    warp.write %b in [0, 128) to %more {aligned} : tensor<128xf32, #warp.blocked<4>>, memref<640xf32, 1>
    gpu.return
  }
}
