// Pixels that are read at several columns are shuffled into planes once: by a copy, for all stages that do so.

// RUN: pipeline-opt %s --copy-inputs | FileCheck %s

// CHECK-LABEL: @blur
// CHECK-SAME:  (%[[IMG:.*]]: tensor<3x8x64xi8> {weft.interleaved, weft.name = "img"})
// CHECK:       %[[COPY:.*]] = pipeline.stage "img_planes" (%c, %y, %x) {
// CHECK:         pipeline.load %[[IMG]][%c, %y, %x]
// CHECK:       pipeline.stage "blur"
// CHECK:         pipeline.load %[[COPY]][%c, %y, %x - 1] clamp
// CHECK:         pipeline.load %[[COPY]][%c, %y, %x + 1] clamp
// CHECK:       pipeline.stage "rows"
// CHECK:         pipeline.load %[[IMG]][%c, %y - 1, %x] clamp
// CHECK:         pipeline.load %[[IMG]][%c, %y, %x]
func.func @blur(%img: tensor<3x8x64xi8> {weft.interleaved, weft.name = "img"}) -> (tensor<3x8x64xi8>, tensor<3x8x64xi8>) {
  %a = pipeline.stage "blur" (%c, %y, %x) {
    %0 = pipeline.load %img[%c, %y, %x - 1] clamp : tensor<3x8x64xi8>
    %1 = pipeline.load %img[%c, %y, %x + 1] clamp : tensor<3x8x64xi8>
    %2 = arith.minui %0, %1 : i8
    pipeline.yield %2 : i8
  } : tensor<3x8x64xi8>
  %b = pipeline.stage "rows" (%c, %y, %x) {
    %0 = pipeline.load %img[%c, %y - 1, %x] clamp : tensor<3x8x64xi8>
    %1 = pipeline.load %img[%c, %y, %x] : tensor<3x8x64xi8>
    %2 = arith.minui %0, %1 : i8
    pipeline.yield %2 : i8
  } : tensor<3x8x64xi8>
  return %a, %b : tensor<3x8x64xi8>, tensor<3x8x64xi8>
}

// Where planes are computed alike, from pixels to pixels, nothing is shuffled, and nothing copied.
// CHECK-LABEL: @alike
// CHECK-NOT:     "img_planes"
// CHECK:         return
func.func @alike(%img: tensor<3x8x64xi8> {weft.interleaved, weft.name = "img"}) -> (tensor<3x8x64xi8> {weft.interleaved}) {
  %a = pipeline.stage "blur" (%c, %y, %x) {
    %0 = pipeline.load %img[%c, %y, %x - 1] clamp : tensor<3x8x64xi8>
    %1 = pipeline.load %img[%c, %y, %x + 1] clamp : tensor<3x8x64xi8>
    %2 = arith.minui %0, %1 : i8
    pipeline.yield %2 : i8
  } : tensor<3x8x64xi8>
  return %a : tensor<3x8x64xi8>
}
