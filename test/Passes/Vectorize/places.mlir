// Loads at places that are computed, but near: planes of which all are loaded, and rows that are tables in registers.

// RUN: pipeline-opt %s --vectorize --canonicalize --cse | FileCheck %s

// Four planes: pairs by the last bit of the number, then these by the other one.
// CHECK-LABEL: @planes
// CHECK-NOT:   vector.gather
// CHECK:       %[[P0:.*]] = vector.load %{{.*}}[%c0, %[[X:.*]]]
// CHECK:       %[[P1:.*]] = vector.load %{{.*}}[%c1, %[[X]]]
// CHECK:       %[[P2:.*]] = vector.load %{{.*}}[%c2, %[[X]]]
// CHECK:       %[[P3:.*]] = vector.load %{{.*}}[%c3, %[[X]]]
// CHECK:       %[[BIT:.*]] = arith.andi %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK:       %[[EVEN:.*]] = arith.cmpi eq, %[[BIT]]
// CHECK:       %[[A:.*]] = arith.select %[[EVEN]], %[[P0]], %[[P1]]
// CHECK:       %[[B:.*]] = arith.select %[[EVEN]], %[[P2]], %[[P3]]
// CHECK:       %[[BIT2:.*]] = arith.andi
// CHECK:       %[[LOW:.*]] = arith.cmpi eq, %[[BIT2]]
// CHECK:       %[[R:.*]] = arith.select %[[LOW]], %[[A]], %[[B]]
// CHECK:       vector.store %[[R]]
func.func @planes(%in: memref<4x64xf32>, %at: memref<64xi32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %x = %a to %b step %c1 {
    %n = memref.load %at[%x] : memref<64xi32>
    %i = arith.index_cast %n : i32 to index
    %j = arith.maxsi %i, %c0 : index
    %k = arith.minsi %j, %c3 : index
    %v = memref.load %in[%k, %x] : memref<4x64xf32>
    memref.store %v, %out[%x] : memref<64xf32>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// Rows of twelve, of which eight lanes each read one: two registers, and numbers of each eight lanes, which stay numbers of 32 bits.
// CHECK-LABEL: @table
// CHECK-NOT:   vector.gather
// CHECK:       %[[N:.*]] = arith.minsi %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK:       %[[RIGHT:.*]] = vector.shuffle %[[N]], %[[N]] [8, 9, 10, 11, 12, 13, 14, 15]
// CHECK:       %[[A:.*]] = vector.load %{{.*}}[%[[ROW:.*]], %c0] : memref<?x12xf32>, vector<8xf32>
// CHECK:       %[[B:.*]] = vector.maskedload %{{.*}}[%[[ROW]], %c8]
// CHECK:       %[[N0:.*]] = vector.extract %[[N]][0] : i32
// CHECK:       %[[I0:.*]] = arith.index_castui %[[N0]]
// CHECK:       %[[V0:.*]] = vector.extract %[[A]][%[[I0]]]
// CHECK:       %[[LOW:.*]] = vector.from_elements %[[V0]], {{.*}} : vector<8xf32>
// CHECK:       %[[BEHIND:.*]] = arith.subi %[[LEFT:.*]], %{{.*}} : vector<8xi32>
// CHECK:       vector.extract %[[BEHIND]][0] : i32
// CHECK:       %[[HIGH:.*]] = vector.from_elements
// CHECK:       %[[IS_LOW:.*]] = arith.cmpi slt, %[[LEFT]], %{{.*}} : vector<8xi32>
// CHECK:       %[[OF_LEFT:.*]] = arith.select %[[IS_LOW]], %[[LOW]], %[[HIGH]]
// CHECK:       %[[OF_RIGHT:.*]] = arith.select
// CHECK:       %[[FIRST:.*]] = vector.shuffle %[[OF_LEFT]], %[[OF_RIGHT]] [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
// CHECK:       %[[NEXT:.*]] = arith.addi %[[ROW]], %c1
// CHECK:       vector.load %{{.*}}[%[[NEXT]], %c0]
// CHECK:       %[[SECOND:.*]] = vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
// CHECK:       %[[R:.*]] = arith.select %{{.*}}, %[[FIRST]], %[[SECOND]]
// CHECK:       vector.store %[[R]]
func.func @table(%in: memref<?x12xf32>, %at: memref<64xi32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c11 = arith.constant 11 : index
  scf.for %x = %a to %b step %c1 {
    %n = memref.load %at[%x] : memref<64xi32>
    %i = arith.index_cast %n : i32 to index
    %j = arith.maxsi %i, %c0 : index
    %k = arith.minsi %j, %c11 : index
    %row = arith.floordivsi %x, %c8 : index
    %v = memref.load %in[%row, %k] : memref<?x12xf32>
    memref.store %v, %out[%x] : memref<64xf32>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// Of 24 lanes each eight look up by themselves; their three vectors are joined two by two, and the last one stands beside itself.
// CHECK-LABEL: @three_registers
// CHECK:       %[[A:.*]] = vector.from_elements {{.*}} : vector<8xf32>
// CHECK:       %[[B:.*]] = vector.from_elements {{.*}} : vector<8xf32>
// CHECK:       %[[C:.*]] = vector.from_elements {{.*}} : vector<8xf32>
// CHECK:       %[[AB:.*]] = vector.shuffle %[[A]], %[[B]] [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
// CHECK:       %[[CC:.*]] = vector.shuffle %[[C]], %[[C]] [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
// CHECK:       %[[R:.*]] = vector.shuffle %[[AB]], %[[CC]] [0, 1, {{.*}}, 22, 23] : vector<16xf32>, vector<16xf32>
// CHECK:       vector.store %[[R]], {{.*}} vector<24xf32>
func.func @three_registers(%in: memref<?x8xf32>, %at: memref<24xi32>, %out: memref<?x24xf32>, %y: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c24 = arith.constant 24 : index
  scf.for %x = %c0 to %c24 step %c1 {
    %n = memref.load %at[%x] : memref<24xi32>
    %i = arith.index_cast %n : i32 to index
    %j = arith.maxsi %i, %c0 : index
    %k = arith.minsi %j, %c7 : index
    %v = memref.load %in[%y, %k] : memref<?x8xf32>
    memref.store %v, %out[%y, %x] : memref<?x24xf32>
  } {weft.lanes = 24 : i64, weft.wide}
  return
}

// Every second lane reads two elements further: the indices of all lanes are known, and the stretch of ten is loaded as two of eight.
// CHECK-LABEL: @twice
// CHECK-NOT:   vector.gather
// CHECK:       %[[A:.*]] = vector.load {{.*}} vector<8xf32>
// CHECK:       %[[B:.*]] = vector.load {{.*}} vector<8xf32>
// CHECK:       vector.shuffle %[[A]], %[[B]] [0, 2, 1, 3, 2, 4, 3, 5, 4, 6, 5, 7, 6, 14, 7, 15]
func.func @twice(%in: memref<64xf32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c-2 = arith.constant -2 : index
  scf.for %x = %a to %b step %c1 {
    %half = arith.floordivsi %x, %c2 : index
    %even = arith.muli %half, %c-2 : index
    %odd = arith.addi %x, %even : index
    %more = arith.muli %odd, %c2 : index
    %at = arith.addi %half, %more : index
    %u = memref.load %in[%at] : memref<64xf32>
    %o = memref.load %out[%x] : memref<64xf32>
    %v = arith.addf %u, %o : f32
    memref.store %v, %out[%x] : memref<64xf32>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// Each cache line of a stretch is asked for once: two of one with gaps. Of places far apart nothing is.
// CHECK-LABEL: @prefetch
// CHECK:       memref.prefetch %arg0[%[[X:.*]]], read, locality<2>, data
// CHECK:       %[[P:.*]] = arith.muli %[[X]], %c2
// CHECK:       memref.prefetch %arg0[%[[P]]]
// CHECK:       %[[Q:.*]] = arith.addi %[[P]], %c16
// CHECK:       memref.prefetch %arg0[%[[Q]]]
// CHECK-NOT:   memref.prefetch
func.func @prefetch(%in: memref<64xf32>, %out: memref<64xf32>, %a: index, %b: index, %v: f32) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c100 = arith.constant 100 : index
  scf.for %x = %a to %b step %c1 {
    memref.prefetch %in[%x], read, locality<2>, data : memref<64xf32>
    %twice = arith.muli %x, %c2 : index
    memref.prefetch %in[%twice], read, locality<2>, data : memref<64xf32>
    %far = arith.muli %x, %c100 : index
    memref.prefetch %in[%far], read, locality<2>, data : memref<64xf32>
    memref.store %v, %out[%x] : memref<64xf32>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// Of rows that each lane has a known one of, all elements between the first and the last are loaded: the weights of even and odd columns.
// CHECK-LABEL: @known_rows
// CHECK:       scf.for
// CHECK:         %[[LEFT:.*]] = vector.load %arg0[%c0, %c4] : memref<2x9xf32>, vector<8xf32>
// CHECK-NEXT:    %[[RIGHT:.*]] = vector.load %arg0[%c0, %c6] : memref<2x9xf32>, vector<8xf32>
// CHECK-NEXT:    %[[R:.*]] = vector.shuffle %[[LEFT]], %[[RIGHT]] [0, 15, 0, 15, 0, 15, 0, 15]
// CHECK:         arith.addf %[[R]]
func.func @known_rows(%in: memref<2x9xf32>, %out: memref<64xf32>, %a: index, %b: index) {
  %c-2 = arith.constant -2 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %x = %a to %b step %c1 {
    %half = arith.floordivsi %x, %c2 : index
    %p = arith.muli %half, %c-2 : index
    %odd = arith.addi %x, %p : index
    %u = memref.load %in[%odd, %c4] : memref<2x9xf32>
    %o = memref.load %out[%x] : memref<64xf32>
    %v = arith.addf %u, %o : f32
    memref.store %v, %out[%x] : memref<64xf32>
  } {weft.lanes = 8 : i64, weft.wide}
  return
}

// Vectors that begin at a multiple of their lanes lie in one part of 64 points: they have one element of a table of such parts.
// CHECK-LABEL: @one_part
// CHECK:       scf.for
// CHECK:         %[[PART:.*]] = arith.floordivsi %{{.*}}, %c64 : index
// CHECK-NEXT:    %[[V:.*]] = memref.load %arg0[%[[PART]]] : memref<?xf32>
// CHECK-NEXT:    vector.broadcast %[[V]] : f32 to vector<8xf32>
func.func @one_part(%in: memref<?xf32>, %out: memref<?xf32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %x = %a to %b step %c1 {
    %part = arith.floordivsi %x, %c64 : index
    %v = memref.load %in[%part] : memref<?xf32>
    memref.store %v, %out[%x] : memref<?xf32>
  } {weft.lanes = 8 : i64, weft.wide}
  return
}

// All lanes read one row of 256 bytes: it is memory of its own, of which it is known how long it is.
// CHECK-LABEL: @bytes
// CHECK:         %[[ROW:.*]] = memref.subview %arg0[%arg3, 0] [1, 256] [1, 1] : memref<3x256xi8> to memref<256xi8, strided<[1], offset: ?>>
// CHECK-NEXT:    vector.gather %[[ROW]][%c0] [%{{.*}}], %{{.*}} : memref<256xi8, strided<[1], offset: ?>>, vector<16xindex>
func.func @bytes(%in: memref<3x256xi8>, %at: memref<64xi8>, %out: memref<64xi8>, %c: index, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  scf.for %x = %a to %b step %c1 {
    %i = memref.load %at[%x] : memref<64xi8>
    %index = arith.index_castui %i : i8 to index
    %v = memref.load %in[%c, %index] : memref<3x256xi8>
    memref.store %v, %out[%x] : memref<64xi8>
  } {weft.lanes = 16 : i64}
  return
}
