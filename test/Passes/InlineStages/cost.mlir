// What is cheap enough, and what is not.

// RUN: pipeline-opt %s "-inline-stages=explain=true max-cost=8" -split-input-file -verify-diagnostics | FileCheck %s
// RUN: pipeline-opt %s -inline-stages=max-cost=0 -split-input-file | FileCheck %s --check-prefix=ZERO
// RUN: pipeline-opt %s -inline-stages=max-cost=24 -split-input-file | FileCheck %s --check-prefix=MORE

// Several who read it compute it each. That costs one operation here, and is no more to read.
// CHECK-LABEL: @consumers
// CHECK-NOT:   pipeline.stage "square"
// CHECK:       pipeline.stage "root"
// CHECK:       pipeline.stage "left"
// CHECK:         arith.mulf
// CHECK:       pipeline.stage "right"
// CHECK:         arith.mulf
// ZERO-LABEL:  @consumers
// ZERO:        pipeline.stage "square"
// ZERO:        pipeline.stage "root"
// MORE-LABEL:  @consumers
// MORE-NOT:    pipeline.stage "root"
// MORE:        pipeline.stage "right"
func.func @consumers(%img: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // expected-remark @+1 {{"square" is inlined: computed 2.0 times at 1 operations, 0 more points read: 1.0}}
  %a = pipeline.stage "square" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xf32>
    %1 = arith.mulf %0, %0 : f32
    pipeline.yield %1 : f32
  } : tensor<8xf32>
  // expected-remark @+1 {{"root" stays: computed 2.0 times at 9 operations, 0 more points read: 9.0, expected at most 8}}
  %r = pipeline.stage "root" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xf32>
    %1 = math.sqrt %0 : f32
    %2 = math.absf %1 : f32
    pipeline.yield %2 : f32
  } : tensor<8xf32>
  %b = pipeline.stage "left" (%x) {
    %0 = pipeline.load %a[%x] : tensor<8xf32>
    %1 = pipeline.load %r[%x] : tensor<8xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<8xf32>
  %c = pipeline.stage "right" (%x) {
    %0 = pipeline.load %a[%x] : tensor<8xf32>
    %1 = pipeline.load %r[%x] : tensor<8xf32>
    %2 = arith.subf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<8xf32>
  return %b, %c : tensor<8xf32>, tensor<8xf32>
}

// -----

// A separable blur of 5x5 would read 25 points.
// CHECK-LABEL: @blur
// CHECK:       pipeline.stage "rows"
// CHECK:       pipeline.stage "columns"
func.func @blur(%img: tensor<20x20xf32>) -> tensor<16x16xf32> {
  // expected-remark @+1 {{"rows" stays: computed 4.0 times at 4 operations, 20 more points read: 32.0, expected at most 8}}
  %a = pipeline.stage "rows" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<20x20xf32>
    %1 = pipeline.load %img[%y, %x + 1] : tensor<20x20xf32>
    %2 = pipeline.load %img[%y, %x + 2] : tensor<20x20xf32>
    %3 = pipeline.load %img[%y, %x + 3] : tensor<20x20xf32>
    %4 = pipeline.load %img[%y, %x + 4] : tensor<20x20xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<20x16xf32>
  %b = pipeline.stage "columns" (%y, %x) {
    %0 = pipeline.load %a[%y, %x] : tensor<20x16xf32>
    %1 = pipeline.load %a[%y + 1, %x] : tensor<20x16xf32>
    %2 = pipeline.load %a[%y + 2, %x] : tensor<20x16xf32>
    %3 = pipeline.load %a[%y + 3, %x] : tensor<20x16xf32>
    %4 = pipeline.load %a[%y + 4, %x] : tensor<20x16xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<16x16xf32>
  return %b : tensor<16x16xf32>
}

// -----

// What costs nothing goes first: "exp" into "copy", which then is dear, and not "copy" into "sum" and "exp" left over.
// CHECK-LABEL: @free_first
// CHECK-NOT:   pipeline.stage "exp"
// CHECK:       pipeline.stage "add"
// CHECK:         math.exp
// CHECK:       pipeline.stage "sum"
func.func @free_first(%img: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @+1 {{"exp" is inlined: one stage reads it, at one point}}
  %a = pipeline.stage "exp" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xf32>
    %1 = math.exp %0 : f32
    pipeline.yield %1 : f32
  } : tensor<8xf32>
  // expected-remark @+1 {{"add" stays: computed 2.0 times at 33 operations, 0 more points read: 33.0, expected at most 8}}
  %b = pipeline.stage "add" (%x) {
    %0 = pipeline.load %a[%x] : tensor<8xf32>
    %1 = arith.addf %0, %0 : f32
    pipeline.yield %1 : f32
  } : tensor<8xf32>
  %c = pipeline.stage "sum" (%x) {
    %0 = pipeline.load %b[%x] : tensor<8xf32>
    %1 = pipeline.load %b[%x + 1] clamp : tensor<8xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

// Loops count sixteen times; a product and a sum cost what an fma costs.
// CHECK-LABEL: @weights
// CHECK:       pipeline.stage "loop"
func.func @weights(%img: tensor<8xf32>) -> tensor<7xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  // expected-remark @+1 {{"loop" stays: computed 1.8 times at 16 operations, 0 more points read: 12.0, expected at most 8}}
  %a = pipeline.stage "loop" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xf32>
    %1 = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %0) -> f32 {
      %2 = arith.mulf %s, %0 : f32
      scf.yield %2 : f32
    }
    pipeline.yield %1 : f32
  } : tensor<8xf32>
  // expected-remark @+1 {{"fma" is inlined: computed 1.8 times at 2 operations, 0 more points read: 1.5}}
  %f = pipeline.stage "fma" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xf32>
    %1 = math.fma %0, %0, %0 : f32
    pipeline.yield %1 : f32
  } : tensor<8xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x] : tensor<8xf32>
    %1 = pipeline.load %a[%x + 1] : tensor<8xf32>
    %2 = pipeline.load %f[%x] : tensor<8xf32>
    %3 = pipeline.load %f[%x + 1] : tensor<8xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %2, %3 : f32
    %6 = arith.addf %4, %5 : f32
    pipeline.yield %6 : f32
  } : tensor<7xf32>
  return %b : tensor<7xf32>
}

