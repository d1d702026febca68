// What several shuffles of one vector are converted to is computed before them.

// RUN: pipeline-opt %s --delay-shuffles | FileCheck %s
// RUN: pipeline-opt %s --delay-shuffles --delay-shuffles | FileCheck %s

// Two conversions, and a difference from a constant, one after the other.
// CHECK-LABEL: @blocks
// CHECK-DAG:   %[[C:.*]] = arith.constant dense<1.280000e+02> : vector<8xf32>
// CHECK:       %[[F:.*]] = arith.uitofp %arg0 : vector<8xi8> to vector<8xf32>
// CHECK-NEXT:  %[[D:.*]] = arith.subf %[[F]], %[[C]] : vector<8xf32>
// CHECK-NEXT:  %[[A:.*]] = vector.shuffle %[[D]], %[[D]] [0, 0, 0, 0, 4, 4, 4, 4]
// CHECK-NEXT:  %[[B:.*]] = vector.shuffle %[[D]], %[[D]] [1, 1, 1, 1, 5, 5, 5, 5]
// CHECK-NEXT:  arith.mulf %[[A]], %[[B]] : vector<8xf32>
func.func @blocks(%v: vector<8xi8>) -> vector<8xf32> {
  %c = arith.constant dense<128.0> : vector<8xf32>
  %a = vector.shuffle %v, %v [0, 0, 0, 0, 4, 4, 4, 4] : vector<8xi8>, vector<8xi8>
  %b = vector.shuffle %v, %v [1, 1, 1, 1, 5, 5, 5, 5] : vector<8xi8>, vector<8xi8>
  %fa = arith.uitofp %a : vector<8xi8> to vector<8xf32>
  %fb = arith.uitofp %b : vector<8xi8> to vector<8xf32>
  %da = arith.subf %fa, %c : vector<8xf32>
  %db = arith.subf %fb, %c : vector<8xf32>
  %p = arith.mulf %da, %db : vector<8xf32>
  return %p : vector<8xf32>
}

// Even and odd elements are as many as there are.
// CHECK-LABEL: @halves
// CHECK-COUNT-2: vector.shuffle
// CHECK-COUNT-2: arith.extui
func.func @halves(%v: vector<16xi8>) -> vector<8xi16> {
  %a = vector.shuffle %v, %v [0, 2, 4, 6, 8, 10, 12, 14] : vector<16xi8>, vector<16xi8>
  %b = vector.shuffle %v, %v [1, 3, 5, 7, 9, 11, 13, 15] : vector<16xi8>, vector<16xi8>
  %wa = arith.extui %a : vector<8xi8> to vector<8xi16>
  %wb = arith.extui %b : vector<8xi8> to vector<8xi16>
  %s = arith.addi %wa, %wb : vector<8xi16>
  return %s : vector<8xi16>
}

// One has a sign; constants differ; a vector beside them is no constant.
// CHECK-LABEL: @unlike
// CHECK-COUNT-2: vector.shuffle
// CHECK:       arith.extui
// CHECK:       arith.extsi
// CHECK-COUNT-4: vector.shuffle {{.*}} vector<4xi16>
// CHECK-COUNT-4: arith.addi
func.func @unlike(%v: vector<4xi8>, %w: vector<4xi16>, %x: vector<4xi16>) -> (vector<4xi16>, vector<4xi16>, vector<4xi16>, vector<4xi16>, vector<4xi16>, vector<4xi16>) {
  %c1 = arith.constant dense<1> : vector<4xi16>
  %c2 = arith.constant dense<2> : vector<4xi16>
  %a = vector.shuffle %v, %v [0, 0, 2, 2] : vector<4xi8>, vector<4xi8>
  %b = vector.shuffle %v, %v [1, 1, 3, 3] : vector<4xi8>, vector<4xi8>
  %wa = arith.extui %a : vector<4xi8> to vector<4xi16>
  %wb = arith.extsi %b : vector<4xi8> to vector<4xi16>
  %c = vector.shuffle %w, %w [0, 0, 2, 2] : vector<4xi16>, vector<4xi16>
  %d = vector.shuffle %w, %w [1, 1, 3, 3] : vector<4xi16>, vector<4xi16>
  %e = vector.shuffle %w, %w [3, 2, 1, 0] : vector<4xi16>, vector<4xi16>
  %f = vector.shuffle %w, %w [2, 2, 1, 1] : vector<4xi16>, vector<4xi16>
  %cc = arith.addi %c, %c1 : vector<4xi16>
  %dd = arith.addi %d, %c2 : vector<4xi16>
  %ee = arith.addi %e, %x : vector<4xi16>
  %ff = arith.addi %f, %x : vector<4xi16>
  return %wa, %wb, %cc, %dd, %ee, %ff : vector<4xi16>, vector<4xi16>, vector<4xi16>, vector<4xi16>, vector<4xi16>, vector<4xi16>
}

// Bytes are doubled before, whoever else reads them as they are: by a sum, a product, or a shift.
// CHECK-LABEL: @doubled
// CHECK:       %[[SUM:.*]] = arith.addi %arg0, %arg0 : vector<8xi8>
// CHECK-NEXT:  arith.muli %arg0, %{{.*}} : vector<8xi8>
// CHECK-NEXT:  arith.shli %arg0, %{{.*}} : vector<8xi8>
// CHECK-NEXT:  vector.shuffle %arg0, %arg0 [0, 0, 1, 1, 2, 2, 3, 3]
// CHECK-NEXT:  %[[A:.*]] = vector.shuffle %[[SUM]], %[[SUM]] [0, 0, 1, 1, 2, 2, 3, 3]
// CHECK-NOT:   arith.{{addi|muli|shli}}
// CHECK:       return
func.func @doubled(%v: vector<8xi8>) -> vector<8xi8> {
  %less = arith.constant dense<-2> : vector<8xi8>
  %one = arith.constant dense<1> : vector<8xi8>
  %s = vector.shuffle %v, %v [0, 0, 1, 1, 2, 2, 3, 3] : vector<8xi8>, vector<8xi8>
  %a = arith.addi %s, %s : vector<8xi8>
  %b = arith.muli %s, %less : vector<8xi8>
  %c = arith.shli %s, %one : vector<8xi8>
  %d = arith.xori %a, %b : vector<8xi8>
  %e = arith.xori %c, %s : vector<8xi8>
  %f = arith.xori %d, %e : vector<8xi8>
  return %f : vector<8xi8>
}
