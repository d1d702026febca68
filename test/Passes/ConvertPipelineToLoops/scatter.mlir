// Scatters: at each point of the coordinates all places begin, then the domain is walked in order.

// RUN: pipeline-opt %s -convert-pipeline-to-loops -canonicalize -cse | FileCheck %s

// CHECK-LABEL: func.func @grid
// CHECK-SAME:  (%[[IMG:.*]]: memref<8x9xf32, strided<[?, 1]>>, %[[V:.*]]: f32, %[[Z:.*]]: index, %[[OUT:.*]]: memref<3x12xf32, strided<[?, 1]>>) {
func.func @grid(%img: tensor<8x9xf32>, %v: f32, %z: index) -> tensor<3x12xf32> {
  // CHECK-DAG:  %[[C12:.*]] = arith.constant 12 : index
  // CHECK:      scf.for %[[I:.*]] =
  // CHECK-NEXT:   scf.for %[[P:.*]] = %{{.*}} to %[[C12]]
  // CHECK-NEXT:     memref.store %[[V]], %[[OUT]][%[[I]], %[[P]]]
  // CHECK-NEXT:   }
  // CHECK-NEXT:   scf.for %[[Y:.*]] =
  // CHECK-NEXT:     scf.for %[[X:.*]] =
  // CHECK-NEXT:       %[[A:.*]] = memref.load %[[IMG]][%[[Y]], %[[X]]]
  // CHECK-NEXT:       %[[IN:.*]] = arith.cmpi ult, %[[Z]], %[[C12]]
  // CHECK-NEXT:       scf.if %[[IN]] {
  // CHECK-NEXT:         %[[THERE:.*]] = memref.load %[[OUT]][%[[I]], %[[Z]]]
  // CHECK-NEXT:         %[[NEW:.*]] = arith.maximumf %[[THERE]], %[[A]]
  // CHECK-NEXT:         memref.store %[[NEW]], %[[OUT]][%[[I]], %[[Z]]]
  %0 = pipeline.scatter "g" (%i) over (%y, %x) in [1, 8) x [0, 9) from(%v : f32) combine "arith.maximumf" {
    %a = pipeline.load %img[%y, %x] : tensor<8x9xf32>
    pipeline.update %a at [%z] : f32
  } : tensor<3x12xf32>
  return %0 : tensor<3x12xf32>
}

// The source of a scatter is checked over its domain.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:  %[[IMG:.*]]: memref<?xi8>, %[[N:.*]]: index, %{{.*}}: i32, %{{.*}}: memref<256xi32>) {
func.func @dynamic(%img: tensor<?xi8>, %n: index, %one: i32) -> tensor<256xi32> {
  // CHECK: cf.assert %{{.*}}scatter \22h\22 has a domain that ends before it begins in dimension 0
  // CHECK: cf.assert %{{.*}}index #0 (rx) of scatter \22h\22 leaves its source
  // CHECK: scf.for %{{.*}} to %[[N]]
  %0 = pipeline.scatter "h" () over (%x) in [0, %n) from(%one : i32) combine "arith.addi" {
    %a = pipeline.load %img[%x] : tensor<?xi8>
    %bin = arith.index_castui %a : i8 to index
    pipeline.update %one at [%bin] : i32
  } : tensor<256xi32>
  return %0 : tensor<256xi32>
}
