// Strips load and store rows as vectors where a tile lies inside, and rows begin at a multiple of a vector's length.

// RUN: split-file %s %t
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={layout = "blocked"}' -warp-tile -split-interior | FileCheck %s --check-prefixes=STRIP,TILES
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={stream = "y"}' -warp-tile -split-interior | FileCheck %s --check-prefixes=STRIP,TILES
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={stream = "y"}' -warp-tile -hybrid-register -split-interior | FileCheck %s --check-prefixes=STRIP,STREAM
// RUN: pipeline-opt %t/blur.mlir -fuse='strategy=all schedule={stream = "y"}' -warp-tile -split-interior -hybrid-register | FileCheck %s --check-prefixes=STRIP,STREAM
// RUN: pipeline-opt %t/two-modes.mlir -fuse='strategy=all schedule={layout = "blocked"}' -warp-tile -split-interior | FileCheck %s --check-prefix=MODES
// RUN: pipeline-opt %t/odd.mlir -fuse='strategy=all schedule={layout = "blocked"}' -warp-tile -split-interior | FileCheck %s --check-prefix=ODD
// RUN: pipeline-opt %t/dynamic.mlir -fuse='strategy=all schedule={layout = "blocked"}' -warp-tile -split-interior | FileCheck %s --check-prefix=DYNAMIC
// RUN: pipeline-opt %t/needed.mlir -warp-tile -split-interior | FileCheck %s --check-prefix=NEEDED

// STRIP:      gpu.func @blur_g0
// STRIP:      %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32]
// Rows -1 to 8 of the tile, and columns -4 to 123, of 480x6400.
// STRIP-NEXT: arith.cmpi sge, %tile_y, %c1 : index
// STRIP-NEXT: arith.cmpi sle, %tile_y, %c58 : index
// STRIP-NEXT: arith.andi
// STRIP-NEXT: arith.cmpi sge, %tile_x, %c1 : index
// STRIP-NEXT: arith.andi
// STRIP-NEXT: arith.cmpi sle, %tile_x, %c52 : index
// STRIP-NEXT: %[[INSIDE:.*]] = arith.andi
// STRIP-NEXT: scf.if %[[INSIDE]] {
// STREAM-NEXT:  warp.stream unroll [[UNROLL:[0-9]+]] {
// STRIP-NEXT:   %[[IMG:.*]] = warp.compute "input0" at(%tile_y, %tile_x) step [8, 120] in [-1, 9) x [-4, 124) (%y, %x) {
// STRIP-NEXT:     %[[V:.*]] = memref.load %{{.*}}[%y, %x] :
// STRIP-NEXT:     warp.yield %[[V]]
// TILES-NEXT:   } {aligned} : tensor<10x128xf32, #warp.shared>
// STREAM-NEXT:  } {aligned} : tensor<10x128xf32, #warp.cyclic<4>>
// STRIP-NEXT:   %[[A:.*]] = warp.compute "a" {{.*}} in [-1, 9) x [-4, 124) (%y, %x) {
// STRIP-NEXT:     warp.read %[[IMG]][%y, %x - 1] : tensor
// STRIP-NEXT:     warp.read %[[IMG]][%y, %x + 1] : tensor
// What no image is loaded by is not aligned.
// TILES:        } : tensor<10x128xf32, #warp.shared>
// STREAM:       } : tensor<10x128xf32, #warp.cyclic<4>>
// STRIP-NEXT:   %[[B:.*]] = warp.compute "b" {{.*}} in [0, 8) x [-4, 124) (%y, %x) {
// STRIP-NEXT:     warp.read %[[A]][%y - 1, %x] : tensor
// STRIP-NEXT:     warp.read %[[A]][%y + 1, %x] : tensor
// STRIP:        warp.write %[[B]] in [0, 8) x [0, 120) to %{{.*}} {aligned} :
// STREAM-NEXT:  }
// At an edge the input's index is brought inside in its own tile; and rows are no vectors.
// STRIP-NEXT: } else {
// STREAM-NEXT:  warp.stream unroll [[UNROLL]] {
// STRIP-NEXT:   %[[IMG:.*]] = warp.compute "input0" at(%tile_y, %tile_x) step [8, 120] in [-1, 9) x [-4, 124) (%y, %x) {
// STRIP-NEXT:     %[[I0:.*]] = arith.maxsi %y, %c0 : index
// STRIP-NEXT:     %[[I:.*]] = arith.minsi %[[I0]], %c479 : index
// STRIP-NEXT:     %[[J0:.*]] = arith.maxsi %x, %c0 : index
// STRIP-NEXT:     %[[J:.*]] = arith.minsi %[[J0]], %c6399 : index
// STRIP-NEXT:     memref.load %{{.*}}[%[[I]], %[[J]]] :
// STRIP-NOT:    {aligned}
// STRIP:        %[[A:.*]] = warp.compute "a" {{.*}} in [-1, 9) x [-4, 124) of(%c480, %c6400) (%y, %x) {
// STRIP-NEXT:     warp.read %[[IMG]][%y, %x - 1] : tensor
// STRIP-NEXT:     warp.read %[[IMG]][%y, %x + 1] : tensor
// STRIP:        %[[B:.*]] = warp.compute "b" {{.*}} in [0, 8) x [-4, 124) of(%c480, %c6400) (%y, %x) {
// STRIP-NEXT:     warp.read %[[A]][%y - 1, %x] clamp : tensor
// STRIP-NEXT:     warp.read %[[A]][%y + 1, %x] clamp : tensor
// STRIP-NOT:    {aligned}
// STRIP:        warp.write %[[B]] in [0, 8) x [0, 120) to
// STRIP-NOT:  warp.compute
// STRIP:      gpu.return

