// A group becomes parallel tiles that slide down their rows; a stage that is read has a window of the rows in use.

// RUN: pipeline-opt %s --cpu-tile=target=zen5 --canonicalize --cse | FileCheck %s

// Four rows are computed together, for which six of "a" are in use: room for eight, and row y lies at y mod 8. 128 rows are two
// strips of 16 ticks, 1024 columns two tiles.
// CHECK-LABEL: @blur
// CHECK-SAME: (%[[IMG:.*]]: memref<128x1024xf32, {{.*}}>, %[[OUT:.*]]: memref<128x1024xf32, {{.*}}>)
func.func @blur(%img: tensor<128x1024xf32>) -> tensor<128x1024xf32> {
  // CHECK: scf.parallel (%[[S:.*]], %[[T:.*]]) = (%c0, %c0) to (%c2, %c2)
  // CHECK:   %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8x528xf32>
  // CHECK:   %[[FIRST:.*]] = arith.muli %[[S]], %c16
  // CHECK:   scf.for %[[TICK:.*]] = %[[FIRST]] to
  // CHECK:     %[[IS_FIRST:.*]] = arith.cmpi eq, %[[TICK]], %[[FIRST]]
  %out = pipeline.group "g0" schedule {tile = array<i64: 64, 512>} {
    // The first tick computes all rows that it needs, those behind it what is new.
    // CHECK:   %[[FROM:.*]] = arith.select %[[IS_FIRST]]
    // The last four are those that end where the rows of the tick do.
    // CHECK:   scf.for %[[Y:.*]] = %{{.*}} to %[[END:.*]] step %c4
    // CHECK:     %[[LAST:.*]] = arith.subi %[[END]], %c4
    // CHECK:     arith.minsi %[[Y]], %[[LAST]]
    // CHECK:     scf.for
    // CHECK-COUNT-4: memref.load %[[IMG]]
    // CHECK-COUNT-4: memref.store %{{.*}}, %[[A]]
    // CHECK:     } {weft.lanes = 16 : i64, weft.wide}
    // A row of less than a vector is border, and so are fewer than four rows.
    // CHECK:   scf.for %[[Y:.*]] =
    // CHECK:     scf.for %[[X:.*]] =
    // CHECK:       memref.load %[[IMG]][%[[Y]], %[[X]]]
    // CHECK:       arith.andi %[[Y]], %c7
    // CHECK:       memref.store %{{.*}}, %[[A]]
    // CHECK:     } {weft.lanes = 16 : i64, weft.masked}
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<128x1024xf32>
      %1 = arith.addf %0, %0 : f32
      pipeline.yield %1 : f32
    } : tensor<128x1024xf32>
    // Four rows read six: what two have in common is loaded once.
    // CHECK:   scf.for %{{.*}} step %c4
    // CHECK:     scf.for
    // CHECK-COUNT-6: memref.load %[[A]]
    // CHECK-NOT: memref.load
    // CHECK-COUNT-4: memref.store %{{.*}}, %[[OUT]]
    // CHECK: } {weft.lanes = 16 : i64, weft.wide}
    // Rows at the edge of the image bring their indices inside, and are border.
    // CHECK:   scf.for
    // CHECK:     arith.maxsi
    // CHECK:     arith.minsi
    // CHECK:     memref.load %[[A]]
    // CHECK:     memref.load %[[A]]
    // CHECK:     memref.store %{{.*}}, %[[OUT]]
    // CHECK:   } {weft.lanes = 16 : i64, weft.masked}
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

// Of two scales a tick is twice as many rows of the finer one.
// CHECK-LABEL: @down
func.func @down(%img: tensor<64x64xf32>) -> tensor<32x32xf32> {
  // CHECK: memref.alloc() {{.*}} : memref<8x64xf32>
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

// A stage that is read at the same point only is a value in the loop of its consumers.
// CHECK-LABEL: @bundle
// CHECK-NOT: memref.alloc()
// CHECK: scf.for
// CHECK:   %[[V:.*]] = memref.load
// CHECK:   %[[A:.*]] = math.absf %[[V]]
// CHECK:   %[[B:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK:   memref.store %[[B]]
func.func @bundle(%img: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %out = pipeline.group "g0" {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<64x64xf32>
      %1 = math.absf %0 : f32
      pipeline.yield %1 : f32
    } : tensor<64x64xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %a[%y, %x] : tensor<64x64xf32>
      %1 = arith.mulf %0, %0 : f32
      pipeline.yield %1 : f32
    } : tensor<64x64xf32>
    pipeline.yield %b : tensor<64x64xf32>
  } : tensor<64x64xf32>
  return %out : tensor<64x64xf32>
}
