// A reader takes one point in 2^31: none of the producer's that lies in a tile. That costs what it costs, and is no group.

// RUN: pipeline-opt %s -fuse=target=h200 | FileCheck %s

// CHECK-LABEL: @far
// CHECK:         pipeline.group "g0"
// CHECK-NEXT:      pipeline.stage "a"
// CHECK:         pipeline.group "g1"
// CHECK-NEXT:      pipeline.stage "b"
func.func @far(%img: tensor<480x6400xf32>) -> (tensor<480x6400xf32>, tensor<240x3200xf32>) {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %0 : f32
  } : tensor<480x6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y * 2147483648, %x * 2147483648] : tensor<480x6400xf32>
    pipeline.yield %0 : f32
  } : tensor<240x3200xf32>
  return %a, %b : tensor<480x6400xf32>, tensor<240x3200xf32>
}

// Offsets at both ends of all integers: what lies between cannot be counted, and no tile of the input has a row.
// CHECK-LABEL: @ends
// CHECK:         pipeline.group "g0"
// CHECK-NEXT:      pipeline.stage "s"
func.func @ends(%img: tensor<1x1x1xf32>) -> tensor<1x1x1xf32> {
  %s = pipeline.stage "s" (%c, %y, %x) {
    %0 = pipeline.load %img[%c, %y, %x - 9223372036854775807] wrap : tensor<1x1x1xf32>
    %1 = pipeline.load %img[%c, %y, %x + 9223372036854775807] wrap : tensor<1x1x1xf32>
    %2 = arith.divf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<1x1x1xf32>
  return %s : tensor<1x1x1xf32>
}
