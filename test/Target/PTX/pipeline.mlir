// --pipeline-to-ptx: from stages to PTX text, and host code that launches it.

// RUN: pipeline-opt %s --pipeline-to-ptx | pipeline-opt | FileCheck %s
// RUN: pipeline-translate --mlir-to-ptx %s | FileCheck %s --check-prefixes=PTX,POINT,SM90
// RUN: pipeline-translate --mlir-to-ptx --chip=sm_80 %s | FileCheck %s --check-prefixes=PTX,POINT,SM80
// RUN: pipeline-opt %s --pipeline-to-ptx=chip=sm_80 | pipeline-translate --mlir-to-ptx | FileCheck %s --check-prefixes=PTX,POINT,SM80
// RUN: pipeline-opt %s --pipeline-to-ptx=chip=sm_100 | pipeline-translate --mlir-to-ptx | FileCheck %s --check-prefixes=PTX,POINT,SM100
// RUN: pipeline-translate --mlir-to-ptx --tiling=block %s | FileCheck %s --check-prefixes=PTX,WARP,SM90
// RUN: pipeline-translate --mlir-to-ptx --tiling=none %s | FileCheck %s --check-prefixes=PTX,NONE,SM90

// CHECK: module attributes {gpu.container_module} {
// CHECK: gpu.binary @norm_kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_90", features = "+ptx80">, assembly = "
// CHECK: func.func @norm
// CHECK: gpu.launch_func @norm_kernels::@norm_g0 blocks

// SM80:  .version 8.0
// SM80:  .target sm_80
// SM90:  .version 8.0
// SM90:  .target sm_90
// SM100: .version 8.6
// SM100: .target sm_100
// Of so few points each is a thread's.
// POINT: .visible .entry norm_g0(
// POINT: .reqntid 32, {{[48]}}, 1
// WARP:  .visible .entry norm_g0(
// WARP:  .reqntid 128, 1, 1
// NONE:  .visible .entry norm_g0_s(
// NONE:  .reqntid 32, 8, 1
// PTX:   ld.global.nc.b32
// PTX:   mul.rn.f32
// PTX:   fma.rn.f32
// PTX:   sqrt.rn.f32
// PTX:   st.global.b32
func.func @norm(%a: tensor<8x9xf32>, %b: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    %av = pipeline.load %a[%y, %x] : tensor<8x9xf32>
    %bv = pipeline.load %b[%y, %x] : tensor<8x9xf32>
    %a2 = arith.mulf %av, %av : f32
    %b2 = arith.mulf %bv, %bv : f32
    %s = arith.addf %a2, %b2 : f32
    %v = math.sqrt %s : f32
    pipeline.yield %v : f32
  } : tensor<8x9xf32>
  return %0 : tensor<8x9xf32>
}
