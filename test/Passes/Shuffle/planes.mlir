// Planes of a strip have their rows side by side: what they share is loaded, or computed, for a row, and is not kept until the next plane
// has come to it.

// RUN: pipeline-opt %s -infer-bounds -warp-tile -hybrid-register -shuffle | FileCheck %s

// CHECK-LABEL: gpu.func @scaled_g0
// CHECK:         %input0.y0.x0 = memref.load %image
// CHECK:         memref.store %out.plane0.y0.x0, %out_out[%c{{[0-9]+}}, %origin_y, %lane_x]
// CHECK-NOT:     memref.load
// CHECK:         memref.store %out.plane1.y0.x0, %out_out[%c{{[0-9]+}}, %origin_y, %lane_x]
// CHECK:         %input0.y1.x0 = memref.load %image
// CHECK:         memref.store %out.plane0.y1.x0, %out_out[%c{{[0-9]+}}, %y1, %lane_x]
// CHECK-NOT:     memref.load
// CHECK:         memref.store %out.plane1.y1.x0, %out_out[%c{{[0-9]+}}, %y1, %lane_x]
func.func @scaled(%img: tensor<?x?xf32>) -> tensor<2x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %g0 = pipeline.group "g0" schedule {block = array<i64: 1, 4, 32>, layout = "blocked", tile = array<i64: 2, 2, 32>, vector = 1 : i64} {
    %out = pipeline.stage "out" (%c, %y, %x) {
      %p = pipeline.load %img[%y, %x] : tensor<?x?xf32>
      %n = arith.index_cast %c : index to i32
      %f = arith.sitofp %n : i32 to f32
      %v = arith.mulf %p, %f : f32
      pipeline.yield %v : f32
    } sized(%h, %w) : tensor<2x?x?xf32>
    pipeline.yield %out : tensor<2x?x?xf32>
  } : tensor<2x?x?xf32>
  return %g0 : tensor<2x?x?xf32>
}
