// Along a row the points whose reads stay inside are a loop of their own, without a boundary mode; both borders share one
// loop, of vectors with masks. An interior of less than a vector is border.

// RUN: pipeline-opt %s --cpu-tile=target=zen5 --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @columns
func.func @columns(%img: tensor<8x1024xf32>) -> tensor<8x1024xf32> {
  // CHECK: scf.for %{{.*}} step %c4
  // CHECK: scf.for %[[X:.*]] =
  // CHECK-NOT: arith.m{{ax|in}}si
  // CHECK:   memref.load
  // CHECK-NOT: arith.m{{ax|in}}si
  // CHECK: } {weft.lanes = 16 : i64, weft.wide}
  // CHECK: scf.for %[[SIDE:.*]] = %c0 to %c2
  // CHECK:   scf.for
  // CHECK:     arith.maxsi
  // CHECK:     arith.minsi
  // CHECK:     memref.load
  // CHECK:     memref.store
  // CHECK:   } {weft.lanes = 16 : i64, weft.masked}
  %0 = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%y, %x - 1] clamp : tensor<8x1024xf32>
    %b = pipeline.load %img[%y, %x + 2] clamp : tensor<8x1024xf32>
    %c = arith.addf %a, %b : f32
    pipeline.yield %c : f32
  } : tensor<8x1024xf32>
  return %0 : tensor<8x1024xf32>
}

// A mode along y is a matter of the row: its index is brought inside before the loop. Rows that need that are computed one by one, and rows of less
// than a vector are border.
// CHECK-LABEL: @rows
func.func @rows(%img: tensor<8x1024xf32>) -> tensor<8x1024xf32> {
  // CHECK: scf.for %[[TICK:.*]] =
  // CHECK: scf.for %[[SIDE:.*]] = %c0 to %c2
  // CHECK:   %[[FIRST:.*]] = arith.select %{{.*}}, %[[FROM:.*]], %[[BOTTOM:.*]] : index
  // CHECK:   %[[END:.*]] = arith.select %{{.*}}, %[[TOP:.*]], %{{.*}} : index
  // CHECK:   scf.for %[[ROW:.*]] = %[[FIRST]] to %[[END]]
  // CHECK:     %[[Y:.*]] = arith.minsi %{{.*}}, %c7
  // CHECK:     scf.for %[[X:.*]] =
  // CHECK-NEXT:  memref.load %{{.*}}[%[[Y]], %[[X]]]
  // CHECK:     } {weft.lanes = 16 : i64, weft.wide}
  // CHECK: scf.for %{{.*}} = %[[TOP]] to %[[BOTTOM]] step %c4
  // CHECK-NOT: arith.minsi %{{.*}}, %c7
  // CHECK-COUNT-4: memref.load
  // CHECK-COUNT-4: memref.store
  // CHECK: } {weft.lanes = 16 : i64, weft.wide}
  // CHECK: scf.for %[[ROW:.*]] = %[[FROM]] to
  // CHECK:   %[[Y:.*]] = arith.minsi %{{.*}}, %c7
  // CHECK:   scf.for %[[X:.*]] =
  // CHECK-NEXT: memref.load %{{.*}}[%[[Y]], %[[X]]]
  // CHECK:   } {weft.lanes = 16 : i64, weft.masked}
  %0 = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%y - 1, %x] clamp : tensor<8x1024xf32>
    pipeline.yield %a : f32
  } : tensor<8x1024xf32>
  return %0 : tensor<8x1024xf32>
}

// A plane moves the index along the row: where the interior begins and ends depends on the plane.
// CHECK-LABEL: @planes
// CHECK: arith.subi %c1, %[[C:.*]] : index
// CHECK:   scf.for %{{.*}} step %c4
// CHECK:   scf.for %[[X:.*]] =
// CHECK-NOT: arith.m{{ax|in}}si
// CHECK:     memref.load
// CHECK-NOT: arith.m{{ax|in}}si
// CHECK:   } {weft.lanes = 16 : i64, weft.wide}
// CHECK:   scf.for %{{.*}} = %c0 to %c2
// CHECK:     arith.maxsi
// CHECK:     memref.load
func.func @planes(%img: tensor<8x1024xf32>) -> tensor<3x8x1024xf32> {
  %0 = pipeline.stage "s" (%c, %y, %x) {
    %a = pipeline.load %img[%y, %x + %c - 1] clamp : tensor<8x1024xf32>
    pipeline.yield %a : f32
  } : tensor<3x8x1024xf32>
  return %0 : tensor<3x8x1024xf32>
}

