// What a sum of vectors multiplies by the same number is added first.

// RUN: pipeline-opt %s --factor-sums | FileCheck %s
// RUN: pipeline-opt %s --factor-sums --factor-sums | FileCheck %s

// CHECK-LABEL: @symmetric
// CHECK-SAME:  %[[A:[^:]*]]: vector<32xi16>, %[[B:[^:]*]]: vector<32xi16>, %[[C:[^:]*]]: vector<32xi16>
// CHECK-DAG:   %[[W:.*]] = arith.constant dense<15>
// CHECK-DAG:   %[[V:.*]] = arith.constant dense<20>
// CHECK:       %[[MIDDLE:.*]] = arith.muli %[[V]], %[[B]]
// CHECK-NEXT:  %[[BOTH:.*]] = arith.addi %[[A]], %[[C]]
// CHECK-NEXT:  %[[SIDES:.*]] = arith.muli %[[BOTH]], %[[W]]
// CHECK-NEXT:  %[[SUM:.*]] = arith.addi %[[SIDES]], %[[MIDDLE]]
// CHECK-NEXT:  return %[[SUM]]
func.func @symmetric(%a: vector<32xi16>, %b: vector<32xi16>, %c: vector<32xi16>) -> vector<32xi16> {
  %w = arith.constant dense<15> : vector<32xi16>
  %v = arith.constant dense<20> : vector<32xi16>
  %p = arith.muli %a, %w : vector<32xi16>
  %q = arith.muli %v, %b : vector<32xi16>
  %r = arith.muli %w, %c : vector<32xi16>
  %s = arith.addi %p, %q : vector<32xi16>
  %t = arith.addi %s, %r : vector<32xi16>
  return %t : vector<32xi16>
}

// A sum that is a factor of another, and one that two others have.
// CHECK-LABEL: @nested
// CHECK-COUNT-2: arith.muli
// CHECK-NOT: arith.muli
// CHECK: return
func.func @nested(%a: vector<16xi32>, %b: vector<16xi32>, %c: vector<16xi32>) -> (vector<16xi32>, vector<16xi32>) {
  %w = arith.constant dense<3> : vector<16xi32>
  %p = arith.muli %a, %w : vector<16xi32>
  %q = arith.muli %b, %w : vector<16xi32>
  %s = arith.addi %p, %q : vector<16xi32>
  %r = arith.muli %s, %w : vector<16xi32>
  %t = arith.muli %c, %w : vector<16xi32>
  %u = arith.addi %r, %t : vector<16xi32>
  %v = arith.addi %s, %a : vector<16xi32>
  return %u, %v : vector<16xi32>, vector<16xi32>
}

// What is added first may have been added before.
// CHECK-LABEL: @there
// CHECK-SAME:  %[[A:[^:]*]]: vector<16xi32>, %[[B:[^:]*]]: vector<16xi32>, %[[C:[^:]*]]: vector<16xi32>, %[[D:[^:]*]]: vector<16xi32>
// CHECK:       %[[SUM:.*]] = arith.addi %[[A]], %[[B]]
// CHECK-NEXT:  %[[P:.*]] = arith.muli %[[SUM]],
// CHECK-NEXT:  %[[OTHERS:.*]] = arith.addi %[[C]], %[[D]]
// CHECK-NEXT:  %[[Q:.*]] = arith.muli %[[OTHERS]],
// CHECK-NEXT:  %[[R:.*]] = arith.addi %[[SUM]], %[[Q]]
// CHECK-NEXT:  return %[[P]], %[[R]]
func.func @there(%a: vector<16xi32>, %b: vector<16xi32>, %c: vector<16xi32>, %d: vector<16xi32>) -> (vector<16xi32>, vector<16xi32>) {
  %three = arith.constant dense<3> : vector<16xi32>
  %five = arith.constant dense<5> : vector<16xi32>
  %sum = arith.addi %a, %b : vector<16xi32>
  %p = arith.muli %a, %three : vector<16xi32>
  %q = arith.muli %b, %three : vector<16xi32>
  %r = arith.addi %p, %q : vector<16xi32>
  %s = arith.muli %c, %five : vector<16xi32>
  %t = arith.muli %d, %five : vector<16xi32>
  %u = arith.addi %sum, %s : vector<16xi32>
  %v = arith.addi %u, %t : vector<16xi32>
  return %r, %v : vector<16xi32>, vector<16xi32>
}

// Not what is used elsewhere, what must not overflow, or what is no vector.
// CHECK-LABEL: @stays
// CHECK-COUNT-6: arith.muli
func.func @stays(%a: vector<16xi32>, %b: vector<16xi32>, %x: i32, %y: i32) -> (vector<16xi32>, vector<16xi32>, vector<16xi32>, i32) {
  %w = arith.constant dense<3> : vector<16xi32>
  %three = arith.constant 3 : i32
  %p = arith.muli %a, %w : vector<16xi32>
  %q = arith.muli %b, %w : vector<16xi32>
  %s = arith.addi %p, %q : vector<16xi32>
  %r = arith.muli %a, %w overflow<nsw> : vector<16xi32>
  %t = arith.muli %b, %w overflow<nsw> : vector<16xi32>
  %u = arith.addi %r, %t : vector<16xi32>
  %m = arith.muli %x, %three : i32
  %n = arith.muli %y, %three : i32
  %o = arith.addi %m, %n : i32
  return %s, %p, %u, %o : vector<16xi32>, vector<16xi32>, vector<16xi32>, i32
}
