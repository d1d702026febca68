// Of an image that has no room in the second cache, the rows that the next tick reads for the first time are asked for.

// RUN: pipeline-opt %s --cpu-tile=target=zen5 --canonicalize --cse | FileCheck %s

// Of three rows that a point reads one is new, the lowest: two rows below the first of the next four.
// CHECK-LABEL: @rows
// CHECK-DAG:   %[[LAST:.*]] = arith.constant 2047 : index
// CHECK:       scf.for %[[Y:.*]] = %{{.*}} step %c4 {
// CHECK:         %[[Y0:.*]] = arith.minsi %[[Y]],
// CHECK:         %[[Y5:.*]] = arith.addi %[[Y0]], %c5
// CHECK:         %[[IN:.*]] = arith.minsi %[[Y5]], %[[LAST]]
// CHECK:         %[[AT:.*]] = arith.maxsi %[[IN]], %c0
// CHECK:         scf.for %[[X:.*]] =
// CHECK:           memref.prefetch %arg0[%[[AT]], %[[X]]], read, locality<2>, data
// CHECK-COUNT-3:   memref.prefetch %arg0
// CHECK-NOT:       memref.prefetch
// CHECK:           memref.load
func.func @rows(%img: tensor<2048x1024xf32>) -> tensor<2048x1024xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%y - 1, %x] clamp : tensor<2048x1024xf32>
    %b = pipeline.load %img[%y, %x] : tensor<2048x1024xf32>
    %c = pipeline.load %img[%y + 1, %x] clamp : tensor<2048x1024xf32>
    %d = arith.addf %a, %b : f32
    %e = arith.addf %d, %c : f32
    pipeline.yield %e : f32
  } : tensor<2048x1024xf32>
  return %0 : tensor<2048x1024xf32>
}

// Of an image that is halved two rows are new for each.
// CHECK-LABEL: @half
// CHECK:       scf.for %{{.*}} step %c4 {
// CHECK:         scf.for
// CHECK-COUNT-8:   memref.prefetch %arg0
// CHECK-NOT:       memref.prefetch
// CHECK:           memref.load
func.func @half(%img: tensor<2048x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%y * 2, %x] : tensor<2048x1024xf32>
    %b = pipeline.load %img[%y * 2 + 1, %x] : tensor<2048x1024xf32>
    %d = arith.addf %a, %b : f32
    pipeline.yield %d : f32
  } : tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// The first loop computes as long as the second one, or nearly so: it asks for two of the four rows that it reads, the second for the others.
// Of a window, and of a small image, nothing is asked for.
// CHECK-LABEL: @once
// CHECK:         %[[W:.*]] = memref.alloc()
// CHECK-COUNT-2: memref.prefetch %arg0
// CHECK-NOT:     memref.prefetch
// CHECK:         memref.store %{{.*}}, %[[W]]
// CHECK-COUNT-2: memref.prefetch %arg0
// CHECK-NOT:     memref.prefetch
func.func @once(%img: tensor<2048x1024xf32>, %small: tensor<1x1024xf32>) -> tensor<2048x1024xf32> {
  %g = pipeline.group "g" {
    %0 = pipeline.stage "s" (%y, %x) {
      %a = pipeline.load %img[%y, %x] : tensor<2048x1024xf32>
      %b = pipeline.load %small[0, %x] : tensor<1x1024xf32>
      %d = arith.addf %a, %b : f32
      pipeline.yield %d : f32
    } : tensor<2048x1024xf32>
    %1 = pipeline.stage "t" (%y, %x) {
      %a = pipeline.load %img[%y, %x] : tensor<2048x1024xf32>
      %b = pipeline.load %0[%y, %x - 1] clamp : tensor<2048x1024xf32>
      %c = pipeline.load %0[%y, %x + 1] clamp : tensor<2048x1024xf32>
      %d = arith.addf %a, %b : f32
      %e = arith.addf %d, %c : f32
      pipeline.yield %e : f32
    } : tensor<2048x1024xf32>
    pipeline.yield %1 : tensor<2048x1024xf32>
  } : tensor<2048x1024xf32>
  return %g : tensor<2048x1024xf32>
}

