// Threads: x runs along the last dimension; what lies beyond the image does nothing.

// RUN: pipeline-opt %s -map-to-gpu -canonicalize -cse | FileCheck %s

// CHECK-LABEL: gpu.func @rank_1_g_s(
// CHECK-SAME:    nvvm.reqntid = array<i32: 256, 1, 1>
// CHECK-DAG:     %[[C256:.*]] = arith.constant 256 : index
// CHECK-DAG:     %[[C599:.*]] = arith.constant 599 : index
// CHECK-DAG:     %[[BLOCK:.*]] = gpu.block_id x
// CHECK-DAG:     %[[START:.*]] = arith.muli %[[BLOCK]], %[[C256]] : index
// CHECK-DAG:     %[[THREAD:.*]] = gpu.thread_id x
// CHECK:         %[[X:.*]] = arith.addi %[[START]], %[[THREAD]] : index
// CHECK:         %[[IN:.*]] = arith.cmpi sle, %[[X]], %[[C599]] : index
// CHECK-NEXT:    scf.if %[[IN]] {
// CHECK-NEXT:      memref.store %{{.*}}, %{{.*}}[%[[X]]]
// CHECK-NEXT:    }
// CHECK-NEXT:    gpu.return
// CHECK-LABEL: func.func @rank_1
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG:     %[[C256:.*]] = arith.constant 256 : index
// CHECK:         gpu.launch_func @rank_1_kernels::@rank_1_g_s blocks in (%[[C3]], %[[C1]], %[[C1]]) threads in (%[[C256]], %[[C1]], %[[C1]])
func.func @rank_1(%v: f32) -> tensor<600xf32> {
  %0 = pipeline.group "g" {
    %s = pipeline.stage "s" (%x) {
      pipeline.yield %v : f32
    } : tensor<600xf32>
    pipeline.yield %s : tensor<600xf32>
  } : tensor<600xf32>
  return %0 : tensor<600xf32>
}

// CHECK-LABEL: gpu.func @rank_2_g_s(
// CHECK-SAME:    nvvm.reqntid = array<i32: 32, 8, 1>
// CHECK:         gpu.thread_id x
// CHECK:         %[[X:.*]] = arith.addi
// CHECK:         gpu.thread_id y
// CHECK:         %[[Y:.*]] = arith.addi
// CHECK:         %[[IN_Y:.*]] = arith.cmpi sle, %[[Y]], %{{.*}} : index
// CHECK:         %[[IN_X:.*]] = arith.cmpi sle, %[[X]], %{{.*}} : index
// CHECK:         %[[IN:.*]] = arith.andi %[[IN_Y]], %[[IN_X]] : i1
// CHECK:         scf.if %[[IN]]
// CHECK:           memref.store %{{.*}}, %{{.*}}[%[[Y]], %[[X]]]
// CHECK-LABEL: func.func @rank_2
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[C7:.*]] = arith.constant 7 : index
// CHECK:         blocks in (%[[C7]], %[[C2]], %[[C1]])
func.func @rank_2(%v: f32) -> tensor<15x200xf32> {
  %0 = pipeline.group "g" {
    %s = pipeline.stage "s" (%y, %x) {
      pipeline.yield %v : f32
    } : tensor<15x200xf32>
    pipeline.yield %s : tensor<15x200xf32>
  } : tensor<15x200xf32>
  return %0 : tensor<15x200xf32>
}

