// pipeline-translate --to-svg: the same graph, drawn by Graphviz.

// REQUIRES: graphviz
// RUN: pipeline-translate --to-svg %s | FileCheck %s

// CHECK: <svg
// CHECK: </svg>
func.func @f(%v: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
