// What is divided by a constant is multiplied, if every quotient stays what it is: a small integer, and anything by an odd integer.

// RUN: pipeline-opt %s --exact-division | FileCheck %s
// RUN: pipeline-opt %s --exact-division=floats=false | FileCheck %s --check-prefix=KEPT

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

// The product, by how much it is off, and what mends it. An infinity is off by what is no number, which minnumf forgets.
// CHECK-LABEL: @odd
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3.000000e+00 : f32
// CHECK-DAG: %[[THIRD:.*]] = arith.constant 0.333333343 : f32
// CHECK-DAG: %[[LARGEST:.*]] = arith.constant 3.40282347E+38 : f32
// CHECK-DAG: %[[MINUS:.*]] = arith.constant -0.333333343 : f32
// CHECK: %[[X:.*]] = pipeline.load
// CHECK-NEXT: %[[NEAR:.*]] = arith.mulf %[[X]], %[[THIRD]] : f32
// CHECK-NEXT: %[[NEGATIVE:.*]] = arith.negf %[[X]] : f32
// CHECK-NEXT: %[[OFF:.*]] = math.fma %[[NEAR]], %[[THREE]], %[[NEGATIVE]] : f32
// CHECK-NEXT: %[[KNOWN:.*]] = arith.minnumf %[[OFF]], %[[LARGEST]] : f32
// CHECK-NEXT: %[[Q:.*]] = math.fma %[[KNOWN]], %[[MINUS]], %[[NEAR]] : f32
// CHECK-NEXT: pipeline.yield %[[Q]]
// KEPT-LABEL: @odd
// KEPT: arith.divf
func.func @odd(%img: tensor<8xf32>) -> tensor<8xf32> {
  %c = arith.constant 3.0 : f32
  %s = pipeline.stage "s" (%x) {
    %v = pipeline.load %img[%x] : tensor<8xf32>
    %q = arith.divf %v, %c : f32
    pipeline.yield %q : f32
  } : tensor<8xf32>
  return %s : tensor<8xf32>
}

// f64 likewise; of an integer, which is not infinite, without the test.
// CHECK-LABEL: @wide
// CHECK: arith.constant 1.7976931348623157E+308 : f64
// CHECK: arith.minnumf
// CHECK: arith.sitofp
// CHECK-NOT: arith.minnumf
// CHECK: return
// KEPT-LABEL: @wide
func.func @wide(%img: tensor<8xf64>, %numbers: tensor<8xi32>) -> (tensor<8xf64>, tensor<8xf32>) {
  %nine = arith.constant 9.0 : f64
  %seven = arith.constant 7.0 : f32
  %0:2 = pipeline.stage "s" (%x) {
    %v = pipeline.load %img[%x] : tensor<8xf64>
    %q = arith.divf %v, %nine : f64
    %i = pipeline.load %numbers[%x] : tensor<8xi32>
    %f = arith.sitofp %i : i32 to f32
    %r = arith.divf %f, %seven : f32
    pipeline.yield %q, %r : f64, f32
  } : tensor<8xf64>, tensor<8xf32>
  return %0#0, %0#1 : tensor<8xf64>, tensor<8xf32>
}

// What is computed once for a program is no matter; nor is anything by an even integer.
// CHECK-LABEL: @once
// CHECK: arith.divf
// CHECK: pipeline.stage
// CHECK: arith.divf
func.func @once(%a: f32, %img: tensor<8xf32>) -> tensor<8xf32> {
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %third = arith.divf %a, %three : f32
  %s = pipeline.stage "s" (%x) {
    %v = pipeline.load %img[%x] : tensor<8xf32>
    %q = arith.divf %v, %six : f32
    %r = arith.addf %q, %third : f32
    pipeline.yield %r : f32
  } : tensor<8xf32>
  return %s : tensor<8xf32>
}

// Not by a divisor that is not known, or by one whose inverse is no float.
// CHECK-LABEL: @stays
// CHECK-COUNT-3: arith.divf
func.func @stays(%a: f32, %b: i8, %d: f32) -> (f32, f32, f32) {
  %c = arith.constant 6.0 : f32
  %tiny = arith.constant 1.0e-39 : f32
  %g = arith.uitofp %b : i8 to f32
  %0 = arith.divf %a, %c : f32
  %1 = arith.divf %g, %d : f32
  %2 = arith.divf %g, %tiny : f32
  return %0, %1, %2 : f32, f32, f32
}
