// Shared memory is planned once for a kernel: tiles that are not alive together share bytes, and so do the two versions.

// RUN: pipeline-opt %s -lower-warp -canonicalize -cse -split-input-file | FileCheck %s

// CHECK-LABEL: gpu.func @versions
// CHECK-SAME:  workgroup(%{{.*}} : memref<1024xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
gpu.module @m {
  gpu.func @versions(%c: i1, %v: f32, %out: memref<640xf32, 1>) kernel {
    // CHECK:     %[[PER_WARP:.*]] = arith.constant 256 : index
    // CHECK:     %[[START:.*]] = arith.muli %{{.*}}, %[[PER_WARP]]
    // CHECK-DAG: memref.view %{{.*}}[%[[START]]][] : {{.*}} to memref<64xf32
    // CHECK-DAG: memref.view %{{.*}}[%[[START]]][] : {{.*}} to memref<32xf32
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    scf.if %c {
      %a = warp.compute "a" at (%tile_x) step [64] in [0, 64) (%x) {
        warp.yield %v : f32
      } : tensor<64xf32, #warp.shared>
      warp.write %a in [0, 64) to %out : tensor<64xf32, #warp.shared>, memref<640xf32, 1>
    } else {
      %b = warp.compute "b" at (%tile_x) step [32] in [0, 32) (%x) {
        warp.yield %v : f32
      } : tensor<32xf32, #warp.shared>
      warp.write %b in [0, 32) to %out : tensor<32xf32, #warp.shared>, memref<640xf32, 1>
    }
    gpu.return
  }
}

// -----

// Each tile begins at a multiple of 16 bytes; the larger one chooses first.
// CHECK-LABEL: gpu.func @aligned
// CHECK-SAME:  memref<80xi8,
gpu.module @m {
  gpu.func @aligned(%i: i8, %f: f64) kernel {
    // CHECK:     %[[START:.*]] = arith.muli
    // CHECK:     %[[BEHIND:.*]] = arith.addi %[[START]], %c48
    // CHECK:     memref.view %{{.*}}[%[[BEHIND]]][] : {{.*}} to memref<32xi8
    // CHECK:     memref.view %{{.*}}[%[[START]]][] : {{.*}} to memref<5xf64
    %tile_x = warp.tile_id warps [1] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [5] in [0, 32) (%x) {
      warp.yield %i : i8
    } : tensor<32xi8, #warp.shared>
    %b = warp.compute "b" at (%tile_x) step [5] in [0, 5) (%x) {
      %0 = warp.read %a[%x] : tensor<32xi8, #warp.shared>
      %1 = arith.sitofp %0 : i8 to f64
      warp.yield %1 : f64
    } : tensor<5xf64, #warp.shared>
    gpu.return
  }
}

// -----

// No tile in shared memory, no shared memory.
// CHECK-LABEL: gpu.func @none
// CHECK-NOT:   workgroup
gpu.module @m {
  gpu.func @none(%v: f32, %out: memref<640xf32, 1>) kernel attributes {warp.schedule = {fraction = 0.5}} {
    // What --warp-tile left of the schedule has served.
    // CHECK-NOT: warp.schedule
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [32] in [0, 32) (%x) {
      warp.yield %v : f32
    } : tensor<32xf32, #warp.lane>
    warp.write %a in [0, 32) to %out : tensor<32xf32, #warp.lane>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// Reads by values, which --shuffle makes: the index is moved inside the tile.
// CHECK-LABEL: gpu.func @by_values
// CHECK-SAME:  %[[I:[^:]*]]: index
gpu.module @m {
  gpu.func @by_values(%i: index, %v: f32, %out: memref<640xf32, 1>) kernel {
    // CHECK:      nvvm.bar.warp.sync
    // CHECK:      %[[PLACE:.*]] = arith.subi %[[I]], %{{.*}}
    // CHECK-NEXT: %[[ABOVE:.*]] = arith.maxsi %[[PLACE]], %c0
    // CHECK-NEXT: %[[INSIDE:.*]] = arith.minsi %[[ABOVE]], %c31
    // CHECK-NEXT: memref.load %{{.*}}[%[[INSIDE]]] : memref<32xf32, #gpu.address_space<workgroup>>
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [32] in [0, 32) (%x) {
      warp.yield %v : f32
    } : tensor<32xf32, #warp.shared>
    %0 = warp.read %a[%i] : tensor<32xf32, #warp.shared>
    memref.store %0, %out[%i] : memref<640xf32, 1>
    gpu.return
  }
}
