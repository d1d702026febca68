// A scatter whose order cannot show is done by strips of its domain, each with places of its own, which are merged at the end.

// RUN: pipeline-opt %s --cpu-tile=target=zen5 --canonicalize --cse | FileCheck %s

// A million points are 61 strips of 17 rows. Neighbours have copies of the places, so that none waits for the one before.
// CHECK-LABEL: @histogram
// CHECK-SAME: (%[[IMG:.*]]: memref<1024x1022xi8, {{.*}}>, %[[FIRST:.*]]: i32, %[[OUT:.*]]: memref<256xi32>)
// CHECK: %[[ALL:.*]] = memref.alloc() {alignment = 64 : i64} : memref<64x256xi32>
// CHECK: scf.parallel (%[[S:.*]]) = (%c0) to (%c61)
// CHECK:   %[[OWN:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4x256xi32>
// CHECK:   scf.for %[[I:.*]] = %c0 to %c256
// CHECK-COUNT-4: memref.store %c0_i32, %[[OWN]][%{{.*}}, %[[I]]]
// CHECK:   } {weft.lanes = 16 : i64}
// CHECK:   %[[FROM:.*]] = arith.muli %[[S]], %c17
// CHECK:   %[[END:.*]] = arith.addi %[[FROM]], %c17
// CHECK:   %[[TO:.*]] = arith.minsi %[[END]], %c1024
// CHECK:   scf.for %[[Y:.*]] = %[[FROM]] to %[[TO]]
// CHECK:     scf.for %{{.*}} = %c0 to %c1020 step %c4
// CHECK-COUNT-4: memref.load %[[IMG]]
// CHECK:       memref.load %[[OWN]][%c0,
// CHECK:       memref.load %[[OWN]][%c1,
// CHECK:       memref.load %[[OWN]][%c2,
// CHECK:       memref.load %[[OWN]][%c3,
// CHECK:     scf.for %{{.*}} = %c1020 to %c1022 step %c1
// CHECK:   scf.for %[[I:.*]] = %c0 to %c256
// CHECK-COUNT-3: arith.addi
// CHECK:     memref.store %{{.*}}, %[[ALL]][%[[S]], %[[I]]]
// CHECK:   memref.dealloc %[[OWN]]
// CHECK: scf.for %[[I:.*]] = %c0 to %c256
// CHECK:   %[[SUM:.*]] = scf.for %[[T:.*]] = %c0 to %c61 step %c1 iter_args(%{{.*}} = %[[FIRST]])
// CHECK:     memref.load %[[ALL]][%[[T]], %[[I]]]
// CHECK:   memref.store %[[SUM]], %[[OUT]][%[[I]]]
// CHECK: } {weft.lanes = 16 : i64}
func.func @histogram(%img: tensor<1024x1022xi8>, %first: i32) -> tensor<256xi32> {
  %one = arith.constant 1 : i32
  %h = pipeline.scatter "h" () over (%ry, %rx) in [0, 1024) x [0, 1022) from(%first : i32) combine "arith.addi" {
    %a = pipeline.load %img[%ry, %rx] : tensor<1024x1022xi8>
    %i = arith.index_castui %a : i8 to index
    pipeline.update %one at [%i] : i32
  } : tensor<256xi32>
  return %h : tensor<256xi32>
}

// Sums of floats are made in the order of the domain.
// CHECK-LABEL: @order
// CHECK-NOT: scf.parallel
// CHECK: return
// With `reassoc` in any: a small domain is one strip.
// CHECK-LABEL: @reassoc
// CHECK: memref.store %cst{{.*}} : memref<4x8xf32>
// CHECK: scf.for %{{.*}} = %c0 to %c64 step %c4
// CHECK: memref.store %{{.*}} : memref<64x8xf32>
func.func @order(%img: tensor<64xf32>, %at: tensor<64xi32>, %zero: f32) -> tensor<8xf32> {
  %h = pipeline.scatter "h" () over (%rx) in [0, 64) from(%zero : f32) combine "arith.addf" {
    %a = pipeline.load %img[%rx] : tensor<64xf32>
    %b = pipeline.load %at[%rx] : tensor<64xi32>
    %i = arith.index_cast %b : i32 to index
    pipeline.update %a at [%i] : f32
  } : tensor<8xf32>
  return %h : tensor<8xf32>
}
func.func @reassoc(%img: tensor<64xf32>, %at: tensor<64xi32>, %zero: f32) -> tensor<8xf32> {
  %h = pipeline.scatter "h" () over (%rx) in [0, 64) from(%zero : f32) combine "arith.addf" {
    %a = pipeline.load %img[%rx] : tensor<64xf32>
    %b = pipeline.load %at[%rx] : tensor<64xi32>
    %i = arith.index_cast %b : i32 to index
    pipeline.update %a at [%i] : f32
  } reassoc : tensor<8xf32>
  return %h : tensor<8xf32>
}

