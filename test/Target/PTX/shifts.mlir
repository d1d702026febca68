// A shift of 64 bits by a number of 64 bits: PTX takes 32 bits of it, and 2^63 is not 0.

// RUN: pipeline-translate --mlir-to-ptx %s | FileCheck %s

// CHECK:      setp.lt.u64 [[LESS:%p[0-9]+]], [[BY:%rd[0-9]+]], 64;
// CHECK:      min.u64 [[SOME:%rd[0-9]+]], [[BY]], 63;
// CHECK-NEXT: cvt.u32.u64 [[AMOUNT:%r[0-9]+]], [[SOME]];
// CHECK-NEXT: shr.u64 [[SHIFTED:%rd[0-9]+]], %{{.*}}, [[AMOUNT]];
// CHECK-NEXT: selp.b64 %{{.*}}, [[SHIFTED]], 0, [[LESS]];
func.func @f(%a: tensor<64xi64>, %b: tensor<64xi64>) -> tensor<64xi64> {
  %s = pipeline.stage "s" (%x) {
    %0 = pipeline.load %a[%x] : tensor<64xi64>
    %1 = pipeline.load %b[%x] : tensor<64xi64>
    %2 = arith.shrui %0, %1 : i64
    pipeline.yield %2 : i64
  } : tensor<64xi64>
  return %s : tensor<64xi64>
}
