// Zeros of both signs: a minimum of them is negative where one is, a maximum where all are, in lanes and trees of any shape, on every target.
// REQUIRES: python
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as n; z = n.zeros(259, n.float32); z[n.random.default_rng(1).random(259) < .6] *= -1; z[::17] = 1; z[5::23] = -1; z[7::29] = n.nan; n.save('%t/a.npy', z)"
// DEFINE: %{to} =
// DEFINE: %{as} = %{to}
// DEFINE: %{run} = pipeline-run %s --arg a=%t/a.npy --out least=%t/least.%{as}.npy --out most=%t/most.%{as}.npy --out clip=%t/clip.%{as}.npy --target %{to}
// REDEFINE: %{to} = reference
// RUN: %{run}
// REDEFINE: %{to} = cpu
// RUN: %{run}
// REDEFINE: %{to} = simt
// RUN: %{run}
// Of a chip that has no maximum with NaN.
// REDEFINE: %{as} = older
// RUN: %{run} --pipeline-options="chip=sm_70"
// RUN: %python %S/Inputs/signed_zeros.py %t reference cpu simt older | FileCheck %s
// CHECK: reference: [[#%u,]] zeros with a sign in least, [[#]] in most, [[#]] in clip: right
// CHECK: cpu: {{.*}}: right
// CHECK: simt: {{.*}}: right
// CHECK: older: {{.*}}: right

func.func @f(%a: tensor<259xf32> {weft.name = "a"})
    -> (tensor<259xf32> {weft.name = "least"}, tensor<259xf32> {weft.name = "most"}, tensor<259xf32> {weft.name = "clip"}) {
  %least = pipeline.stage "least" (%x) {
    %0 = pipeline.load %a[%x] clamp : tensor<259xf32>
    %1 = pipeline.load %a[%x + 1] clamp : tensor<259xf32>
    %2 = pipeline.load %a[%x + 2] clamp : tensor<259xf32>
    %3 = arith.minimumf %0, %1 : f32
    %4 = arith.minimumf %2, %3 : f32
    pipeline.yield %4 : f32
  } : tensor<259xf32>
  %most = pipeline.stage "most" (%x) {
    %0 = pipeline.load %a[%x] clamp : tensor<259xf32>
    %1 = pipeline.load %a[%x + 1] clamp : tensor<259xf32>
    %2 = arith.maximumf %1, %0 : f32
    pipeline.yield %2 : f32
  } : tensor<259xf32>
  %clip = pipeline.stage "clip" (%x) {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 0.5 : f32
    %0 = pipeline.load %a[%x] clamp : tensor<259xf32>
    %1 = arith.minimumf %0, %zero : f32
    %2 = pipeline.load %a[%x + 1] clamp : tensor<259xf32>
    %minus = arith.constant -0.0 : f32
    %3 = arith.maximumf %minus, %2 : f32
    %4 = arith.minimumf %one, %3 : f32
    %5 = arith.maximumf %1, %4 : f32
    pipeline.yield %5 : f32
  } : tensor<259xf32>
  return %least, %most, %clip : tensor<259xf32>, tensor<259xf32>, tensor<259xf32>
}
