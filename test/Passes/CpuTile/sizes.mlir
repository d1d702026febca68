// Results of two sizes that read one image: of the larger one a tile computes the part that reads what the smaller one does.

// RUN: pipeline-opt %s --cpu-tile=target=zen4 --canonicalize --cse | FileCheck %s

// A tick of four rows of "small" is one of eight of "bright", which are two times four.
// CHECK-LABEL: @sizes
// CHECK: scf.parallel
// CHECK:   scf.for %[[TICK:.*]] =
// CHECK:     %[[BRIGHT:.*]] = arith.muli %[[TICK]], %c8
// CHECK:     %[[SMALL:.*]] = arith.muli %[[TICK]], %c4
// CHECK:     arith.addi %[[BRIGHT]], %c8
// CHECK:     memref.store %{{.*}}, %bright
// CHECK:     arith.addi %[[SMALL]], %c4
// CHECK:     memref.store %{{.*}}, %small
func.func @sizes(%img: tensor<512x1024xf32>) -> (tensor<512x1024xf32> {weft.name = "bright"}, tensor<256x512xf32> {weft.name = "small"}) {
  %bright, %small = pipeline.group "g0" schedule {tile = array<i64: 64, 512>} {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<512x1024xf32>
      %1 = arith.addf %0, %0 : f32
      pipeline.yield %1 : f32
    } : tensor<512x1024xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %img[%y * 2, %x * 2] : tensor<512x1024xf32>
      %1 = pipeline.load %img[%y * 2 + 1, %x * 2] : tensor<512x1024xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<256x512xf32>
    pipeline.yield %a, %b : tensor<512x1024xf32>, tensor<256x512xf32>
  } : tensor<512x1024xf32>, tensor<256x512xf32>
  return %bright, %small : tensor<512x1024xf32>, tensor<256x512xf32>
}

// What reads nothing in common goes as the grid does.
// CHECK-LABEL: @apart
// CHECK: scf.parallel
// CHECK:   scf.for %[[TICK:.*]] =
// CHECK:     %[[BOTH:.*]] = arith.muli %[[TICK]], %c4
// CHECK-NOT: arith.muli %[[TICK]]
// CHECK:     arith.addi %[[BOTH]], %c4
func.func @apart(%img: tensor<512x1024xf32>, %other: tensor<512x1024xf32>) -> (tensor<512x1024xf32> {weft.name = "bright"}, tensor<256x512xf32> {weft.name = "small"}) {
  %bright, %small = pipeline.group "g0" schedule {tile = array<i64: 64, 512>} {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<512x1024xf32>
      %1 = arith.addf %0, %0 : f32
      pipeline.yield %1 : f32
    } : tensor<512x1024xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %other[%y * 2, %x * 2] : tensor<512x1024xf32>
      %1 = pipeline.load %other[%y * 2 + 1, %x * 2] : tensor<512x1024xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<256x512xf32>
    pipeline.yield %a, %b : tensor<512x1024xf32>, tensor<256x512xf32>
  } : tensor<512x1024xf32>, tensor<256x512xf32>
  return %bright, %small : tensor<512x1024xf32>, tensor<256x512xf32>
}
