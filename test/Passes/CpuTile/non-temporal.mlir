// An image that no cache holds is written with non-temporal stores; where its size is not known, the program asks.

// RUN: pipeline-opt %s --cpu-tile=target=zen5 --canonicalize --cse | FileCheck %s
// RUN: pipeline-opt %s --cpu-tile=target=zen3 --canonicalize --cse | FileCheck %s --check-prefix=POINTWISE

// Of what is computed pointwise some CPUs never do: its loads would wait for such stores. Nor do these ask.
// POINTWISE-LABEL: @large
// POINTWISE-NOT:     nontemporal
// POINTWISE-LABEL: @columns
// POINTWISE:         memref.store {{.*}} {nontemporal = true} : memref<8192x8192xf32, strided<[?, 1]>>

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

// Sixteen bytes are a part of a cache line; so are computed that many points of each row that all stores are of whole ones.
// CHECK-LABEL: @wholes
// CHECK: memref.store {{.*}} {nontemporal = true} : memref<8192x8192xi8, strided<[?, 1]>>
// CHECK: weft.lanes = 64
func.func @wholes(%img: tensor<8192x8192xi8>, %k: i32) -> tensor<8192x8192xi8> {
  %0 = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%y - 1, %x] clamp : tensor<8192x8192xi8>
    %b = pipeline.load %img[%y + 1, %x] clamp : tensor<8192x8192xi8>
    %d = arith.extui %a : i8 to i32
    %e = arith.extui %b : i8 to i32
    %p = arith.muli %d, %k : i32
    %q = arith.addi %p, %e : i32
    %v = arith.trunci %q : i32 to i8
    pipeline.yield %v : i8
  } : tensor<8192x8192xi8>
  return %0 : tensor<8192x8192xi8>
}

// Lanes that somebody asks for fill no line: parts of four rows would be written one by one.
// CHECK-LABEL: @parts
// CHECK-NOT: nontemporal
// CHECK: return
func.func @parts(%img: tensor<8192x8192xi8>, %k: i32) -> tensor<8192x8192xi8> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 64, 8192>, vector = 16 : i64} {
    %0 = pipeline.stage "s" (%y, %x) {
      %a = pipeline.load %img[%y - 1, %x] clamp : tensor<8192x8192xi8>
      %b = pipeline.load %img[%y + 1, %x] clamp : tensor<8192x8192xi8>
      %d = arith.extui %a : i8 to i32
      %e = arith.extui %b : i8 to i32
      %p = arith.muli %d, %k : i32
      %q = arith.addi %p, %e : i32
      %v = arith.trunci %q : i32 to i8
      pipeline.yield %v : i8
    } : tensor<8192x8192xi8>
    pipeline.yield %0 : tensor<8192x8192xi8>
  } : tensor<8192x8192xi8>
  return %out : tensor<8192x8192xi8>
}

// What reads other rows, too, is not pointwise.
// CHECK-LABEL: @columns
// CHECK: memref.store {{.*}} {nontemporal = true} : memref<8192x8192xf32, strided<[?, 1]>>
func.func @columns(%img: tensor<8192x8192xf32>) -> tensor<8192x8192xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<8192x8192xf32>
    %b = pipeline.load %img[%y + 1, %x] clamp : tensor<8192x8192xf32>
    %c = arith.addf %a, %b : f32
    pipeline.yield %c : f32
  } : tensor<8192x8192xf32>
  return %0 : tensor<8192x8192xf32>
}
