// What values of a kernel are called at each level: which stage, which row, which column. Passes between keep the names.

// RUN: pipeline-opt %s -fuse=strategy=all -warp-tile | FileCheck %s --check-prefixes=CHECK,TILES
// RUN: pipeline-opt %s -fuse=strategy=all -warp-tile -split-interior | FileCheck %s --check-prefixes=CHECK,SPLIT
// RUN: pipeline-opt %s "-fuse=strategy=all schedule={layout=\"blocked\", stream=\"y\"}" -warp-tile -split-interior -hybrid-register -shuffle -lower-warp -merge-kernels \
// RUN:   | FileCheck %s --check-prefixes=CHECK,STREAM
// RUN: pipeline-opt %s "-fuse=strategy=all schedule={fraction=0.5}" -warp-tile -split-interior -hybrid-register -shuffle -lower-warp \
// RUN:   | FileCheck %s --check-prefixes=CHECK,HYBRID
// RUN: pipeline-opt %s -fuse=strategy=all -warp-tile -split-interior -lower-warp -canonicalize -cse | FileCheck %s --check-prefixes=CHECK,SHARED

func.func @blur(%0: tensor<?x?xf32> {weft.name = "img"}) -> (tensor<?x?xf32> {weft.name = "blurred"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %0, %c0 : tensor<?x?xf32>
  %w = tensor.dim %0, %c1 : tensor<?x?xf32>
  %1 = pipeline.stage "blurx" (%y, %x) {
    %l = pipeline.load %0[%y, %x - 1] clamp : tensor<?x?xf32>
    %r = pipeline.load %0[%y, %x] : tensor<?x?xf32>
    %v = arith.addf %l, %r : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %2 = pipeline.stage "blury" (%y, %x) {
    %a = pipeline.load %1[%y - 1, %x] clamp : tensor<?x?xf32>
    %b = pipeline.load %1[%y, %x] : tensor<?x?xf32>
    %v = arith.addf %a, %b : f32
    %w2 = arith.addf %v, %b : f32
    pipeline.yield %w2 : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// CHECK: gpu.func @blur_g0(%img_ptr: memref<f32, 1> {{.*}}, %blurred_ptr: memref<f32, 1> {{.*}}, %img_h: index, %img_w: index)
// CHECK: %img = memref.reinterpret_cast %img_ptr to offset: [0], sizes: [%img_h, %img_w]
// CHECK: %blurred_out = memref.reinterpret_cast %blurred_ptr to

// TILES:      %tile_y, %tile_x = warp.tile_id
// TILES-NEXT: %origin_y = arith.muli %tile_y, %c8
// TILES-NEXT: %has_tile = arith.cmpi slt, %origin_y, %img_h
// TILES-NEXT: scf.if %has_tile {
// TILES-NEXT:   %blurx = warp.compute "blurx" at(%tile_y, %tile_x) {{.*}} of(%img_h, %img_w)
// TILES-NEXT:     warp.load %img[%y, %x - 1] clamp
// TILES:        %blury = warp.compute "blury"
// TILES-NEXT:     warp.read %blurx[%y - 1, %x] clamp
// TILES:        warp.write %blury in {{.*}} to %blurred_out

// SPLIT:      scf.if %has_tile {
// SPLIT-NEXT:   %inside = arith.cmpi sge, %tile_y, %c1
// SPLIT:        %last_y = arith.addi %origin_y, %c7
// SPLIT:        scf.if %inside_{{[0-9]+}} {
// SPLIT:          %blurx = warp.compute
// SPLIT-NEXT:       %at_x = arith.addi %x, %c-1
// SPLIT-NEXT:       memref.load %img[%y, %at_x]
// SPLIT:        } else {
// SPLIT:            %clamp_x.last = arith.addi %img_w, %c-1
// SPLIT-NEXT:       %clamp_x = arith.maxsi %at_x, %c0

// Threads are a row of warps, each with a tile of its own. A lane has four columns; one row above the tile is the halo.
// STREAM:      %thread = gpu.thread_id x
// STREAM-NEXT: %warp = arith.divui %thread, %c32
// STREAM-NEXT: %tile_x = gpu.block_id x
// STREAM-NEXT: %block_y = gpu.block_id y
// STREAM-NEXT: %first_tile_y = arith.muli %block_y, %c4
// STREAM-NEXT: %tile_y = arith.addi %first_tile_y, %warp
// STREAM:      %lane = gpu.lane_id
// STREAM-NEXT: %lane_offset = arith.muli %lane, %c4
// STREAM-NEXT: %lane_x = arith.addi %origin_x, %lane_offset
// STREAM-NEXT: %x-4 = arith.addi %lane_x, %c-4
// STREAM-NEXT: %from_lane1 = arith.cmpi sge, %lane, %c1
// STREAM-NEXT: %y-1 = arith.addi %origin_y, %c-1
// STREAM-NEXT: %input0.y-1 = vector.load %img[%y-1, %x-4]
// STREAM-NEXT: %input0.y-1.x-4 = vector.extract %input0.y-1[0]
// STREAM:      %input0.y-1.x-5, %{{.*}} = gpu.shuffle up %input0.y-1.x-1
// STREAM-NEXT: %blurx.y-1.x-4 = arith.addf %input0.y-1.x-5, %input0.y-1.x-4
// STREAM:      scf.for %tick = %c0 to %c8 step %c2 iter_args(%blurx.row-1.x-4 = %blurx.y-1.x-4, %blurx.row-1.x-3 = %blurx.y-1.x-3,
// STREAM-NEXT:   %row = arith.addi %origin_y, %tick
// STREAM-NEXT:   %input0.row0 = vector.load %img[%row, %x-4]
// STREAM:        %blury.row0 = arith.addf %blurx.row-1.x-4, %blurx.row0.x-4
// STREAM-NEXT:   %blury.row0.x-4 = arith.addf %blury.row0, %blurx.row0.x-4
// STREAM:        %[[ROW:.*]] = vector.from_elements %blury.row0.x-4, %blury.row0.x-3, %blury.row0.x-2, %blury.row0.x-1
// STREAM-NEXT:   vector.store %[[ROW]], %blurred_out[%row, %x-4]
// STREAM:        %row1 = arith.addi %row, %c1
// STREAM:        scf.yield %blurx.row1.x-4, %blurx.row1.x-3, %blurx.row1.x-2, %blurx.row1.x-1

// At an edge: coordinates that are moved inside, and rows that a mode leads to.
// STREAM:      } else {
// STREAM:      %clamp_x.x-4 = arith.maxsi %x-4, %c0
// STREAM:      %clamp_y.y-1 = arith.maxsi %y-1, %c0
// STREAM-NEXT: %[[INSIDE:.*]] = arith.minsi %clamp_y.y-1, %clamp_y.last
// STREAM-NEXT: %input0.y-1.x-4 = memref.load %img[%[[INSIDE]], %clamp_x.x-4_{{[0-9]+}}]
// STREAM:      scf.for %tick
// STREAM:        %blurx.row-1.clamp.x-4 = arith.select %is0, %blurx.row0.x-4, %blurx.row-1.x-4
// STREAM:        %blury.row0 = arith.addf %blurx.row-1.clamp.x-4, %blurx.row0.x-4
// STREAM:        %[[MASK:mask.*]] = arith.andi %needed_y
// STREAM-NEXT:   scf.if %[[MASK]] {
// STREAM-NEXT:     memref.store %blury.row0.x-4, %blurred_out[%row, %x-4]

// The left half of each tile in shared memory, the right half in registers, one value for every 32 columns.
// HYBRID:      %blurx.tile = memref.view %shared[%shared_of_warp]
// HYBRID:      %halo_y = arith.addi %origin_y, %c-1
// HYBRID:      scf.for %row = %c0 to %c9
// HYBRID-NEXT:   scf.for %strip
// HYBRID-NEXT:     %first = arith.muli %strip, %c32
// HYBRID-NEXT:     %column = arith.addi %first, %lane
// HYBRID-NEXT:     %y = arith.addi %halo_y, %row
// HYBRID-NEXT:     %x = arith.addi %origin_x, %column
// HYBRID:          memref.store %blurx{{.*}}, %blurx.tile[%slot{{.*}}]
// HYBRID:      %blurx.y0.x64 = arith.addf
// HYBRID:      %blury.y0.x64 = arith.addf %blury.y0, %blurx.y0.x64
// HYBRID:      memref.store %blury.y0.x64, %blurred_out[%origin_y{{.*}}, %x64]

// SHARED:      scf.for %row = %c0 to %c8
// SHARED-NEXT:   scf.for %strip
// SHARED:          %blurx = memref.load %blurx.tile[%slot{{.*}}]
// SHARED:          %blury = arith.addf %blurx, %{{.*}}
// SHARED:          memref.store %{{.*}}, %blurred_out[%y, %x]
