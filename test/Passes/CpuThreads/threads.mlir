// Outermost parallel loops are shared among threads, all their dimensions together.

// RUN: pipeline-opt %s --cpu-threads | FileCheck %s

// CHECK-LABEL: @tiles
// CHECK:       %[[K:.*]] = llvm.call @weft_num_threads() : () -> i32
// CHECK:       %[[WANTED:.*]] = arith.index_cast %[[K]] : i32 to index
// CHECK-NEXT:  %[[ITERATIONS:.*]] = arith.muli %arg1, %arg2
// CHECK-NEXT:  arith.minsi %[[WANTED]], %[[ITERATIONS]]
// CHECK:       omp.parallel num_threads
// CHECK-NEXT:    omp.wsloop schedule(dynamic) {
// CHECK-NEXT:      omp.loop_nest (%[[P:.*]], %[[Y:.*]]) : index = (%c0, %c0) to (%arg1, %arg2) step (%c1, %c1) collapse(2) {
// CHECK-NEXT:        %[[W:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NEXT:        memref.store %{{.*}}, %[[W]][%[[Y]]]
// CHECK-NEXT:        %[[OWN:.*]] = memref.alloc(%[[Y]])
// CHECK-NEXT:        scf.parallel
// CHECK:             memref.dealloc %[[OWN]]
// CHECK-NEXT:        memref.dealloc %[[W]]
// CHECK-NEXT:        omp.yield
// CHECK:           omp.terminator
func.func @tiles(%v: f32, %planes: index, %rows: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%p, %y) = (%c0, %c0) to (%planes, %rows) step (%c1, %c1) {
    %w = memref.alloc() : memref<64xf32>
    memref.store %v, %w[%y] : memref<64xf32>
    %own = memref.alloc(%y) : memref<?xf32>
    scf.parallel (%x) = (%c0) to (%y) step (%c1) {
      memref.store %v, %own[%x] : memref<?xf32>
    }
    memref.dealloc %own : memref<?xf32>
    memref.dealloc %w : memref<64xf32>
  }
  return
}
