// Where ops stand, and what types they have.

// RUN: pipeline-opt %s -expand-math -cse | FileCheck %s

// In groups, and in the branches of an `scf.if`, where the expansion stays in its branch.
// CHECK-LABEL: @regions
// CHECK:       pipeline.load
// CHECK-NEXT:  scf.if
// CHECK:         arith.divf
// CHECK:       } else {
// CHECK:         math.fma
// CHECK:       }
func.func @regions(%x: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %0 = pipeline.group "g" {
    %1 = pipeline.stage "s" (%i) {
      %a = pipeline.load %x[%i] : tensor<8xf32>
      %r = scf.if %c -> (f32) {
        %b = math.rsqrt %a : f32
        scf.yield %b : f32
      } else {
        %b = math.log %a : f32
        scf.yield %b : f32
      }
      pipeline.yield %r : f32
    } : tensor<8xf32>
    pipeline.yield %1 : tensor<8xf32>
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// f16 and bf16 by way of f32.
// CHECK-LABEL: @narrow
// CHECK:       %[[A:.*]] = pipeline.load
// CHECK:       %[[WIDE:.*]] = arith.extf %[[A]] : f16 to f32
// CHECK:       %[[ROOT:.*]] = math.sqrt %[[WIDE]] : f32
// CHECK-NEXT:  %[[RESULT:.*]] = arith.divf %{{.*}}, %[[ROOT]] : f32
// CHECK-NEXT:  arith.truncf %[[RESULT]] : f32 to f16
// CHECK:       arith.extf %{{.*}} : bf16 to f32
// CHECK:       arith.truncf %{{.*}} : f32 to bf16
func.func @narrow(%x: tensor<8xf16>) -> tensor<8xf16> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf16>
    %b = math.rsqrt %a : f16
    %c = arith.bitcast %b : f16 to bf16
    %d = math.rsqrt %c : bf16
    %e = arith.bitcast %d : bf16 to f16
    pipeline.yield %e : f16
  } : tensor<8xf16>
  return %0 : tensor<8xf16>
}

// Both results of an op with two.
// CHECK-LABEL: @two
// CHECK:       scf.if
// CHECK-NOT:   scf.if
// CHECK:       pipeline.yield
func.func @two(%x: tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>) {
  %0:2 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf64>
    %s, %c = math.sincos %a : f64
    pipeline.yield %s, %c : f64, f64
  } : tensor<8xf64>, tensor<8xf64>
  return %0#0, %0#1 : tensor<8xf64>, tensor<8xf64>
}

// Flags are not asked: there is one expansion, and its ops carry none.
// CHECK-LABEL: @flags
// CHECK-NOT:   fastmath
// CHECK:       return
func.func @flags(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%i) {
    %a = pipeline.load %x[%i] : tensor<8xf32>
    %b = math.exp %a fastmath<fast> : f32
    pipeline.yield %b : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
