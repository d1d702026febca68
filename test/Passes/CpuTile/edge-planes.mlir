// What is beyond planes of an image is a number that stands for it: planes that read it are border, so that others do not ask.

// RUN: pipeline-opt %s --cpu-tile=target=zen4 --canonicalize --cse | FileCheck %s

// The first and the last of 64 planes.
// CHECK-LABEL: @many
// CHECK:       %[[BEFORE:.*]] = arith.addi %[[P:.*]], %c-1
// CHECK-NEXT:  %[[ABOVE:.*]] = arith.cmpi sge, %[[BEFORE]], %c0
// CHECK-NEXT:  %[[BELOW:.*]] = arith.cmpi slt, %[[BEFORE]], %c64
// CHECK-NEXT:  %[[FIRST:.*]] = arith.andi %[[ABOVE]], %[[BELOW]]
// CHECK:       %[[SECOND:.*]] = arith.andi
// CHECK-NEXT:  %[[INSIDE:.*]] = arith.andi %[[FIRST]], %[[SECOND]]
// CHECK-NEXT:  %[[LEFT:.*]] = arith.select %[[INSIDE]], %c0, %c32
// CHECK:       scf.for %{{.*}} = %[[LEFT]] to
// CHECK-NOT:   arith.select {{.*}} : f32
// CHECK:       {weft.lanes = 16 : i64, weft.wide}
// CHECK:       arith.select %[[FIRST]], %{{.*}} : f32
// CHECK:       {weft.lanes = 16 : i64, weft.masked}
func.func @many(%img: tensor<64x16xf32>, %weights: tensor<2x32xf32>) -> tensor<64x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %out = pipeline.group "g0" schedule {tile = array<i64: 1, 16, 32>} {
    %a = pipeline.stage "a" (%p, %y, %x) {
      %0 = pipeline.load %img[%p - 1, %y] constant(%zero) : tensor<64x16xf32>
      %1 = pipeline.load %img[%p + 1, %y] constant(%zero) : tensor<64x16xf32>
      %2 = pipeline.load %weights[0, %x] : tensor<2x32xf32>
      %3 = pipeline.load %weights[1, %x] : tensor<2x32xf32>
      %4 = arith.mulf %0, %2 : f32
      %5 = math.fma %1, %3, %4 : f32
      pipeline.yield %5 : f32
    } : tensor<64x16x32xf32>
    pipeline.yield %a : tensor<64x16x32xf32>
  } : tensor<64x16x32xf32>
  return %out : tensor<64x16x32xf32>
}

// Two of four planes would be half of all.
// CHECK-LABEL: @few
// CHECK:       scf.for %{{.*}} = %c0 to %c32
// CHECK:       arith.select {{.*}} : f32
// CHECK:       {weft.lanes = 16 : i64, weft.wide}
func.func @few(%img: tensor<4x16xf32>, %weights: tensor<2x32xf32>) -> tensor<4x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %out = pipeline.group "g0" schedule {tile = array<i64: 1, 16, 32>} {
    %a = pipeline.stage "a" (%p, %y, %x) {
      %0 = pipeline.load %img[%p - 1, %y] constant(%zero) : tensor<4x16xf32>
      %1 = pipeline.load %img[%p + 1, %y] constant(%zero) : tensor<4x16xf32>
      %2 = pipeline.load %weights[0, %x] : tensor<2x32xf32>
      %3 = pipeline.load %weights[1, %x] : tensor<2x32xf32>
      %4 = arith.mulf %0, %2 : f32
      %5 = math.fma %1, %3, %4 : f32
      pipeline.yield %5 : f32
    } : tensor<4x16x32xf32>
    pipeline.yield %a : tensor<4x16x32xf32>
  } : tensor<4x16x32xf32>
  return %out : tensor<4x16x32xf32>
}
