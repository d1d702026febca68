// Images of no column and more rows than anybody counts, and the other way round, are empty, and so is what is made of them: on every target.
// DEFINE: %{target} =
// DEFINE: %{run} = timeout 60 pipeline-run %s --target %{target} --arg a=random
// DEFINE: %{blur} = timeout 60 pipeline-run %examples/iir_blur.mlir --target %{target} --arg img=random --arg alpha=0.5
// DEFINE: %{both} = %{run} --dim a.y=1125899906842624 --dim a.x=0 | FileCheck %s && %{run} --dim a.y=0 --dim a.x=1125899906842624 | FileCheck %s --check-prefix=LONG && %{blur} --dim img.y=1125899906842624 --dim img.x=0 | FileCheck %s --check-prefix=BLUR && %{blur} --dim img.y=0 --dim img.x=1125899906842624
// REDEFINE: %{target} = reference
// RUN: %{both}
// REDEFINE: %{target} = cpu
// RUN: %{both}
// REDEFINE: %{target} = simt
// RUN: %{both}
// RUN: %{run} --pipeline-options=tiling=none --dim a.y=1125899906842624 --dim a.x=0 | FileCheck %s
// RUN: %{run} --pipeline-options=tiling=block --dim a.y=0 --dim a.x=1125899906842624 | FileCheck %s --check-prefix=LONG

// CHECK: o: 1125899906842624x0xf32
// LONG:  o: 0x1125899906842624xf32
// BLUR:  blurred: 3x1125899906842624x0xf32

// What the program checks is checked all the same.
// REDEFINE: %{target} = cpu
// RUN: not %{run} --dim a.y=1125899906842623 --dim a.x=0 2>&1 | FileCheck %s --check-prefix=ODD
// ODD: error: {{.*}} an even number of rows

func.func @f(%a: tensor<?x?xf32> {weft.name = "a"}) -> (tensor<?x?xf32> {weft.name = "o"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %a, %c0 : tensor<?x?xf32>
  %w = tensor.dim %a, %c1 : tensor<?x?xf32>
  %odd = arith.andi %h, %c1 : index
  %even = arith.cmpi eq, %odd, %c0 : index
  cf.assert %even, "an even number of rows"
  %z = arith.constant 0.0 : f32
  %s = pipeline.scan "s" (%y, %x) along 0 {
    %0 = pipeline.load %a[%y, %x] : tensor<?x?xf32>
    %p = pipeline.previous 1 or %z : f32
    %1 = arith.addf %0, %p : f32
    pipeline.yield %1 : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %t = pipeline.stage "t" (%y, %x) {
    %0 = pipeline.load %s[%y, %x - 1] clamp : tensor<?x?xf32>
    %1 = pipeline.load %s[%y - 1, %x] mirror : tensor<?x?xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %t : tensor<?x?xf32>
}
