// Control flow in a body: what is loaded in a branch is loaded there only, indices and all.

// RUN: pipeline-opt %s -convert-pipeline-to-loops -canonicalize | FileCheck %s

// CHECK-LABEL: @if
// CHECK-SAME:  %[[A:[^:]*]]: memref<8xf32>, %[[B:[^:]*]]: memref<8xf32>
func.func @if(%a: tensor<8xf32>, %b: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  // CHECK:      %[[AV:.*]] = memref.load %[[A]]
  // CHECK:      %[[C:.*]] = arith.cmpf olt, %[[AV]]
  // CHECK:      scf.if %[[C]] -> (f32) {
  // CHECK:        arith.minsi
  // CHECK:        %[[BV:.*]] = memref.load %[[B]]
  // CHECK:        scf.yield %[[BV]]
  // CHECK:      } else {
  // CHECK-NOT:    memref.load
  // CHECK:      }
  %0 = pipeline.stage "s" (%x) {
    %av = pipeline.load %a[%x] : tensor<8xf32>
    %c = arith.cmpf olt, %av, %v : f32
    %r = scf.if %c -> f32 {
      %bv = pipeline.load %b[%x - 1] clamp : tensor<8xf32>
      scf.yield %bv : f32
    } else {
      scf.yield %v : f32
    }
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// The index of the branch is not to be had behind it.
// CHECK-LABEL: @same_index_behind
// CHECK-SAME:  %[[A:[^:]*]]: memref<8xf32>
func.func @same_index_behind(%a: tensor<8xf32>, %v: f32, %c: i1) -> tensor<8xf32> {
  // CHECK:     scf.if
  // CHECK:       arith.minsi
  // CHECK:     } else {
  // CHECK:     }
  // CHECK:     %[[I:.*]] = arith.minsi
  // CHECK:     memref.load %[[A]][%[[I]]]
  %0 = pipeline.stage "s" (%x) {
    %r = scf.if %c -> f32 {
      %av = pipeline.load %a[%x - 1] clamp : tensor<8xf32>
      scf.yield %av : f32
    } else {
      scf.yield %v : f32
    }
    %bv = pipeline.load %a[%x - 1] clamp : tensor<8xf32>
    %s = arith.addf %r, %bv : f32
    pipeline.yield %s : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @for
// CHECK-SAME:  %[[A:[^:]*]]: memref<8xf32>
func.func @for(%a: tensor<8xf32>, %v: f32, %n: index) -> tensor<8xf32> {
  // CHECK: scf.for %[[X:.*]] =
  // CHECK:   scf.for %{{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (f32) {
  // CHECK:     memref.load %[[A]][%[[X]]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = pipeline.stage "s" (%x) {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> f32 {
      %av = pipeline.load %a[%x] : tensor<8xf32>
      %t = arith.addf %s, %av : f32
      scf.yield %t : f32
    }
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
