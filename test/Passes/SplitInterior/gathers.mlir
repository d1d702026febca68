// Computed indices can lie anywhere, whatever the tile: they are brought inside in both versions, and ask for none.

// RUN: pipeline-opt %s -fuse=strategy=all -warp-tile -split-interior -split-input-file | FileCheck %s --implicit-check-not=warp.load

// The index of the map decides.
// CHECK-LABEL: gpu.func @beside_g0
func.func @beside(%img: tensor<480x6400xf32>, %map: tensor<480x6400xi32>) -> tensor<480x6400xf32> {
  // CHECK:      %tile_y, %tile_x = warp.tile_id
  // CHECK-NEXT: %[[INSIDE:.*]] = arith.cmpi sge, %tile_x, %c1 : index
  // CHECK-NEXT: scf.if %[[INSIDE]] {
  // CHECK-NEXT:   warp.compute "s" {{.*}} in [0, 8) x [0, 128) (%y, %x) {
  // CHECK-NEXT:     %[[LEFT:.*]] = arith.addi %x, %c-1 : index
  // CHECK-NEXT:     %[[I:.*]] = memref.load %{{.*}}[%y, %[[LEFT]]] : memref<480x6400xi32
  // CHECK-NEXT:     %[[AT:.*]] = arith.index_cast %[[I]]
  // CHECK-NEXT:     %[[J0:.*]] = arith.maxsi %[[AT]], %c0 : index
  // CHECK-NEXT:     %[[J:.*]] = arith.minsi %[[J0]], %c6399 : index
  // CHECK-NEXT:     memref.load %{{.*}}[%y, %[[J]]] : memref<480x6400xf32
  // CHECK:      } else {
  // CHECK-NEXT:   warp.compute "s" {{.*}} in [0, 8) x [0, 128) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:     %[[LEFT:.*]] = arith.addi %x, %c-1 : index
  // CHECK-NEXT:     %[[L0:.*]] = arith.maxsi %[[LEFT]], %c0 : index
  // CHECK-NEXT:     %[[L:.*]] = arith.minsi %[[L0]], %c6399 : index
  // CHECK-NEXT:     %[[I:.*]] = memref.load %{{.*}}[%y, %[[L]]] : memref<480x6400xi32
  // CHECK-NEXT:     %[[AT:.*]] = arith.index_cast %[[I]]
  // CHECK-NEXT:     %[[J0:.*]] = arith.maxsi %[[AT]], %c0 : index
  // CHECK-NEXT:     %[[J:.*]] = arith.minsi %[[J0]], %c6399 : index
  // CHECK-NEXT:     memref.load %{{.*}}[%y, %[[J]]] : memref<480x6400xf32
  %s = pipeline.stage "s" (%y, %x) {
    %i = pipeline.load %map[%y, %x - 1] clamp : tensor<480x6400xi32>
    %at = arith.index_cast %i : i32 to index
    %v = pipeline.gather %img[%y, %at] clamp : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %s : tensor<480x6400xf32>
}

// -----

// Nothing else can leave: all tiles are as those inside, the index is brought inside nevertheless.
// CHECK-LABEL: gpu.func @alone_g0
func.func @alone(%img: tensor<480x6400xf32>, %map: tensor<480x6400xi32>) -> tensor<480x6400xf32> {
  // CHECK-NOT:  scf.if
  // CHECK:      warp.compute "s" {{.*}} in [0, 8) x [0, 128) (%y, %x) {
  // CHECK-NEXT:   %[[I:.*]] = memref.load %{{.*}}[%y, %x] : memref<480x6400xi32
  // CHECK-NEXT:   %[[AT:.*]] = arith.index_cast %[[I]]
  // CHECK-NEXT:   arith.remsi %[[AT]], %c12800 : index
  // CHECK:        %[[J:.*]] = arith.minsi
  // CHECK-NEXT:   memref.load %{{.*}}[%y, %[[J]]] : memref<480x6400xf32
  // CHECK-NOT:  warp.compute
  // CHECK:      gpu.return
  %s = pipeline.stage "s" (%y, %x) {
    %i = pipeline.load %map[%y, %x] : tensor<480x6400xi32>
    %at = arith.index_cast %i : i32 to index
    %v = pipeline.gather %img[%y, %at] mirror : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %s : tensor<480x6400xf32>
}
