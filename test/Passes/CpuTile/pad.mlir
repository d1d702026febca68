// What consumers read outside of a window is written beside its rows: then they have no border, but where a row is less than a vector.

// RUN: pipeline-opt %s --cpu-tile=target=zen5 --canonicalize --cse | FileCheck %s

// Three columns on the left and two on the right, from the edge. A row has room for all: 3 + 100 + 2 columns, in whole cache lines.
// CHECK-LABEL: @clamp
// CHECK:       %[[A:.*]] = memref.alloc() {{.*}} : memref<4x112xf32>
// CHECK:       memref.store %{{.*}}, %[[A]]
// CHECK:       {weft.lanes = 16 : i64, weft.wide}
// CHECK:       {weft.lanes = 16 : i64, weft.masked}
// CHECK:       scf.for %[[Y:.*]] =
// CHECK-NEXT:    scf.for %[[SIDE:.*]] = %c0 to %c2
// CHECK-NEXT:      %[[IS_LEFT:.*]] = arith.cmpi eq, %[[SIDE]], %c0
// CHECK-NEXT:      %[[FROM:.*]] = arith.select %[[IS_LEFT]], %{{.*}}, %c100
// CHECK-NEXT:      %[[TO:.*]] = arith.select %[[IS_LEFT]], %c0, %{{.*}}
// CHECK-NEXT:      scf.for %[[X:.*]] = %[[FROM]] to %[[TO]]
// CHECK-NEXT:        %[[LOW:.*]] = arith.maxsi %[[X]], %c0
// CHECK-NEXT:        %[[EDGE:.*]] = arith.minsi %[[LOW]], %c99
// CHECK:             %[[V:.*]] = memref.load %[[A]]
// CHECK:             memref.store %[[V]], %[[A]]
// CHECK-NOT:   scf.for %{{.*}} = %c0 to %c2
// CHECK:       {weft.lanes = 16 : i64, weft.wide}
// CHECK-NOT:   scf.for %{{.*}} = %c0 to %c2
// CHECK:       {weft.lanes = 16 : i64, weft.masked}
func.func @clamp(%img: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 16, 100>} {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<64x100xf32>
      %1 = arith.addf %0, %0 : f32
      pipeline.yield %1 : f32
    } : tensor<64x100xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %a[%y, %x - 3] clamp : tensor<64x100xf32>
      %1 = pipeline.load %a[%y, %x + 2] clamp : tensor<64x100xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<64x100xf32>
    pipeline.yield %b : tensor<64x100xf32>
  } : tensor<64x100xf32>
  return %out : tensor<64x100xf32>
}

// A value instead of the edge; no load asks whether its column is there.
// CHECK-LABEL: @constant
// CHECK:       %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:       memref.store %[[ONE]],
// CHECK-NOT:   arith.select %{{.*}} : f32
// CHECK:       return
func.func @constant(%img: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %one = arith.constant 1.0 : f32
  %out = pipeline.group "g0" schedule {tile = array<i64: 16, 100>} {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<64x100xf32>
      %1 = arith.addf %0, %0 : f32
      pipeline.yield %1 : f32
    } : tensor<64x100xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %a[%y, %x - 1] constant(%one) : tensor<64x100xf32>
      pipeline.yield %0 : f32
    } : tensor<64x100xf32>
    pipeline.yield %b : tensor<64x100xf32>
  } : tensor<64x100xf32>
  return %out : tensor<64x100xf32>
}

// A value that a point computes is another one at each.
// CHECK-LABEL: @computed
// CHECK:       scf.for %{{.*}} = %c0 to %c2
// CHECK:       {weft.lanes = 16 : i64, weft.masked}
func.func @computed(%img: tensor<64x100xf32>, %zero: f32) -> tensor<64x100xf32> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 16, 100>} {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<64x100xf32>
      %1 = arith.addf %0, %0 : f32
      pipeline.yield %1 : f32
    } : tensor<64x100xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.reduce (%rx) in [0, 64) (%acc = %zero : f32) {
        %1 = arith.addf %acc, %acc : f32
        %2 = pipeline.load %a[%y, %x + %rx - 32] constant(%1) : tensor<64x100xf32>
        pipeline.yield %2 : f32
      } : f32
      pipeline.yield %0 : f32
    } : tensor<64x100xf32>
    pipeline.yield %b : tensor<64x100xf32>
  } : tensor<64x100xf32>
  return %out : tensor<64x100xf32>
}

