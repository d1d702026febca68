// Pixels of small tables at computed places, also beyond the edges (`--pack-pixels`, `--delay-transposes`): the bits of the reference, of planes and of
// interleaved pixels, for CPUs with vectors of each width.

// RUN: rm -rf %t && mkdir %t
// DEFINE: %{run} = pipeline-run %s --arg img=random --arg cube=random:2 --arg row=random:3
// RUN: %{run} --dim y=23 --dim x=131 --target reference --out planes=%t/a.npy --out pixels=%t/b.npy --out nearest=%t/c.npy
// RUN: %{run} --dim y=23 --dim x=131 --target cpu --out planes=%t/e.npy --out pixels=%t/f.npy --out nearest=%t/g.npy
// RUN: cmp %t/a.npy %t/e.npy && cmp %t/b.npy %t/f.npy && cmp %t/c.npy %t/g.npy
// RUN: %{run} --dim y=3 --dim x=5 --target reference --out planes=%t/a.npy --out pixels=%t/b.npy --out nearest=%t/c.npy
// RUN: %{run} --dim y=3 --dim x=5 --target cpu --out planes=%t/e.npy --out pixels=%t/f.npy --out nearest=%t/g.npy
// RUN: cmp %t/a.npy %t/e.npy && cmp %t/b.npy %t/f.npy && cmp %t/c.npy %t/g.npy

// Of each of the three the table is packed.
// RUN: pipeline-opt %s --pipeline-to-cpu=target=avx2 --mlir-print-ir-after=pack-pixels 2>&1 | FileCheck %s
// CHECK-DAG: pipeline.stage "planes_pixels"
// CHECK-DAG: tensor<3x5x8xf32>
// CHECK-DAG: pipeline.stage "pixels_pixels"
// CHECK-DAG: pipeline.stage "nearest_pixels"
// CHECK-DAG: tensor<7x4xf32>

func.func @looked_up(%img: tensor<?x?xf32> {weft.name = "img"}, %cube: tensor<3x4x3xf32> {weft.name = "cube"}, %row: tensor<7x3xf32> {weft.name = "row"})
    -> (tensor<3x?x?xf32> {weft.name = "planes"}, tensor<?x?x3xf32> {weft.name = "pixels"}, tensor<3x?x?xf32> {weft.name = "nearest"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %nine = arith.constant 9.0 : f32
  %two = arith.constant 2.0 : f32
  %planes = pipeline.stage "planes" (%c, %y, %x) {
    %p = pipeline.load %img[%y, %x] : tensor<?x?xf32>
    %q = pipeline.load %img[%y, %x + 1] clamp : tensor<?x?xf32>
    %p9 = arith.mulf %p, %nine : f32
    %q9 = arith.mulf %q, %nine : f32
    %u = arith.subf %p9, %two : f32
    %v = arith.subf %q9, %two : f32
    %iu = arith.fptosi %u : f32 to i32
    %iv = arith.fptosi %v : f32 to i32
    %i = arith.index_cast %iu : i32 to index
    %j = arith.index_cast %iv : i32 to index
    %i1 = arith.addi %i, %c1 : index
    %j1 = arith.addi %j, %c1 : index
    %a = pipeline.gather %cube[%j, %i, %c] clamp : tensor<3x4x3xf32>
    %b = pipeline.gather %cube[%j, %i1, %c] clamp : tensor<3x4x3xf32>
    %d = pipeline.gather %cube[%j1, %i, %c] clamp : tensor<3x4x3xf32>
    %e = pipeline.gather %cube[%j1, %i1, %c] clamp : tensor<3x4x3xf32>
    %ba = arith.subf %b, %a : f32
    %bap = arith.mulf %ba, %p : f32
    %top = arith.addf %bap, %a : f32
    %ed = arith.subf %e, %d : f32
    %edp = arith.mulf %ed, %p : f32
    %low = arith.addf %edp, %d : f32
    %apart = arith.subf %low, %top : f32
    %part = arith.mulf %apart, %q : f32
    %s = arith.addf %part, %top : f32
    pipeline.yield %s : f32
  } sized(%h, %w) : tensor<3x?x?xf32>
  %pixels = pipeline.stage "pixels" (%y, %x, %c) {
    %p = pipeline.load %img[%y, %x] : tensor<?x?xf32>
    %p9 = arith.mulf %p, %nine : f32
    %u = arith.subf %p9, %two : f32
    %iu = arith.fptosi %u : f32 to i32
    %i = arith.index_cast %iu : i32 to index
    %before = arith.subi %i, %c1 : index
    %a = pipeline.gather %row[%i, %c] clamp : tensor<7x3xf32>
    %b = pipeline.gather %row[%before, %c] clamp : tensor<7x3xf32>
    %ba = arith.subf %b, %a : f32
    %bap = arith.mulf %ba, %p : f32
    %s = arith.addf %bap, %a : f32
    pipeline.yield %s : f32
  } sized(%h, %w) : tensor<?x?x3xf32>
  %nearest = pipeline.stage "nearest" (%c, %y, %x) {
    %p = pipeline.load %img[%y, %x] : tensor<?x?xf32>
    %p9 = arith.mulf %p, %nine : f32
    %iu = arith.fptosi %p9 : f32 to i32
    %i = arith.index_cast %iu : i32 to index
    %a = pipeline.gather %row[%i, %c] clamp : tensor<7x3xf32>
    %s = arith.addf %a, %p : f32
    pipeline.yield %s : f32
  } sized(%h, %w) : tensor<3x?x?xf32>
  return %planes, %pixels, %nearest : tensor<3x?x?xf32>, tensor<?x?x3xf32>, tensor<3x?x?xf32>
}
