// A marked loop becomes one over vectors, the last of which is moved back to end where the loop does. Of fewer iterations it is one
// vector with a mask.

// RUN: pipeline-opt %s --vectorize --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-SAME: (%[[IN:.*]]: memref<64xf32>, %[[OUT:.*]]: memref<64xf32>, %[[A:.*]]: index, %[[B:.*]]: index, %[[K:.*]]: f32)
func.func @plain(%in: memref<64xf32>, %out: memref<64xf32>, %a: index, %b: index, %k: f32) {
  %c1 = arith.constant 1 : index
  // CHECK: %[[COUNT:.*]] = arith.subi %[[B]], %[[A]]
  // CHECK: %[[ENOUGH:.*]] = arith.cmpi sge, %[[COUNT]], %c16
  // CHECK: %[[STOP:.*]] = arith.select %[[ENOUGH]], %[[B]], %[[A]]
  // CHECK: %[[LAST:.*]] = arith.subi %[[B]], %c16
  // CHECK: memref.extract_aligned_pointer_as_index %[[OUT]]
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[STOP]] step %c16
  // CHECK:   %[[MIN:.*]] = arith.minsi %[[I]], %[[LAST]]
  // CHECK:   %[[X:.*]] = arith.maxsi %[[MIN]], %[[A]]
  // CHECK:   %[[NEXT:.*]] = arith.addi %[[X]], %c1
  // CHECK:   %[[V:.*]] = vector.load %[[IN]][%[[NEXT]]] : memref<64xf32>, vector<16xf32>
  // CHECK:   %[[KS:.*]] = vector.broadcast %[[K]] : f32 to vector<16xf32>
  // CHECK:   %[[W:.*]] = arith.mulf %[[V]], %[[KS]] : vector<16xf32>
  // CHECK:   vector.store %[[W]], %[[OUT]][%[[X]]]
  // CHECK: scf.for %[[I:.*]] = %[[STOP]] to %[[B]] step %c16
  // CHECK:   %[[LAST:.*]] = arith.subi %[[B]], %c1
  // CHECK:   %[[X:.*]] = arith.minsi %[[I]], %[[LAST]]
  // CHECK:   %[[LEFT:.*]] = arith.subi %[[B]], %[[X]]
  // CHECK:   %[[ITERATIONS:.*]] = arith.minsi %[[LEFT]], %c16
  // CHECK:   %[[MASK:.*]] = vector.create_mask
  // CHECK:   %[[NEXT:.*]] = arith.addi %[[X]], %c1
  // CHECK:   vector.maskedload %[[IN]][%[[NEXT]]], %[[MASK]], %{{.*}}
  // CHECK:   vector.maskedstore %[[OUT]][%[[X]]], %[[MASK]], %{{.*}}
  scf.for %x = %a to %b step %c1 {
    %x1 = arith.addi %x, %c1 : index
    %v = memref.load %in[%x1] : memref<64xf32>
    %w = arith.mulf %v, %k : f32
    memref.store %w, %out[%x] : memref<64xf32>
  } {weft.lanes = 16 : i64}
  return
}

// Every second element: two loads, no further than the last element, and a shuffle.
// CHECK-LABEL: @stride
// CHECK: %[[L:.*]] = vector.load %{{.*}} : memref<64xf32>, vector<4xf32>
// CHECK: %[[R:.*]] = vector.load %{{.*}} : memref<64xf32>, vector<4xf32>
// CHECK: vector.shuffle %[[L]], %[[R]] [0, 2, 5, 7]
func.func @stride(%in: memref<64xf32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %x = %a to %b step %c1 {
    %x2 = arith.muli %x, %c2 : index
    %v = memref.load %in[%x2] : memref<64xf32>
    memref.store %v, %out[%x] : memref<64xf32>
  } {weft.lanes = 4 : i64}
  return
}

// An index that is halved: vectors begin at even points, and what is left at both ends is one loop.
// CHECK-LABEL: @halves
// CHECK: arith.floordivsi
// CHECK: scf.for
// CHECK:   %[[V:.*]] = vector.load %{{.*}} : memref<64xf32>, vector<2xf32>
// CHECK:   vector.shuffle %[[V]], %[[V]] [0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
// CHECK: scf.for %{{.*}} = %c0 to %c2
// CHECK:   scf.for
// CHECK:     vector.create_mask
// CHECK:     %[[BEFORE:.*]] = vector.create_mask
// CHECK:     arith.xori %{{.*}}, %[[BEFORE]] : vector<4xi1>
func.func @halves(%in: memref<64xf32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %x = %a to %b step %c1 {
    %h = arith.floordivsi %x, %c2 : index
    %u = memref.load %in[%h] : memref<64xf32>
    %o = memref.load %in[%x] : memref<64xf32>
    %v = arith.addf %u, %o : f32
    memref.store %v, %out[%x] : memref<64xf32>
  } {weft.lanes = 4 : i64}
  return
}

