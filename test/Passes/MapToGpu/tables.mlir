// A constant is a global of the kernels' module: in constant memory (space 4) where all lanes of a warp read the same of it, as weights are,
// in global memory (space 1) where each has a place of its own, as a look-up by pixels has. Kernels that read the same table have it once. It is aligned
// as far as it goes: of what is aligned more LLVM would read what is behind it, too.

// RUN: pipeline-opt %s --map-to-gpu | FileCheck %s

// CHECK: gpu.module @f_kernels
// CHECK-NEXT: memref.global "private" constant @weights : memref<3xf32, 4> = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> {alignment = 4 : i64}
// CHECK-NEXT: memref.global "private" constant @table : memref<256xi8, 1> = dense<"0x
// CHECK-NEXT: gpu.func @f_g0_blur(%{{[a-z_]*}}: memref<f32, 1> {{.*}}, %{{[a-z_]*}}: memref<f32, 1>
// CHECK: %[[W:.*]] = memref.get_global @weights : memref<3xf32, 4>
// CHECK: %[[V:.*]] = memref.reinterpret_cast %[[W]] to offset: [0], sizes: [3], strides: [1] : memref<3xf32, 4> to memref<3xf32, strided<[1]>, 4>
// CHECK: memref.load %[[V]][
// CHECK: gpu.func @f_g1_lut(
// CHECK: memref.get_global @table : memref<256xi8, 1>
// CHECK: gpu.func @f_g2_again(
// CHECK: memref.get_global @weights : memref<3xf32, 4>
// CHECK: func.func @f(
// CHECK-NOT: memref.get_global
func.func @f(%img: tensor<64xf32>, %bytes: tensor<64xi8>) -> (tensor<64xf32>, tensor<64xi8>, tensor<64xf32>) {
  %w = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32> loc("weights")
  %t = arith.constant dense<"0x0B30557A9FC4E90E33587DA2C7EC11365B80A5CAEF14395E83A8CDF2173C6186ABD0F51A3F6489AED3F81D42678CB1D6FB20456A8FB4D9FE23486D92B7DC01264B7095BADF04294E7398BDE2072C51769BC0E50A2F54799EC3E80D32577CA1C6EB10355A7FA4C9EE13385D82A7CCF1163B6085AACFF4193E6388ADD2F71C41668BB0D5FA1F44698EB3D8FD22476C91B6DB00254A6F94B9DE03284D7297BCE1062B50759ABFE4092E53789DC2E70C31567BA0C5EA0F34597EA3C8ED12375C81A6CBF0153A5F84A9CEF3183D6287ACD1F61B40658AAFD4F91E43688DB2D7FC21466B90B5DAFF24496E93B8DD02274C7196BBE0052A4F7499BEE3082D52779CC1E6"> : tensor<256xi8>
  %a = pipeline.stage "blur" (%x) {
    %zero = arith.constant 0.0 : f32
    %s = pipeline.reduce (%r) in [0, 3) (%acc = %zero : f32) {
      %p = pipeline.load %img[%x + %r - 1] clamp : tensor<64xf32>
      %k = pipeline.load %w[%r] : tensor<3xf32>
      %n = math.fma %p, %k, %acc : f32
      pipeline.yield %n : f32
    } : f32
    pipeline.yield %s : f32
  } : tensor<64xf32>
  %b = pipeline.stage "lut" (%x) {
    %p = pipeline.load %bytes[%x] : tensor<64xi8>
    %i = arith.index_castui %p : i8 to index
    %v = pipeline.gather %t[%i] clamp : tensor<256xi8>
    pipeline.yield %v : i8
  } : tensor<64xi8>
  %c = pipeline.stage "again" (%x) {
    %p = pipeline.load %img[%x] : tensor<64xf32>
    %k = pipeline.load %w[2] : tensor<3xf32>
    %n = arith.mulf %p, %k : f32
    pipeline.yield %n : f32
  } : tensor<64xf32>
  return %a, %b, %c : tensor<64xf32>, tensor<64xi8>, tensor<64xf32>
}
