// A small integer that is divided by a constant is multiplied, if every quotient stays what it is.

// RUN: pipeline-opt %s --exact-division | FileCheck %s

// CHECK-LABEL: @byte
// CHECK-NEXT: %[[FAR:.*]] = arith.constant {{.*}}E-10 : f32
// CHECK-NEXT: %[[NEAR:.*]] = arith.constant 0.00392156886 : f32
// CHECK-NEXT: %[[F:.*]] = arith.uitofp
// CHECK-NEXT: %[[REST:.*]] = arith.mulf %[[F]], %[[FAR]]
// CHECK-NEXT: %[[Q:.*]] = math.fma %[[F]], %[[NEAR]], %[[REST]]
// CHECK-NEXT: return %[[Q]]
func.func @byte(%i: i8) -> f32 {
  %c = arith.constant 255.0 : f32
  %f = arith.uitofp %i : i8 to f32
  %q = arith.divf %f, %c : f32
  return %q : f32
}

// The inverse of a power of two is exact.
// CHECK-LABEL: @power
// CHECK-NEXT: %[[INVERSE:.*]] = arith.constant 1.250000e-01 : f32
// CHECK-NEXT: %[[F:.*]] = arith.sitofp
// CHECK-NEXT: %[[Q:.*]] = arith.mulf %[[F]], %[[INVERSE]]
// CHECK-NEXT: return %[[Q]]
func.func @power(%i: i16) -> f32 {
  %c = arith.constant 8.0 : f32
  %f = arith.sitofp %i : i16 to f32
  %q = arith.divf %f, %c : f32
  return %q : f32
}

// What is brought between two numbers is one of few, too; so is the number of a plane, which a stage's shape tells.
// CHECK-LABEL: @between
// CHECK-NOT: arith.divf
func.func @between(%i: i32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c100 = arith.constant 100 : i32
  %a = arith.maxsi %i, %c0 : i32
  %b = arith.minsi %a, %c100 : i32
  %c = arith.constant 7.0 : f32
  %f = arith.sitofp %b : i32 to f32
  %q = arith.divf %f, %c : f32
  return %q : f32
}

// CHECK-LABEL: @plane
// CHECK-NOT: arith.divf
func.func @plane(%h: index) -> tensor<8x?xf32> {
  %c = arith.constant 7.0 : f32
  %s = pipeline.stage "s" (%p, %x) {
    %i = arith.index_cast %p : index to i32
    %f = arith.sitofp %i : i32 to f32
    %q = arith.divf %f, %c : f32
    pipeline.yield %q : f32
  } sized(%h) : tensor<8x?xf32>
  return %s : tensor<8x?xf32>
}

// Not of any integer, by a divisor that is not known, by one whose inverse is no float, or by one for which -0 would be 0.
// CHECK-LABEL: @stays
// CHECK-COUNT-4: arith.divf
func.func @stays(%i: i32, %b: i8, %d: f32) -> (f32, f32, f32, f32) {
  %c = arith.constant 7.0 : f32
  %tiny = arith.constant 1.0e-39 : f32
  %negative = arith.constant -3.0 : f32
  %f = arith.sitofp %i : i32 to f32
  %g = arith.uitofp %b : i8 to f32
  %0 = arith.divf %f, %c : f32
  %1 = arith.divf %g, %d : f32
  %2 = arith.divf %g, %tiny : f32
  %3 = arith.divf %g, %negative : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}
