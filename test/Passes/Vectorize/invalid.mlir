// What cannot be a loop over vectors.

// RUN: pipeline-opt %s --vectorize -split-input-file -verify-diagnostics

func.func @store(%out: memref<64xf32>, %v: f32, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %x = %a to %b step %c1 {
    %x2 = arith.muli %x, %c2 : index
    // expected-error@+1 {{stores to no stretch of memory in a loop over points}}
    memref.store %v, %out[%x2] : memref<64xf32>
  } {weft.lanes = 16 : i64}
  return
}

// -----

func.func @bounds(%out: memref<64xindex>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  scf.for %x = %a to %b step %c1 {
    // expected-error@+1 {{has bounds that differ from point to point}}
    %s = scf.for %r = %a to %x step %c1 iter_args(%acc = %c1) -> index {
      scf.yield %r : index
    }
    memref.store %s, %out[%x] : memref<64xindex>
  } {weft.lanes = 16 : i64}
  return
}

// -----

func.func @region(%out: memref<64xf32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  scf.for %x = %a to %b step %c1 {
    // expected-error@+1 {{is in a loop over points, expected no op with regions but scf.if and scf.for}}
    %v = scf.execute_region -> f32 {
      %k = arith.constant 1.0 : f32
      scf.yield %k : f32
    }
    memref.store %v, %out[%x] : memref<64xf32>
  } {weft.lanes = 16 : i64}
  return
}
