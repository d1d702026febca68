// What lanes gather from a short row they look up in registers, which are loaded before the loops that do not write the row.

// RUN: pipeline-opt %s --look-ups --canonicalize | FileCheck %s
// RUN: pipeline-opt %s --look-ups --look-ups --canonicalize | FileCheck %s

// The index was a byte. Nobody writes the table in the loops.
// CHECK-LABEL: @bytes
// CHECK-SAME:  (%[[T:.*]]: memref<256xi8>, %[[IMG:.*]]: memref<?x?xi8>, %[[OUT:.*]]: memref<?x?xi8>,
// CHECK:         %[[ALL:.*]] = vector.load %[[T]][%c0] : memref<256xi8>, vector<256xi8>
// CHECK-NEXT:    %[[ROW:.*]] = memref.cast %[[T]] : memref<256xi8> to memref<?xi8, strided<[1], offset: ?>>
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        %[[AT:.*]] = vector.load %[[IMG]]
// CHECK-NEXT:        %[[FOUND:.*]] = func.call @weft.look_up256.x64(%[[ROW]], %[[ALL]], %[[AT]])
// CHECK-NEXT:        vector.store %[[FOUND]], %[[OUT]]
func.func @bytes(%t: memref<256xi8>, %img: memref<?x?xi8>, %out: memref<?x?xi8>, %h: index, %w: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %all = arith.constant dense<true> : vector<64xi1>
  %none = arith.constant dense<0> : vector<64xi8>
  scf.for %y = %c0 to %h step %c1 {
    scf.for %x = %c0 to %w step %c64 {
      %v = vector.load %img[%y, %x] : memref<?x?xi8>, vector<64xi8>
      %i = arith.index_castui %v : vector<64xi8> to vector<64xindex>
      %g = vector.gather %t[%c0] [%i], %all, %none : memref<256xi8>, vector<64xindex>, vector<64xi1>, vector<64xi8> into vector<64xi8>
      vector.store %g, %out[%y, %x] : memref<?x?xi8>, vector<64xi8>
    }
  }
  return
}

// An index that was brought between numbers is brought so in the 32 bits that it was made of. Lanes that do not gather keep what they have.
// CHECK-LABEL: @clamped
// CHECK-SAME:  (%[[T:.*]]: memref<100xi8>, %[[V:.*]]: vector<16xi32>, %[[MASK:.*]]: vector<16xi1>, %[[ELSE:.*]]: vector<16xi8>)
// CHECK-DAG:     %[[FIRST:.*]] = arith.constant dense<"0xFFFFFFFFFFFFFFFFFFFFFFFF0F000000"> : vector<128xi1>
// CHECK-DAG:     %[[ALL:.*]] = vector.maskedload %[[T]][%c0], %[[FIRST]], %{{.*}} : memref<100xi8>, vector<128xi1>, vector<128xi8> into vector<128xi8>
// CHECK-DAG:     %[[LOW:.*]] = arith.maxsi %[[V]], %{{.*}} : vector<16xi32>
// CHECK-DAG:     %[[HIGH:.*]] = arith.minsi %[[LOW]], %{{.*}} : vector<16xi32>
// CHECK-DAG:     %[[BYTE:.*]] = arith.trunci %[[HIGH]] : vector<16xi32> to vector<16xi8>
// CHECK-DAG:     %[[AT:.*]] = arith.select %[[MASK]], %[[BYTE]], %{{.*}} : vector<16xi1>, vector<16xi8>
// CHECK:         %[[FOUND:.*]] = call @weft.look_up128.x16(%{{.*}}, %[[ALL]], %[[AT]])
// CHECK-NEXT:    %[[OWN:.*]] = arith.select %[[MASK]], %[[FOUND]], %[[ELSE]]
// CHECK-NEXT:    return %[[OWN]]
func.func @clamped(%t: memref<100xi8>, %v: vector<16xi32>, %mask: vector<16xi1>, %else: vector<16xi8>) -> vector<16xi8> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0> : vector<16xindex>
  %last = arith.constant dense<99> : vector<16xindex>
  %i = arith.index_cast %v : vector<16xi32> to vector<16xindex>
  %low = arith.maxsi %i, %zero : vector<16xindex>
  %high = arith.minsi %low, %last : vector<16xindex>
  %g = vector.gather %t[%c0] [%high], %mask, %else : memref<100xi8>, vector<16xindex>, vector<16xi1>, vector<16xi8> into vector<16xi8>
  return %g : vector<16xi8>
}

