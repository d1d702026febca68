// A coordinate that is counted from the other end of its extent stays inside of what has this extent: nothing is spent on its boundary mode, and rows
// of columns are computed many at a time, as in a transposition.

// RUN: pipeline-opt %s --cpu-tile=target=zen5 --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @flip
// CHECK:       %[[END:.*]] = arith.subi %{{.*}}, %c1 : index
// CHECK:       %[[FROM:.*]] = arith.subi %[[END]], %[[X:.*]] : index
// CHECK-NEXT:  %[[V:.*]] = memref.load %{{.*}}[%[[Y:.*]], %[[FROM]]]
// CHECK:       memref.store %[[V]], %{{.*}}[%[[Y]], %[[X]]]
func.func @flip(%img: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %last = arith.subi %w, %c1 : index
  %0 = pipeline.stage "flip" (%y, %x) {
    %from = arith.subi %last, %x : index
    %v = pipeline.gather %img[%y, %from] clamp : tensor<?x?xf32>
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// In another order.
// CHECK-LABEL: @turned
// CHECK:       scf.for %{{.*}} step %c16
// CHECK-COUNT-16: memref.load
func.func @turned(%img: tensor<?x?xi8>) -> tensor<?x?xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xi8>
  %w = tensor.dim %img, %c1 : tensor<?x?xi8>
  %0 = pipeline.stage "turned" (%y, %x) {
    %rest = arith.subi %h, %x : index
    %from = arith.subi %rest, %c1 : index
    %v = pipeline.gather %img[%from, %y] clamp : tensor<?x?xi8>
    pipeline.yield %v : i8
  } sized(%w, %h) : tensor<?x?xi8>
  return %0 : tensor<?x?xi8>
}

// Of another extent, and from beside the end, it may leave.
// CHECK-LABEL: @others
// CHECK:       arith.subi %{{.*}}, %{{.*}} : index
// CHECK:       arith.maxsi
// CHECK:       arith.minsi
// CHECK:       memref.load
// CHECK:       arith.maxsi
// CHECK:       arith.minsi
// CHECK:       memref.load
func.func @others(%img: tensor<?xf32>, %other: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = tensor.dim %img, %c0 : tensor<?xf32>
  %last = arith.subi %w, %c1 : index
  %0 = pipeline.stage "others" (%x) {
    %from = arith.subi %w, %x : index
    %a = pipeline.gather %img[%from] clamp : tensor<?xf32>
    %end = arith.subi %last, %x : index
    %b = pipeline.gather %other[%end] clamp : tensor<?xf32>
    %s = arith.addf %a, %b : f32
    pipeline.yield %s : f32
  } sized(%w) : tensor<?xf32>
  return %0 : tensor<?xf32>
}
