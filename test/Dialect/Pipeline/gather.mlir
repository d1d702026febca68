// pipeline.gather round-trips, in the custom form and in the generic one.

// RUN: pipeline-opt %s | pipeline-opt | FileCheck %s
// RUN: pipeline-opt %s -mlir-print-op-generic | pipeline-opt | FileCheck %s
// RUN: pipeline-opt %s -emit-bytecode | pipeline-opt | FileCheck %s

// CHECK-LABEL: @table
func.func @table(%img: tensor<16x16xi8>, %table: tensor<256xf32>) -> tensor<16x16xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<16x16xi8>
    // CHECK: %[[I:.*]] = arith.index_castui
    %i = arith.index_castui %a : i8 to index
    // CHECK: pipeline.gather %{{.*}}[%[[I]]] clamp : tensor<256xf32>
    %v = pipeline.gather %table[%i] clamp : tensor<256xf32>
    pipeline.yield %v : f32
  } : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// Computed indices beside affine ones, each mode; a value from outside the stage is a computed one.
// CHECK-LABEL: @grid
func.func @grid(%grid: tensor<12x?x?xf32>, %n: index, %v: f32) -> tensor<16x16xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    %z = arith.addi %y, %x : index
    // CHECK: pipeline.gather %{{.*}}[%[[Z:.*]], %y floordiv 8, %x floordiv 8] mirror : tensor<12x?x?xf32>
    %a = pipeline.gather %grid[%z, %y floordiv 8, %x floordiv 8] mirror : tensor<12x?x?xf32>
    // CHECK: pipeline.gather %{{.*}}[%[[Z]], %[[Z]], 3] wrap : tensor<12x?x?xf32>
    %b = pipeline.gather %grid[%z, %z, 3] wrap : tensor<12x?x?xf32>
    // CHECK: pipeline.gather %{{.*}}[%{{.*}}, %y, %x] constant(%{{.*}}) : tensor<12x?x?xf32>
    %c = pipeline.gather %grid[%n, %y, %x] constant(%v) : tensor<12x?x?xf32>
    // CHECK: pipeline.gather %{{.*}}[%[[Z]], %y, %[[Z]]] reflect101 : tensor<12x?x?xf32>
    %d = pipeline.gather %grid[%z, %y, %z] reflect101 : tensor<12x?x?xf32>
    %s = arith.addf %a, %b : f32
    %t = arith.addf %s, %c : f32
    %u = arith.addf %t, %d : f32
    pipeline.yield %u : f32
  } : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
