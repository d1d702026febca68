// Kernels that differ in name only become one, which is launched in place of the others. Those of another module, with another
// body, constant or attribute stay.
// RUN: pipeline-opt --merge-kernels %s | FileCheck %s

module attributes {gpu.container_module} {

// CHECK-LABEL: gpu.module @a
gpu.module @a {
  // CHECK-NEXT: gpu.func @one
  gpu.func @one(%src: memref<8xf32>, %dst: memref<8xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %src[%i] : memref<8xf32>
    memref.store %v, %dst[%i] : memref<8xf32>
    gpu.return
  }
  // CHECK-NOT: @same
  gpu.func @same(%from: memref<8xf32>, %to: memref<8xf32>) kernel {
    %j = gpu.thread_id x
    %w = memref.load %from[%j] : memref<8xf32>
    memref.store %w, %to[%j] : memref<8xf32>
    gpu.return
  }
  // CHECK: gpu.func @along_y
  gpu.func @along_y(%src: memref<8xf32>, %dst: memref<8xf32>) kernel {
    %i = gpu.thread_id y
    %v = memref.load %src[%i] : memref<8xf32>
    memref.store %v, %dst[%i] : memref<8xf32>
    gpu.return
  }
  // CHECK: gpu.func @swapped
  gpu.func @swapped(%dst: memref<8xf32>, %src: memref<8xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %src[%i] : memref<8xf32>
    memref.store %v, %dst[%i] : memref<8xf32>
    gpu.return
  }
  // CHECK: gpu.func @known_size{{.*}}known_block_size
  gpu.func @known_size(%src: memref<8xf32>, %dst: memref<8xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %i = gpu.thread_id x
    %v = memref.load %src[%i] : memref<8xf32>
    memref.store %v, %dst[%i] : memref<8xf32>
    gpu.return
  }
  // CHECK-NOT: @same_again
  gpu.func @same_again(%src: memref<8xf32>, %dst: memref<8xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %src[%i] : memref<8xf32>
    memref.store %v, %dst[%i] : memref<8xf32>
    gpu.return
  }
}

// CHECK-LABEL: gpu.module @b
gpu.module @b {
  // CHECK-NEXT: gpu.func @same
  gpu.func @same(%src: memref<8xf32>, %dst: memref<8xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %src[%i] : memref<8xf32>
    memref.store %v, %dst[%i] : memref<8xf32>
    gpu.return
  }
}

// CHECK-LABEL: func.func @f
func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  // CHECK: gpu.launch_func @a::@one blocks in {{.*}} args(%arg0 : memref<8xf32>, %arg1 : memref<8xf32>)
  gpu.launch_func @a::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %y : memref<8xf32>)
  // CHECK: gpu.launch_func @a::@one blocks in {{.*}} args(%arg1 : memref<8xf32>, %arg0 : memref<8xf32>)
  gpu.launch_func @a::@same blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<8xf32>, %x : memref<8xf32>)
  // CHECK: gpu.launch_func @a::@along_y
  gpu.launch_func @a::@along_y blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<8xf32>, %x : memref<8xf32>)
  // CHECK: gpu.launch_func @b::@same
  gpu.launch_func @b::@same blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<8xf32>, %x : memref<8xf32>)
  return
}

}
