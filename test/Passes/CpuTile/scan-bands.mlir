// Scans along rows and scans down columns that read each other: some rows at a time, of which both are done while they are in the caches.

// RUN: pipeline-opt %s -split-input-file --cpu-tile=target=zen5 --canonicalize --cse | FileCheck %s

// 600 rows of 48 KiB: a band is some of them. What is between the two has memory for a band; the values with which the next one begins lie in the
// row of "before" that this one does not read.
// CHECK-LABEL: @integral
// CHECK-SAME: (%[[IMG:.*]]: memref<600x12288xf32, {{.*}}>, %[[OUT:.*]]: memref<600x12288xf32, {{.*}}>)
// CHECK:   %[[BAND:.*]] = memref.alloc() {{.*}} : memref<[[HEIGHT:[0-9]+]]x12288xf32>
// CHECK:   %[[BEFORE:.*]] = memref.alloc() {{.*}} : memref<2x12288xf32>
// CHECK-NOT: memref.alloc() {{.*}}<600x
// CHECK:   scf.for %[[K:.*]] = %c0 to
// CHECK:     %[[PARITY:.*]] = arith.andi %[[K]], %c1
// CHECK:     %[[FROM:.*]] = arith.muli %[[K]], %c[[HEIGHT]]
// CHECK:     %[[NEXT:.*]] = arith.addi %[[FROM]], %c[[HEIGHT]]
// CHECK:     %[[TO:.*]] = arith.minsi %[[NEXT]], %c600
// CHECK:     scf.parallel
// CHECK:       vector.load %[[IMG]]
// CHECK:       vector.store %{{.*}}, %[[BAND]]
// CHECK:     scf.parallel
// CHECK:       %[[OTHER:.*]] = arith.subi %c1, %[[PARITY]]
// CHECK:       %[[FIRST:.*]] = memref.load %[[BEFORE]][%[[PARITY]], %[[X:.*]]]
// CHECK:       %[[LAST:.*]] = scf.for %[[Y:.*]] = %[[FROM]] to %[[TO]] step %c1 iter_args(%[[SUM:.*]] = %[[FIRST]]) -> (f32)
// CHECK:         %[[ROW:.*]] = arith.subi %[[Y]], %[[FROM]]
// CHECK:         memref.load %[[BAND]][%[[ROW]], %[[X]]]
// CHECK:         memref.store %{{.*}}, %[[OUT]][%[[Y]], %[[X]]]
// CHECK:       memref.store %[[LAST]], %[[BEFORE]][%[[OTHER]], %[[X]]]
// CHECK:   memref.dealloc %[[BAND]]
// CHECK:   memref.dealloc %[[BEFORE]]
func.func @integral(%img: tensor<600x12288xf32>) -> tensor<600x12288xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = pipeline.scan "rows" (%y, %x) along 1 {
    %a = pipeline.load %img[%y, %x] : tensor<600x12288xf32>
    %p = pipeline.previous 1 or %zero : f32
    %s = arith.addf %p, %a : f32
    pipeline.yield %s : f32
  } : tensor<600x12288xf32>
  %sums = pipeline.scan "sums" (%y, %x) along 0 {
    %a = pipeline.load %rows[%y, %x] : tensor<600x12288xf32>
    %p = pipeline.previous 1 or %zero : f32
    %s = arith.addf %p, %a : f32
    pipeline.yield %s : f32
  } : tensor<600x12288xf32>
  return %sums : tensor<600x12288xf32>
}

// -----

// Up the columns first, then along rows: bands go upwards, too.
// CHECK-LABEL: @upwards
// CHECK:   scf.for %[[K:.*]] = %c0 to
// CHECK:     %[[FROM:.*]] = arith.muli %[[K]]
// CHECK:     %[[TO:.*]] = arith.minsi %{{.*}}, %c600
// CHECK:     %[[TOP:.*]] = arith.subi %c600, %[[TO]]
// CHECK:     scf.parallel
// CHECK:       scf.for %[[T:.*]] = %[[FROM]] to %[[TO]]
// CHECK:         %[[Y:.*]] = arith.subi %c599, %[[T]]
// CHECK:         %[[ROW:.*]] = arith.subi %[[Y]], %[[TOP]]
// CHECK:         memref.store %{{.*}}, %[[BAND:.*]][%[[ROW]],
// CHECK:     scf.parallel
// CHECK:       vector.load %[[BAND]]
func.func @upwards(%img: tensor<600x12288xf32>) -> tensor<600x12288xf32> {
  %zero = arith.constant 0.0 : f32
  %up = pipeline.scan "up" (%y, %x) along 0 backward {
    %a = pipeline.load %img[%y, %x] : tensor<600x12288xf32>
    %p = pipeline.previous 1 or %zero : f32
    %s = arith.addf %p, %a : f32
    pipeline.yield %s : f32
  } : tensor<600x12288xf32>
  %sums = pipeline.scan "sums" (%y, %x) along 1 {
    %a = pipeline.load %up[%y, %x] : tensor<600x12288xf32>
    %p = pipeline.previous 1 or %zero : f32
    %s = arith.addf %p, %a : f32
    pipeline.yield %s : f32
  } : tensor<600x12288xf32>
  return %sums : tensor<600x12288xf32>
}

// -----

// Down and up again is done column by column: the way up begins where the way down ends.
// CHECK-LABEL: @both_ways
// CHECK-NOT: scf.for
// CHECK: scf.parallel
// CHECK: scf.parallel
func.func @both_ways(%img: tensor<600x1024xi32>) -> tensor<600x1024xi32> {
  %rows = pipeline.scan "rows" (%y, %x) along 1 {
    %a = pipeline.load %img[%y, %x] : tensor<600x1024xi32>
    %p = pipeline.previous 1 or %a : i32
    %s = arith.addi %p, %a : i32
    pipeline.yield %s : i32
  } : tensor<600x1024xi32>
  %down = pipeline.scan "down" (%y, %x) along 0 {
    %a = pipeline.load %rows[%y, %x] : tensor<600x1024xi32>
    %p = pipeline.previous 1 or %a : i32
    %s = arith.addi %p, %a : i32
    pipeline.yield %s : i32
  } : tensor<600x1024xi32>
  %up = pipeline.scan "up" (%y, %x) along 0 backward {
    %a = pipeline.load %down[%y, %x] : tensor<600x1024xi32>
    %p = pipeline.previous 1 or %a : i32
    %s = arith.addi %p, %a : i32
    pipeline.yield %s : i32
  } : tensor<600x1024xi32>
  return %up : tensor<600x1024xi32>
}

// -----

// The row above is read, too: some of it may not be there yet.
// CHECK-LABEL: @above
// CHECK: memref.alloc() {{.*}} : memref<600x1024xi32>
func.func @above(%img: tensor<600x1024xi32>) -> tensor<600x1024xi32> {
  %rows = pipeline.scan "rows" (%y, %x) along 1 {
    %a = pipeline.load %img[%y, %x] : tensor<600x1024xi32>
    %p = pipeline.previous 1 or %a : i32
    %s = arith.addi %p, %a : i32
    pipeline.yield %s : i32
  } : tensor<600x1024xi32>
  %down = pipeline.scan "down" (%y, %x) along 0 {
    %a = pipeline.load %rows[%y - 1, %x] clamp : tensor<600x1024xi32>
    %p = pipeline.previous 1 or %a : i32
    %s = arith.addi %p, %a : i32
    pipeline.yield %s : i32
  } : tensor<600x1024xi32>
  return %down : tensor<600x1024xi32>
}
