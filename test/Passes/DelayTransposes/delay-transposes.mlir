// Pixels that lanes look up are mixed before their channels are vectors.

// RUN: pipeline-opt %s --delay-transposes | FileCheck %s
// RUN: pipeline-opt %s --delay-transposes --delay-transposes | FileCheck %s

// Two corners of three channels, and a weight that each lane has: spread over the rows, and one transposition.
// CHECK-LABEL: @corners
// CHECK-SAME:  %[[W:[^ ]*]]: vector<4xf32>) ->
// CHECK-NEXT:    %[[D:.*]] = arith.subf %arg4, %arg0
// CHECK-NEXT:    arith.subf %arg5, %arg1
// CHECK-NEXT:    arith.subf %arg6, %arg2
// CHECK-NEXT:    %[[D3:.*]] = arith.subf %arg7, %arg3
// CHECK-NEXT:    %[[W0:.*]] = vector.shuffle %[[W]], %[[W]] [0, 0, 0, 0]
// CHECK-NEXT:    vector.shuffle %[[W]], %[[W]] [1, 1, 1, 1]
// CHECK-NEXT:    vector.shuffle %[[W]], %[[W]] [2, 2, 2, 2]
// CHECK-NEXT:    %[[W3:.*]] = vector.shuffle %[[W]], %[[W]] [3, 3, 3, 3]
// CHECK-NEXT:    %[[M0:.*]] = math.fma %[[D]], %[[W0]], %arg0
// CHECK-NEXT:    %[[M1:.*]] = math.fma
// CHECK-NEXT:    %[[M2:.*]] = math.fma
// CHECK-NEXT:    %[[M3:.*]] = math.fma %[[D3]], %[[W3]], %arg3
// CHECK-NEXT:    %[[A:.*]] = vector.shuffle %[[M0]], %[[M1]] [0, 4, 1, 5]
// CHECK-NEXT:    %[[B:.*]] = vector.shuffle %[[M2]], %[[M3]] [0, 4, 1, 5]
// CHECK-NEXT:    %[[C:.*]] = vector.shuffle %[[M0]], %[[M1]] [2, 6, 3, 7]
// CHECK-NEXT:    %[[E:.*]] = vector.shuffle %[[M2]], %[[M3]] [2, 6, 3, 7]
// CHECK-NEXT:    %[[R:.*]] = vector.shuffle %[[A]], %[[B]] [0, 1, 4, 5]
// CHECK-NEXT:    %[[G:.*]] = vector.shuffle %[[A]], %[[B]] [2, 3, 6, 7]
// CHECK-NEXT:    %[[U:.*]] = vector.shuffle %[[C]], %[[E]] [0, 1, 4, 5]
// CHECK-NEXT:    %[[S:.*]] = arith.addf %[[R]], %[[R]]
// CHECK-NEXT:    return %[[S]], %[[G]], %[[U]]
func.func @corners(%p0: vector<4xf32>, %p1: vector<4xf32>, %p2: vector<4xf32>, %p3: vector<4xf32>, %q0: vector<4xf32>, %q1: vector<4xf32>, %q2: vector<4xf32>, %q3: vector<4xf32>, %w: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %pa = vector.shuffle %p0, %p1 [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
  %pb = vector.shuffle %p2, %p3 [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
  %pc = vector.shuffle %p0, %p1 [2, 6, 3, 7] : vector<4xf32>, vector<4xf32>
  %pd = vector.shuffle %p2, %p3 [2, 6, 3, 7] : vector<4xf32>, vector<4xf32>
  %pr = vector.shuffle %pa, %pb [0, 1, 4, 5] : vector<4xf32>, vector<4xf32>
  %pg = vector.shuffle %pa, %pb [2, 3, 6, 7] : vector<4xf32>, vector<4xf32>
  %pu = vector.shuffle %pc, %pd [0, 1, 4, 5] : vector<4xf32>, vector<4xf32>
  %qa = vector.shuffle %q0, %q1 [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
  %qb = vector.shuffle %q2, %q3 [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
  %qc = vector.shuffle %q0, %q1 [2, 6, 3, 7] : vector<4xf32>, vector<4xf32>
  %qd = vector.shuffle %q2, %q3 [2, 6, 3, 7] : vector<4xf32>, vector<4xf32>
  %qr = vector.shuffle %qa, %qb [0, 1, 4, 5] : vector<4xf32>, vector<4xf32>
  %qg = vector.shuffle %qa, %qb [2, 3, 6, 7] : vector<4xf32>, vector<4xf32>
  %qu = vector.shuffle %qc, %qd [0, 1, 4, 5] : vector<4xf32>, vector<4xf32>
  %dr = arith.subf %qr, %pr : vector<4xf32>
  %mr = math.fma %dr, %w, %pr : vector<4xf32>
  // What is done to one channel alone stays.
  %sr = arith.addf %mr, %mr : vector<4xf32>
  %dg = arith.subf %qg, %pg : vector<4xf32>
  %mg = math.fma %dg, %w, %pg : vector<4xf32>
  %du = arith.subf %qu, %pu : vector<4xf32>
  %mu = math.fma %du, %w, %pu : vector<4xf32>
  return %sr, %mg, %mu : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// Each four lanes are transposed by themselves; a number that all lanes have is the same in rows.
// CHECK-LABEL: @wide
// CHECK:         %[[N:.*]] = arith.constant dense<5.000000e-01> : vector<8xf32>
// CHECK-COUNT-4: arith.addf
// CHECK-COUNT-4: arith.mulf %{{.*}}, %[[N]] : vector<8xf32>
// CHECK-COUNT-4: arith.addf
// CHECK-NEXT:    vector.shuffle {{.*}} [0, 8, 1, 9, 4, 12, 5, 13]
// CHECK-COUNT-7: vector.shuffle
// CHECK-NOT:     vector.shuffle
// CHECK:         return
func.func @wide(%p0: vector<8xf32>, %p1: vector<8xf32>, %p2: vector<8xf32>, %p3: vector<8xf32>, %q0: vector<8xf32>, %q1: vector<8xf32>, %q2: vector<8xf32>, %q3: vector<8xf32>) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
  %n = arith.constant dense<0.5> : vector<8xf32>
  %pa = vector.shuffle %p0, %p1 [0, 8, 1, 9, 4, 12, 5, 13] : vector<8xf32>, vector<8xf32>
  %pb = vector.shuffle %p2, %p3 [0, 8, 1, 9, 4, 12, 5, 13] : vector<8xf32>, vector<8xf32>
  %pc = vector.shuffle %p0, %p1 [2, 10, 3, 11, 6, 14, 7, 15] : vector<8xf32>, vector<8xf32>
  %pd = vector.shuffle %p2, %p3 [2, 10, 3, 11, 6, 14, 7, 15] : vector<8xf32>, vector<8xf32>
  %p_0 = vector.shuffle %pa, %pb [0, 1, 8, 9, 4, 5, 12, 13] : vector<8xf32>, vector<8xf32>
  %p_1 = vector.shuffle %pa, %pb [2, 3, 10, 11, 6, 7, 14, 15] : vector<8xf32>, vector<8xf32>
  %p_2 = vector.shuffle %pc, %pd [0, 1, 8, 9, 4, 5, 12, 13] : vector<8xf32>, vector<8xf32>
  %p_3 = vector.shuffle %pc, %pd [2, 3, 10, 11, 6, 7, 14, 15] : vector<8xf32>, vector<8xf32>
  %qa = vector.shuffle %q0, %q1 [0, 8, 1, 9, 4, 12, 5, 13] : vector<8xf32>, vector<8xf32>
  %qb = vector.shuffle %q2, %q3 [0, 8, 1, 9, 4, 12, 5, 13] : vector<8xf32>, vector<8xf32>
  %qc = vector.shuffle %q0, %q1 [2, 10, 3, 11, 6, 14, 7, 15] : vector<8xf32>, vector<8xf32>
  %qd = vector.shuffle %q2, %q3 [2, 10, 3, 11, 6, 14, 7, 15] : vector<8xf32>, vector<8xf32>
  %q_0 = vector.shuffle %qa, %qb [0, 1, 8, 9, 4, 5, 12, 13] : vector<8xf32>, vector<8xf32>
  %q_1 = vector.shuffle %qa, %qb [2, 3, 10, 11, 6, 7, 14, 15] : vector<8xf32>, vector<8xf32>
  %q_2 = vector.shuffle %qc, %qd [0, 1, 8, 9, 4, 5, 12, 13] : vector<8xf32>, vector<8xf32>
  %q_3 = vector.shuffle %qc, %qd [2, 3, 10, 11, 6, 7, 14, 15] : vector<8xf32>, vector<8xf32>
  %s0 = arith.addf %p_0, %q_0 : vector<8xf32>
  %s1 = arith.addf %p_1, %q_1 : vector<8xf32>
  %s2 = arith.addf %p_2, %q_2 : vector<8xf32>
  %s3 = arith.addf %p_3, %q_3 : vector<8xf32>
  %m0 = arith.mulf %s0, %n : vector<8xf32>
  %m1 = arith.mulf %s1, %n : vector<8xf32>
  %m2 = arith.mulf %s2, %n : vector<8xf32>
  %m3 = arith.mulf %s3, %n : vector<8xf32>
  %t0 = arith.addf %m0, %s0 : vector<8xf32>
  %t1 = arith.addf %m1, %s1 : vector<8xf32>
  %t2 = arith.addf %m2, %s2 : vector<8xf32>
  %t3 = arith.addf %m3, %s3 : vector<8xf32>
  return %t0, %t1, %t2, %t3 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
}

// One corner alone, and one whose channels others take as well, are transposed as before.
// CHECK-LABEL: @alone
// CHECK-COUNT-7: vector.shuffle
// CHECK-COUNT-3: arith.mulf
// CHECK-NOT:     vector.shuffle
// CHECK:         return
func.func @alone(%p0: vector<4xf32>, %p1: vector<4xf32>, %p2: vector<4xf32>, %p3: vector<4xf32>, %w: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %pa = vector.shuffle %p0, %p1 [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
  %pb = vector.shuffle %p2, %p3 [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
  %pc = vector.shuffle %p0, %p1 [2, 6, 3, 7] : vector<4xf32>, vector<4xf32>
  %pd = vector.shuffle %p2, %p3 [2, 6, 3, 7] : vector<4xf32>, vector<4xf32>
  %pr = vector.shuffle %pa, %pb [0, 1, 4, 5] : vector<4xf32>, vector<4xf32>
  %pg = vector.shuffle %pa, %pb [2, 3, 6, 7] : vector<4xf32>, vector<4xf32>
  %pu = vector.shuffle %pc, %pd [0, 1, 4, 5] : vector<4xf32>, vector<4xf32>
  %r = arith.mulf %pr, %w : vector<4xf32>
  %g = arith.mulf %pg, %w : vector<4xf32>
  %u = arith.mulf %pu, %w : vector<4xf32>
  return %r, %g, %u : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// CHECK-LABEL: @needed
// CHECK-COUNT-14: vector.shuffle
// CHECK-COUNT-3: arith.addf
// CHECK-NOT:     vector.shuffle
// CHECK:         return
func.func @needed(%p0: vector<4xf32>, %p1: vector<4xf32>, %p2: vector<4xf32>, %p3: vector<4xf32>, %q0: vector<4xf32>, %q1: vector<4xf32>, %q2: vector<4xf32>, %q3: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %pa = vector.shuffle %p0, %p1 [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
  %pb = vector.shuffle %p2, %p3 [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
  %pc = vector.shuffle %p0, %p1 [2, 6, 3, 7] : vector<4xf32>, vector<4xf32>
  %pd = vector.shuffle %p2, %p3 [2, 6, 3, 7] : vector<4xf32>, vector<4xf32>
  %pr = vector.shuffle %pa, %pb [0, 1, 4, 5] : vector<4xf32>, vector<4xf32>
  %pg = vector.shuffle %pa, %pb [2, 3, 6, 7] : vector<4xf32>, vector<4xf32>
  %pu = vector.shuffle %pc, %pd [0, 1, 4, 5] : vector<4xf32>, vector<4xf32>
  %qa = vector.shuffle %q0, %q1 [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
  %qb = vector.shuffle %q2, %q3 [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
  %qc = vector.shuffle %q0, %q1 [2, 6, 3, 7] : vector<4xf32>, vector<4xf32>
  %qd = vector.shuffle %q2, %q3 [2, 6, 3, 7] : vector<4xf32>, vector<4xf32>
  %qr = vector.shuffle %qa, %qb [0, 1, 4, 5] : vector<4xf32>, vector<4xf32>
  %qg = vector.shuffle %qa, %qb [2, 3, 6, 7] : vector<4xf32>, vector<4xf32>
  %qu = vector.shuffle %qc, %qd [0, 1, 4, 5] : vector<4xf32>, vector<4xf32>
  %r = arith.addf %pr, %qr : vector<4xf32>
  %g = arith.addf %pg, %qg : vector<4xf32>
  %u = arith.addf %pu, %qu : vector<4xf32>
  return %r, %g, %u, %pr, %qg : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
}
