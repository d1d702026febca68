// A body computes with fewer bits where these are enough for all its integers.

// RUN: pipeline-opt %s --narrow-integers --canonicalize | FileCheck %s

// A vector has 32 lanes of 16 bits. Shifts of numbers above 32767 see no sign.
// CHECK-LABEL: @sums
// CHECK:       pipeline.stage "s"
// CHECK:         arith.addi {{.*}} : i16
// CHECK:         pipeline.yield {{.*}} : i16
// CHECK:       pipeline.stage "o"
// CHECK:         %[[S:.*]] = arith.muli {{.*}} : i16
// CHECK-NEXT:    %[[H:.*]] = arith.shrui %[[S]], %{{.*}} : i16
// CHECK-NEXT:    arith.trunci %[[H]] : i16 to i8
func.func @sums(%img: tensor<8x8xi8>) -> tensor<8x8xi8> {
  %factor = arith.constant 128 : i32
  %eight = arith.constant 8 : i32
  %s = pipeline.stage "s" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<8x8xi8>
    %1 = pipeline.load %img[%y, %x + 1] clamp : tensor<8x8xi8>
    %2 = arith.extui %0 : i8 to i32
    %3 = arith.extui %1 : i8 to i32
    %4 = arith.addi %2, %3 : i32
    pipeline.yield %4 : i32
  } : tensor<8x8xi32>
  %o = pipeline.stage "o" (%y, %x) {
    %0 = pipeline.load %s[%y, %x] : tensor<8x8xi32>
    %1 = arith.muli %0, %factor : i32
    %2 = arith.shrsi %1, %eight : i32
    %3 = arith.trunci %2 : i32 to i8
    pipeline.yield %3 : i8
  } : tensor<8x8xi8>
  return %o : tensor<8x8xi8>
}

// Numbers with a sign and 16 bits: shifts and comparisons keep it.
// CHECK-LABEL: @signs
// CHECK:         %[[D:.*]] = arith.subi {{.*}} : i16
// CHECK-NEXT:    %[[H:.*]] = arith.shrsi %[[D]], %{{.*}} : i16
// CHECK-NEXT:    %[[L:.*]] = arith.cmpi slt, %[[H]], %{{.*}} : i16
// CHECK-NEXT:    arith.select %[[L]], {{.*}} : i16
func.func @signs(%img: tensor<8x8xi8>) -> tensor<8x8xi8> {
  %one = arith.constant 1 : i32
  %limit = arith.constant -5 : i32
  %o = pipeline.stage "o" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<8x8xi8>
    %1 = pipeline.load %img[%y, %x + 1] clamp : tensor<8x8xi8>
    %2 = arith.extui %0 : i8 to i32
    %3 = arith.extui %1 : i8 to i32
    %4 = arith.subi %2, %3 : i32
    %5 = arith.shrsi %4, %one : i32
    %6 = arith.cmpi slt, %5, %limit : i32
    %7 = arith.select %6, %2, %5 : i32
    %8 = arith.trunci %7 : i32 to i8
    pipeline.yield %8 : i8
  } : tensor<8x8xi8>
  return %o : tensor<8x8xi8>
}

// Bytes are compared as they are, without a sign.
// CHECK-LABEL: @bytes
// CHECK:         %[[M:.*]] = arith.maxui %{{.*}}, %{{.*}} : i8
// CHECK-NEXT:    %[[C:.*]] = arith.cmpi ugt, %[[M]], %{{.*}} : i8
// CHECK-NEXT:    %[[V:.*]] = arith.select %[[C]], %[[M]], %{{.*}} : i8
// CHECK-NEXT:    pipeline.yield %[[V]] : i8
func.func @bytes(%img: tensor<8x8xi8>) -> tensor<8x8xi8> {
  %limit = arith.constant 128 : i32
  %o = pipeline.stage "o" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<8x8xi8>
    %1 = pipeline.load %img[%y, %x + 1] clamp : tensor<8x8xi8>
    %2 = arith.extui %0 : i8 to i32
    %3 = arith.extui %1 : i8 to i32
    %4 = arith.maxsi %2, %3 : i32
    %5 = arith.cmpi sgt, %4, %limit : i32
    %6 = arith.select %5, %4, %limit : i32
    %7 = arith.trunci %6 : i32 to i8
    pipeline.yield %7 : i8
  } : tensor<8x8xi8>
  return %o : tensor<8x8xi8>
}

