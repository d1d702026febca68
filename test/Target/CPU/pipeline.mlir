// --pipeline-to-cpu: nothing but the llvm dialect is left, with a C interface for each function.

// RUN: pipeline-opt %s --pipeline-to-cpu > %t.mlir
// RUN: pipeline-opt %t.mlir | FileCheck %s
// RUN: not grep -vE '^ *(%%[0-9a-z_:]+ = )?(llvm|omp)[.]|^ *[}]$|^module|^ *\^bb|^$' %t.mlir

// RUN: pipeline-opt %s --pipeline-to-cpu=target=zen5 --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefixes=DUMP,DP
// RUN: pipeline-opt %s '--pipeline-to-cpu=target=zen5 strategy=none size=100x8' --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefixes=DUMP,NONE
// RUN: pipeline-opt %s '--pipeline-to-cpu=target=avx2 contract=false inline=true vectors=false' --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=LESS
// DUMP:      builtin.module(
// DUMP-NEXT:   partial-sums{term-points=9},
// DUMP-NEXT:   copy-results,
// DUMP-NEXT:   define-integers,
// DUMP-NEXT:   contract,
// DUMP-NEXT:   expand-math,
// DUMP-NEXT:   unroll-reductions{inner-points=9 max-points=32 rectangle-points=128},
// DUMP-NEXT:   channels-outermost,
// DUMP-NEXT:   fold-tables,
// DUMP-NEXT:   exact-division{floats=false},
// DUMP-NEXT:   fold-zeros,
// DUMP-NEXT:   separate-windows{least=4 strided=1},
// DUMP-NEXT:   inline-stages{{.*}} policy=caches},
// DUMP-NEXT:   factor-extremes,
// DP-NEXT:     byte-tables{size= target=zen5},
// NONE-NEXT:   byte-tables{size=100x8 target=zen5},
// DP-NEXT:     pack-tables{size=},
// DP-NEXT:     pack-pixels{size=},
// NONE-NEXT:   pack-tables{size=100x8},
// NONE-NEXT:   pack-pixels{size=100x8},
// DUMP-NEXT:   share-neighbours,
// DUMP-NEXT:   order-floats,
// DP-NEXT:     time-tile{size= steps=8 target=zen5},
// NONE-NEXT:   time-tile{size=100x8 steps=8 target=zen5},
// DUMP-NEXT:   copy-inputs,
// DUMP-NEXT:   narrow-integers,
// DUMP-NEXT:   split-words,
// DUMP-NEXT:   infer-bounds,
// DP-NEXT:     cpu-schedule{candidates=0 overlap=scalene report= size= strategy=dp target=zen5 threshold=40 tile= tune=},
// NONE-NEXT:   cpu-schedule{candidates=0 overlap=scalene report= size=100x8 strategy=none target=zen5 threshold=40 tile= tune=},
// DUMP-NEXT:   cpu-tile{target=zen5},
// DUMP:        vectorize,
// DUMP:        cpu-threads
// DUMP:        reconcile-unrealized-casts

// LESS:      builtin.module(
// LESS-NEXT:   partial-sums{term-points=9},
// LESS-NEXT:   copy-results,
// LESS-NEXT:   define-integers,
// LESS-NEXT:   expand-math,
// LESS-NEXT:   unroll-reductions{inner-points=9 max-points=32 rectangle-points=128},
// LESS-NEXT:   channels-outermost,
// LESS-NEXT:   fold-tables,
// LESS-NEXT:   exact-division{floats=false},
// LESS-NEXT:   fold-zeros,
// LESS-NEXT:   separate-windows{least=4 strided=1},
// LESS-NEXT:   inline-stages{{.*}} policy=registers},
// LESS-NEXT:   factor-extremes,
// LESS-NEXT:   byte-tables{size= target=avx2},
// LESS-NEXT:   pack-tables{size=},
// LESS-NEXT:   pack-pixels{size=},
// LESS-NEXT:   share-neighbours,
// LESS-NEXT:   order-floats,
// LESS-NEXT:   time-tile{size= steps=8 target=avx2},
// LESS-NEXT:   copy-inputs,
// LESS-NEXT:   narrow-integers,
// LESS-NEXT:   split-words,
// LESS-NEXT:   infer-bounds,
// LESS-NEXT:   cpu-schedule{candidates=0 overlap=scalene report= size= strategy=dp target=avx2 threshold=40 tile= tune=},
// LESS-NEXT:   cpu-tile{target=avx2},
// LESS-NOT:    vectorize

// RUN: not pipeline-opt %s --pipeline-to-cpu=strategy=some 2>&1 | FileCheck %s --check-prefix=STRATEGY
// STRATEGY: error: {{.*}}option 'strategy' is 'some', expected one of all, none, greedy, segments, dp, polymage, sioutas
// RUN: not pipeline-opt %s --pipeline-to-cpu=target=z80 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: {{.*}}CPU 'z80' is not known, expected host, zen3, zen4, zen5, emerald_rapids, cascade_lake, avx2, sse, cortex_a15 or FILE.toml

// CHECK-NOT: func.func
// CHECK-DAG: llvm.func @blur_extents(
// CHECK-DAG: llvm.func @_mlir_ciface_blur_extents(
// CHECK-DAG: llvm.func @blur(
// CHECK-DAG: llvm.func @_mlir_ciface_blur(
func.func @blur(%img: tensor<?x8xf32>, %gain: f32) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %h = tensor.dim %img, %c0 : tensor<?x8xf32>
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y - 1, %x] clamp : tensor<?x8xf32>
    %1 = pipeline.load %img[%y + 1, %x] mirror : tensor<?x8xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } sized(%h) : tensor<?x8xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x - 1] constant(%gain) : tensor<?x8xf32>
    %1 = pipeline.load %a[%y, %x floordiv 2] wrap : tensor<?x8xf32>
    %2 = arith.mulf %0, %1 : f32
    %3 = math.sqrt %2 : f32
    pipeline.yield %3 : f32
  } sized(%h) : tensor<?x8xf32>
  return %b : tensor<?x8xf32>
}