// Coordinates are independent of each other: rows of them are shared among threads.
// CHECK-LABEL: @coordinates
// CHECK: scf.parallel (%[[Y:.*]]) = (%c0) to (%c64)
// CHECK:   scf.for %[[X:.*]] = %c0 to %c48
// CHECK:     scf.for %{{.*}} = %c0 to %c4
// CHECK:     scf.for %{{.*}} = %c0 to %c8
func.func @coordinates(%img: tensor<64x48x8xf32>, %zero: f32) -> tensor<64x48x4xf32> {
  %h = pipeline.scatter "h" (%y, %x) over (%rx) in [0, 8) from(%zero : f32) combine "arith.addf" {
    %a = pipeline.load %img[%y, %x, %rx] : tensor<64x48x8xf32>
    %b = arith.fptosi %a : f32 to i32
    %i = arith.index_cast %b : i32 to index
    pipeline.update %a at [%i] : f32
  } : tensor<64x48x4xf32>
  return %h : tensor<64x48x4xf32>
}

// But for a few points of them, such as channels: each point of the domain updates the places of all, so that pixels are read once.
// CHECK-LABEL: @channels
// CHECK:       memref.alloc() {{.*}} : memref<64x3x256xi32>
// CHECK:       scf.parallel
// CHECK:         %[[OWN:.*]] = memref.alloc() {{.*}} : memref<4x3x256xi32>
// CHECK:         scf.for %[[Y:.*]] =
// CHECK:           scf.for %[[X:.*]] = %c0 to %c1020 step %c4
// CHECK:             memref.load %[[IMG:.*]][%[[Y]], %[[X]], %c0]
// CHECK:             memref.load %[[IMG]][%[[Y]], %[[X]], %c1]
// CHECK:             memref.load %[[IMG]][%[[Y]], %[[X]], %c2]
// CHECK:             memref.store %{{.*}}, %[[OWN]][%c0, %c0,
// CHECK:             memref.store %{{.*}}, %[[OWN]][%c0, %c1,
// CHECK:             memref.store %{{.*}}, %[[OWN]][%c0, %c2,
// CHECK:             memref.store %{{.*}}, %[[OWN]][%c1, %c0,
func.func @channels(%img: tensor<1024x1022x3xi8>, %zero: i32) -> tensor<3x256xi32> {
  %one = arith.constant 1 : i32
  %h = pipeline.scatter "h" (%c) over (%ry, %rx) in [0, 1024) x [0, 1022) from(%zero : i32) combine "arith.addi" {
    %a = pipeline.load %img[%ry, %rx, %c] : tensor<1024x1022x3xi8>
    %i = arith.index_castui %a : i8 to index
    pipeline.update %one at [%i] : i32
  } : tensor<3x256xi32>
  return %h : tensor<3x256xi32>
}