// What computes longest asks, also if it has fewer rows at a time: eight planes, two rows of each.
// CHECK-LABEL: @layer
// CHECK:         %[[W:.*]] = memref.alloc()
// CHECK:         scf.for %{{.*}} step %c4 {
// CHECK-NOT:       memref.prefetch
// CHECK:         memref.store %{{.*}}, %[[W]]
// CHECK-NOT:     memref.prefetch
// CHECK:         scf.for %{{.*}} step %c2 {
// CHECK-COUNT-16:  memref.prefetch %arg0
// CHECK-NOT:     memref.prefetch
func.func @layer(%img: tensor<16x512x512xf32>, %weights: tensor<16x16x3xf32>) -> tensor<16x512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %g = pipeline.group "g" schedule {tile = array<i64: 16, 64, 512>} {
    %0 = pipeline.stage "near" (%c, %y, %x) {
      %a = pipeline.load %img[%c, %y, %x] : tensor<16x512x512xf32>
      pipeline.yield %a : f32
    } : tensor<16x512x512xf32>
    %1 = pipeline.stage "layer" (%c, %y, %x) {
      %sum = pipeline.reduce (%k, %i) in [0, 16) x [0, 3) (%acc = %zero : f32) {
        %a = pipeline.load %0[%k, %y, %x + %i - 1] clamp : tensor<16x512x512xf32>
        %w = pipeline.load %weights[%c, %k, %i] : tensor<16x16x3xf32>
        %p = arith.mulf %a, %w : f32
        %s = arith.addf %acc, %p : f32
        pipeline.yield %s : f32
      } : f32
      pipeline.yield %sum : f32
    } : tensor<16x512x512xf32>
    pipeline.yield %1 : tensor<16x512x512xf32>
  } : tensor<16x512x512xf32>
  return %g : tensor<16x512x512xf32>
}

// Both planes read the same rows.
// CHECK-LABEL: @shared
// CHECK-NOT:     memref.prefetch
func.func @shared(%img: tensor<2048x1024xf32>) -> tensor<2x2048x1024xf32> {
  %0 = pipeline.stage "s" (%c, %y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<2048x1024xf32>
    pipeline.yield %a : f32
  } : tensor<2x2048x1024xf32>
  return %0 : tensor<2x2048x1024xf32>
}

// Where tiles slide along planes, the same rows of the next plane are asked for: once for a row, however many of it are read around it.
// CHECK-LABEL: @volume
// CHECK: scf.for %{{.*}} step %c4 {
// CHECK:   memref.prefetch %arg0[%[[NEXT:.*]], %{{.*}}, %{{.*}}], read, locality<2>, data
// CHECK-COUNT-2: memref.prefetch %arg0[%[[NEXT]], %{{.*}}, %{{.*}}], read, locality<2>, data
// CHECK-NOT: memref.prefetch
// CHECK: scf.for %{{.*}} step %c4 {
// CHECK:   memref.prefetch %arg0[%[[NEXT]], %{{.*}}, %{{.*}}], read, locality<2>, data
// CHECK-NOT: memref.prefetch
func.func @volume(%img: tensor<64x256x256xf32>) -> tensor<64x256x256xf32> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 16, 32, 256>} {
    %wide = pipeline.stage "wide" (%z, %y, %x) {
      %0 = pipeline.load %img[%z, %y - 1, %x] clamp : tensor<64x256x256xf32>
      %1 = pipeline.load %img[%z + 1, %y, %x] clamp : tensor<64x256x256xf32>
      %2 = pipeline.load %img[%z + 1, %y + 1, %x] clamp : tensor<64x256x256xf32>
      %3 = arith.addf %0, %1 : f32
      %4 = arith.addf %2, %3 : f32
      pipeline.yield %4 : f32
    } : tensor<64x256x256xf32>
    %deep = pipeline.stage "deep" (%z, %y, %x) {
      %0 = pipeline.load %wide[%z - 1, %y - 1, %x] clamp : tensor<64x256x256xf32>
      %1 = pipeline.load %wide[%z + 1, %y + 1, %x] clamp : tensor<64x256x256xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<64x256x256xf32>
    pipeline.yield %deep : tensor<64x256x256xf32>
  } : tensor<64x256x256xf32>
  return %out : tensor<64x256x256xf32>
}
