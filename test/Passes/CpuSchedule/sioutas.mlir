// strategy=sioutas: groups, tiles and costs of the paper on reuse analysis. One group where the last cache holds the windows of all cores, in
// tiles that begin few rows: as wide as caches allow, one below the other for each thread.

// RUN: pipeline-opt %s --infer-bounds --cpu-schedule="strategy=sioutas target=zen4 report=%t.json" | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json
// RUN: pipeline-opt %s --infer-bounds --cpu-schedule="strategy=sioutas target=zen4 tile=32x256" | FileCheck %s --check-prefix=GIVEN
// RUN: pipeline-opt %s --pipeline-to-cpu="strategy=sioutas target=zen4" | FileCheck %s --check-prefix=CODE
// CODE: llvm.func @blur

// RUN: not pipeline-opt %s --fuse=strategy=sioutas 2>&1 | FileCheck %s --check-prefix=GPU
// GPU: error: {{.*}}option 'strategy' is 'sioutas', which is for CPUs

// Two threads, one strip for each; Weft's own choice has sixteen for each.
// CHECK-LABEL: @blur
// CHECK:       pipeline.group "g0" schedule {tile = array<i64: 512, 1024>} {
// CHECK:         pipeline.stage "blurx"
// CHECK:         pipeline.stage "blury"
// CHECK-NOT:   pipeline.group
// GIVEN:       pipeline.group "g0" schedule {tile = array<i64: 32, 256>} {
// GIVEN:         pipeline.stage "blurx"
// REPORT:      "program": "blur",
// REPORT-NEXT: "strategy": "sioutas",
// REPORT:      "tiles": 2,
func.func @blur(%img: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %blurx = pipeline.stage "blurx" (%y, %x) {
    %a = pipeline.load %img[%y, %x - 1] clamp : tensor<1024x1024xf32>
    %b = pipeline.load %img[%y, %x + 1] clamp : tensor<1024x1024xf32>
    %v = arith.addf %a, %b : f32
    pipeline.yield %v : f32
  } : tensor<1024x1024xf32>
  %blury = pipeline.stage "blury" (%y, %x) {
    %a = pipeline.load %blurx[%y - 1, %x] clamp : tensor<1024x1024xf32>
    %b = pipeline.load %blurx[%y + 1, %x] clamp : tensor<1024x1024xf32>
    %v = arith.mulf %a, %b : f32
    pipeline.yield %v : f32
  } : tensor<1024x1024xf32>
  return %blury : tensor<1024x1024xf32>
}

// "far" would keep 262,144 rows of "b" or more, which at 16 columns are more than half of the last cache: what is before it is a segment.
// CHECK-LABEL: @far
// CHECK:       pipeline.group "g0" schedule {tile = array<i64: 150000, 64>} {
// CHECK:         pipeline.stage "a"
// CHECK:         pipeline.stage "b"
// CHECK:       pipeline.group "g1" schedule {tile = array<i64: 50000, 64>} {
// CHECK:         pipeline.stage "far"
// REPORT:      "program": "far",
// REPORT:      "why": "windows have {{[0-9]+}} bytes at the narrowest tile, expected at most 16777216"
func.func @far(%img: tensor<300000x64xf32>) -> tensor<100000x64xf32> {
  %first = pipeline.stage "a" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<300000x64xf32>
    %v = arith.addf %a, %a : f32
    pipeline.yield %v : f32
  } : tensor<300000x64xf32>
  %second = pipeline.stage "b" (%y, %x) {
    %a = pipeline.load %first[%y - 1, %x] clamp : tensor<300000x64xf32>
    %b = pipeline.load %first[%y + 1, %x] clamp : tensor<300000x64xf32>
    %v = arith.addf %a, %b : f32
    pipeline.yield %v : f32
  } : tensor<300000x64xf32>
  %far = pipeline.stage "far" (%y, %x) {
    %a = pipeline.load %second[%y, %x] : tensor<300000x64xf32>
    %b = pipeline.load %second[%y + 200000, %x] : tensor<300000x64xf32>
    %v = arith.addf %a, %b : f32
    pipeline.yield %v : f32
  } : tensor<100000x64xf32>
  return %far : tensor<100000x64xf32>
}

// Planes that need the same of a stage lie inside of rows; else it were computed once a plane.
// CHECK-LABEL: @planes
// CHECK:       pipeline.group "g0" schedule {tile = array<i64: 3, 32, 64>} {
func.func @planes(%img: tensor<64x64xf32>) -> tensor<3x64x64xf32> {
  %gray = pipeline.stage "gray" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<64x64xf32>
    %v = arith.addf %a, %a : f32
    pipeline.yield %v : f32
  } : tensor<64x64xf32>
  %planes = pipeline.stage "planes" (%c, %y, %x) {
    %a = pipeline.load %gray[%y + 1, %x] clamp : tensor<64x64xf32>
    %v = arith.addf %a, %a : f32
    pipeline.yield %v : f32
  } : tensor<3x64x64xf32>
  return %planes : tensor<3x64x64xf32>
}

// Too small for a strip of whole ticks for each thread: it must still be computed.
// CHECK-LABEL: @small
// CHECK:       pipeline.group "g0" schedule {tile = array<i64: 3, 16>} {
func.func @small(%img: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %first = pipeline.stage "a" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<3x5xf32>
    %v = arith.addf %a, %a : f32
    pipeline.yield %v : f32
  } : tensor<3x5xf32>
  return %first : tensor<3x5xf32>
}
