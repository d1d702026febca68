// With scope = "thread" a tile is what a thread computes: along rows side by side, along columns a block apart.

// RUN: pipeline-opt %s --warp-tile --canonicalize --cse -split-input-file | FileCheck %s
// RUN: pipeline-opt %s --map-to-gpu --canonicalize --cse -split-input-file | FileCheck %s

// A product of matrices: four sums, which a loop carries. Eight of its 64 points are written out. What lies side by side in memory is a
// vector; what two sums need is loaded once.
// CHECK-LABEL: gpu.func @matmul_g0
// CHECK-SAME:  nvvm.minctasm = 3 : i32, nvvm.reqntid = array<i32: 32, 4, 1>
// CHECK-DAG:   %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:   %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG:   %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG:   %[[C64:.*]] = arith.constant 64 : index
// CHECK:       %[[COLUMN:.*]] = gpu.thread_id x
// CHECK:       %x = arith.addi %{{.*}}, %[[COLUMN]] : index
// CHECK:       %[[ROW:.*]] = gpu.thread_id y
// CHECK:       %[[ROWS:.*]] = arith.muli %[[ROW]], %[[C2]] : index
// CHECK:       %[[Y:.*]] = arith.addi %{{.*}}, %[[ROWS]] : index
// A warp whose rows and columns are all in the image.
// CHECK:       scf.if
// CHECK:         %[[SUMS:.*]]:4 = scf.for %[[K:.*]] = %{{.*}} to %[[C64]] step %[[C8]] iter_args
// CHECK:           %[[A0:.*]] = vector.load %a[%[[Y]], %[[K]]] {alignment = 16 : i64} : memref<?x64xf32, strided<[64, 1]>, 1>, vector<4xf32>
// CHECK:           vector.extract %[[A0]][0]
// CHECK:           %[[A1:.*]] = vector.load %a[%{{.*}}, %[[K]]] {alignment = 16 : i64}
// CHECK:           vector.extract %[[A1]][0]
// CHECK:           %[[B0:.*]] = memref.load %b[%[[K]], %x]
// CHECK:           %[[X1:.*]] = arith.addi %x, %[[C32]] : index
// CHECK:           %[[B1:.*]] = memref.load %b[%[[K]], %[[X1]]]
// CHECK:           vector.extract %[[A0]][1]
// CHECK:           vector.extract %[[A1]][1]
// CHECK-NOT:       vector.load
// CHECK-COUNT-6:   memref.load %b
// CHECK-COUNT-2:   vector.load %a
// CHECK-COUNT-8:   memref.load %b
// CHECK-COUNT-32:  math.fma
// CHECK-NOT:       math.fma
// CHECK:           scf.yield
// CHECK:         memref.store %[[SUMS]]#0, %c_out[%[[Y]], %x]
// CHECK:         memref.store %[[SUMS]]#1, %c_out[%[[Y]], %[[X1_TOO:.*]]]
// CHECK:         memref.store %[[SUMS]]#2, %c_out[%[[Y1:.*]], %x]
// CHECK:         memref.store %[[SUMS]]#3, %c_out[%[[Y1]], %[[X1_TOO]]]
// One with rows or columns beyond it: a thread whose first point is beyond does nothing; of the others what is read is brought inside, what
// is stored is asked for.
// CHECK:       } else {
// CHECK:         scf.if
// CHECK:         %[[EDGE:.*]]:4 = scf.for
// CHECK:           arith.minsi
// CHECK-COUNT-32:  math.fma
// CHECK:         memref.store %[[EDGE]]#0, %c_out[%[[Y]], %x]
// CHECK:         scf.if %{{.*}} {
// CHECK-NEXT:      memref.store %[[EDGE]]#1
// CHECK:         scf.if %{{.*}} {
// CHECK-NEXT:      memref.store %[[EDGE]]#2
// CHECK:         scf.if %{{.*}} {
// CHECK-NEXT:      memref.store %[[EDGE]]#3
func.func @matmul(%a: tensor<?x64xf32> {weft.name = "a"}, %b: tensor<64x?xf32> {weft.name = "b"}, %h: index, %w: index) -> tensor<?x?xf32> {
  %0 = pipeline.group "g0" schedule {block = array<i64: 4, 32>, scope = "thread", tile = array<i64: 2, 2>} {
    %c = pipeline.stage "c" (%y, %x) {
      %zero = arith.constant 0.0 : f32
      %sum = pipeline.reduce (%k) in [0, 64) (%acc = %zero : f32) {
        %l = pipeline.load %a[%y, %k] : tensor<?x64xf32>
        %r = pipeline.load %b[%k, %x] : tensor<64x?xf32>
        %next = math.fma %l, %r, %acc : f32
        pipeline.yield %next : f32
      } : f32
      pipeline.yield %sum : f32
    } sized(%h, %w) : tensor<?x?xf32>
    pipeline.yield %c : tensor<?x?xf32>
  } : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// A layer: the 3x3 window is written out, of two channels, whose weights are nine vectors. The blocks that read the same rows, of all
// planes, follow each other: they are the x of the grid.
// CHECK-LABEL: gpu.func @layer_g0
// CHECK:       %[[PLANES:.*]] = gpu.block_id z
// CHECK:       gpu.block_id x
// CHECK:       scf.if
// CHECK:         scf.for %{{.*}} to %{{.*}} step %c2 iter_args
// The three rows of two points are four rows of three columns, and come first.
// CHECK:           vector.load %weights
// CHECK-COUNT-12:  memref.load %img
// CHECK-NOT:       memref.load
// CHECK:           math.fma
// CHECK-NOT:       arith.select
// CHECK:       } else {
// At an edge a channel at a time is: its weights are no whole vectors.
// CHECK:         scf.for %{{.*}} to %{{.*}} step %c1 iter_args
// CHECK-NOT:       vector.load
// CHECK:           arith.select
// CHECK: func.func @layer
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: gpu.launch_func {{.*}} blocks in (%[[FOUR]], %{{.*}}, %{{.*}}) threads in
func.func @layer(%img: tensor<8x64x64xf32> {weft.name = "img"}, %weights: tensor<8x8x3x3xf32> {weft.name = "weights"}) -> tensor<8x64x64xf32> {
  %0 = pipeline.group "g0" schedule {block = array<i64: 1, 4, 32>, scope = "thread", tile = array<i64: 2, 2, 1>} {
    %out = pipeline.stage "out" (%c, %y, %x) {
      %zero = arith.constant 0.0 : f32
      %sum = pipeline.reduce (%rc, %ry, %rx) in [0, 8) x [0, 3) x [0, 3) (%acc = %zero : f32) {
        %w = pipeline.load %weights[%c, %rc, %ry, %rx] : tensor<8x8x3x3xf32>
        %v = pipeline.load %img[%rc, %y + %ry - 1, %x + %rx - 1] constant(%zero) : tensor<8x64x64xf32>
        %next = math.fma %w, %v, %acc : f32
        pipeline.yield %next : f32
      } : f32
      pipeline.yield %sum : f32
    } : tensor<8x64x64xf32>
    pipeline.yield %out : tensor<8x64x64xf32>
  } : tensor<8x64x64xf32>
  return %0 : tensor<8x64x64xf32>
}

// -----

// Points that lie in the image whatever the block is, and read no more than it: nothing is asked. A stage that is read is computed once
// for the points that share it.
// CHECK-LABEL: gpu.func @plain_g0
// CHECK-NOT:   scf.if
// CHECK-COUNT-3: math.absf
// CHECK-NOT:   math.absf
// CHECK-COUNT-2: memref.store
// CHECK-NOT:   scf.if
// CHECK:       gpu.return
func.func @plain(%img: tensor<66x64xf32>) -> tensor<64x64xf32> {
  %0 = pipeline.group "g0" schedule {block = array<i64: 4, 32>, scope = "thread", tile = array<i64: 2, 1>} {
    %a = pipeline.stage "a" (%y, %x) {
      %v = pipeline.load %img[%y, %x] : tensor<66x64xf32>
      %w = math.absf %v : f32
      pipeline.yield %w : f32
    } : tensor<66x64xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %v = pipeline.load %a[%y, %x] : tensor<66x64xf32>
      %w = pipeline.load %a[%y + 1, %x] : tensor<66x64xf32>
      %d = arith.subf %w, %v : f32
      pipeline.yield %d : f32
    } : tensor<64x64xf32>
    pipeline.yield %b : tensor<64x64xf32>
  } : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// Columns 0 to 19 of "a" are needed, and no others are computed. A thread's second point may be column 23: it reads what column 19 reads,
// and nothing that nobody wrote.
// CHECK-LABEL: gpu.func @partly_g1
// CHECK-DAG:   %[[LAST:.*]] = arith.constant 19 : index
// CHECK:         %[[AT:.*]] = arith.minsi %{{.*}}, %[[LAST]] : index
// CHECK:         memref.load %a[%{{.*}}, %[[AT]]]
func.func @partly(%img: tensor<8x24xf32>) -> tensor<8x20xf32> {
  %0 = pipeline.group "g0" {
    %a = pipeline.stage "a" (%y, %x) {
      %v = pipeline.load %img[%y, %x] : tensor<8x24xf32>
      pipeline.yield %v : f32
    } in [0, 8) x [0, 20) : tensor<8x24xf32>
    pipeline.yield %a : tensor<8x24xf32>
  } : tensor<8x24xf32>
  %1 = pipeline.group "g1" schedule {block = array<i64: 8, 4>, scope = "thread", tile = array<i64: 1, 2>} {
    %b = pipeline.stage "b" (%y, %x) {
      %v = pipeline.load %0[%y, %x] : tensor<8x24xf32>
      pipeline.yield %v : f32
    } : tensor<8x20xf32>
    pipeline.yield %b : tensor<8x20xf32>
  } : tensor<8x20xf32>
  return %1 : tensor<8x20xf32>
}

// -----

// All planes of a point. Their number is known, so that a branch on it is none; and what all read alike, here how much is covered, is loaded
// once. Everything that is loaded is asked for before anything is computed.
// CHECK-LABEL: gpu.func @colours_g0
// CHECK-NOT:   gpu.block_id x
// CHECK-NOT:   gpu.thread_id z
// CHECK:       scf.if
// CHECK-DAG:     %[[RED:.*]] = memref.load %img[%c0, %y, %x]
// CHECK-DAG:     %[[GREEN:.*]] = memref.load %img[%c1, %y, %x]
// CHECK-DAG:     %[[BLUE:.*]] = memref.load %img[%c2, %y, %x]
// CHECK-DAG:     %[[COVER:.*]] = memref.load %img[%c3, %y, %x]
// CHECK-NOT:     memref.load
// CHECK-NOT:     arith.select
// CHECK:         arith.mulf %[[RED]], %[[COVER]]
// CHECK:         arith.mulf %[[GREEN]], %[[COVER]]
// CHECK:         arith.mulf %[[BLUE]], %[[COVER]]
// CHECK-NOT:     arith.mulf
// CHECK-COUNT-4: memref.store
func.func @colours(%img: tensor<4x?x?xf32> {weft.name = "img"}, %h: index, %w: index) -> tensor<4x?x?xf32> {
  %three = arith.constant 3 : index
  %0 = pipeline.group "g0" schedule {block = array<i64: 1, 4, 32>, scope = "thread", tile = array<i64: 4, 1, 1>} {
    %a = pipeline.stage "covered" (%c, %y, %x) {
      %v = pipeline.load %img[%c, %y, %x] : tensor<4x?x?xf32>
      %cover = pipeline.load %img[3, %y, %x] : tensor<4x?x?xf32>
      %is_colour = arith.cmpi slt, %c, %three : index
      %colour = arith.mulf %v, %cover : f32
      %r = arith.select %is_colour, %colour, %cover : f32
      pipeline.yield %r : f32
    } sized(%h, %w) : tensor<4x?x?xf32>
    pipeline.yield %a : tensor<4x?x?xf32>
  } : tensor<4x?x?xf32>
  return %0 : tensor<4x?x?xf32>
}