// CHECK-LABEL: gpu.func @rank_3_g_s(
// CHECK-SAME:    nvvm.reqntid = array<i32: 32, 8, 1>
// One block has all rows and columns, and of each plane there is one: no thread is beyond the image.
// CHECK-DAG:     %[[X:.*]] = gpu.thread_id x
// CHECK-DAG:     %[[Y:.*]] = gpu.thread_id y
// CHECK-DAG:     %[[C:.*]] = gpu.block_id z
// CHECK-NEXT:    memref.store %{{.*}}, %{{.*}}[%[[C]], %[[Y]], %[[X]]]
// CHECK-LABEL: func.func @rank_3
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C3:.*]] = arith.constant 3 : index
// CHECK:         blocks in (%[[C1]], %[[C1]], %[[C3]])
func.func @rank_3(%v: f32) -> tensor<3x8x32xf32> {
  %0 = pipeline.group "g" {
    %s = pipeline.stage "s" (%c, %y, %x) {
      pipeline.yield %v : f32
    } : tensor<3x8x32xf32>
    pipeline.yield %s : tensor<3x8x32xf32>
  } : tensor<3x8x32xf32>
  return %0 : tensor<3x8x32xf32>
}

// n and c share z.
// CHECK-LABEL: gpu.func @rank_4_g_s(
// CHECK-SAME:    nvvm.reqntid = array<i32: 32, 8, 1>
// CHECK-DAG:     %[[C3:.*]] = arith.constant 3 : index
// CHECK:         gpu.block_id z
// CHECK-DAG:     %[[C:.*]] = arith.remsi %{{.*}}, %[[C3]] : index
// CHECK-DAG:     %[[N:.*]] = arith.divsi %{{.*}}, %[[C3]] : index
// CHECK:         memref.store %{{.*}}, %{{.*}}[%[[N]], %[[C]], %{{.*}}, %{{.*}}]
// CHECK-LABEL: func.func @rank_4
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C6:.*]] = arith.constant 6 : index
// CHECK:         blocks in (%[[C1]], %[[C1]], %[[C6]])
func.func @rank_4(%v: f32) -> tensor<2x3x8x32xf32> {
  %0 = pipeline.group "g" {
    %s = pipeline.stage "s" (%n, %c, %y, %x) {
      pipeline.yield %v : f32
    } : tensor<2x3x8x32xf32>
    pipeline.yield %s : tensor<2x3x8x32xf32>
  } : tensor<2x3x8x32xf32>
  return %0 : tensor<2x3x8x32xf32>
}

// CHECK-LABEL: gpu.func @schedule_g_s(
// CHECK-SAME:    nvvm.reqntid = array<i32: 64, 4, 2>
// CHECK-LABEL: func.func @schedule
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG:     %[[C64:.*]] = arith.constant 64 : index
// CHECK:         blocks in (%[[C2]], %[[C4]], %[[C8]]) threads in (%[[C64]], %[[C4]], %[[C2]])
func.func @schedule(%v: f32) -> tensor<16x16x128xf32> {
  %0 = pipeline.group "g" schedule {block = array<i64: 2, 4, 64>} {
    %s = pipeline.stage "s" (%c, %y, %x) {
      pipeline.yield %v : f32
    } : tensor<16x16x128xf32>
    pipeline.yield %s : tensor<16x16x128xf32>
  } : tensor<16x16x128xf32>
  return %0 : tensor<16x16x128xf32>
}

// Threads are for the needed part: place 0 of the grid is its first point.
// CHECK-LABEL: gpu.func @needed_g_s(
// CHECK-DAG:     %[[C300:.*]] = arith.constant 300 : index
// CHECK-DAG:     %[[C499:.*]] = arith.constant 499 : index
// CHECK-DAG:     %[[X:.*]] = arith.addi %{{.*}}, %[[C300]] : index
// CHECK:         arith.cmpi sle, %[[X]], %[[C499]] : index
// CHECK-LABEL: func.func @needed
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK:         blocks in (%[[C1]], %[[C1]], %[[C1]])
func.func @needed(%v: f32) -> tensor<600xf32> {
  %0 = pipeline.group "g" {
    %s = pipeline.stage "s" (%x) {
      pipeline.yield %v : f32
    } in [300, 500) : tensor<600xf32>
    pipeline.yield %s : tensor<600xf32>
  } : tensor<600xf32>
  return %0 : tensor<600xf32>
}
