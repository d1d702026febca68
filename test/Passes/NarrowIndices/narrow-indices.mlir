// RUN: pipeline-opt %s --narrow-indices --canonicalize | FileCheck %s
// RUN: pipeline-opt %s --narrow-indices --narrow-indices --canonicalize | FileCheck %s

// A coordinate that is brought inside may come from anywhere, and stops at 2^30; the place of it is what its low bits say. An entry check asks that the image is
// small enough.
// CHECK-LABEL: func.func @inside(
// CHECK-SAME:    %[[F:[^:]*]]: vector<8xi32>, %[[IMG:[^:]*]]: memref
// CHECK-DAG:     %[[STOP:.*]] = arith.constant dense<1073741824> : vector<8xi32>
// CHECK-DAG:     %[[BACK:.*]] = arith.constant dense<-1073741824> : vector<8xi32>
// CHECK-DAG:     %[[ONE:.*]] = arith.constant dense<1> : vector<8xi32>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0> : vector<8xi32>
// CHECK:         %{{.*}}, %{{.*}}, %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[IMG]]
// CHECK:         arith.cmpi sle, %[[SIZES]]#0, %c536870912
// CHECK:         arith.muli %{{.*}}, %{{.*}} : index
// CHECK:         %[[NEAR:.*]] = arith.cmpi sle, %{{.*}}, %c2147483647
// CHECK:         %[[OK:.*]] = arith.andi %{{.*}}, %[[NEAR]]
// CHECK:         cf.assert %[[OK]], "{{.*}}narrow-indices.mlir:[[#]]:[[#]]: {{.*}} is read at computed places: expected extents up to 536870912, and its last element at most 2147483647 behind its first"
// CHECK:         %[[LOW:.*]] = arith.maxsi %[[F]], %[[BACK]] : vector<8xi32>
// CHECK:         %[[I:.*]] = arith.minsi %[[LOW]], %[[STOP]] : vector<8xi32>
// CHECK:         %[[NEXT:.*]] = arith.addi %[[I]], %[[ONE]] : vector<8xi32>
// CHECK:         %[[LEAST:.*]] = arith.maxsi %[[NEXT]], %[[ZERO]] : vector<8xi32>
// CHECK:         %[[AT:.*]] = arith.minsi %[[LEAST]], %{{.*}} : vector<8xi32>
// CHECK:         %[[ROW:.*]] = arith.muli %{{.*}}, %{{.*}} : vector<8xi32>
// CHECK:         %[[PLACE:.*]] = arith.addi %[[ROW]], %[[AT]] : vector<8xi32>
// CHECK:         vector.gather %[[IMG]][%{{.*}}, %{{.*}}] [%[[PLACE]]], {{.*}} vector<8xi32>, vector<8xi1>
func.func @inside(%f: vector<8xi32>, %img: memref<?x?xf32, strided<[?, 1]>>, %y: index, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1> : vector<8xindex>
  %zero = arith.constant dense<0> : vector<8xindex>
  %every = arith.constant dense<true> : vector<8xi1>
  %nothing = arith.constant dense<0.0> : vector<8xf32>
  %w = memref.dim %img, %c1 : memref<?x?xf32, strided<[?, 1]>>
  %end = arith.subi %w, %c1 : index
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %img : memref<?x?xf32, strided<[?, 1]>> -> memref<f32>, index, index, index, index, index
  %i = arith.index_cast %f : vector<8xi32> to vector<8xindex>
  %next = arith.addi %i, %one : vector<8xindex>
  %least = arith.maxsi %next, %zero : vector<8xindex>
  %last = vector.broadcast %end : index to vector<8xindex>
  %at = arith.minsi %least, %last : vector<8xindex>
  %rows = vector.broadcast %y : index to vector<8xindex>
  %stride = vector.broadcast %strides#0 : index to vector<8xindex>
  %row = arith.muli %rows, %stride : vector<8xindex>
  %place = arith.addi %row, %at : vector<8xindex>
  %v = vector.gather %img[%c0, %c0] [%place], %every, %nothing : memref<?x?xf32, strided<[?, 1]>>, vector<8xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.store %v, %out[%c0] : memref<8xf32>, vector<8xf32>
  return
}

