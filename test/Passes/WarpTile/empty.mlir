// A stage that may have no points where another of its group has some gets a kernel of its own: its lanes would load what is at the edge of an
// image that may have none either.

// RUN: pipeline-opt %s -split-input-file --warp-tile | FileCheck %s
// RUN: pipeline-opt %s -split-input-file --block-tile | FileCheck %s

// CHECK-LABEL: gpu.module @beside_kernels
// CHECK-COUNT-2: gpu.func
// CHECK-NOT:   gpu.func
func.func @beside(%a: tensor<1x?xf64>, %b: tensor<1x1xf64>) -> (tensor<1x1xf64>, tensor<1x?xf64>) {
  %c1 = arith.constant 1 : index
  %w = tensor.dim %a, %c1 : tensor<1x?xf64>
  %g:2 = pipeline.group "g" schedule {tile = array<i64: 4, 4>} {
    %s = pipeline.stage "s" (%y, %x) {
      %0 = pipeline.load %b[%y, %x] : tensor<1x1xf64>
      pipeline.yield %0 : f64
    } : tensor<1x1xf64>
    %t = pipeline.stage "t" (%y, %x) {
      %0 = pipeline.load %a[%y, %x - 1] clamp : tensor<1x?xf64>
      pipeline.yield %0 : f64
    } sized(%w) : tensor<1x?xf64>
    pipeline.yield %s, %t : tensor<1x1xf64>, tensor<1x?xf64>
  } : tensor<1x1xf64>, tensor<1x?xf64>
  return %g#0, %g#1 : tensor<1x1xf64>, tensor<1x?xf64>
}

// -----

// Every second column, rounded up: it has points where all columns have.
// CHECK-LABEL: gpu.module @half_kernels
// CHECK-COUNT-1: gpu.func
// CHECK-NOT:   gpu.func
func.func @half(%a: tensor<1x?xf64>) -> (tensor<1x?xf64>, tensor<1x?xf64>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w = tensor.dim %a, %c1 : tensor<1x?xf64>
  %half = arith.ceildivsi %w, %c2 : index
  %g:2 = pipeline.group "g" schedule {tile = array<i64: 4, 32>} {
    %s = pipeline.stage "s" (%y, %x) {
      %0 = pipeline.load %a[%y, %x] : tensor<1x?xf64>
      pipeline.yield %0 : f64
    } sized(%w) : tensor<1x?xf64>
    %t = pipeline.stage "t" (%y, %x) {
      %0 = pipeline.load %s[%y, %x * 2] : tensor<1x?xf64>
      %1 = pipeline.load %a[%y, %x * 2] clamp : tensor<1x?xf64>
      %2 = arith.addf %0, %1 : f64
      pipeline.yield %2 : f64
    } sized(%half) : tensor<1x?xf64>
    pipeline.yield %s, %t : tensor<1x?xf64>, tensor<1x?xf64>
  } : tensor<1x?xf64>, tensor<1x?xf64>
  return %g#0, %g#1 : tensor<1x?xf64>, tensor<1x?xf64>
}

// -----

// Extents of two arguments, of which nothing is said: one may be 0 where the other is not.
// CHECK-LABEL: gpu.module @others_kernels
// CHECK-COUNT-2: gpu.func
// CHECK-NOT:   gpu.func
func.func @others(%a: tensor<?xf64>, %b: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf64>
  %m = tensor.dim %b, %c0 : tensor<?xf64>
  %g:2 = pipeline.group "g" schedule {tile = array<i64: 32>} {
    %s = pipeline.stage "s" (%x) {
      %0 = pipeline.load %a[%x - 1] clamp : tensor<?xf64>
      pipeline.yield %0 : f64
    } sized(%n) : tensor<?xf64>
    %t = pipeline.stage "t" (%x) {
      %0 = pipeline.load %b[%x - 1] clamp : tensor<?xf64>
      pipeline.yield %0 : f64
    } sized(%m) : tensor<?xf64>
    pipeline.yield %s, %t : tensor<?xf64>, tensor<?xf64>
  } : tensor<?xf64>, tensor<?xf64>
  return %g#0, %g#1 : tensor<?xf64>, tensor<?xf64>
}

// -----

// The program checks that they are the same, over a third one; and that another is their half.
// CHECK-LABEL: gpu.module @tied_kernels
// CHECK-COUNT-1: gpu.func
// CHECK-NOT:   gpu.func
func.func @tied(%a: tensor<?xf64>, %b: tensor<?xf64>, %c: tensor<?xf64>, %d: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?xf64>
  %m = tensor.dim %b, %c0 : tensor<?xf64>
  %k = tensor.dim %c, %c0 : tensor<?xf64>
  %j = tensor.dim %d, %c0 : tensor<?xf64>
  %half = arith.ceildivsi %k, %c2 : index
  %0 = arith.cmpi eq, %k, %n : index
  %1 = arith.cmpi eq, %m, %k : index
  %2 = arith.cmpi eq, %j, %half : index
  %3 = arith.andi %0, %1 : i1
  cf.assert %3, "as large as each other"
  cf.assert %2, "half as large"
  %g:3 = pipeline.group "g" schedule {tile = array<i64: 32>} {
    %s = pipeline.stage "s" (%x) {
      %4 = pipeline.load %a[%x - 1] clamp : tensor<?xf64>
      pipeline.yield %4 : f64
    } sized(%n) : tensor<?xf64>
    %t = pipeline.stage "t" (%x) {
      %4 = pipeline.load %b[%x - 1] clamp : tensor<?xf64>
      pipeline.yield %4 : f64
    } sized(%m) : tensor<?xf64>
    %u = pipeline.stage "u" (%x) {
      %4 = pipeline.load %d[%x - 1] clamp : tensor<?xf64>
      pipeline.yield %4 : f64
    } sized(%j) : tensor<?xf64>
    pipeline.yield %s, %t, %u : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
  } : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
  return %g#0, %g#1, %g#2 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
