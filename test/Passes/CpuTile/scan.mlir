// Scans that read each other in their own line are done for a block of lines, which vectors walk: side by side, or transposed.

// RUN: pipeline-opt %s --cpu-tile=target=zen5 --canonicalize --cse | FileCheck %s
// RUN: pipeline-opt %s --cpu-tile=target=zen5 --canonicalize --cse --vectorize --canonicalize --cse | FileCheck %s --check-prefix=VECTOR

// Down and up: a loop over columns, of which vectors are made, around one along them, which carries the value before. What is
// between the two lives in memory of the block. 300 rows: a block is 64 columns, and the last one takes what is left. Rows that are read or written eight steps
// later are asked for, but not of the block's memory.
// CHECK-LABEL: @beside
// CHECK-SAME: (%[[IMG:.*]]: memref<300x200xf32, {{.*}}>, %[[K:.*]]: f32, %[[OUT:.*]]: memref<300x200xf32, {{.*}}>)
// CHECK: scf.parallel (%[[BLOCK:.*]]) = (%c0) to (%c3)
// CHECK:   %[[LAST:.*]] = arith.cmpi eq, %[[BLOCK]], %c2
// CHECK:   %[[END:.*]] = arith.select %[[LAST]], %c200, %{{.*}}
// CHECK:   %[[DOWN:.*]] = memref.alloc() {alignment = 64 : i64} : memref<300x64xf32>
// CHECK:   %[[BACK:.*]] = arith.subi %[[END]], %c64
// CHECK:   scf.for %[[X:.*]] = %[[FROM:.*]] to %[[TO:.*]] step %c1
// CHECK:     %[[LINE:.*]] = arith.subi %[[X]], %[[FROM]]
// CHECK:     scf.for %[[Y:.*]] = %c0 to %c300 step %c1 iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (f32)
// CHECK:       %[[LATER:.*]] = arith.addi %[[Y]], %c8
// CHECK:       %[[LAST:.*]] = arith.minsi %[[LATER]], %c299
// CHECK:       %[[ASKED:.*]] = arith.maxsi %[[LAST]], %c0
// CHECK:       memref.prefetch %[[IMG]][%[[ASKED]], %[[X]]], read, locality<2>
// CHECK:       %[[A:.*]] = memref.load %[[IMG]][%[[Y]], %[[X]]]
// CHECK:       %[[THERE:.*]] = arith.cmpi sge, %[[Y]], %c1
// CHECK:       %[[P:.*]] = arith.select %[[THERE]], %[[BEFORE]], %[[A]]
// CHECK:       %[[V:.*]] = arith.mulf %[[P]], %[[K]]
// CHECK-NOT:   memref.prefetch
// CHECK:       memref.store %[[V]], %[[DOWN]][%[[Y]], %[[LINE]]]
// CHECK:       scf.yield %[[V]]
// CHECK:   } {weft.lanes = 64 : i64}
// CHECK:   scf.for %[[X:.*]] = %[[FROM]] to %[[TO]] step %c1
// CHECK:     scf.for %[[T:.*]] = %c0 to %c300
// CHECK:       %[[Y:.*]] = arith.subi %c299, %[[T]]
// CHECK-NOT:   memref.prefetch
// CHECK:       memref.load %[[DOWN]][%[[Y]],
// CHECK:       %[[LATER:.*]] = arith.subi %c291, %[[T]]
// CHECK:       %[[LAST:.*]] = arith.minsi %[[LATER]], %c299
// CHECK:       %[[ASKED:.*]] = arith.maxsi %[[LAST]], %c0
// CHECK:       memref.prefetch %[[OUT]][%[[ASKED]], %[[X]]], write, locality<2>
// CHECK:       memref.store %{{.*}}, %[[OUT]][%[[Y]], %[[X]]]
// CHECK:   } {weft.lanes = 64 : i64}
// CHECK:   memref.dealloc %[[DOWN]]
// VECTOR-LABEL: @beside
// VECTOR: scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (vector<64xf32>)
// VECTOR:   %[[A:.*]] = vector.load
// VECTOR:   %[[THERE:.*]] = arith.cmpi
// VECTOR:   arith.select %[[THERE]], %[[BEFORE]], %[[A]] : vector<64xf32>
func.func @beside(%img: tensor<300x200xf32>, %k: f32) -> tensor<300x200xf32> {
  %down = pipeline.scan "down" (%y, %x) along 0 {
    %a = pipeline.load %img[%y, %x] : tensor<300x200xf32>
    %p = pipeline.previous 1 or %a : f32
    %v = arith.mulf %p, %k : f32
    pipeline.yield %v : f32
  } : tensor<300x200xf32>
  %up = pipeline.scan "up" (%y, %x) along 0 backward {
    %a = pipeline.load %down[%y, %x] : tensor<300x200xf32>
    %p = pipeline.previous 1 or %a : f32
    %v = arith.mulf %p, %k : f32
    pipeline.yield %v : f32
  } : tensor<300x200xf32>
  return %up : tensor<300x200xf32>
}

