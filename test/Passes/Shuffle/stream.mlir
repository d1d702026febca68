// Streams: the rows above the first that is written, then a loop whose iterations hold as many rows as the stream says. Every row is
// a value; the loop carries those that the next iteration still reads.

// RUN: pipeline-opt %s -shuffle -canonicalize -cse -split-input-file | FileCheck %s

// Three rows of window: two are carried, and four loads an iteration read four rows.
// CHECK-LABEL: gpu.func @carried
gpu.module @m {
  gpu.func @carried(%img: memref<480x640xf32, 1>, %out: memref<480x640xf32, 1>) kernel {
    // CHECK-NOT:   warp.stream
    // CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
    // CHECK-DAG:   %[[C4:.*]] = arith.constant 4 : index
    // CHECK-DAG:   %[[C16:.*]] = arith.constant 16 : index
    // CHECK:       %[[ABOVE:.*]] = memref.load
    // CHECK-NEXT:  %[[FIRST:.*]] = memref.load
    // CHECK-NEXT:  scf.for %[[ROW:.*]] = %[[C0]] to %[[C16]] step %[[C4]] iter_args(%[[R0:.*]] = %[[ABOVE]], %[[R1:.*]] = %[[FIRST]])
    // CHECK:         %[[R2:.*]] = memref.load
    // CHECK:         arith.addf %[[R0]], %[[R2]]
    // CHECK:         memref.store
    // CHECK:         %[[R3:.*]] = memref.load
    // CHECK:         arith.addf %[[R1]], %[[R3]]
    // CHECK:         memref.store
    // CHECK:         %[[R4:.*]] = memref.load
    // CHECK:         arith.addf %[[R2]], %[[R4]]
    // CHECK:         memref.store
    // CHECK:         %[[R5:.*]] = memref.load
    // CHECK:         arith.addf %[[R3]], %[[R5]]
    // CHECK:         memref.store
    // CHECK:         scf.yield %[[R4]], %[[R5]]
    // CHECK:       gpu.return
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
    warp.stream unroll 4 {
      %a = warp.compute "a" at (%tile_y, %tile_x) step [16, 32] in [-1, 17) x [0, 32) (%y, %x) {
        %0 = memref.load %img[%y, %x] : memref<480x640xf32, 1>
        warp.yield %0 : f32
      } : tensor<18x32xf32, #warp.cyclic<1>>
      %b = warp.compute "b" at (%tile_y, %tile_x) step [16, 32] in [0, 16) x [0, 32) (%y, %x) {
        %0 = warp.read %a[%y - 1, %x] : tensor<18x32xf32, #warp.cyclic<1>>
        %1 = warp.read %a[%y + 1, %x] : tensor<18x32xf32, #warp.cyclic<1>>
        %2 = arith.addf %0, %1 : f32
        warp.yield %2 : f32
      } : tensor<16x32xf32, #warp.cyclic<1>>
      warp.write %b in [0, 16) x [0, 32) to %out : tensor<16x32xf32, #warp.cyclic<1>>, memref<480x640xf32, 1>
    }
    gpu.return
  }
}

// -----

