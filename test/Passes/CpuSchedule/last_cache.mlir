// Windows that half of the second cache holds for no tile may have more, if what costs are compared with is a large image.

// RUN: pipeline-opt %s --cpu-schedule="target=zen3 report=%t.json" | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json
// RUN: pipeline-opt %s --cpu-schedule="target=zen3 strategy=greedy" | FileCheck %s
// RUN: pipeline-opt %s --cpu-schedule="target=zen3 strategy=segments report=%t.segments.json" | FileCheck %s --check-prefix=SEGMENTS
// RUN: FileCheck %s --check-prefix=WHY --input-file=%t.segments.json

// Eight rows of 80 columns of 200 images of squares are nearly all of the second cache. As images they would have 2.5 GB.
// CHECK:      pipeline.group "g0"
// CHECK:        pipeline.stage "squares"
// CHECK:        pipeline.stage "sum"
// CHECK-NOT:  pipeline.group
// REPORT:     "windows": 512000

// Segments are no longer than the windows fit, and compare no costs with those of their parts.
// SEGMENTS: pipeline.group "g0"
// SEGMENTS:   pipeline.stage "squares"
// SEGMENTS: pipeline.group "g1"
// SEGMENTS:   pipeline.stage "sum"
// WHY:      "why": "windows have {{[0-9]+}} bytes at the narrowest tile, expected at most 262144"
func.func @squares(%img: tensor<1600x2000xf32>) -> tensor<1600x2000xf32> {
  %zero = arith.constant 0.0 : f32
  %squares = pipeline.stage "squares" (%n, %y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<1600x2000xf32>
    %1 = pipeline.load %img[%y, %x + %n - 100] clamp : tensor<1600x2000xf32>
    %2 = arith.subf %0, %1 : f32
    %3 = arith.mulf %2, %2 : f32
    pipeline.yield %3 : f32
  } : tensor<200x1600x2000xf32>
  %sum = pipeline.stage "sum" (%y, %x) {
    %0 = pipeline.reduce (%n) in [0, 200) (%sum = %zero : f32) {
      %1 = pipeline.load %squares[%n, %y - 1, %x] clamp : tensor<200x1600x2000xf32>
      %2 = pipeline.load %squares[%n, %y + 1, %x] clamp : tensor<200x1600x2000xf32>
      %3 = arith.maximumf %1, %2 : f32
      %4 = arith.addf %sum, %3 : f32
      pipeline.yield %4 : f32
    } : f32
    pipeline.yield %0 : f32
  } : tensor<1600x2000xf32>
  return %sum : tensor<1600x2000xf32>
}
