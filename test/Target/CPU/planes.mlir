// Layers of many planes, whose rows are a multiple of 1 KiB and so a line longer in memory, or one point more: one of two groups, and the
// states of an iterate. The bits of the reference, on one thread and on three.

// RUN: rm -rf %t && mkdir %t
// RUN: pipeline-run %s --target reference --arg a=random:1 --arg n=3 --dim x=256 --out last=%t/256.npy
// RUN: env WEFT_NUM_THREADS=3 pipeline-run %s --arg a=random:1 --arg n=3 --dim x=256 --out last=%t/out.npy && cmp %t/256.npy %t/out.npy
// RUN: pipeline-run %s --target reference --arg a=random:1 --arg n=3 --dim x=257 --out last=%t/257.npy
// RUN: env WEFT_NUM_THREADS=3 pipeline-run %s --arg a=random:1 --arg n=3 --dim x=257 --out last=%t/out.npy && cmp %t/257.npy %t/out.npy
// RUN: pipeline-run %s --target reference --arg a=random:1 --arg n=4 --dim x=512 --out last=%t/512.npy
// RUN: pipeline-run %s --pipeline-options strategy=none --arg a=random:1 --arg n=4 --dim x=512 --out last=%t/out.npy && cmp %t/512.npy %t/out.npy

// RUN: pipeline-opt %s --cpu-tile --canonicalize --pad-rows | FileCheck %s
// CHECK-COUNT-2: memref.subview

func.func @layers(%a: tensor<16x9x?xf32> {weft.name = "a"}, %n: index {weft.name = "n"}) -> (tensor<16x9x?xf32> {weft.name = "last"}) {
  %c2 = arith.constant 2 : index
  %w = tensor.dim %a, %c2 : tensor<16x9x?xf32>
  %last = pipeline.iterate "layers" %n (%now = %a : tensor<16x9x?xf32>) {
    %sums = pipeline.stage "sums" (%c, %y, %x) {
      %0 = pipeline.load %now[%c, %y, %x + 1] clamp : tensor<16x9x?xf32>
      %1 = pipeline.load %now[%c + 3, %y + 1, %x] mirror : tensor<16x9x?xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } sized(%w) : tensor<16x9x?xf32>
    %less = pipeline.stage "all" (%c, %y, %x) {
      %zero = arith.constant 0.0 : f32
      %sum = pipeline.reduce (%k) in [0, 16) (%all = %zero : f32) {
        %3 = pipeline.load %sums[%k, %y, %x - 1] clamp : tensor<16x9x?xf32>
        %4 = arith.addf %all, %3 : f32
        pipeline.yield %4 : f32
      } : f32
      %0 = pipeline.load %sums[%c, %y, %x] : tensor<16x9x?xf32>
      %1 = arith.subf %0, %sum : f32
      %half = arith.constant 0.125 : f32
      %2 = arith.mulf %1, %half : f32
      pipeline.yield %2 : f32
    } sized(%w) : tensor<16x9x?xf32>
    pipeline.yield %less : tensor<16x9x?xf32>
  }
  return %last : tensor<16x9x?xf32>
}
