// A stage that two groups need is computed by both where that costs less than to write it and to read it back: `grey` takes three bytes a
// point, and is four. Nobody then writes it. What costs as much as reading it would save, or is a result, is computed once.

// RUN: pipeline-opt %s -infer-bounds -fuse=target=v100 -split-input-file | FileCheck %s
// RUN: pipeline-opt %s -infer-bounds -fuse="target=v100 strategy=none" -split-input-file | FileCheck %s --check-prefix=NONE

// CHECK-LABEL: func.func @cheap
// CHECK:       pipeline.group "g0"
// CHECK:         pipeline.stage "grey"
// CHECK:         [[TURNED:%[0-9a-z_]+]] = pipeline.stage "turned"
// CHECK:         pipeline.yield [[TURNED]] :
// CHECK:       pipeline.group "g1"
// CHECK:         [[COPY:%[0-9a-z_]+]] = pipeline.stage "grey"
// CHECK:         [[WIDE:%[0-9a-z_]+]] = pipeline.stage "wide"
// CHECK:         pipeline.load [[COPY]]
// CHECK:         pipeline.yield [[WIDE]] :
// NONE-LABEL:  func.func @cheap
// NONE:        pipeline.stage "grey"
// NONE-NOT:    pipeline.stage "grey"
func.func @cheap(%img: tensor<3x2048x2048xi8>) -> (tensor<2048x2048xf32>, tensor<2048x2048xf32>) {
  %grey = pipeline.stage "grey" (%y, %x) {
    %r = pipeline.load %img[0, %y, %x] : tensor<3x2048x2048xi8>
    %g = pipeline.load %img[1, %y, %x] : tensor<3x2048x2048xi8>
    %b = pipeline.load %img[2, %y, %x] : tensor<3x2048x2048xi8>
    %rf = arith.uitofp %r : i8 to f32
    %gf = arith.uitofp %g : i8 to f32
    %bf = arith.uitofp %b : i8 to f32
    %rg = arith.addf %rf, %gf : f32
    %v = arith.addf %rg, %bf : f32
    pipeline.yield %v : f32
  } : tensor<2048x2048xf32>
  %wide = pipeline.stage "wide" (%y, %x) {
    %l = pipeline.load %grey[%y, %x - 1] clamp : tensor<2048x2048xf32>
    %r = pipeline.load %grey[%y, %x + 1] clamp : tensor<2048x2048xf32>
    %v = arith.addf %l, %r : f32
    pipeline.yield %v : f32
  } : tensor<2048x2048xf32>
  %turned = pipeline.stage "turned" (%y, %x) {
    %l = pipeline.load %grey[%x, %y - 1] clamp : tensor<2048x2048xf32>
    %r = pipeline.load %grey[%x, %y + 1] clamp : tensor<2048x2048xf32>
    %v = arith.subf %l, %r : f32
    pipeline.yield %v : f32
  } : tensor<2048x2048xf32>
  return %wide, %turned : tensor<2048x2048xf32>, tensor<2048x2048xf32>
}

// -----

// CHECK-LABEL: func.func @dear
// CHECK:       pipeline.stage "gain"
// CHECK-NOT:   pipeline.stage "gain"
// CHECK:       return
func.func @dear(%img: tensor<2048x2048xf32>) -> (tensor<2048x2048xf32>, tensor<2048x2048xf32>) {
  %gain = pipeline.stage "gain" (%y, %x) {
    %p = pipeline.load %img[%y, %x] : tensor<2048x2048xf32>
    %e0 = math.exp %p : f32
    %e1 = math.exp %e0 : f32
    %e2 = math.exp %e1 : f32
    %e3 = math.exp %e2 : f32
    %e4 = math.exp %e3 : f32
    %e5 = math.exp %e4 : f32
    %e6 = math.exp %e5 : f32
    %e7 = math.exp %e6 : f32
    %e8 = math.exp %e7 : f32
    %e9 = math.exp %e8 : f32
    %e10 = math.exp %e9 : f32
    %e11 = math.exp %e10 : f32
    %e12 = math.exp %e11 : f32
    %e13 = math.exp %e12 : f32
    %e14 = math.exp %e13 : f32
    %v = math.exp %e14 : f32
    pipeline.yield %v : f32
  } : tensor<2048x2048xf32>
  %wide = pipeline.stage "wide" (%y, %x) {
    %l = pipeline.load %gain[%y, %x - 1] clamp : tensor<2048x2048xf32>
    %r = pipeline.load %gain[%y, %x + 1] clamp : tensor<2048x2048xf32>
    %v = arith.addf %l, %r : f32
    pipeline.yield %v : f32
  } : tensor<2048x2048xf32>
  %turned = pipeline.stage "turned" (%y, %x) {
    %l = pipeline.load %gain[%x, %y - 1] clamp : tensor<2048x2048xf32>
    %r = pipeline.load %gain[%x, %y + 1] clamp : tensor<2048x2048xf32>
    %v = arith.subf %l, %r : f32
    pipeline.yield %v : f32
  } : tensor<2048x2048xf32>
  return %wide, %turned : tensor<2048x2048xf32>, tensor<2048x2048xf32>
}

// -----

// CHECK-LABEL: func.func @result
// CHECK:       pipeline.stage "double"
// CHECK-NOT:   pipeline.stage "double"
// CHECK:       return
func.func @result(%img: tensor<2048x2048xi8>) -> (tensor<2048x2048xf32>, tensor<2048x2048xf32>) {
  %double = pipeline.stage "double" (%y, %x) {
    %p = pipeline.load %img[%y, %x] : tensor<2048x2048xi8>
    %f = arith.uitofp %p : i8 to f32
    %v = arith.addf %f, %f : f32
    pipeline.yield %v : f32
  } : tensor<2048x2048xf32>
  %turned = pipeline.stage "turned" (%y, %x) {
    %l = pipeline.load %double[%x, %y - 1] clamp : tensor<2048x2048xf32>
    %r = pipeline.load %double[%x, %y + 1] clamp : tensor<2048x2048xf32>
    %v = arith.subf %l, %r : f32
    pipeline.yield %v : f32
  } : tensor<2048x2048xf32>
  return %double, %turned : tensor<2048x2048xf32>, tensor<2048x2048xf32>
}
