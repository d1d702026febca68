// Kernels have 32-bit indices: larger images are refused, at compile time or at entry. Empty images launch nothing.
// RUN: pipeline-opt --map-to-gpu -split-input-file -verify-diagnostics %s | FileCheck %s

// expected-error @+1 {{image 'img' (memref<65536x65536xf32>) has more than 2147483647 points, the most that a kernel can index}}
func.func @huge(%img: tensor<65536x65536xf32> {weft.name = "img"}) -> tensor<65536x65536xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<65536x65536xf32>
    pipeline.yield %a : f32
  } : tensor<65536x65536xf32>
  return %0 : tensor<65536x65536xf32>
}

// -----

func.func @between(%img: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{stage "wide" has more than 2147483647 points, the most that a kernel can index}}
  %0 = pipeline.stage "wide" (%y, %x) {
    %a = pipeline.load %img[%x] clamp : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<65536x65536xf32>
  %1 = pipeline.stage "s" (%x) {
    %a = pipeline.load %0[%x, %x] : tensor<65536x65536xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @dynamic(
// CHECK: cf.assert %{{.*}}, "{{.*}}: an image has more points than a kernel can index (2147483647), expected arg0.x <= 2147483647"
// CHECK: scf.if
// CHECK: gpu.launch_func
func.func @dynamic(%img: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %img, %c0 : tensor<?xf32>
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<?xf32>
    pipeline.yield %a : f32
  } sized(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// One check for all images of these extents, the memory for the result among them. What is known of the extents is in the limit. An extent
// beyond it is cut off, that the product has 64 bits: an image of no column may have any number of rows.
// CHECK-LABEL: func.func @planes(
// CHECK-DAG: %[[CUT:.*]] = arith.constant 2147483648 : index
// CHECK-DAG: %[[THIRD:.*]] = arith.constant 715827882 : index
// CHECK:     the memory for result #0
// CHECK:     the memory for result #0
// CHECK-NEXT: %[[H:.*]] = arith.minsi %[[Y:.*]], %[[CUT]] : index
// CHECK-NEXT: %[[W:.*]] = arith.minsi %[[X:.*]], %[[CUT]] : index
// CHECK-NEXT: %[[POINTS:.*]] = arith.muli %[[H]], %[[W]] : index
// CHECK-NEXT: %[[FEW:.*]] = arith.cmpi sle, %[[POINTS]], %[[THIRD]] : index
// CHECK-NEXT: cf.assert %[[FEW]], "{{.*}}: an image has more points than a kernel can index (2147483647), expected arg0.y * arg0.x <= 715827882"
// CHECK-NOT: more points
// CHECK: return
func.func @planes(%img: tensor<3x?x?xf32>) -> tensor<3x?x?xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = tensor.dim %img, %c1 : tensor<3x?x?xf32>
  %w = tensor.dim %img, %c2 : tensor<3x?x?xf32>
  %0 = pipeline.stage "s" (%c, %y, %x) {
    %a = pipeline.load %img[%c, %y, %x] : tensor<3x?x?xf32>
    pipeline.yield %a : f32
  } sized(%h, %w) : tensor<3x?x?xf32>
  return %0 : tensor<3x?x?xf32>
}

// -----

// A product of three extents that are small enough may leave 64 bits, unless that of two is cut off, too.
// CHECK-LABEL: func.func @volume(
// CHECK: %[[Z:.*]] = arith.minsi %{{.*}}, %c2147483648 : index
// CHECK: %[[Y:.*]] = arith.minsi %{{.*}}, %c2147483648 : index
// CHECK: %[[PLANE:.*]] = arith.muli %[[Z]], %[[Y]] : index
// CHECK: %[[FEW:.*]] = arith.minsi %[[PLANE]], %c2147483648 : index
// CHECK: %[[X:.*]] = arith.minsi %{{.*}}, %c2147483648 : index
// CHECK: arith.muli %[[FEW]], %[[X]] : index
// CHECK: an image has more points than a kernel can index (2147483647), expected arg0.c * arg0.y * arg0.x <= 2147483647
// CHECK-NOT: more points
func.func @volume(%img: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %img, %c0 : tensor<?x?x?xf32>
  %h = tensor.dim %img, %c1 : tensor<?x?x?xf32>
  %w = tensor.dim %img, %c2 : tensor<?x?x?xf32>
  %0 = pipeline.stage "s" (%z, %y, %x) {
    %a = pipeline.load %img[%z, %y, %x] : tensor<?x?x?xf32>
    pipeline.yield %a : f32
  } sized(%n, %h, %w) : tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// -----

// CHECK-LABEL: func.func @empty(
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @empty(%v: f32) -> tensor<0x8xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    pipeline.yield %v : f32
  } : tensor<0x8xf32>
  return %0 : tensor<0x8xf32>
}
