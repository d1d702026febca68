// Divisions, shifts and casts of indices have a value for all numbers; where the second operand is known nothing is asked.

// RUN: pipeline-opt %s --define-integers | FileCheck %s
// RUN: pipeline-opt %s --define-integers --canonicalize | FileCheck %s --check-prefix=CANONICAL

// CHECK-LABEL: func.func @divided(
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : i32
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : i32
// CHECK-DAG:     %[[CM1:.*]] = arith.constant -1 : i32
// CHECK:         pipeline.stage "unsigned"
// CHECK:           %[[A:.*]] = pipeline.load %{{.*}}[%x]
// CHECK:           %[[B:.*]] = pipeline.load %{{.*}}[%x + 1]
// CHECK-NEXT:      %[[NONE:.*]] = arith.cmpi eq, %[[B]], %[[C0]] : i32
// CHECK-NEXT:      %[[BY:.*]] = arith.select %[[NONE]], %[[C1]], %[[B]] : i32
// CHECK-NEXT:      %[[Q:.*]] = arith.divui %[[A]], %[[BY]] : i32
// CHECK-NEXT:      %[[R:.*]] = arith.select %[[NONE]], %[[C0]], %[[Q]] : i32
// CHECK-NEXT:      pipeline.yield %[[R]]
// CHECK:         pipeline.stage "signed"
// CHECK:           %[[A:.*]] = pipeline.load %{{.*}}[%x]
// CHECK:           %[[B:.*]] = pipeline.load %{{.*}}[%x + 1]
// CHECK-NEXT:      %[[NONE:.*]] = arith.cmpi eq, %[[B]], %[[C0]] : i32
// CHECK-NEXT:      %[[NEGATIVE:.*]] = arith.cmpi eq, %[[B]], %[[CM1]] : i32
// CHECK-NEXT:      %[[EITHER:.*]] = arith.ori %[[NONE]], %[[NEGATIVE]] : i1
// CHECK-NEXT:      %[[BY:.*]] = arith.select %[[EITHER]], %[[C1]], %[[B]] : i32
// CHECK-NEXT:      %[[Q:.*]] = arith.divsi %[[A]], %[[BY]] : i32
// CHECK-NEXT:      %[[SOME:.*]] = arith.select %[[NONE]], %[[C0]], %[[Q]] : i32
// CHECK-NEXT:      %[[MINUS:.*]] = arith.subi %[[C0]], %[[A]] : i32
// CHECK-NEXT:      %[[R:.*]] = arith.select %[[NEGATIVE]], %[[MINUS]], %[[SOME]] : i32
// CHECK-NEXT:      pipeline.yield %[[R]]
// CHECK:         pipeline.stage "remainder"
// CHECK:           %[[BY:.*]] = arith.select %{{.*}}, %[[C1]], %[[B:.*]] : i32
// CHECK-NEXT:      %[[R:.*]] = arith.remui %{{.*}}, %[[BY]] : i32
// CHECK-NEXT:      pipeline.yield %[[R]]
func.func @divided(%img: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) {
  %a = pipeline.stage "unsigned" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xi32>
    %1 = pipeline.load %img[%x + 1] clamp : tensor<8xi32>
    %2 = arith.divui %0, %1 : i32
    pipeline.yield %2 : i32
  } : tensor<8xi32>
  %b = pipeline.stage "signed" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xi32>
    %1 = pipeline.load %img[%x + 1] clamp : tensor<8xi32>
    %2 = arith.divsi %0, %1 : i32
    pipeline.yield %2 : i32
  } : tensor<8xi32>
  %c = pipeline.stage "remainder" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xi32>
    %1 = pipeline.load %img[%x + 1] clamp : tensor<8xi32>
    %2 = arith.remui %0, %1 : i32
    pipeline.yield %2 : i32
  } : tensor<8xi32>
  return %a, %b, %c : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>
}

// CHECK-LABEL: func.func @shifted(
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : i16
// CHECK-DAG:     %[[C15:.*]] = arith.constant 15 : i16
// CHECK-DAG:     %[[C16:.*]] = arith.constant 16 : i16
// CHECK:           %[[LESS:.*]] = arith.cmpi ult, %[[BY:.*]], %[[C16]] : i16
// CHECK-NEXT:      %[[SOME:.*]] = arith.select %[[LESS]], %[[BY]], %[[C0]] : i16
// CHECK-NEXT:      %[[S:.*]] = arith.shli %[[A:.*]], %[[SOME]] : i16
// CHECK-NEXT:      arith.select %[[LESS]], %[[S]], %[[C0]] : i16
// CHECK-NEXT:      %[[SOME:.*]] = arith.select %[[LESS]], %[[BY]], %[[C15]] : i16
// CHECK-NEXT:      arith.shrsi %[[A]], %[[SOME]] : i16
func.func @shifted(%img: tensor<8xi16>) -> (tensor<8xi16>, tensor<8xi16>) {
  %a:2 = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xi16>
    %1 = pipeline.load %img[%x + 1] clamp : tensor<8xi16>
    %2 = arith.shli %0, %1 : i16
    %3 = arith.shrsi %0, %1 : i16
    pipeline.yield %2, %3 : i16, i16
  } : tensor<8xi16>, tensor<8xi16>
  return %a#0, %a#1 : tensor<8xi16>, tensor<8xi16>
}

