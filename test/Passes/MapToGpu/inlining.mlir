// Producers of the same group are computed where they are read; inside a thread nothing is computed or loaded twice.

// RUN: pipeline-opt %s -map-to-gpu | FileCheck %s
// RUN: pipeline-opt %s -map-to-gpu | FileCheck %s --check-prefix=ONCE

// CHECK-LABEL: gpu.func @chain_g_b(
// CHECK:         %[[I:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK:         %[[V:.*]] = memref.load %{{.*}}[%{{.*}}]
// CHECK:         %[[A:.*]] = math.sqrt %[[V]] : f32
// CHECK:         %[[B:.*]] = arith.negf %[[A]] : f32
// CHECK:         memref.store %[[B]]
func.func @chain(%img: tensor<8xf32>) -> tensor<4xf32> {
  %0 = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      %v = pipeline.load %img[%x] : tensor<8xf32>
      %w = math.sqrt %v : f32
      pipeline.yield %w : f32
    } : tensor<8xf32>
    %b = pipeline.stage "b" (%x) {
      %v = pipeline.load %a[%x + 1] : tensor<8xf32>
      %w = arith.negf %v : f32
      pipeline.yield %w : f32
    } : tensor<4xf32>
    pipeline.yield %b : tensor<4xf32>
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Two consumers that read a producer at one point share it, and what it loads.
// ONCE-LABEL: gpu.func @diamond_g_d(
// ONCE:         memref.load
// ONCE-NOT:     memref.load
// ONCE:         math.sqrt
// ONCE-NOT:     math.sqrt
// ONCE:         gpu.return
func.func @diamond(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      %v = pipeline.load %img[%x] : tensor<8xf32>
      %w = math.sqrt %v : f32
      pipeline.yield %w : f32
    } : tensor<8xf32>
    %b = pipeline.stage "b" (%x) {
      %v = pipeline.load %a[%x - 1] clamp : tensor<8xf32>
      pipeline.yield %v : f32
    } : tensor<8xf32>
    %c = pipeline.stage "c" (%x) {
      %v = pipeline.load %a[%x - 1] clamp : tensor<8xf32>
      pipeline.yield %v : f32
    } : tensor<8xf32>
    %d = pipeline.stage "d" (%x) {
      %v = pipeline.load %b[%x] : tensor<8xf32>
      %w = pipeline.load %c[%x] : tensor<8xf32>
      %u = arith.addf %v, %w : f32
      pipeline.yield %u : f32
    } : tensor<8xf32>
    pipeline.yield %d : tensor<8xf32>
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Two results of a producer at one point: one body.
// ONCE-LABEL: gpu.func @two_results_g_b(
// ONCE:         math.sqrt
// ONCE-NOT:     math.sqrt
// ONCE:         gpu.return
func.func @two_results(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.group "g" {
    %a:2 = pipeline.stage "a" (%x) {
      %v = pipeline.load %img[%x] : tensor<8xf32>
      %w = math.sqrt %v : f32
      pipeline.yield %v, %w : f32, f32
    } : tensor<8xf32>, tensor<8xf32>
    %b = pipeline.stage "b" (%x) {
      %v = pipeline.load %a#0[%x] : tensor<8xf32>
      %w = pipeline.load %a#1[%x] : tensor<8xf32>
      %u = arith.addf %v, %w : f32
      pipeline.yield %u : f32
    } : tensor<8xf32>
    pipeline.yield %b : tensor<8xf32>
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Two points: two bodies, and the point between them is shared.
// ONCE-LABEL:   gpu.func @stencil_g_b(
// ONCE-COUNT-3:   memref.load
// ONCE-NOT:       memref.load
// ONCE:           gpu.return
func.func @stencil(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      %v = pipeline.load %img[%x] : tensor<8xf32>
      %w = pipeline.load %img[%x + 1] clamp : tensor<8xf32>
      %u = arith.addf %v, %w : f32
      pipeline.yield %u : f32
    } : tensor<8xf32>
    %b = pipeline.stage "b" (%x) {
      %v = pipeline.load %a[%x] : tensor<8xf32>
      %w = pipeline.load %a[%x + 1] clamp : tensor<8xf32>
      %u = arith.addf %v, %w : f32
      pipeline.yield %u : f32
    } : tensor<8xf32>
    pipeline.yield %b : tensor<8xf32>
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// The edge of a producer is the producer's value there: the place is clamped, then the producer is computed.
// CHECK-LABEL: gpu.func @boundary_of_a_producer_g_b(
// CHECK:         %[[CLAMPED:.*]] = arith.minsi
// CHECK:         %[[NEXT:.*]] = arith.addi %[[CLAMPED]], %{{.*}} : index
// CHECK:         %[[LOW:.*]] = arith.maxsi %[[NEXT]]
// CHECK:         %[[PLACE:.*]] = arith.minsi %[[LOW]]
// CHECK:         memref.load %{{.*}}[%[[PLACE]]]
func.func @boundary_of_a_producer(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      %v = pipeline.load %img[%x + 1] clamp : tensor<8xf32>
      pipeline.yield %v : f32
    } : tensor<8xf32>
    %b = pipeline.stage "b" (%x) {
      %v = pipeline.load %a[%x - 1] clamp : tensor<8xf32>
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %b : tensor<8xf32>
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A point outside has the value that the load names; the producer is not asked.
// CHECK-LABEL: gpu.func @constant_of_a_producer_g_b(
// CHECK-SAME:    %[[PADDING:[^:]*]]: f32)
// CHECK:         %[[INSIDE:.*]] = arith.andi
// CHECK:         %[[A:.*]] = math.sqrt
// CHECK:         arith.select %[[INSIDE]], %[[A]], %[[PADDING]] : f32
func.func @constant_of_a_producer(%img: tensor<8xf32>, %padding: f32) -> tensor<8xf32> {
  %0 = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      %v = pipeline.load %img[%x] : tensor<8xf32>
      %w = math.sqrt %v : f32
      pipeline.yield %w : f32
    } : tensor<8xf32>
    %b = pipeline.stage "b" (%x) {
      %v = pipeline.load %a[%x - 1] constant(%padding) : tensor<8xf32>
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %b : tensor<8xf32>
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A live-out that others read is computed again in their kernels: kernels of one group do not wait for each other.
// ONCE-LABEL: gpu.func @live_out_g_a(
// ONCE:         math.sqrt
// ONCE:         gpu.return
// ONCE:       gpu.func @live_out_g_b(
// ONCE:         math.sqrt
// ONCE:         gpu.return
func.func @live_out(%img: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0:2 = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      %v = pipeline.load %img[%x] : tensor<8xf32>
      %w = math.sqrt %v : f32
      pipeline.yield %w : f32
    } : tensor<8xf32>
    %b = pipeline.stage "b" (%x) {
      %v = pipeline.load %a[%x] : tensor<8xf32>
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %a, %b : tensor<8xf32>, tensor<8xf32>
  } : tensor<8xf32>, tensor<8xf32>
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// What a branch computes is not to be had behind it: the same point is computed again.
// CHECK-LABEL: gpu.func @branch_g_b(
// CHECK:         scf.if
// CHECK:         scf.if
// CHECK:           math.sqrt
// CHECK:         } else {
// CHECK:         math.sqrt
// CHECK:         memref.store
func.func @branch(%img: tensor<8xf32>, %c: i1, %f: f32) -> tensor<8xf32> {
  %0 = pipeline.group "g" {
    %a = pipeline.stage "a" (%x) {
      %v = pipeline.load %img[%x] : tensor<8xf32>
      %w = math.sqrt %v : f32
      pipeline.yield %w : f32
    } : tensor<8xf32>
    %b = pipeline.stage "b" (%x) {
      %r = scf.if %c -> f32 {
        %v = pipeline.load %a[%x] : tensor<8xf32>
        scf.yield %v : f32
      } else {
        scf.yield %f : f32
      }
      %w = pipeline.load %a[%x] : tensor<8xf32>
      %u = arith.addf %r, %w : f32
      pipeline.yield %u : f32
    } : tensor<8xf32>
    pipeline.yield %b : tensor<8xf32>
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
