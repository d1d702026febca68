// Vectors of integers are divided as floats that have more than twice the digits.

// RUN: pipeline-opt %s --expand-divisions | FileCheck %s
// RUN: pipeline-opt %s --expand-divisions --expand-divisions | FileCheck %s

// CHECK-LABEL: @halves
// CHECK-SAME:  (%[[A:.*]]: vector<8xi16>, %[[B:.*]]: vector<8xi16>)
// CHECK-DAG:     %[[F:.*]] = arith.uitofp %[[A]] : vector<8xi16> to vector<8xf32>
// CHECK-DAG:     %[[G:.*]] = arith.uitofp %[[B]] : vector<8xi16> to vector<8xf32>
// CHECK:         %[[R:.*]] = arith.divf %[[F]], %[[G]] : vector<8xf32>
// CHECK:         %[[Q:.*]] = arith.fptoui %[[R]] : vector<8xf32> to vector<8xi32>
// CHECK:         %[[N:.*]] = arith.trunci %[[Q]] : vector<8xi32> to vector<8xi16>
// CHECK-NEXT:    return %[[N]]
func.func @halves(%a: vector<8xi16>, %b: vector<8xi16>) -> vector<8xi16> {
  %q = arith.divui %a, %b : vector<8xi16>
  return %q : vector<8xi16>
}

// 32 bits need a wider float; with a sign the quotient is cut towards zero, as that of integers is.
// CHECK-LABEL: @words
// CHECK:         arith.sitofp %{{.*}} : vector<8xi32> to vector<8xf64>
// CHECK:         arith.divf
// CHECK:         %[[Q:.*]] = arith.fptosi %{{.*}} : vector<8xf64> to vector<8xi32>
// CHECK-NEXT:    return %[[Q]]
func.func @words(%a: vector<8xi32>, %b: vector<8xi32>) -> vector<8xi32> {
  %q = arith.divsi %a, %b : vector<8xi32>
  return %q : vector<8xi32>
}

// A remainder is what the quotient leaves.
// CHECK-LABEL: @rest
// CHECK-SAME:  (%[[A:.*]]: vector<8xi8>, %[[B:.*]]: vector<8xi8>)
// CHECK:         %[[Q:.*]] = arith.trunci %{{.*}} : vector<8xi32> to vector<8xi8>
// CHECK:         %[[P:.*]] = arith.muli %[[Q]], %[[B]]
// CHECK:         %[[R:.*]] = arith.subi %[[A]], %[[P]]
// CHECK-NEXT:    return %[[R]]
func.func @rest(%a: vector<8xi8>, %b: vector<8xi8>) -> vector<8xi8> {
  %r = arith.remsi %a, %b : vector<8xi8>
  return %r : vector<8xi8>
}

// A constant is multiplied by; scalars are divided as they are, and so are 64 bits.
// CHECK-LABEL: @stay
// CHECK-NOT:     arith.divf
// CHECK:         return
func.func @stay(%a: vector<8xi16>, %b: i16, %c: vector<8xi64>) -> (vector<8xi16>, i16, vector<8xi64>) {
  %ten = arith.constant dense<10> : vector<8xi16>
  %p = arith.divui %a, %ten : vector<8xi16>
  %q = arith.divui %b, %b : i16
  %r = arith.divui %c, %c : vector<8xi64>
  return %p, %q, %r : vector<8xi16>, i16, vector<8xi64>
}

// Several by the same number take its inverse.
// CHECK-LABEL: @colours
// CHECK-SAME:  (%[[A:.*]]: vector<16xi16>, %[[B:.*]]: vector<16xi16>, %[[ALPHA:.*]]: vector<16xi16>)
// CHECK-DAG:     %[[F:.*]] = arith.uitofp %[[ALPHA]] : vector<16xi16> to vector<16xf32>
// CHECK:         %[[INVERSE:.*]] = arith.divf %{{.*}}, %[[F]]
// CHECK:         %[[HALF:.*]] = arith.mulf %[[INVERSE]], %{{.*}}
// CHECK:         %[[G:.*]] = arith.uitofp %[[A]]
// CHECK:         %[[Q:.*]] = math.fma %[[G]], %[[INVERSE]], %[[HALF]]
// CHECK:         arith.fptoui %[[Q]]
// CHECK:         %[[H:.*]] = arith.uitofp %[[B]]
// CHECK:         %[[R:.*]] = math.fma %[[H]], %[[INVERSE]], %[[HALF]]
// CHECK:         arith.fptoui %[[R]]
// CHECK-NOT:     arith.divf
// CHECK:         return
func.func @colours(%a: vector<16xi16>, %b: vector<16xi16>, %alpha: vector<16xi16>) -> (vector<16xi16>, vector<16xi16>) {
  %q = arith.divui %a, %alpha : vector<16xi16>
  %r = arith.divui %b, %alpha : vector<16xi16>
  return %q, %r : vector<16xi16>, vector<16xi16>
}