// CHECK-LABEL: func.func @known(
// CHECK-NOT:     cmpi
// CHECK-NOT:     select
// CHECK:         return
func.func @known(%img: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %a:2 = pipeline.stage "a" (%x) {
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %minus = arith.constant -1 : i32
    %0 = pipeline.load %img[%x] : tensor<8xi32>
    %1 = arith.maxsi %0, %one : i32
    %2 = arith.divsi %0, %1 : i32
    %3 = arith.maxui %2, %one : i32
    %4 = arith.remui %0, %3 : i32
    %5 = arith.floordivsi %4, %three : i32
    %6 = arith.shrui %5, %three : i32
    %7 = arith.divsi %6, %minus : i32
    pipeline.yield %6, %7 : i32, i32
  } : tensor<8xi32>, tensor<8xi32>
  return %a#0, %a#1 : tensor<8xi32>, tensor<8xi32>
}

// A shift of 64 bits is by another number than the one that is compared: see test/Target/PTX/shifts.mlir.
// CHECK-LABEL: func.func @wide(
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : i64
// CHECK-DAG:     %[[C63:.*]] = arith.constant 63 : i64
// CHECK-DAG:     %[[C64:.*]] = arith.constant 64 : i64
// CHECK:           %[[LESS:.*]] = arith.cmpi ult, %[[BY:.*]], %[[C64]] : i64
// CHECK-NEXT:      %[[SOME:.*]] = arith.minui %[[BY]], %[[C63]] : i64
// CHECK-NEXT:      %[[S:.*]] = arith.shrui %{{.*}}, %[[SOME]] : i64
// CHECK-NEXT:      arith.select %[[LESS]], %[[S]], %[[C0]] : i64
func.func @wide(%img: tensor<8xi64>) -> tensor<8xi64> {
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xi64>
    %1 = arith.shrui %0, %0 : i64
    pipeline.yield %1 : i64
  } : tensor<8xi64>
  return %a : tensor<8xi64>
}

// MLIR's canonicalization takes an index back for what it was before a cast took bits from it; a truncation it leaves.
// CHECK-LABEL: func.func @short(
// CHECK:         pipeline.stage "a"
// CHECK-NEXT:      %[[I:.*]] = arith.index_cast %x : index to i32
// CHECK-NEXT:      %[[LOW:.*]] = arith.trunci %[[I]] : i32 to i8
// CHECK-NEXT:      arith.index_castui %[[LOW]] : i8 to index
// CANONICAL-LABEL: func.func @short(
// CANONICAL:       arith.trunci
func.func @short(%img: tensor<512xi8>) -> tensor<512xi8> {
  %a = pipeline.stage "a" (%x) {
    %low = arith.index_castui %x : index to i8
    %at = arith.index_castui %low : i8 to index
    %0 = pipeline.gather %img[%at] clamp : tensor<512xi8>
    pipeline.yield %0 : i8
  } : tensor<512xi8>
  return %a : tensor<512xi8>
}

// Places of images fit into 32 bits, and what is known to be small into less; a product of large numbers may not.
// CHECK-LABEL: func.func @places(
// CHECK:         pipeline.stage "a"
// CHECK:           arith.index_cast %{{.*}} : index to i32
// CHECK-NEXT:      arith.index_cast %x : index to i16
// CHECK:           %[[HASH:.*]] = arith.muli %x
// CHECK-NEXT:      %[[WIDE:.*]] = arith.index_cast %[[HASH]] : index to i64
// CHECK-NEXT:      arith.trunci %[[WIDE]] : i64 to i32
func.func @places(%img: tensor<?x512xi32>, %h: index) -> tensor<?x512xi32> {
  %a = pipeline.stage "a" (%y, %x) {
    %two = arith.constant 2 : index
    %prime = arith.constant 73856093 : index
    %twice = arith.muli %two, %y : index
    %0 = arith.index_cast %twice : index to i32
    %1 = arith.index_cast %x : index to i16
    %2 = arith.extsi %1 : i16 to i32
    %hash = arith.muli %x, %prime : index
    %3 = arith.index_cast %hash : index to i32
    %4 = arith.addi %0, %2 : i32
    %5 = arith.xori %4, %3 : i32
    pipeline.yield %5 : i32
  } sized(%h) : tensor<?x512xi32>
  return %a : tensor<?x512xi32>
}
