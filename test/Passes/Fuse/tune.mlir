// Groups and schedules of a file, as `pipeline-run --tune` writes it: all is as the file says, or refused.

// RUN: rm -rf %t && split-file %s %t
// RUN: pipeline-opt %t/p.mlir -fuse=tune=%t/two.json | FileCheck %s --check-prefix=TWO
// TWO:      pipeline.group "g0" schedule {tile = array<i64: 4, 64>} {
// TWO-NEXT:   pipeline.stage "a"
// TWO-NEXT:     pipeline.load
// TWO-NOT:  pipeline.stage
// TWO:      pipeline.group "g1" schedule {layout = "blocked", tile = array<i64: 8, 128>} {
// TWO:        pipeline.stage "b"
// TWO:        pipeline.stage "c"

// A stage of two groups is computed by both.
// RUN: pipeline-opt %t/two-readers.mlir -fuse=tune=%t/overlap.json | FileCheck %s --check-prefix=OVERLAP
// OVERLAP:      pipeline.group "g0"
// OVERLAP-NEXT:   pipeline.stage "a"
// OVERLAP:        [[B:%.*]] = pipeline.stage "b"
// OVERLAP:        pipeline.yield [[B]] : tensor<512x512xf32>
// OVERLAP:      pipeline.group "g1"
// OVERLAP-NEXT:   [[A:%.*]] = pipeline.stage "a"
// OVERLAP:        pipeline.stage "c"
// OVERLAP-NEXT:     pipeline.load [[A]]

// It is of the target as any group by hand is: the report has its cost, and as many schedules as are asked for.
// RUN: pipeline-opt %t/p.mlir -fuse="tune=%t/two.json target=v100 report=%t/r.json candidates=2" -o %t/out
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t/r.json
// REPORT: "target": "v100"
// REPORT: "name": "g0"
// REPORT: "schedule": "{block = array<i64: 4, 32>, tile = array<i64: 4, 64>}"
// REPORT: "candidates": [
// REPORT-COUNT-2: "schedule": "{block
// REPORT-NOT: "schedule": "{block
// REPORT: "name": "g1"

// RUN: not pipeline-opt %t/p.mlir -fuse=tune=%t/none.json -o %t/bad 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not pipeline-opt %t/p.mlir -fuse=tune=%t/text.json -o %t/bad 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not pipeline-opt %t/p.mlir -fuse=tune=%t/other.json -o %t/bad 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not pipeline-opt %t/p.mlir -fuse=tune=%t/alone.json -o %t/bad 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not pipeline-opt %t/p.mlir -fuse=tune=%t/unknown.json -o %t/bad 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not pipeline-opt %t/p.mlir -fuse=tune=%t/twice.json -o %t/bad 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not pipeline-opt %t/p.mlir -fuse=tune=%t/order.json -o %t/bad 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not pipeline-opt %t/p.mlir -fuse=tune=%t/schedule.json -o %t/bad 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// RUN: not pipeline-opt %t/p.mlir -fuse=tune=%t/threads.json -o %t/bad 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not ls %t/bad
// NONE:     p.mlir:1:1: error: {{.*}}option 'tune': {{.*}}none.json: cannot be read: No such file
// TEXT:     error: {{.*}}option 'tune': {{.*}}text.json: expected
// OTHER:    error: {{.*}}option 'tune': {{.*}}other.json: no program @p, expected one of @q
// ALONE:    error: {{.*}}option 'tune': {{.*}}alone.json: has no group with stage "c"
// UNKNOWN:  error: {{.*}}option 'tune': {{.*}}unknown.json: has a group of "b", "d", but there is no stage "d" beside them
// TWICE:    error: {{.*}}option 'tune': {{.*}}twice.json: has stage "b" twice in a group
// ORDER:    error: {{.*}}option 'tune': {{.*}}order.json: has "b" in a group before that of "a", which it reads
// SCHEDULE: error: {{.*}}option 'tune': {{.*}}schedule.json: has schedule 'tile', expected a dictionary of attributes
// THREADS:  error: {{.*}}group "g0" cannot be on h200: schedule key 'block' asks for 2048 threads, expected at most 1024

//--- two.json
[{"program": "p", "target": "v100", "groups": [
  {"stages": ["a"], "schedule": "{tile = array<i64: 4, 64>}"},
  {"stages": ["b", "c"], "schedule": "{layout = \"blocked\", tile = array<i64: 8, 128>}"}]}]
//--- text.json
two groups
//--- other.json
[{"program": "q", "target": "v100", "groups": []}]
//--- alone.json
[{"program": "p", "target": "v100", "groups": [{"stages": ["a", "b"], "schedule": "{}"}]}]
//--- unknown.json
[{"program": "p", "target": "v100", "groups": [{"stages": ["b", "d"], "schedule": "{}"}]}]
//--- twice.json
[{"program": "p", "target": "v100", "groups": [{"stages": ["a", "b", "b"], "schedule": "{}"}, {"stages": ["c"], "schedule": "{}"}]}]
//--- overlap.json
[{"program": "p", "target": "v100", "groups": [{"stages": ["a", "b"], "schedule": "{}"}, {"stages": ["a", "c"], "schedule": "{}"}]}]
//--- order.json
[{"program": "p", "target": "v100", "groups": [{"stages": ["b", "c"], "schedule": "{}"}, {"stages": ["a"], "schedule": "{}"}]}]
//--- schedule.json
[{"program": "p", "target": "v100", "groups": [{"stages": ["a", "b", "c"], "schedule": "tile"}]}]
//--- threads.json
[{"program": "p", "target": "v100", "groups": [{"stages": ["a", "b", "c"], "schedule": "{block = array<i64: 64, 32>}"}]}]
//--- p.mlir
func.func @p(%img: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x - 1] clamp : tensor<512x512xf32>
    pipeline.yield %v : f32
  } : tensor<512x512xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %v = pipeline.load %a[%y - 1, %x] clamp : tensor<512x512xf32>
    pipeline.yield %v : f32
  } : tensor<512x512xf32>
  %c = pipeline.stage "c" (%y, %x) {
    %v = pipeline.load %b[%y, %x + 1] clamp : tensor<512x512xf32>
    pipeline.yield %v : f32
  } : tensor<512x512xf32>
  return %c : tensor<512x512xf32>
}
//--- two-readers.mlir
func.func @p(%img: tensor<512x512xf32>) -> (tensor<512x512xf32>, tensor<512x512xf32>) {
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x - 1] clamp : tensor<512x512xf32>
    pipeline.yield %v : f32
  } : tensor<512x512xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %v = pipeline.load %a[%y - 1, %x] clamp : tensor<512x512xf32>
    pipeline.yield %v : f32
  } : tensor<512x512xf32>
  %c = pipeline.stage "c" (%y, %x) {
    %v = pipeline.load %a[%y, %x + 1] clamp : tensor<512x512xf32>
    pipeline.yield %v : f32
  } : tensor<512x512xf32>
  return %b, %c : tensor<512x512xf32>, tensor<512x512xf32>
}
