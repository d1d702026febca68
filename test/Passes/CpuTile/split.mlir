// A group that has no sliding tiles is split before the producer that is in the way.

// RUN: pipeline-opt %s --cpu-tile=target=zen5 --canonicalize --cse | FileCheck %s
// RUN: not pipeline-opt %s --cpu-tile=target=z80 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: {{.*}}option 'target': CPU 'z80' is not known, expected host, zen3, zen4, zen5, emerald_rapids, cascade_lake, avx2, sse, cortex_a15 or FILE.toml

// Rows of "a" would be columns of "b".
// CHECK-LABEL: @transposed
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
// CHECK: scf.parallel
// CHECK: scf.parallel
func.func @transposed(%img: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 8, 32>} {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<64x64xf32>
      pipeline.yield %0 : f32
    } : tensor<64x64xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %a[%x, %y] : tensor<64x64xf32>
      pipeline.yield %0 : f32
    } : tensor<64x64xf32>
    pipeline.yield %b : tensor<64x64xf32>
  } : tensor<64x64xf32>
  return %out : tensor<64x64xf32>
}

// A stage that is read and leaves the group, too, is copied from its window.
// CHECK-LABEL: @both
// CHECK-SAME: (%{{.*}}: memref<64x64xf32, {{.*}}>, %[[A:.*]]: memref<64x64xf32, {{.*}}>, %[[B:.*]]: memref<64x64xf32, {{.*}}>)
// CHECK: %[[W:.*]] = memref.alloc() {{.*}} : memref<8x528xf32>
// CHECK: memref.store %{{.*}}, %[[W]]
// CHECK: %[[V:.*]] = memref.load %[[W]]
// CHECK: memref.store %[[V]], %[[A]]
// CHECK: memref.store %{{.*}}, %[[B]]
func.func @both(%img: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %out:2 = pipeline.group "g0" {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<64x64xf32>
      %1 = arith.addf %0, %0 : f32
      pipeline.yield %1 : f32
    } : tensor<64x64xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %a[%y - 1, %x] clamp : tensor<64x64xf32>
      %1 = pipeline.load %a[%y, %x] : tensor<64x64xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<64x64xf32>
    pipeline.yield %a, %b : tensor<64x64xf32>, tensor<64x64xf32>
  } : tensor<64x64xf32>, tensor<64x64xf32>
  return %out#0, %out#1 : tensor<64x64xf32>, tensor<64x64xf32>
}
