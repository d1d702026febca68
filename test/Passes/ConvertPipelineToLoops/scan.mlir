// Scans: loops in the order of memory, the one of the line in its direction; a value before is read from the image.

// RUN: pipeline-opt %s -convert-pipeline-to-loops -canonicalize -cse -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @forwards
// CHECK-SAME:  (%[[IMG:.*]]: memref<8x9xf32, strided<[?, 1]>>, %[[ZERO:.*]]: f32, %[[OUT:.*]]: memref<8x9xf32, strided<[?, 1]>>) {
func.func @forwards(%img: tensor<8x9xf32>, %zero: f32) -> tensor<8x9xf32> {
  // CHECK-DAG:  %[[C2:.*]] = arith.constant 2 : index
  // CHECK:      scf.for %[[Y:.*]] =
  // CHECK-NEXT:   scf.for %[[X:.*]] =
  // CHECK-NEXT:     %[[A:.*]] = memref.load %[[IMG]][%[[Y]], %[[X]]]
  // CHECK-NEXT:     %[[IS:.*]] = arith.cmpi sge, %[[X]], %[[C2]]
  // CHECK-NEXT:     %[[P:.*]] = scf.if %[[IS]] -> (f32) {
  // CHECK-NEXT:       %[[AT:.*]] = arith.subi %[[X]], %[[C2]]
  // CHECK-NEXT:       %[[B:.*]] = memref.load %[[OUT]][%[[Y]], %[[AT]]]
  // CHECK-NEXT:       scf.yield %[[B]]
  // CHECK-NEXT:     } else {
  // CHECK-NEXT:       scf.yield %[[ZERO]]
  // CHECK-NEXT:     }
  // CHECK-NEXT:     %[[V:.*]] = arith.addf %[[P]], %[[A]]
  // CHECK-NEXT:     memref.store %[[V]], %[[OUT]][%[[Y]], %[[X]]]
  %0 = pipeline.scan "s" (%y, %x) along 1 {
    %a = pipeline.load %img[%y, %x] : tensor<8x9xf32>
    %p = pipeline.previous 2 or %zero : f32
    %v = arith.addf %p, %a : f32
    pipeline.yield %v : f32
  } : tensor<8x9xf32>
  return %0 : tensor<8x9xf32>
}

// -----

// CHECK-LABEL: func.func @backwards(
// CHECK-SAME:  %[[ZERO:.*]]: f32, %[[H:.*]]: index, %[[A:.*]]: memref<?x9xf32, strided<[?, 1]>>, %[[B:.*]]: memref<?x9xf32, strided<[?, 1]>>) {
func.func @backwards(%zero: f32, %h: index) -> (tensor<?x9xf32>, tensor<?x9xf32>) {
  // CHECK:      cf.assert %{{.*}}scan \22s\22 has a negative extent in dimension 0
  // CHECK:      %[[LAST:.*]] = arith.addi %[[H]], %c-1 : index
  // CHECK:      scf.for %[[I:.*]] = %{{.*}} to %[[H]]
  // CHECK-NEXT:   %[[Y:.*]] = arith.subi %[[LAST]], %[[I]]
  // CHECK-NEXT:   scf.for %[[X:.*]] =
  // CHECK:          %[[STEP:.*]] = arith.subi %[[LAST]], %[[Y]]
  // CHECK:          arith.cmpi sge, %[[STEP]]
  // CHECK:          %[[AT:.*]] = arith.addi %[[Y]]
  // CHECK:          memref.load %[[B]][%[[AT]], %[[X]]]
  // CHECK:          memref.store %{{.*}}, %[[A]][%[[Y]], %[[X]]]
  // CHECK:          memref.store %{{.*}}, %[[B]][%[[Y]], %[[X]]]
  %0:2 = pipeline.scan "s" (%y, %x) along 0 backward {
    %p = pipeline.previous 1 of 1 or %zero : f32
    pipeline.yield %zero, %p : f32, f32
  } sized(%h) : tensor<?x9xf32>, tensor<?x9xf32>
  return %0#0, %0#1 : tensor<?x9xf32>, tensor<?x9xf32>
}

// -----

// The line is computed whole, whatever is needed of it.
// CHECK-LABEL: func.func @needed
func.func @needed(%zero: f32) -> tensor<8x9xf32> {
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
  // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
  // CHECK-DAG: %[[C9:.*]] = arith.constant 9 : index
  // CHECK:     scf.for %{{.*}} = %[[C2]] to %[[C4]]
  // CHECK:     scf.for %{{.*}} = %{{.*}} to %[[C9]]
  %0 = pipeline.scan "s" (%y, %x) along 1 {
    %p = pipeline.previous 1 or %zero : f32
    pipeline.yield %p : f32
  } in [2, 4) x [5, 6) : tensor<8x9xf32>
  return %0 : tensor<8x9xf32>
}
