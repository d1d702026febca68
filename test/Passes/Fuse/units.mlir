// Scans and scatters are in no group: the stages before and behind are grouped apart, and what they read goes to memory.

// RUN: pipeline-opt %s --fuse="strategy=all" | FileCheck %s
// RUN: pipeline-opt %s --fuse="strategy=dp" | FileCheck %s

// CHECK-LABEL: @f
// CHECK:      %g0 = pipeline.group "g0"
// CHECK:        pipeline.stage "a"
// CHECK:        pipeline.stage "b"
// CHECK:        pipeline.yield %b
// CHECK:      %s = pipeline.scan "s"
// CHECK:        pipeline.load %g0
// CHECK:      %g1 = pipeline.group "g1"
// CHECK:        pipeline.load %s[
// CHECK:      %t = pipeline.scatter "t"
// CHECK:        pipeline.load %g1
func.func @f(%img: tensor<64x64xf32>, %v: f32) -> tensor<64xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x + 1] clamp : tensor<64x64xf32>
    pipeline.yield %0 : f32
  } : tensor<64x64xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x + 1] clamp : tensor<64x64xf32>
    pipeline.yield %0 : f32
  } : tensor<64x64xf32>
  %s = pipeline.scan "s" (%y, %x) along 0 {
    %0 = pipeline.load %b[%y, %x] : tensor<64x64xf32>
    pipeline.yield %0 : f32
  } : tensor<64x64xf32>
  %c = pipeline.stage "c" (%y, %x) {
    %0 = pipeline.load %s[%y, %x] : tensor<64x64xf32>
    pipeline.yield %0 : f32
  } : tensor<64x64xf32>
  %t = pipeline.scatter "t" (%y) over (%x) in [0, 64) from(%v : f32) combine "arith.addf" {
    %0 = pipeline.load %c[%y, %x] : tensor<64x64xf32>
    pipeline.update %0 at [] : f32
  } : tensor<64xf32>
  return %t : tensor<64xf32>
}
