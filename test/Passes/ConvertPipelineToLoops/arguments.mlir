// Arguments: tensors become memory, numbers stay, attributes stay.

// RUN: pipeline-opt %s -convert-pipeline-to-loops -canonicalize -cse | FileCheck %s

// CHECK-LABEL: func.func @attributes
// CHECK-SAME:  memref<8xi8> {weft.name = "img", weft.unsigned}
// CHECK-SAME:  f32 {weft.name = "gain"}
// CHECK-SAME:  memref<8xi8> {weft.name = "out"}
func.func @attributes(%img: tensor<8xi8> {weft.name = "img", weft.unsigned}, %gain: f32 {weft.name = "gain"})
    -> (tensor<8xi8> {weft.name = "out"}) {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xi8>
    pipeline.yield %a : i8
  } : tensor<8xi8>
  return %0 : tensor<8xi8>
}

// CHECK-LABEL: func.func @numbers
// CHECK-SAME:  %[[F:[^:]*]]: f32, %[[IMG:[^:]*]]: memref<8xf32>, %[[B:[^:]*]]: i1, %[[N:[^:]*]]: index
func.func @numbers(%f: f32, %img: tensor<8xf32>, %b: i1, %n: index) -> tensor<8xf32> {
  // CHECK: scf.for
  // CHECK:   %[[A:.*]] = memref.load %[[IMG]]
  // CHECK:   arith.select %[[B]], %[[A]], %[[F]] : f32
  // CHECK:   arith.index_cast %[[N]] : index to i32
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    %s = arith.select %b, %a, %f : f32
    %i = arith.index_cast %n : index to i32
    %g = arith.sitofp %i : i32 to f32
    %v = arith.addf %s, %g : f32
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// What is computed of numbers outside of stages is computed once.
// CHECK-LABEL: func.func @outside_of_stages
// CHECK-SAME:  %[[F:[^:]*]]: f32
func.func @outside_of_stages(%f: f32) -> tensor<8xf32> {
  // CHECK:     %[[G:.*]] = arith.addf %[[F]], %[[F]] : f32
  // CHECK:     scf.for
  // CHECK:     memref.store %[[G]]
  %g = arith.addf %f, %f : f32
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %g : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @element_types
// CHECK-SAME:  memref<8xf16>, %{{[^:]*}}: memref<8xf64>, %{{[^:]*}}: memref<8xi16>, %{{[^:]*}}: memref<8xi64>
func.func @element_types(%a: tensor<8xf16>, %b: tensor<8xf64>, %c: tensor<8xi16>, %d: tensor<8xi64>)
    -> (tensor<8xf16>, tensor<8xf64>, tensor<8xi16>, tensor<8xi64>) {
  // CHECK-COUNT-4: memref.store
  %0:4 = pipeline.stage "s" (%x) {
    %av = pipeline.load %a[%x] : tensor<8xf16>
    %bv = pipeline.load %b[%x] : tensor<8xf64>
    %cv = pipeline.load %c[%x] : tensor<8xi16>
    %dv = pipeline.load %d[%x] : tensor<8xi64>
    pipeline.yield %av, %bv, %cv, %dv : f16, f64, i16, i64
  } : tensor<8xf16>, tensor<8xf64>, tensor<8xi16>, tensor<8xi64>
  return %0#0, %0#1, %0#2, %0#3 : tensor<8xf16>, tensor<8xf64>, tensor<8xi16>, tensor<8xi64>
}

// A source of rank 0 is a number in memory.
// CHECK-LABEL: func.func @rank_0
// CHECK-SAME:  %[[S:[^:]*]]: memref<f32>
func.func @rank_0(%s: tensor<f32>) -> tensor<8xf32> {
  // CHECK: memref.load %[[S]][] : memref<f32>
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %s[] : tensor<f32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
