// Four neighbours at computed places, as cubic interpolation reads them: each lane loads all of them at once.

// RUN: pipeline-opt %s --vectorize --canonicalize --cse | FileCheck %s

// Where all lanes have their four inside, those of four lanes are transposed; else each is gathered.
// CHECK-LABEL: @quad
// CHECK-SAME:  (%[[IN:[a-z0-9]*]]: memref<?x?xf32>,
// CHECK-DAG:   %[[LOW:.*]] = arith.cmpi sge, %[[FIRST:.*]], %{{.*}} : vector<8xindex>
// CHECK-DAG:   %[[HIGH:.*]] = arith.cmpi sle, %{{.*}}, %{{.*}} : vector<8xindex>
// CHECK:       %[[BOTH:.*]] = arith.andi %[[LOW]], %[[HIGH]] : vector<8xi1>
// CHECK:       %[[INSIDE:.*]] = vector.reduction <and>, %[[BOTH]] : vector<8xi1> into i1
// CHECK:       %[[FOUR:.*]]:4 = scf.if %[[INSIDE]]
// CHECK-COUNT-8: vector.load %[[IN]][%c0, %{{.*}}] : memref<?x?xf32>, vector<4xf32>
// CHECK-COUNT-8: vector.insert_strided_slice
// CHECK:         %[[AB:.*]] = vector.shuffle %[[A:.*]], %[[B:.*]] [0, 8, 1, 9, 4, 12, 5, 13]
// CHECK:         %[[CD:.*]] = vector.shuffle %[[C:.*]], %[[D:.*]] [0, 8, 1, 9, 4, 12, 5, 13]
// CHECK:         %[[E:.*]] = vector.shuffle %[[A]], %[[B]] [2, 10, 3, 11, 6, 14, 7, 15]
// CHECK:         %[[F:.*]] = vector.shuffle %[[C]], %[[D]] [2, 10, 3, 11, 6, 14, 7, 15]
// CHECK:         %[[R0:.*]] = vector.shuffle %[[AB]], %[[CD]] [0, 1, 8, 9, 4, 5, 12, 13]
// CHECK:         %[[R1:.*]] = vector.shuffle %[[AB]], %[[CD]] [2, 3, 10, 11, 6, 7, 14, 15]
// CHECK:         %[[R2:.*]] = vector.shuffle %[[E]], %[[F]] [0, 1, 8, 9, 4, 5, 12, 13]
// CHECK:         %[[R3:.*]] = vector.shuffle %[[E]], %[[F]] [2, 3, 10, 11, 6, 7, 14, 15]
// CHECK:         scf.yield %[[R0]], %[[R1]], %[[R2]], %[[R3]]
// CHECK:       } else {
// CHECK-COUNT-4: vector.gather {{.*}} into vector<8xf32>
// CHECK:       }
// CHECK:       arith.addf %[[FOUR]]#1, %[[FOUR]]#0 : vector<8xf32>
// CHECK:       arith.addf %[[FOUR]]#2, %[[FOUR]]#3 : vector<8xf32>
func.func @quad(%in: memref<?x?xf32>, %at: memref<?xi32>, %out: memref<64xf32>, %a: index, %b: index, %last: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %x = %a to %b step %c1 {
    %place = memref.load %at[%x] : memref<?xi32>
    %j = arith.index_cast %place : i32 to index
    %low = arith.maxsi %j, %c0 : index
    %j0 = arith.minsi %low, %last : index
    %p = memref.load %in[%c1, %j0] : memref<?x?xf32>
    %before = arith.subi %j, %c1 : index
    %low1 = arith.maxsi %before, %c0 : index
    %j1 = arith.minsi %low1, %last : index
    %q = memref.load %in[%c1, %j1] : memref<?x?xf32>
    %next = arith.addi %j, %c1 : index
    %low2 = arith.maxsi %next, %c0 : index
    %j2 = arith.minsi %low2, %last : index
    %r = memref.load %in[%c1, %j2] : memref<?x?xf32>
    %after = arith.addi %j, %c2 : index
    %low3 = arith.maxsi %after, %c0 : index
    %j3 = arith.minsi %low3, %last : index
    %s = memref.load %in[%c1, %j3] : memref<?x?xf32>
    %pq = arith.addf %p, %q : f32
    %rs = arith.addf %r, %s : f32
    %t = arith.mulf %pq, %rs : f32
    memref.store %t, %out[%x] : memref<64xf32>
  } {weft.lanes = 8 : i64, weft.wide}
  return
}

