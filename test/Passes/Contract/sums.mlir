// Which sums of products become fused multiply-adds.

// RUN: pipeline-opt %s -contract | FileCheck %s

// CHECK-LABEL: @product_first
// CHECK:       %[[A:.*]] = pipeline.load %arg0
// CHECK-NEXT:  %[[B:.*]] = pipeline.load %arg1
// CHECK-NEXT:  %[[SUM:.*]] = math.fma %[[A]], %[[B]], %[[B]] : f32
// CHECK-NEXT:  pipeline.yield %[[SUM]]
func.func @product_first(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %b = pipeline.load %y[%i] : tensor<8xf32>
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %b : f32
    pipeline.yield %s : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @product_second
// CHECK:       %[[A:.*]] = pipeline.load %arg0
// CHECK-NEXT:  %[[B:.*]] = pipeline.load %arg1
// CHECK-NEXT:  math.fma %[[A]], %[[B]], %[[B]] : f32
func.func @product_second(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %b = pipeline.load %y[%i] : tensor<8xf32>
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %b, %p : f32
    pipeline.yield %s : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @minuend
// CHECK:       %[[A:.*]] = pipeline.load %arg0
// CHECK-NEXT:  %[[B:.*]] = pipeline.load %arg1
// CHECK-NEXT:  %[[N:.*]] = arith.negf %[[B]] : f32
// CHECK-NEXT:  math.fma %[[A]], %[[B]], %[[N]] : f32
func.func @minuend(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %b = pipeline.load %y[%i] : tensor<8xf32>
    %p = arith.mulf %a, %b : f32
    %s = arith.subf %p, %b : f32
    pipeline.yield %s : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @subtrahend
// CHECK:       %[[A:.*]] = pipeline.load %arg0
// CHECK-NEXT:  %[[B:.*]] = pipeline.load %arg1
// CHECK-NEXT:  %[[N:.*]] = arith.negf %[[A]] : f32
// CHECK-NEXT:  math.fma %[[N]], %[[B]], %[[B]] : f32
func.func @subtrahend(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %b = pipeline.load %y[%i] : tensor<8xf32>
    %p = arith.mulf %a, %b : f32
    %s = arith.subf %b, %p : f32
    pipeline.yield %s : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Of two products the one that is computed later joins, wherever it stands in the sum.
// CHECK-LABEL: @two_products
// CHECK:       %[[A:.*]] = pipeline.load %arg0
// CHECK-NEXT:  %[[B:.*]] = pipeline.load %arg1
// CHECK-NEXT:  %[[P:.*]] = arith.mulf %[[A]], %[[A]] : f32
// CHECK-NEXT:  %[[S:.*]] = math.fma %[[B]], %[[B]], %[[P]] : f32
// CHECK-NEXT:  %[[N:.*]] = arith.negf %[[A]] : f32
// CHECK-NEXT:  math.fma %[[N]], %[[B]], %[[S]] : f32
func.func @two_products(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %b = pipeline.load %y[%i] : tensor<8xf32>
    %p = arith.mulf %a, %a : f32
    %q = arith.mulf %b, %b : f32
    %s = arith.addf %q, %p : f32
    %r = arith.mulf %a, %b : f32
    %t = arith.subf %s, %r : f32
    pipeline.yield %t : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// In groups too, and for each float type.
// CHECK-LABEL: @types
// CHECK:       math.fma {{.*}} : f16
// CHECK:       math.fma {{.*}} : f64
func.func @types(%x: tensor<8xf16>, %y: tensor<8xf64>) -> (tensor<8xf16>, tensor<8xf64>) {
  %0:2 = pipeline.group "g" {
    %1:2 = pipeline.stage "s" (%i) {
      %a = pipeline.load %x[%i] : tensor<8xf16>
      %b = pipeline.load %y[%i] : tensor<8xf64>
      %p = arith.mulf %a, %a : f16
      %q = arith.mulf %b, %b : f64
      %s = arith.addf %p, %a : f16
      %t = arith.addf %q, %b : f64
      pipeline.yield %s, %t : f16, f64
    } : tensor<8xf16>, tensor<8xf64>
    pipeline.yield %1#0, %1#1 : tensor<8xf16>, tensor<8xf64>
  } : tensor<8xf16>, tensor<8xf64>
  return %0#0, %0#1 : tensor<8xf16>, tensor<8xf64>
}

// Flags that product and sum share are those of the whole; others are dropped.
// CHECK-LABEL: @flags
// CHECK:       math.fma {{.*}} fastmath<nnan> : f32
// CHECK-NEXT:  %{{.*}} = math.fma %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : f32
func.func @flags(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %p = arith.mulf %a, %a fastmath<nnan> : f32
    %s = arith.addf %p, %a fastmath<nnan> : f32
    %q = arith.mulf %a, %a fastmath<nnan> : f32
    %t = arith.addf %q, %s fastmath<ninf> : f32
    pipeline.yield %t : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
