// What lies between pixels is pixels, too, where planes are computed alike: all stages that read each other, or none.

// RUN: pipeline-opt %s --cpu-schedule="target=zen5 strategy=none" | FileCheck %s

// CHECK-LABEL: @alike
// CHECK:         pipeline.stage "least"
// CHECK:         } {weft.interleaved} : tensor<3x400x640xi8>
// CHECK:         pipeline.stage "most"
// CHECK:         } : tensor<3x400x640xi8>
func.func @alike(%img: tensor<3x400x640xi8> {weft.interleaved}) -> (tensor<3x400x640xi8> {weft.interleaved}) {
  %a = pipeline.stage "least" (%c, %y, %x) {
    %0 = pipeline.load %img[%c, %y, %x - 1] clamp : tensor<3x400x640xi8>
    %1 = pipeline.load %img[%c, %y, %x + 1] clamp : tensor<3x400x640xi8>
    %2 = arith.minui %0, %1 : i8
    pipeline.yield %2 : i8
  } : tensor<3x400x640xi8>
  %b = pipeline.stage "most" (%c, %y, %x) {
    %0 = pipeline.load %a[%c, %y - 1, %x] clamp : tensor<3x400x640xi8>
    %1 = pipeline.load %a[%c, %y + 1, %x] clamp : tensor<3x400x640xi8>
    %2 = arith.maxui %0, %1 : i8
    pipeline.yield %2 : i8
  } : tensor<3x400x640xi8>
  return %b : tensor<3x400x640xi8>
}

// The second stage reads another plane, and so neither is.
// CHECK-LABEL: @mixed
// CHECK-NOT:     weft.interleaved} : tensor
// CHECK:         return
func.func @mixed(%img: tensor<3x400x640xi8> {weft.interleaved}) -> (tensor<3x400x640xi8> {weft.interleaved}) {
  %a = pipeline.stage "least" (%c, %y, %x) {
    %0 = pipeline.load %img[%c, %y, %x - 1] clamp : tensor<3x400x640xi8>
    %1 = pipeline.load %img[%c, %y, %x + 1] clamp : tensor<3x400x640xi8>
    %2 = arith.minui %0, %1 : i8
    pipeline.yield %2 : i8
  } : tensor<3x400x640xi8>
  %b = pipeline.stage "most" (%c, %y, %x) {
    %0 = pipeline.load %a[%c, %y, %x] : tensor<3x400x640xi8>
    %1 = pipeline.load %a[2 - %c, %y, %x] : tensor<3x400x640xi8>
    %2 = arith.maxui %0, %1 : i8
    pipeline.yield %2 : i8
  } : tensor<3x400x640xi8>
  return %b : tensor<3x400x640xi8>
}

// What a body does with the number of its column is another matter in each plane's part of a vector.
// CHECK-LABEL: @column
// CHECK-NOT:     weft.interleaved} : tensor
// CHECK:         return
func.func @column(%img: tensor<3x400x640xi32> {weft.interleaved}) -> (tensor<3x400x640xi32> {weft.interleaved}) {
  %a = pipeline.stage "moved" (%c, %y, %x) {
    %0 = pipeline.load %img[%c, %y, %x] : tensor<3x400x640xi32>
    %1 = arith.index_cast %x : index to i32
    %2 = arith.addi %0, %1 : i32
    pipeline.yield %2 : i32
  } : tensor<3x400x640xi32>
  %b = pipeline.stage "negative" (%c, %y, %x) {
    %0 = pipeline.load %a[%c, %y, %x] : tensor<3x400x640xi32>
    %1 = arith.subi %0, %0 : i32
    pipeline.yield %1 : i32
  } : tensor<3x400x640xi32>
  return %b : tensor<3x400x640xi32>
}