// Of a row that the loop chooses the registers are loaded in the loop, of any row where it is none: a loop without an iteration reads nothing. Of a
// row that the loop writes they are loaded right before they are read.
// CHECK-LABEL: @rows
// CHECK:         scf.for %[[C:.*]] = %c0
// CHECK-NEXT:      %[[LOW:.*]] = arith.minsi %[[C]], %c2
// CHECK-NEXT:      %[[HIGH:.*]] = arith.maxsi %[[LOW]], %c0
// CHECK-NEXT:      %[[ROW:.*]] = memref.subview %arg0[%[[HIGH]], 0] [1, 256] [1, 1]
// CHECK-NEXT:      %[[ALL:.*]] = vector.load %[[ROW]][%c0]
// CHECK-NEXT:      memref.cast %[[ROW]]
// CHECK-NEXT:      scf.for
// CHECK:             func.call @weft.look_up256.x32(%{{.*}}, %[[ALL]],
// CHECK:           scf.for
// CHECK-NEXT:        vector.load
// CHECK-NEXT:        vector.load %arg1[%c0] : memref<64xi8>, vector<64xi8>
// CHECK:             func.call @weft.look_up64.x32(
func.func @rows(%t: memref<3x256xi8>, %m: memref<64xi8>, %img: memref<3x?xi8>, %out: memref<3x?xi8>, %w: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %all = arith.constant dense<true> : vector<32xi1>
  %none = arith.constant dense<0> : vector<32xi8>
  scf.for %c = %c0 to %c3 step %c1 {
    scf.for %x = %c0 to %w step %c32 {
      %v = vector.load %img[%c, %x] : memref<3x?xi8>, vector<32xi8>
      %i = arith.index_castui %v : vector<32xi8> to vector<32xindex>
      %row = memref.subview %t[%c, 0] [1, 256] [1, 1] : memref<3x256xi8> to memref<256xi8, strided<[1], offset: ?>>
      %g = vector.gather %row[%c0] [%i], %all, %none : memref<256xi8, strided<[1], offset: ?>>, vector<32xindex>, vector<32xi1>, vector<32xi8> into vector<32xi8>
      vector.store %g, %out[%c, %x] : memref<3x?xi8>, vector<32xi8>
    }
    scf.for %x = %c0 to %w step %c32 {
      %v = vector.load %img[%c, %x] : memref<3x?xi8>, vector<32xi8>
      %i = arith.index_castui %v : vector<32xi8> to vector<32xindex>
      %g = vector.gather %m[%c0] [%i], %all, %none : memref<64xi8>, vector<32xindex>, vector<32xi1>, vector<32xi8> into vector<32xi8>
      vector.store %g, %m[%c0] : memref<64xi8>, vector<32xi8>
    }
  }
  return
}

// Longer rows, and such that are not known, are gathered; so are numbers of more bits.
// CHECK-LABEL: @others
// CHECK-COUNT-3: vector.gather
// CHECK-NOT:     @weft.look_up
func.func @others(%t: memref<257xi8>, %m: memref<?xi8>, %f: memref<256xf32>, %i: vector<16xindex>) -> (vector<16xi8>, vector<16xi8>, vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %all = arith.constant dense<true> : vector<16xi1>
  %none = arith.constant dense<0> : vector<16xi8>
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %a = vector.gather %t[%c0] [%i], %all, %none : memref<257xi8>, vector<16xindex>, vector<16xi1>, vector<16xi8> into vector<16xi8>
  %b = vector.gather %m[%c0] [%i], %all, %none : memref<?xi8>, vector<16xindex>, vector<16xi1>, vector<16xi8> into vector<16xi8>
  %c = vector.gather %f[%c0] [%i], %all, %zero : memref<256xf32>, vector<16xindex>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  return %a, %b, %c : vector<16xi8>, vector<16xi8>, vector<16xf32>
}

// Elements of 16 bits and 32 that two registers hold.
// CHECK-LABEL: func.func @wide(
// CHECK:         %[[ALL:.*]] = vector.maskedload %{{.*}} : memref<20xf32>, vector<32xi1>, vector<32xf32> into vector<32xf32>
// CHECK:         %[[AT:.*]] = arith.index_cast %{{.*}} : vector<16xindex> to vector<16xi32>
// CHECK:         call @weft.look_up32.x16.f32(%{{.*}}, %[[ALL]], %[[AT]])
// CHECK:         %[[ALL:.*]] = vector.load %{{.*}} : memref<64xi16>, vector<64xi16>
// CHECK:         %[[AT:.*]] = arith.index_cast %{{.*}} : vector<16xindex> to vector<16xi16>
// CHECK:         call @weft.look_up64.x16.i16(%{{.*}}, %[[ALL]], %[[AT]])
// CHECK:         vector.gather
// CHECK:         return
func.func @wide(%f: memref<20xf32>, %s: memref<64xi16>, %l: memref<65xi16>, %i: vector<16xindex>) -> (vector<16xf32>, vector<16xi16>, vector<16xi16>) {
  %c0 = arith.constant 0 : index
  %all = arith.constant dense<true> : vector<16xi1>
  %none = arith.constant dense<0> : vector<16xi16>
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %a = vector.gather %f[%c0] [%i], %all, %zero : memref<20xf32>, vector<16xindex>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %b = vector.gather %s[%c0] [%i], %all, %none : memref<64xi16>, vector<16xindex>, vector<16xi1>, vector<16xi16> into vector<16xi16>
  %c = vector.gather %l[%c0] [%i], %all, %none : memref<65xi16>, vector<16xindex>, vector<16xi1>, vector<16xi16> into vector<16xi16>
  return %a, %b, %c : vector<16xf32>, vector<16xi16>, vector<16xi16>
}

// The functions say what they do: any CPU gathers.
// CHECK-LABEL: func.func private @weft.look_up256.x64
// CHECK-SAME:  (%[[ROW:.*]]: memref<?xi8, strided<[1], offset: ?>>, %{{.*}}: vector<256xi8>, %[[AT:.*]]: vector<64xi8>) -> vector<64xi8>
// CHECK:         %[[I:.*]] = arith.index_castui %[[AT]] : vector<64xi8> to vector<64xindex>
// CHECK:         %[[FOUND:.*]] = vector.gather %[[ROW]][%c0] [%[[I]]]
// CHECK:         return %[[FOUND]]
