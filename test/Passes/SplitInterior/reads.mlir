// Reads of tiles: those of a tile inside have no boundary mode, and the computes no extents.

// RUN: pipeline-opt %s -fuse=strategy=all -warp-tile -split-interior -split-input-file | FileCheck %s --implicit-check-not=warp.load

// The halo decides: rows -1 to 8 of the tile, columns -2 to 129.
// CHECK-LABEL: gpu.func @clamp_g0
func.func @clamp(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  // CHECK-DAG:  arith.cmpi sge, %tile_y, %c1 : index
  // CHECK-DAG:  arith.cmpi sle, %tile_y, %c58 : index
  // CHECK-DAG:  arith.cmpi sge, %tile_x, %c1 : index
  // CHECK-DAG:  arith.cmpi sle, %tile_x, %c48 : index
  // CHECK:      scf.if %{{.*}} {
  // CHECK-NEXT:   %[[A:.*]] = warp.compute "a" {{.*}} in [-1, 9) x [-2, 130) (%y, %x) {
  // CHECK-NEXT:     memref.load %{{.*}}[%y, %x] :
  // CHECK:        warp.compute "b" {{.*}} in [0, 8) x [0, 128) (%y, %x) {
  // CHECK-NEXT:     warp.read %[[A]][%y - 1, %x - 2] : tensor
  // CHECK-NEXT:     warp.read %[[A]][%y, %x] : tensor
  // CHECK-NEXT:     warp.read %[[A]][%y + 1, %x + 2] : tensor
  // CHECK:      } else {
  // CHECK-NEXT:   %[[A:.*]] = warp.compute "a" {{.*}} in [-1, 9) x [-2, 130) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:     memref.load %{{.*}}[%y, %x] :
  // CHECK:        warp.compute "b" {{.*}} in [0, 8) x [0, 128) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:     warp.read %[[A]][%y - 1, %x - 2] clamp : tensor
  // CHECK-NEXT:     warp.read %[[A]][%y, %x] : tensor
  // CHECK-NEXT:     warp.read %[[A]][%y + 1, %x + 2] clamp : tensor
  // CHECK-NOT:  warp.compute
  // CHECK:      gpu.return
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y - 1, %x - 2] clamp : tensor<480x6400xf32>
    %1 = pipeline.load %a[%y, %x] clamp : tensor<480x6400xf32>
    %2 = pipeline.load %a[%y + 1, %x + 2] clamp : tensor<480x6400xf32>
    %3 = arith.addf %0, %1 : f32
    %v = arith.addf %2, %3 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}

// -----

// A mirror leads to what the tile has one column more for: so does the comparison.
// CHECK-LABEL: gpu.func @mirror_g0
func.func @mirror(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  // CHECK-DAG:  arith.cmpi sge, %tile_x, %c1 : index
  // CHECK-DAG:  arith.cmpi sle, %tile_x, %c48 : index
  // CHECK:      scf.if %{{.*}} {
  // CHECK-NEXT:   %[[A:.*]] = warp.compute "a" {{.*}} in [0, 8) x [-2, 129) (%y, %x) {
  // CHECK-NEXT:     memref.load %{{.*}}[%y, %x] :
  // CHECK:        warp.compute "b" {{.*}} in [0, 8) x [0, 128) (%y, %x) {
  // CHECK-NEXT:     warp.read %[[A]][%y, %x - 2] : tensor
  // CHECK-NEXT:     warp.read %[[A]][%y, %x] : tensor
  // CHECK:      } else {
  // CHECK-NEXT:   %[[A:.*]] = warp.compute "a" {{.*}} in [0, 8) x [-2, 129) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:     memref.load %{{.*}}[%y, %x] :
  // CHECK:        warp.compute "b" {{.*}} in [0, 8) x [0, 128) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:     warp.read %[[A]][%y, %x - 2] mirror : tensor
  // CHECK-NEXT:     warp.read %[[A]][%y, %x] : tensor
  // CHECK-NOT:  warp.compute
  // CHECK:      gpu.return
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x - 2] mirror : tensor<480x6400xf32>
    %1 = pipeline.load %a[%y, %x] : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}

// -----