// A chain: each stage is as far ahead as its readers reach down, and the first row of each is computed as soon as it is needed.
// CHECK-LABEL: gpu.func @chain
gpu.module @m {
  gpu.func @chain(%img: memref<480x640xf32, 1>, %out: memref<480x640xf32, 1>) kernel {
    // CHECK:         memref.load
    // CHECK:         memref.load
    // CHECK:         %[[SUM:.*]] = arith.addf
    // CHECK-NOT:     memref.load
    // CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %[[SUM]]) -> (f32, f32)
    // CHECK:           %[[NEW_A:.*]] = memref.load
    // CHECK:           %[[NEW_B:.*]] = arith.addf %[[A]], %[[NEW_A]]
    // CHECK:           %[[C:.*]] = arith.mulf %[[B]], %[[NEW_B]]
    // CHECK:           memref.store %[[C]]
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
    warp.stream unroll 2 {
      %a = warp.compute "a" at (%tile_y, %tile_x) step [16, 32] in [0, 18) x [0, 32) (%y, %x) {
        %0 = memref.load %img[%y, %x] : memref<480x640xf32, 1>
        warp.yield %0 : f32
      } : tensor<18x32xf32, #warp.cyclic<1>>
      %b = warp.compute "b" at (%tile_y, %tile_x) step [16, 32] in [0, 17) x [0, 32) (%y, %x) {
        %0 = warp.read %a[%y, %x] : tensor<18x32xf32, #warp.cyclic<1>>
        %1 = warp.read %a[%y + 1, %x] : tensor<18x32xf32, #warp.cyclic<1>>
        %2 = arith.addf %0, %1 : f32
        warp.yield %2 : f32
      } : tensor<17x32xf32, #warp.cyclic<1>>
      %c = warp.compute "c" at (%tile_y, %tile_x) step [16, 32] in [0, 16) x [0, 32) (%y, %x) {
        %0 = warp.read %b[%y, %x] : tensor<17x32xf32, #warp.cyclic<1>>
        %1 = warp.read %b[%y + 1, %x] : tensor<17x32xf32, #warp.cyclic<1>>
        %2 = arith.mulf %0, %1 : f32
        warp.yield %2 : f32
      } : tensor<16x32xf32, #warp.cyclic<1>>
      warp.write %c in [0, 16) x [0, 32) to %out : tensor<16x32xf32, #warp.cyclic<1>>, memref<480x640xf32, 1>
    }
    gpu.return
  }
}

// -----

// All columns of a lane are carried; with a vector for each row.
// CHECK-LABEL: gpu.func @columns
gpu.module @m {
  gpu.func @columns(%img: memref<480x640xf32, 1>, %out: memref<480x640xf32, 1>) kernel {
    // CHECK:         vector.load
    // CHECK:         scf.for {{.*}} -> (f32, f32, f32, f32) {
    // CHECK-COUNT-2:   vector.load
    // CHECK-NOT:       vector.load
    // CHECK:           scf.yield
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
    warp.stream unroll 2 {
      %a = warp.compute "input0" at (%tile_y, %tile_x) step [16, 128] in [0, 17) x [0, 128) (%y, %x) {
        %0 = memref.load %img[%y, %x] : memref<480x640xf32, 1>
        warp.yield %0 : f32
      } {aligned} : tensor<17x128xf32, #warp.blocked<4>>
      %b = warp.compute "b" at (%tile_y, %tile_x) step [16, 128] in [0, 16) x [0, 128) (%y, %x) {
        %0 = warp.read %a[%y, %x] : tensor<17x128xf32, #warp.blocked<4>>
        %1 = warp.read %a[%y + 1, %x] : tensor<17x128xf32, #warp.blocked<4>>
        %2 = arith.addf %0, %1 : f32
        warp.yield %2 : f32
      } : tensor<16x128xf32, #warp.blocked<4>>
      warp.write %b in [0, 16) x [0, 128) to %out {aligned} : tensor<16x128xf32, #warp.blocked<4>>, memref<480x640xf32, 1>
    }
    gpu.return
  }
}

// -----

// Where the iteration is all rows there is no loop.
// CHECK-LABEL: gpu.func @all_rows
// CHECK-NOT:     scf.for
// CHECK-COUNT-3: memref.store
// CHECK-NOT:     memref.store
// CHECK:         gpu.return
gpu.module @m {
  gpu.func @all_rows(%v: f32, %out: memref<480x640xf32, 1>) kernel {
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
    warp.stream unroll 3 {
      %a = warp.compute "a" at (%tile_y, %tile_x) step [3, 32] in [0, 3) x [0, 32) (%y, %x) {
        warp.yield %v : f32
      } : tensor<3x32xf32, #warp.cyclic<1>>
      warp.write %a in [0, 3) x [0, 32) to %out : tensor<3x32xf32, #warp.cyclic<1>>, memref<480x640xf32, 1>
    }
    gpu.return
  }
}
