// A tile that has all planes does not move along them: then a plane may be read by its number, or all of them at once.

// RUN: pipeline-opt %s --cpu-tile=target=zen5 --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @alpha
// CHECK: scf.parallel (%{{.*}}) = (%c0) to (%c4)
// Four planes of a tick of four rows.
// CHECK:   memref.alloc() {{.*}} : memref<4x4x64xf32>
// CHECK-NOT: memref.alloc
// CHECK:   scf.for %[[C:.*]] = %c0 to %c4
// CHECK:     memref.load %{{.*}}[%[[C]],
// All planes of a row together: what they divide by is loaded once. Rows share nothing: four vectors of one are computed at a time.
// CHECK:   scf.for
// CHECK:     scf.for
// CHECK:       memref.load %{{.*}}[%c0, %{{.*}}, %{{.*}}] : memref<4x4x64xf32>
// CHECK:       %[[A:.*]] = memref.load %{{.*}}[%c3, %{{.*}}, %{{.*}}] : memref<4x4x64xf32>
// CHECK-COUNT-3: arith.divf %{{.*}}, %[[A]]
// CHECK-NOT:   arith.divf
// CHECK:     } {weft.lanes = 64 : i64, weft.registers = 4 : i64, weft.wide}
func.func @alpha(%img: tensor<4x64x64xf32>) -> tensor<3x64x64xf32> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 3, 16, 64>} {
    %a = pipeline.stage "a" (%c, %y, %x) {
      %0 = pipeline.load %img[%c, %y, %x] : tensor<4x64x64xf32>
      %1 = arith.addf %0, %0 : f32
      pipeline.yield %1 : f32
    } : tensor<4x64x64xf32>
    %b = pipeline.stage "b" (%c, %y, %x) {
      %0 = pipeline.load %a[%c, %y, %x] : tensor<4x64x64xf32>
      %1 = pipeline.load %a[3, %y, %x] : tensor<4x64x64xf32>
      %2 = arith.divf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<3x64x64xf32>
    pipeline.yield %b : tensor<3x64x64xf32>
  } : tensor<3x64x64xf32>
  return %out : tensor<3x64x64xf32>
}

// Planes that read the same points of a window in a reduce are computed together, here two of them: what is the same for both is loaded
// once. With four rows these are eight sums; two vectors of a row make sixteen.
// CHECK-LABEL: @channels
// CHECK: scf.for %{{.*}} step %c4
// CHECK:   scf.for
// CHECK-COUNT-8: scf.for {{.*}} iter_args
// CHECK-NOT: scf.for
// CHECK:   {weft.lanes = 32 : i64, weft.registers = 2 : i64, weft.wide}
// CHECK:   {weft.lanes = 16 : i64, weft.masked}
func.func @channels(%img: tensor<64x64x64xf32>, %weights: tensor<2x64xf32>, %zero: f32) -> tensor<2x64x64xf32> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 2, 16, 64>} {
    %a = pipeline.stage "a" (%c, %y, %x) {
      %0 = pipeline.reduce (%r) in [0, 64) (%acc = %zero : f32) {
        %1 = pipeline.load %img[%r, %y, %x] : tensor<64x64x64xf32>
        %2 = pipeline.load %weights[%c, %r] : tensor<2x64xf32>
        %3 = math.fma %1, %2, %acc : f32
        pipeline.yield %3 : f32
      } : f32
      pipeline.yield %0 : f32
    } : tensor<2x64x64xf32>
    pipeline.yield %a : tensor<2x64x64xf32>
  } : tensor<2x64x64xf32>
  return %out : tensor<2x64x64xf32>
}

// Planes that read the same rows around are computed together, and rows of them, too.
// CHECK-LABEL: @around
// CHECK:   scf.for %{{.*}} = %c0 to %c2
// CHECK-COUNT-2: memref.store
// CHECK:     } {weft.lanes = 16 : i64, weft.wide}
// CHECK:   scf.for %{{.*}} step %c4
// CHECK:     scf.for
// CHECK-NOT:   scf.for
// CHECK-COUNT-8: memref.store
// CHECK-NOT:   memref.store
// CHECK:     } {weft.lanes = 16 : i64, weft.wide}
func.func @around(%img: tensor<2x64x64xf32>, %light: tensor<64x64xf32>) -> tensor<2x64x64xf32> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 2, 16, 64>} {
    %a = pipeline.stage "a" (%c, %y, %x) {
      %0 = pipeline.load %img[%c, %y, %x] : tensor<2x64x64xf32>
      %1 = pipeline.load %light[%y - 1, %x] clamp : tensor<64x64xf32>
      %2 = pipeline.load %light[%y + 1, %x] clamp : tensor<64x64xf32>
      %3 = arith.addf %1, %2 : f32
      %4 = arith.mulf %0, %3 : f32
      pipeline.yield %4 : f32
    } : tensor<2x64x64xf32>
    pipeline.yield %a : tensor<2x64x64xf32>
  } : tensor<2x64x64xf32>
  return %out : tensor<2x64x64xf32>
}

// What is beside a column crosses cache lines, so that loads are dear: of eight planes each vector is of more use. Two rows of these are sixteen sums.
// CHECK-LABEL: @beside
// CHECK: scf.for
// CHECK:   scf.for
// CHECK-COUNT-16: scf.for {{.*}} iter_args
// CHECK-NOT: scf.for
// CHECK:   {weft.lanes = 16 : i64, weft.wide}
func.func @beside(%img: tensor<64x64x64xf32>, %weights: tensor<8x64xf32>, %zero: f32) -> tensor<8x64x64xf32> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 8, 16, 64>} {
    %a = pipeline.stage "a" (%c, %y, %x) {
      %0 = pipeline.reduce (%r) in [0, 64) (%acc = %zero : f32) {
        %1 = pipeline.load %weights[%c, %r] : tensor<8x64xf32>
        %2 = pipeline.load %img[%r, %y, %x + 1] clamp : tensor<64x64x64xf32>
        %3 = math.fma %1, %2, %acc : f32
        pipeline.yield %3 : f32
      } : f32
      pipeline.yield %0 : f32
    } : tensor<8x64x64xf32>
    pipeline.yield %a : tensor<8x64x64xf32>
  } : tensor<8x64x64xf32>
  return %out : tensor<8x64x64xf32>
}
