// A power by a small constant needs no pair of floats: products, a root, or one polynomial each of a logarithm and an exponential.

// RUN: pipeline-opt %s -expand-math -cse -split-input-file | FileCheck %s

// CHECK-LABEL: @square
// CHECK:       %[[A:.*]] = pipeline.load
// CHECK-NEXT:  %[[R:.*]] = arith.mulf %[[A]], %[[A]] : f32
// CHECK-NEXT:  pipeline.yield %[[R]] : f32
func.func @square(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %c = arith.constant 2.0 : f32
    %b = math.powf %a, %c : f32
    pipeline.yield %b : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A root of -0 is 0 and of -∞ is ∞ where it is a power.
// CHECK-LABEL: @root
// CHECK:       %[[A:.*]] = pipeline.load
// CHECK:       %[[IS_LOW:.*]] = arith.cmpf oeq, %[[A]], %{{.*}} : f32
// CHECK:       %[[POSITIVE:.*]] = arith.addf %[[A]], %{{.*}} : f32
// CHECK-NEXT:  %[[ROOT:.*]] = math.sqrt %[[POSITIVE]] : f32
// CHECK:       %[[R:.*]] = arith.select %[[IS_LOW]], %{{.*}}, %[[ROOT]] : f32
// CHECK-NEXT:  pipeline.yield %[[R]] : f32
func.func @root(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %c = arith.constant 0.5 : f32
    %b = math.powf %a, %c : f32
    pipeline.yield %b : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// With x = 2^n (1 + f): a polynomial of f that is (1 + f)^y less 1, the nearest integer to y n, what is left of that, 2 to the power of
// it less 1, and (1 + a) (1 + b). No division.
// CHECK-LABEL: @gamma
// CHECK:       %[[N:.*]] = arith.subf %{{.*}}, %{{.*}} : f32
// CHECK-NOT:   arith.divf
// CHECK:       %[[F:.*]] = arith.subf %{{.*}}, %{{.*}} : f32
// CHECK-COUNT-6: math.fma %{{.*}}, %[[F]], %{{.*}} : f32
// CHECK:       %[[SUM:.*]] = math.fma %[[N]], %{{.*}}, %{{.*}} : f32
// CHECK:       %[[K:.*]] = arith.subf %[[SUM]], %{{.*}} : f32
// CHECK:       %[[MINUS:.*]] = arith.negf %[[K]] : f32
// CHECK:       %[[R:.*]] = math.fma %[[N]], %{{.*}}, %[[MINUS]] : f32
// CHECK-COUNT-5: math.fma %{{.*}}, %[[R]], %{{.*}} : f32
// CHECK-NEXT:  %[[B:.*]] = arith.mulf %[[R]], %{{.*}} : f32
// CHECK-NEXT:  %[[A:.*]] = arith.mulf %[[F]], %{{.*}} : f32
// CHECK-NEXT:  %[[AB:.*]] = math.fma %[[A]], %[[B]], %[[B]] : f32
// CHECK-NEXT:  math.fma %[[F]], %{{.*}}, %[[AB]] : f32
// CHECK-NOT:   arith.divf
// CHECK:       pipeline.yield
func.func @gamma(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %c = arith.constant 2.4 : f32
    %b = math.powf %a, %c : f32
    pipeline.yield %b : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Of a negative exponent the reciprocal of the mantissa's power is taken, and the power of 2 has the other sign.
// CHECK-LABEL: @fade
// CHECK:       %[[POWER:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK:       arith.divf %{{.*}}, %[[POWER]] : f32
// CHECK-NOT:   arith.divf
// CHECK:       pipeline.yield
func.func @fade(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %c = arith.constant -0.7 : f32
    %b = math.powf %a, %c : f32
    pipeline.yield %b : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
