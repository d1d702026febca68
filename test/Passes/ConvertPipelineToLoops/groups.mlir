// Groups mean nothing to the reference: their stages are lowered as if they stood in the function.

// RUN: pipeline-opt %s -convert-pipeline-to-loops > %t.groups
// RUN: sed -e '/pipeline.group/d' -e '/END OF GROUP/d' %s > %t.mlir
// RUN: pipeline-opt %t.mlir -convert-pipeline-to-loops > %t.stages
// RUN: diff %t.groups %t.stages
// RUN: FileCheck %s --input-file=%t.groups

// CHECK-LABEL: func.func @f
// CHECK-NOT:   pipeline.
// CHECK:       memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK:       memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NOT:   memref.alloc
// CHECK:       return
func.func @f(%img: tensor<8xf32>) -> tensor<8xf32> {
  %b = pipeline.group "g0" schedule {block = array<i64: 8>} {
    %a = pipeline.stage "a" (%x) {
      %0 = pipeline.load %img[%x - 1] clamp : tensor<8xf32>
      pipeline.yield %0 : f32
    } : tensor<8xf32>
    %b = pipeline.stage "b" (%x) {
      %0 = pipeline.load %a[%x - 1] clamp : tensor<8xf32>
      pipeline.yield %0 : f32
    } : tensor<8xf32>
    pipeline.yield %b : tensor<8xf32> // END OF GROUP
  } : tensor<8xf32> // END OF GROUP
  %c = pipeline.group "g1" {
    %c = pipeline.stage "c" (%x) {
      %0 = pipeline.load %b[%x - 1] clamp : tensor<8xf32>
      pipeline.yield %0 : f32
    } : tensor<8xf32>
    pipeline.yield %c : tensor<8xf32> // END OF GROUP
  } : tensor<8xf32> // END OF GROUP
  return %c : tensor<8xf32>
}