// Rows go on as reflections too: of columns that the tile has, whatever is read.
// CHECK-LABEL: @reflected
// CHECK:       %[[A:.*]] = memref.alloc() {{.*}} : memref<4x112xf32>
// CHECK:       {weft.lanes = 16 : i64, weft.wide}
// CHECK:         scf.for %[[SIDE:.*]] = %c0 to %c2
// CHECK:           scf.for %[[X:.*]] =
// CHECK-NEXT:        %[[MINUS:.*]] = arith.subi %c0, %[[X]]
// CHECK-NEXT:        %[[UP:.*]] = arith.maxsi %[[X]], %[[MINUS]]
// CHECK-NEXT:        %[[BACK:.*]] = arith.subi %c198, %[[UP]]
// CHECK-NEXT:        %[[THERE:.*]] = arith.minsi %[[UP]], %[[BACK]]
// CHECK-NEXT:        %[[FIRST:.*]] = arith.maxsi %[[THERE]],
// CHECK-NEXT:        arith.minsi %[[FIRST]],
// CHECK:             %[[V:.*]] = memref.load %[[A]]
// CHECK:             memref.store %[[V]], %[[A]]
// CHECK-NOT:   scf.for %{{.*}} = %c0 to %c2
// CHECK-NOT:   arith.remsi
// CHECK:       return
func.func @reflected(%img: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 16, 100>} {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<64x100xf32>
      %1 = arith.addf %0, %0 : f32
      pipeline.yield %1 : f32
    } : tensor<64x100xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %a[%y, %x - 3] reflect101 : tensor<64x100xf32>
      %1 = pipeline.load %a[%y, %x + 2] reflect101 : tensor<64x100xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<64x100xf32>
    pipeline.yield %b : tensor<64x100xf32>
  } : tensor<64x100xf32>
  return %out : tensor<64x100xf32>
}

// One consumer repeats the edge, the other one mirrors it: each has its border.
// CHECK-LABEL: @unlike
// CHECK:       scf.for %{{.*}} = %c0 to %c2
// CHECK:       {weft.lanes = 16 : i64, weft.masked}
func.func @unlike(%img: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 16, 100>} {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<64x100xf32>
      %1 = arith.addf %0, %0 : f32
      pipeline.yield %1 : f32
    } : tensor<64x100xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %a[%y, %x - 1] clamp : tensor<64x100xf32>
      %1 = pipeline.load %a[%y, %x + 1] mirror : tensor<64x100xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<64x100xf32>
    pipeline.yield %b : tensor<64x100xf32>
  } : tensor<64x100xf32>
  return %out : tensor<64x100xf32>
}

// Each of a stage's results has its own padding.
// CHECK-LABEL: @results
// CHECK-DAG:   %[[ONE:.*]] = arith.constant 1.000000e+00 : f16
// CHECK:       %[[A:.*]] = memref.alloc() {{.*}}f32>
// CHECK:       %[[B:.*]] = memref.alloc() {{.*}}f16>
// CHECK:       %[[EDGE:.*]] = memref.load %[[A]]
// CHECK:       memref.store %[[EDGE]], %[[A]]
// CHECK:       memref.store %[[ONE]], %[[B]]
func.func @results(%img: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %one = arith.constant 1.0 : f16
  %out = pipeline.group "g0" schedule {tile = array<i64: 16, 100>} {
    %a, %b = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<64x100xf32>
      %1 = arith.truncf %0 : f32 to f16
      pipeline.yield %0, %1 : f32, f16
    } : tensor<64x100xf32>, tensor<64x100xf16>
    %c = pipeline.stage "c" (%y, %x) {
      %0 = pipeline.load %a[%y, %x - 1] clamp : tensor<64x100xf32>
      %1 = pipeline.load %b[%y, %x + 1] constant(%one) : tensor<64x100xf16>
      %2 = arith.extf %1 : f16 to f32
      %3 = arith.addf %0, %2 : f32
      pipeline.yield %3 : f32
    } : tensor<64x100xf32>
    pipeline.yield %c : tensor<64x100xf32>
  } : tensor<64x100xf32>
  return %out : tensor<64x100xf32>
}
