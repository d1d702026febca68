// Where windows are smaller then, a tile has ticks ahead of its first one, in which stages compute what that reads beside its own rows: each
// tick what is new, as far as the tile needs it.

// RUN: pipeline-opt %s --cpu-tile=target=zen5 --canonicalize --cse | FileCheck %s

// The first tick needs 20 rows of "a" and 12 of "b". Of "a" twelve are in use at once, those that four new rows of "b" read; so sixteen have room, not 32.
// The 16 rows beside its own four take four ticks.
// CHECK-LABEL: @chain
// CHECK:   memref.alloc() {{.*}} : memref<16x528xf32>
// CHECK:   memref.alloc() {{.*}} : memref<16x528xf32>
// CHECK:   %[[FIRST:.*]] = arith.muli %{{.*}}, %c16
// CHECK:   %[[AHEAD:.*]] = arith.addi %[[FIRST]], %c-4
// CHECK:   scf.for %[[TICK:.*]] = %[[AHEAD]] to
// CHECK-NOT:   arith.cmpi eq, %[[TICK]]
// CHECK:       scf.for %{{.*}} step %c4
func.func @chain(%img: tensor<128x512xf32>) -> tensor<128x512xf32> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 64, 512>} {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<128x512xf32>
      %1 = arith.addf %0, %0 : f32
      pipeline.yield %1 : f32
    } : tensor<128x512xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %a[%y - 4, %x] clamp : tensor<128x512xf32>
      %1 = pipeline.load %a[%y + 4, %x] clamp : tensor<128x512xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<128x512xf32>
    %c = pipeline.stage "c" (%y, %x) {
      %0 = pipeline.load %b[%y - 4, %x] clamp : tensor<128x512xf32>
      %1 = pipeline.load %b[%y + 4, %x] clamp : tensor<128x512xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<128x512xf32>
    pipeline.yield %c : tensor<128x512xf32>
  } : tensor<128x512xf32>
  return %out : tensor<128x512xf32>
}

// A result that others read, too, is copied from its window in its tile's own ticks alone.
// CHECK-LABEL: @copied
// CHECK:   %[[FIRST:.*]] = arith.muli %{{.*}}, %c16
// CHECK:   scf.for %[[TICK:.*]] =
// CHECK:     arith.cmpi sge, %[[TICK]], %[[FIRST]]
// CHECK:     scf.if
func.func @copied(%img: tensor<128x512xf32>) -> (tensor<128x512xf32>, tensor<128x512xf32>) {
  %out:2 = pipeline.group "g0" schedule {tile = array<i64: 64, 512>} {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<128x512xf32>
      %1 = arith.addf %0, %0 : f32
      pipeline.yield %1 : f32
    } : tensor<128x512xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %a[%y - 4, %x] clamp : tensor<128x512xf32>
      %1 = pipeline.load %a[%y + 4, %x] clamp : tensor<128x512xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<128x512xf32>
    %c = pipeline.stage "c" (%y, %x) {
      %0 = pipeline.load %b[%y - 4, %x] clamp : tensor<128x512xf32>
      %1 = pipeline.load %b[%y + 4, %x] clamp : tensor<128x512xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<128x512xf32>
    pipeline.yield %b, %c : tensor<128x512xf32>, tensor<128x512xf32>
  } : tensor<128x512xf32>, tensor<128x512xf32>
  return %out#0, %out#1 : tensor<128x512xf32>, tensor<128x512xf32>
}

// Of "c" the four rows of a tick are every other one: it needs seven, and no tick computes the eighth, which would read what is not there.
// CHECK-LABEL: @gaps
// CHECK:   %[[OWN:.*]] = arith.muli %{{.*}}, %c64
// CHECK:   %[[TILE:.*]] = arith.maxsi %[[OWN]], %c0
// CHECK:   scf.for %[[TICK:.*]] =
// CHECK:     %[[BASE:.*]] = arith.muli %[[TICK]], %c8
// CHECK:     %[[END:.*]] = arith.addi %[[BASE]], %c7
// CHECK:     %[[TO:.*]] = arith.minsi %[[END]], %c128
// CHECK:     %[[FROM:.*]] = arith.maxsi %[[BASE]], %[[TILE]]
// CHECK:     arith.minsi %[[FROM]], %[[TO]]
// CHECK:     arith.mulf
func.func @gaps(%img: tensor<128x512xf32>) -> tensor<64x512xf32> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 32, 512>} {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<128x512xf32>
      %1 = arith.addf %0, %0 : f32
      pipeline.yield %1 : f32
    } : tensor<128x512xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %a[%y - 4, %x] clamp : tensor<128x512xf32>
      %1 = pipeline.load %a[%y + 4, %x] clamp : tensor<128x512xf32>
      %2 = arith.subf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<128x512xf32>
    %c = pipeline.stage "c" (%y, %x) {
      %0 = pipeline.load %b[%y - 4, %x] clamp : tensor<128x512xf32>
      %1 = pipeline.load %b[%y + 4, %x] clamp : tensor<128x512xf32>
      %2 = arith.mulf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<128x512xf32>
    %d = pipeline.stage "d" (%y, %x) {
      %0 = pipeline.load %c[2 * %y, %x] : tensor<128x512xf32>
      %1 = arith.divf %0, %0 : f32
      pipeline.yield %1 : f32
    } : tensor<64x512xf32>
    pipeline.yield %d : tensor<64x512xf32>
  } : tensor<64x512xf32>
  return %out : tensor<64x512xf32>
}
