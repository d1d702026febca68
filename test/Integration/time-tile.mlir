// Many steps in one, of stages that read each other at several places, with every boundary mode: what is emitted grows with the steps, not
// with the paths through them, and gives the same bits.

// RUN: rm -rf %t && mkdir %t
// RUN: pipeline-run %s --target reference --arg a=random:3 --arg n=31 --dim y=23 --dim x=37 --out r=%t/r.npy && mv %t/r.npy %t/r.ref
// DEFINE: %{same} = --arg a=random:3 --arg n=31 --dim y=23 --dim x=37 --out r=%t/r.npy && cmp %t/r.npy %t/r.ref
// RUN: pipeline-run %s --target simt --passes="time-tile{steps=30}" %{same}
// RUN: pipeline-run %s --target simt --pipeline-options=tiling=none --passes="time-tile{steps=30}" %{same}
// RUN: pipeline-run %s --target simt --pipeline-options=tiling=block --passes="time-tile{steps=30}" %{same}

func.func @f(%a: tensor<?x?xf32> {weft.name = "a", weft.extents = ["y", "x"]}, %n: index {weft.name = "n"}) -> (tensor<?x?xf32> {weft.name = "r"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %a, %c0 : tensor<?x?xf32>
  %w = tensor.dim %a, %c1 : tensor<?x?xf32>
  %r = pipeline.iterate "steps" %n (%s = %a : tensor<?x?xf32>) {
    %p = pipeline.stage "p" (%y, %x) {
      %l = pipeline.load %s[%y, %x - 1] mirror : tensor<?x?xf32>
      %m = pipeline.load %s[%y - 1, (%x + 1) floordiv 2] clamp : tensor<?x?xf32>
      %v = arith.addf %l, %m : f32
      pipeline.yield %v : f32
    } sized(%h, %w) : tensor<?x?xf32>
    %q = pipeline.stage "q" (%y, %x) {
      %l = pipeline.load %p[%y, %x + 1] wrap : tensor<?x?xf32>
      %m = pipeline.load %p[%y + 1, %x] clamp : tensor<?x?xf32>
      %o = pipeline.load %s[%x, %y] clamp : tensor<?x?xf32>
      %v = arith.addf %l, %m : f32
      %u = arith.maximumf %v, %o : f32
      pipeline.yield %u : f32
    } sized(%h, %w) : tensor<?x?xf32>
    pipeline.yield %q : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
