// Maxima of kernels: one instruction where the chip has it, else one and a test for NaN. Those of the host stay.

// RUN: pipeline-opt %s -extremes-to-llvm | FileCheck %s --check-prefixes=CHECK,NEW
// RUN: pipeline-opt %s -extremes-to-llvm="chip=sm_75" | FileCheck %s --check-prefixes=CHECK,OLD
// RUN: not pipeline-opt %s -extremes-to-llvm="chip=sm_1" 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: option 'chip': unknown chip 'sm_1', expected one of sm_70

// CHECK-LABEL: gpu.func @kernel
// CHECK-SAME:    %[[A:[^:]*]]: f32, %[[B:[^:]*]]: f32, %[[C:[^:]*]]: f64
// CHECK-NOT:     arith.m
// NEW:           llvm.intr.maximum(%[[A]], %[[B]]) : (f32, f32) -> f32
// OLD-DAG:       %[[NAN:.*]] = arith.constant 0x7FC00000 : f32
// OLD-DAG:       %[[MAX:.*]] = llvm.intr.maxnum(%[[A]], %[[B]]) : (f32, f32) -> f32
// OLD-DAG:       %[[HAS:.*]] = arith.cmpf uno, %[[A]], %[[B]] : f32
// OLD:           arith.select %[[HAS]], %[[NAN]], %[[MAX]] : f32
// No chip has this one.
// CHECK:         %[[MIN:.*]] = llvm.intr.minnum(%[[C]], %[[C]]) : (f64, f64) -> f64
// CHECK:         %[[HAS:.*]] = arith.cmpf uno, %[[C]], %[[C]] : f64
// CHECK:         arith.select %[[HAS]], %{{.*}}, %[[MIN]] : f64
// What forgets a NaN itself, by a constant; a zero has a sign, which MLIR says nothing of.
// CHECK:         llvm.intr.minnum(%[[A]], %{{.*}}) : (f32, f32) -> f32
// CHECK-NOT:     arith.cmpf
// CHECK:         arith.maxnumf %[[A]]
// CHECK-LABEL: func.func @host
// CHECK:         arith.maximumf
gpu.module @kernels {
  gpu.func @kernel(%a: f32, %b: f32, %c: f64, %x: memref<f32>, %y: memref<f64>) kernel {
    %0 = arith.maximumf %a, %b : f32
    %1 = arith.minimumf %c, %c : f64
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0.0 : f32
    %2 = arith.minnumf %a, %one : f32
    %3 = arith.maxnumf %a, %zero : f32
    memref.store %0, %x[] : memref<f32>
    memref.store %2, %x[] : memref<f32>
    memref.store %3, %x[] : memref<f32>
    memref.store %1, %y[] : memref<f64>
    gpu.return
  }
}
func.func @host(%a: f32, %b: f32) -> f32 {
  %0 = arith.maximumf %a, %b : f32
  return %0 : f32
}
