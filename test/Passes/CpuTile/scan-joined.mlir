// Scans along rows that join each point's own value with all before it, by what may be done in any order: vectors of points beside each other.

// RUN: pipeline-opt %s -split-input-file --cpu-tile=target=zen5 --canonicalize --cse | FileCheck %s

// First each point's own value, then in place the sums: of a lane and those before it, in four steps, and of the vectors before. Rows are whole vectors.
// CHECK-LABEL: @sums
// CHECK-SAME: (%[[IMG:.*]]: memref<90x160xi8, {{.*}}>, %[[OUT:.*]]: memref<90x160xi32, {{.*}}>)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0> : vector<16xi32>
// CHECK-DAG: %[[SEVEN:.*]] = arith.constant dense<7> : vector<16xi32>
// CHECK:     scf.parallel
// CHECK:       scf.for %[[Y:.*]] =
// CHECK:         scf.for %[[X:.*]] = %c0 to %c160 step %c1 {
// CHECK:           %[[A:.*]] = memref.load %[[IMG]][%[[Y]], %[[X]]]
// CHECK:           %[[OWN:.*]] = arith.extui %[[A]] : i8 to i32
// CHECK:           memref.store %[[OWN]], %[[OUT]][%[[Y]], %[[X]]]
// CHECK:         } {weft.lanes = 16 : i64}
// CHECK:         scf.for %[[X:.*]] = %c0 to %c160 step %c16 iter_args(%[[BEFORE:.*]] = %[[SEVEN]])
// CHECK:           %[[V:.*]] = vector.load %[[OUT]][%[[Y]], %[[X]]]
// CHECK:           %[[BY1:.*]] = vector.shuffle %[[V]], %[[ZERO]] [16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
// CHECK:           %[[OF2:.*]] = arith.addi %[[V]], %[[BY1]] : vector<16xi32>
// CHECK:           %[[BY2:.*]] = vector.shuffle %[[OF2]], %[[ZERO]] [16, 16, 0, 1,
// CHECK:           %[[OF4:.*]] = arith.addi %[[OF2]], %[[BY2]]
// CHECK:           %[[BY4:.*]] = vector.shuffle %[[OF4]], %[[ZERO]] [16, 16, 16, 16, 0,
// CHECK:           %[[OF8:.*]] = arith.addi %[[OF4]], %[[BY4]]
// CHECK:           %[[BY8:.*]] = vector.shuffle %[[OF8]], %[[ZERO]] [16, 16, 16, 16, 16, 16, 16, 16, 0,
// CHECK:           %[[ALL:.*]] = arith.addi %[[OF8]], %[[BY8]]
// CHECK:           %[[SUM:.*]] = arith.addi %[[ALL]], %[[BEFORE]]
// CHECK:           vector.store %[[SUM]], %[[OUT]][%[[Y]], %[[X]]]
// CHECK:           %[[LAST:.*]] = vector.shuffle %[[ALL]], %[[ALL]] [15, 15,
// CHECK:           %[[NEXT:.*]] = arith.addi %[[BEFORE]], %[[LAST]]
// CHECK:           scf.yield %[[NEXT]]
// CHECK-NOT:     memref.store
// CHECK:     return
func.func @sums(%img: tensor<90x160xi8>) -> tensor<90x160xi32> {
  %seven = arith.constant 7 : i32
  %sums = pipeline.scan "sums" (%y, %x) along 1 {
    %a = pipeline.load %img[%y, %x] : tensor<90x160xi8>
    %own = arith.extui %a : i8 to i32
    %p = pipeline.previous 1 or %seven : i32
    %s = arith.addi %p, %own : i32
    pipeline.yield %s : i32
  } : tensor<90x160xi32>
  return %sums : tensor<90x160xi32>
}

// -----