// -----

// One point, but in a loop; and in two branches, of which both count. What was computed before a branch is not computed in it.
// CHECK-LABEL: @loops_and_branches
// CHECK:       pipeline.stage "in_loop"
// CHECK:       pipeline.stage "in_branches"
// CHECK-NOT:   pipeline.stage "before"
// CHECK:       pipeline.stage "b"
func.func @loops_and_branches(%img: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  // expected-remark @+1 {{"in_loop" stays: computed 16.0 times at 1 operations, 0 more points read: 15.0, expected at most 8}}
  %l = pipeline.stage "in_loop" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xf32>
    %1 = arith.negf %0 : f32
    pipeline.yield %1 : f32
  } : tensor<8xf32>
  // expected-remark @+1 {{"in_branches" stays: computed 2.0 times at 32 operations, 0 more points read: 32.0, expected at most 8}}
  %r = pipeline.stage "in_branches" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xf32>
    %1 = math.exp %0 : f32
    pipeline.yield %1 : f32
  } : tensor<8xf32>
  // expected-remark @+1 {{"before" is inlined: one stage reads it, at one point}}
  %f = pipeline.stage "before" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xf32>
    %1 = math.sin %0 : f32
    pipeline.yield %1 : f32
  } : tensor<8xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %f[%x] : tensor<8xf32>
    %1 = arith.cmpf olt, %0, %0 : f32
    %2 = scf.if %1 -> (f32) {
      %3 = pipeline.load %r[%x] : tensor<8xf32>
      scf.yield %3 : f32
    } else {
      %3 = pipeline.load %f[%x] : tensor<8xf32>
      %4 = pipeline.load %r[%x] : tensor<8xf32>
      %5 = arith.addf %3, %4 : f32
      scf.yield %5 : f32
    }
    %6 = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %2) -> f32 {
      %7 = pipeline.load %l[%x] : tensor<8xf32>
      %8 = arith.mulf %s, %7 : f32
      scf.yield %8 : f32
    }
    pipeline.yield %6 : f32
  } : tensor<8xf32>
  return %b : tensor<8xf32>
}
