// Files that are no libdevice, and a chip without an instruction.

// RUN: not pipeline-translate %s --mlir-to-ptx --libdevice %t.none -o %t.ptx 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not pipeline-translate %s --mlir-to-ptx --libdevice %s -o %t.ptx 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not pipeline-translate %s --mlir-to-ptx --libdevice /dev/zero -o %t.ptx 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: printf 'BC\300\336nothing' > %t.bc
// RUN: not pipeline-translate %s --mlir-to-ptx --libdevice %t.bc -o %t.ptx 2>&1 | FileCheck %s --check-prefix=BITCODE
// RUN: not pipeline-opt %s --pipeline-to-ptx="libdevice={a'b}" 2>&1 | FileCheck %s --check-prefix=QUOTES
// RUN: not pipeline-translate %s --mlir-to-ptx --libm target --chip sm_70 -o %t.ptx 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not ls %t.ptx

// NONE:    error: gpu.module @f_kernels: {{.*}}.none: cannot be read: No such file
// ENDLESS: error: gpu.module @f_kernels: /dev/zero: cannot be read: it has more than 1024 MiB
// TEXT:    error: gpu.module @f_kernels: {{.*}}libdevice-invalid.mlir: is not LLVM bitcode, expected NVIDIA's libdevice
// BITCODE: error: gpu.module @f_kernels: {{.*}}.bc: {{.+}}
// QUOTES:  error: {{.*}}option 'libdevice' of 'to-ptx' is '{{.*}}a'b{{.*}}', expected a value that the text of a pipeline can hold
// CHIP:    error: gpu.module @f_kernels: a kernel needs 'tanh' of f32, for which sm_70 has no instruction
func.func @f(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    %b = math.tanh %a : f32
    pipeline.yield %b : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