// -255 to 255 beside 0 to 65535: no 16 bits hold both.
// CHECK-LABEL: @both
// CHECK:         arith.minsi {{.*}} : i32
func.func @both(%img: tensor<8x8xi8>, %large: tensor<8x8xi16>) -> tensor<8x8xi8> {
  %o = pipeline.stage "o" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<8x8xi8>
    %1 = pipeline.load %img[%y, %x + 1] clamp : tensor<8x8xi8>
    %2 = pipeline.load %large[%y, %x] : tensor<8x8xi16>
    %3 = arith.extui %0 : i8 to i32
    %4 = arith.extui %1 : i8 to i32
    %5 = arith.extui %2 : i16 to i32
    %6 = arith.subi %3, %4 : i32
    %7 = arith.minsi %5, %6 : i32
    %8 = arith.trunci %7 : i32 to i8
    pipeline.yield %8 : i8
  } : tensor<8x8xi8>
  return %o : tensor<8x8xi8>
}

// A float decides how many lanes there are: nothing is gained.
// CHECK-LABEL: @floats
// CHECK:         arith.addi {{.*}} : i32
func.func @floats(%img: tensor<8x8xi8>) -> tensor<8x8xf32> {
  %o = pipeline.stage "o" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<8x8xi8>
    %1 = arith.extui %0 : i8 to i32
    %2 = arith.addi %1, %1 : i32
    %3 = arith.sitofp %2 : i32 to f32
    pipeline.yield %3 : f32
  } : tensor<8x8xf32>
  return %o : tensor<8x8xf32>
}

// Of 64 bits it takes 32, and converts what is not negative as such.
// CHECK-LABEL: @half
// CHECK:         %[[P:.*]] = arith.muli {{.*}} : i32
// CHECK-NEXT:    arith.uitofp %[[P]] : i32 to f32
func.func @half(%img: tensor<8x8xi16>) -> tensor<8x8xf32> {
  %o = pipeline.stage "o" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<8x8xi16>
    %1 = arith.extui %0 : i16 to i64
    %2 = arith.muli %1, %1 : i64
    %3 = arith.sitofp %2 : i64 to f32
    pipeline.yield %3 : f32
  } : tensor<8x8xf32>
  return %o : tensor<8x8xf32>
}

// Shifted farther than 16 bits, and by what is not known.
// CHECK-LABEL: @shifts
// CHECK:         arith.shrui {{.*}} : i32
// CHECK:         arith.shli {{.*}} : i32
func.func @shifts(%img: tensor<8x8xi8>, %by: i32) -> (tensor<8x8xi8>, tensor<8x8xi8>) {
  %far = arith.constant 17 : i32
  %o = pipeline.stage "o" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<8x8xi8>
    %1 = arith.extui %0 : i8 to i32
    %2 = arith.shrui %1, %far : i32
    %3 = arith.trunci %2 : i32 to i8
    pipeline.yield %3 : i8
  } : tensor<8x8xi8>
  %p = pipeline.stage "p" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<8x8xi8>
    %1 = arith.extui %0 : i8 to i32
    %2 = arith.shli %1, %by : i32
    %3 = arith.trunci %2 : i32 to i8
    pipeline.yield %3 : i8
  } : tensor<8x8xi8>
  return %o, %p : tensor<8x8xi8>, tensor<8x8xi8>
}

// Bytes with a sign have the values of their type.
// CHECK-LABEL: @signed_bytes
// CHECK-COUNT-2: arith.extsi {{.*}} : i8 to i16
// CHECK:         arith.addi {{.*}} : i16
// CHECK-NEXT:    arith.shrsi {{.*}} : i16
func.func @signed_bytes(%img: tensor<8x8xi8>) -> tensor<8x8xi8> {
  %one = arith.constant 1 : i32
  %o = pipeline.stage "o" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<8x8xi8>
    %1 = pipeline.load %img[%y, %x + 1] clamp : tensor<8x8xi8>
    %2 = arith.extsi %0 : i8 to i32
    %3 = arith.extsi %1 : i8 to i32
    %4 = arith.addi %2, %3 : i32
    %5 = arith.shrsi %4, %one : i32
    %6 = arith.trunci %5 : i32 to i8
    pipeline.yield %6 : i8
  } : tensor<8x8xi8>
  return %o : tensor<8x8xi8>
}
