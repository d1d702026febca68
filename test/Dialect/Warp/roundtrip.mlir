// Syntax: every op, every encoding, every variant of both, each printed as it was written.

// RUN: pipeline-opt %s | pipeline-opt | FileCheck %s
// RUN: pipeline-opt %s -mlir-print-debuginfo | pipeline-opt | FileCheck %s
// RUN: pipeline-opt %s -mlir-print-op-generic | pipeline-opt | FileCheck %s
// RUN: pipeline-opt %s --emit-bytecode | pipeline-opt | FileCheck %s

//===----------------------------------------------------------------------===//
// Numbers of tiles
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @tile_ids
func.func @tile_ids() {
  // CHECK: %tile_x = warp.tile_id warps [4] lanes [32] : index
  %tile_x = warp.tile_id warps [4] lanes [32] : index
  // CHECK: %tile_y, %tile_x_0 = warp.tile_id warps [4, 1] lanes [2, 16] : index, index
  %1:2 = warp.tile_id warps [4, 1] lanes [2, 16] : index, index
  // CHECK: %tile_c, %tile_y_1, %tile_x_2 = warp.tile_id warps [2, 2, 2] lanes [1, 1, 32] : index, index, index
  %2:3 = warp.tile_id warps [2, 2, 2] lanes [1, 1, 32] : index, index, index
  // CHECK: %tile_y_3, %tile_x_4 = warp.tile_id block lanes [8, 32] : index, index
  %3:2 = warp.tile_id block lanes [8, 32] : index, index
  return
}

//===----------------------------------------------------------------------===//
// Encodings
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @encodings
func.func @encodings(%t: index, %v: f32) {
  // CHECK: %shared = warp.compute "shared" at(%{{.*}}) step [64] in [0, 64) (%x) {
  // CHECK: } : tensor<64xf32, #warp.shared>
  %shared = warp.compute "shared" at (%t) step [64] in [0, 64) (%x) {
    warp.yield %v : f32
  } : tensor<64xf32, #warp.shared>
  // CHECK: } : tensor<64xf32, #warp.lane>
  %lane = warp.compute "lane" at (%t) step [64] in [0, 64) (%x) {
    warp.yield %v : f32
  } : tensor<64xf32, #warp.lane>
  // CHECK: } : tensor<64xf32, #warp.cyclic<2>>
  %cyclic = warp.compute "cyclic" at (%t) step [64] in [0, 64) (%x) {
    warp.yield %v : f32
  } : tensor<64xf32, #warp.cyclic<2>>
  // CHECK: } : tensor<64xf32, #warp.blocked<2>>
  %blocked = warp.compute "blocked" at (%t) step [64] in [0, 64) (%x) {
    warp.yield %v : f32
  } : tensor<64xf32, #warp.blocked<2>>
  // CHECK: } : tensor<66xf32, #warp.hybrid<34>>
  %hybrid = warp.compute "hybrid" at (%t) step [64] in [-2, 64) (%x) {
    warp.yield %v : f32
  } : tensor<66xf32, #warp.hybrid<34>>
  // Without a shared part.
  // CHECK: } : tensor<64xf32, #warp.hybrid<0>>
  %registers = warp.compute "registers" at (%t) step [64] in [0, 64) (%x) {
    warp.yield %v : f32
  } : tensor<64xf32, #warp.hybrid<0>>
  // Rows and columns of lanes.
  // CHECK: } : tensor<5x30xf32, #warp.grid<2, 16>>
  %grid = warp.compute "grid" at (%t, %t) step [4, 30] in [-1, 4) x [0, 30) (%y, %x) {
    warp.yield %v : f32
  } : tensor<5x30xf32, #warp.grid<2, 16>>
  return
}

