// Results: memory that the caller gives, behind the arguments; written in place where that can be.

// RUN: pipeline-opt %s -convert-pipeline-to-loops -canonicalize -cse | FileCheck %s

// CHECK-LABEL: func.func @several
// CHECK-SAME:  (%{{.*}}: f32, %[[A:.*]]: memref<8xf32> {weft.name = "a"}, %[[B:.*]]: memref<4xf32> {weft.name = "b"}) {
func.func @several(%v: f32) -> (tensor<8xf32> {weft.name = "a"}, tensor<4xf32> {weft.name = "b"}) {
  // CHECK-NOT: memref.alloc
  // CHECK:     memref.store %{{.*}}, %[[A]]
  // CHECK:     memref.store %{{.*}}, %[[B]]
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %b = pipeline.stage "b" (%x) {
    pipeline.yield %v : f32
  } : tensor<4xf32>
  return %a, %b : tensor<8xf32>, tensor<4xf32>
}

// One loop computes all results of a stage. What is not returned is memory of our own.
// CHECK-LABEL: func.func @of_one_stage
// CHECK-SAME:  %[[I:[^:]*]]: memref<8xi8>, %[[F:[^:]*]]: memref<8xf32>, %[[B:[^:]*]]: memref<8xf32>) {
func.func @of_one_stage(%v: f32, %i: i8) -> (tensor<8xi8>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK:      %[[OWN:.*]] = memref.alloc() {{.*}} : memref<8xf32>
  // CHECK:      scf.for %[[X:.*]] =
  // CHECK-NEXT:   memref.store %{{.*}}, %[[F]][%[[X]]]
  // CHECK-NEXT:   memref.store %{{.*}}, %[[I]][%[[X]]]
  // CHECK-NEXT:   memref.store %{{.*}}, %[[OWN]][%[[X]]]
  // CHECK-NEXT: }
  // CHECK-NEXT: scf.for %[[X:.*]] =
  // CHECK-NEXT:   memref.load %[[OWN]][%[[X]]]
  // CHECK-NEXT:   memref.store %{{.*}}, %[[B]][%[[X]]]
  // CHECK-NEXT: }
  // CHECK-NEXT: memref.dealloc %[[OWN]]
  // CHECK-NEXT: return
  %a:3 = pipeline.stage "a" (%x) {
    pipeline.yield %v, %i, %v : f32, i8, f32
  } : tensor<8xf32>, tensor<8xi8>, tensor<8xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a#2[%x] : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  return %a#1, %a#0, %b : tensor<8xi8>, tensor<8xf32>, tensor<8xf32>
}

// A result that is read is read where it was written.
// CHECK-LABEL: func.func @read_again
// CHECK-SAME:  (%{{.*}}: f32, %[[A:.*]]: memref<8xf32>, %[[B:.*]]: memref<8xf32>) {
func.func @read_again(%v: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NOT: memref.alloc
  // CHECK: memref.store %{{.*}}, %[[A]]
  // CHECK: memref.load %[[A]]
  // CHECK: memref.store %{{.*}}, %[[B]]
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x] : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @twice
// CHECK-SAME:  (%{{.*}}: f32, %[[FIRST:.*]]: memref<8xf32>, %[[SECOND:.*]]: memref<8xf32>) {
func.func @twice(%v: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK:      memref.store %{{.*}}, %[[FIRST]]
  // CHECK:      scf.for %[[X:.*]] =
  // CHECK-NEXT:   %[[V:.*]] = memref.load %[[FIRST]][%[[X]]]
  // CHECK-NEXT:   memref.store %[[V]], %[[SECOND]][%[[X]]]
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %a, %a : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @argument
// CHECK-SAME:  (%[[IMG:.*]]: memref<8xf32>, %[[A:.*]]: memref<8xf32>, %[[COPY:.*]]: memref<8xf32>) {
func.func @argument(%img: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: memref.store %{{.*}}, %[[A]]
  // CHECK: %[[V:.*]] = memref.load %[[IMG]][%[[X:.*]]]
  // CHECK: memref.store %[[V]], %[[COPY]][%[[X]]]
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  return %a, %img : tensor<8xf32>, tensor<8xf32>
}
