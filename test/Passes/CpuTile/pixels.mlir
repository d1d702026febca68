// Images whose channels are innermost in memory are planes of a view; pixels that lie apart are copied. All planes are one loop's.

// RUN: pipeline-opt %s --cpu-tile=target=avx2 | FileCheck %s

// CHECK-LABEL: func.func @invert(
// CHECK-SAME:  %[[IMG:[^:]*]]: memref<?x64x3xi8, strided<[?, ?, 1]>>
// CHECK-SAME:  %[[OUT:[^:]*]]: memref<?x64x3xi8, strided<[?, ?, 1]>>
// CHECK-NOT:   weft.interleaved
// CHECK:       %{{.*}}, %{{.*}}, %{{.*}}:3, %[[STRIDES:.*]]:3 = memref.extract_strided_metadata %[[IMG]]
// CHECK:       %[[APART:.*]] = arith.cmpi ne, %[[STRIDES]]#1, %c3
// CHECK:       %[[ROWS:.*]] = arith.select %[[APART]], %{{.*}}, %c0
// CHECK:       %[[DENSE:.*]] = memref.alloc(%[[ROWS]], %{{.*}}) {alignment = 64 : i64} : memref<?x?x3xi8>
// CHECK:       %[[PIXELS:.*]] = arith.select %[[APART]], %{{.*}} : memref<?x64x3xi8, strided<[?, 3, 1]>>
// CHECK:       %[[PLANES:.*]] = memref.transpose %[[PIXELS]] (d0, d1, d2) -> (d2, d0, d1)
// CHECK:       scf.if %[[APART]] {
// CHECK:         memref.store %{{.*}}, %[[DENSE]]
// CHECK:       scf.parallel
// CHECK:         memref.load %[[PLANES]][%c0{{.*}}, %[[Y:.*]], %[[X:.*]]] : memref<3x?x64xi8, strided<[1, ?, 3]>>
// CHECK:         memref.load %[[PLANES]][%c1{{.*}}, %[[Y]], %[[X]]]
// CHECK:         memref.load %[[PLANES]][%c2{{.*}}, %[[Y]], %[[X]]]
func.func @invert(%img: tensor<3x?x64xi8> {weft.interleaved}) -> (tensor<3x?x64xi8> {weft.interleaved}) {
  %c1 = arith.constant 1 : index
  %most = arith.constant -1 : i8
  %h = tensor.dim %img, %c1 : tensor<3x?x64xi8>
  %0 = pipeline.group "g" schedule {tile = array<i64: 3, 64, 64>} {
    %a = pipeline.stage "invert" (%c, %y, %x) {
      %1 = pipeline.load %img[%c, %y, %x] : tensor<3x?x64xi8>
      %2 = arith.xori %1, %most : i8
      pipeline.yield %2 : i8
    } sized(%h) : tensor<3x?x64xi8>
    pipeline.yield %a : tensor<3x?x64xi8>
  } : tensor<3x?x64xi8>
  return %0 : tensor<3x?x64xi8>
}

// Where planes are computed alike, from pixels to pixels, windows are of pixels, and what lies between groups (`weft.interleaved`), too.
// CHECK-LABEL: func.func @alike(
// CHECK:       %[[BETWEEN:.*]] = memref.alloc() {{.*}} : memref<400x640x3xi8>
// CHECK:       %[[OF_STAGE:.*]] = memref.transpose %[[BETWEEN]] (d0, d1, d2) -> (d2, d0, d1)
// CHECK:       scf.parallel
// CHECK:         %[[WINDOW:.*]] = memref.alloc() {{.*}} : memref<8x640x3xi8>
// CHECK:         %[[OF_WINDOW:.*]] = memref.transpose %[[WINDOW]] (d0, d1, d2) -> (d2, d0, d1)
// CHECK:         memref.store %{{.*}}, %[[OF_WINDOW]][%c2{{.*}}] : memref<3x8x640xi8, strided<[1, 1920, 3]>>
// CHECK:         memref.load %[[OF_WINDOW]][%c2
// CHECK:         memref.store %{{.*}}, %[[OF_STAGE]][%c2
// CHECK:         memref.dealloc %[[WINDOW]]
// CHECK:       memref.dealloc %[[BETWEEN]]
func.func @alike(%img: tensor<3x400x640xi8> {weft.interleaved}) -> (tensor<3x400x640xi8> {weft.interleaved}) {
  %0 = pipeline.group "g" schedule {tile = array<i64: 3, 32, 640>} {
    %a = pipeline.stage "least" (%c, %y, %x) {
      %1 = pipeline.load %img[%c, %y, %x] : tensor<3x400x640xi8>
      %2 = pipeline.load %img[%c, %y, %x + 1] clamp : tensor<3x400x640xi8>
      %3 = arith.minui %1, %2 : i8
      pipeline.yield %3 : i8
    } : tensor<3x400x640xi8>
    %b = pipeline.stage "most" (%c, %y, %x) {
      %1 = pipeline.load %a[%c, %y - 1, %x] clamp : tensor<3x400x640xi8>
      %2 = pipeline.load %a[%c, %y + 1, %x] clamp : tensor<3x400x640xi8>
      %3 = arith.maxui %1, %2 : i8
      pipeline.yield %3 : i8
    } {weft.interleaved} : tensor<3x400x640xi8>
    pipeline.yield %b : tensor<3x400x640xi8>
  } : tensor<3x400x640xi8>
  %1 = pipeline.group "h" schedule {tile = array<i64: 3, 32, 640>} {
    %a = pipeline.stage "sum" (%c, %y, %x) {
      %2 = pipeline.load %0[%c, %y, %x] : tensor<3x400x640xi8>
      %3 = arith.addi %2, %2 : i8
      pipeline.yield %3 : i8
    } : tensor<3x400x640xi8>
    pipeline.yield %a : tensor<3x400x640xi8>
  } : tensor<3x400x640xi8>
  return %1 : tensor<3x400x640xi8>
}