// Whether a point is odd is known of each lane.
// CHECK-LABEL: @parity
// CHECK-DAG: arith.constant dense<[0, 1, 0, 1]> : vector<4xindex>
func.func @parity(%out: memref<64xindex>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m2 = arith.constant -2 : index
  scf.for %x = %a to %b step %c1 {
    %h = arith.floordivsi %x, %c2 : index
    %d = arith.muli %h, %m2 : index
    %r = arith.addi %x, %d : index
    memref.store %r, %out[%x] : memref<64xindex>
  } {weft.lanes = 4 : i64}
  return
}

// Any other place is gathered.
// CHECK-LABEL: @gather
// CHECK: vector.gather
func.func @gather(%in: memref<64xf32>, %at: memref<64xi32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  scf.for %x = %a to %b step %c1 {
    %i = memref.load %at[%x] : memref<64xi32>
    %p = arith.index_cast %i : i32 to index
    %v = memref.load %in[%p] : memref<64xf32>
    memref.store %v, %out[%x] : memref<64xf32>
  } {weft.lanes = 16 : i64}
  return
}

// Both sides of a branch are computed, and no lane divides by what it would not.
// CHECK-LABEL: @branch
// CHECK: %[[M:.*]] = arith.cmpi ne, %[[D:.*]], %{{.*}} : vector<16xi32>
// CHECK: %[[SAFE:.*]] = arith.select %[[M]], %[[D]], %{{.*}} : vector<16xi1>, vector<16xi32>
// CHECK: %[[Q:.*]] = arith.divsi %{{.*}}, %[[SAFE]] : vector<16xi32>
// CHECK: arith.select %[[M]], %[[Q]], %{{.*}} : vector<16xi1>, vector<16xi32>
func.func @branch(%in: memref<64xi32>, %out: memref<64xi32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %k = arith.constant 1000 : i32
  scf.for %x = %a to %b step %c1 {
    %d = memref.load %in[%x] : memref<64xi32>
    %c = arith.cmpi ne, %d, %zero : i32
    %v = scf.if %c -> i32 {
      %q = arith.divsi %k, %d : i32
      scf.yield %q : i32
    } else {
      scf.yield %zero : i32
    }
    memref.store %v, %out[%x] : memref<64xi32>
  } {weft.lanes = 16 : i64}
  return
}

// Divisors that are no 0 stay in all lanes: so each has a place of the table, those of the other side as well.
// CHECK-LABEL: @even
// CHECK: %[[HALF:.*]] = arith.floordivsi %[[X:.*]], %{{.*}} : vector<16xindex>
// CHECK: %[[TWICE:.*]] = arith.muli %[[HALF]], %{{.*}} : vector<16xindex>
// CHECK: %[[REST:.*]] = arith.addi %[[X]], %[[TWICE]] : vector<16xindex>
// CHECK: vector.gather %{{.*}} [%[[REST]]]
func.func @even(%at: memref<64xi32>, %table: memref<2xf32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %minus = arith.constant -2 : index
  %zero = arith.constant 0 : i32
  %none = arith.constant 0.0 : f32
  scf.for %x = %a to %b step %c1 {
    %i = memref.load %at[%x] : memref<64xi32>
    %c = arith.cmpi ne, %i, %zero : i32
    %v = scf.if %c -> f32 {
      %number = arith.index_cast %i : i32 to index
      %half = arith.floordivsi %number, %c2 : index
      %twice = arith.muli %half, %minus : index
      %rest = arith.addi %number, %twice : index
      %p = memref.load %table[%rest] : memref<2xf32>
      scf.yield %p : f32
    } else {
      scf.yield %none : f32
    }
    memref.store %v, %out[%x] : memref<64xf32>
  } {weft.lanes = 16 : i64, weft.masked}
  return
}