// CHECK-LABEL: @elements
func.func @elements(%t: index, %f16: f16, %f32: f32, %f64: f64, %i8: i8, %i16: i16, %i32: i32, %i64: i64) {
  // CHECK: %s:7 = warp.compute "s"
  // CHECK: } : tensor<32xf16, #warp.shared>, tensor<32xf32, #warp.shared>, tensor<32xf64, #warp.shared>, tensor<32xi8, #warp.shared>,
  // CHECK-SAME: tensor<32xi16, #warp.shared>, tensor<32xi32, #warp.shared>, tensor<32xi64, #warp.shared>
  %0:7 = warp.compute "s" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %f16, %f32, %f64, %i8, %i16, %i32, %i64 : f16, f32, f64, i8, i16, i32, i64
  } : tensor<32xf16, #warp.shared>, tensor<32xf32, #warp.shared>, tensor<32xf64, #warp.shared>, tensor<32xi8, #warp.shared>,
      tensor<32xi16, #warp.shared>, tensor<32xi32, #warp.shared>, tensor<32xi64, #warp.shared>
  return
}

//===----------------------------------------------------------------------===//
// Computes
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @computes
func.func @computes(%tile_y: index, %tile_x: index, %h: index, %w: index, %v: f32) {
  // CHECK: warp.compute "inside" at(%{{.*}}, %{{.*}}) step [8, 64] in [-1, 9) x [0, 64) (%y, %x) {
  %inside = warp.compute "inside" at (%tile_y, %tile_x) step [8, 64] in [-1, 9) x [0, 64) (%y, %x) {
    warp.yield %v : f32
  } : tensor<10x64xf32, #warp.shared>
  // CHECK: warp.compute "edge" at(%{{.*}}, %{{.*}}) step [8, 64] in [-1, 9) x [0, 64) of(%{{.*}}, %{{.*}}) (%y, %x) {
  %edge = warp.compute "edge" at (%tile_y, %tile_x) step [8, 64] in [-1, 9) x [0, 64) of (%h, %w) (%y, %x) {
    warp.yield %v : f32
  } : tensor<10x64xf32, #warp.shared>
  // CHECK: of(%{{.*}}, %{{.*}}) needed [1, 8) x [0, ?) (%y, %x) {
  %needed = warp.compute "needed" at (%tile_y, %tile_x) step [8, 64] in [-1, 9) x [0, 64) of (%h, %w) needed [1, 8) x [0, ?) (%y, %x) {
    warp.yield %v : f32
  } : tensor<10x64xf32, #warp.shared>
  // CHECK: of(%{{.*}}, %{{.*}}) wrap [0, 1] (%y, %x) {
  %wrap = warp.compute "wrap" at (%tile_y, %tile_x) step [8, 64] in [-1, 9) x [0, 64) of (%h, %w) wrap [0, 1] (%y, %x) {
    warp.yield %v : f32
  } : tensor<10x64xf32, #warp.shared>
  // CHECK: of(%{{.*}}, %{{.*}}) needed [0, 8) x [0, 9) wrap [1] (%y, %x) {
  %both = warp.compute "both" at (%tile_y, %tile_x) step [8, 64] in [-1, 9) x [0, 64) of (%h, %w) needed [0, 8) x [0, 9) wrap [1] (%y, %x) {
    warp.yield %v : f32
  } : tensor<10x64xf32, #warp.shared>
  // A dimension that stays where it is.
  // CHECK: step [0, 64] in [2, 3) x [0, 64) (%y, %x) {
  %row = warp.compute "row" at (%tile_y, %tile_x) step [0, 64] in [2, 3) x [0, 64) (%y, %x) {
    warp.yield %v : f32
  } : tensor<1x64xf32, #warp.shared>
  return
}

// Coordinates have their names.
// CHECK-LABEL: @ranks
func.func @ranks(%t: index, %v: f32) {
  // CHECK: (%x) {
  %1 = warp.compute "a" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.shared>
  // CHECK: (%c{{.*}}, %y, %x) {
  %3 = warp.compute "b" at (%t, %t, %t) step [1, 1, 32] in [0, 1) x [0, 1) x [0, 32) (%c, %y, %x) {
    warp.yield %v : f32
  } : tensor<1x1x32xf32, #warp.shared>
  // CHECK: (%n, %c{{.*}}, %y, %x) {
  %4 = warp.compute "c" at (%t, %t, %t, %t) step [1, 1, 1, 32] in [0, 1) x [0, 1) x [0, 1) x [0, 32) (%n, %c, %y, %x) {
    warp.yield %v : f32
  } : tensor<1x1x1x32xf32, #warp.shared>
  return
}

