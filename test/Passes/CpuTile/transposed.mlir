// What a stage reads down the columns of an image lies beside each other for many rows: these are computed together, so that it is transposed in registers.

// RUN: pipeline-opt %s --cpu-tile="target=zen5" | FileCheck %s
// RUN: pipeline-opt %s --cpu-tile="target=zen5" --canonicalize --vectorize --canonicalize | FileCheck %s --check-prefix=VECTORS

// CHECK-LABEL: @transposed
// CHECK:       scf.for %{{.*}} step %c16
// CHECK-COUNT-16: memref.load
// CHECK-COUNT-16: memref.store
// CHECK:       } {weft.lanes = 16 : i64

// VECTORS-LABEL: @transposed
// VECTORS:       scf.for %{{.*}} step %c16
// VECTORS-COUNT-16: vector.load {{.*}}, vector<16xf32>
// VECTORS-COUNT-64: vector.shuffle
// VECTORS-COUNT-16: vector.store {{.*}}, vector<16xf32>
func.func @transposed(%in: tensor<256x512xf32>) -> tensor<512x256xf32> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 128, 256>} {
    %s = pipeline.stage "s" (%y, %x) {
      %v = pipeline.load %in[%x, %y] : tensor<256x512xf32>
      pipeline.yield %v : f32
    } : tensor<512x256xf32>
    pipeline.yield %s : tensor<512x256xf32>
  } : tensor<512x256xf32>
  return %out : tensor<512x256xf32>
}
