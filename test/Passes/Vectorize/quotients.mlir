// Where vectors begin at no multiple of what lanes are divided by, the least lane is divided, and the others are so much more: products of 32 bits.

// RUN: pipeline-opt %s --vectorize --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @ninths
// CHECK-NOT:   arith.floordivsi {{.*}} : vector
// CHECK-DAG:   %[[STEPS:.*]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
// CHECK-DAG:   %[[INVERSE:.*]] = arith.constant dense<29> : vector<8xi32>
// CHECK-DAG:   %[[BITS:.*]] = arith.constant dense<8> : vector<8xi32>
// CHECK:       %[[Q:.*]] = arith.floordivsi %[[X:.*]], %c9 : index
// CHECK-NEXT:  %[[M:.*]] = arith.muli %[[Q]], %c9 : index
// CHECK-NEXT:  %[[R:.*]] = arith.subi %[[X]], %[[M]] : index
// CHECK-NEXT:  %[[W:.*]] = arith.index_cast %[[R]] : index to i32
// CHECK-NEXT:  %[[ALL:.*]] = vector.broadcast %[[W]] : i32 to vector<8xi32>
// CHECK-NEXT:  %[[N:.*]] = arith.addi %[[ALL]], %[[STEPS]] : vector<8xi32>
// CHECK-NEXT:  %[[P:.*]] = arith.muli %[[N]], %[[INVERSE]] : vector<8xi32>
// CHECK-NEXT:  %[[S:.*]] = arith.shrui %[[P]], %[[BITS]] : vector<8xi32>
// CHECK-NEXT:  %[[MORE:.*]] = arith.index_castui %[[S]] : vector<8xi32> to vector<8xindex>
func.func @ninths(%in: memref<?xf32>, %out: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %x = %c0 to %n step %c1 {
    %ninth = arith.floordivsi %x, %c9 : index
    %v = memref.load %in[%ninth] : memref<?xf32>
    memref.store %v, %out[%x] : memref<?xf32>
  } {weft.lanes = 8 : i64, weft.wide}
  return
}
