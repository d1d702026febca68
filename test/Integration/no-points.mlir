// What reads an image without points, or beyond its source, is refused at entry on every target, also where a stage that would have
// read it is computed in who reads that.
// DEFINE: %{program} =
// DEFINE: %{extents} =
// DEFINE: %{run} = pipeline-run %s --function %{program} %{extents} --target

// REDEFINE: %{program} = clamped
// REDEFINE: %{extents} = --arg a=random:1 --arg b=random:2 --dim a.x=0 --dim b.x=3
// RUN: not %{run} reference 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not %{run} cpu 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not %{run} simt 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: {{.*}}no-points.mlir:[[#%u,L:]]:{{[0-9]+}}: stage "t" reads a source without points in dimension 0, expected a.x > 0 or b.x = 0; a is 0, b is 3

// Nobody reads where there is no point.
// REDEFINE: %{extents} = --arg a=random:1 --arg b=random:2 --dim a.x=0 --dim b.x=0
// RUN: %{run} reference | FileCheck %s --check-prefix=NONE
// RUN: %{run} cpu | FileCheck %s --check-prefix=NONE
// RUN: %{run} simt | FileCheck %s --check-prefix=NONE
// NONE: o: 0xf32

// Of "s" only three points are read, but the program says that it has nine.
// REDEFINE: %{program} = whole
// REDEFINE: %{extents} = --arg a=random:1 --arg b=random:2 --dim a.x=9 --dim b.x=5 --arg k=3
// RUN: not %{run} reference 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: not %{run} cpu 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: not %{run} simt 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE: error: {{.*}}no-points.mlir:[[#%u,L:]]:{{[0-9]+}}: index #0 (x) of stage "s" leaves its source, expected a.x <= b.x or a.x = 0; a is 9, b is 5, k is 3

// REDEFINE: %{extents} = --arg a=random:1 --arg b=random:2 --dim a.x=9 --dim b.x=9 --arg k=3
// RUN: %{run} reference | FileCheck %s
// RUN: %{run} cpu | FileCheck %s
// RUN: %{run} simt | FileCheck %s
// CHECK: o: 3xf32

// A place that is the same for all points is found before the loop: by a remainder, of an image of which nothing is read.
// REDEFINE: %{program} = turned
// REDEFINE: %{extents} = --arg a=random:1 --dim a.x=0
// RUN: %{run} reference | FileCheck %s --check-prefix=COLUMNS
// RUN: %{run} cpu | FileCheck %s --check-prefix=COLUMNS
// RUN: %{run} simt | FileCheck %s --check-prefix=COLUMNS
// COLUMNS: o: 6xi32 from 0.0 to 0.0

func.func @clamped(%a: tensor<?xf32> {weft.name = "a"}, %b: tensor<?xf32> {weft.name = "b"}) -> (tensor<?xf32> {weft.name = "o"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %one = arith.constant 1.0 : f32
  %s = pipeline.stage "s" (%x) {
    pipeline.yield %one : f32
  } sized(%n) : tensor<?xf32>
  %t = pipeline.stage "t" (%x) {
    %0 = pipeline.load %s[%x - 1] clamp : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%m) : tensor<?xf32>
  return %t : tensor<?xf32>
}

func.func @whole(%a: tensor<?xf32> {weft.name = "a"}, %b: tensor<?xf32> {weft.name = "b"}, %k: index {weft.name = "k"})
    -> (tensor<?xf32> {weft.name = "o"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %s = pipeline.stage "s" (%x) {
    %0 = pipeline.load %b[%x] : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%n) : tensor<?xf32>
  %t = pipeline.stage "t" (%x) {
    %0 = pipeline.load %s[%x] : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%k) : tensor<?xf32>
  return %t : tensor<?xf32>
}

func.func @turned(%a: tensor<4x?xi32> {weft.name = "a"}) -> (tensor<6xi32> {weft.name = "o"}) {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c1 : tensor<4x?xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = pipeline.scatter "s" () over (%y, %x) in [0, 4) x [0, %n) from(%zero : i32) combine "arith.addi" {
    %0 = pipeline.load %a[%x, -2] mirror : tensor<4x?xi32>
    %1 = pipeline.load %a[%x, -2] wrap : tensor<4x?xi32>
    %2 = arith.addi %0, %1 : i32
    %3 = arith.index_cast %2 : i32 to index
    pipeline.update %one at [%3] : i32
  } : tensor<6xi32>
  return %s : tensor<6xi32>
}
