; Mathematics by the approximate instructions of NVIDIA's GPUs, under the names that MLIR calls: what `libm=target` compiles to
; where there is no libdevice. Exponents and logarithms are those of 2; constants are log2(e), log(2) and log10(2), rounded to f32.

define float @__nv_exp2f(float %x) {
  %r = call float @llvm.nvvm.ex2.approx.f32(float %x)
  ret float %r
}

define float @__nv_expf(float %x) {
  %t = fmul float %x, 0x3FF7154760000000
  %r = call float @llvm.nvvm.ex2.approx.f32(float %t)
  ret float %r
}

define float @__nv_log2f(float %x) {
  %r = call float @llvm.nvvm.lg2.approx.f(float %x)
  ret float %r
}

define float @__nv_logf(float %x) {
  %t = call float @llvm.nvvm.lg2.approx.f(float %x)
  %r = fmul float %t, 0x3FE62E4300000000
  ret float %r
}

define float @__nv_log10f(float %x) {
  %t = call float @llvm.nvvm.lg2.approx.f(float %x)
  %r = fmul float %t, 0x3FD3441360000000
  ret float %r
}

; NaN where x is below 0, also for a whole y.
define float @__nv_powf(float %x, float %y) {
  %l = call float @llvm.nvvm.lg2.approx.f(float %x)
  %t = fmul float %y, %l
  %r = call float @llvm.nvvm.ex2.approx.f32(float %t)
  ret float %r
}

define float @__nv_rsqrtf(float %x) {
  %r = call float @llvm.nvvm.rsqrt.approx.f(float %x)
  ret float %r
}

define float @__nv_sinf(float %x) {
  %r = call float @llvm.nvvm.sin.approx.f(float %x)
  ret float %r
}

define float @__nv_cosf(float %x) {
  %r = call float @llvm.nvvm.cos.approx.f(float %x)
  ret float %r
}

define void @__nv_sincosf(float %x, ptr %sin, ptr %cos) {
  %s = call float @llvm.nvvm.sin.approx.f(float %x)
  %c = call float @llvm.nvvm.cos.approx.f(float %x)
  store float %s, ptr %sin
  store float %c, ptr %cos
  ret void
}

define float @__nv_tanf(float %x) {
  %s = call float @llvm.nvvm.sin.approx.f(float %x)
  %c = call float @llvm.nvvm.cos.approx.f(float %x)
  %r = call float @llvm.nvvm.div.approx.f(float %s, float %c)
  ret float %r
}

; The flag makes it the instruction, which chips from sm_75 on have.
define float @__nv_tanhf(float %x) {
  %r = call afn float @llvm.tanh.f32(float %x)
  ret float %r
}

declare float @llvm.nvvm.ex2.approx.f32(float)
declare float @llvm.nvvm.lg2.approx.f(float)
declare float @llvm.nvvm.rsqrt.approx.f(float)
declare float @llvm.nvvm.sin.approx.f(float)
declare float @llvm.nvvm.cos.approx.f(float)
declare float @llvm.nvvm.div.approx.f(float, float)
declare float @llvm.tanh.f32(float)
