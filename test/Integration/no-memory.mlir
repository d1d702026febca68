// Images between stages that there is no memory for, and states of an iterate: a message, on every target, and no process ends.
// DEFINE: %{program} =
// DEFINE: %{run} = not sh -c "ulimit -v 4000000; exec %weft_bin/pipeline-run %s --function %{program} --arg k=60000 --arg a=random:1 --dim x=4 --target $0"

// REDEFINE: %{program} = scan
// RUN: %{run} reference 2>&1 | FileCheck %s
// RUN: %{run} cpu 2>&1 | FileCheck %s
// RUN: %{run} simt 2>&1 | FileCheck %s --check-prefix=KERNEL
// REDEFINE: %{program} = states
// RUN: %{run} reference 2>&1 | FileCheck %s
// RUN: %{run} cpu 2>&1 | FileCheck %s
// RUN: %{run} simt 2>&1 | FileCheck %s --check-prefix=KERNEL

// CHECK:  error: {{.*}}no-memory.mlir:[[#%u,L:]]:1: not enough memory for the images between stages; a is 4, k is 60000
// KERNEL: error: {{.*}}more points than a kernel can index

func.func @scan(%a: tensor<?xf32> {weft.name = "a"}, %k: index {weft.name = "k"}) -> (tensor<?xf32> {weft.name = "o"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
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
  } sized(%n) : tensor<?xf32>
  return %t : tensor<?xf32>
}

func.func @states(%a: tensor<?xf32> {weft.name = "a"}, %k: index {weft.name = "k"}) -> (tensor<?xf32> {weft.name = "o"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %start = pipeline.stage "start" (%y, %x) {
    %0 = pipeline.load %a[%x] clamp : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%k, %k) : tensor<?x?xf32>
  %steps = pipeline.iterate "steps" %n (%state = %start : tensor<?x?xf32>) {
    %next = pipeline.stage "next" (%y, %x) {
      %0 = pipeline.load %state[%y, %x + 1] clamp : tensor<?x?xf32>
      pipeline.yield %0 : f32
    } sized(%k, %k) : tensor<?x?xf32>
    pipeline.yield %next : tensor<?x?xf32>
  }
  %t = pipeline.stage "t" (%x) {
    %0 = pipeline.load %steps[%x, %x] clamp : tensor<?x?xf32>
    pipeline.yield %0 : f32
  } sized(%n) : tensor<?xf32>
  return %t : tensor<?xf32>
}
