// An image that no cache holds is written with non-temporal stores; where its size is not known, the program asks.

// RUN: pipeline-opt %s --cpu-tile=target=zen5 --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @small
// CHECK-NOT: nontemporal
// CHECK: return
func.func @small(%img: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<64x64xf32>
    pipeline.yield %a : f32
  } : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// CHECK-LABEL: @large
// CHECK: memref.store {{.*}} {nontemporal = true} : memref<4096x4096xf32, strided<[?, 1]>>
func.func @large(%img: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<4096x4096xf32>
    pipeline.yield %a : f32
  } : tensor<4096x4096xf32>
  return %0 : tensor<4096x4096xf32>
}

// CHECK-LABEL: @unknown
// CHECK: %[[POINTS:.*]] = arith.muli
// CHECK: %[[PAST:.*]] = arith.cmpi sge, %[[POINTS]], %c4194304
// CHECK: scf.if %[[PAST]]
// CHECK:   memref.store {{.*}} {nontemporal = true}
// CHECK: } else {
// CHECK:   memref.store
func.func @unknown(%img: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %0 = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<?x?xf32>
    pipeline.yield %a : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
