// Maxima become comparisons and selections; what is not a number is looked for once for a tree, in two leaves at a time.

// RUN: pipeline-opt %s --expand-extremes | FileCheck %s

// CHECK-LABEL: @pair
// CHECK-SAME: (%[[A:.*]]: f32, %[[B:.*]]: f32)
// CHECK-NEXT: %[[NAN:.*]] = arith.constant 0x7FC00000 : f32
// CHECK-NEXT: %[[IS:.*]] = arith.cmpf ogt, %[[A]], %[[B]]
// CHECK-NEXT: %[[MAX:.*]] = arith.select %[[IS]], %[[A]], %[[B]]
// CHECK-NEXT: %[[ORDERED:.*]] = arith.cmpf ord, %[[A]], %[[B]]
// CHECK-NEXT: %[[R:.*]] = arith.select %[[ORDERED]], %[[MAX]], %[[NAN]]
// CHECK-NEXT: return %[[R]]
func.func @pair(%a: f32, %b: f32) -> f32 {
  %0 = arith.maximumf %a, %b : f32
  return %0 : f32
}

// Three leaves, and minima of vectors.
// CHECK-LABEL: @tree
// CHECK-SAME: (%[[A:.*]]: vector<8xf16>, %[[B:.*]]: vector<8xf16>, %[[C:.*]]: vector<8xf16>)
// CHECK: %[[NAN:.*]] = arith.constant dense<0x7E00> : vector<8xf16>
// CHECK: %[[IS:.*]] = arith.cmpf olt, %[[B]], %[[C]] : vector<8xf16>
// CHECK: %[[BC:.*]] = arith.select %[[IS]], %[[B]], %[[C]]
// CHECK: %[[IS2:.*]] = arith.cmpf olt, %[[A]], %[[BC]]
// CHECK: %[[MIN:.*]] = arith.select %[[IS2]], %[[A]], %[[BC]]
// CHECK: %[[AB:.*]] = arith.cmpf ord, %[[A]], %[[B]]
// CHECK: %[[CC:.*]] = arith.cmpf ord, %[[C]], %[[C]]
// CHECK: %[[ALL:.*]] = arith.andi %[[AB]], %[[CC]] : vector<8xi1>
// CHECK: arith.select %[[ALL]], %[[MIN]], %[[NAN]]
// CHECK-NOT: arith.select
func.func @tree(%a: vector<8xf16>, %b: vector<8xf16>, %c: vector<8xf16>) -> vector<8xf16> {
  %0 = arith.minimumf %a, %b : vector<8xf16>
  %1 = arith.minimumf %0, %c : vector<8xf16>
  return %1 : vector<8xf16>
}

// A value with another use is a leaf, and so is a minimum among maxima. What an integer was is a number.
// CHECK-LABEL: @leaves
// CHECK: %[[X:.*]] = arith.uitofp
// CHECK: %[[Y:.*]] = arith.sitofp
// CHECK: arith.cmpf olt, %[[X]], %[[Y]]
// CHECK-NOT: arith.cmpf ord
// CHECK: %[[MIN:.*]] = arith.select
// CHECK: arith.cmpf ogt, %[[MIN]], %[[X]]
// CHECK: arith.cmpf ord, %[[MIN]], %[[MIN]]
func.func @leaves(%a: i8, %b: i8) -> (f32, f32) {
  %x = arith.uitofp %a : i8 to f32
  %y = arith.sitofp %b : i8 to f32
  %0 = arith.minimumf %x, %y : f32
  %1 = arith.maximumf %0, %x : f32
  return %0, %1 : f32, f32
}
