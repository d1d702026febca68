// Mathematics in kernels: what is one instruction, correctly rounded, is that instruction.

// RUN: pipeline-opt %s --pipeline-to-ptx=contract=false | pipeline-translate --mlir-to-ptx | FileCheck %s
// RUN: pipeline-opt %s --pipeline-to-ptx="tiling=block contract=false" | pipeline-translate --mlir-to-ptx | FileCheck %s
// RUN: pipeline-opt %s --pipeline-to-ptx="tiling=none contract=false" | pipeline-translate --mlir-to-ptx | FileCheck %s

// CHECK-LABEL: .entry f32_g0{{(_s)?}}(
// CHECK-DAG:   sqrt.rn.f32
// CHECK-DAG:   abs.f32
// CHECK-DAG:   cvt.rmi.f32.f32
// CHECK-DAG:   cvt.rpi.f32.f32
// CHECK-DAG:   fma.rn.f32
// CHECK-DAG:   div.rn.f32
// CHECK-DAG:   cvt.rni.f32.f32
// CHECK:       {{^}$}}
func.func @f32(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    %sqrt = math.sqrt %a : f32
    %abs = math.absf %sqrt : f32
    %neg = arith.subf %abs, %a : f32
    %absneg = math.absf %neg : f32
    %floor = math.floor %absneg : f32
    %ceil = math.ceil %neg : f32
    %fma = math.fma %floor, %ceil, %a : f32
    %div = arith.divf %fma, %sqrt : f32
    %even = math.roundeven %div : f32
    pipeline.yield %even : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: .entry f64_g0{{(_s)?}}(
// CHECK:       sqrt.rn.f64
// CHECK:       {{^}$}}
func.func @f64(%img: tensor<8xf64>) -> tensor<8xf64> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf64>
    %v = math.sqrt %a : f64
    pipeline.yield %v : f64
  } : tensor<8xf64>
  return %0 : tensor<8xf64>
}

// CHECK-LABEL: .entry saturates_g0{{(_s)?}}(
// CHECK:       cvt.rzi.s16.f32
// CHECK:       {{^}$}}
func.func @saturates(%img: tensor<8xf32>) -> tensor<8xi16> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    %v = arith.fptosi %a : f32 to i16
    pipeline.yield %v : i16
  } : tensor<8xi16>
  return %0 : tensor<8xi16>
}

// CHECK-LABEL: .entry integers_g0{{(_s)?}}(
// CHECK:       abs.s32
// CHECK:       {{^}$}}
func.func @integers(%img: tensor<8xi32>) -> tensor<8xi32> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xi32>
    %v = math.absi %a : i32
    pipeline.yield %v : i32
  } : tensor<8xi32>
  return %0 : tensor<8xi32>
}