// Three channels of a colour that is looked up: a fourth element is read beside them, but not behind the last of all.
// CHECK-LABEL: @colour
// CHECK-SAME:  (%[[IN:[a-z0-9]*]]: memref<16x?x3xf32>
// CHECK:         %[[COLUMNS:.*]] = arith.muli %{{.*}}, %c3 : index
// CHECK-NEXT:    %[[END:.*]] = arith.addi %{{.*}}, %[[COLUMNS]] : index
// CHECK-NEXT:    %[[LAST:.*]] = arith.addi %[[END]], %c-1 : index
// CHECK-NEXT:    %[[ENDS:.*]] = vector.broadcast %[[LAST]] : index to vector<4xindex>
// CHECK-NEXT:    %[[BELOW:.*]] = arith.cmpi sle, %[[OFFSETS:.*]], %[[ENDS]] {weft.places} : vector<4xindex>
// CHECK:         %[[INSIDE:.*]] = vector.reduction <and>, %[[BELOW]] : vector<4xi1> into i1
// CHECK:         %[[COLOUR:.*]]:2 = scf.if %[[INSIDE]]
// CHECK-COUNT-4:   vector.load %[[IN]][%c0, %c0, %{{.*}}] : memref<16x?x3xf32>, vector<4xf32>
// CHECK:         } else {
// CHECK:           vector.gather %[[IN]][%c0, %c0, %c0] [%[[OFFSETS]]]
// CHECK:           vector.gather
// CHECK:         }
// CHECK-NOT:     vector.gather
// CHECK:         arith.addf %[[COLOUR]]#0, %[[COLOUR]]#1 : vector<4xf32>
func.func @colour(%in: memref<16x?x3xf32>, %at: memref<16x2xindex>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  scf.for %x = %c0 to %c16 step %c1 {
    %i = memref.load %at[%x, %c0] : memref<16x2xindex>
    %j = memref.load %at[%x, %c1] : memref<16x2xindex>
    %r = memref.load %in[%i, %j, %c0] : memref<16x?x3xf32>
    %b = memref.load %in[%i, %j, %c2] : memref<16x?x3xf32>
    %s = arith.addf %r, %b : f32
    memref.store %s, %out[%x] : memref<16xf32>
  } {weft.lanes = 4, weft.wide}
  return
}

// Four are read as they lie.
// CHECK-LABEL: @opaque
// CHECK-COUNT-4: vector.load {{.*}} : memref<16x16x4xf32>, vector<4xf32>
// CHECK-COUNT-6: vector.shuffle
// CHECK-NOT:     {{scf.if|vector.gather}}
func.func @opaque(%in: memref<16x16x4xf32>, %at: memref<16x2xindex>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  scf.for %x = %c0 to %c16 step %c1 {
    %i = memref.load %at[%x, %c0] : memref<16x2xindex>
    %j = memref.load %at[%x, %c1] : memref<16x2xindex>
    %r = memref.load %in[%i, %j, %c0] : memref<16x16x4xf32>
    %a = memref.load %in[%i, %j, %c3] : memref<16x16x4xf32>
    %s = arith.mulf %r, %a : f32
    memref.store %s, %out[%x] : memref<16xf32>
  } {weft.lanes = 4, weft.wide}
  return
}

// Two fours of a row that has eight are one load for each lane, and three of one that has four need no fourth behind the last of all.
// CHECK-LABEL: @eight
// CHECK-COUNT-4: vector.load {{.*}} : memref<16x16x8xf32>, vector<8xf32>
// CHECK-NOT:     vector.load
// CHECK:         vector.shuffle {{.*}} [4, 5, 6, 7] : vector<8xf32>, vector<8xf32>
// CHECK-COUNT-3: vector.shuffle
// CHECK-NOT:     {{scf.if|vector.gather}}
// CHECK-LABEL: @padded
// CHECK-COUNT-4: vector.load {{.*}} : memref<16x16x4xf32>, vector<4xf32>
// CHECK-NOT:     {{scf.if|vector.gather}}
func.func @eight(%in: memref<16x16x8xf32>, %at: memref<16x2xindex>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c16 = arith.constant 16 : index
  scf.for %x = %c0 to %c16 step %c1 {
    %i = memref.load %at[%x, %c0] : memref<16x2xindex>
    %j = memref.load %at[%x, %c1] : memref<16x2xindex>
    %r = memref.load %in[%i, %j, %c0] : memref<16x16x8xf32>
    %a = memref.load %in[%i, %j, %c6] : memref<16x16x8xf32>
    %s = arith.mulf %r, %a : f32
    memref.store %s, %out[%x] : memref<16xf32>
  } {weft.lanes = 4, weft.wide}
  return
}

func.func @padded(%in: memref<16x16x4xf32>, %at: memref<16x2xindex>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  scf.for %x = %c0 to %c16 step %c1 {
    %i = memref.load %at[%x, %c0] : memref<16x2xindex>
    %j = memref.load %at[%x, %c1] : memref<16x2xindex>
    %r = memref.load %in[%i, %j, %c0] : memref<16x16x4xf32>
    %a = memref.load %in[%i, %j, %c2] : memref<16x16x4xf32>
    %s = arith.mulf %r, %a : f32
    memref.store %s, %out[%x] : memref<16xf32>
  } {weft.lanes = 4, weft.wide}
  return
}
