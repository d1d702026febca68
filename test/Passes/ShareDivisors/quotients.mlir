// Quotients by the same number take its inverse where a block waits for the divider.

// RUN: pipeline-opt %s --share-divisors=target=emerald_rapids | FileCheck %s
// RUN: pipeline-opt %s --share-divisors=target=emerald_rapids --share-divisors=target=emerald_rapids | FileCheck %s
// RUN: pipeline-opt %s --share-divisors=target=avx2 | FileCheck %s --check-prefix=NARROW
// RUN: not pipeline-opt %s --share-divisors=target=z80 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: option 'target': CPU 'z80' is not known

// NARROW-NOT: call

// CHECK-LABEL: @field
// CHECK-SAME:  (%[[X:.*]]: vector<64xf32>, %[[Y:.*]]: vector<64xf32>, %[[NORM:.*]]: vector<64xf32>)
// CHECK:         %[[ONE:.*]] = arith.constant dense<1.000000e+00> : vector<64xf32>
// CHECK:         %[[D:.*]] = arith.addf %[[NORM]], %[[ONE]]
// CHECK-NEXT:    %[[INVERSE:.*]] = arith.divf %[[ONE]], %[[D]]
// CHECK-NEXT:    %[[U:.*]] = call @weft.quotient.x64(%[[X]], %[[D]], %[[INVERSE]])
// CHECK-NEXT:    %[[V:.*]] = call @weft.quotient.x64(%[[Y]], %[[D]], %[[INVERSE]])
// CHECK-NEXT:    return %[[U]], %[[V]]
func.func @field(%x: vector<64xf32>, %y: vector<64xf32>, %norm: vector<64xf32>) -> (vector<64xf32>, vector<64xf32>) {
  %one = arith.constant dense<1.0> : vector<64xf32>
  %d = arith.addf %norm, %one : vector<64xf32>
  %u = arith.divf %x, %d : vector<64xf32>
  %v = arith.divf %y, %d : vector<64xf32>
  return %u, %v : vector<64xf32>, vector<64xf32>
}

// A number that a loop does not change has an inverse, too; passes behind this one take it out of the loop.
// CHECK-LABEL: @parameter
// CHECK-SAME:  (%{{.*}}: memref<64xf32>, %[[BY:.*]]: vector<16xf32>)
// CHECK:         scf.for
// CHECK:           %[[INVERSE:.*]] = arith.divf %{{.*}}, %[[BY]]
// CHECK:           call @weft.quotient.x16(%{{.*}}, %[[BY]], %[[INVERSE]])
func.func @parameter(%m: memref<64xf32>, %by: vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c16 {
    %v = vector.load %m[%i] : memref<64xf32>, vector<16xf32>
    %q = arith.divf %v, %by : vector<16xf32>
    vector.store %q, %m[%i] : memref<64xf32>, vector<16xf32>
  }
  return
}

// One quotient alone, inverses, constants, doubles and parts of registers stay divisions.
// CHECK-LABEL: @others
// CHECK-NOT:     call
// CHECK:         return
func.func @others(%x: vector<16xf32>, %y: vector<16xf32>, %e: vector<16xf64>, %s: vector<8xf32>)
    -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf64>, vector<8xf32>) {
  %one = arith.constant dense<1.0> : vector<16xf32>
  %three = arith.constant dense<3.0> : vector<16xf32>
  %d = arith.addf %x, %one : vector<16xf32>
  %q = arith.divf %y, %d : vector<16xf32>
  %i = arith.divf %one, %d : vector<16xf32>
  %t = arith.divf %x, %three : vector<16xf32>
  %f = arith.divf %e, %e : vector<16xf64>
  %r = arith.divf %s, %s : vector<8xf32>
  return %q, %i, %t, %f, %r : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf64>, vector<8xf32>
}

// Where other operations take longer than the divider, nothing is gained.
// CHECK-LABEL: @busy
// CHECK-NOT:     call
// CHECK:         return
func.func @busy(%m: memref<16xf32>, %x: vector<16xf32>, %y: vector<16xf32>, %z: vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %d = arith.addf %z, %z : vector<16xf32>
  %u = arith.divf %x, %d : vector<16xf32>
  %v = arith.divf %y, %d : vector<16xf32>
  %0 = math.fma %u, %v, %x : vector<16xf32>
  %1 = math.fma %0, %v, %x : vector<16xf32>
  %2 = math.fma %1, %v, %x : vector<16xf32>
  %3 = math.fma %2, %v, %x : vector<16xf32>
  %4 = math.fma %3, %v, %x : vector<16xf32>
  %5 = math.fma %4, %v, %x : vector<16xf32>
  %6 = math.fma %5, %v, %x : vector<16xf32>
  %7 = math.fma %6, %v, %x : vector<16xf32>
  %8 = math.fma %7, %v, %x : vector<16xf32>
  %9 = math.fma %8, %v, %x : vector<16xf32>
  %10 = math.fma %9, %v, %x : vector<16xf32>
  %11 = math.fma %10, %v, %x : vector<16xf32>
  %12 = math.fma %11, %v, %x : vector<16xf32>
  %13 = math.fma %12, %v, %x : vector<16xf32>
  %14 = math.fma %13, %v, %x : vector<16xf32>
  vector.store %14, %m[%c0] : memref<16xf32>, vector<16xf32>
  return
}

// What divides is said once for each number of lanes.
// CHECK:         func.func private @weft.quotient.x64(%[[A:.*]]: vector<64xf32>, %[[B:.*]]: vector<64xf32>, %{{.*}}: vector<64xf32>) -> vector<64xf32>
// CHECK-NEXT:      %[[Q:.*]] = arith.divf %[[A]], %[[B]]
// CHECK-NEXT:      return %[[Q]]
// CHECK:         func.func private @weft.quotient.x16(
