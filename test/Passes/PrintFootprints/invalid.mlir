// RUN: pipeline-opt %s -print-footprints="tile=8x8" -split-input-file -verify-diagnostics
// RUN: not pipeline-opt %s -print-footprints="tile=8xx" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not pipeline-opt %s -print-footprints="tile=0" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not pipeline-opt %s -print-footprints="size=wide" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SIZE

// TEXT: error: {{.*}}option 'tile' is '8xx', expected extents from 1 to 1073741824 with x between them, such as 8x512
// ZERO: error: {{.*}}option 'tile' is '0', expected extents from 1
// SIZE: error: {{.*}}option 'size' is 'wide', expected extents from 1

// expected-error @+1 {{@row: tile 8x8 has 2 extents, expected at most 1, the rank of the live-outs}}
func.func @row(%img: tensor<100xf32>) -> tensor<100xf32> {
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x] : tensor<100xf32>
    pipeline.yield %0 : f32
  } : tensor<100xf32>
  return %a : tensor<100xf32>
}

// -----

// expected-error @+1 {{@rows group "g": tile 8x8 has 2 extents, expected at most 1, the rank of the live-outs}}
func.func @rows(%img: tensor<100xf32>) -> tensor<100xf32> {
  %g = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      %0 = pipeline.load %img[%x] : tensor<100xf32>
      pipeline.yield %0 : f32
    } : tensor<100xf32>
    pipeline.yield %a : tensor<100xf32>
  } : tensor<100xf32>
  return %g : tensor<100xf32>
}