// What is the same in all lanes is divided by in those that are concerned only: there may be none.
// CHECK-LABEL: @uniform
// CHECK: %[[D:.*]] = vector.broadcast %{{.*}} : i32 to vector<16xi32>
// CHECK: %[[M:.*]] = arith.cmpi sgt, %[[D]]
// CHECK: %[[SAFE:.*]] = arith.select %[[M]], %[[D]], %{{.*}} : vector<16xi1>, vector<16xi32>
// CHECK: arith.divui %{{.*}}, %[[SAFE]] : vector<16xi32>
func.func @uniform(%in: memref<64xi32>, %out: memref<64xi32>, %a: index, %b: index, %k: i32, %n: i32) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  scf.for %x = %a to %b step %c1 {
    %p = memref.load %in[%x] : memref<64xi32>
    %c = arith.cmpi sgt, %n, %p : i32
    %v = scf.if %c -> i32 {
      %q = arith.divui %k, %n : i32
      scf.yield %q : i32
    } else {
      scf.yield %zero : i32
    }
    memref.store %v, %out[%x] : memref<64xi32>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// What gives nothing and stores nothing was computed for nobody.
// CHECK-LABEL: @nobody
// CHECK-NOT: scf.if
// CHECK: return
func.func @nobody(%in: memref<64xi32>, %out: memref<64xi32>, %a: index, %b: index, %n: i32) {
  %c1 = arith.constant 1 : index
  scf.for %x = %a to %b step %c1 {
    %p = memref.load %in[%x] : memref<64xi32>
    %c = arith.cmpi sgt, %n, %p : i32
    scf.if %c {
      %q = memref.load %in[%x] : memref<64xi32>
    }
    memref.store %p, %out[%x] : memref<64xi32>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// A vector that is no part of a cache line is stored as any other.
// CHECK-LABEL: @row
// CHECK-NOT: nontemporal
// CHECK: vector.store %{{.*}} : memref<4x48xi8>, vector<48xi8>
func.func @row(%in: memref<4x48xi8>, %out: memref<4x48xi8>, %y: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  scf.for %x = %c0 to %c48 step %c1 {
    %p = memref.load %in[%y, %x] : memref<4x48xi8>
    memref.store %p, %out[%y, %x] {nontemporal = true} : memref<4x48xi8>
  } {weft.lanes = 48 : i64, weft.wide}
  return
}

// A reduce inside carries vectors; intrinsics get the names that they have for vectors.
// CHECK-LABEL: @reduce
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<16xf32>)
// CHECK: llvm.call_intrinsic "llvm.sadd.sat.v16i32"(%{{.*}}, %{{.*}}) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
func.func @reduce(%in: memref<64xf32>, %out: memref<64xi32>, %a: index, %b: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %x = %a to %b step %c1 {
    %s = scf.for %r = %c0 to %n step %c1 iter_args(%acc = %zero) -> f32 {
      %i = arith.addi %x, %r : index
      %v = memref.load %in[%i] : memref<64xf32>
      %t = arith.addf %acc, %v : f32
      scf.yield %t : f32
    }
    %bits = arith.bitcast %s : f32 to i32
    %i = llvm.call_intrinsic "llvm.sadd.sat.i32"(%bits, %bits) : (i32, i32) -> i32
    memref.store %i, %out[%x] : memref<64xi32>
  } {weft.lanes = 16 : i64}
  return
}

// Loops of the same bounds that do not need each other become one, and so do those in them; what they load in common is loaded
// once. The last one needs the sum of the first.
// CHECK-LABEL: @together
// CHECK: scf.for
// CHECK:   %[[R:.*]]:2 = scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>)
// CHECK:     scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-1: memref.load
// CHECK-NOT: memref.load
// CHECK:     scf.yield %{{.*}}, %{{.*}} : vector<16xf32>, vector<16xf32>
// CHECK:   scf.for {{.*}} -> (vector<16xf32>)
// CHECK:   vector.store
func.func @together(%in: memref<64x64xf32>, %k: memref<64xf32>, %out: memref<64xf32>, %a: index, %b: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %x = %a to %b step %c1 {
    %s = scf.for %r = %c0 to %n step %c1 iter_args(%acc = %zero) -> f32 {
      %s2 = scf.for %q = %c0 to %n step %c1 iter_args(%acc2 = %acc) -> f32 {
        %w = memref.load %k[%q] : memref<64xf32>
        %v = memref.load %in[%r, %x] : memref<64x64xf32>
        %p = arith.mulf %v, %w : f32
        %t = arith.addf %acc2, %p : f32
        scf.yield %t : f32
      }
      scf.yield %s2 : f32
    }
    %u = scf.for %r = %c0 to %n step %c1 iter_args(%acc = %zero) -> f32 {
      %r1 = arith.addi %r, %c1 : index
      %s2 = scf.for %q = %c0 to %n step %c1 iter_args(%acc2 = %acc) -> f32 {
        %w = memref.load %k[%q] : memref<64xf32>
        %v = memref.load %in[%r1, %x] : memref<64x64xf32>
        %p = arith.mulf %v, %w : f32
        %t = arith.addf %acc2, %p : f32
        scf.yield %t : f32
      }
      scf.yield %s2 : f32
    }
    %l = scf.for %r = %c0 to %n step %c1 iter_args(%acc = %s) -> f32 {
      %t = arith.addf %acc, %u : f32
      scf.yield %t : f32
    }
    memref.store %l, %out[%x] : memref<64xf32>
  } {weft.lanes = 16 : i64}
  return
}

// A loop inside that stores what it carries walks its lines as vectors. What all lanes ask is asked once.
// CHECK-LABEL: @walk
// CHECK: scf.for %[[Y:.*]] = %c0 to %{{.*}} step %c1 iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (vector<16xf32>)
// CHECK:   %[[V:.*]] = vector.load %{{.*}}[%[[Y]], %[[X:.*]]] :
// CHECK:   %[[THERE:.*]] = arith.cmpi sge, %[[Y]], %c1
// CHECK:   %[[P:.*]] = arith.select %[[THERE]], %[[BEFORE]], %[[V]] : vector<16xf32>
// CHECK:   %[[S:.*]] = arith.addf %[[P]], %[[V]]
// CHECK:   vector.store %[[S]], %{{.*}}[%[[Y]], %[[X]]]
// CHECK:   scf.yield %[[S]]
func.func @walk(%in: memref<64x64xf32>, %out: memref<64x64xf32>, %a: index, %b: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %x = %a to %b step %c1 {
    %last = scf.for %y = %c0 to %n step %c1 iter_args(%before = %zero) -> f32 {
      %v = memref.load %in[%y, %x] : memref<64x64xf32>
      %there = arith.cmpi sge, %y, %c1 : index
      %p = arith.select %there, %before, %v : f32
      %s = arith.addf %p, %v : f32
      memref.store %s, %out[%y, %x] : memref<64x64xf32>
      scf.yield %s : f32
    }
  } {weft.lanes = 16 : i64}
  return
}

// A clamped index in a loop of few iterations: one load, of which lanes outside have what the nearest element inside is.
// CHECK-LABEL: @clamped
// CHECK-SAME: (%[[IN:[^:]*]]: memref<64xf32>,
func.func @clamped(%in: memref<64xf32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c63 = arith.constant 63 : index
  // CHECK-NOT: scf.if
  // CHECK:     scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c16
  // CHECK:       %[[X:.*]] = arith.minsi %[[I]],
  // CHECK:       %[[FIRST:.*]] = arith.subi %[[X]], %c3
  // CHECK:       %[[LEFT:.*]] = memref.load %[[IN]]
  // CHECK:       %[[LEFTS:.*]] = vector.broadcast %[[LEFT]]
  // CHECK:       %[[RIGHT:.*]] = memref.load %[[IN]]
  // CHECK:       %[[RIGHTS:.*]] = vector.broadcast %[[RIGHT]]
  // CHECK:       %[[PADDING:.*]] = arith.select %{{.*}}, %[[LEFTS]], %[[RIGHTS]] : vector<16xi1>, vector<16xf32>
  // CHECK:       vector.maskedload %[[IN]][%[[FIRST]]], %{{.*}}, %[[PADDING]]
  // CHECK:       vector.maskedstore
  // CHECK-NOT: scf.for
  scf.for %x = %a to %b step %c1 {
    %i = arith.subi %x, %c3 : index
    %j = arith.maxsi %i, %c0 : index
    %k = arith.minsi %j, %c63 : index
    %v = memref.load %in[%k] : memref<64xf32>
    memref.store %v, %out[%x] : memref<64xf32>
  } {weft.lanes = 16 : i64, weft.masked}
  return
}

// Of more points than any vector has the loop stays as it is.
// CHECK-LABEL: @too_many
// CHECK:         scf.for
// CHECK-NOT:     vector.
// CHECK:         return
func.func @too_many(%out: memref<64xf32>, %v: f32, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  scf.for %x = %a to %b step %c1 {
    memref.store %v, %out[%x] : memref<64xf32>
  } {weft.lanes = 2147483647 : i64}
  return
}