// Backward, and of bytes: steps are counted from the last point, and lanes have what is behind them. What is left of a row, point by point.
// CHECK-LABEL: @greatest
// CHECK-SAME: (%{{.*}}, %[[OUT:.*]]: memref<90x200xi8, {{.*}}>)
// CHECK:         %[[LAST:.*]] = scf.for %[[T:.*]] = %c0 to %c192 step %c64 iter_args
// CHECK:           %[[X:.*]] = arith.subi %c136, %[[T]]
// CHECK:           vector.load %[[OUT]][%{{.*}}, %[[X]]] {{.*}}, vector<64xi8>
// CHECK:           vector.shuffle %{{.*}} [1, 2, 3, {{.*}}, 63, 64]
// CHECK:           arith.maxsi
// CHECK:           vector.shuffle %[[ALL:.*]], %[[ALL]] [0, 0,
// CHECK:         %[[BEFORE:.*]] = vector.extract %[[LAST]][0]
// CHECK:         scf.for %[[T:.*]] = %c192 to %c200 step %c1 iter_args(%[[P:.*]] = %[[BEFORE]])
// CHECK:           %[[X:.*]] = arith.subi %c199, %[[T]]
// CHECK:           %[[A:.*]] = memref.load %[[OUT]][%{{.*}}, %[[X]]]
// CHECK:           %[[M:.*]] = arith.maxsi %[[P]], %[[A]]
// CHECK:           memref.store %[[M]], %[[OUT]][%{{.*}}, %[[X]]]
func.func @greatest(%img: tensor<90x200xi8>) -> tensor<90x200xi8> {
  %least = arith.constant -128 : i8
  %m = pipeline.scan "greatest" (%y, %x) along 1 backward {
    %a = pipeline.load %img[%y, %x] : tensor<90x200xi8>
    %p = pipeline.previous 1 or %least : i8
    %s = arith.maxsi %a, %p : i8
    pipeline.yield %s : i8
  } : tensor<90x200xi8>
  return %m : tensor<90x200xi8>
}

// -----

// Sums of floats have an order: rows are transposed.
// CHECK-LABEL: @floats
// CHECK:       memref.alloc(){{.*}} : memref<160x32xf32>
func.func @floats(%img: tensor<90x160xf32>) -> tensor<90x160xf32> {
  %zero = arith.constant 0.0 : f32
  %sums = pipeline.scan "sums" (%y, %x) along 1 {
    %a = pipeline.load %img[%y, %x] : tensor<90x160xf32>
    %p = pipeline.previous 1 or %zero : f32
    %s = arith.addf %p, %a : f32
    pipeline.yield %s : f32
  } : tensor<90x160xf32>
  return %sums : tensor<90x160xf32>
}

// -----

// The value before is asked for more: what is joined is not the point's own.
// CHECK-LABEL: @twice
// CHECK:       memref.alloc(){{.*}} : memref<160x32xi32>
func.func @twice(%img: tensor<90x160xi32>) -> tensor<90x160xi32> {
  %zero = arith.constant 0 : i32
  %sums = pipeline.scan "sums" (%y, %x) along 1 {
    %a = pipeline.load %img[%y, %x] : tensor<90x160xi32>
    %p = pipeline.previous 1 or %zero : i32
    %b = arith.xori %a, %p : i32
    %s = arith.addi %p, %b : i32
    pipeline.yield %s : i32
  } : tensor<90x160xi32>
  return %sums : tensor<90x160xi32>
}

// -----

// What stands before the first point differs from row to row, and is known there alone.
// CHECK-LABEL: @begins
// CHECK:       memref.alloc(){{.*}} : memref<160x32xi32>
func.func @begins(%img: tensor<90x160xi32>) -> tensor<90x160xi32> {
  %sums = pipeline.scan "sums" (%y, %x) along 1 {
    %a = pipeline.load %img[%y, %x] : tensor<90x160xi32>
    %p = pipeline.previous 1 or %a : i32
    %s = arith.addi %p, %a : i32
    pipeline.yield %s : i32
  } : tensor<90x160xi32>
  return %sums : tensor<90x160xi32>
}
