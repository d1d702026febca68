// Attributes on the arguments and results of programs, wherever a verifier lets them be.

// RUN: pipeline-opt %s | pipeline-opt | FileCheck %s

// CHECK-LABEL: func.func @name(
// CHECK-SAME:  %{{.*}}: tensor<8xf32> {weft.name = "img"}) -> (tensor<8xf32> {weft.name = "img"})
func.func @name(%a: tensor<8xf32> {weft.name = "img"}) -> (tensor<8xf32> {weft.name = "img"}) {
  return %a : tensor<8xf32>
}

// CHECK-LABEL: func.func @unsigned(
// CHECK-SAME:  tensor<8xi8> {weft.unsigned}, %{{.*}}: i16 {weft.unsigned}) -> (tensor<8xi8> {weft.unsigned})
func.func @unsigned(%a: tensor<8xi8> {weft.unsigned}, %b: i16 {weft.unsigned}) -> (tensor<8xi8> {weft.unsigned}) {
  return %a : tensor<8xi8>
}

// CHECK-LABEL: func.func @estimate(
// CHECK-SAME:  tensor<3x?x?xf32> {weft.estimate = array<i64: 3, 2832, 4256>})
func.func @estimate(%a: tensor<3x?x?xf32> {weft.estimate = array<i64: 3, 2832, 4256>}) {
  return
}

// CHECK-LABEL: func.func @extents(
// CHECK-SAME:  tensor<3x?x?xf32> {weft.extents = ["", "H", "W"]})
func.func @extents(%a: tensor<3x?x?xf32> {weft.extents = ["", "H", "W"]}) {
  return
}

// CHECK-LABEL: func.func @together(
// CHECK-SAME:  {weft.estimate = array<i64: 8>, weft.name = "img", weft.unsigned}
func.func @together(%a: tensor<?xi8> {weft.name = "img", weft.unsigned, weft.estimate = array<i64: 8>}) {
  return
}

// What tensors are lowered to carries the attributes on.
// CHECK-LABEL: func.func @lowered(
// CHECK-SAME:  memref<?xi8> {weft.estimate = array<i64: 8>, weft.name = "img", weft.unsigned}
// CHECK-SAME:  !llvm.ptr {weft.name = "out", weft.unsigned}
func.func @lowered(%a: memref<?xi8> {weft.name = "img", weft.unsigned, weft.estimate = array<i64: 8>},
                   %b: !llvm.ptr {weft.name = "out", weft.unsigned}) {
  return
}

// CHECK-LABEL: func.func private @declaration(
// CHECK-SAME:  tensor<8xf32> {weft.name = "img"}
func.func private @declaration(tensor<8xf32> {weft.name = "img"})
