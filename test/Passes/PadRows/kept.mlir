// Images whose rows stay as long as they are.

// RUN: pipeline-opt %s --pad-rows -split-input-file | FileCheck %s
// CHECK-NOT: memref.subview

// A few planes, or nobody knows how many.
func.func @few(%h: index, %w: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%h, %w) : memref<8x?x?xf32>
  %b = memref.alloc(%h, %h, %w) : memref<?x?x?xf32>
  %c = memref.alloc() : memref<256x256xf32>
  memref.store %v, %a[%c0, %c0, %c0] : memref<8x?x?xf32>
  memref.store %v, %b[%c0, %c0, %c0] : memref<?x?x?xf32>
  memref.store %v, %c[%c0, %c0] : memref<256x256xf32>
  memref.dealloc %a : memref<8x?x?xf32>
  memref.dealloc %b : memref<?x?x?xf32>
  memref.dealloc %c : memref<256x256xf32>
  return
}

// -----

// Rows that are no multiple.
func.func @other(%v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64x512x500xf32>
  memref.store %v, %a[%c0, %c0, %c0] : memref<64x512x500xf32>
  memref.dealloc %a : memref<64x512x500xf32>
  return
}

// -----

// Who is given it expects it without gaps.
func.func private @g(memref<64x512x512xf32>)
func.func @called(%v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64x512x512xf32>
  memref.store %v, %a[%c0, %c0, %c0] : memref<64x512x512xf32>
  call @g(%a) : (memref<64x512x512xf32>) -> ()
  memref.dealloc %a : memref<64x512x512xf32>
  return
}

// -----

// Pixels: the innermost extent is that of channels.
func.func @pixels(%h: index, %w: index, %v: i8) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%h, %w) : memref<?x?x3xi8>
  %planes = memref.transpose %a (y, x, c) -> (c, y, x) : memref<?x?x3xi8> to memref<3x?x?xi8, strided<[1, ?, 3]>>
  memref.store %v, %planes[%c0, %c0, %c0] : memref<3x?x?xi8, strided<[1, ?, 3]>>
  memref.dealloc %a : memref<?x?x3xi8>
  return
}
