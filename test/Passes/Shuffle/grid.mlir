// Lanes in rows and columns: what a lane wants of another row is a shuffle, of one of two registers, or of four where it wants another column, too.

// RUN: split-file %s %t
// RUN: pipeline-opt %t/kinds.mlir -shuffle | FileCheck %s
// DEFINE: %{grid} = strategy=all schedule={tile = array<i64: 4, 24>, block = array<i64: 16, 8>, fraction = 1.0 : f64
// RUN: pipeline-run %t/program.mlir --target simt --arg img=random:1 --pipeline-options='%{grid}}' --out out=%t/simt.npy
// RUN: pipeline-run %t/program.mlir --target simt --arg img=random:1 --pipeline-options='%{grid}, inputs = "shared"}' --out out=%t/inputs.npy
// RUN: pipeline-run %t/program.mlir --target reference --arg img=random:1 --out out=%t/reference.npy
// RUN: cmp %t/simt.npy %t/reference.npy
// RUN: cmp %t/inputs.npy %t/reference.npy

// CHECK-LABEL: gpu.func @kinds
// CHECK:       %[[LANE:.*]] = gpu.lane_id
// CHECK:       %[[Y:.*]] = arith.divui %[[LANE]], %c16
// CHECK:       %[[X:.*]] = arith.remui %[[LANE]], %c16
// Lane (y, x) wants row y + 1 of the two: the other one.
// CHECK-DAG:   %[[FROM_Y:.*]] = arith.cmpi sge, %[[Y]], %c1
// CHECK-DAG:   %[[FROM_X:.*]] = arith.cmpi sge, %[[X]], %c2
// Three rows of "a" are two registers, 18 columns two more; lanes beyond the box load its last point.
// CHECK:       %[[A00:.*]] = memref.load
// CHECK:       %[[A01:.*]] = memref.load
// CHECK:       %[[A10:.*]] = memref.load
// CHECK:       %[[A11:.*]] = memref.load
// A row further: one choice, one shuffle.
// CHECK:       %[[R:.*]] = arith.select %[[FROM_Y]], %[[A00]], %[[A10]]
// CHECK:       gpu.shuffle idx %[[R]],
// Two columns further: the same along columns.
// CHECK:       %[[C0:.*]] = arith.select %[[FROM_X]], %[[A00]], %[[A01]]
// CHECK:       gpu.shuffle idx %[[C0]],
// Both: of four registers.
// CHECK:       %[[C1:.*]] = arith.select %[[FROM_X]], %[[A10]], %[[A11]]
// CHECK:       %[[BOTH:.*]] = arith.select %[[FROM_Y]], %[[C0]], %[[C1]]
// CHECK:       gpu.shuffle idx %[[BOTH]],
// CHECK-NOT:   gpu.shuffle
// CHECK:       memref.store

//--- kinds.mlir
gpu.module @m {
  gpu.func @kinds(%img: memref<640x640xf32, 1>, %out: memref<640x640xf32, 1>) kernel {
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [2, 16] : index, index
    %a = warp.compute "a" at (%tile_y, %tile_x) step [2, 16] in [0, 3) x [0, 18) (%y, %x) {
      %0 = memref.load %img[%y, %x] : memref<640x640xf32, 1>
      warp.yield %0 : f32
    } : tensor<3x18xf32, #warp.grid<2, 16>>
    %b = warp.compute "b" at (%tile_y, %tile_x) step [2, 16] in [0, 2) x [0, 16) (%y, %x) {
      %own = warp.read %a[%y, %x] : tensor<3x18xf32, #warp.grid<2, 16>>
      %below = warp.read %a[%y + 1, %x] : tensor<3x18xf32, #warp.grid<2, 16>>
      %right = warp.read %a[%y, %x + 2] : tensor<3x18xf32, #warp.grid<2, 16>>
      %both = warp.read %a[%y + 1, %x + 2] : tensor<3x18xf32, #warp.grid<2, 16>>
      %0 = arith.addf %own, %below : f32
      %1 = arith.addf %0, %right : f32
      %2 = arith.addf %1, %both : f32
      warp.yield %2 : f32
    } : tensor<2x16xf32, #warp.grid<2, 16>>
    warp.write %b in [0, 2) x [0, 16) to %out : tensor<2x16xf32, #warp.grid<2, 16>>, memref<640x640xf32, 1>
    gpu.return
  }
}
//--- program.mlir
func.func @program(%img: tensor<37x75xf32> {weft.name = "img"}) -> (tensor<37x75xf32> {weft.name = "out"}) {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y - 1, %x - 1] mirror : tensor<37x75xf32>
    %1 = pipeline.load %img[%y, %x + 2] mirror : tensor<37x75xf32>
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %2, %1 : f32
    pipeline.yield %3 : f32
  } : tensor<37x75xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y - 3, %x + 9] clamp : tensor<37x75xf32>
    %1 = pipeline.load %a[%y + 1, %x - 1] clamp : tensor<37x75xf32>
    %2 = arith.subf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<37x75xf32>
  %out = pipeline.stage "out" (%y, %x) {
    %0 = pipeline.load %b[%y + 2, %x] clamp : tensor<37x75xf32>
    %1 = pipeline.load %a[%y, %x - 8] clamp : tensor<37x75xf32>
    %2 = pipeline.load %b[%y - 1, %x + 1] clamp : tensor<37x75xf32>
    %3 = arith.mulf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<37x75xf32>
  return %out : tensor<37x75xf32>
}
