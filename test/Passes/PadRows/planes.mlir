// Images of many planes whose rows are a multiple of 1 KiB have rows that are a cache line longer.

// RUN: pipeline-opt %s --pad-rows -split-input-file | FileCheck %s

// How long rows are is known when the program runs.
// CHECK-LABEL: func.func @layer
// CHECK-SAME:    (%[[H:.*]]: index, %[[W:.*]]: index, %{{.*}}: f32)
// CHECK-DAG:     %[[MORE:.*]] = arith.minsi %[[W]], %c16 : index
// CHECK:         %[[LONGER:.*]] = arith.addi %[[W]], %[[MORE]] : index
// CHECK:         %[[REST:.*]] = arith.remui %[[W]], %c256 : index
// CHECK:         %[[IS:.*]] = arith.cmpi eq, %[[REST]], %{{.*}} : index
// CHECK:         %[[ROW:.*]] = arith.select %[[IS]], %[[LONGER]], %[[W]] : index
// CHECK:         %[[ALL:.*]] = memref.alloc(%[[H]], %[[ROW]]) {alignment = 64 : i64} : memref<64x?x?xf32>
// CHECK:         %[[A:.*]] = memref.subview %[[ALL]][0, 0, 0] [64, %[[H]], %[[W]]] [1, 1, 1] : memref<64x?x?xf32> to memref<64x?x?xf32, strided<[?, ?, 1]>>
// CHECK:         memref.store %{{.*}}, %[[A]]
// CHECK:         memref.load %[[A]]
// CHECK:         memref.dealloc %[[ALL]]
// CHECK-NOT:     memref.dealloc
func.func @layer(%h: index, %w: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%h, %w) {alignment = 64 : i64} : memref<64x?x?xf32>
  memref.store %v, %a[%c0, %c0, %c0] : memref<64x?x?xf32>
  %x = memref.load %a[%c0, %c0, %c0] : memref<64x?x?xf32>
  memref.dealloc %a : memref<64x?x?xf32>
  return %x : f32
}

// -----

// Or it is known now. Planes of several dimensions count as their product.
// CHECK-LABEL: func.func @known
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<4x4x30x544xi16>
// CHECK-NEXT:    memref.subview %{{.*}}[0, 0, 0, 0] [4, 4, 30, 512] [1, 1, 1, 1] : memref<4x4x30x544xi16> to memref<4x4x30x512xi16, strided<[65280, 16320, 544, 1]>>
func.func @known(%v: i16) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4x30x512xi16>
  memref.store %v, %a[%c0, %c0, %c0, %c0] : memref<4x4x30x512xi16>
  memref.dealloc %a : memref<4x4x30x512xi16>
  return
}

// -----

// A loop carries it as memory of any strides.
// CHECK-LABEL: func.func @carried
// CHECK:         %[[A:.*]] = memref.subview
// CHECK:         memref.cast %[[A]] : memref<16x8x256xf32, strided<[2176, 272, 1]>>
// CHECK-SAME:    to memref<16x8x256xf32, strided<[?, ?, 1]>>
func.func @carried(%out: memref<16x8x256xf32, strided<[?, ?, 1]>>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16x8x256xf32>
  %any = memref.cast %a : memref<16x8x256xf32> to memref<16x8x256xf32, strided<[?, ?, 1]>>
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %any, %y = %out)
      -> (memref<16x8x256xf32, strided<[?, ?, 1]>>, memref<16x8x256xf32, strided<[?, ?, 1]>>) {
    scf.yield %y, %x : memref<16x8x256xf32, strided<[?, ?, 1]>>, memref<16x8x256xf32, strided<[?, ?, 1]>>
  }
  memref.store %v, %last#0[%c0, %c0, %c0] : memref<16x8x256xf32, strided<[?, ?, 1]>>
  memref.dealloc %a : memref<16x8x256xf32>
  return
}
