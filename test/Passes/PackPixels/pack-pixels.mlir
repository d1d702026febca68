// Pixels of a small table that lanes look up become vectors, and those beside each other one.

// RUN: pipeline-opt %s --pack-pixels --canonicalize | FileCheck %s
// RUN: pipeline-opt %s --pack-pixels --canonicalize --pack-pixels --canonicalize | FileCheck %s
// RUN: pipeline-opt %s --pack-pixels=size=8x8 --canonicalize | FileCheck %s --check-prefix=SMALL

// RUN: not pipeline-opt %s --pack-pixels=size=0x1 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: error: {{.*}}option 'size' is '0x1', expected positive numbers

// Beyond the edges are the pixels at the edges: one pair more, before the first pixel.
// CHECK-LABEL: @mesh
// CHECK-SAME:  (%[[AT:.*]]: tensor<?x?xi16>, %[[T:.*]]: tensor<13x17x3xf32>)
// CHECK:         %[[PIXELS:.*]] = pipeline.stage "out_pixels" (%[[J:.*]], %[[I:.*]], %[[Q:.*]]) {
// CHECK-NEXT:      %[[A:.*]] = pipeline.load %[[T]][%[[J]], %[[I]] + %[[Q]] floordiv 4 - 1, %[[Q]] mod 4] clamp
// CHECK-NEXT:      pipeline.yield %[[A]]
// CHECK-NEXT:    } : tensor<13x18x8xf32>
// CHECK:         pipeline.stage "out" (%[[C:.*]], %[[Y:.*]], %[[X:.*]]) {
// CHECK:           %[[N:.*]] = arith.index_cast
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %[[N]], %c1
// CHECK-NEXT:      %[[LEFT:.*]] = pipeline.gather %[[PIXELS]][%[[Y]], %[[NEXT]], %[[C]]] clamp : tensor<13x18x8xf32>
// CHECK-NEXT:      %[[RIGHT:.*]] = pipeline.gather %[[PIXELS]][%[[Y]], %[[NEXT]], %[[C]] + 4] clamp : tensor<13x18x8xf32>
// CHECK-NEXT:      arith.addf %[[LEFT]], %[[RIGHT]]
// An image must have more points than a table.
// SMALL-LABEL: @mesh
// SMALL-NOT:     "out_pixels"
// SMALL:         return
func.func @mesh(%at: tensor<?x?xi16>, %t: tensor<13x17x3xf32>) -> tensor<3x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %at, %c0 : tensor<?x?xi16>
  %w = tensor.dim %at, %c1 : tensor<?x?xi16>
  %out = pipeline.stage "out" (%c, %y, %x) {
    %n = pipeline.load %at[%y, %x] : tensor<?x?xi16>
    %i = arith.index_cast %n : i16 to index
    %a = pipeline.gather %t[%y, %i, %c] clamp : tensor<13x17x3xf32>
    %next = arith.addi %i, %c1 : index
    %b = pipeline.gather %t[%y, %next, %c] clamp : tensor<13x17x3xf32>
    %s = arith.addf %a, %b : f32
    pipeline.yield %s : f32
  } sized(%h, %w) : tensor<3x?x?xf32>
  return %out : tensor<3x?x?xf32>
}

// Where lanes read one pixel each, it is padded.
// CHECK-LABEL: @nearest
// CHECK:         %[[PIXELS:.*]] = pipeline.stage "out_pixels"
// CHECK-NEXT:      pipeline.load %{{.*}}[%{{.*}}, %{{.*}}] clamp : tensor<17x3xi32>
// CHECK:         } : tensor<17x4xi32>
// CHECK:         pipeline.stage "out"
// CHECK:           %[[N:.*]] = arith.index_cast
// CHECK-NEXT:      pipeline.gather %[[PIXELS]][%[[N]], %{{.*}}] clamp : tensor<17x4xi32>
func.func @nearest(%at: tensor<640x480xi16>, %t: tensor<17x3xi32>) -> tensor<3x640x480xi32> {
  %out = pipeline.stage "out" (%c, %y, %x) {
    %n = pipeline.load %at[%y, %x] : tensor<640x480xi16>
    %i = arith.index_cast %n : i16 to index
    %a = pipeline.gather %t[%i, %c] clamp : tensor<17x3xi32>
    pipeline.yield %a : i32
  } : tensor<3x640x480xi32>
  return %out : tensor<3x640x480xi32>
}

// Channels that are read by their numbers, three at least.
// CHECK-LABEL: @luma
// CHECK:         %[[PIXELS:.*]] = pipeline.stage "out_pixels"
// CHECK:         } : tensor<17x4xf32>
// CHECK-COUNT-3: pipeline.gather %[[PIXELS]]
// CHECK-NOT:     pipeline.gather
// CHECK:         return
func.func @luma(%at: tensor<640x480xi16>, %t: tensor<17x3xf32>) -> tensor<640x480xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %out = pipeline.stage "out" (%y, %x) {
    %n = pipeline.load %at[%y, %x] : tensor<640x480xi16>
    %i = arith.index_cast %n : i16 to index
    %r = pipeline.gather %t[%i, 0] clamp : tensor<17x3xf32>
    %g = pipeline.gather %t[%i, 1] clamp : tensor<17x3xf32>
    %b = pipeline.gather %t[%i, 2] clamp : tensor<17x3xf32>
    %rg = arith.addf %r, %g : f32
    %s = arith.addf %rg, %b : f32
    pipeline.yield %s : f32
  } : tensor<640x480xf32>
  return %out : tensor<640x480xf32>
}

// Four channels that are read alone are a vector as they are; two channels, and one of three, are none. Other boundaries and elements stay.
// CHECK-LABEL: @others
// CHECK-NOT:     pipeline.stage "{{.*}}_pixels"
// CHECK:         return
func.func @others(%at: tensor<640x480xi16>, %four: tensor<17x4xf32>, %t: tensor<17x3xf32>, %bytes: tensor<17x3xi8>) -> (tensor<4x640x480xf32>, tensor<640x480xf32>, tensor<3x640x480xf32>, tensor<3x640x480xi8>) {
  %a = pipeline.stage "a" (%c, %y, %x) {
    %n = pipeline.load %at[%y, %x] : tensor<640x480xi16>
    %i = arith.index_cast %n : i16 to index
    %v = pipeline.gather %four[%i, %c] clamp : tensor<17x4xf32>
    pipeline.yield %v : f32
  } : tensor<4x640x480xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %n = pipeline.load %at[%y, %x] : tensor<640x480xi16>
    %i = arith.index_cast %n : i16 to index
    %v = pipeline.gather %t[%i, 1] clamp : tensor<17x3xf32>
    pipeline.yield %v : f32
  } : tensor<640x480xf32>
  %d = pipeline.stage "d" (%c, %y, %x) {
    %n = pipeline.load %at[%y, %x] : tensor<640x480xi16>
    %i = arith.index_cast %n : i16 to index
    %v = pipeline.gather %t[%i, %c] wrap : tensor<17x3xf32>
    pipeline.yield %v : f32
  } : tensor<3x640x480xf32>
  %e = pipeline.stage "e" (%c, %y, %x) {
    %n = pipeline.load %at[%y, %x] : tensor<640x480xi16>
    %i = arith.index_cast %n : i16 to index
    %v = pipeline.gather %bytes[%i, %c] clamp : tensor<17x3xi8>
    pipeline.yield %v : i8
  } : tensor<3x640x480xi8>
  return %a, %b, %d, %e : tensor<4x640x480xf32>, tensor<640x480xf32>, tensor<3x640x480xf32>, tensor<3x640x480xi8>
}
