// Bodies with several results, and with branches.

// RUN: pipeline-opt %s -inline-stages -split-input-file | FileCheck %s

// One clone gives both results; of a clone of which one is wanted, the rest goes.
// CHECK-LABEL: @results
// CHECK:       pipeline.stage "c" (%x) {
// CHECK-NEXT:    %[[V:.*]] = pipeline.load %arg0[%x]
// CHECK-NEXT:    %[[S:.*]] = arith.mulf %[[V]], %[[V]]
// CHECK-NEXT:    %[[N:.*]] = arith.negf %[[V]]
// CHECK-NEXT:    %[[W:.*]] = pipeline.load %arg0[%x + 1] clamp
// CHECK-NEXT:    %[[M:.*]] = arith.negf %[[W]]
// CHECK-NEXT:    arith.addf %[[S]], %[[N]]
// CHECK-NOT:     arith.mulf
func.func @results(%img: tensor<8xf32>) -> tensor<8xf32> {
  %a:2 = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xf32>
    %1 = arith.mulf %0, %0 : f32
    %2 = arith.negf %0 : f32
    pipeline.yield %1, %2 : f32, f32
  } : tensor<8xf32>, tensor<8xf32>
  %c = pipeline.stage "c" (%x) {
    %0 = pipeline.load %a#0[%x] : tensor<8xf32>
    %1 = pipeline.load %a#1[%x] : tensor<8xf32>
    %2 = pipeline.load %a#1[%x + 1] clamp : tensor<8xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

// What a branch reads is computed there; what was computed before it is taken from there.
// CHECK-LABEL: @lazy
// CHECK:       pipeline.stage "c" (%x) {
// CHECK:         %[[V:.*]] = pipeline.load %arg0[%x]
// CHECK:         %[[E:.*]] = arith.negf %[[V]]
// CHECK:         scf.if
// CHECK-NEXT:      pipeline.load %arg0[%x + 1] clamp
// CHECK-NEXT:      %[[F:.*]] = arith.negf
// CHECK-NEXT:      scf.yield %[[F]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %[[E]]
func.func @lazy(%img: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xf32>
    %1 = arith.negf %0 : f32
    pipeline.yield %1 : f32
  } : tensor<8xf32>
  %c = pipeline.stage "c" (%x) {
    %0 = pipeline.load %a[%x] : tensor<8xf32>
    %1 = arith.cmpf olt, %0, %zero : f32
    %2 = scf.if %1 -> (f32) {
      %3 = pipeline.load %a[%x + 1] clamp : tensor<8xf32>
      scf.yield %3 : f32
    } else {
      %3 = pipeline.load %a[%x] : tensor<8xf32>
      scf.yield %3 : f32
    }
    pipeline.yield %2 : f32
  } : tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

// A branch of the stage's, with loads and a coordinate in it.
// CHECK-LABEL: @branches
// CHECK:       pipeline.stage "c" (%x) {
// CHECK:         %[[P:.*]] = arith.addi %x, %{{.*}} : index
// CHECK:         %[[I:.*]] = arith.index_cast %[[P]]
// CHECK:         scf.if
// CHECK-NEXT:      pipeline.load %arg0[%x + 2] : tensor<9xi32>
// CHECK:         else
// CHECK-NEXT:      scf.yield %[[I]]
// CHECK:         pipeline.yield
func.func @branches(%img: tensor<9xi32>) -> tensor<7xi32> {
  %four = arith.constant 4 : i32
  %a = pipeline.stage "a" (%x) {
    %0 = arith.index_cast %x : index to i32
    %1 = arith.cmpi slt, %0, %four : i32
    %2 = scf.if %1 -> (i32) {
      %3 = pipeline.load %img[%x + 1] : tensor<9xi32>
      scf.yield %3 : i32
    } else {
      scf.yield %0 : i32
    }
    pipeline.yield %2 : i32
  } : tensor<8xi32>
  %c = pipeline.stage "c" (%x) {
    %0 = pipeline.load %a[%x + 1] : tensor<8xi32>
    pipeline.yield %0 : i32
  } : tensor<7xi32>
  return %c : tensor<7xi32>
}
