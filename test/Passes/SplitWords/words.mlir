// Words of bits are computed in parts as wide as what is compared.

// RUN: pipeline-opt %s --split-words | FileCheck %s

// Five choices of the lowest byte, and four of the highest. What is not chosen may have bits, too.
// CHECK-LABEL: @word
// CHECK:       pipeline.stage
// CHECK:         %[[A:.*]] = arith.cmpi ult
// CHECK-NEXT:    %[[B:.*]] = arith.cmpi ugt
// CHECK-NEXT:    %[[C:.*]] = arith.andi %[[A]], %[[B]] : i1
// CHECK-NEXT:    %[[ONE:.*]] = arith.select %[[A]], %c1_i8, %c0_i8 : i8
// CHECK-NEXT:    %[[TWO:.*]] = arith.select %[[B]], %c2_i8, %c0_i8 : i8
// CHECK-NEXT:    %[[LOW:.*]] = arith.addi %[[ONE]], %[[TWO]] : i8
// CHECK-NEXT:    arith.select %[[C]], %c4_i8, %c8_i8 : i8
// CHECK-NEXT:    arith.addi %[[LOW]]
// CHECK-NEXT:    arith.select %[[A]], %c0_i8, %c48_i8 : i8
// CHECK-NEXT:    arith.addi
// CHECK-NEXT:    arith.select %[[B]], %c64_i8, %c0_i8 : i8
// CHECK-NEXT:    %[[LOW:.*]] = arith.addi
// CHECK-NEXT:    %[[FIRST:.*]] = arith.extui %[[LOW]] : i8 to i32
// CHECK-NEXT:    %[[NEXT:.*]] = arith.select %[[A]], %c2_i8, %c0_i8 : i8
// CHECK-NEXT:    arith.addi %[[ONE]], %[[NEXT]] : i8
// CHECK-NEXT:    arith.select %[[B]], %c4_i8, %c0_i8 : i8
// CHECK-NEXT:    arith.addi
// CHECK-NEXT:    arith.select %[[C]], %c-128_i8, %c0_i8 : i8
// CHECK-NEXT:    %[[HIGH:.*]] = arith.addi
// CHECK-NEXT:    %[[WIDE:.*]] = arith.extui %[[HIGH]] : i8 to i32
// CHECK-NEXT:    %[[LAST:.*]] = arith.shli %[[WIDE]], %c24_i32 : i32
// CHECK-NEXT:    %[[WORD:.*]] = arith.addi %[[FIRST]], %[[LAST]] : i32
// CHECK-NEXT:    pipeline.yield %[[WORD]] : i32
func.func @word(%img: tensor<8x8xi8>) -> tensor<8x8xi32> {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %4 = arith.constant 4 : i32
  %8 = arith.constant 8 : i32
  %48 = arith.constant 48 : i32
  %64 = arith.constant 64 : i32
  %bit25 = arith.constant 33554432 : i32
  %bit26 = arith.constant 67108864 : i32
  %bit31 = arith.constant -2147483648 : i32
  %24 = arith.constant 24 : i32
  %out = pipeline.stage "bits" (%y, %x) {
    %here = pipeline.load %img[%y, %x] : tensor<8x8xi8>
    %next = pipeline.load %img[%y, %x + 1] clamp : tensor<8x8xi8>
    %a = arith.cmpi ult, %next, %here : i8
    %b = arith.cmpi ugt, %next, %here : i8
    %c = arith.andi %a, %b : i1
    %s0 = arith.select %a, %1, %0 : i32
    %s1 = arith.select %b, %2, %0 : i32
    %t1 = arith.addi %s0, %s1 : i32
    %s2 = arith.select %c, %4, %8 : i32
    %t2 = arith.ori %t1, %s2 : i32
    %s3 = arith.select %a, %0, %48 : i32
    %t3 = arith.addi %t2, %s3 : i32
    %s4 = arith.select %b, %64, %0 : i32
    %t4 = arith.addi %t3, %s4 : i32
    // A truth is 1 or 0.
    %e5 = arith.extui %a : i1 to i32
    %s5 = arith.shli %e5, %24 : i32
    %t5 = arith.addi %t4, %s5 : i32
    %s6 = arith.select %a, %bit25, %0 : i32
    %t6 = arith.addi %t5, %s6 : i32
    %s7 = arith.select %b, %bit26, %0 : i32
    %t7 = arith.addi %t6, %s7 : i32
    %s8 = arith.select %c, %bit31, %0 : i32
    %t8 = arith.addi %t7, %s8 : i32
    pipeline.yield %t8 : i32
  } : tensor<8x8xi32>
  return %out : tensor<8x8xi32>
}