// -----

// A lane that reads alone, of an image whose type says that it is small: no check.
// CHECK-LABEL: func.func @alone(
// CHECK-NOT:     cf.assert
// CHECK:         %[[LANE:.*]] = vector.extract %{{.*}}[3] : i32 from vector<8xi32>
// CHECK:         %[[AT:.*]] = arith.index_cast %[[LANE]] : i32 to index
// CHECK:         memref.load %{{.*}}[%[[AT]]]
func.func @alone(%f: vector<8xi32>, %table: memref<256xf32>) -> f32 {
  %i = arith.index_cast %f : vector<8xi32> to vector<8xindex>
  %lane = vector.extract %i[3] : index from vector<8xindex>
  %v = memref.load %table[%lane] : memref<256xf32>
  return %v : f32
}

// -----

// What is compared with a number of its kind is compared in 32 bits; two that may both have stopped are not.
// CHECK-LABEL: func.func @compared(
// CHECK:         arith.cmpi slt, %{{.*}}, %{{.*}} : vector<8xi32>
// CHECK:         arith.cmpi slt, %{{.*}}, %{{.*}} : vector<8xindex>
func.func @compared(%f: vector<8xi32>, %g: vector<8xi32>) -> (vector<8xi1>, vector<8xi1>) {
  %hundred = arith.constant dense<100> : vector<8xindex>
  %i = arith.index_cast %f : vector<8xi32> to vector<8xindex>
  %j = arith.index_cast %g : vector<8xi32> to vector<8xindex>
  %a = arith.cmpi slt, %i, %hundred : vector<8xindex>
  %b = arith.cmpi slt, %i, %j : vector<8xindex>
  return %a, %b : vector<8xi1>, vector<8xi1>
}

// -----

// Nobody can ask how large an image is that is larger than its type says, in a function that returns what it computes; nor does one stay
// as it is whose type says that it is large.
// CHECK-LABEL: func.func @large(
// CHECK-NOT:     i32 to index
// CHECK:         vector.gather {{.*}} vector<8xindex>
// CHECK:         vector.gather {{.*}} vector<8xindex>
func.func @large(%i: vector<8xindex>, %a: memref<?xf32>, %b: memref<4294967296xf32>) -> (vector<8xf32>, vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1> : vector<8xindex>
  %every = arith.constant dense<true> : vector<8xi1>
  %nothing = arith.constant dense<0.0> : vector<8xf32>
  %v = vector.gather %a[%c0] [%one], %every, %nothing : memref<?xf32>, vector<8xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %w = vector.gather %b[%c0] [%one], %every, %nothing : memref<4294967296xf32>, vector<8xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return %v, %w : vector<8xf32>, vector<8xf32>
}

// -----

// Two places of one image are no further apart than its elements.
// CHECK-LABEL: func.func @places(
// CHECK-SAME:    %[[I:[^:]*]]: vector<8xi32>
// CHECK:         %[[LAST:.*]] = vector.broadcast %{{.*}} : i32 to vector<8xi32>
// CHECK:         arith.cmpi sle, %[[I]], %[[LAST]] : vector<8xi32>
func.func @places(%f: vector<8xi32>, %img: memref<64xf32>, %last: index, %out: memref<8xf32>) -> vector<8xi1> {
  %c0 = arith.constant 0 : index
  %every = arith.constant dense<true> : vector<8xi1>
  %nothing = arith.constant dense<0.0> : vector<8xf32>
  %i = arith.index_cast %f : vector<8xi32> to vector<8xindex>
  %l = vector.broadcast %last : index to vector<8xindex>
  %inside = arith.cmpi sle, %i, %l {weft.places} : vector<8xindex>
  %v = vector.gather %img[%c0] [%i], %every, %nothing : memref<64xf32>, vector<8xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.store %v, %out[%c0] : memref<8xf32>, vector<8xf32>
  return %inside : vector<8xi1>
}

// -----

