// Scatters: every variant of the syntax, printed as it was written.

// RUN: pipeline-opt %s | pipeline-opt | FileCheck %s
// RUN: pipeline-opt %s --mlir-print-op-generic | pipeline-opt | FileCheck %s

// CHECK-LABEL: @histogram
// CHECK-SAME: %[[IMG:[^:]*]]: tensor<?x?xi8>, %[[H:[^:]*]]: index, %[[W:[^:]*]]: index
func.func @histogram(%img: tensor<?x?xi8>, %h: index, %w: index) -> tensor<256xi32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // CHECK:      %hist = pipeline.scatter "hist" () over (%ry, %rx) in [0, %[[H]]) x [0, %[[W]]) from(%{{.*}} : i32) combine "arith.addi" {
  // CHECK-NEXT:   pipeline.load %[[IMG]][%ry, %rx] : tensor<?x?xi8>
  // CHECK:        pipeline.update %{{.*}} at [%{{.*}}] : i32
  // CHECK-NEXT: } : tensor<256xi32>
  %0 = pipeline.scatter "hist" () over (%y, %x) in [0, %h) x [0, %w) from(%zero : i32) combine "arith.addi" {
    %a = pipeline.load %img[%y, %x] : tensor<?x?xi8>
    %bin = arith.index_castui %a : i8 to index
    pipeline.update %one at [%bin] : i32
  } : tensor<256xi32>
  return %0 : tensor<256xi32>
}

// CHECK-LABEL: @grid
func.func @grid(%img: tensor<64x64xf32>, %h: index, %zero: f32, %k: index) -> (tensor<?x8x12xf32>, tensor<?x8x12xf32>) {
  // CHECK: %g:2 = pipeline.scatter "g" (%y, %x) over (%ry, %rx) in [-1, 9) x [0, 8) from(%{{.*}}, %{{.*}} : f32, f32) combine "arith.addf" {
  // CHECK:   pipeline.load %{{.*}}[%y * 8 + %ry, %x * 8 + %rx] clamp
  // CHECK:   pipeline.update %{{.*}}, %{{.*}} at [%{{.*}}] : f32, f32
  // CHECK: } reassoc sized(%{{.*}}) in [0, ?) x [1, 4) x [0, 12) : tensor<?x8x12xf32>, tensor<?x8x12xf32>
  %0:2 = pipeline.scatter "g" (%gy, %gx) over (%ry, %rx) in [-1, 9) x [0, 8) from(%zero, %zero : f32, f32) combine "arith.addf" {
    %a = pipeline.load %img[%gy * 8 + %ry, %gx * 8 + %rx] clamp : tensor<64x64xf32>
    pipeline.update %a, %zero at [%k] : f32, f32
  } reassoc sized(%h) in [0, ?) x [1, 4) x [0, 12) : tensor<?x8x12xf32>, tensor<?x8x12xf32>
  return %0#0, %0#1 : tensor<?x8x12xf32>, tensor<?x8x12xf32>
}

// Without places: a sum for each point.
// CHECK-LABEL: @sums
func.func @sums(%img: tensor<8x64xf32>, %zero: f32) -> tensor<8xf32> {
  // CHECK: pipeline.scatter "s" (%x) over (%rx) in [0, 64)
  // CHECK: pipeline.update %{{.*}} at [] : f32
  %0 = pipeline.scatter "s" (%y) over (%x) in [0, 64) from(%zero : f32) combine "arith.addf" {
    %a = pipeline.load %img[%y, %x] : tensor<8x64xf32>
    pipeline.update %a at [] : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
