// Options of --pipeline-to-ptx: what it expands to, and what it refuses.

// RUN: pipeline-opt %s --pipeline-to-ptx --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefixes=DUMP,SM90
// RUN: pipeline-opt %s --pass-pipeline='builtin.module(pipeline-to-ptx{chip=sm_80 strategy=none})' --dump-pass-pipeline 2>&1 >/dev/null \
// RUN:   | FileCheck %s --check-prefixes=DUMP,SM80
// DUMP:      builtin.module(
// DUMP-NEXT:   partial-sums{term-points=33},
// DUMP-NEXT:   copy-results,
// DUMP-NEXT:   define-integers,
// DUMP-NEXT:   contract,
// DUMP-NEXT:   expand-math,
// DUMP-NEXT:   unroll-reductions{inner-points=0 max-points=32 rectangle-points=128},
// DUMP-NEXT:   fold-tables,
// DUMP-NEXT:   exact-division{floats=true},
// DUMP-NEXT:   separate-windows{least=3 strided=0},
// DUMP-NEXT:   inline-stages{{{.*}}},
// DUMP-NEXT:   factor-extremes,
// SM90-NEXT:   time-tile{size= steps=8 target=h200},
// SM80-NEXT:   time-tile{size= steps=8 target=a100},
// DUMP-NEXT:   infer-bounds,
// SM90-NEXT:   fuse{candidates=0 fraction= inputs=memory nested=true report= schedule= schedules=true size= strategy=dp target=h200 target-file= threshold=40 tune=},
// SM80-NEXT:   fuse{candidates=0 fraction= inputs=memory nested=true report= schedule= schedules=true size= strategy=none target=a100 target-file= threshold=40 tune=},
// DUMP-NEXT:   warp-tile,
// DUMP-NEXT:   split-interior,
// DUMP-NEXT:   hybrid-register{fraction=},
// DUMP-NEXT:   shuffle,
// DUMP-NEXT:   lower-warp,
// DUMP-NEXT:   load-ahead{most=16},
// DUMP-NEXT:   merge-kernels,
// SM90:        nvvm-attach-target{O=3 chip=sm_90 {{.*}}features=+ptx80
// SM80:        nvvm-attach-target{O=3 chip=sm_80 {{.*}}features=+ptx80
// DUMP:        gpu.module(
// DUMP:          convert-gpu-to-nvvm{
// DUMP:        to-ptx

// Kernels that are the same stay so where that is asked for.
// RUN: pipeline-opt %s --pipeline-to-ptx=merge=false --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=APART
// APART:      lower-warp,
// APART-NEXT: load-ahead{most=16},
// APART-NEXT: canonicalize

// Who computes a tile: a warp, unless it is said.
// RUN: pipeline-opt %s --pipeline-to-ptx=tiling=warp --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefixes=DUMP,SM90
// RUN: pipeline-opt %s --pipeline-to-ptx=tiling=block --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=BLOCK
// RUN: pipeline-opt %s --pipeline-to-ptx=tiling=none --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=NONE
// BLOCK:      fuse{candidates=0 fraction= inputs=memory nested=true report= schedule= schedules=false size= strategy=dp target=h200 target-file= threshold=40 tune=},
// BLOCK-NEXT: block-tile,
// BLOCK-NEXT: split-interior,
// BLOCK-NEXT: hybrid-register{fraction=},
// BLOCK-NEXT: shuffle,
// BLOCK-NEXT: lower-warp,
// BLOCK-NEXT: load-ahead{most=16},
// BLOCK-NEXT: merge-kernels,
// BLOCK-NEXT: canonicalize
// Schedules of greedy are for blocks.
// RUN: pipeline-opt %s --pipeline-to-ptx="tiling=block strategy=greedy" --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=GREEDY
// GREEDY:     fuse{candidates=0 fraction= inputs=memory nested=true report= schedule= schedules=true size= strategy=greedy target=h200 target-file= threshold=40 tune=},
// NONE:       fuse{candidates=0 fraction= inputs=memory nested=true report= schedule= schedules=false size= strategy=dp target=h200 target-file= threshold=40 tune=},
// NONE-NEXT:  map-to-gpu,
// NONE-NEXT:  load-ahead{most=16},
// NONE-NEXT:  merge-kernels,
// NONE-NEXT:  canonicalize

// LLVM's passes, all or few.
// RUN: pipeline-opt %s --pipeline-to-ptx=level=0 --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=LEVEL
// LEVEL:      nvvm-attach-target{O=0 chip=sm_90
// RUN: not pipeline-opt %s --pipeline-to-ptx=level=2 2>&1 | FileCheck %s --check-prefix=LEVELS
// LEVELS: error: {{.*}}option 'level' is 2, expected 0 or 3

// RUN: not pipeline-opt %s --pipeline-to-ptx=chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not pipeline-translate %s --mlir-to-ptx --chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: {{.*}}unknown chip 'sm_1', expected one of sm_70, {{.*}}sm_90,
// RUN: not pipeline-opt %s --pipeline-to-ptx=strategy=some 2>&1 | FileCheck %s --check-prefix=STRATEGY
// STRATEGY: error: {{.*}}option 'strategy' is 'some', expected one of all, none, greedy, segments, dp, polymage, sioutas
// RUN: not pipeline-opt %s --pipeline-to-ptx=tiling=thread 2>&1 | FileCheck %s --check-prefix=TILING
// TILING: error: {{.*}}option 'tiling' is 'thread', expected one of warp, block, none
// RUN: not pipeline-opt %s --pipeline-to-ptx=tile=8 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: pipeline 'pipeline-to-ptx': no such option tile, expected one of chip, inline,

func.func @f(%v: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
