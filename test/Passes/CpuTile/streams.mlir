// Rows that read nothing in common are computed together while their streams of memory are few: a CPU sees about sixteen of them coming.

// RUN: pipeline-opt %s --cpu-tile=target=zen5 --canonicalize --cse | FileCheck %s

// Four rows of four images.
// CHECK-LABEL: @four
// CHECK:       scf.for %{{.*}} = %{{.*}} step %c4 {
// CHECK:         scf.for
// CHECK-COUNT-16: memref.load
// CHECK-NOT:     memref.load
// CHECK:         weft.wide
func.func @four(%a: tensor<64x256xf32>, %b: tensor<64x256xf32>, %c: tensor<64x256xf32>, %d: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    %va = pipeline.load %a[%y, %x] : tensor<64x256xf32>
    %vb = pipeline.load %b[%y, %x] : tensor<64x256xf32>
    %vc = pipeline.load %c[%y, %x] : tensor<64x256xf32>
    %vd = pipeline.load %d[%y, %x] : tensor<64x256xf32>
    %s0 = arith.addf %va, %vb : f32
    %s1 = arith.addf %s0, %vc : f32
    %s2 = arith.addf %s1, %vd : f32
    pipeline.yield %s2 : f32
  } : tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}

// Of five, one row at a time.
// CHECK-LABEL: @five
// CHECK-NOT:   step %c4
// CHECK:         scf.for %{{.*}} = %c0 to %c256
// CHECK-COUNT-5: memref.load
// CHECK-NOT:     memref.load
// CHECK:       return
func.func @five(%a: tensor<64x256xf32>, %b: tensor<64x256xf32>, %c: tensor<64x256xf32>, %d: tensor<64x256xf32>, %e: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %0 = pipeline.stage "s" (%y, %x) {
    %va = pipeline.load %a[%y, %x] : tensor<64x256xf32>
    %vb = pipeline.load %b[%y, %x] : tensor<64x256xf32>
    %vc = pipeline.load %c[%y, %x] : tensor<64x256xf32>
    %vd = pipeline.load %d[%y, %x] : tensor<64x256xf32>
    %ve = pipeline.load %e[%y, %x] : tensor<64x256xf32>
    %s0 = arith.addf %va, %vb : f32
    %s1 = arith.addf %s0, %vc : f32
    %s2 = arith.addf %s1, %vd : f32
    %s3 = arith.addf %s2, %ve : f32
    pipeline.yield %s3 : f32
  } : tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}
