// A sync stands where a compute reads what was written since the last one, or writes where others may still read. Nowhere else.

// RUN: pipeline-opt %s -lower-warp -canonicalize -cse -split-input-file | FileCheck %s

// Two producers, one consumer: one sync for both.
// CHECK-LABEL: gpu.func @two_producers
gpu.module @m {
  gpu.func @two_producers(%v: f32, %out: memref<640xf32, 1>) kernel {
    // CHECK:      memref.store {{.*}} #gpu.address_space<workgroup>
    // CHECK-NOT:  nvvm.bar
    // CHECK:      memref.store {{.*}} #gpu.address_space<workgroup>
    // CHECK:      nvvm.bar.warp.sync
    // CHECK-NOT:  nvvm.bar
    // CHECK:      memref.load
    // CHECK:      memref.load
    // CHECK-NOT:  nvvm.bar
    // CHECK:      gpu.return
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [32] in [0, 32) (%x) {
      warp.yield %v : f32
    } : tensor<32xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_x) step [32] in [0, 32) (%x) {
      warp.yield %v : f32
    } : tensor<32xf32, #warp.shared>
    %c = warp.compute "c" at (%tile_x) step [32] in [0, 32) (%x) {
      %0 = warp.read %a[%x] : tensor<32xf32, #warp.shared>
      %1 = warp.read %b[%x] : tensor<32xf32, #warp.shared>
      %2 = arith.addf %0, %1 : f32
      warp.yield %2 : f32
    } : tensor<32xf32, #warp.lane>
    warp.write %c in [0, 32) to %out : tensor<32xf32, #warp.lane>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// What is not read needs none.
// CHECK-LABEL: gpu.func @none
// CHECK-NOT:   nvvm.bar
// CHECK:       gpu.return
gpu.module @m {
  gpu.func @none(%v: f32, %out: memref<640xf32, 1>) kernel {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [32] in [0, 32) (%x) {
      warp.yield %v : f32
    } : tensor<32xf32, #warp.lane>
    warp.write %a in [0, 32) to %out : tensor<32xf32, #warp.lane>, memref<640xf32, 1>
    %b = warp.compute "b" at (%tile_x) step [32] in [0, 32) (%x) {
      warp.yield %v : f32
    } : tensor<32xf32, #warp.lane>
    warp.write %b in [0, 32) to %out : tensor<32xf32, #warp.lane>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// Two consumers of one tile: one sync.
// CHECK-LABEL: gpu.func @two_consumers
// CHECK-COUNT-1: nvvm.bar.warp.sync
// CHECK-NOT:     nvvm.bar
// CHECK:         gpu.return
gpu.module @m {
  gpu.func @two_consumers(%v: f32, %out: memref<640xf32, 1>) kernel {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [32] in [0, 32) (%x) {
      warp.yield %v : f32
    } : tensor<32xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_x) step [32] in [0, 32) (%x) {
      %0 = warp.read %a[%x] : tensor<32xf32, #warp.shared>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.lane>
    warp.write %b in [0, 32) to %out : tensor<32xf32, #warp.lane>, memref<640xf32, 1>
    %c = warp.compute "c" at (%tile_x) step [32] in [0, 32) (%x) {
      %0 = warp.read %a[%x] : tensor<32xf32, #warp.shared>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.lane>
    warp.write %c in [0, 32) to %out : tensor<32xf32, #warp.lane>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// The third tile takes the place of the first, which the second has read: a sync before it, and one more where it is read.
// CHECK-LABEL: gpu.func @reused
// Two tiles of 32 x 4 bytes for each of four warps.
// CHECK-SAME:    workgroup(%{{.*}} : memref<1024xi8
gpu.module @m {
  gpu.func @reused(%v: f32, %out: memref<640xf32, 1>) kernel {
    // CHECK:      %[[A:.*]] = memref.view
    // CHECK:      %[[B:.*]] = memref.view
    // CHECK-NOT:  memref.view
    // CHECK:      memref.store %{{.*}}, %[[A]]
    // CHECK:      nvvm.bar.warp.sync
    // CHECK:      memref.load %[[A]]
    // CHECK:      memref.store %{{.*}}, %[[B]]
    // CHECK:      nvvm.bar.warp.sync
    // CHECK:      memref.load %[[B]]
    // CHECK:      memref.store %{{.*}}, %[[A]]
    // CHECK:      nvvm.bar.warp.sync
    // CHECK:      memref.load %[[A]]
    // CHECK-NOT:  nvvm.bar
    // CHECK:      gpu.return
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [32] in [0, 32) (%x) {
      warp.yield %v : f32
    } : tensor<32xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_x) step [32] in [0, 32) (%x) {
      %0 = warp.read %a[%x] : tensor<32xf32, #warp.shared>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.shared>
    %c = warp.compute "c" at (%tile_x) step [32] in [0, 32) (%x) {
      %0 = warp.read %b[%x] : tensor<32xf32, #warp.shared>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.shared>
    %d = warp.compute "d" at (%tile_x) step [32] in [0, 32) (%x) {
      %0 = warp.read %c[%x] : tensor<32xf32, #warp.shared>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.lane>
    warp.write %d in [0, 32) to %out : tensor<32xf32, #warp.lane>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// In a loop the iteration before may still be reading: one at the start of each iteration.
// CHECK-LABEL: gpu.func @loop
gpu.module @m {
  gpu.func @loop(%v: f32, %out: memref<640xf32, 1>) kernel {
    // CHECK:      scf.for
    // CHECK-NEXT:   nvvm.bar.warp.sync
    // CHECK:        memref.store
    // CHECK:        nvvm.bar.warp.sync
    // CHECK:        memref.load
    // CHECK-NOT:  nvvm.bar
    // CHECK:      gpu.return
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    scf.for %i = %c0 to %c4 step %c1 {
      %a = warp.compute "a" at (%tile_x) step [32] in [0, 32) (%x) {
        warp.yield %v : f32
      } : tensor<32xf32, #warp.shared>
      %b = warp.compute "b" at (%tile_x) step [32] in [0, 32) (%x) {
        %0 = warp.read %a[%x] : tensor<32xf32, #warp.shared>
        warp.yield %0 : f32
      } : tensor<32xf32, #warp.lane>
      warp.write %b in [0, 32) to %out : tensor<32xf32, #warp.lane>, memref<640xf32, 1>
    }
    gpu.return
  }
}

// -----

// The same where the iteration begins with something else.
// CHECK-LABEL: gpu.func @loop_over_tiles
gpu.module @m {
  gpu.func @loop_over_tiles(%v: f32, %out: memref<640xf32, 1>) kernel {
    // CHECK:      scf.for
    // CHECK:        nvvm.bar.warp.sync
    // CHECK:        memref.store
    // CHECK:        nvvm.bar.warp.sync
    // CHECK:        memref.load
    // CHECK-NOT:  nvvm.bar
    // CHECK:      gpu.return
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %tx = warp.tile_id warps [4] lanes [32] : index
    scf.for %i = %c0 to %c4 step %c1 {
      %t = arith.addi %tx, %i : index
      %a = warp.compute "a" at (%t) step [32] in [0, 32) (%x) {
        warp.yield %v : f32
      } : tensor<32xf32, #warp.shared>
      %b = warp.compute "b" at (%t) step [32] in [0, 32) (%x) {
        %0 = warp.read %a[%x] : tensor<32xf32, #warp.shared>
        warp.yield %0 : f32
      } : tensor<32xf32, #warp.lane>
      warp.write %b in [0, 32) to %out : tensor<32xf32, #warp.lane>, memref<640xf32, 1>
    }
    gpu.return
  }
}

// -----

// A loop that reads at the end of its iteration what it writes in the middle: one there, and one before what comes behind the loop and
// takes the same bytes. The first write of all waits for nothing, but those of later iterations do.
// CHECK-LABEL: gpu.func @behind_a_loop
gpu.module @m {
  gpu.func @behind_a_loop(%v: f32, %out: memref<640xf32, 1>, %is: i1) kernel {
    // CHECK:      scf.if
    // CHECK-NOT:    nvvm.bar
    // CHECK:        scf.for
    // CHECK-NEXT:     nvvm.bar.warp.sync
    // CHECK:          memref.store
    // CHECK:          nvvm.bar.warp.sync
    // CHECK:          memref.load
    // CHECK-NOT:      nvvm.bar
    // CHECK:      } else {
    // CHECK-NOT:    nvvm.bar
    // CHECK:        memref.store
    // CHECK-NEXT:   }
    // CHECK:      nvvm.bar.warp.sync
    // CHECK:      memref.store
    // CHECK:      nvvm.bar.warp.sync
    // CHECK:      memref.load
    // CHECK-NOT:  nvvm.bar
    // CHECK:      gpu.return
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %tx = warp.tile_id warps [4] lanes [32] : index
    scf.if %is {
      scf.for %i = %c0 to %c4 step %c1 {
        %a = warp.compute "a" at (%tx) step [32] in [0, 32) (%x) {
          warp.yield %v : f32
        } : tensor<32xf32, #warp.shared>
        %b = warp.compute "b" at (%tx) step [32] in [0, 32) (%x) {
          %0 = warp.read %a[%x] : tensor<32xf32, #warp.shared>
          warp.yield %0 : f32
        } : tensor<32xf32, #warp.lane>
        warp.write %b in [0, 32) to %out : tensor<32xf32, #warp.lane>, memref<640xf32, 1>
      }
    } else {
      %e = warp.compute "e" at (%tx) step [32] in [0, 32) (%x) {
        warp.yield %v : f32
      } : tensor<32xf32, #warp.lane>
      warp.write %e in [0, 32) to %out : tensor<32xf32, #warp.lane>, memref<640xf32, 1>
    }
    %c = warp.compute "c" at (%tx) step [32] in [0, 32) (%x) {
      warp.yield %v : f32
    } : tensor<32xf32, #warp.shared>
    %d = warp.compute "d" at (%tx) step [32] in [0, 32) (%x) {
      %0 = warp.read %c[%x] : tensor<32xf32, #warp.shared>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.lane>
    warp.write %d in [0, 32) to %out : tensor<32xf32, #warp.lane>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// One that is written counts. And where a tile belongs to a block, all its threads wait.
// CHECK-LABEL: gpu.func @written
gpu.module @m {
  gpu.func @written(%v: f32, %out: memref<640xf32, 1>) kernel {
    // CHECK-NOT:  nvvm.bar
    // CHECK:      memref.store
    // CHECK:      gpu.barrier
    // CHECK-NOT:  gpu.barrier
    // CHECK:      gpu.return
    %tile_x = warp.tile_id block lanes [128] : index
    %a = warp.compute "a" at (%tile_x) step [128] in [0, 128) (%x) {
      warp.yield %v : f32
    } : tensor<128xf32, #warp.shared>
    warp.sync
    %b = warp.compute "b" at (%tile_x) step [128] in [0, 128) (%x) {
      %0 = warp.read %a[%x] : tensor<128xf32, #warp.shared>
      warp.yield %0 : f32
    } : tensor<128xf32, #warp.lane>
    warp.write %b in [0, 128) to %out : tensor<128xf32, #warp.lane>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @block
gpu.module @m {
  gpu.func @block(%v: f32, %out: memref<640xf32, 1>) kernel {
    // CHECK:      gpu.barrier
    // CHECK-NOT:  nvvm.bar
    // CHECK:      gpu.return
    %tile_x = warp.tile_id block lanes [128] : index
    %a = warp.compute "a" at (%tile_x) step [128] in [0, 128) (%x) {
      warp.yield %v : f32
    } : tensor<128xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_x) step [128] in [0, 128) (%x) {
      %0 = warp.read %a[%x] : tensor<128xf32, #warp.shared>
      warp.yield %0 : f32
    } : tensor<128xf32, #warp.lane>
    warp.write %b in [0, 128) to %out : tensor<128xf32, #warp.lane>, memref<640xf32, 1>
    gpu.return
  }
}
