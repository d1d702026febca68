// 2 to a power times a number is one instruction of AVX-512; elsewhere it is what --expand-math made of it: two products.

// RUN: pipeline-opt %s --expand-math --cpu-tile=target=zen5 --vectorize --canonicalize | FileCheck %s
// RUN: pipeline-opt %s --expand-math --cpu-tile=target=avx2 --vectorize --canonicalize | FileCheck %s --check-prefix=TWICE

// CHECK-LABEL: @exp
// CHECK:       %[[SUM:.*]] = math.fma {{.*}} : vector<16xf32>
// CHECK:       %[[POWER:.*]] = arith.subf %[[SUM]], {{.*}} : vector<16xf32>
// CHECK:       %[[EXP:.*]] = func.call @weft.scale.x16(%{{.*}}, %[[POWER]])
// CHECK:       vector.store %[[EXP]]
// TWICE-LABEL: @exp
// TWICE:       %[[NEAR:.*]] = arith.mulf {{.*}} : vector<16xf32>
// TWICE:       arith.mulf %[[NEAR]], {{.*}} {weft.scaled} : vector<16xf32>
// TWICE-NOT:   @weft.scale
func.func @exp(%img: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %out = pipeline.stage "out" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<64x64xf32>
    %1 = math.exp %0 : f32
    pipeline.yield %1 : f32
  } : tensor<64x64xf32>
  return %out : tensor<64x64xf32>
}

// Of bytes, four registers of floats are a vector: one behind the other.
// CHECK-LABEL: @bytes
// CHECK:         %[[POWERS:.*]] = arith.subf %{{.*}} : vector<64xf32>
// CHECK-COUNT-4: func.call @weft.scale.x16(%{{.*}}, %{{.*}}) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
// CHECK:         vector.shuffle {{.*}} : vector<32xf32>, vector<32xf32>
func.func @bytes(%img: tensor<64x64xi8>) -> tensor<64x64xi8> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 1, 64>} {
    %s = pipeline.stage "s" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<64x64xi8>
      %1 = arith.uitofp %0 : i8 to f32
      %2 = math.exp %1 : f32
      %3 = arith.fptoui %2 : f32 to i8
      pipeline.yield %3 : i8
    } : tensor<64x64xi8>
    pipeline.yield %s : tensor<64x64xi8>
  } : tensor<64x64xi8>
  return %out : tensor<64x64xi8>
}

// What stands for the instruction.
// CHECK-LABEL: func.func private @weft.scale.x16
// CHECK-SAME:  (%[[X:.*]]: vector<16xf32>, %[[N:.*]]: vector<16xf32>) -> vector<16xf32>
// CHECK:       %[[INTEGER:.*]] = llvm.call_intrinsic "llvm.fptosi.sat.v16i32.v16f32"(%[[N]])
// CHECK-NEXT:  %[[HALF:.*]] = arith.shrsi %[[INTEGER]], %{{.*}}
// CHECK-NEXT:  %[[REST:.*]] = arith.subi %[[INTEGER]], %[[HALF]]
// CHECK-NEXT:  %[[BIASED:.*]] = arith.addi %[[HALF]], %{{.*}}
// CHECK-NEXT:  %[[BITS:.*]] = arith.shli %[[BIASED]], %{{.*}}
// CHECK-NEXT:  %[[POWER:.*]] = arith.bitcast %[[BITS]]
// CHECK-NEXT:  %[[NEAR:.*]] = arith.mulf %[[X]], %[[POWER]]
// CHECK:       %[[BITS:.*]] = arith.shli {{.*}}
// CHECK-NEXT:  %[[POWER:.*]] = arith.bitcast %[[BITS]]
// CHECK-NEXT:  %[[PRODUCT:.*]] = arith.mulf %[[NEAR]], %[[POWER]]
// CHECK-NEXT:  return %[[PRODUCT]]
