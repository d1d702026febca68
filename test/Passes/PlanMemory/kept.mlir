// Memory that stays as it is. In each function %b could lie where %a does, but for what is said above it.

// RUN: pipeline-opt %s --plan-memory -split-input-file | FileCheck %s
// CHECK-NOT: memref.view

// It is returned.
func.func @returned(%v: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.store %v, %b[%c0] : memref<8xf32>
  memref.store %v, %a[%c0] : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return %a : memref<8xf32>
}

// -----

// A call may keep its address.
func.func private @g(memref<8xf32>)
func.func @called(%v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  call @g(%a) : (memref<8xf32>) -> ()
  memref.store %v, %b[%c0] : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}

// -----

// A loop carries it.
func.func @carried(%v: f32, %out: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %out) -> (memref<8xf32>, memref<8xf32>) {
    memref.store %v, %x[%c0] : memref<8xf32>
    scf.yield %y, %x : memref<8xf32>, memref<8xf32>
  }
  memref.store %v, %b[%c0] : memref<8xf32>
  memref.store %v, %last#0[%c0] : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}

// -----

// A view of it is chosen.
func.func @chosen(%v: f32, %which: i1, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %cast = memref.cast %a : memref<8xf32> to memref<?xf32>
  %one = arith.select %which, %cast, %out : memref<?xf32>
  memref.store %v, %b[%c0] : memref<8xf32>
  memref.store %v, %one[%c0] : memref<?xf32>
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}

// -----

// Its address becomes a number.
func.func @address(%v: f32) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %address = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  memref.store %v, %b[%c0] : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return %address : index
}

// -----

// Its address is stored.
func.func @stored(%v: f32, %to: memref<1xmemref<8xf32>>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.store %a, %to[%c0] : memref<1xmemref<8xf32>>
  memref.store %v, %b[%c0] : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}

// -----

// It is never freed; it is freed in another block.
func.func @freed(%v: f32, %yes: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %c = memref.alloc() : memref<8xf32>
  memref.store %v, %a[%c0] : memref<8xf32>
  memref.store %v, %b[%c0] : memref<8xf32>
  memref.store %v, %c[%c0] : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  scf.if %yes {
    memref.dealloc %c : memref<8xf32>
  }
  return
}

// -----

// Its uses are in another block.
func.func @branches(%v: f32, %yes: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.store %v, %b[%c0] : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  cf.br ^next
^next:
  memref.store %v, %a[%c0] : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}

// -----

// What holds a use may run later.
func.func @later(%v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %token = async.execute {
    memref.store %v, %a[%c0] : memref<8xf32>
    async.yield
  }
  memref.store %v, %b[%c0] : memref<8xf32>
  async.await %token : !async.token
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}

// -----

// Its layout, the memory that it lies in, its alignment, its elements, its size are none that are shared.
func.func @other(%v: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<8xf32>
  %a0 = memref.alloc() : memref<8x4xf32, affine_map<(d0, d1) -> (d1, d0)>>
  %a1 = memref.alloc() : memref<8xf32, 3>
  %a2 = memref.alloc() {alignment = 128 : i64} : memref<8xf32>
  %a3 = memref.alloc() : memref<8xindex>
  %a4 = memref.alloc() : memref<4611686018427387904x2xf32>
  memref.store %v, %b[%c0] : memref<8xf32>
  memref.store %v, %a0[%c0, %c0] : memref<8x4xf32, affine_map<(d0, d1) -> (d1, d0)>>
  memref.store %v, %a1[%c0] : memref<8xf32, 3>
  memref.store %v, %a2[%c0] : memref<8xf32>
  memref.store %c0, %a3[%c0] : memref<8xindex>
  memref.store %v, %a4[%c0, %c0] : memref<4611686018427387904x2xf32>
  memref.dealloc %b : memref<8xf32>
  memref.dealloc %a0 : memref<8x4xf32, affine_map<(d0, d1) -> (d1, d0)>>
  memref.dealloc %a1 : memref<8xf32, 3>
  memref.dealloc %a2 : memref<8xf32>
  memref.dealloc %a3 : memref<8xindex>
  memref.dealloc %a4 : memref<4611686018427387904x2xf32>
  return
}

// -----

// Its size is known only when %a is in use already.
func.func @size(%v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xi64>
  %n = memref.load %a[%c0] : memref<8xi64>
  %size = arith.index_cast %n : i64 to index
  %b = memref.alloc(%size) : memref<?xf32>
  memref.store %v, %b[%c0] : memref<?xf32>
  memref.dealloc %a : memref<8xi64>
  memref.dealloc %b : memref<?xf32>
  return
}
