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