// An image between scans that is a result, too, is written to its place and read back from there.
// CHECK-LABEL: @leaves
// CHECK-SAME: (%{{.*}}: memref<64x200xf32, {{.*}}>, %[[DOWN:.*]]: memref<64x200xf32, {{.*}}>, %[[UP:.*]]: memref<64x200xf32, {{.*}}>)
// CHECK-NOT: memref.alloc
// CHECK: memref.store %{{.*}}, %[[DOWN]]
// CHECK: memref.load %[[DOWN]]
// CHECK: memref.store %{{.*}}, %[[UP]]
func.func @leaves(%img: tensor<64x200xf32>) -> (tensor<64x200xf32>, tensor<64x200xf32>) {
  %down = pipeline.scan "down" (%y, %x) along 0 {
    %a = pipeline.load %img[%y, %x] : tensor<64x200xf32>
    %p = pipeline.previous 1 or %a : f32
    %v = arith.addf %p, %a : f32
    pipeline.yield %v : f32
  } : tensor<64x200xf32>
  %up = pipeline.scan "up" (%y, %x) along 0 backward {
    %a = pipeline.load %down[%y, %x] : tensor<64x200xf32>
    %p = pipeline.previous 1 or %a : f32
    %v = arith.addf %p, %a : f32
    pipeline.yield %v : f32
  } : tensor<64x200xf32>
  return %down, %up : tensor<64x200xf32>, tensor<64x200xf32>
}

// Right and left, of f64: eight rows are transposed at once on their way in and out, by three rounds of interleaving, and a block is
// sixteen. Where there are no more rows, lanes do the last one again. What comes from the left lies where nobody reads any more. The next columns of
// rows that are written are asked for.
// CHECK-LABEL: @transposed
// CHECK-SAME: (%[[IMG:.*]]: memref<100x44xf64, {{.*}}>, %{{.*}}: f64, %[[OUT:.*]]: memref<100x44xf64, {{.*}}>)
// CHECK: scf.parallel (%[[BLOCK:.*]]) = (%c0) to (%c7)
// CHECK:   %[[FIRST:.*]] = arith.muli %[[BLOCK]], %c16
// CHECK:   %[[IN:.*]] = memref.alloc() {alignment = 64 : i64} : memref<44x16xf64>
// CHECK:   %[[RIGHT:.*]] = memref.alloc() {alignment = 64 : i64} : memref<44x16xf64>
// CHECK-NOT: memref.alloc
// CHECK:   scf.for %[[LANE:.*]] = %c0 to %c16 step %c8
// CHECK:     %[[ROW:.*]] = arith.addi %[[FIRST]], %[[LANE]]
// CHECK:     %[[Y:.*]] = arith.minsi %[[ROW]], %c99
// CHECK:     scf.for %[[I:.*]] = %c0 to %c44 step %c8
// CHECK:       %[[X:.*]] = arith.minsi %[[I]], %c36
// CHECK:       vector.load %[[IMG]][%[[Y]], %[[X]]] : {{.*}} vector<8xf64>
// CHECK-COUNT-7: vector.load %[[IMG]]
// CHECK-NEXT: vector.shuffle %{{.*}} [0, 8, 1, 9, 2, 10, 3, 11]
// CHECK-NEXT: vector.shuffle %{{.*}} [4, 12, 5, 13, 6, 14, 7, 15]
// CHECK-COUNT-22: vector.shuffle
// CHECK-NEXT: vector.store %{{.*}}, %[[IN]][%[[X]], %[[LANE]]]
// CHECK-COUNT-7: vector.store %{{.*}}, %[[IN]]
// CHECK:   scf.for %[[L:.*]] = %c0 to %c16 step %c1
// CHECK:     scf.for %[[X:.*]] = %c0 to %c44
// CHECK:       memref.load %[[IN]][%[[X]], %[[L]]]
// CHECK:       memref.store %{{.*}}, %[[RIGHT]][%[[X]], %[[L]]]
// CHECK:   } {weft.lanes = 16 : i64, weft.wide}
// CHECK:   scf.for
// CHECK:     memref.load %[[RIGHT]]
// CHECK:     memref.store %{{.*}}, %[[IN]]
// CHECK:   } {weft.lanes = 16 : i64, weft.wide}
// CHECK:   vector.load %[[IN]]
// CHECK:   %[[NEXT:.*]] = arith.addi %[[AT:.*]], %c8
// CHECK:   %[[WITHIN:.*]] = arith.minsi %[[NEXT]], %c43
// CHECK-COUNT-8: memref.prefetch %[[OUT]][%{{.*}}, %[[WITHIN]]], write, locality<2>
// CHECK:   vector.store %{{.*}}, %[[OUT]][%{{.*}}, %[[AT]]]
// VECTOR-LABEL: @transposed
// VECTOR: scf.for {{.*}} -> (vector<16xf64>)
func.func @transposed(%img: tensor<100x44xf64>, %k: f64) -> tensor<100x44xf64> {
  %right = pipeline.scan "right" (%y, %x) along 1 {
    %a = pipeline.load %img[%y, %x] : tensor<100x44xf64>
    %p = pipeline.previous 1 or %a : f64
    %v = arith.mulf %p, %k : f64
    pipeline.yield %v : f64
  } : tensor<100x44xf64>
  %left = pipeline.scan "left" (%y, %x) along 1 backward {
    %a = pipeline.load %right[%y, %x] : tensor<100x44xf64>
    %p = pipeline.previous 1 or %a : f64
    %v = arith.mulf %p, %k : f64
    pipeline.yield %v : f64
  } : tensor<100x44xf64>
  return %left : tensor<100x44xf64>
}

