// Every op that is expanded, in each type: none is left.

// RUN: pipeline-opt %s -expand-math | FileCheck %s
// RUN: sed 's/f32/f64/g' %s | pipeline-opt -expand-math | FileCheck %s
// RUN: sed 's/f32/f16/g' %s | pipeline-opt -expand-math | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-NOT:   math.{{(a[ct]|asi|cb|cos|e|l|pow|rs|si|tan)}}
func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %b = pipeline.load %y[%i] : tensor<8xf32>
    %acos = math.acos %a : f32
    %asin = math.asin %a : f32
    %atan = math.atan %a : f32
    %cbrt = math.cbrt %a : f32
    %cos = math.cos %a : f32
    %cosh = math.cosh %a : f32
    %exp = math.exp %a : f32
    %exp2 = math.exp2 %a : f32
    %expm1 = math.expm1 %a : f32
    %log = math.log %a : f32
    %log10 = math.log10 %a : f32
    %log1p = math.log1p %a : f32
    %log2 = math.log2 %a : f32
    %rsqrt = math.rsqrt %a : f32
    %sin = math.sin %a : f32
    %sinh = math.sinh %a : f32
    %tan = math.tan %a : f32
    %tanh = math.tanh %a : f32
    %atan2 = math.atan2 %a, %b : f32
    %powf = math.powf %a, %b : f32
    %sin_too, %cos_too = math.sincos %a : f32
    %s_acos = arith.addf %sin_too, %acos : f32
    %s_asin = arith.addf %s_acos, %asin : f32
    %s_atan = arith.addf %s_asin, %atan : f32
    %s_cbrt = arith.addf %s_atan, %cbrt : f32
    %s_cos = arith.addf %s_cbrt, %cos : f32
    %s_cosh = arith.addf %s_cos, %cosh : f32
    %s_exp = arith.addf %s_cosh, %exp : f32
    %s_exp2 = arith.addf %s_exp, %exp2 : f32
    %s_expm1 = arith.addf %s_exp2, %expm1 : f32
    %s_log = arith.addf %s_expm1, %log : f32
    %s_log10 = arith.addf %s_log, %log10 : f32
    %s_log1p = arith.addf %s_log10, %log1p : f32
    %s_log2 = arith.addf %s_log1p, %log2 : f32
    %s_rsqrt = arith.addf %s_log2, %rsqrt : f32
    %s_sin = arith.addf %s_rsqrt, %sin : f32
    %s_sinh = arith.addf %s_sin, %sinh : f32
    %s_tan = arith.addf %s_sinh, %tan : f32
    %s_tanh = arith.addf %s_tan, %tanh : f32
    %s_atan2 = arith.addf %s_tanh, %atan2 : f32
    %s_powf = arith.addf %s_atan2, %powf : f32
    %s_cos_too = arith.addf %s_powf, %cos_too : f32
    pipeline.yield %s_cos_too : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