// So is the smaller one of two, at which single lanes read: what it is less than the other has 32 bits as well.
// CHECK-LABEL: func.func @smaller(
// CHECK-SAME:    %[[I:[^:]*]]: vector<2xi32>, %[[IMG:[^:]*]]:
// CHECK:         %[[LAST:.*]] = vector.broadcast %{{.*}} : i32 to vector<2xi32>
// CHECK:         %[[START:.*]] = arith.minsi %[[I]], %[[LAST]] : vector<2xi32>
// CHECK:         %[[PASSED:.*]] = arith.subi %[[I]], %[[START]] : vector<2xi32>
// CHECK:         vector.extract %[[START]][1] : i32 from vector<2xi32>
// CHECK:         return %[[PASSED]]
func.func @smaller(%f: vector<2xi32>, %img: memref<64xi8>, %last: index, %out: memref<8xi8>) -> vector<2xi32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %i = arith.index_cast %f : vector<2xi32> to vector<2xindex>
  %l = vector.broadcast %last : index to vector<2xindex>
  %start = arith.minsi %i, %l {weft.places} : vector<2xindex>
  %passed = arith.subi %i, %start : vector<2xindex>
  %shift = arith.index_cast %passed : vector<2xindex> to vector<2xi32>
  %first = vector.extract %start[0] : index from vector<2xindex>
  %second = vector.extract %start[1] : index from vector<2xindex>
  %v = vector.load %img[%first] : memref<64xi8>, vector<4xi8>
  %w = vector.load %img[%second] : memref<64xi8>, vector<4xi8>
  vector.store %v, %out[%c0] : memref<8xi8>, vector<4xi8>
  vector.store %w, %out[%c4] : memref<8xi8>, vector<4xi8>
  return %shift : vector<2xi32>
}

// -----

// A part of an image has fewer elements than that; other memory that begins there may have more. A function that calls itself says nothing.
// CHECK-LABEL: func.func @parts(
// CHECK:         cf.assert
// CHECK:         vector.gather {{.*}} vector<8xi32>
// CHECK:         vector.gather {{.*}} vector<8xindex>
func.func @parts(%img: memref<?xf32>, %n: index, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant dense<1> : vector<8xindex>
  %every = arith.constant dense<true> : vector<8xi1>
  %nothing = arith.constant dense<0.0> : vector<8xf32>
  %part = memref.subview %img[%n] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  %v = vector.gather %part[%c0] [%one], %every, %nothing : memref<?xf32, strided<[1], offset: ?>>, vector<8xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.store %v, %out[%c0] : memref<16xf32>, vector<8xf32>
  %other = memref.reinterpret_cast %img to offset: [0], sizes: [%n], strides: [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  %w = vector.gather %other[%c0] [%one], %every, %nothing : memref<?xf32, strided<[1]>>, vector<8xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.store %w, %out[%c8] : memref<16xf32>, vector<8xf32>
  return
}

// CHECK-LABEL: func.func private @again(
// CHECK:         vector.gather {{.*}} vector<8xindex>
func.func private @again(%img: memref<?xf32>, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1> : vector<8xindex>
  %every = arith.constant dense<true> : vector<8xi1>
  %nothing = arith.constant dense<0.0> : vector<8xf32>
  %v = vector.gather %img[%c0] [%one], %every, %nothing : memref<?xf32>, vector<8xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.store %v, %out[%c0] : memref<8xf32>, vector<8xf32>
  func.call @again(%img, %out) : (memref<?xf32>, memref<8xf32>) -> ()
  return
}

// -----

// A layout without strides does not say how far elements are apart.
// CHECK-LABEL: func.func @unstrided(
// CHECK:         vector.gather {{.*}} vector<8xindex>
func.func @unstrided(%img: memref<64xf32, affine_map<(x) -> (x floordiv 8, x mod 8)>>, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1> : vector<8xindex>
  %every = arith.constant dense<true> : vector<8xi1>
  %nothing = arith.constant dense<0.0> : vector<8xf32>
  %v = vector.gather %img[%c0] [%one], %every, %nothing : memref<64xf32, affine_map<(x) -> (x floordiv 8, x mod 8)>>, vector<8xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.store %v, %out[%c0] : memref<64xf32>, vector<8xf32>
  return
}
