// What a stage yields is kept in the fewest bits that hold its values.

// RUN: pipeline-opt %s --narrow-integers --canonicalize | FileCheck %s

// 0 to 510, 0 to 255 and -255 to 255.
// CHECK-LABEL: @formats
// CHECK:         pipeline.yield %{{.*}}, %{{.*}}, %{{.*}} : i16, i8, i16
// CHECK-NEXT:  } : tensor<8x8xi16>, tensor<8x8xi8>, tensor<8x8xi16>
// CHECK:         %[[A:.*]] = pipeline.load %{{.*}}#0[%y, %x + 1] clamp : tensor<8x8xi16>
// CHECK-NEXT:    arith.extui %[[A]] : i16 to i32
// CHECK:         %[[B:.*]] = pipeline.load %{{.*}}#1[%y, %x] : tensor<8x8xi8>
// CHECK-NEXT:    arith.extui %[[B]] : i8 to i32
// CHECK:         %[[C:.*]] = pipeline.load %{{.*}}#2[%y, %x] : tensor<8x8xi16>
// CHECK-NEXT:    arith.extsi %[[C]] : i16 to i32
func.func @formats(%img: tensor<8x8xi8>, %scale: i32) -> tensor<8x8xi32> {
  %s:3 = pipeline.stage "s" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<8x8xi8>
    %1 = pipeline.load %img[%y, %x + 1] clamp : tensor<8x8xi8>
    %2 = arith.extui %0 : i8 to i32
    %3 = arith.extui %1 : i8 to i32
    %4 = arith.addi %2, %3 : i32
    %5 = arith.subi %2, %3 : i32
    pipeline.yield %4, %2, %5 : i32, i32, i32
  } : tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>
  %o = pipeline.stage "o" (%y, %x) {
    %0 = pipeline.load %s#0[%y, %x + 1] clamp : tensor<8x8xi32>
    %1 = pipeline.load %s#1[%y, %x] : tensor<8x8xi32>
    %2 = pipeline.load %s#2[%y, %x] : tensor<8x8xi32>
    %3 = arith.addi %0, %1 : i32
    %4 = arith.addi %3, %2 : i32
    %5 = arith.muli %4, %scale : i32
    pipeline.yield %5 : i32
  } : tensor<8x8xi32>
  return %o : tensor<8x8xi32>
}

// Padding values are constants of the narrow type; where it has no such constant, the stage is as wide as it was.
// CHECK-LABEL: @padding
// CHECK-DAG:     %[[FAR:.*]] = arith.constant -1 : i32
// CHECK-DAG:     %[[NEAR:.*]] = arith.constant -56 : i8
// CHECK:         pipeline.yield %{{.*}}, %{{.*}} : i8, i32
// CHECK:         pipeline.load %{{.*}}#0[%y, %x + 1] constant(%[[NEAR]]) : tensor<8x8xi8>
// CHECK:         pipeline.load %{{.*}}#1[%y, %x + 1] constant(%[[FAR]]) : tensor<8x8xi32>
func.func @padding(%img: tensor<8x8xi8>, %scale: i32) -> tensor<8x8xi32> {
  %near = arith.constant 200 : i32
  %far = arith.constant -1 : i32
  %s:2 = pipeline.stage "s" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<8x8xi8>
    %1 = arith.extui %0 : i8 to i32
    pipeline.yield %1, %1 : i32, i32
  } : tensor<8x8xi32>, tensor<8x8xi32>
  %o = pipeline.stage "o" (%y, %x) {
    %0 = pipeline.load %s#0[%y, %x + 1] constant(%near) : tensor<8x8xi32>
    %1 = pipeline.load %s#1[%y, %x + 1] constant(%far) : tensor<8x8xi32>
    %2 = arith.addi %0, %1 : i32
    %3 = arith.muli %2, %scale : i32
    pipeline.yield %3 : i32
  } : tensor<8x8xi32>
  return %o : tensor<8x8xi32>
}

// Through stages: what was brought between limits, masked, shifted, divided.
// CHECK-LABEL: @chain
// CHECK:       pipeline.stage "limited"
// CHECK:         pipeline.yield %{{.*}} : i16
// CHECK:       pipeline.stage "masked"
// CHECK:         pipeline.yield %{{.*}} : i8
// CHECK:       pipeline.stage "shifted"
// CHECK:         pipeline.yield %{{.*}} : i8
// CHECK:       pipeline.stage "divided"
// CHECK:         pipeline.yield %{{.*}} : i8
func.func @chain(%img: tensor<8x8xi32>) -> tensor<8x8xi32> {
  %least = arith.constant -300 : i32
  %greatest = arith.constant 300 : i32
  %mask = arith.constant 127 : i32
  %two = arith.constant 2 : i32
  %limited = pipeline.stage "limited" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<8x8xi32>
    %1 = arith.maxsi %0, %least : i32
    %2 = arith.minsi %1, %greatest : i32
    pipeline.yield %2 : i32
  } : tensor<8x8xi32>
  %masked = pipeline.stage "masked" (%y, %x) {
    %0 = pipeline.load %limited[%y, %x] : tensor<8x8xi32>
    %1 = arith.andi %0, %mask : i32
    pipeline.yield %1 : i32
  } : tensor<8x8xi32>
  %shifted = pipeline.stage "shifted" (%y, %x) {
    %0 = pipeline.load %limited[%y, %x] : tensor<8x8xi32>
    %1 = arith.shrsi %0, %two : i32
    pipeline.yield %1 : i32
  } : tensor<8x8xi32>
  %divided = pipeline.stage "divided" (%y, %x) {
    %0 = pipeline.load %masked[%y, %x + 1] clamp : tensor<8x8xi32>
    %1 = arith.divui %0, %two : i32
    pipeline.yield %1 : i32
  } : tensor<8x8xi32>
  %o = pipeline.stage "o" (%y, %x) {
    %0 = pipeline.load %shifted[%y, %x] : tensor<8x8xi32>
    %1 = pipeline.load %divided[%y, %x] : tensor<8x8xi32>
    %2 = arith.addi %0, %1 : i32
    pipeline.yield %2 : i32
  } : tensor<8x8xi32>
  return %o : tensor<8x8xi32>
}

// What may wrap has no range, and results of the program and of iterates keep their types.
// CHECK-LABEL: @kept
// CHECK-COUNT-2: pipeline.yield %{{.*}} : i32
func.func @kept(%img: tensor<8x8xi8>, %wide: tensor<8x8xi32>) -> (tensor<8x8xi32>, tensor<8x8xi32>) {
  %returned = pipeline.stage "returned" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<8x8xi8>
    %1 = arith.extui %0 : i8 to i32
    pipeline.yield %1 : i32
  } : tensor<8x8xi32>
  %wraps = pipeline.stage "wraps" (%y, %x) {
    %0 = pipeline.load %wide[%y, %x] : tensor<8x8xi32>
    %1 = pipeline.load %returned[%y, %x] : tensor<8x8xi32>
    %2 = arith.addi %0, %1 : i32
    pipeline.yield %2 : i32
  } : tensor<8x8xi32>
  return %returned, %wraps : tensor<8x8xi32>, tensor<8x8xi32>
}
