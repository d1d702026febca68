// Products that join sums: one instruction for each type, where --contract made it so, and nowhere else.

// RUN: pipeline-opt %s --pipeline-to-ptx=tiling=none | pipeline-translate --mlir-to-ptx | FileCheck %s --check-prefixes=CHECK,ON
// RUN: pipeline-opt %s --pipeline-to-ptx="tiling=none contract=false" | pipeline-translate --mlir-to-ptx | FileCheck %s --check-prefixes=CHECK,OFF
// RUN: pipeline-translate %s --mlir-to-ptx --tiling none --contract false | FileCheck %s --check-prefixes=CHECK,OFF

// CHECK-LABEL: .entry f32_g0_s(
// ON-NOT:      mul.rn
// ON:          fma.rn.f32
// OFF-NOT:     fma
// OFF:         mul.rn.f32
// OFF-NOT:     fma
// CHECK:       ret;
func.func @f32(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    %p = arith.mulf %a, %a : f32
    %v = arith.addf %p, %a : f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// MLIR's conversion to nvvm would compute in f32 here, and round twice.
// CHECK-LABEL: .entry f16_g0_s(
// ON-NOT:      f32
// ON:          fma.rn.f16
// ON-NOT:      f32
// OFF-NOT:     fma
// CHECK:       ret;
func.func @f16(%img: tensor<8xf16>) -> tensor<8xf16> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf16>
    %p = arith.mulf %a, %a : f16
    %v = arith.addf %p, %a : f16
    pipeline.yield %v : f16
  } : tensor<8xf16>
  return %0 : tensor<8xf16>
}

// CHECK-LABEL: .entry f64_g0_s(
// ON:          fma.rn.f64
// OFF-NOT:     fma
// CHECK:       ret;
func.func @f64(%img: tensor<8xf64>) -> tensor<8xf64> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf64>
    %p = arith.mulf %a, %a : f64
    %v = arith.subf %a, %p : f64
    pipeline.yield %v : f64
  } : tensor<8xf64>
  return %0 : tensor<8xf64>
}

// An op's own flags allow it, on whatever target.
// CHECK-LABEL: .entry flags_g0_s(
// CHECK:       fma.rn.f32
// CHECK:       ret;
func.func @flags(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    %p = arith.mulf %a, %a fastmath<contract> : f32
    %v = arith.addf %p, %a fastmath<contract> : f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
