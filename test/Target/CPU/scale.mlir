// A power of two that is a float already is not made an integer and a float again: AVX-512 scales by the float. Other CPUs multiply twice, and
// call no library.

// RUN: pipeline-translate %s --emit-object %t.o --cpu znver4
// RUN: llvm-objdump -d %t.o | FileCheck %s
// RUN: pipeline-translate %s --emit-object %t.avx2.o --cpu haswell
// RUN: llvm-objdump -dr %t.avx2.o | FileCheck %s --check-prefix=AVX2

// CHECK-NOT:  vcvtdq2ps
// CHECK:      vscalefps
// CHECK-NOT:  vcvtdq2ps
// AVX2-NOT:   {{vscalefps|ldexpf}}
// AVX2:       vmulps {{.*}}%ymm
// AVX2-NOT:   {{vscalefps|ldexpf}}
func.func @exp(%img: tensor<64x64xf32> {weft.name = "img"}) -> tensor<64x64xf32> {
  %out = pipeline.stage "out" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<64x64xf32>
    %1 = math.exp %0 : f32
    pipeline.yield %1 : f32
  } : tensor<64x64xf32>
  return %out : tensor<64x64xf32>
}