// Each input its own mode; in tiles inside both are the same.
// MODES:      scf.if
// MODES-NEXT:   %[[CLAMP:.*]] = warp.compute "input0"
// MODES-NEXT:     memref.load %[[IMG:.*]][%y, %x] :
// MODES:        } {aligned} :
// MODES-NEXT:   %[[MIRROR:.*]] = warp.compute "input1"
// MODES-NEXT:     memref.load %[[IMG]][%y, %x] :
// MODES:        } {aligned} :
// MODES:      } else {
// MODES-NEXT:   warp.compute "input0"
// MODES-NOT:      arith.remsi
// MODES:          arith.minsi %{{.*}}, %c479
// MODES-NOT:      arith.remsi
// MODES:          arith.minsi %{{.*}}, %c6399
// MODES:        warp.compute "input1"
// MODES-NOT:      arith.remsi
// MODES:          arith.minsi %{{.*}}, %c479
// MODES:          arith.remsi %x, %c12800
// MODES:          arith.subi %c12799,
// MODES-NOT:    {aligned}
// MODES:      gpu.return

// Rows of an odd length are no vectors.
// ODD-NOT:    aligned
// ODD:        scf.if
// ODD-NEXT:     warp.compute "input0"
// ODD-NOT:    aligned
// ODD:        gpu.return

// Whether they are is asked where it is not known.
// DYNAMIC:      %[[INSIDE:.*]] = arith.cmpi slt, %{{.*}}, %[[W:.*]] : index
// DYNAMIC-NEXT: %[[REST:.*]] = arith.remui %[[W]], %c4
// DYNAMIC-NEXT: %[[WHOLE:.*]] = arith.cmpi eq, %[[REST]], %c0
// DYNAMIC-NEXT: %[[BOTH:.*]] = arith.andi %[[INSIDE]], %[[WHOLE]]
// DYNAMIC-NEXT: scf.if %[[BOTH]] {
// DYNAMIC-NEXT:   warp.compute "input0"
// DYNAMIC:        } {aligned} : tensor
// DYNAMIC:        warp.write %{{.*}} {aligned} :
// DYNAMIC-NEXT: } else {
// DYNAMIC-NOT:    aligned
// DYNAMIC:      gpu.return