// What has a bit in common may carry. Bits of both bytes are of no part, few bits are not worth it, and what is as wide as the word has no parts.
// CHECK-LABEL: @none
// CHECK-NOT:     arith.extui
// CHECK:         return
func.func @none(%img: tensor<8x8xi8>, %floats: tensor<8x8xf32>) -> (tensor<8x8xi16>, tensor<8x8xi16>, tensor<8x8xi32>, tensor<8x8xi32>) {
  %0 = arith.constant 0 : i16
  %3 = arith.constant 3 : i16
  %2 = arith.constant 2 : i16
  %257 = arith.constant 257 : i16
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %256 = arith.constant 256 : i32
  %carry = pipeline.stage "carry" (%y, %x) {
    %here = pipeline.load %img[%y, %x] : tensor<8x8xi8>
    %next = pipeline.load %img[%y, %x + 1] clamp : tensor<8x8xi8>
    %a = arith.cmpi ult, %next, %here : i8
    %b = arith.cmpi ugt, %next, %here : i8
    %s0 = arith.select %a, %3, %0 : i16
    %s1 = arith.select %b, %2, %0 : i16
    %t = arith.addi %s0, %s1 : i16
    pipeline.yield %t : i16
  } : tensor<8x8xi16>
  %both = pipeline.stage "both" (%y, %x) {
    %here = pipeline.load %img[%y, %x] : tensor<8x8xi8>
    %next = pipeline.load %img[%y, %x + 1] clamp : tensor<8x8xi8>
    %a = arith.cmpi ult, %next, %here : i8
    %b = arith.cmpi ugt, %next, %here : i8
    %s0 = arith.select %a, %257, %0 : i16
    %s1 = arith.select %b, %2, %0 : i16
    %t = arith.addi %s0, %s1 : i16
    pipeline.yield %t : i16
  } : tensor<8x8xi16>
  %few = pipeline.stage "few" (%y, %x) {
    %here = pipeline.load %img[%y, %x] : tensor<8x8xi8>
    %next = pipeline.load %img[%y, %x + 1] clamp : tensor<8x8xi8>
    %a = arith.cmpi ult, %next, %here : i8
    %b = arith.cmpi ugt, %next, %here : i8
    %s0 = arith.select %a, %one, %none : i32
    %s1 = arith.select %b, %256, %none : i32
    %t = arith.addi %s0, %s1 : i32
    pipeline.yield %t : i32
  } : tensor<8x8xi32>
  %wide = pipeline.stage "wide" (%y, %x) {
    %here = pipeline.load %floats[%y, %x] : tensor<8x8xf32>
    %next = pipeline.load %floats[%y, %x + 1] clamp : tensor<8x8xf32>
    %a = arith.cmpf olt, %next, %here : f32
    %b = arith.cmpf ogt, %next, %here : f32
    %s0 = arith.select %a, %one, %none : i32
    %s1 = arith.select %b, %256, %none : i32
    %t = arith.addi %s0, %s1 : i32
    pipeline.yield %t : i32
  } : tensor<8x8xi32>
  return %carry, %both, %few, %wide : tensor<8x8xi16>, tensor<8x8xi16>, tensor<8x8xi32>, tensor<8x8xi32>
}

// A word that is added to something else is still one.
// CHECK-LABEL: @more
// CHECK:       pipeline.stage
// CHECK-COUNT-3: arith.addi {{.*}} : i8
// CHECK-NEXT:    %[[WORD:.*]] = arith.extui %{{.*}} : i8 to i64
// CHECK-NEXT:    %[[MORE:.*]] = arith.addi %[[WORD]], %{{.*}} : i64
// CHECK-NEXT:    pipeline.yield %[[MORE]] : i64
func.func @more(%img: tensor<8x8xi8>, %by: i64) -> tensor<8x8xi64> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %4 = arith.constant 4 : i64
  %8 = arith.constant 8 : i64
  %out = pipeline.stage "bits" (%y, %x) {
    %here = pipeline.load %img[%y, %x] : tensor<8x8xi8>
    %next = pipeline.load %img[%y, %x + 1] clamp : tensor<8x8xi8>
    %a = arith.cmpi ult, %next, %here : i8
    %s0 = arith.select %a, %1, %0 : i64
    %s1 = arith.select %a, %2, %0 : i64
    %t1 = arith.addi %s0, %s1 : i64
    %s2 = arith.select %a, %4, %0 : i64
    %t2 = arith.addi %t1, %s2 : i64
    %s3 = arith.select %a, %8, %0 : i64
    %t3 = arith.addi %t2, %s3 : i64
    %t4 = arith.addi %t3, %by : i64
    pipeline.yield %t4 : i64
  } : tensor<8x8xi64>
  return %out : tensor<8x8xi64>
}
