// At an edge of the image: bodies get the nearest coordinates inside, reads bring their indices inside the image and then inside
// the tile, and points outside are not written.

// RUN: pipeline-opt %s -lower-warp -canonicalize -cse -split-input-file | FileCheck %s

// CHECK-LABEL: gpu.func @clamp
// CHECK-SAME:  (%[[IMG:[^:]*]]: memref<640xf32, 1>, %[[OUT:[^:]*]]: memref<640xf32, 1>, %[[W:[^:]*]]: index)
gpu.module @m {
  gpu.func @clamp(%img: memref<640xf32, 1>, %out: memref<640xf32, 1>, %w: index) kernel {
    // CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
    // CHECK-DAG:  %[[LAST:.*]] = arith.addi %[[W]], %c-1
    // CHECK:      %[[ABOVE:.*]] = arith.maxsi %{{.*}}, %[[C0]]
    // CHECK-NEXT: %[[X:.*]] = arith.minsi %[[ABOVE]], %{{.*}}
    // CHECK:      memref.load %[[IMG]][%[[X]]]
    // CHECK:      nvvm.bar.warp.sync
    // CHECK:      %[[INDEX:.*]] = arith.addi %{{.*}}, %c-1
    // CHECK-NEXT: %[[ABOVE:.*]] = arith.maxsi %[[INDEX]], %[[C0]]
    // CHECK-NEXT: %[[INSIDE:.*]] = arith.minsi %[[ABOVE]], %{{.*}}
    // CHECK:      %[[PLACE:.*]] = arith.subi %[[INSIDE]], %{{.*}}
    // CHECK-NEXT: %[[ABOVE:.*]] = arith.maxsi %[[PLACE]], %[[C0]]
    // CHECK-NEXT: %[[IN_TILE:.*]] = arith.minsi %[[ABOVE]], %{{.*}}
    // CHECK-NEXT: %[[V:.*]] = memref.load %{{.*}}[%[[IN_TILE]]]
    // CHECK:      %[[WRITES:.*]] = arith.cmpi slt, %{{.*}}, %[[W]]
    // CHECK-NEXT: scf.if %[[WRITES]] {
    // CHECK-NEXT:   memref.store %[[V]], %[[OUT]]
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [30] in [-1, 31) of (%w) (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_x) step [30] in [0, 30) of (%w) (%x) {
      %0 = warp.read %a[%x - 1] clamp : tensor<32xf32, #warp.shared>
      warp.yield %0 : f32
    } : tensor<30xf32, #warp.lane>
    warp.write %b in [0, 30) to %out : tensor<30xf32, #warp.lane>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// The padding value.
// CHECK-LABEL: gpu.func @constant
// CHECK-SAME:  %[[V:[^:]*]]: f32)
gpu.module @m {
  gpu.func @constant(%out: memref<640xf32, 1>, %w: index, %v: f32) kernel {
    // CHECK:      nvvm.bar.warp.sync
    // CHECK:      %[[IN:.*]] = arith.andi
    // CHECK:      %[[INSIDE:.*]] = memref.load
    // CHECK-NEXT: arith.select %[[IN]], %[[INSIDE]], %[[V]]
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [30] in [-1, 31) of (%w) (%x) {
      warp.yield %v : f32
    } : tensor<32xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_x) step [30] in [0, 30) of (%w) (%x) {
      %0 = warp.read %a[%x - 1] constant(%v) : tensor<32xf32, #warp.shared>
      warp.yield %0 : f32
    } : tensor<30xf32, #warp.lane>
    warp.write %b in [0, 30) to %out : tensor<30xf32, #warp.lane>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// A periodic stage: bodies get wrapped coordinates; the tile is read where it lies.
// CHECK-LABEL: gpu.func @wrap
// CHECK-SAME:  %[[W:[^:]*]]: index)
gpu.module @m {
  gpu.func @wrap(%img: memref<640xf32, 1>, %out: memref<640xf32, 1>, %w: index) kernel {
    // CHECK:      %[[SOME:.*]] = arith.maxsi %[[W]], %c1
    // CHECK:      arith.remsi %{{.*}}, %[[SOME]]
    // CHECK:      memref.load
    // CHECK:      nvvm.bar.warp.sync
    // CHECK-NOT:  arith.remsi
    // CHECK-NOT:  arith.maxsi
    // CHECK:      memref.load
    // CHECK:      gpu.return
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [30] in [-1, 31) of (%w) wrap [0] (%x) {
      %0 = memref.load %img[%x] : memref<640xf32, 1>
      warp.yield %0 : f32
    } : tensor<32xf32, #warp.shared>
    %b = warp.compute "b" at (%tile_x) step [30] in [0, 30) (%x) {
      %0 = warp.read %a[%x - 1] : tensor<32xf32, #warp.shared>
      warp.yield %0 : f32
    } : tensor<30xf32, #warp.lane>
    warp.write %b in [0, 30) to %out : tensor<30xf32, #warp.lane>, memref<640xf32, 1>
    gpu.return
  }
}

// -----

// Of what is needed only that is written.
// CHECK-LABEL: gpu.func @needed
gpu.module @m {
  gpu.func @needed(%out: memref<640xf32, 1>, %w: index, %v: f32) kernel {
    // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
    // CHECK-DAG: %[[C9:.*]] = arith.constant 9 : index
    // CHECK-DAG: %[[FROM:.*]] = arith.cmpi sge, %{{.*}}, %[[C3]]
    // CHECK-DAG: %[[TO:.*]] = arith.cmpi slt, %{{.*}}, %[[C9]]
    // CHECK:     %[[WRITES:.*]] = arith.andi %[[FROM]], %[[TO]]
    // CHECK:     scf.if %[[WRITES]]
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [32] in [0, 32) of (%w) needed [3, 9) (%x) {
      warp.yield %v : f32
    } : tensor<32xf32, #warp.lane>
    warp.write %a in [0, 32) to %out : tensor<32xf32, #warp.lane>, memref<640xf32, 1>
    gpu.return
  }
}
