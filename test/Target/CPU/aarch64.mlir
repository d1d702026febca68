// Code for ARM CPUs: vectors of 128 bits, NEON's instructions.

// RUN: pipeline-translate --emit-object %t.o --cpu cortex-a72 %s
// RUN: llvm-objdump -d %t.o | FileCheck %s
// CHECK: file format elf64-littleaarch64
// CHECK: fadd {{v[0-9]+}}.4s, {{v[0-9]+}}.4s, {{v[0-9]+}}.4s

// What costs are for is vectors of four floats, not those of this machine.
// RUN: pipeline-opt --pipeline-to-cpu="target=cortex_a15" %s | FileCheck %s --check-prefix=IR
// IR: llvm.fadd {{.*}} : vector<4xf32>
// IR-NOT: vector<8xf32>

// RUN: not pipeline-translate --emit-object %t.o --cpu z80 %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown CPU 'z80', expected host or one of {{.*}}cortex-a53, cortex-a72, neoverse-n1

// RUN: env CC= not pipeline-translate --emit-library %t.so --cpu neoverse-n1 %s 2>&1 | FileCheck %s --check-prefix=LINK
// LINK: error: {{.*}}the code is for another architecture than this machine's, expected the environment variable CC to name a C compiler for it, such as aarch64-linux-gnu-gcc

func.func @twice(%img: tensor<512x512xf32> {weft.name = "img"}) -> (tensor<512x512xf32> {weft.name = "twice"}) {
  %0 = pipeline.stage "twice" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<512x512xf32>
    %b = pipeline.load %img[%y, %x + 1] clamp : tensor<512x512xf32>
    %c = arith.addf %a, %b : f32
    pipeline.yield %c : f32
  } : tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}
