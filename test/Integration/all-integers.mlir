// Divisions by 0 and -1, and shifts by more than there are bits: the same everywhere, and what the page of the language says.
// REQUIRES: python
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as n; r = n.random.default_rng(3); v = n.array([0, -1, 1, 2, -2, 7, 31, 32, 33, 255, -2**31, 2**31 - 1], n.int32); n.save('%t/a.npy', r.choice(v, 999)); n.save('%t/b.npy', r.choice(v, 999))"
// DEFINE: %{to} =
// DEFINE: %{run} = pipeline-run %s --arg a=%t/a.npy --arg b=%t/b.npy --out q=%t/q.%{to}.npy --out r=%t/r.%{to}.npy --out f=%t/f.%{to}.npy --out u=%t/u.%{to}.npy --out l=%t/l.%{to}.npy --out s=%t/s.%{to}.npy --target %{to}
// REDEFINE: %{to} = reference
// RUN: %{run}
// REDEFINE: %{to} = cpu
// RUN: %{run}
// REDEFINE: %{to} = simt
// RUN: %{run}
// RUN: %python %S/Inputs/all_integers.py %t reference cpu simt | FileCheck %s
// CHECK: reference: q r f u l s
// CHECK: cpu: q r f u l s
// CHECK: simt: q r f u l s

func.func @f(%a: tensor<999xi32> {weft.name = "a"}, %b: tensor<999xi32> {weft.name = "b"})
    -> (tensor<999xi32> {weft.name = "q"}, tensor<999xi32> {weft.name = "r"}, tensor<999xi32> {weft.name = "f"},
        tensor<999xi32> {weft.name = "u"}, tensor<999xi32> {weft.name = "l"}, tensor<999xi32> {weft.name = "s"}) {
  %all:6 = pipeline.stage "all" (%x) {
    %0 = pipeline.load %a[%x] : tensor<999xi32>
    %1 = pipeline.load %b[%x] : tensor<999xi32>
    %q = arith.divsi %0, %1 : i32
    %r = arith.remsi %0, %1 : i32
    %f = arith.floordivsi %0, %1 : i32
    %u = arith.divui %0, %1 : i32
    %l = arith.shli %0, %1 : i32
    %s = arith.shrsi %0, %1 : i32
    pipeline.yield %q, %r, %f, %u, %l, %s : i32, i32, i32, i32, i32, i32
  } : tensor<999xi32>, tensor<999xi32>, tensor<999xi32>, tensor<999xi32>, tensor<999xi32>, tensor<999xi32>
  return %all#0, %all#1, %all#2, %all#3, %all#4, %all#5
    : tensor<999xi32>, tensor<999xi32>, tensor<999xi32>, tensor<999xi32>, tensor<999xi32>, tensor<999xi32>
}
