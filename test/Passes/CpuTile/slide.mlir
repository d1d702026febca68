// A group becomes parallel tiles that slide down their rows; a stage that is read has a window of the rows in use.

// RUN: pipeline-opt %s --cpu-tile=target=zen5 --canonicalize --cse | FileCheck %s

// Three rows of "a" are in use: room for four, and row y lies at y mod 4. 128 rows are two strips, 1024 columns two tiles.
// CHECK-LABEL: @blur
// CHECK-SAME: (%[[IMG:.*]]: memref<128x1024xf32>, %[[OUT:.*]]: memref<128x1024xf32>)
func.func @blur(%img: tensor<128x1024xf32>) -> tensor<128x1024xf32> {
  // CHECK: scf.parallel (%[[S:.*]], %[[T:.*]]) = (%c0, %c0) to (%c2, %c2)
  // CHECK:   %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4x512xf32>
  // CHECK:   %[[FIRST:.*]] = arith.muli %[[S]], %c64
  // CHECK:   scf.for %[[ROW:.*]] = %[[FIRST]] to
  // CHECK:     %[[IS_FIRST:.*]] = arith.cmpi eq, %[[ROW]], %[[FIRST]]
  %out = pipeline.group "g0" schedule {tile = array<i64: 64, 512>} {
    // The first tick computes rows -1 to 1, those behind it one row.
    // CHECK:   %[[FROM:.*]] = arith.select %[[IS_FIRST]]
    // CHECK:   scf.for %[[Y:.*]] = %[[FROM]] to
    // CHECK:     scf.for %[[X:.*]] =
    // CHECK:       memref.load %[[IMG]][%[[Y]], %[[X]]]
    // CHECK:       arith.andi %[[Y]], %c3
    // CHECK:       memref.store %{{.*}}, %[[A]]
    // CHECK:     } {weft.lanes = 16 : i64}
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<128x1024xf32>
      %1 = arith.addf %0, %0 : f32
      pipeline.yield %1 : f32
    } : tensor<128x1024xf32>
    // CHECK:   memref.load %[[A]]
    // CHECK:   memref.load %[[A]]
    // CHECK:   memref.store %{{.*}}, %[[OUT]]
    // CHECK: } {weft.lanes = 16 : i64}
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %a[%y - 1, %x] clamp : tensor<128x1024xf32>
      %1 = pipeline.load %a[%y + 1, %x] clamp : tensor<128x1024xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<128x1024xf32>
    pipeline.yield %b : tensor<128x1024xf32>
  } : tensor<128x1024xf32>
  // CHECK: memref.dealloc %[[A]]
  return %out : tensor<128x1024xf32>
}

// Of two scales a tick is two rows of the finer one.
// CHECK-LABEL: @down
func.func @down(%img: tensor<64x64xf32>) -> tensor<32x32xf32> {
  // CHECK: memref.alloc() {{.*}} : memref<1x64xf32>
  %out = pipeline.group "g0" schedule {tile = array<i64: 8, 32>} {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<64x64xf32>
      %1 = arith.addf %0, %0 : f32
      pipeline.yield %1 : f32
    } : tensor<64x64xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %a[%y * 2, %x * 2] : tensor<64x64xf32>
      %1 = pipeline.load %a[%y * 2, %x * 2 + 1] : tensor<64x64xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<32x32xf32>
    pipeline.yield %b : tensor<32x32xf32>
  } : tensor<32x32xf32>
  return %out : tensor<32x32xf32>
}
