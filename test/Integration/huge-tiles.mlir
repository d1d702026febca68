// A schedule changes no value, and asks for no memory without end: a tile that is far larger than the image, or than a cache or a kernel can be.
// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{arguments} = --arg a=random:3 --dim y=37 --dim x=111 --out o=%t/o.npy
// DEFINE: %{schedule} =
// DEFINE: %{on} =
// DEFINE: %{check} = sed 's/schedule {}/schedule {%{schedule}}/' %s > %t/f.mlir && pipeline-run %t/f.mlir --target %{on} %{arguments} 2> %t/said && cmp %t/o.npy %t/o.ref
// RUN: pipeline-run %s --target reference %{arguments} && mv %t/o.npy %t/o.ref

// Windows of a core are cut to what it may have; rows, which take turns in them, may be many.
// REDEFINE: %{on} = cpu
// REDEFINE: %{schedule} = tile = array<i64: 8, 130000000>
// RUN: %{check} && FileCheck %s --check-prefix=CUT --input-file=%t/said
// CUT: remark: 'pipeline.group' op a tile of [8, 130000000] points has windows of more than 256 MiB: it is cut to [8, 8125000]
// REDEFINE: %{schedule} = tile = array<i64: 32768, 32768>
// RUN: %{check} && not grep remark %t/said
// REDEFINE: %{schedule} = tile = array<i64: 1073741824, 1>
// RUN: %{check}

// Of a strip as many rows are written out as a compiler can read; a stream may have all of them.
// REDEFINE: %{on} = simt
// REDEFINE: %{schedule} = tile = array<i64: 8, 130000000>
// RUN: %{check}
// REDEFINE: %{schedule} = tile = array<i64: 1073741824, 1>, layout = "blocked", vector = 4
// RUN: %{check}
// REDEFINE: %{schedule} = tile = array<i64: 1073741824, 1>, layout = "blocked", stream = "y"
// RUN: %{check}
// REDEFINE: %{schedule} = tile = array<i64: 32768, 32768>, fraction = 0.5
// RUN: %{check}
// REDEFINE: %{schedule} = tile = array<i64: 32768, 32768>, scope = "block"
// RUN: %{check}

// RUN: sed 's/schedule {}/schedule {tile = array<i64: 1000000, 64>, layout = "blocked", vector = 4}/' %s | pipeline-opt -infer-bounds -fuse -warp-tile | FileCheck %s
// CHECK: warp.compute "s" {{.*}} in [0, 245)
// CHECK: warp.compute "t" {{.*}} in [0, 244)

func.func @f(%a: tensor<?x?xf32> {weft.name = "a"}) -> (tensor<?x?xf32> {weft.name = "o"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %a, %c0 : tensor<?x?xf32>
  %w = tensor.dim %a, %c1 : tensor<?x?xf32>
  %g = pipeline.group "g" schedule {} {
    %s = pipeline.stage "s" (%y, %x) {
      %0 = pipeline.load %a[%y - 1, %x] clamp : tensor<?x?xf32>
      %1 = pipeline.load %a[%y + 1, %x + 1] clamp : tensor<?x?xf32>
      %2 = arith.subf %0, %1 : f32
      pipeline.yield %2 : f32
    } sized(%h, %w) : tensor<?x?xf32>
    %t = pipeline.stage "t" (%y, %x) {
      %five = arith.constant 5.0 : f32
      %0 = pipeline.load %s[%y, %x - 1] constant(%five) : tensor<?x?xf32>
      %1 = pipeline.load %s[%y + 1, %x] clamp : tensor<?x?xf32>
      %2 = arith.mulf %0, %1 : f32
      pipeline.yield %2 : f32
    } sized(%h, %w) : tensor<?x?xf32>
    pipeline.yield %t : tensor<?x?xf32>
  } : tensor<?x?xf32>
  return %g : tensor<?x?xf32>
}
