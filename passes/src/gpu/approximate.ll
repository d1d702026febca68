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

; A power of |x|, with the sign of x if y is odd, and NaN of a negative x if y is not whole. 1 if y is 0. Infinities are not looked
; at. Of a constant y little of this is left.
define float @__nv_powf(float %x, float %y) {
  %a = call float @llvm.fabs.f32(float %x)
  %l = call float @llvm.nvvm.lg2.approx.f(float %a)
  %t = fmul float %y, %l
  %p = call float @llvm.nvvm.ex2.approx.f32(float %t)
  %n = fneg float %p
  %whole = call float @llvm.trunc.f32(float %y)
  %is_whole = fcmp oeq float %y, %whole
  %half = fmul float %y, 5.000000e-01
  %half_whole = call float @llvm.trunc.f32(float %half)
  %is_odd = fcmp one float %half, %half_whole
  %of_whole = select i1 %is_odd, float %n, float %p
  %of_negative = select i1 %is_whole, float %of_whole, float 0x7FF8000000000000
  %is_negative = fcmp olt float %x, 0.000000e+00
  %r = select i1 %is_negative, float %of_negative, float %p
  %is_constant = fcmp oeq float %y, 0.000000e+00
  %s = select i1 %is_constant, float 1.000000e+00, float %r
  ret float %s
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
declare float @llvm.fabs.f32(float)
declare float @llvm.trunc.f32(float)
