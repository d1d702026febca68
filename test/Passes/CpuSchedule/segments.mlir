// strategy=segments: one group where the windows fit the cache of a core, and else segments.

// RUN: pipeline-opt %s --cpu-schedule="strategy=segments target=zen5 report=%t.json" | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json
// RUN: pipeline-opt %s --cpu-schedule="strategy=all target=zen5 report=%t.all.json" -o %t.out
// RUN: FileCheck %s --check-prefix=ALL --input-file=%t.all.json
// RUN: pipeline-opt %s --pipeline-to-cpu="strategy=segments target=zen5" | FileCheck %s --check-prefix=CODE
// RUN: not pipeline-opt %s --cpu-schedule=report=%t.none/report.json -o %t.out 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: {{.*}}option 'report': {{.*}}none/report.json: cannot be written: No such file or directory
// CODE: llvm.func @whole

// CHECK-LABEL: @whole
// CHECK:       pipeline.group "g0"
// CHECK:         pipeline.stage "a"
// CHECK:         pipeline.stage "b"
// CHECK-NOT:   pipeline.group
// REPORT:      "program": "whole",
// REPORT-NEXT: "strategy": "segments",
// REPORT-NEXT: "target": "zen5",
// REPORT:      "name": "g0",
// REPORT-NEXT: "schedule": "{tile = array<i64: {{[0-9]+}}, 6400>}"
// REPORT:      "total": {{[1-9][0-9.]+}},
// REPORT-NEXT: "memory": {{[1-9][0-9.]+}},
// REPORT-NEXT: "compute": {{[1-9][0-9.]+}},
// REPORT-NEXT: "overhead": {{[1-9][0-9.]+}},
// REPORT-NEXT: "read": 122880000.0,
// REPORT-NEXT: "written": 122880000.0,
// REPORT-NEXT: "tiles": 32,
// REPORT-NEXT: "windows": 205312
// REPORT:      "name": "a",
// REPORT:      "of_loop": 0,
// REPORT-NEXT: "rows": 4,
// REPORT-NEXT: "planes": 1,
// REPORT-NEXT: "window": [
// REPORT-NEXT:   8,
// REPORT:      "is_non_temporal": false
// REPORT:      "name": "b",
// REPORT:      "of_loop": 1,
// REPORT:      "window": null,
// REPORT-NEXT: "is_non_temporal": true
// The whole, and each stage alone to compare with.
// REPORT:      "evaluations": 3,
func.func @whole(%img: tensor<4800x6400xf32>) -> tensor<4800x6400xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<4800x6400xf32>
    %1 = arith.addf %0, %0 : f32
    pipeline.yield %1 : f32
  } : tensor<4800x6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y - 1, %x] clamp : tensor<4800x6400xf32>
    %1 = pipeline.load %a[%y + 1, %x] clamp : tensor<4800x6400xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<4800x6400xf32>
  return %b : tensor<4800x6400xf32>
}

// "f" reads rows so far apart that no window of "e" fits: what is before it is one group, after the segments on both sides of "b",
// which two stages read, are merged again.
// CHECK-LABEL: @far
// CHECK:       pipeline.group "g0"
// CHECK:         pipeline.stage "a"
// CHECK:         pipeline.stage "b"
// CHECK:         pipeline.stage "c"
// CHECK:         pipeline.stage "d"
// CHECK:         pipeline.stage "e"
// CHECK-NOT:     pipeline.stage
// CHECK:       pipeline.group "g1"
// CHECK:         pipeline.stage "f"
// ALL:         "program": "far",
// ALL:         "groups": [],
// ALL:         "why": "windows have {{[0-9]+}} bytes at the narrowest tile, expected at most 524288"
func.func @far(%img: tensor<7000x6400xf32>) -> tensor<4800x6400xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<7000x6400xf32>
    %1 = arith.addf %0, %0 : f32
    pipeline.yield %1 : f32
  } : tensor<7000x6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y - 1, %x] clamp : tensor<7000x6400xf32>
    %1 = pipeline.load %a[%y + 1, %x] clamp : tensor<7000x6400xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<7000x6400xf32>
  %c = pipeline.stage "c" (%y, %x) {
    %0 = pipeline.load %b[%y - 1, %x] clamp : tensor<7000x6400xf32>
    %1 = pipeline.load %b[%y, %x] : tensor<7000x6400xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<7000x6400xf32>
  %d = pipeline.stage "d" (%y, %x) {
    %0 = pipeline.load %b[%y + 1, %x] clamp : tensor<7000x6400xf32>
    %1 = pipeline.load %b[%y, %x] : tensor<7000x6400xf32>
    %2 = arith.mulf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<7000x6400xf32>
  %e = pipeline.stage "e" (%y, %x) {
    %0 = pipeline.load %c[%y, %x] : tensor<7000x6400xf32>
    %1 = pipeline.load %d[%y, %x] : tensor<7000x6400xf32>
    %2 = arith.subf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<7000x6400xf32>
  %f = pipeline.stage "f" (%y, %x) {
    %0 = pipeline.load %e[%y, %x] : tensor<7000x6400xf32>
    %1 = pipeline.load %e[%y + 2200, %x] : tensor<7000x6400xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<4800x6400xf32>
  return %f : tensor<4800x6400xf32>
}
