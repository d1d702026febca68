// Numbers that a program is given decide its extents: what cannot be is an error that says where, on every target, and ends no process.
// DEFINE: %{k} =
// DEFINE: %{run} = pipeline-run %s --arg a=random:1 --dim x=4 --arg k=%{k} --target

// REDEFINE: %{k} = 0
// RUN: not %{run} reference 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not %{run} cpu 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not %{run} simt 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: {{.*}}entry-numbers.mlir:[[#%u,L:]]:{{[0-9]+}}: a division by zero

// The scan has k * k points: a product that 64 bits hold, or one that they do not.
// REDEFINE: %{k} = 8388608
// RUN: not %{run} reference 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not %{run} cpu 2>&1 | FileCheck %s --check-prefix=MANY
// REDEFINE: %{k} = 4294967296
// RUN: not %{run} reference 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not %{run} cpu 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: {{.*}} scan "s" has more than 17592186044416 points

// RUN: not %{run} simt 2>&1 | FileCheck %s --check-prefix=KERNEL
// KERNEL: error: {{.*}}more points than a kernel can index

// REDEFINE: %{k} = 2
// RUN: %{run} reference | FileCheck %s
// RUN: %{run} cpu | FileCheck %s
// RUN: %{run} simt | FileCheck %s
// CHECK: o: 2xf32

func.func @f(%a: tensor<?xf32> {weft.name = "a"}, %k: index {weft.name = "k"}) -> (tensor<?xf32> {weft.name = "o"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %part = arith.ceildivui %n, %k : index
  %z = arith.constant 0.0 : f32
  %s = pipeline.scan "s" (%y, %x) along 1 {
    %0 = pipeline.load %a[%x] clamp : tensor<?xf32>
    %p = pipeline.previous 1 or %z : f32
    %1 = arith.addf %0, %p : f32
    pipeline.yield %1 : f32
  } sized(%k, %k) : tensor<?x?xf32>
  %t = pipeline.stage "t" (%x) {
    %0 = pipeline.load %s[%x, %x] clamp : tensor<?x?xf32>
    pipeline.yield %0 : f32
  } sized(%part) : tensor<?xf32>
  return %t : tensor<?xf32>
}
