// Rows are stored past the caches by whole cache lines, wherever these begin: of each line the last elements of the vector before, and the first
// of this one.

// RUN: pipeline-opt %s --vectorize --canonicalize --cse | FileCheck %s

// Vectors begin where lines of the first row do; the second's begin some elements before.
// CHECK-LABEL: @rows
// CHECK-SAME:  %[[A:[^:]*]]: index, %[[B:[^:]*]]: index)
// CHECK:       %[[FIRST:.*]] = arith.andi %{{.*}}, %c15
// CHECK:       arith.subi %[[A]], %[[FIRST]]
// CHECK:       %[[BEHIND:.*]] = arith.andi %{{.*}}, %c15
// CHECK:       scf.for %[[NUMBER:.*]] = %{{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}, %{{.*}} = %{{.*}}) -> (vector<16xi32>, vector<16xi32>)
// CHECK:         %[[X:.*]] = arith.maxsi %{{.*}}, %[[A]]
// CHECK:         %[[V:.*]] = vector.load %{{.*}}[%[[X]]] : memref<4096xf32>, vector<16xf32>
// CHECK-DAG:     arith.cmpi sge, %[[NUMBER]], %{{.*}}
// CHECK-DAG:     arith.cmpi sle, %[[NUMBER]], %[[LAST:.*]] : index
// CHECK:         scf.if
// CHECK:           %[[OWN:.*]] = vector.bitcast %[[V]] : vector<16xf32> to vector<16xi32>
// CHECK:           %[[AT:.*]] = arith.subi %[[X]], %[[BEHIND]]
// CHECK:           %[[LINE:.*]] = func.call @weft.line32.x16(%[[BEFORE]], %[[OWN]], %[[BEHIND]])
// CHECK:           %[[WHOLE:.*]] = vector.bitcast %[[LINE]]
// CHECK:           vector.store %[[WHOLE]], %{{.*}}[%c0, %[[AT]]] {alignment = 64 : i64, nontemporal = true}
// What the last line leaves of its vector.
// CHECK:           arith.cmpi eq, %[[NUMBER]], %[[LAST]]
// CHECK:           scf.if
// CHECK:             vector.maskedstore
// What lies before the first line, in the vector before.
// CHECK:         } else {
// CHECK:           scf.if
// CHECK:             vector.maskedstore %{{.*}}[%c0, %{{.*}}]
// CHECK:           } else {
// CHECK:             vector.store %[[V]], %{{.*}}[%c0, %[[X]]] : memref<2x4096xf32>, vector<16xf32>
// CHECK:         scf.if
// CHECK:           func.call @weft.line32.x16
// CHECK:         scf.yield %{{.*}}, %{{.*}} : vector<16xi32>, vector<16xi32>
func.func @rows(%in: memref<4096xf32>, %out: memref<2x4096xf32>, %a: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %x = %a to %b step %c1 {
    %v = memref.load %in[%x] : memref<4096xf32>
    %w = arith.negf %v : f32
    memref.store %v, %out[%c0, %x] {nontemporal = true} : memref<2x4096xf32>
    memref.store %w, %out[%c1, %x] {nontemporal = true} : memref<2x4096xf32>
  } {weft.lanes = 16 : i64, weft.permutes = 16 : i64, weft.wide}
  return
}

// Some lines of a vector take what is before them from each other, and a branch does not matter.
// CHECK-LABEL: @several
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<32xi16>)
// CHECK:           scf.if
// CHECK-COUNT-2:     func.call @weft.line16.x32
func.func @several(%in: memref<4096xi16>, %out: memref<4096xi16>, %a: index, %b: index, %is: i1) {
  %c1 = arith.constant 1 : index
  scf.for %x = %a to %b step %c1 {
    %v = memref.load %in[%x] : memref<4096xi16>
    scf.if %is {
      memref.store %v, %out[%x] {nontemporal = true} : memref<4096xi16>
    } else {
      memref.store %v, %out[%x] : memref<4096xi16>
    }
  } {weft.lanes = 64 : i64, weft.permutes = 16 : i64, weft.registers = 2 : i64, weft.wide}
  return
}

// Where the CPU permutes no bytes, these are stored by whole lines where they begin with vectors.
// CHECK-LABEL: @no_permutation
// CHECK-NOT: weft.line
// CHECK: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK-NOT: weft.line
// CHECK: return
func.func @no_permutation(%in: memref<4096xi8>, %out: memref<4096xi8>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  scf.for %x = %a to %b step %c1 {
    %v = memref.load %in[%x] : memref<4096xi8>
    memref.store %v, %out[%x] {nontemporal = true} : memref<4096xi8>
  } {weft.lanes = 64 : i64, weft.permutes = 16 : i64, weft.registers = 2 : i64, weft.wide}
  return
}

// What is no whole number of lines goes past the caches in parts, away from what overlaps at the ends.
// CHECK-LABEL: @parts
// CHECK-NOT: weft.line
// CHECK: vector.store {{.*}} {alignment = 32 : i64, nontemporal = true}
func.func @parts(%in: memref<4096xf32>, %out: memref<4096xf32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  scf.for %x = %a to %b step %c1 {
    %v = memref.load %in[%x] : memref<4096xf32>
    memref.store %v, %out[%x] {nontemporal = true} : memref<4096xf32>
  } {weft.lanes = 8 : i64, weft.wide}
  return
}
// A row that is a vector or nothing begins where that does, past the caches if it begins a line.
// CHECK-LABEL: @short
// CHECK-SAME:    %[[IS:[^:]*]]: i1)
// CHECK:         %[[FROM:.*]] = arith.select %[[IS]], %c0, %c16
// CHECK-NOT:     maskedstore
// CHECK:         scf.for %{{.*}} = %[[FROM]] to
// CHECK-NOT:     iter_args
// CHECK:           vector.store %{{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK-NOT:     func.call
// CHECK:         return
func.func @short(%in: memref<16xf32>, %out: memref<4096x16xf32>, %y: index, %is: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %from = arith.select %is, %c0, %c16 : index
  scf.for %x = %from to %c16 step %c1 {
    %v = memref.load %in[%x] : memref<16xf32>
    memref.store %v, %out[%y, %x] {nontemporal = true} : memref<4096x16xf32>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// What a CPU without the instruction does.
// CHECK-LABEL: func.func private @weft.line32.x16
// CHECK-SAME:  (%[[BEFORE:.*]]: vector<16xi32>, %[[OWN:.*]]: vector<16xi32>, %[[BEHIND:.*]]: index)
// CHECK:       %[[BOTH:.*]] = memref.alloca() {alignment = 64 : i64} : memref<32xi32>
// CHECK-NEXT:  vector.store %[[BEFORE]], %[[BOTH]][%c0]
// CHECK-NEXT:  vector.store %[[OWN]], %[[BOTH]][%c16]
// CHECK-NEXT:  %[[AT:.*]] = arith.subi %c16, %[[BEHIND]]
// CHECK-NEXT:  %[[LINE:.*]] = vector.load %[[BOTH]][%[[AT]]]
// CHECK-NEXT:  return %[[LINE]]
