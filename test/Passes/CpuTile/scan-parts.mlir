// Scans along rows of what may be joined in any order, and scans down columns that read them: a thread has some columns of all rows, and knows first
// what is before them in each row.

// RUN: pipeline-opt %s -split-input-file --cpu-tile=target=zen5 --canonicalize --cse | FileCheck %s

// Two cores: rows begin with 0, and in the middle with the sum of the first half. Then each half goes down eight rows at a time, as many as fit the second
// cache; nobody waits.
// CHECK-LABEL: @integral
// CHECK-SAME: (%[[IMG:.*]]: memref<600x12288xi32, {{.*}}>, %[[OUT:.*]]: memref<600x12288xi32, {{.*}}>)
// CHECK:   %[[BEGINS:.*]] = memref.alloc() {{.*}} : memref<600x2xi32>
// CHECK:   scf.parallel
// CHECK:     %[[OWN:.*]] = memref.alloc() {{.*}} : memref<6144xi32>
// CHECK:     scf.for %[[Y:.*]] =
// CHECK:       memref.store %c0_i32, %[[BEGINS]][%[[Y]], %c0]
// CHECK:       scf.for %[[X:.*]] = %c0 to %c6144 step %c1 {
// CHECK:         memref.load %[[IMG]][%[[Y]], %[[X]]]
// CHECK:         memref.store %{{.*}}, %[[OWN]][%[[X]]]
// CHECK:       %[[SUMS:.*]] = scf.for %{{.*}} = %c0 to %c6144 step %c16
// CHECK:       vector.shuffle %[[SUMS]]
// CHECK:       %[[SUM:.*]] = vector.extract %{{.*}}[15] : i32
// CHECK:       memref.store %[[SUM]], %[[BEGINS]][%[[Y]], %c1]
// CHECK:   %[[BAND:.*]] = memref.alloc() {{.*}} : memref<8x12288xi32>
// CHECK:   scf.parallel (%[[PART:.*]]) = (%c0) to (%c2)
// CHECK:     %[[LEFT:.*]] = arith.muli %[[PART]], %c6144
// CHECK:     %[[RIGHT:.*]] = arith.minsi
// CHECK:     scf.for %{{.*}} = %c0 to %c75 step %c1 {
// CHECK:         scf.for %[[Y:.*]] =
// CHECK:           scf.for %{{.*}} = %[[LEFT]] to %[[RIGHT]] step %c1 {
// CHECK:             memref.store %{{.*}}, %[[BAND]]
// CHECK:           %[[BEGIN:.*]] = memref.load %[[BEGINS]][%[[Y]], %[[PART]]]
// CHECK:           vector.broadcast %[[BEGIN]]
// CHECK:             vector.store %{{.*}}, %[[BAND]]
// CHECK:       memref.load %[[BAND]]
// CHECK:       memref.store %{{.*}}, %[[OUT]]
func.func @integral(%img: tensor<600x12288xi32>) -> tensor<600x12288xi32> {
  %zero = arith.constant 0 : i32
  %rows = pipeline.scan "rows" (%y, %x) along 1 {
    %a = pipeline.load %img[%y, %x] : tensor<600x12288xi32>
    %p = pipeline.previous 1 or %zero : i32
    %s = arith.addi %p, %a : i32
    pipeline.yield %s : i32
  } : tensor<600x12288xi32>
  %sums = pipeline.scan "sums" (%y, %x) along 0 {
    %a = pipeline.load %rows[%y, %x] : tensor<600x12288xi32>
    %p = pipeline.previous 1 or %zero : i32
    %s = arith.addi %p, %a : i32
    pipeline.yield %s : i32
  } : tensor<600x12288xi32>
  return %sums : tensor<600x12288xi32>
}

// -----

// Backward, what is before a part lies to its right.
// CHECK-LABEL: @backward
// CHECK:   %[[BEGINS:.*]] = memref.alloc() {{.*}} : memref<600x2xi32>
// CHECK:       memref.store %c0_i32, %[[BEGINS]][%[[Y:.*]], %c1]
// CHECK:       scf.for %{{.*}} = %c6144 to %c12288 step %c1 {
// CHECK:       memref.store %{{.*}}, %[[BEGINS]][%[[Y]], %c0]
func.func @backward(%img: tensor<600x12288xi32>) -> tensor<600x12288xi32> {
  %zero = arith.constant 0 : i32
  %rows = pipeline.scan "rows" (%y, %x) along 1 backward {
    %a = pipeline.load %img[%y, %x] : tensor<600x12288xi32>
    %p = pipeline.previous 1 or %zero : i32
    %s = arith.maxsi %p, %a : i32
    pipeline.yield %s : i32
  } : tensor<600x12288xi32>
  %sums = pipeline.scan "sums" (%y, %x) along 0 {
    %a = pipeline.load %rows[%y, %x] : tensor<600x12288xi32>
    %p = pipeline.previous 1 or %zero : i32
    %s = arith.addi %p, %a : i32
    pipeline.yield %s : i32
  } : tensor<600x12288xi32>
  return %sums : tensor<600x12288xi32>
}

// -----

// A column beside the own one is read, too, which another thread may have: threads share bands.
// CHECK-LABEL: @beside
// CHECK-NOT: memref<600x2xi32>
// CHECK:     scf.for
// CHECK:       scf.parallel
// CHECK:       scf.parallel
func.func @beside(%img: tensor<600x12288xi32>) -> tensor<600x12288xi32> {
  %zero = arith.constant 0 : i32
  %rows = pipeline.scan "rows" (%y, %x) along 1 {
    %a = pipeline.load %img[%y, %x] : tensor<600x12288xi32>
    %p = pipeline.previous 1 or %zero : i32
    %s = arith.addi %p, %a : i32
    pipeline.yield %s : i32
  } : tensor<600x12288xi32>
  %sums = pipeline.scan "sums" (%y, %x) along 0 {
    %a = pipeline.load %rows[%y, %x + 1] clamp : tensor<600x12288xi32>
    %p = pipeline.previous 1 or %zero : i32
    %s = arith.addi %p, %a : i32
    pipeline.yield %s : i32
  } : tensor<600x12288xi32>
  return %sums : tensor<600x12288xi32>
}

// -----

// Of the sums some columns are needed alone, so parts of rows would not be parts of them: threads share bands.
// CHECK-LABEL: @some
// CHECK-NOT: memref<600x2xi32>
// CHECK:     scf.for
// CHECK:       scf.parallel
// CHECK:       scf.parallel
func.func @some(%img: tensor<600x12288xi32>) -> tensor<600x40xi32> {
  %zero = arith.constant 0 : i32
  %rows = pipeline.scan "rows" (%y, %x) along 1 {
    %a = pipeline.load %img[%y, %x] : tensor<600x12288xi32>
    %p = pipeline.previous 1 or %zero : i32
    %s = arith.addi %p, %a : i32
    pipeline.yield %s : i32
  } in [0, 600) x [0, 12288) : tensor<600x12288xi32>
  %sums = pipeline.scan "sums" (%y, %x) along 0 {
    %a = pipeline.load %rows[%y, %x] : tensor<600x12288xi32>
    %p = pipeline.previous 1 or %zero : i32
    %s = arith.addi %p, %a : i32
    pipeline.yield %s : i32
  } in [0, 600) x [30, 70) : tensor<600x12288xi32>
  %some = pipeline.stage "some" (%y, %x) {
    %a = pipeline.load %sums[%y, %x + 30] : tensor<600x12288xi32>
    pipeline.yield %a : i32
  } in [0, 600) x [0, 40) : tensor<600x40xi32>
  return %some : tensor<600x40xi32>
}
