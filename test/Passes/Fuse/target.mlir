// Targets: by name, from a file; what is wrong with either; schedules by hand that a target does not allow.

// RUN: pipeline-opt --print-targets | FileCheck %s --check-prefix=TARGETS
// TARGETS:  gtx1080ti-pact20 (sm_61)
// TARGETS:  weights     w1 50, w2 0.5, w3 45, w4 20, w5 2, w6 100, w7 1, w8 0
// TARGETS:  h200 (sm_90)

// RUN: rm -rf %t && mkdir %t
// RUN: not pipeline-opt %s -fuse=target=h20 -o %t/out 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not pipeline-opt %s -fuse="target=h200 target-file=%t/mine.toml" -o %t/out 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not pipeline-opt %s -fuse=target-file=%t/none.toml -o %t/out 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not pipeline-opt %s -fuse="target=h200 size=8xmany" -o %t/out 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: sed 's/64, 32>/4, 32>/' %s | not pipeline-opt -fuse="target=h200 report=%t/none/r.json" -o %t/out 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: not pipeline-opt %s -fuse=target=v100-pact20 -o %t/out 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not ls %t/out
// NAME:    error: {{.*}}unknown target `h20`, did you mean `h200`?
// BOTH:    error: {{.*}}options 'target' is 'h200' and 'target-file' is '{{.*}}mine.toml', expected one of the two
// FILE:    error: {{.*}}option 'target-file': {{.*}}none.toml: cannot be read: No such file
// SIZE:    error: {{.*}}option 'size' is '8xmany', expected positive numbers, for example 2832x4256
// REPORT:  error: {{.*}}option 'report': {{.*}}r.json: cannot be written: No such file
// THREADS: target.mlir:[[#@LINE+21]]:{{[0-9]+}}: error: {{.*}}group "mine" cannot be on v100-pact20: schedule key 'block' asks for 2048 threads, expected at most 1024

// One's own: an H200 of which an SM holds one block, and nothing but cycles counts.
// RUN: echo 'inherits = "h200"' > %t/mine.toml
// RUN: echo 'name = "mine"' >> %t/mine.toml
// RUN: echo 'blocks_per_sm = 1' >> %t/mine.toml
// RUN: echo 'shared_per_sm = 1' > %t/wrong.toml
// RUN: sed 's/64, 32>/4, 32>/' %s | pipeline-opt -fuse="target-file=%t/mine.toml report=%t/r.json" -o %t/out
// RUN: FileCheck %s --check-prefix=MINE --input-file=%t/r.json
// RUN: not pipeline-opt %s -fuse=target-file=%t/wrong.toml -o %t/out2 2>&1 | FileCheck %s --check-prefix=WRONG
// MINE:  "target": "mine",
// MINE:  "limit": "Blocks",
// WRONG: error: {{.*}}wrong.toml: {{.*}}missing field

// The report of a run, by the driver's own argument.
// RUN: sed 's/64, 32>/4, 32>/' %s | pipeline-opt -fuse=strategy=dp --fuse-report=%t/driver.json -o %t/out
// RUN: FileCheck %s --check-prefix=DRIVER --input-file=%t/driver.json
// DRIVER: "program": "f",
// DRIVER: "strategy": "dp",
// DRIVER: "schedule": "{block = array<i64: 4, 32>, tile = array<i64: 8, 128>}",
func.func @f(%img: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %g = pipeline.group "mine" schedule {block = array<i64: 64, 32>} {
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %img[%y, %x + 1] clamp : tensor<512x512xf32>
      pipeline.yield %0 : f32
    } : tensor<512x512xf32>
    pipeline.yield %b : tensor<512x512xf32>
  } : tensor<512x512xf32>
  return %g : tensor<512x512xf32>
}
