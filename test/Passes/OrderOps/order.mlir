// In a loop each op stands where its last operand is known; loads and prefetches keep their order, stores their place.

// RUN: pipeline-opt %s --order-ops | FileCheck %s

// Two rows of sums over three: the second load serves both, and so does the third.
// CHECK-LABEL: @rows
// CHECK:       scf.for
// CHECK-NEXT:    %[[A:.*]] = vector.load
// CHECK-NEXT:    memref.prefetch
// CHECK-NEXT:    %[[B:.*]] = vector.load
// CHECK-NEXT:    %[[P:.*]] = arith.addf %[[A]], %[[B]]
// CHECK-NEXT:    %[[C:.*]] = vector.load
// CHECK-NEXT:    %[[Q:.*]] = arith.addf %[[P]], %[[C]]
// CHECK-NEXT:    %[[R:.*]] = arith.addf %[[B]], %[[C]]
// CHECK-NEXT:    %[[D:.*]] = vector.load
// CHECK-NEXT:    %[[S:.*]] = arith.addf %[[R]], %[[D]]
// CHECK-NEXT:    vector.store %[[Q]]
// CHECK-NEXT:    vector.store %[[S]]
func.func @rows(%in: memref<4x64xf32>, %out: memref<2x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %x = %c0 to %c64 step %c16 {
    %a = vector.load %in[%c0, %x] : memref<4x64xf32>, vector<16xf32>
    memref.prefetch %in[%c0, %x], read, locality<2>, data : memref<4x64xf32>
    %b = vector.load %in[%c1, %x] : memref<4x64xf32>, vector<16xf32>
    %c = vector.load %in[%c2, %x] : memref<4x64xf32>, vector<16xf32>
    %p = arith.addf %a, %b : vector<16xf32>
    %q = arith.addf %p, %c : vector<16xf32>
    %d = vector.load %in[%c3, %x] : memref<4x64xf32>, vector<16xf32>
    %r = arith.addf %b, %c : vector<16xf32>
    %s = arith.addf %r, %d : vector<16xf32>
    vector.store %q, %out[%c0, %x] : memref<2x64xf32>, vector<16xf32>
    vector.store %s, %out[%c1, %x] : memref<2x64xf32>, vector<16xf32>
  }
  return
}

// Nothing passes a store, or a loop: what is behind them stays.
// CHECK-LABEL: @barrier
// CHECK:       vector.load
// CHECK-NEXT:  vector.store
// CHECK-NEXT:  vector.load
// CHECK-NEXT:  vector.load
// CHECK-NEXT:  arith.addf
// CHECK-NEXT:  arith.addf
func.func @barrier(%in: memref<64xf32>, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %x = %c0 to %c64 step %c16 {
    %a = vector.load %in[%x] : memref<64xf32>, vector<16xf32>
    vector.store %a, %out[%x] : memref<64xf32>, vector<16xf32>
    %b = vector.load %out[%c0] : memref<64xf32>, vector<16xf32>
    %c = vector.load %out[%c16] : memref<64xf32>, vector<16xf32>
    %d = arith.addf %a, %b : vector<16xf32>
    %e = arith.addf %c, %d : vector<16xf32>
    vector.store %e, %out[%x] : memref<64xf32>, vector<16xf32>
  }
  return
}
