// Statistics of pixels whose channels are columns: rows of the one stage are columns of the other. Their tiles do not slide, and all of it is computed while
// it is in a cache.

// RUN: pipeline-opt %s --infer-bounds --cpu-schedule="target=zen5 size=512x512" | FileCheck %s
// RUN: pipeline-opt %s --infer-bounds --cpu-schedule="target=zen5 size=512x512" --cpu-tile="target=zen5" | FileCheck %s --check-prefix=LOOPS

// CHECK-LABEL: @normalize
// CHECK:       pipeline.group "g0" schedule {tile = array<i64: 1, 256, 96>}
// CHECK:         pipeline.stage "mean"
// CHECK:         pipeline.stage "out"

// LOOPS-LABEL: @normalize
// LOOPS:       scf.parallel
// LOOPS:         memref.alloc() {{.*}} : memref<1x272xf32>
// LOOPS:         scf.for %{{.*}} = %c0 to %c96 {{.*}} iter_args
// LOOPS-NOT:     scf.parallel
func.func @normalize(%in: tensor<?x?x96xf32>) -> tensor<?x?x96xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %h = tensor.dim %in, %c0 : tensor<?x?x96xf32>
  %w = tensor.dim %in, %c1 : tensor<?x?x96xf32>
  %mean = pipeline.stage "mean" (%y, %x) {
    %sum = pipeline.reduce (%c) in [0, 96) (%acc = %zero : f32) {
      %v = pipeline.load %in[%y, %x, %c] : tensor<?x?x96xf32>
      %s = arith.addf %acc, %v : f32
      pipeline.yield %s : f32
    } : f32
    pipeline.yield %sum : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %out = pipeline.stage "out" (%y, %x, %c) {
    %v = pipeline.load %in[%y, %x, %c] : tensor<?x?x96xf32>
    %m = pipeline.load %mean[%y, %x] : tensor<?x?xf32>
    %d = arith.subf %v, %m : f32
    pipeline.yield %d : f32
  } sized(%h, %w) : tensor<?x?x96xf32>
  return %out : tensor<?x?x96xf32>
}
