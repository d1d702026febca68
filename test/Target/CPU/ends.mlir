// Images that end in the middle of a tile, of a tick, of a vector: the same bits as the reference.

// RUN: rm -rf %t && mkdir %t
// RUN: pipeline-run %s --target reference --arg img=random --dim y=1 --dim x=1 --out half=%t/h.npy --out whole=%t/w.npy --out shifted=%t/s.npy
// RUN: pipeline-run %s --arg img=random --dim y=1 --dim x=1 --out half=%t/h2.npy --out whole=%t/w2.npy --out shifted=%t/s2.npy
// RUN: cmp %t/h.npy %t/h2.npy && cmp %t/w.npy %t/w2.npy && cmp %t/s.npy %t/s2.npy
// RUN: pipeline-run %s --target reference --arg img=random --dim y=9 --dim x=33 --out half=%t/h.npy --out whole=%t/w.npy --out shifted=%t/s.npy
// RUN: pipeline-run %s --arg img=random --dim y=9 --dim x=33 --out half=%t/h2.npy --out whole=%t/w2.npy --out shifted=%t/s2.npy
// RUN: cmp %t/h.npy %t/h2.npy && cmp %t/w.npy %t/w2.npy && cmp %t/s.npy %t/s2.npy
// RUN: pipeline-run %s --target reference --arg img=random --dim y=22 --dim x=131 --out half=%t/h.npy --out whole=%t/w.npy --out shifted=%t/s.npy
// RUN: pipeline-run %s --arg img=random --dim y=22 --dim x=131 --out half=%t/h2.npy --out whole=%t/w2.npy --out shifted=%t/s2.npy
// RUN: cmp %t/h.npy %t/h2.npy && cmp %t/w.npy %t/w2.npy && cmp %t/s.npy %t/s2.npy

func.func @ends(%img: tensor<?x?xf32> {weft.name = "img"})
    -> (tensor<?x?xf32> {weft.name = "half"}, tensor<?x?xf32> {weft.name = "whole"}, tensor<?x?xf32> {weft.name = "shifted"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %hh = arith.ceildivsi %h, %c2 : index
  %ww = arith.ceildivsi %w, %c2 : index
  %three = arith.constant 3.0 : f32
  %g:3 = pipeline.group "g" schedule {tile = array<i64: 8, 64>} {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<?x?xf32>
      %1 = arith.divf %0, %three : f32
      pipeline.yield %1 : f32
    } sized(%h, %w) : tensor<?x?xf32>
    %half = pipeline.stage "half" (%y, %x) {
      %0 = pipeline.load %a[%y * 2, %x * 2] : tensor<?x?xf32>
      %1 = pipeline.load %a[%y * 2 + 1, %x * 2 + 1] mirror : tensor<?x?xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } sized(%hh, %ww) : tensor<?x?xf32>
    %whole = pipeline.stage "whole" (%y, %x) {
      %0 = pipeline.load %half[%y floordiv 2, %x floordiv 2] : tensor<?x?xf32>
      %1 = pipeline.load %a[%y, %x] : tensor<?x?xf32>
      %2 = arith.subf %1, %0 : f32
      pipeline.yield %2 : f32
    } sized(%h, %w) : tensor<?x?xf32>
    %shifted = pipeline.stage "shifted" (%y, %x) {
      %0 = pipeline.load %whole[%y - 3, %x + 5] clamp : tensor<?x?xf32>
      %1 = pipeline.load %whole[%y + 4, %x - 1] constant(%three) : tensor<?x?xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } sized(%h, %w) : tensor<?x?xf32>
    pipeline.yield %half, %whole, %shifted : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
  } : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
  return %g#0, %g#1, %g#2 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
