// Groups and tiles of a file, as `pipeline-run --tune` writes it: all is as the file says, or refused.

// RUN: rm -rf %t && split-file %s %t
// RUN: pipeline-opt %t/p.mlir -cpu-schedule=tune=%t/two.json | FileCheck %s --check-prefix=TWO
// TWO:      pipeline.group "g0" schedule {tile = array<i64: 4, 64>} {
// TWO-NEXT:   pipeline.stage "a"
// TWO-NEXT:     pipeline.load
// TWO-NOT:  pipeline.stage
// TWO:      pipeline.group "g1" schedule {tile = array<i64: 8, 128>, vector = 8 : i64} {
// TWO:        pipeline.stage "b"
// TWO:        pipeline.stage "c"

// The report has what they cost, and as many tiles as are asked for, cheapest first.
// RUN: pipeline-opt %t/p.mlir -cpu-schedule="tune=%t/two.json target=zen5 report=%t/r.json candidates=3" -o %t/out
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t/r.json
// RUN: python3 -c "import json, sys; costs = [c['terms']['total'] for g in json.load(open(sys.argv[1]))[0]['groups'] for c in g['candidates'][:3]]; assert costs[:3] == sorted(costs[:3])" %t/r.json
// REPORT: "target": "zen5"
// REPORT: "name": "g0"
// REPORT: "schedule": "{tile = array<i64: 4, 64>}"
// REPORT: "total": {{[1-9]}}
// REPORT: "candidates": [
// REPORT-COUNT-3: "schedule": "{tile
// REPORT-NOT: "schedule": "{tile
// REPORT: "name": "g1"

// Without a file, too; the tile that is chosen is one of them.
// RUN: pipeline-opt %t/p.mlir -cpu-schedule="target=zen5 report=%t/own.json candidates=256" -o %t/out
// RUN: python3 -c "import json, sys; [g] = json.load(open(sys.argv[1]))[0]['groups']; assert g['schedule'] in [c['schedule'] for c in g['candidates']], g" %t/own.json

// Where no tile is said, there is none.
// RUN: pipeline-opt %t/p.mlir -cpu-schedule="tune=%t/bare.json report=%t/bare-report.json" | FileCheck %s --check-prefix=BARE
// RUN: FileCheck %s --check-prefix=BARE-REPORT --input-file=%t/bare-report.json
// BARE: pipeline.group "g0" schedule {} {
// BARE-REPORT: "groups": [],

// RUN: not pipeline-opt %t/p.mlir -cpu-schedule=tune=%t/none.json -o %t/bad 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not pipeline-opt %t/p.mlir -cpu-schedule=tune=%t/other.json -o %t/bad 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not pipeline-opt %t/p.mlir -cpu-schedule=tune=%t/alone.json -o %t/bad 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not pipeline-opt %t/p.mlir -cpu-schedule=tune=%t/rank.json -o %t/bad 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not pipeline-opt %t/p.mlir -pipeline-to-cpu=tune=%t/none.json -o %t/bad 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ls %t/bad
// NONE:  p.mlir:1:1: error: {{.*}}option 'tune': {{.*}}none.json: cannot be read: No such file
// OTHER: error: {{.*}}option 'tune': {{.*}}other.json: no program @p, expected one of @q
// ALONE: error: {{.*}}option 'tune': {{.*}}alone.json: has no group with stage "c"
// RANK:  error: {{.*}}option 'tune': {{.*}}rank.json: has a group of "a", "b", "c": schedule key 'tile' is array<i64: 4>, expected array<i64: ...> of 2 positive numbers

//--- two.json
[{"program": "p", "target": "host", "groups": [
  {"stages": ["a"], "schedule": "{tile = array<i64: 4, 64>}"},
  {"stages": ["b", "c"], "schedule": "{tile = array<i64: 8, 128>, vector = 8}"}]}]
//--- bare.json
[{"program": "p", "target": "host", "groups": [{"stages": ["a", "b", "c"], "schedule": "{}"}]}]
//--- other.json
[{"program": "q", "target": "host", "groups": []}]
//--- alone.json
[{"program": "p", "target": "host", "groups": [{"stages": ["a", "b"], "schedule": "{}"}]}]
//--- rank.json
[{"program": "p", "target": "host", "groups": [{"stages": ["a", "b", "c"], "schedule": "{tile = array<i64: 4>}"}]}]
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
