// Where stages read several planes of each other, and several rows, tiles slide along planes: a tick is a plane of some rows.

// RUN: pipeline-opt %s --cpu-tile=target=zen5 --canonicalize --cse | FileCheck %s

// Two tiles of 16 planes, eight of 8 rows. A window has the planes z - 1 to z + 1 of these rows and two more; a tick computes one of them newly,
// four rows at a time.
// CHECK-LABEL: @smooth
// CHECK: scf.parallel (%{{.*}}, %[[STRIP:.*]]) = (%c0, %c0) to (%c2, %c8)
// CHECK:   %[[WINDOW:.*]] = memref.alloc() {{.*}} : memref<4x10x64xf32>
// CHECK:   scf.for %[[Z:.*]] = %{{.*}} to %{{.*}} step %c1 {
// CHECK:     arith.cmpi eq, %[[Z]]
// CHECK:     scf.for %[[NEW:.*]] = %{{.*}} to %{{.*}} step %c1 {
// CHECK:       scf.for %{{.*}} step %c4 {
// CHECK:         memref.load %{{.*}}[%[[NEW]], %{{.*}}, %{{.*}}]
// CHECK:         %[[PLACE:.*]] = arith.andi %[[NEW]], %c3 : index
// CHECK:         memref.store %{{.*}}, %[[WINDOW]][%[[PLACE]], %{{.*}}, %{{.*}}]
// CHECK:     {weft.lanes = 16 : i64, weft.masked}
// CHECK:     scf.for %[[OWN:.*]] = %{{.*}} to %{{.*}} step %c1 {
// CHECK:       memref.load %[[WINDOW]]
// CHECK:       memref.store %{{.*}}, %deep[%[[OWN]], %{{.*}}, %{{.*}}]
func.func @smooth(%img: tensor<32x64x64xf32>) -> tensor<32x64x64xf32> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 16, 8, 64>} {
    %wide = pipeline.stage "wide" (%z, %y, %x) {
      %0 = pipeline.load %img[%z, %y, %x - 1] clamp : tensor<32x64x64xf32>
      %1 = pipeline.load %img[%z, %y, %x + 1] clamp : tensor<32x64x64xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<32x64x64xf32>
    %deep = pipeline.stage "deep" (%z, %y, %x) {
      %0 = pipeline.load %wide[%z - 1, %y - 1, %x] clamp : tensor<32x64x64xf32>
      %1 = pipeline.load %wide[%z + 1, %y + 1, %x] clamp : tensor<32x64x64xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<32x64x64xf32>
    pipeline.yield %deep : tensor<32x64x64xf32>
  } : tensor<32x64x64xf32>
  return %out : tensor<32x64x64xf32>
}

// Of planes alone nothing is gained: four rows of each plane of a tile are in its window.
// CHECK-LABEL: @frames
// CHECK: memref.alloc() {{.*}} : memref<18x4x64xf32>
func.func @frames(%img: tensor<32x64x64xf32>) -> tensor<32x64x64xf32> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 16, 8, 64>} {
    %wide = pipeline.stage "wide" (%z, %y, %x) {
      %0 = pipeline.load %img[%z, %y, %x - 1] clamp : tensor<32x64x64xf32>
      %1 = pipeline.load %img[%z, %y, %x + 1] clamp : tensor<32x64x64xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<32x64x64xf32>
    %deep = pipeline.stage "deep" (%z, %y, %x) {
      %0 = pipeline.load %wide[%z - 1, %y, %x] clamp : tensor<32x64x64xf32>
      %1 = pipeline.load %wide[%z + 1, %y, %x] clamp : tensor<32x64x64xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<32x64x64xf32>
    pipeline.yield %deep : tensor<32x64x64xf32>
  } : tensor<32x64x64xf32>
  return %out : tensor<32x64x64xf32>
}

// Few planes are all in one tile.
// CHECK-LABEL: @few
// CHECK: scf.parallel (%{{.*}}) = (%c0) to (%c8)
// CHECK: memref.alloc() {{.*}} : memref<10x8x64xf32>
func.func @few(%img: tensor<8x64x64xf32>) -> tensor<8x64x64xf32> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 8, 8, 64>} {
    %wide = pipeline.stage "wide" (%z, %y, %x) {
      %0 = pipeline.load %img[%z, %y, %x - 1] clamp : tensor<8x64x64xf32>
      %1 = pipeline.load %img[%z, %y, %x + 1] clamp : tensor<8x64x64xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<8x64x64xf32>
    %deep = pipeline.stage "deep" (%z, %y, %x) {
      %0 = pipeline.load %wide[%z - 1, %y - 1, %x] clamp : tensor<8x64x64xf32>
      %1 = pipeline.load %wide[%z + 1, %y + 1, %x] clamp : tensor<8x64x64xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<8x64x64xf32>
    pipeline.yield %deep : tensor<8x64x64xf32>
  } : tensor<8x64x64xf32>
  return %out : tensor<8x64x64xf32>
}
