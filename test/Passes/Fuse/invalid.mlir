// What --fuse refuses.

// RUN: pipeline-opt %s -fuse -verify-diagnostics

// expected-error @+1 {{'func.func' op @branches has several blocks, expected a program without branches}}
func.func @branches(%v: f32, %condition: i1) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  cf.cond_br %condition, ^then, ^else
^then:
  return %0 : tensor<8xf32>
^else:
  return %0 : tensor<8xf32>
}
