// Planes that are computed together look up the same place: it is computed once for each of four rows, although MLIR thinks that an intrinsic may have effects.

// RUN: pipeline-opt %s --cpu-tile="target=zen5" | FileCheck %s

// CHECK-LABEL: @planes
// CHECK:       scf.for %{{.*}} {
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.fptosi.sat.i32.f32"
// CHECK-NOT:     llvm.call_intrinsic
// CHECK:       {weft.lanes = {{.*}}, weft.wide}
func.func @planes(%in: tensor<2x64x64xf32>, %at: tensor<64x64xf32>) -> tensor<2x64x64xf32> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 2, 64, 64>} {
    %s = pipeline.stage "s" (%c, %y, %x) {
      %v = pipeline.load %at[%y, %x] : tensor<64x64xf32>
      %i = arith.fptosi %v : f32 to i32
      %j = arith.index_cast %i : i32 to index
      %w = pipeline.gather %in[%c, %y, %j] clamp : tensor<2x64x64xf32>
      pipeline.yield %w : f32
    } : tensor<2x64x64xf32>
    pipeline.yield %s : tensor<2x64x64xf32>
  } : tensor<2x64x64xf32>
  return %out : tensor<2x64x64xf32>
}
