// A reduce is a loop for each variable that carries the accumulators; a gather brings the computed index inside.

// RUN: pipeline-opt %s --convert-pipeline-to-loops --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @window
// CHECK-SAME: (%[[IMG:.*]]: memref<16x16xf32, strided<[?, 1]>>, %[[ZERO:.*]]: f32,
func.func @window(%img: tensor<16x16xf32>, %zero: f32) -> tensor<16x16xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    // CHECK: scf.for %[[Y:.*]] = %c0 to %c16
    // CHECK: scf.for %[[X:.*]] = %c0 to %c16
    // CHECK: %[[SUM:.*]] = scf.for %[[RY:.*]] = %c-4 to %c5 step %c1 iter_args(%[[OUTER:.*]] = %[[ZERO]]) -> (f32)
    // CHECK: %[[ROW:.*]] = scf.for %[[RX:.*]] = %c0 to %c3 step %c1 iter_args(%[[ACC:.*]] = %[[OUTER]]) -> (f32)
    %sum = pipeline.reduce (%dy, %dx) in [-4, 5) x [0, 3) (%acc = %zero : f32) {
      // CHECK: %[[AT:.*]] = arith.addi %[[Y]], %[[RY]] : index
      // CHECK: arith.maxsi %[[AT]], %c0
      // CHECK: %[[P:.*]] = memref.load %[[IMG]]
      %p = pipeline.load %img[%y + %dy, %x + %dx] clamp : tensor<16x16xf32>
      // CHECK: %[[NEXT:.*]] = arith.addf %[[ACC]], %[[P]]
      // CHECK: scf.yield %[[NEXT]]
      %s = arith.addf %acc, %p : f32
      pipeline.yield %s : f32
    // CHECK: scf.yield %[[ROW]]
    } : f32
    // CHECK: memref.store %[[SUM]]
    pipeline.yield %sum : f32
  } : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// An index that the window keeps inside needs no code for its mode.
// CHECK-LABEL: @inside
func.func @inside(%a: tensor<16x8xf32>, %zero: f32) -> tensor<16xf32> {
  %0 = pipeline.stage "s" (%x) {
    // CHECK: scf.for
    // CHECK-NOT: arith.maxsi
    // CHECK: memref.load %{{.*}}[%{{.*}}, %{{.*}}] : memref<16x8xf32, strided<[?, 1]>>
    // CHECK: return
    %sum = pipeline.reduce (%k) in [0, 8) (%acc = %zero : f32) {
      %p = pipeline.load %a[%x, %k] clamp : tensor<16x8xf32>
      %s = arith.addf %acc, %p : f32
      pipeline.yield %s : f32
    } : f32
    pipeline.yield %sum : f32
  } : tensor<16xf32>
  return %0 : tensor<16xf32>
}

// CHECK-LABEL: @table
func.func @table(%img: tensor<16xi8>, %table: tensor<256xf32>, %v: f32) -> tensor<16xf32> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<16xi8>
    // CHECK: %[[I:.*]] = arith.index_castui
    %i = arith.index_castui %a : i8 to index
    // CHECK: %[[IN:.*]] = arith.cmpi sge, %[[I]], %c0
    // CHECK: arith.cmpi slt, %[[I]], %c256
    // CHECK: arith.minsi
    // CHECK: %[[P:.*]] = memref.load
    // CHECK: arith.select %{{.*}}, %[[P]], %{{.*}} : f32
    %p = pipeline.gather %table[%i] constant(%v) : tensor<256xf32>
    pipeline.yield %p : f32
  } : tensor<16xf32>
  return %0 : tensor<16xf32>
}

// What extents leave open is asked at entry, over the window too.
// CHECK-LABEL: @checked
func.func @checked(%img: tensor<?xf32>, %zero: f32) -> tensor<10xf32> {
  // CHECK: cf.assert %{{.*}}, "{{.*}}index #0 (x + rx) of stage \22s\22 leaves its source, expected arg0.x >= 49"
  %0 = pipeline.stage "s" (%x) {
    %sum = pipeline.reduce (%k) in [0, 40) (%acc = %zero : f32) {
      %p = pipeline.load %img[%x + %k] : tensor<?xf32>
      %s = arith.addf %acc, %p : f32
      pipeline.yield %s : f32
    } : f32
    pipeline.yield %sum : f32
  } : tensor<10xf32>
  return %0 : tensor<10xf32>
}
