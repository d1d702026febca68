// Outermost parallel loops are shared among threads, all their dimensions together.

// RUN: pipeline-opt %s --cpu-threads | FileCheck %s

// CHECK-LABEL: @tiles
// CHECK:       %[[K:.*]] = llvm.call @weft_num_threads() : () -> i32
// CHECK:       %[[WANTED:.*]] = arith.index_cast %[[K]] : i32 to index
// CHECK-NEXT:  %[[ITERATIONS:.*]] = arith.muli %arg1, %arg2
// CHECK-NEXT:  %[[SOME:.*]] = arith.minsi %[[WANTED]], %[[ITERATIONS]]
// CHECK-NEXT:  %[[THREADS:.*]] = arith.maxsi %[[SOME]], %c1
// Of many iterations a thread takes several at a time.
// CHECK-NEXT:  %[[TIMES:.*]] = arith.muli %[[THREADS]], %c32
// CHECK-NEXT:  %[[PART:.*]] = arith.divsi %[[ITERATIONS]], %[[TIMES]]
// CHECK-NEXT:  %[[CHUNK:.*]] = arith.maxsi %[[PART]], %c1
// CHECK:       omp.parallel num_threads
// CHECK-NEXT:    omp.wsloop schedule(dynamic = %[[CHUNK]] : index) {
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

// Steps may be others.
// CHECK-LABEL: @steps
// CHECK:       %[[ITERATIONS:.*]] = arith.ceildivsi %arg1, %c64
// CHECK:       arith.minsi %{{.*}}, %[[ITERATIONS]]
// CHECK:       arith.divsi %[[ITERATIONS]], %{{.*}}
func.func @steps(%v: memref<?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%x) = (%c0) to (%n) step (%c64) {
    memref.store %f, %v[%x] : memref<?xf32>
  }
  return
}
