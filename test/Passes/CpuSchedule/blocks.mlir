// Rows of blocks: where one begins, an index is divided and multiplied again, also one stage after the other They share a group.

// RUN: pipeline-opt %s --infer-bounds '--cpu-schedule=target=zen4 strategy=all' | FileCheck %s

// CHECK:       pipeline.group "g0" schedule {tile = array<i64: {{[0-9]+}}, {{[0-9]+}}>} {
// CHECK-NEXT:    pipeline.stage "along_x"
// CHECK:         pipeline.stage "along_y"
// CHECK:         pipeline.yield
func.func @blocks(%img: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %along_x = pipeline.stage "along_x" (%y, %x) {
    %a = pipeline.load %img[%y, (%x floordiv 8) * 8] : tensor<512x512xf32>
    %b = pipeline.load %img[%y, (%x floordiv 8) * 8 + 7] : tensor<512x512xf32>
    %s = arith.addf %a, %b : f32
    pipeline.yield %s : f32
  } : tensor<512x512xf32>
  %along_y = pipeline.stage "along_y" (%y, %x) {
    %a = pipeline.load %along_x[(%y floordiv 8) * 8, %x] : tensor<512x512xf32>
    %b = pipeline.load %along_x[(%y floordiv 8) * 8 + 7, %x] : tensor<512x512xf32>
    %s = arith.mulf %a, %b : f32
    pipeline.yield %s : f32
  } : tensor<512x512xf32>
  return %along_y : tensor<512x512xf32>
}