//===----------------------------------------------------------------------===//
// Reads, writes, streams, syncs
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @reads
func.func @reads(%tile_y: index, %tile_x: index, %h: index, %w: index, %v: f32, %out: memref<480x640xf32, strided<[640, 1]>, 1>) {
  %a = warp.compute "a" at (%tile_y, %tile_x) step [8, 64] in [-1, 9) x [0, 64) of (%h, %w) (%y, %x) {
    warp.yield %v : f32
  } : tensor<10x64xf32, #warp.shared>
  // CHECK: warp.sync
  warp.sync
  %b = warp.compute "b" at (%tile_y, %tile_x) step [8, 64] in [0, 8) x [0, 64) of (%h, %w) (%y, %x) {
    // CHECK: warp.read %a[%y - 1, %x] : tensor<10x64xf32, #warp.shared>
    %0 = warp.read %a[%y - 1, %x] : tensor<10x64xf32, #warp.shared>
    // CHECK: warp.read %a[%y, %x floordiv 2] : tensor<10x64xf32, #warp.shared>
    %1 = warp.read %a[%y, %x floordiv 2] : tensor<10x64xf32, #warp.shared>
    // CHECK: warp.read %a[%y + 1, %x] clamp : tensor<10x64xf32, #warp.shared>
    %2 = warp.read %a[%y + 1, %x] clamp : tensor<10x64xf32, #warp.shared>
    // CHECK: warp.read %a[%y, %x + 1] mirror : tensor<10x64xf32, #warp.shared>
    %3 = warp.read %a[%y, %x + 1] mirror : tensor<10x64xf32, #warp.shared>
    // CHECK: warp.read %a[%y, %x + 1] reflect101 : tensor<10x64xf32, #warp.shared>
    %7 = warp.read %a[%y, %x + 1] reflect101 : tensor<10x64xf32, #warp.shared>
    // CHECK: warp.read %a[%y, %x + 1] wrap : tensor<10x64xf32, #warp.shared>
    %4 = warp.read %a[%y, %x + 1] wrap : tensor<10x64xf32, #warp.shared>
    // CHECK: warp.read %a[%y, %x + 1] constant(%{{.*}}) : tensor<10x64xf32, #warp.shared>
    %5 = warp.read %a[%y, %x + 1] constant(%v) : tensor<10x64xf32, #warp.shared>
    warp.yield %0 : f32
  } : tensor<8x64xf32, #warp.lane>
  // CHECK: warp.write %b in [0, 8) x [0, 60) to %{{.*}} : tensor<8x64xf32, #warp.lane>, memref<480x640xf32, strided<[640, 1]>, 1>
  warp.write %b in [0, 8) x [0, 60) to %out : tensor<8x64xf32, #warp.lane>, memref<480x640xf32, strided<[640, 1]>, 1>
  // Outside of a compute indices are any numbers.
  // CHECK: warp.read %a[%{{.*}}, %{{.*}}] : tensor<10x64xf32, #warp.shared>
  %6 = warp.read %a[%tile_y, %h] : tensor<10x64xf32, #warp.shared>
  return
}

