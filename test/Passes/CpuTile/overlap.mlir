// Shapes of overlapped tiles: "b" is read up to 1 to the left, and reads "a" 38 to 40 to the left. Windows are whole cache lines wide.
// RUN: pipeline-opt %s --infer-bounds --cpu-tile=target=zen5 --split-input-file | FileCheck %s

// 64 points and 41, 64 and 1.
// CHECK-LABEL: @scalene
// CHECK: memref.alloc() {{.*}} : memref<4x112xf32>
// CHECK: memref.alloc() {{.*}} : memref<4x80xf32>
func.func @scalene(%img: tensor<1024x4096xf32>) -> tensor<1024x4096xf32> {
  %out = pipeline.group "g" schedule {overlap = "scalene", tile = array<i64: 8, 64>} {
    %a = pipeline.stage "a" (%y, %x) {
      %p = pipeline.load %img[%y, %x] : tensor<1024x4096xf32>
      %v = arith.addf %p, %p : f32
      pipeline.yield %v : f32
    } : tensor<1024x4096xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %p = pipeline.load %a[%y, %x - 40] clamp : tensor<1024x4096xf32>
      %q = pipeline.load %a[%y, %x - 38] clamp : tensor<1024x4096xf32>
      %v = arith.mulf %p, %q : f32
      pipeline.yield %v : f32
    } : tensor<1024x4096xf32>
    %c = pipeline.stage "c" (%y, %x) {
      %p = pipeline.load %b[%y, %x] : tensor<1024x4096xf32>
      %q = pipeline.load %b[%y, %x - 1] clamp : tensor<1024x4096xf32>
      %v = arith.subf %p, %q : f32
      pipeline.yield %v : f32
    } : tensor<1024x4096xf32>
    pipeline.yield %c : tensor<1024x4096xf32>
  } : tensor<1024x4096xf32>
  return %out : tensor<1024x4096xf32>
}

// -----

// 64 points and 61, 64 and 21: a slope of 21.
// CHECK-LABEL: @slope
// CHECK: memref.alloc() {{.*}} : memref<4x128xf32>
// CHECK: memref.alloc() {{.*}} : memref<4x96xf32>
func.func @slope(%img: tensor<1024x4096xf32>) -> tensor<1024x4096xf32> {
  %out = pipeline.group "g" schedule {overlap = "uniform-slope", tile = array<i64: 8, 64>} {
    %a = pipeline.stage "a" (%y, %x) {
      %p = pipeline.load %img[%y, %x] : tensor<1024x4096xf32>
      %v = arith.addf %p, %p : f32
      pipeline.yield %v : f32
    } : tensor<1024x4096xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %p = pipeline.load %a[%y, %x - 40] clamp : tensor<1024x4096xf32>
      %q = pipeline.load %a[%y, %x - 38] clamp : tensor<1024x4096xf32>
      %v = arith.mulf %p, %q : f32
      pipeline.yield %v : f32
    } : tensor<1024x4096xf32>
    %c = pipeline.stage "c" (%y, %x) {
      %p = pipeline.load %b[%y, %x] : tensor<1024x4096xf32>
      %q = pipeline.load %b[%y, %x - 1] clamp : tensor<1024x4096xf32>
      %v = arith.subf %p, %q : f32
      pipeline.yield %v : f32
    } : tensor<1024x4096xf32>
    pipeline.yield %c : tensor<1024x4096xf32>
  } : tensor<1024x4096xf32>
  return %out : tensor<1024x4096xf32>
}
