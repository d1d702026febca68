// Kernels have 32-bit indices: larger images are refused, at compile time or at entry. Empty images launch nothing.
// RUN: pipeline-opt --map-to-gpu -split-input-file -verify-diagnostics %s | FileCheck %s

// expected-error @+1 {{an image of memref<65536x65536xf32> has more than 2147483647 points, the most that a kernel can index}}
func.func @huge(%img: tensor<65536x65536xf32>) -> tensor<65536x65536xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<65536x65536xf32>
    pipeline.yield %a : f32
  } : tensor<65536x65536xf32>
  return %0 : tensor<65536x65536xf32>
}

// -----

// CHECK-LABEL: func.func @dynamic(
// CHECK: cf.assert %{{.*}}, "{{.*}}: an image has more points than a kernel can index (2147483647)"
// CHECK: scf.if
// CHECK: gpu.launch_func
func.func @dynamic(%img: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %img, %c0 : tensor<?xf32>
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<?xf32>
    pipeline.yield %a : f32
  } sized(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @empty(
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @empty(%v: f32) -> tensor<0x8xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    pipeline.yield %v : f32
  } : tensor<0x8xf32>
  return %0 : tensor<0x8xf32>
}

// -----

func.func @far(%img: tensor<37xf32>) -> tensor<37xf32> {
  %0 = pipeline.stage "s" (%x) {
    // expected-error @+1 {{'pipeline.load' op index #0 takes values beyond 32 bits, which a kernel's indices have}}
    %v = pipeline.load %img[%x - 5000000000] wrap : tensor<37xf32>
    pipeline.yield %v : f32
  } : tensor<37xf32>
  return %0 : tensor<37xf32>
}
