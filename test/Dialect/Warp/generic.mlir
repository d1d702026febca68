// The generic form: what the syntax stands for.

// RUN: pipeline-opt %s -mlir-print-op-generic | FileCheck %s

// CHECK-DAG: #[[ABOVE:.*]] = affine_map<(d0, d1) -> (d0 - 1, d1)>

func.func @all(%h: index, %w: index, %v: f32, %img: memref<480x640xf32, 1>, %out: memref<480x640xf32, 1>) {
  // CHECK: "warp.tile_id"() <{lanes = array<i64: 1, 32>, warps = array<i64: 4, 1>}>
  %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
  // CHECK: "warp.tile_id"() <{lanes = array<i64: 8, 32>}>
  %by, %bx = warp.tile_id block lanes [8, 32] : index, index
  // CHECK:      "warp.compute"({{.*}}) <{box = array<i64: -1, 9, 0, 64>, name = "a", needed = array<i64: 0, 8, 1, -9223372036854775808>,
  // CHECK-SAME:   operandSegmentSizes = array<i32: 2, 2>, step = array<i64: 8, 64>, wrap = array<i64: 1>}> ({
  %a = warp.compute "a" at (%tile_y, %tile_x) step [8, 64] in [-1, 9) x [0, 64) of (%h, %w) needed [0, 8) x [1, ?) wrap [1] (%y, %x) {
    // CHECK: "warp.yield"(%{{.*}}) : (f32) -> ()
    warp.yield %v : f32
  } : tensor<10x64xf32, #warp.shared>
  %b = warp.compute "b" at (%tile_y, %tile_x) step [8, 64] in [0, 8) x [0, 64) (%y, %x) {
    // CHECK: "warp.read"({{.*}}) <{boundary = 0 : i32, map = #[[ABOVE]], operandSegmentSizes = array<i32: 1, 2, 0>}>
    %0 = warp.read %a[%y - 1, %x] : tensor<10x64xf32, #warp.shared>
    // CHECK: "warp.read"({{.*}}) <{boundary = 4 : i32, map = #[[ABOVE]], operandSegmentSizes = array<i32: 1, 2, 1>}>
    %1 = warp.read %a[%y - 1, %x] constant(%v) : tensor<10x64xf32, #warp.shared>
    // CHECK: "warp.load"({{.*}}) <{boundary = 1 : i32, map = #[[ABOVE]], operandSegmentSizes = array<i32: 1, 2, 0>}>
    %2 = warp.load %img[%y - 1, %x] clamp : memref<480x640xf32, 1>
    // CHECK: "warp.load"({{.*}}) <{boundary = 4 : i32, map = #[[ABOVE]], operandSegmentSizes = array<i32: 1, 2, 1>}>
    %3 = warp.load %img[%y - 1, %x] constant(%v) : memref<480x640xf32, 1>
    warp.yield %0 : f32
  } : tensor<8x64xf32, #warp.lane>
  // CHECK: "warp.write"({{.*}}) <{box = array<i64: 0, 8, 0, 64>}>
  warp.write %b in [0, 8) x [0, 64) to %out : tensor<8x64xf32, #warp.lane>, memref<480x640xf32, 1>
  // CHECK: "warp.stream"() <{unroll = 3 : i64}> ({
  warp.stream unroll 3 {
  }
  // CHECK: "warp.sync"() : () -> ()
  warp.sync
  return
}
