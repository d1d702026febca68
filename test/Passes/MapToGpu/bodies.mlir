// A reduce is a loop of the thread, in which a producer is computed; a gather reads a producer where it is computed.

// RUN: pipeline-opt %s --fuse=strategy=all --map-to-gpu --canonicalize --cse | FileCheck %s

// CHECK-LABEL: gpu.func @window_g0_b
// CHECK: scf.for {{.*}} iter_args
// CHECK: scf.for {{.*}} iter_args
// CHECK: %[[P:.*]] = memref.load
// CHECK: arith.mulf %[[P]], %[[P]]
func.func @window(%img: tensor<64x64xf32>, %zero: f32) -> tensor<64x64xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %p = pipeline.load %img[%y, %x] : tensor<64x64xf32>
    %q = arith.mulf %p, %p : f32
    pipeline.yield %q : f32
  } : tensor<64x64xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %z = arith.muli %y, %x : index
    %t = pipeline.gather %a[%z, %x] wrap : tensor<64x64xf32>
    %s = pipeline.reduce (%k, %l) in [-4, 5) x [-4, 5) (%acc = %t : f32) {
      %p = pipeline.load %a[%y + %k, %x + %l] clamp : tensor<64x64xf32>
      %s = arith.addf %acc, %p : f32
      pipeline.yield %s : f32
    } : f32
    pipeline.yield %s : f32
  } : tensor<64x64xf32>
  return %b : tensor<64x64xf32>
}
