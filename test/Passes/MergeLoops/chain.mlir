// Loops that differ in what they use from around them only become calls of one function.

// RUN: pipeline-opt %s --merge-loops | FileCheck %s

// CHECK-LABEL: func.func private @chain_tiles0
// CHECK-SAME:  (%[[SRC:.*]]: memref<64xf32>, %[[DST:.*]]: memref<64xf32>)
// CHECK:         %[[TWO:.*]] = arith.constant 2.0
// CHECK:         scf.parallel
// CHECK:           memref.load %[[SRC]]
// CHECK:           arith.mulf %{{.*}}, %[[TWO]]
// CHECK:           memref.store %{{.*}}, %[[DST]]
// CHECK:         return
// CHECK-LABEL: func.func @chain
// CHECK-SAME:  (%[[A:.*]]: memref<64xf32>, %[[B:.*]]: memref<64xf32>, %[[C:.*]]: memref<64xf32>, %[[D:.*]]: memref<64xf32>)
// CHECK:         call @chain_tiles0(%[[A]], %[[B]])
// CHECK-NEXT:    call @chain_tiles0(%[[B]], %[[C]])
// Another number makes another loop.
// CHECK:         scf.parallel
// CHECK-NOT:     call
func.func @chain(%a: memref<64xf32>, %b: memref<64xf32>, %c: memref<64xf32>, %d: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  scf.parallel (%x) = (%c0) to (%c64) step (%c1) {
    %v = memref.load %a[%x] : memref<64xf32>
    %w = arith.mulf %v, %two : f32
    memref.store %w, %b[%x] : memref<64xf32>
  }
  scf.parallel (%x) = (%c0) to (%c64) step (%c1) {
    %v = memref.load %b[%x] : memref<64xf32>
    %w = arith.mulf %v, %two : f32
    memref.store %w, %c[%x] : memref<64xf32>
  }
  scf.parallel (%x) = (%c0) to (%c64) step (%c1) {
    %v = memref.load %c[%x] : memref<64xf32>
    %w = arith.mulf %v, %three : f32
    memref.store %w, %d[%x] : memref<64xf32>
  }
  return
}
