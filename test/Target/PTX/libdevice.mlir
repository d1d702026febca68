// Mathematics from NVIDIA's libdevice: its functions are inlined, and what no kernel calls is dropped.
// REQUIRES: libdevice, ptxas

// RUN: pipeline-translate %s --mlir-to-ptx --tiling none --libm target --libdevice %libdevice -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %ptxas -arch=sm_90 %t.ptx -o /dev/null
// RUN: pipeline-opt %s --pipeline-to-ptx="tiling=none libm=target libdevice=%libdevice" | pipeline-translate --mlir-to-ptx | diff %t.ptx -

// CHECK-NOT:   .func
// CHECK-LABEL: .entry f_g0_s(
// CHECK-NOT:   call
// CHECK-NOT:   reflect
// CHECK:       ret;
// CHECK-NOT:   .func
func.func @f(%img: tensor<8xf64>) -> tensor<8xf64> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf64>
    %b = math.exp %a : f64
    %c = math.sqrt %b : f64
    pipeline.yield %c : f64
  } : tensor<8xf64>
  return %0 : tensor<8xf64>
}

// Where all is shared, libdevice is for the rest.
// RUN: sed 's/math.exp /math.erf /' %s | pipeline-translate --mlir-to-ptx --tiling none --libdevice %libdevice -o %t.erf.ptx
// RUN: %ptxas -arch=sm_90 %t.erf.ptx -o /dev/null
