// What is needed of a stage: what its consumers read, and theirs, from the results of the program backwards.

// RUN: pipeline-opt %s -infer-bounds | FileCheck %s
// RUN: pipeline-opt %s -infer-bounds -infer-bounds | FileCheck %s

func.func private @use(tensor<20xf32>)

// CHECK-LABEL: @result
func.func @result(%v: f32) -> tensor<20xf32> {
  // CHECK: } in [0, 20) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  return %a : tensor<20xf32>
}

// CHECK-LABEL: @chain
func.func @chain(%v: f32) -> tensor<10xf32> {
  // CHECK: } in [3, 13) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  // CHECK: } in [2, 12) : tensor<18xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x + 1] : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<18xf32>
  // CHECK: } in [0, 10) : tensor<10xf32>
  %c = pipeline.stage "c" (%x) {
    %0 = pipeline.load %b[%x + 2] : tensor<18xf32>
    pipeline.yield %0 : f32
  } : tensor<10xf32>
  return %c : tensor<10xf32>
}

// CHECK-LABEL: @stencil
func.func @stencil(%v: f32) -> tensor<10xf32> {
  // CHECK: } in [4, 16) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x + 4] : tensor<20xf32>
    %1 = pipeline.load %a[%x + 6] : tensor<20xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<10xf32>
  return %b : tensor<10xf32>
}

// CHECK-LABEL: @two_consumers
func.func @two_consumers(%v: f32) -> (tensor<5xf32>, tensor<5xf32>) {
  // CHECK: } in [2, 17) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x + 2] : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<5xf32>
  %c = pipeline.stage "c" (%x) {
    %0 = pipeline.load %a[%x + 12] : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<5xf32>
  return %b, %c : tensor<5xf32>, tensor<5xf32>
}

// CHECK-LABEL: @dimensions_apart
func.func @dimensions_apart(%v: f32) -> tensor<4x5xf32> {
  // CHECK: } in [1, 5) x [7, 12) : tensor<20x20xf32>
  %a = pipeline.stage "a" (%y, %x) {
    pipeline.yield %v : f32
  } : tensor<20x20xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y + 1, %x + 7] : tensor<20x20xf32>
    pipeline.yield %0 : f32
  } : tensor<4x5xf32>
  return %b : tensor<4x5xf32>
}

// CHECK-LABEL: @result_and_consumer
func.func @result_and_consumer(%v: f32) -> (tensor<20xf32>, tensor<5xf32>) {
  // CHECK: } in [0, 20) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x + 2] : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<5xf32>
  return %a, %b : tensor<20xf32>, tensor<5xf32>
}

// What another op may do with an image is not known: it needs the whole.
// CHECK-LABEL: @other_op
func.func @other_op(%v: f32) {
  // CHECK: } in [0, 20) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  call @use(%a) : (tensor<20xf32>) -> ()
  return
}

// CHECK-LABEL: @load_inside_if
func.func @load_inside_if(%v: f32, %condition: i1) -> tensor<5xf32> {
  // CHECK: } in [3, 8) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = scf.if %condition -> f32 {
      %1 = pipeline.load %a[%x + 3] : tensor<20xf32>
      scf.yield %1 : f32
    } else {
      scf.yield %v : f32
    }
    pipeline.yield %0 : f32
  } : tensor<5xf32>
  return %b : tensor<5xf32>
}

// One body computes all results of a stage: it is needed where any is.
// CHECK-LABEL: @several_results
func.func @several_results(%v: f32, %i: i8) -> (tensor<5xf32>, tensor<5xi8>) {
  // CHECK: } in [1, 15) : tensor<20xf32>, tensor<20xi8>
  %a:2 = pipeline.stage "a" (%x) {
    pipeline.yield %v, %i : f32, i8
  } : tensor<20xf32>, tensor<20xi8>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a#0[%x + 1] : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<5xf32>
  %c = pipeline.stage "c" (%x) {
    %0 = pipeline.load %a#1[%x + 10] : tensor<20xi8>
    pipeline.yield %0 : i8
  } : tensor<5xi8>
  return %b, %c : tensor<5xf32>, tensor<5xi8>
}

// A stage that nobody needs needs nothing of others, and is gone.
// CHECK-LABEL: @dead
func.func @dead(%v: f32) -> tensor<5xf32> {
  // CHECK: } in [0, 5) : tensor<20xf32>
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<20xf32>
  // CHECK-NOT: "dead"
  // CHECK: return
  %dead = pipeline.stage "dead" (%x) {
    %0 = pipeline.load %a[%x] : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<20xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x] : tensor<20xf32>
    pipeline.yield %0 : f32
  } : tensor<5xf32>
  return %b : tensor<5xf32>
}
