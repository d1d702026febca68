// Maxima become comparisons and selections; what is not a number is looked for once for a tree, in two leaves at a time.

// RUN: pipeline-opt %s --expand-extremes | FileCheck %s

// CHECK-LABEL: @pair
// CHECK-SAME: (%[[A:.*]]: f32, %[[B:.*]]: f32)
// CHECK-NEXT: %[[NAN:.*]] = arith.constant 0x7FC00000 : f32
// CHECK-NEXT: %[[IS:.*]] = arith.cmpf ogt, %[[A]], %[[B]]
// CHECK-NEXT: %[[ONE:.*]] = arith.select %[[IS]], %[[A]], %[[B]]
// CHECK-NEXT: %[[A_BITS:.*]] = arith.bitcast %[[A]] : f32 to i32
// CHECK-NEXT: %[[B_BITS:.*]] = arith.bitcast %[[B]] : f32 to i32
// CHECK-NEXT: %[[BITS:.*]] = arith.andi %[[A_BITS]], %[[B_BITS]] : i32
// CHECK-NEXT: %[[SIGN:.*]] = arith.bitcast %[[BITS]] : i32 to f32
// CHECK-NEXT: %[[MAX:.*]] = math.copysign %[[ONE]], %[[SIGN]] : f32
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
// CHECK: %[[ONE:.*]] = arith.select %[[IS2]], %[[A]], %[[BC]]
// CHECK: %[[SOME:.*]] = arith.ori %{{.*}}, %{{.*}} : vector<8xi16>
// CHECK: %[[BITS:.*]] = arith.ori %[[SOME]], %{{.*}} : vector<8xi16>
// CHECK: %[[SIGN:.*]] = arith.bitcast %[[BITS]] : vector<8xi16> to vector<8xf16>
// CHECK: %[[MIN:.*]] = math.copysign %[[ONE]], %[[SIGN]] : vector<8xf16>
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

// Of a constant and another the comparison gives this if it is NaN, and of two zeros the right one: no test, no sign.
// CHECK-LABEL: @constants
// CHECK-SAME: (%[[A:.*]]: f32, %[[V:.*]]: vector<4xf32>)
// CHECK-DAG:  %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:  %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG:  %[[MINUS:.*]] = arith.constant dense<-0.000000e+00> : vector<4xf32>
// CHECK:      %[[IS:.*]] = arith.cmpf ugt, %[[A]], %[[ZERO]]
// CHECK-NEXT: %[[R0:.*]] = arith.select %[[IS]], %[[A]], %[[ZERO]]
// CHECK-NEXT: %[[IS:.*]] = arith.cmpf olt, %[[ZERO]], %[[A]]
// CHECK-NEXT: %[[R1:.*]] = arith.select %[[IS]], %[[ZERO]], %[[A]]
// CHECK-NEXT: %[[IS:.*]] = arith.cmpf olt, %[[ONE]], %[[A]]
// CHECK-NEXT: %[[R2:.*]] = arith.select %[[IS]], %[[ONE]], %[[A]]
// CHECK-NEXT: %[[IS:.*]] = arith.cmpf ogt, %[[MINUS]], %[[V]]
// CHECK-NEXT: %[[R3:.*]] = arith.select %[[IS]], %[[MINUS]], %[[V]]
// CHECK-NEXT: return %[[R0]], %[[R1]], %[[R2]], %[[R3]]
func.func @constants(%a: f32, %v: vector<4xf32>) -> (f32, f32, f32, vector<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %minus = arith.constant dense<-0.0> : vector<4xf32>
  %0 = arith.maximumf %zero, %a : f32
  %1 = arith.minimumf %a, %zero : f32
  %2 = arith.minimumf %one, %a : f32
  %3 = arith.maximumf %v, %minus : vector<4xf32>
  return %0, %1, %2, %3 : f32, f32, f32, vector<4xf32>
}

// What forgets a NaN by itself needs no question, with a constant behind; not with one that is a zero, which has a sign.
// CHECK-LABEL: @bound
// CHECK-SAME: (%[[X:.*]]: vector<8xf32>)
// CHECK-DAG: %[[TWO:.*]] = arith.constant dense<2.000000e+00>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
// CHECK: %[[BELOW:.*]] = arith.cmpf olt, %[[X]], %[[TWO]]
// CHECK-NEXT: %[[LEAST:.*]] = arith.select %[[BELOW]], %[[X]], %[[TWO]]
// CHECK-NEXT: %[[MOST:.*]] = arith.maxnumf %[[LEAST]], %[[ZERO]]
// CHECK-NEXT: return %[[MOST]]
func.func @bound(%x: vector<8xf32>) -> vector<8xf32> {
  %two = arith.constant dense<2.0> : vector<8xf32>
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %0 = arith.minnumf %x, %two : vector<8xf32>
  %1 = arith.maxnumf %0, %zero : vector<8xf32>
  return %1 : vector<8xf32>
}
