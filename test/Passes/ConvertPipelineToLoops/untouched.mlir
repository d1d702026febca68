// Functions without stages are no programs: they stay as they are, tensors, branches and all.

// RUN: pipeline-opt %s > %t.mlir
// RUN: pipeline-opt %s -convert-pipeline-to-loops | diff %t.mlir -
// RUN: pipeline-opt %s -map-to-gpu | diff %t.mlir -
// RUN: pipeline-opt %s -fuse=strategy=all | diff %t.mlir -
// RUN: pipeline-opt %s -infer-bounds | diff %t.mlir -

func.func private @declaration(tensor<8xf32>) -> tensor<8xf32>

func.func @branches(%a: tensor<8xf32>, %b: tensor<8xf32>, %condition: i1) -> tensor<8xf32> {
  cf.cond_br %condition, ^then, ^else
^then:
  return %a : tensor<8xf32>
^else:
  %0 = call @declaration(%b) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func @numbers(%a: f32) -> f32 {
  %0 = arith.addf %a, %a : f32
  return %0 : f32
}

memref.global @memory : memref<8xf32>