// Inside is where the image has been computed, which is not all of it. At an edge nothing else is read.
// NEEDED:      gpu.func @needed_h
// NEEDED:      %[[X0:.*]] = arith.cmpi sge, %tile_x, %c1 : index
// NEEDED-NEXT: %[[X1:.*]] = arith.cmpi sle, %tile_x, %c96 : index
// NEEDED-NEXT: %[[INSIDE:.*]] = arith.andi %[[X0]], %[[X1]]
// NEEDED-NEXT: scf.if %[[INSIDE]] {
// NEEDED-NEXT:   warp.compute "input0" at(%tile_y, %tile_x) step [8, 64] in [0, 8) x [0, 128) (%y, %x) {
// NEEDED-NEXT:     memref.load %{{.*}}[%y, %x] :
// NEEDED:      } else {
// NEEDED-NEXT:   warp.compute "input0" at(%tile_y, %tile_x) step [8, 64] in [0, 8) x [0, 128) (%y, %x) {
// NEEDED:          %[[J0:.*]] = arith.maxsi %x, %c0 : index
// NEEDED-NEXT:     %[[J1:.*]] = arith.minsi %[[J0]], %c6399 : index
// NEEDED-NEXT:     %[[J2:.*]] = arith.maxsi %[[J1]], %c64 : index
// NEEDED-NEXT:     %[[J:.*]] = arith.minsi %[[J2]], %c6335 : index
// NEEDED-NEXT:     memref.load %{{.*}}[%{{.*}}, %[[J]]] :

//--- blur.mlir
func.func @blur(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x - 1] clamp : tensor<480x6400xf32>
    %1 = pipeline.load %img[%y, %x + 1] clamp : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y - 1, %x] clamp : tensor<480x6400xf32>
    %1 = pipeline.load %a[%y + 1, %x] clamp : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}
//--- two-modes.mlir
func.func @two_modes(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %img[%y, %x - 1] clamp : tensor<480x6400xf32>
    %1 = pipeline.load %img[%y, %x + 1] mirror : tensor<480x6400xf32>
    %2 = pipeline.load %img[%y, %x] mirror : tensor<480x6400xf32>
    %3 = arith.addf %0, %1 : f32
    %v = arith.addf %2, %3 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}
//--- odd.mlir
func.func @odd(%img: tensor<480x6399xf32>) -> tensor<480x6399xf32> {
  %b = pipeline.stage "b" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6399xf32>
    pipeline.yield %v : f32
  } : tensor<480x6399xf32>
  return %b : tensor<480x6399xf32>
}
//--- dynamic.mlir
func.func @dynamic(%img: tensor<480x?xf32>) -> tensor<480x?xf32> {
  %c1 = arith.constant 1 : index
  %w = tensor.dim %img, %c1 : tensor<480x?xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x?xf32>
    pipeline.yield %v : f32
  } sized(%w) : tensor<480x?xf32>
  return %b : tensor<480x?xf32>
}
//--- needed.mlir
func.func @needed(%img: tensor<480x6400xf32>) -> tensor<480x6272xf32> {
  %0 = pipeline.group "g" {
    %s = pipeline.stage "s" (%y, %x) {
      %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
      pipeline.yield %v : f32
    } in [0, 480) x [64, 6336) : tensor<480x6400xf32>
    pipeline.yield %s : tensor<480x6400xf32>
  } : tensor<480x6400xf32>
  %1 = pipeline.group "h" schedule {layout = "blocked"} {
    %t = pipeline.stage "t" (%y, %x) {
      %v = pipeline.load %0[%y, %x + 64] : tensor<480x6400xf32>
      pipeline.yield %v : f32
    } : tensor<480x6272xf32>
    pipeline.yield %t : tensor<480x6272xf32>
  } : tensor<480x6272xf32>
  return %1 : tensor<480x6272xf32>
}
