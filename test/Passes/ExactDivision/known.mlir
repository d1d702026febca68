// By any constant two operations are enough of what is 0 or so large that no digit is lost: what was computed from integers.

// RUN: pipeline-opt %s --exact-division=floats=false | FileCheck %s

// Both factors have the sign of the divisor, so that zeros have the right one.
// CHECK-LABEL: @negative
// CHECK-DAG: %[[NEAR:.*]] = arith.constant -0.333333313 : f32
// CHECK-DAG: %[[FAR:.*]] = arith.constant -1.98682155E-8 : f32
// CHECK: %[[REST:.*]] = arith.mulf %[[F:.*]], %[[FAR]] : f32
// CHECK-NEXT: math.fma %[[F]], %[[NEAR]], %[[REST]] : f32
func.func @negative(%i: i8) -> f32 {
  %c = arith.constant -3.0 : f32
  %f = arith.uitofp %i : i8 to f32
  %q = arith.divf %f, %c : f32
  return %q : f32
}

// Bytes times weights are multiples of the weights' last places; so are sums of these, and what another stage makes of them.
// CHECK-LABEL: @sums
// CHECK: pipeline.stage "blurred"
// CHECK: pipeline.stage "s"
// CHECK-NOT: arith.divf
// CHECK: %[[SUM:.*]] = math.fma
// CHECK-NEXT: %[[REST:.*]] = arith.mulf %[[SUM]],
// CHECK-NEXT: %[[Q:.*]] = math.fma %[[SUM]], %{{.*}}, %[[REST]]
// CHECK-NEXT: pipeline.yield %[[Q]]
func.func @sums(%img: tensor<8xi8>) -> tensor<8xf32> {
  %a = arith.constant 0.299 : f32
  %b = arith.constant 0.587 : f32
  %c = arith.constant 1.983128 : f32
  %zero = arith.constant 0.0 : f32
  %0 = pipeline.stage "blurred" (%x) {
    %l = pipeline.load %img[%x] : tensor<8xi8>
    %f = arith.uitofp %l : i8 to f32
    %m = arith.mulf %f, %a : f32
    pipeline.yield %m : f32
  } : tensor<8xf32>
  %1 = pipeline.stage "s" (%x) {
    %l = pipeline.load %0[%x - 1] constant(%zero) : tensor<8xf32>
    %r = pipeline.load %0[%x + 1] clamp : tensor<8xf32>
    %m = arith.mulf %l, %a : f32
    %s = math.fma %r, %b, %m : f32
    %q = arith.divf %s, %c : f32
    pipeline.yield %q : f32
  } : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// A quotient that is not 0 is not small either; a root likewise.
// CHECK-LABEL: @chain
// CHECK-NOT: arith.divf
func.func @chain(%i: i16) -> f32 {
  %c = arith.constant 0.7 : f32
  %d = arith.constant 1.055 : f32
  %f = arith.sitofp %i : i16 to f32
  %p = arith.divf %f, %c : f32
  %s = math.absf %p : f32
  %r = math.sqrt %s : f32
  %q = arith.divf %r, %d : f32
  return %q : f32
}

// The divisors of a table become factors of two tables, of which that of the rest has a 0 for a power of two.
// CHECK-LABEL: @table
// CHECK-DAG: %[[NEAR:.*]] = arith.constant dense<[6.250000e-02, 0.0909090861, 0.099999994]> : tensor<3xf32>
// CHECK-DAG: %[[FAR:.*]] = arith.constant dense<[0.000000e+00, {{.*}}, {{.*}}]> : tensor<3xf32>
// CHECK: %[[F:.*]] = arith.uitofp
// CHECK: %[[N:.*]] = pipeline.load %[[NEAR]][%x] clamp
// CHECK-NEXT: %[[R:.*]] = pipeline.load %[[FAR]][%x] clamp
// CHECK-NEXT: %[[REST:.*]] = arith.mulf %[[F]], %[[R]]
// CHECK-NEXT: math.fma %[[F]], %[[N]], %[[REST]]
func.func @table(%img: tensor<8xi8>) -> tensor<8xf32> {
  %steps = arith.constant dense<[16.0, 11.0, 10.0]> : tensor<3xf32>
  %0 = pipeline.stage "s" (%x) {
    %l = pipeline.load %img[%x] : tensor<8xi8>
    %f = arith.uitofp %l : i8 to f32
    %d = pipeline.load %steps[%x] clamp : tensor<3xf32>
    %q = arith.divf %f, %d : f32
    pipeline.yield %q : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// What may be small, as an image of floats, or a product of many places; what may be infinite, or no number; a table with a 0.
// CHECK-LABEL: @stays
// CHECK-COUNT-5: arith.divf
func.func @stays(%i: i32, %img: tensor<8xf32>) -> (tensor<8xf32>, f32, f32, f32, tensor<8xf32>) {
  %c = arith.constant 0.7 : f32
  %small = arith.constant 1.1e-30 : f32
  %large = arith.constant 1.1e+30 : f32
  %some = arith.constant dense<[16.0, 0.0]> : tensor<2xf32>
  %0 = pipeline.stage "s" (%x) {
    %l = pipeline.load %img[%x] : tensor<8xf32>
    %q = arith.divf %l, %c : f32
    pipeline.yield %q : f32
  } : tensor<8xf32>
  %f = arith.sitofp %i : i32 to f32
  %tiny = arith.mulf %f, %small : f32
  %1 = arith.divf %tiny, %c : f32
  %huge = arith.mulf %f, %large : f32
  %2 = arith.divf %huge, %c : f32
  %root = math.sqrt %f : f32
  %3 = arith.divf %root, %c : f32
  %4 = pipeline.stage "t" (%x) {
    %n = arith.index_cast %x : index to i32
    %g = arith.sitofp %n : i32 to f32
    %d = pipeline.load %some[%x] clamp : tensor<2xf32>
    %q = arith.divf %g, %d : f32
    pipeline.yield %q : f32
  } : tensor<8xf32>
  return %0, %1, %2, %3, %4 : tensor<8xf32>, f32, f32, f32, tensor<8xf32>
}