// An index that has no one slope has an interior, too: between the two straight lines around it.
// CHECK-LABEL: @twice
// CHECK: scf.for %{{.*}} step %c4
// CHECK: scf.for %[[X:.*]] =
// CHECK-NOT: arith.m{{ax|in}}si
// CHECK:   memref.load
// CHECK-NOT: arith.m{{ax|in}}si
// CHECK: } {weft.lanes = 16 : i64, weft.wide}
// CHECK: scf.for %[[SIDE:.*]] = %c0 to %c2
// CHECK:   } {weft.lanes = 16 : i64, weft.masked}
func.func @twice(%img: tensor<8x512xf32>) -> tensor<8x1024xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<8x512xf32>
    pipeline.yield %a : f32
  } : tensor<8x1024xf32>
  return %0 : tensor<8x1024xf32>
}

// Where an index leads that is far outside and the same for a whole row is asked before the row. An image without columns may have rows.
// CHECK-LABEL: @no_columns
// CHECK:       %[[ONE:.*]] = arith.maxsi %{{.*}}, %c1 : index
// CHECK:       arith.remsi %{{.*}}, %[[ONE]] : index
func.func @no_columns(%img: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %c1 = arith.constant 1 : index
  %w = tensor.dim %img, %c1 : tensor<4x?xf32>
  %out = pipeline.group "g0" schedule {tile = array<i64: 4, 64>} {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %y * 4 + 92] wrap : tensor<4x?xf32>
      pipeline.yield %0 : f32
    } sized(%w) : tensor<4x?xf32>
    pipeline.yield %a : tensor<4x?xf32>
  } : tensor<4x?xf32>
  return %out : tensor<4x?xf32>
}

// An index that leaves its image by little is brought inside without a division: -1 of an image of any extent, 2 behind it, of which there are
// several in an image of one or two, and an image that is known to be longer.
// CHECK-LABEL: @near
// CHECK:       %[[W:.*]] = memref.dim %{{.*}}, %c1
// CHECK:       weft.wide
// CHECK:       scf.for %{{.*}} = %c0 to %c2
// CHECK:       scf.for %[[X:.*]] = %{{.*}} to %{{.*}} step %c1 {
// CHECK-NEXT:  %[[I:.*]] = arith.addi %[[X]], %c-1 : index
// CHECK-NEXT:  %[[UP:.*]] = arith.addi %[[I]], %[[W]] : index
// CHECK-NEXT:  arith.minui %[[I]], %[[UP]] : index
// CHECK:       %[[J:.*]] = arith.addi %{{.*}}, %c2 : index
// CHECK-NEXT:  %[[LAST:.*]] = arith.addi %[[W]], %c-1 : index
// CHECK-NEXT:  %[[P:.*]] = arith.muli %[[LAST]], %c2 : index
// CHECK-NEXT:  %[[LESS:.*]] = arith.subi %[[J]], %[[P]] : index
// CHECK-NEXT:  %[[ONCE:.*]] = arith.minui %[[J]], %[[LESS]] : index
// CHECK-NEXT:  %[[BACK:.*]] = arith.subi %[[P]], %[[ONCE]] : index
// CHECK-NEXT:  %[[TURNED:.*]] = arith.minsi %[[ONCE]], %[[BACK]] : index
// CHECK-NEXT:  arith.maxsi %[[TURNED]], %c0 : index
// CHECK-NOT:   arith.remsi
func.func @near(%img: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %c1 = arith.constant 1 : index
  %w = tensor.dim %img, %c1 : tensor<4x?xf32>
  %0 = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%y, %x - 1] wrap : tensor<4x?xf32>
    %b = pipeline.load %img[%y, %x + 2] reflect101 : tensor<4x?xf32>
    %c = arith.addf %a, %b : f32
    pipeline.yield %c : f32
  } sized(%w) : tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// CHECK-LABEL: @long
// CHECK:       weft.wide
// CHECK:       %[[I:.*]] = arith.addi %[[X:.*]], %c5 : index
// CHECK-NEXT:  %[[BACK:.*]] = arith.subi %c1018, %[[X]] : index
// CHECK-NEXT:  %[[TURNED:.*]] = arith.minsi %[[I]], %[[BACK]] : index
// CHECK-NEXT:  memref.load %{{.*}}[%{{.*}}, %[[TURNED]]]
// The few points of such a border are no vectors.
// CHECK-NEXT:  memref.store
// CHECK-NEXT:  }{{$}}
func.func @long(%img: tensor<4x512xf32>) -> tensor<4x512xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%y, %x + 5] mirror : tensor<4x512xf32>
    pipeline.yield %a : f32
  } : tensor<4x512xf32>
  return %0 : tensor<4x512xf32>
}