// CHECK-LABEL: @loads
func.func @loads(%tile_y: index, %tile_x: index, %h: index, %w: index, %v: f32, %img: memref<480x640xf32, strided<[640, 1]>, 1>) {
  %a = warp.compute "a" at (%tile_y, %tile_x) step [8, 64] in [0, 8) x [0, 64) of (%h, %w) (%y, %x) {
    // CHECK: warp.load %[[IMG:.*]][%y, %x] : memref<480x640xf32, strided<[640, 1]>, 1>
    %0 = warp.load %img[%y, %x] : memref<480x640xf32, strided<[640, 1]>, 1>
    // CHECK: warp.load %[[IMG]][%y - 1, %x * 2] clamp : memref
    %1 = warp.load %img[%y - 1, %x * 2] clamp : memref<480x640xf32, strided<[640, 1]>, 1>
    // CHECK: warp.load %[[IMG]][%x, %y floordiv 2] mirror : memref
    %2 = warp.load %img[%x, %y floordiv 2] mirror : memref<480x640xf32, strided<[640, 1]>, 1>
    // CHECK: warp.load %[[IMG]][%y, %x - 1] reflect101 : memref
    %8 = warp.load %img[%y, %x - 1] reflect101 : memref<480x640xf32, strided<[640, 1]>, 1>
    // CHECK: warp.load %[[IMG]][%y, %x + 1] modes ["reflect101", "clamp"] : memref
    %9 = warp.load %img[%y, %x + 1] modes ["reflect101", "clamp"] : memref<480x640xf32, strided<[640, 1]>, 1>
    // CHECK: warp.load %[[IMG]][3, %x + 1] wrap : memref
    %3 = warp.load %img[3, %x + 1] wrap : memref<480x640xf32, strided<[640, 1]>, 1>
    // CHECK: warp.load %[[IMG]][%y, %x + 1] constant(%{{.*}}) : memref
    %4 = warp.load %img[%y, %x + 1] constant(%v) : memref<480x640xf32, strided<[640, 1]>, 1>
    // Modes that differ by dimension, and an image of which a part has been computed.
    // CHECK: warp.load %[[IMG]][%y, %x + 1] modes ["none", "clamp"] : memref
    %6 = warp.load %img[%y, %x + 1] modes ["none", "clamp"] : memref<480x640xf32, strided<[640, 1]>, 1>
    // CHECK: warp.load %[[IMG]][%y, %x + 1] modes ["mirror", "constant"](%{{.*}}) : memref
    %7 = warp.load %img[%y, %x + 1] modes ["mirror", "constant"](%v) : memref<480x640xf32, strided<[640, 1]>, 1>
    // An index that the body computes.
    // CHECK: %[[AT:.*]] = arith.addi
    // CHECK: warp.load %[[IMG]][%y, %[[AT]]] clamp : memref
    %at = arith.addi %x, %tile_x : index
    %5 = warp.load %img[%y, %at] clamp : memref<480x640xf32, strided<[640, 1]>, 1>
    warp.yield %0 : f32
  } : tensor<8x64xf32, #warp.shared>
  return
}

// CHECK-LABEL: @streams
func.func @streams(%tile_y: index, %tile_x: index, %v: f32, %out: memref<480x640xf32, 1>) {
  // CHECK:      warp.stream unroll 8 {
  // CHECK-NEXT:   %a = warp.compute "a"
  // CHECK:        warp.write %a in
  // CHECK-NEXT: }
  warp.stream unroll 8 {
    %a = warp.compute "a" at (%tile_y, %tile_x) step [8, 128] in [0, 8) x [0, 128) (%y, %x) {
      warp.yield %v : f32
    } : tensor<8x128xf32, #warp.blocked<4>>
    warp.write %a in [0, 8) x [0, 128) to %out : tensor<8x128xf32, #warp.blocked<4>>, memref<480x640xf32, 1>
  }
  return
}

// Attributes that no op knows are kept.
// CHECK-LABEL: @more
func.func @more(%t: index, %v: f32, %out: memref<640xf32, 1>) {
  // CHECK: } {aligned} : tensor<32xf32, #warp.shared>
  %a = warp.compute "a" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %v : f32
  } {aligned} : tensor<32xf32, #warp.shared>
  // CHECK: to %{{.*}} {aligned} : tensor
  warp.write %a in [0, 32) to %out {aligned} : tensor<32xf32, #warp.shared>, memref<640xf32, 1>
  return
}
