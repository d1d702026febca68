// Affine indices as arithmetic. Division rounds down and remainders are not negative, whatever the sign.

// RUN: pipeline-opt %s -convert-pipeline-to-loops -canonicalize -cse | FileCheck %s

// CHECK-LABEL: @down
// CHECK-SAME:  %[[IMG:[^:]*]]: memref
func.func @down(%img: tensor<8xf32>) -> tensor<4xf32> {
  // CHECK-DAG:  %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG:  %[[C2:.*]] = arith.constant 2 : index
  // CHECK:      scf.for %[[X:.*]] =
  // CHECK-NEXT:   %[[DOUBLE:.*]] = arith.muli %[[X]], %[[C2]] : index
  // CHECK-NEXT:   %[[I:.*]] = arith.addi %[[DOUBLE]], %[[C1]] : index
  // CHECK-NEXT:   memref.load %[[IMG]][%[[I]]]
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x * 2 + 1] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @up
// CHECK-SAME:  %[[IMG:[^:]*]]: memref
func.func @up(%img: tensor<8xf32>) -> tensor<16xf32> {
  // CHECK-DAG:  %[[C2:.*]] = arith.constant 2 : index
  // CHECK:      scf.for %[[X:.*]] =
  // CHECK-NEXT:   %[[I:.*]] = arith.floordivsi %[[X]], %[[C2]] : index
  // CHECK-NEXT:   memref.load %[[IMG]][%[[I]]]
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x floordiv 2] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<16xf32>
  return %0 : tensor<16xf32>
}

// CHECK-LABEL: @mod
// CHECK-SAME:  %[[IMG:[^:]*]]: memref
func.func @mod(%img: tensor<8xf32>) -> tensor<16xf32> {
  // CHECK-NOT:    arith.remsi
  // CHECK:        %[[QUOTIENT:.*]] = arith.floordivsi %[[I:.*]], %[[C3:.*]] : index
  // CHECK-NEXT:   %[[MULTIPLE:.*]] = arith.muli %[[QUOTIENT]], %{{.*}} : index
  // CHECK-NEXT:   %[[REST:.*]] = arith.addi %[[I]], %[[MULTIPLE]] : index
  // CHECK-NEXT:   memref.load %[[IMG]][%[[REST]]]
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[(%x - 8) mod 3] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<16xf32>
  return %0 : tensor<16xf32>
}

// CHECK-LABEL: @ceildiv
func.func @ceildiv(%img: tensor<8xf32>) -> tensor<15xf32> {
  // CHECK:      scf.for %[[X:.*]] =
  // CHECK-NEXT:   %[[UP:.*]] = arith.addi %[[X]], %{{.*}} : index
  // CHECK-NEXT:   arith.floordivsi %[[UP]]
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x ceildiv 2] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<15xf32>
  return %0 : tensor<15xf32>
}

// CHECK-LABEL: @number
// CHECK-SAME:  %[[IMG:[^:]*]]: memref
func.func @number(%img: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: %[[C3:.*]] = arith.constant 3 : index
  // CHECK: memref.load %[[IMG]][%[[C3]]]
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[3] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @transposed
// CHECK-SAME:  %[[IMG:[^:]*]]: memref
func.func @transposed(%img: tensor<4x8xf32>) -> tensor<8x4xf32> {
  // CHECK: scf.for %[[Y:.*]] =
  // CHECK: scf.for %[[X:.*]] =
  // CHECK: %[[V:.*]] = memref.load %[[IMG]][%[[X]], %[[Y]]]
  // CHECK: memref.store %[[V]], %{{.*}}[%[[Y]], %[[X]]]
  %0 = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%x, %y] : tensor<4x8xf32>
    pipeline.yield %a : f32
  } : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// Coordinates are values too.
// CHECK-LABEL: @coordinate_as_value
func.func @coordinate_as_value() -> tensor<8xi32> {
  // CHECK:      scf.for %[[X:.*]] =
  // CHECK-NEXT:   %[[V:.*]] = arith.index_cast %[[X]] : index to i32
  // CHECK-NEXT:   memref.store %[[V]], %{{.*}}[%[[X]]]
  %0 = pipeline.stage "s" (%x) {
    %v = arith.index_cast %x : index to i32
    pipeline.yield %v : i32
  } : tensor<8xi32>
  return %0 : tensor<8xi32>
}
