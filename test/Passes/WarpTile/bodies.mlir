// A window reads an exact box of a tile, in a loop; a gather the whole of a dimension, with its index brought inside.

// RUN: pipeline-opt %s --warp-tile --canonicalize --cse | FileCheck %s
// RUN: pipeline-opt %s --warp-tile --hybrid-register --shuffle --lower-warp --canonicalize --cse | FileCheck %s --check-prefix=LOWER

// Strips and hybrid tiles are asked for, and cannot be: the tile stays shared.
// CHECK-LABEL: gpu.func @window_g0
// CHECK: warp.compute "a" {{.*}} in [-4, 12) x [-4, 36)
// CHECK: tensor<16x40xf32, #warp.shared>
// CHECK: warp.compute "b"
// CHECK: scf.for %[[RY:.*]] = %c-4 to %c5
// CHECK: scf.for %[[RX:.*]] = %c-4 to %c5
// CHECK: warp.read %a[%y + %[[RY]], %x + %[[RX]]]{{( clamp)?}} : tensor<16x40xf32, #warp.shared>
// LOWER-LABEL: gpu.func @window_g0
// LOWER: nvvm.bar.warp.sync
// LOWER: scf.for %{{.*}} = %c-4 to %c5 {{.*}} iter_args
// LOWER-NOT: warp.read
func.func @window(%img: tensor<64x64xf32>, %zero: f32) -> tensor<64x64xf32> {
  %g = pipeline.group "g0" schedule {tile = array<i64: 8, 32>, layout = "blocked", fraction = 1.0 : f64} {
    %a = pipeline.stage "a" (%y, %x) {
      %p = pipeline.load %img[%y, %x] : tensor<64x64xf32>
      %q = arith.mulf %p, %p : f32
      pipeline.yield %q : f32
    } : tensor<64x64xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %s = pipeline.reduce (%k, %l) in [-4, 5) x [-4, 5) (%acc = %zero : f32) {
        %p = pipeline.load %a[%y + %k, %x + %l] clamp : tensor<64x64xf32>
        %s = arith.addf %acc, %p : f32
        pipeline.yield %s : f32
      } : f32
      pipeline.yield %s : f32
    } : tensor<64x64xf32>
    pipeline.yield %b : tensor<64x64xf32>
  } : tensor<64x64xf32>
  return %g : tensor<64x64xf32>
}

// CHECK-LABEL: gpu.func @slice_g0
// CHECK: warp.compute "grid" {{.*}} step [0, 2, 8] in [0, 12) x [0, 2) x [0, 8)
// CHECK: warp.compute "slice"
// CHECK: %[[AT:.*]] = arith.maxsi %{{.*}}, %c0
// CHECK: %[[Z:.*]] = arith.minsi %[[AT]], %c11
// CHECK: warp.read %grid[%[[Z]], %y floordiv 4, %x floordiv 4]{{( clamp)?}} : tensor<12x2x8xf32, #warp.shared>
// LOWER-LABEL: gpu.func @slice_g0
func.func @slice(%img: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %g = pipeline.group "g0" schedule {tile = array<i64: 8, 32>} {
    %a = pipeline.stage "grid" (%z, %y, %x) {
      %p = pipeline.load %img[%y * 4, %x * 4] : tensor<64x64xf32>
      pipeline.yield %p : f32
    } : tensor<12x16x16xf32>
    %b = pipeline.stage "slice" (%y, %x) {
      %p = pipeline.load %img[%y, %x] : tensor<64x64xf32>
      %i = arith.fptosi %p : f32 to i32
      %z = arith.index_cast %i : i32 to index
      %q = pipeline.gather %a[%z, %y floordiv 4, %x floordiv 4] clamp : tensor<12x16x16xf32>
      pipeline.yield %q : f32
    } : tensor<64x64xf32>
    pipeline.yield %b : tensor<64x64xf32>
  } : tensor<64x64xf32>
  return %g : tensor<64x64xf32>
}

// All of a large image at a computed place: it goes to memory first, in a kernel of its own.
// CHECK-LABEL: gpu.module @far_kernels
// CHECK-COUNT-2: gpu.func
func.func @far(%img: tensor<64x4096xf32>) -> tensor<64x64xf32> {
  %g = pipeline.group "g0" {
    %a = pipeline.stage "a" (%y, %x) {
      %p = pipeline.load %img[%y, %x] : tensor<64x4096xf32>
      %q = arith.mulf %p, %p : f32
      pipeline.yield %q : f32
    } : tensor<64x4096xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %z = arith.muli %y, %x : index
      %q = pipeline.gather %a[%x, %z] mirror : tensor<64x4096xf32>
      %r = pipeline.gather %a[%z, %x] mirror : tensor<64x4096xf32>
      %s = arith.addf %q, %r : f32
      pipeline.yield %s : f32
    } : tensor<64x64xf32>
    pipeline.yield %b : tensor<64x64xf32>
  } : tensor<64x64xf32>
  return %g : tensor<64x64xf32>
}

// A variable of one value is a number, wherever that stands.
// CHECK-LABEL: gpu.func @single_g
// CHECK:       warp.compute "b" {{.*}} (%[[Y:[a-z0-9]+]], %[[X:[a-z0-9]+]]) {
// CHECK:         scf.for %[[RY:.*]] = %c-3 to %c0
// CHECK-NEXT:      warp.read %{{.*}}[%[[Y]] + %[[RY]] * 2, %[[X]] + {{.*}} * 2] clamp
// LOWER-LABEL: gpu.func @single_g
func.func @single(%img: tensor<40x70xf32>) -> tensor<40x70xf32> {
  %zero = arith.constant 0.0 : f32
  %g = pipeline.group "g" schedule {block = array<i64: 1, 32>, tile = array<i64: 8, 32>} {
    %a = pipeline.stage "a" (%y, %x) {
      %p = pipeline.load %img[%y, %x] : tensor<40x70xf32>
      %q = arith.addf %p, %p : f32
      pipeline.yield %q : f32
    } : tensor<40x70xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %s = pipeline.reduce (%r, %t) in [-3, 0) x [1, 2) (%acc = %zero : f32) {
        %p = pipeline.load %a[%y + %r * 2, %x + %t * 2] clamp : tensor<40x70xf32>
        %q = arith.addf %acc, %p : f32
        pipeline.yield %q : f32
      } : f32
      pipeline.yield %s : f32
    } : tensor<40x70xf32>
    pipeline.yield %b : tensor<40x70xf32>
  } : tensor<40x70xf32>
  return %g : tensor<40x70xf32>
}
