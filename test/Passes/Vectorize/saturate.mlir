// Conversions of floats to integers that saturate and make 0 of NaN: of vectors in a few instructions.

// RUN: pipeline-opt %s --vectorize --canonicalize --cse | FileCheck %s

// Both ends of i16 are floats.
// CHECK-LABEL: @short
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0> : vector<16xi16>
// CHECK-DAG: %[[LEAST:.*]] = arith.constant dense<-3.276800e+04> : vector<16xf32>
// CHECK-DAG: %[[MOST:.*]] = arith.constant dense<3.276700e+04> : vector<16xf32>
// CHECK:     %[[X:.*]] = vector.load
// CHECK:     %[[A:.*]] = arith.cmpf ogt, %[[X]], %[[LEAST]]
// CHECK:     %[[B:.*]] = arith.select %[[A]], %[[X]], %[[LEAST]]
// CHECK:     %[[C:.*]] = arith.cmpf olt, %[[B]], %[[MOST]]
// CHECK:     %[[D:.*]] = arith.select %[[C]], %[[B]], %[[MOST]]
// CHECK:     %[[E:.*]] = arith.fptosi %[[D]] : vector<16xf32> to vector<16xi32>
// CHECK:     %[[F:.*]] = arith.trunci %[[E]] : vector<16xi32> to vector<16xi16>
// CHECK:     %[[G:.*]] = arith.cmpf ord, %[[X]], %[[X]]
// CHECK:     arith.select %[[G]], %[[F]], %[[ZERO]]
func.func @short(%in: memref<64xf32>, %out: memref<64xi16>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  scf.for %x = %a to %b step %c1 {
    %v = memref.load %in[%x] : memref<64xf32>
    %i = llvm.call_intrinsic "llvm.fptosi.sat.i16.f32"(%v) : (f32) -> i16
    memref.store %i, %out[%x] : memref<64xi16>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// The greatest u32 is no float: lanes above the greatest float have it. NaN is not above 0.
// CHECK-LABEL: @unsigned
// CHECK-DAG: %[[ALL:.*]] = arith.constant dense<-1> : vector<16xi32>
// CHECK-DAG: %[[MOST:.*]] = arith.constant dense<4.29496704E+9> : vector<16xf32>
// CHECK-DAG: %[[END:.*]] = arith.constant dense<4.2949673E+9> : vector<16xf32>
// CHECK:     %[[X:.*]] = vector.load
// CHECK:     %[[E:.*]] = arith.fptoui %{{.*}} : vector<16xf32> to vector<16xi32>
// CHECK:     %[[G:.*]] = arith.cmpf oge, %[[X]], %[[END]]
// CHECK:     %[[R:.*]] = arith.select %[[G]], %[[ALL]], %[[E]]
// CHECK:     vector.store %[[R]]
func.func @unsigned(%in: memref<64xf32>, %out: memref<64xi32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  scf.for %x = %a to %b step %c1 {
    %v = memref.load %in[%x] : memref<64xf32>
    %i = llvm.call_intrinsic "llvm.fptoui.sat.i32.f32"(%v) : (f32) -> i32
    memref.store %i, %out[%x] : memref<64xi32>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// An integer that is brought between two numbers right away is brought there as a float. NaN becomes 0, which is the least here.
// CHECK-LABEL: @between
// CHECK-DAG: %[[LEAST:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
// CHECK-DAG: %[[MOST:.*]] = arith.constant dense<6.000000e+00> : vector<16xf32>
// CHECK:     %[[X:.*]] = vector.load
// CHECK-NEXT: %[[A:.*]] = arith.cmpf ogt, %[[X]], %[[LEAST]]
// CHECK-NEXT: %[[B:.*]] = arith.select %[[A]], %[[X]], %[[LEAST]]
// CHECK-NEXT: %[[C:.*]] = arith.cmpf olt, %[[B]], %[[MOST]]
// CHECK-NEXT: %[[D:.*]] = arith.select %[[C]], %[[B]], %[[MOST]]
// CHECK-NEXT: %[[E:.*]] = arith.fptosi %[[D]] : vector<16xf32> to vector<16xi32>
// CHECK-NEXT: vector.store %[[E]]
func.func @between(%in: memref<64xf32>, %out: memref<64xi32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %c0_i32 = arith.constant 0 : i32
  %c6_i32 = arith.constant 6 : i32
  scf.for %x = %a to %b step %c1 {
    %v = memref.load %in[%x] : memref<64xf32>
    %i = llvm.call_intrinsic "llvm.fptosi.sat.i32.f32"(%v) : (f32) -> i32
    %j = arith.maxsi %i, %c0_i32 : i32
    %k = arith.minsi %j, %c6_i32 : i32
    memref.store %k, %out[%x] : memref<64xi32>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// 0 is brought to the greatest, and so is NaN. A number that is read before it is brought inside is whole.
// CHECK-LABEL: @negative
// CHECK:     %[[E:.*]] = arith.fptosi
// CHECK-NEXT: %[[G:.*]] = arith.cmpf ord
// CHECK-NEXT: %[[R:.*]] = arith.select %[[G]], %[[E]], %cst
// CHECK-NEXT: vector.store %[[R]]
// CHECK:     arith.cmpf oge
// CHECK:     arith.minsi
// CHECK:     arith.maxsi
func.func @negative(%in: memref<64xf32>, %out: memref<64xi32>, %all: memref<64xi32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %least = arith.constant -9 : i32
  %most = arith.constant -2 : i32
  scf.for %x = %a to %b step %c1 {
    %v = memref.load %in[%x] : memref<64xf32>
    %i = llvm.call_intrinsic "llvm.fptosi.sat.i32.f32"(%v) : (f32) -> i32
    %j = arith.minsi %i, %most : i32
    %k = arith.maxsi %j, %least : i32
    memref.store %k, %out[%x] : memref<64xi32>
    %w = arith.addf %v, %v : f32
    %l = llvm.call_intrinsic "llvm.fptosi.sat.i32.f32"(%w) : (f32) -> i32
    %m = arith.minsi %l, %most : i32
    %n = arith.maxsi %m, %least : i32
    %o = arith.addi %n, %l : i32
    memref.store %o, %all[%x] : memref<64xi32>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// To bytes without a sign a function converts, which is an instruction or a few: it rounds as well. What was made of bytes is a number, and known to lie inside.
// CHECK-LABEL: @bytes
// CHECK:      %[[H:.*]] = arith.mulf
// CHECK-NEXT: %[[I:.*]] = func.call @weft.to_u8.nearest.inside.x16(%[[H]])
// CHECK-NEXT: vector.store %[[I]]
func.func @bytes(%in: memref<64xi8>, %out: memref<64xi8>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f32
  scf.for %x = %a to %b step %c1 {
    %v = memref.load %in[%x] : memref<64xi8>
    %f = arith.uitofp %v : i8 to f32
    %h = arith.mulf %f, %half : f32
    %r = math.roundeven %h : f32
    %i = llvm.call_intrinsic "llvm.fptoui.sat.i8.f32"(%r) : (f32) -> i8
    memref.store %i, %out[%x] : memref<64xi8>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// The same of 16 bits, where nothing is known, and nothing is rounded.
// CHECK-LABEL: @halves
// CHECK:      %[[X:.*]] = vector.load
// CHECK-NEXT: %[[I:.*]] = func.call @weft.to_u16.x16(%[[X]])
// CHECK-NEXT: vector.store %[[I]]
func.func @halves(%in: memref<64xf32>, %out: memref<64xi16>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  scf.for %x = %a to %b step %c1 {
    %v = memref.load %in[%x] : memref<64xf32>
    %i = llvm.call_intrinsic "llvm.fptoui.sat.i16.f32"(%v) : (f32) -> i16
    memref.store %i, %out[%x] : memref<64xi16>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// Of what is brought between two floats only NaN is another number.
// CHECK-LABEL: @brought
// CHECK:      %[[X:.*]] = arith.mulf
// CHECK-NEXT: %[[IS:.*]] = arith.cmpf ord, %[[X]], %[[X]]
// CHECK-NEXT: %[[N:.*]] = arith.select %[[IS]], %[[X]], %{{.*}} : vector<16xi1>, vector<16xf32>
// CHECK-NEXT: %[[I:.*]] = arith.fptosi %[[N]] : vector<16xf32> to vector<16xi32>
// CHECK-NEXT: vector.store %[[I]]
func.func @brought(%in: memref<64xf32>, %out: memref<64xi32>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %most = arith.constant 255.0 : f32
  scf.for %x = %a to %b step %c1 {
    %v = memref.load %in[%x] : memref<64xf32>
    %l = arith.maximumf %v, %zero : f32
    %m = arith.minimumf %l, %one : f32
    %f = arith.mulf %m, %most : f32
    %i = llvm.call_intrinsic "llvm.fptosi.sat.i32.f32"(%f) : (f32) -> i32
    memref.store %i, %out[%x] : memref<64xi32>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// Twice a byte does not fit one.
// CHECK-LABEL: @beyond
// CHECK:      call @weft.to_u8.x16(
func.func @beyond(%in: memref<64xi8>, %out: memref<64xi8>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  scf.for %x = %a to %b step %c1 {
    %v = memref.load %in[%x] : memref<64xi8>
    %f = arith.uitofp %v : i8 to f32
    %h = arith.mulf %f, %two : f32
    %i = llvm.call_intrinsic "llvm.fptoui.sat.i8.f32"(%h) : (f32) -> i8
    memref.store %i, %out[%x] : memref<64xi8>
  } {weft.lanes = 16 : i64, weft.wide}
  return
}

// CHECK:      func.func private @weft.to_u8.nearest.inside.x16(%[[X:.*]]: vector<16xf32>) -> vector<16xi8>
// CHECK-NEXT: %[[R:.*]] = math.roundeven %[[X]]
// CHECK-NEXT: %[[I:.*]] = arith.fptosi %[[R]] : vector<16xf32> to vector<16xi32>
// CHECK-NEXT: %[[T:.*]] = arith.trunci %[[I]] : vector<16xi32> to vector<16xi8>
// CHECK-NEXT: return %[[T]]

// CHECK:      func.func private @weft.to_u16.x16(%[[X:.*]]: vector<16xf32>) -> vector<16xi16>
// CHECK:      arith.cmpf ogt, %[[X]]
// CHECK:      arith.cmpf olt
// CHECK:      arith.fptosi
// CHECK-NEXT: arith.trunci {{.*}} to vector<16xi16>
// CHECK-NEXT: return
