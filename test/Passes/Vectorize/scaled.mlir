// 2 to a power times a number is one instruction of AVX-512; elsewhere it is what --expand-math made of it: two products.

// RUN: pipeline-opt %s --expand-math --cpu-tile=target=zen5 --vectorize --canonicalize | FileCheck %s
// RUN: pipeline-opt %s --expand-math --cpu-tile=target=avx2 --vectorize --canonicalize | FileCheck %s --check-prefix=TWICE

// CHECK-LABEL: @exp
// CHECK:       %[[SUM:.*]] = arith.bitcast {{.*}} : vector<16xf32> to vector<16xi32>
// CHECK:       %[[POWER:.*]] = arith.subi %[[SUM]], {{.*}} : vector<16xi32>
// CHECK:       %[[NUMBER:.*]] = arith.addf {{.*}} : vector<16xf32>
// CHECK-NEXT:  %[[EXP:.*]] = llvm.call_intrinsic "llvm.ldexp.v16f32.v16i32"(%[[NUMBER]], %[[POWER]])
// CHECK:       vector.{{(masked)?}}store %{{.*}}[{{.*}}], {{.*}}%[[EXP]]
// TWICE-LABEL: @exp
// TWICE:       %[[NUMBER:.*]] = arith.addf {{.*}} : vector<8xf32>
// TWICE:       %[[NEAR:.*]] = arith.mulf %[[NUMBER]], {{.*}} : vector<8xf32>
// TWICE:       arith.mulf %[[NEAR]], {{.*}} {weft.scaled} : vector<8xf32>
// TWICE-NOT:   ldexp
func.func @exp(%img: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %out = pipeline.stage "out" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<64x64xf32>
    %1 = math.exp %0 : f32
    pipeline.yield %1 : f32
  } : tensor<64x64xf32>
  return %out : tensor<64x64xf32>
}
