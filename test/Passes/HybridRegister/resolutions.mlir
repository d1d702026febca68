// Registers across sampling: half the columns, and twice as many, in tiles that are registers in part. All sizes agree with the reference to the bit.
// RUN: rm -rf %t && mkdir -p %t && cd %t
// DEFINE: %{y} = 1
// DEFINE: %{x} = 1
// DEFINE: %{arguments} = --arg a=random:1 --dim y=%{y} --dim x=%{x}
// DEFINE: %{run} = pipeline-run %s --target reference %{arguments} --out o=r.npy \
// DEFINE:   && pipeline-run %s --target simt %{arguments} --out o=o.npy && cmp r.npy o.npy \
// DEFINE:   && sed 's/fraction = 0.5/fraction = 1.0/' %s > whole.mlir && pipeline-run whole.mlir --target simt %{arguments} --out o=o.npy && cmp r.npy o.npy
// RUN: %{run}
// REDEFINE: %{x} = 2
// RUN: %{run}
// REDEFINE: %{y} = 9
// REDEFINE: %{x} = 127
// RUN: %{run}
// REDEFINE: %{y} = 24
// REDEFINE: %{x} = 512
// RUN: %{run}
// REDEFINE: %{y} = 33
// REDEFINE: %{x} = 643
// RUN: %{run}

// RUN: pipeline-opt %s --infer-bounds --warp-tile --split-interior --hybrid-register | FileCheck %s
// CHECK:     warp.compute "s"
// CHECK:     } : tensor<11x135xf32, #warp.hybrid<71>>
// CHECK:     warp.compute "d"
// CHECK:     } : tensor<10x67xf32, #warp.hybrid<35>>
// CHECK:     warp.compute "u"
// CHECK:     } : tensor<8x128xf32, #warp.hybrid<64>>

func.func @f(%a: tensor<?x?xf32> {weft.name = "a"}) -> (tensor<?x?xf32> {weft.name = "o"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = tensor.dim %a, %c0 : tensor<?x?xf32>
  %w = tensor.dim %a, %c1 : tensor<?x?xf32>
  %w2 = arith.ceildivsi %w, %c2 : index
  %g = pipeline.group "g" schedule {tile = array<i64: 8, 128>, fraction = 0.5} {
    %s = pipeline.stage "s" (%y, %x) {
      %0 = pipeline.load %a[%y, %x - 1] clamp : tensor<?x?xf32>
      %1 = pipeline.load %a[%y, %x + 1] clamp : tensor<?x?xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } sized(%h, %w) : tensor<?x?xf32>
    %d = pipeline.stage "d" (%y, %x) {
      %0 = pipeline.load %s[%y, %x * 2 - 1] mirror : tensor<?x?xf32>
      %1 = pipeline.load %s[%y, %x * 2] clamp : tensor<?x?xf32>
      %2 = pipeline.load %s[%y - 1, %x * 2 + 1] clamp : tensor<?x?xf32>
      %3 = arith.addf %0, %1 : f32
      %4 = arith.subf %3, %2 : f32
      pipeline.yield %4 : f32
    } sized(%h, %w2) : tensor<?x?xf32>
    %u = pipeline.stage "u" (%y, %x) {
      %c = arith.constant 3.0 : f32
      %0 = pipeline.load %d[%y, %x floordiv 2] clamp : tensor<?x?xf32>
      %1 = pipeline.load %d[%y, (%x + 1) floordiv 2] constant(%c) : tensor<?x?xf32>
      %2 = pipeline.load %d[%y + 1, (%x - 1) floordiv 2] reflect101 : tensor<?x?xf32>
      %5 = pipeline.load %s[%y, %x + 1] clamp : tensor<?x?xf32>
      %3 = arith.addf %0, %1 : f32
      %4 = arith.mulf %3, %2 : f32
      %6 = arith.subf %4, %5 : f32
      pipeline.yield %6 : f32
    } sized(%h, %w) : tensor<?x?xf32>
    pipeline.yield %u : tensor<?x?xf32>
  } : tensor<?x?xf32>
  return %g : tensor<?x?xf32>
}