// Nor has the inside a mode where the edge is not repeated.
// CHECK-LABEL: gpu.func @reflect101_g0
func.func @reflect101(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  // CHECK:      scf.if %{{.*}} {
  // CHECK-NEXT:   %[[A:.*]] = warp.compute "a" {{.*}} in [0, 8) x [-2, 130) (%y, %x) {
  // CHECK:        warp.compute "b" {{.*}} in [0, 8) x [0, 128) (%y, %x) {
  // CHECK-NEXT:     warp.read %[[A]][%y, %x - 2] : tensor
  // CHECK-NEXT:     warp.read %[[A]][%y, %x] : tensor
  // CHECK:      } else {
  // CHECK:        warp.compute "b" {{.*}} in [0, 8) x [0, 128) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:     warp.read %{{.*}}[%y, %x - 2] reflect101 : tensor
  // CHECK-NEXT:     warp.read %{{.*}}[%y, %x] : tensor
  // CHECK:      gpu.return
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x - 2] reflect101 : tensor<480x6400xf32>
    %1 = pipeline.load %a[%y, %x] : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}

// -----

// The padding value has no use inside.
// CHECK-LABEL: gpu.func @constant_g0
// CHECK-SAME:  %[[V:[^:]*]]: f32)
func.func @constant(%img: tensor<480x6400xf32>, %c: f32) -> tensor<480x6400xf32> {
  // CHECK:      %[[INSIDE:.*]] = arith.cmpi sge, %tile_x, %c1 : index
  // CHECK:      scf.if %{{.*}} {
  // CHECK-NEXT:   %[[A:.*]] = warp.compute "a" {{.*}} in [0, 8) x [-1, 128) (%y, %x) {
  // CHECK-NEXT:     memref.load %{{.*}}[%y, %x] :
  // CHECK:        warp.compute "b" {{.*}} in [0, 8) x [0, 128) (%y, %x) {
  // CHECK-NEXT:     warp.read %[[A]][%y, %x - 1] : tensor
  // CHECK-NEXT:     warp.read %[[A]][%y, %x] : tensor
  // CHECK:      } else {
  // CHECK-NEXT:   %[[A:.*]] = warp.compute "a" {{.*}} in [0, 8) x [-1, 128) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:     memref.load %{{.*}}[%y, %x] :
  // CHECK:        warp.compute "b" {{.*}} in [0, 8) x [0, 128) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:     warp.read %[[A]][%y, %x - 1] constant(%[[V]]) : tensor
  // CHECK-NEXT:     warp.read %[[A]][%y, %x] : tensor
  // CHECK-NOT:  warp.compute
  // CHECK:      gpu.return
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x - 1] constant(%c) : tensor<480x6400xf32>
    %1 = pipeline.load %a[%y, %x] : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}

// -----

// A periodic stage is none where it has no edge.
// CHECK-LABEL: gpu.func @wrap_g0
func.func @wrap(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  // CHECK-DAG:  arith.cmpi sge, %tile_x, %c1 : index
  // CHECK-DAG:  arith.cmpi sle, %tile_x, %c48 : index
  // CHECK:      scf.if %{{.*}} {
  // CHECK-NEXT:   %[[A:.*]] = warp.compute "a" {{.*}} in [0, 8) x [-1, 129) (%y, %x) {
  // CHECK-NEXT:     memref.load %{{.*}}[%y, %x] :
  // CHECK:        warp.compute "b" {{.*}} in [0, 8) x [0, 128) (%y, %x) {
  // CHECK-NEXT:     warp.read %[[A]][%y, %x - 1] : tensor
  // CHECK-NEXT:     warp.read %[[A]][%y, %x + 1] : tensor
  // CHECK:      } else {
  // CHECK-NEXT:   %[[A:.*]] = warp.compute "a" {{.*}} in [0, 8) x [-1, 129) of(%c480, %c6400) wrap [1] (%y, %x) {
  // CHECK-NEXT:     memref.load %{{.*}}[%y, %x] :
  // CHECK:        warp.compute "b" {{.*}} in [0, 8) x [0, 128) of(%c480, %c6400) (%y, %x) {
  // CHECK-NEXT:     warp.read %[[A]][%y, %x - 1] : tensor
  // CHECK-NEXT:     warp.read %[[A]][%y, %x + 1] : tensor
  // CHECK-NOT:  warp.compute
  // CHECK:      gpu.return
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x - 1] wrap : tensor<480x6400xf32>
    %1 = pipeline.load %a[%y, %x + 1] wrap : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}
