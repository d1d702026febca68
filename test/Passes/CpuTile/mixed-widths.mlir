// Vectors have as many points as the widest numbers have room for, or twice as many, or four times, where most ops compute with numbers of
// half the width, or of a quarter.

// RUN: pipeline-opt %s --cpu-tile=target=zen4 | FileCheck %s

// A comparison, a sum and a selection in 16 bits, and one product in 32.
// CHECK-LABEL: @few
// CHECK:       arith.muli {{.*}} : i32
// CHECK:       weft.lanes = 32
func.func @few(%img: tensor<64x640xi16>) -> tensor<64x640xi16> {
  %g = pipeline.group "g" {
    %s = pipeline.stage "s" (%y, %x) {
      %a = pipeline.load %img[%y, %x] : tensor<64x640xi16>
      %b = pipeline.load %img[%y, %x + 1] clamp : tensor<64x640xi16>
      %c = pipeline.load %img[%y, %x + 2] clamp : tensor<64x640xi16>
      %ab = arith.addi %a, %b : i16
      %is = arith.cmpi slt, %ab, %c : i16
      %d = arith.select %is, %ab, %c : i16
      %w = arith.extsi %d : i16 to i32
      %p = arith.muli %w, %w : i32
      %t = arith.trunci %p : i32 to i16
      pipeline.yield %t : i16
    } : tensor<64x640xi16>
    pipeline.yield %s : tensor<64x640xi16>
  } : tensor<64x640xi16>
  return %g : tensor<64x640xi16>
}

// Most in 32.
// CHECK-LABEL: @most
// CHECK:       arith.muli {{.*}} : i32
// CHECK:       weft.lanes = 16
func.func @most(%img: tensor<64x640xi16>) -> tensor<64x640xi16> {
  %g = pipeline.group "g" {
    %s = pipeline.stage "s" (%y, %x) {
      %a = pipeline.load %img[%y, %x] : tensor<64x640xi16>
      %w = arith.extsi %a : i16 to i32
      %p = arith.muli %w, %w : i32
      %t = arith.trunci %p : i32 to i16
      pipeline.yield %t : i16
    } : tensor<64x640xi16>
    pipeline.yield %s : tensor<64x640xi16>
  } : tensor<64x640xi16>
  return %g : tensor<64x640xi16>
}

// Bytes are compared and chosen, and one number is made of that.
// CHECK-LABEL: @bytes
// CHECK:       arith.extui {{.*}} : i8 to i32
// CHECK:       weft.lanes = 64
func.func @bytes(%img: tensor<64x640xi8>) -> tensor<64x640xi32> {
  %g = pipeline.group "g" {
    %s = pipeline.stage "s" (%y, %x) {
      %a = pipeline.load %img[%y, %x] : tensor<64x640xi8>
      %b = pipeline.load %img[%y, %x + 1] clamp : tensor<64x640xi8>
      %is = arith.cmpi ult, %a, %b : i8
      %d = arith.select %is, %a, %b : i8
      %w = arith.extui %d : i8 to i32
      pipeline.yield %w : i32
    } : tensor<64x640xi32>
    pipeline.yield %s : tensor<64x640xi32>
  } : tensor<64x640xi32>
  return %g : tensor<64x640xi32>
}
