// Pixels: lanes lie along the last dimension that has several threads, and each has all colours, which are neighbours in memory. The two
// pixels of a thread are a block apart.

// RUN: pipeline-opt %s --map-to-gpu | FileCheck %s

// CHECK: gpu.func @mixed_g0_out({{.*}} attributes {{{.*}}nvvm.reqntid = array<i32: 1, 32, 8>}
// CHECK: %[[BX:.*]] = gpu.block_id  y
// CHECK: %[[FIRST:.*]] = arith.muli %[[BX]], %c64
// CHECK: %[[TX:.*]] = gpu.thread_id  y
// CHECK: %[[X:.*]] = arith.addi %[[FIRST]], %[[TX]]
// CHECK: gpu.block_id  z
// CHECK: %[[Y:.*]] = arith.addi
// A warp that lies inside the image asks once.
// CHECK: scf.if
// CHECK-NEXT: %[[R0:.*]] = memref.load %img[%[[Y]], %[[X]], %c0]
// CHECK-NEXT: %[[X1:.*]] = arith.addi %[[X]], %c32
// CHECK-NEXT: %[[R1:.*]] = memref.load %img[%[[Y]], %[[X1]], %c0]
// CHECK-NEXT: %[[G0:.*]] = memref.load %img[%[[Y]], %[[X]], %c1]
// CHECK-NEXT: memref.load %img[%[[Y]], %[[X]], %c2]
// CHECK-NEXT: memref.load %img[%[[Y]], %[[X1]], %c1]
// CHECK-NEXT: memref.load %img[%[[Y]], %[[X1]], %c2]
// What all colours read is loaded once.
// CHECK-NOT: memref.load
// CHECK: arith.subi %[[G0]], %[[R0]]
// CHECK: memref.store %{{.*}}, %out_out[%[[Y]], %[[X]], %c0]
// CHECK-NEXT: memref.store %{{.*}}, %out_out[%[[Y]], %[[X]], %c1]
// CHECK-NEXT: memref.store %{{.*}}, %out_out[%[[Y]], %[[X]], %c2]
// CHECK-NEXT: memref.store %{{.*}}, %out_out[%[[Y]], %[[X1]], %c0]
// CHECK: } else {
func.func @mixed(%img: tensor<?x?x3xi8> {weft.name = "img"}) -> (tensor<?x?x3xi8> {weft.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?x3xi8>
  %n = tensor.dim %img, %c1 : tensor<?x?x3xi8>
  %g0 = pipeline.group "g0" schedule {block = array<i64: 8, 32, 1>, scope = "thread", tile = array<i64: 1, 2, 3>} {
    %out = pipeline.stage "out" (%y, %x, %c) {
      %r = pipeline.load %img[%y, %x, 0] : tensor<?x?x3xi8>
      %v = pipeline.load %img[%y, %x, %c] : tensor<?x?x3xi8>
      %s = arith.subi %v, %r : i8
      pipeline.yield %s : i8
    } sized(%h, %n) : tensor<?x?x3xi8>
    pipeline.yield %out : tensor<?x?x3xi8>
  } : tensor<?x?x3xi8>
  return %g0 : tensor<?x?x3xi8>
}