// All planes take the weights of a row: its line of an image of fewer dimensions is transposed as well, for each plane. The planes of a block come one after
// another, so that what they share is still in the caches.
// CHECK-LABEL: @weights
// CHECK-SAME: (%[[IMG:.*]]: memref<3x100x44xf64, {{.*}}>, %[[A:.*]]: memref<100x44xf64, {{.*}}>, %{{.*}}: memref
// CHECK: scf.parallel (%[[BLOCK:.*]], %[[PLANE:.*]]) = (%c0, %c0) to (%c7, %c3)
// CHECK-DAG: %[[WEIGHTS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<44x16xf64>
// CHECK-DAG: %[[IN:.*]] = memref.alloc() {alignment = 64 : i64} : memref<44x16xf64>
// CHECK:   %[[Y:.*]] = arith.minsi
// CHECK:     vector.load %[[A]][%[[Y]], %{{.*}}] : {{.*}} vector<8xf64>
// CHECK:     vector.store %{{.*}}, %[[WEIGHTS]]
// CHECK:     vector.load %[[IMG]][%[[PLANE]], %{{.*}}, %{{.*}}] : {{.*}} vector<8xf64>
// CHECK:     vector.store %{{.*}}, %[[IN]]
// CHECK:     scf.for %[[X:.*]] = %c0 to %c44
// CHECK:       arith.addi %[[X]], %c1
// CHECK:       %[[INSIDE:.*]] = arith.minsi
// CHECK:       memref.load %[[WEIGHTS]][%[[INSIDE]], %{{.*}}]
// CHECK:       memref.load %[[IN]][%[[X]], %{{.*}}]
// CHECK:   } {weft.lanes = 16 : i64, weft.wide}
func.func @weights(%img: tensor<3x100x44xf64>, %a: tensor<100x44xf64>) -> tensor<3x100x44xf64> {
  %right = pipeline.scan "right" (%c, %y, %x) along 2 {
    %w = pipeline.load %a[%y, %x + 1] clamp : tensor<100x44xf64>
    %v = pipeline.load %img[%c, %y, %x] : tensor<3x100x44xf64>
    %p = pipeline.previous 1 or %v : f64
    %q = arith.mulf %p, %w : f64
    pipeline.yield %q : f64
  } : tensor<3x100x44xf64>
  return %right : tensor<3x100x44xf64>
}

// A scan that reads another line than its own is walked point by point.
// CHECK-LABEL: @general
// CHECK: scf.parallel (%[[Y:.*]]) = (%c0) to (%c100)
// CHECK:   scf.for %{{.*}} = %c0 to %c48 step %c1 iter_args
// CHECK-NOT: weft.lanes
// CHECK: return
func.func @general(%img: tensor<100x48xf32>) -> tensor<100x48xf32> {
  %right = pipeline.scan "right" (%y, %x) along 1 {
    %a = pipeline.load %img[%y - 1, %x] clamp : tensor<100x48xf32>
    %p = pipeline.previous 1 or %a : f32
    %v = arith.addf %p, %a : f32
    pipeline.yield %v : f32
  } : tensor<100x48xf32>
  return %right : tensor<100x48xf32>
}

// Of extents that are not known the program asks whether the memory of a block is small and lines are some.
// CHECK-LABEL: @unknown
// CHECK: %[[SMALL:.*]] = arith.cmpi sle, %{{.*}}, %c16777216
// CHECK: %[[MANY:.*]] = arith.cmpi sge, %{{.*}}, %c4
// CHECK: %[[BOTH:.*]] = arith.andi %[[SMALL]], %[[MANY]]
// CHECK: scf.if %[[BOTH]]
// CHECK:   weft.wide
// CHECK: } else {
// CHECK:   scf.parallel
func.func @unknown(%img: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %right = pipeline.scan "right" (%y, %x) along 1 {
    %a = pipeline.load %img[%y, %x] : tensor<?x?xf32>
    %p = pipeline.previous 1 or %a : f32
    %v = arith.addf %p, %a : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %right : tensor<?x?xf32>
}
