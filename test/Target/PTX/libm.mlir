// Whose mathematics: what all targets share, or approximate instructions.

// RUN: pipeline-opt %s --pipeline-to-ptx=tiling=none | pipeline-translate --mlir-to-ptx | FileCheck %s --check-prefixes=CHECK,SHARED
// RUN: pipeline-opt %s --pipeline-to-ptx="tiling=none libm=target" | pipeline-translate --mlir-to-ptx | FileCheck %s --check-prefixes=CHECK,TARGET
// RUN: pipeline-translate %s --mlir-to-ptx --tiling none --libm target | FileCheck %s --check-prefixes=CHECK,TARGET

// CHECK-LABEL: .entry exponentials_g0_s(
// SHARED-NOT:  approx
// TARGET:      ex2.approx.f32
// TARGET:      lg2.approx.f32
// TARGET:      tanh.approx.f32
// CHECK:       ret;
func.func @exponentials(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    %b = math.exp %a : f32
    %c = arith.addf %b, %a : f32
    %d = math.log2 %c : f32
    %e = math.tanh %d : f32
    pipeline.yield %e : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: .entry angles_g0_s(
// SHARED-NOT:  approx
// TARGET-DAG:  sin.approx.f32
// TARGET-DAG:  cos.approx.f32
// TARGET:      div.approx.f32
// CHECK:       ret;
func.func @angles(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    %b = math.tan %a : f32
    pipeline.yield %b : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A flag that MLIR has other names for, beside the same without; in f16, by way of f32.
// CHECK-LABEL: .entry flags_g0_s(
// SHARED-NOT:  approx
// TARGET:      ex2.approx.f32
// TARGET:      ex2.approx.f32
// TARGET:      rsqrt.approx.f32
// CHECK:       ret;
func.func @flags(%img: tensor<8xf32>) -> tensor<8xf16> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    %b = math.exp2 %a fastmath<afn> : f32
    %c = math.exp2 %b : f32
    %d = arith.truncf %c : f32 to f16
    %e = math.rsqrt %d : f16
    pipeline.yield %e : f16
  } : tensor<8xf16>
  return %0 : tensor<8xf16>
}
