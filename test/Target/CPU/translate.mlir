// pipeline-translate: LLVM IR of stages, and of what is lowered already.

// RUN: pipeline-translate --mlir-to-llvmir %s | FileCheck %s
// RUN: pipeline-opt %s --pipeline-to-cpu | pipeline-translate --mlir-to-llvmir | FileCheck %s
// RUN: pipeline-translate --mlir-to-llvmir %s -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll
// RUN: llvm-as %t.ll -o /dev/null

// CHECK: define void @f(ptr
// CHECK: define void @_mlir_ciface_f(ptr
func.func @f(%img: tensor<8xf32> {weft.name = "img"}) -> (tensor<8xf32> {weft.name = "out"}) {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
