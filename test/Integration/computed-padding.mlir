// A padding that the stage itself computes: nobody has it who loads for the stage, so the load is made where it is read. All targets agree.
// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{arguments} = --arg a=random:1 --dim y=65 --dim x=203 --out o=%t/o.npy --out p=%t/p.npy
// RUN: pipeline-run %s --target reference %{arguments} && mv %t/o.npy %t/o.ref && mv %t/p.npy %t/p.ref
// RUN: pipeline-run %s --target cpu %{arguments} && cmp %t/o.npy %t/o.ref && cmp %t/p.npy %t/p.ref
// RUN: pipeline-run %s --target simt %{arguments} && cmp %t/o.npy %t/o.ref && cmp %t/p.npy %t/p.ref
// RUN: pipeline-run %s --target simt %{arguments} --pipeline-options="tiling=block" && cmp %t/o.npy %t/o.ref && cmp %t/p.npy %t/p.ref
// RUN: pipeline-run %s --target simt %{arguments} --pipeline-options='schedule={layout="blocked",vector=1,tile=array<i64:4,28>,stream="y"}' && cmp %t/o.npy %t/o.ref && cmp %t/p.npy %t/p.ref
// RUN: pipeline-run %s --target simt %{arguments} --pipeline-options='schedule={layout="cyclic",vector=2,tile=array<i64:8,60>}' && cmp %t/o.npy %t/o.ref && cmp %t/p.npy %t/p.ref
// RUN: pipeline-run %s --target simt %{arguments} --pipeline-options='schedule={fraction=0.5,tile=array<i64:8,64>}' && cmp %t/o.npy %t/o.ref && cmp %t/p.npy %t/p.ref

// Strips load what has a known padding as a tile, the rest where it is read.
// RUN: pipeline-opt %s --infer-bounds --fuse='strategy=all schedule={layout="blocked",vector=1,tile=array<i64:4,28>}' --warp-tile | FileCheck %s
// CHECK:     warp.compute "input0"
// CHECK-NOT: constant
// CHECK:     warp.compute "s0"
// CHECK:       %[[OWN:.*]] = warp.read %{{.*}}
// CHECK:       warp.load %{{.*}} constant(%[[OWN]])

func.func @f(%a: tensor<?x?xf32> {weft.name = "a"}) -> (tensor<?x?xf32> {weft.name = "o"}, tensor<?x?xf32> {weft.name = "p"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %a, %c0 : tensor<?x?xf32>
  %w = tensor.dim %a, %c1 : tensor<?x?xf32>
  %s0 = pipeline.stage "s0" (%y, %x) {
    %0 = pipeline.load %a[%y, %x] : tensor<?x?xf32>
    %1 = pipeline.load %a[%y, %x + 2] constant(%0) : tensor<?x?xf32>
    %2 = pipeline.load %a[%y - 1, %x - 1] constant(%1) : tensor<?x?xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %s1 = pipeline.stage "s1" (%y, %x) {
    %i = arith.index_cast %y : index to i32
    %f = arith.sitofp %i : i32 to f32
    %c = arith.constant 3.0 : f32
    %0 = pipeline.load %s0[%y, %x - 1] constant(%f) : tensor<?x?xf32>
    %1 = pipeline.load %s0[%y + 1, %x + 1] constant(%0) : tensor<?x?xf32>
    %2 = pipeline.load %s0[%y - 2, %x] constant(%c) : tensor<?x?xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %s2 = pipeline.stage "s2" (%y, %x) {
    %c = arith.constant 3.0 : f32
    %0 = pipeline.load %s1[%y, %x - 1] constant(%c) : tensor<?x?xf32>
    pipeline.yield %0 : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %s1, %s2 : tensor<?x?xf32>, tensor<?x?xf32>
}