// Where all points of a row update one place each lane of a vector has a copy of it, and neighbouring vectors have copies, too: an extreme of floats, which is NaN if
// one is, has no order.
// CHECK-LABEL: @most
// CHECK: %[[OWN:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x64xf32>
// CHECK-COUNT-64: memref.store %cst, %[[OWN]][%c0,
// CHECK: scf.for %[[X:.*]] = %c0 to %c960 step %c64
// CHECK-NEXT: scf.for %[[LANE:.*]] = %c0 to %c16
// CHECK-NEXT:   %[[AT:.*]] = arith.addi %[[X]], %[[LANE]] : index
// CHECK-NEXT:   %[[V:.*]] = memref.load %{{.*}}[%{{.*}}, %[[AT]]]
// CHECK-NEXT:   %[[BEFORE:.*]] = memref.load %[[OWN]][%c0, %[[LANE]]]
// CHECK-NEXT:   %[[NOW:.*]] = arith.maximumf %[[BEFORE]], %[[V]]
// CHECK-NEXT:   memref.store %[[NOW]], %[[OWN]][%c0, %[[LANE]]]
// CHECK-NEXT: } {weft.lanes = 16 : i64, weft.masked}
// CHECK-COUNT-3: {weft.lanes = 16 : i64, weft.masked}
// CHECK: scf.for %{{.*}} = %c960 to %c1000 step %c1
func.func @most(%img: tensor<1024x1000xf32>, %first: f32) -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %h = pipeline.scatter "h" () over (%ry, %rx) in [0, 1024) x [0, 1000) from(%first : f32) combine "arith.maximumf" {
    %a = pipeline.load %img[%ry, %rx] : tensor<1024x1000xf32>
    pipeline.update %a at [%c0] : f32
  } : tensor<1xf32>
  return %h : tensor<1xf32>
}

// Down columns, which are rows of nothing, there are no vectors.
// CHECK-LABEL: @columns
// CHECK-NOT: weft.masked
// CHECK: return
func.func @columns(%img: tensor<1024x1000xi32>, %first: i32) -> tensor<1xi32> {
  %c0 = arith.constant 0 : index
  %h = pipeline.scatter "h" () over (%rx, %ry) in [0, 1000) x [0, 1024) from(%first : i32) combine "arith.addi" {
    %a = pipeline.load %img[%ry, %rx] : tensor<1024x1000xi32>
    pipeline.update %a at [%c0] : i32
  } : tensor<1xi32>
  return %h : tensor<1xi32>
}

// Each of many points has copies of its places, where its domain has more points than these.
// CHECK-LABEL: @tiles
// CHECK-SAME: (%[[IMG:.*]]: memref<1024x1024xi8, {{.*}}>, %[[FIRST:.*]]: i32, %[[OUT:.*]]: memref<8x8x256xi32, {{.*}}>)
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) = (%c0, %c0) to (%c8, %c8)
// CHECK:   %[[OWN:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4x256xi32>
// CHECK:   scf.for %[[B:.*]] = %c0 to %c256
// CHECK-COUNT-4: memref.store %c0_i32, %[[OWN]][%{{.*}}, %[[B]]]
// CHECK:   scf.for %{{.*}} = %c0 to %c128 step %c1
// CHECK:     scf.for %{{.*}} = %c0 to %c128 step %c4
// CHECK-COUNT-4: memref.load %[[IMG]]
// CHECK:       memref.store %{{.*}}, %[[OWN]][%c0,
// CHECK:       memref.store %{{.*}}, %[[OWN]][%c3,
// CHECK:   scf.for %[[B:.*]] = %c0 to %c256
// CHECK-COUNT-4: memref.load %[[OWN]][
// CHECK-COUNT-3: arith.addi
// CHECK:     %[[SUM:.*]] = arith.addi %[[FIRST]], %{{.*}}
// CHECK:     memref.store %[[SUM]], %[[OUT]][%[[I]], %[[J]], %[[B]]]
// CHECK:   } {weft.lanes = 16 : i64}
// CHECK:   memref.dealloc %[[OWN]]
func.func @tiles(%img: tensor<1024x1024xi8>, %first: i32) -> tensor<8x8x256xi32> {
  %one = arith.constant 1 : i32
  %h = pipeline.scatter "h" (%i, %j) over (%ry, %rx) in [0, 128) x [0, 128) from(%first : i32) combine "arith.addi" {
    %a = pipeline.load %img[%i * 128 + %ry, %j * 128 + %rx] : tensor<1024x1024xi8>
    %i0 = arith.index_castui %a : i8 to index
    pipeline.update %one at [%i0] : i32
  } : tensor<8x8x256xi32>
  return %h : tensor<8x8x256xi32>
}
