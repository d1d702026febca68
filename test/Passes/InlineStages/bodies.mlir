// Stages with gathers move as others do; what is gathered from stays, and what a window reads is computed as often.

// RUN: pipeline-opt %s --inline-stages | FileCheck %s
// RUN: pipeline-opt %s --inline-stages="explain" 2>&1 >/dev/null | FileCheck %s --check-prefix=WHY
// RUN: pipeline-opt %s --inline-stages="only=scaled" | FileCheck %s --check-prefix=ONLY

// CHECK-LABEL: @moves
func.func @moves(%img: tensor<16xi8>, %table: tensor<256xf32>) -> tensor<16xf32> {
  // CHECK-NOT: "lut"
  %a = pipeline.stage "lut" (%x) {
    %p = pipeline.load %img[%x] : tensor<16xi8>
    %i = arith.index_castui %p : i8 to index
    %v = pipeline.gather %table[%i] clamp : tensor<256xf32>
    pipeline.yield %v : f32
  } : tensor<16xf32>
  // CHECK: pipeline.stage "twice"
  %b = pipeline.stage "twice" (%x) {
    // CHECK: %[[P:.*]] = pipeline.load %arg0[-%x + 15]
    // CHECK: %[[I:.*]] = arith.index_castui %[[P]]
    // CHECK: %[[V:.*]] = pipeline.gather %arg1[%[[I]]] clamp
    // CHECK: arith.addf %[[V]], %[[V]]
    %v = pipeline.load %a[15 - %x] : tensor<16xf32>
    %s = arith.addf %v, %v : f32
    pipeline.yield %s : f32
  } : tensor<16xf32>
  return %b : tensor<16xf32>
}

// A table is read more often than it has points.
// WHY: "table" stays: where "lut" reads it at [v0], it is read at a computed place
// CHECK-LABEL: @gathered
func.func @gathered(%img: tensor<512xi8>, %table: tensor<256xf32>) -> tensor<512xf32> {
  // CHECK: pipeline.stage "table"
  %a = pipeline.stage "table" (%x) {
    %v = pipeline.load %table[%x] : tensor<256xf32>
    pipeline.yield %v : f32
  } : tensor<256xf32>
  %b = pipeline.stage "lut" (%x) {
    %p = pipeline.load %img[%x] : tensor<512xi8>
    %i = arith.index_castui %p : i8 to index
    %v = pipeline.gather %a[%i] clamp : tensor<256xf32>
    pipeline.yield %v : f32
  } : tensor<512xf32>
  return %b : tensor<512xf32>
}

// Of eight planes two are chosen at each point, and six need not be computed.
// WHY: "root" is inlined into "chosen": computed 0.2 times at 8 operations, {{.*}} more points read
// CHECK-LABEL: @chosen
func.func @chosen(%img: tensor<16xf32>, %which: tensor<16xi8>, %by: tensor<8xf32>) -> tensor<16xf32> {
  %c1 = arith.constant 1 : index
  // CHECK-NOT: "root"
  %root = pipeline.stage "root" (%y, %x) {
    %v = pipeline.load %img[%x] : tensor<16xf32>
    %b = pipeline.load %by[%y] : tensor<8xf32>
    %p = arith.divf %v, %b : f32
    pipeline.yield %p : f32
  } : tensor<8x16xf32>
  // CHECK: pipeline.stage "chosen" (%[[X:.*]]) {
  // CHECK: %[[I:.*]] = arith.index_castui
  // CHECK: %[[V:.*]] = pipeline.load %arg0[%[[X]]]
  // CHECK: %[[B:.*]] = pipeline.gather %arg2[%[[I]]] clamp
  // CHECK: arith.divf %[[V]], %[[B]]
  // CHECK: pipeline.gather %arg2
  %a = pipeline.stage "chosen" (%x) {
    %p = pipeline.load %which[%x] : tensor<16xi8>
    %i = arith.index_castui %p : i8 to index
    %v = pipeline.gather %root[%i, %x] clamp : tensor<8x16xf32>
    %j = arith.addi %i, %c1 : index
    %w = pipeline.gather %root[%j, %x] clamp : tensor<8x16xf32>
    %s = arith.addf %v, %w : f32
    pipeline.yield %s : f32
  } : tensor<16xf32>
  return %a : tensor<16xf32>
}

// WHY: "scaled" stays: computed {{.*}} times at 1 operations
// ONLY-LABEL: @window
// ONLY-NOT: "scaled"
// ONLY: pipeline.reduce (%ry, %rx)
// ONLY-NEXT: %[[P:.*]] = pipeline.load %arg0[%y + %ry, %x + %rx] clamp
// ONLY-NEXT: %[[Q:.*]] = arith.mulf %[[P]], %arg1
// ONLY-NEXT: arith.addf %acc, %[[Q]]
func.func @window(%img: tensor<16x16xf32>, %w: f32, %zero: f32) -> tensor<16x16xf32> {
  %a = pipeline.stage "scaled" (%y, %x) {
    %p = pipeline.load %img[%y, %x] : tensor<16x16xf32>
    %q = arith.mulf %p, %w : f32
    pipeline.yield %q : f32
  } : tensor<16x16xf32>
  %b = pipeline.stage "sum" (%y, %x) {
    %s = pipeline.reduce (%k, %l) in [-4, 5) x [-4, 5) (%acc = %zero : f32) {
      %p = pipeline.load %a[%y + %k, %x + %l] clamp : tensor<16x16xf32>
      %s = arith.addf %acc, %p : f32
      pipeline.yield %s : f32
    } : f32
    pipeline.yield %s : f32
  } : tensor<16x16xf32>
  return %b : tensor<16x16xf32>
}
