// Options: printed with their values, parsed again, refused where wrong.

// RUN: pipeline-opt %s -fuse --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=DP
// RUN: pipeline-opt %s -fuse=strategy=none --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=NONE
// RUN: pipeline-opt %s --pass-pipeline='builtin.module(fuse{strategy=none})' --dump-pass-pipeline 2>&1 >/dev/null \
// RUN:   | FileCheck %s --check-prefix=NONE
// DP:   fuse{candidates=0 fraction= inputs=memory nested=true report= schedule= schedules=true size= strategy=dp target= target-file= threshold=40 tune=}
// NONE: fuse{candidates=0 fraction= inputs=memory nested=true report= schedule= schedules=true size= strategy=none target= target-file= threshold=40 tune=}

// A crash reproducer holds the pipeline; running it does what the pipeline did.
// RUN: pipeline-opt %s -fuse=strategy=none --mlir-generate-reproducer=%t.mlir -o %t.out
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=REPRODUCER
// RUN: pipeline-opt %t.mlir --run-reproducer | FileCheck %s
// REPRODUCER: pipeline: "builtin.module(fuse{candidates=0 fraction= inputs=memory nested=true report= schedule= schedules=true size= strategy=none target= target-file= threshold=40 tune=})"

// RUN: rm -f %t.wrong
// RUN: not pipeline-opt %s -fuse=strategy=some -o %t.wrong 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not pipeline-opt %s --pass-pipeline='builtin.module(fuse{strategy=})' -o %t.wrong 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not pipeline-opt %s -fuse=tile=8 -o %t.wrong 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not ls %t.wrong
// VALUE:  error: pass 'fuse': option 'strategy' is 'some', expected one of all, none, greedy, segments, dp, polymage, sioutas
// EMPTY:  error: pass 'fuse': option 'strategy' is '', expected one of all, none, greedy, segments, dp, polymage, sioutas
// OPTION: error: {{.*}}no such option tile

// A schedule is given to the groups that are made, and printed so that it parses again.
// RUN: pipeline-opt %s '-fuse=strategy=all schedule={tile = array<i64: 8>, fraction = 0.5 : f64}' | FileCheck %s --check-prefix=SCHEDULE
// RUN: pipeline-opt %s '-fuse=strategy=all schedule={tile = array<i64: 8>}' --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=TEXT
// RUN: not pipeline-opt %s '-fuse=schedule={tile = 8x8}' -o %t.wrong 2>&1 | FileCheck %s --check-prefix=NONSENSE
// RUN: not pipeline-opt %s '-fuse=schedule={tile = array<i64: 8, 8, 8, 8>}' -o %t.wrong 2>&1 | FileCheck %s --check-prefix=RANK
// SCHEDULE: pipeline.group "g0" schedule {fraction = 5.000000e-01 : f64, tile = array<i64: 8>}
// TEXT:     fuse{candidates=0 fraction= inputs=memory nested=true report= schedule={tile = array<i64: 8>} schedules=true size= strategy=all target= target-file= threshold=40 tune=}
// NONSENSE: error: {{.*}}option 'schedule' is 'tile = 8x8', expected the entries of a schedule attribute
// RANK:     error: 'pipeline.group' op schedule key 'tile' is array<i64: 8, 8, 8, 8>, expected array<i64: ...> of

// RUN: pipeline-opt --help | FileCheck %s --check-prefix=HELP
// HELP:      --fuse {{.*}}Put the stages that share a kernel into groups
// HELP-NEXT:   --candidates=<long>
// HELP-NEXT:   --fraction=<string> {{.*}}registers
// HELP-NEXT:   --inputs=<string> {{.*}}(memory, shared)
// HELP-NEXT:   --nested
// HELP-NEXT:   --report=<string>
// HELP-NEXT:   --schedule=<string> {{.*}}the schedule of groups that are made{{.*}}
// HELP-NEXT:   --schedules
// HELP-NEXT:   --size=<string>
// HELP-NEXT:   --strategy=<string> {{.*}}which stages share a kernel{{.*}}(all, none, greedy, segments, dp, polymage, sioutas)

// CHECK: pipeline.group "g0"
// CHECK: pipeline.group "g1"
func.func @f(%v: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %b = pipeline.stage "b" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}
