// Scatters: who owns a place, and what is shared.

// RUN: pipeline-opt %s --map-to-gpu --canonicalize --cse -split-input-file | FileCheck %s

// Floats have an owner; its places are in shared memory where there is room, lanes side by side.
// CHECK-LABEL: gpu.func @owned_g
// CHECK-SAME:    workgroup(%[[OWN:.*]] : memref<768xf32, #gpu.address_space<workgroup>>
// CHECK-SAME:    nvvm.reqntid = array<i32: 64, 1, 1>
// CHECK:         scf.for %[[P:.*]] =
// CHECK:           %[[ROW:.*]] = arith.muli %[[P]], %c64
// CHECK:           %[[AT:.*]] = arith.addi %[[ROW]], %thread
// CHECK:           memref.store %{{.*}}, %[[OWN]][%[[AT]]]
// CHECK:         scf.for
// CHECK:           arith.addf
// CHECK:         scf.for
// CHECK:           memref.load %[[OWN]]
// CHECK:           memref.store
// CHECK-NOT:     atomic
// CHECK-LABEL: func.func @owned(
func.func @owned(%img: tensor<64xf32>, %v: f32, %z: index) -> tensor<8x12xf32> {
  %0 = pipeline.scatter "g" (%y) over (%x) in [0, 8) from(%v : f32) combine "arith.addf" {
    %a = pipeline.load %img[%y * 8 + %x] : tensor<64xf32>
    pipeline.update %a at [%z] : f32
  } : tensor<8x12xf32>
  return %0 : tensor<8x12xf32>
}

// -----

// Where there is none, they are in the image.
// CHECK-LABEL: gpu.func @image_g
// CHECK-NOT:     workgroup(
// CHECK:         scf.for
// CHECK:           memref.store
// CHECK:         scf.for
// CHECK:           memref.load
// CHECK:           arith.mulf
// CHECK:           memref.store
// CHECK-LABEL: func.func @image(
func.func @image(%v: f32, %z: index) -> tensor<8x1200xf32> {
  %0 = pipeline.scatter "g" (%y) over (%x) in [0, 8) from(%v : f32) combine "arith.mulf" {
    pipeline.update %v at [%z] : f32
  } : tensor<8x1200xf32>
  return %0 : tensor<8x1200xf32>
}

// -----

// Without places there is a register.
// CHECK-LABEL: gpu.func @sum_g
// CHECK:         %[[SUM:.*]] = scf.for %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (f32) {
// CHECK:           %[[NEW:.*]] = arith.addf %[[ACC]], %{{.*}}
// CHECK:           scf.yield %[[NEW]]
// CHECK:         memref.store %[[SUM]]
// CHECK-LABEL: func.func @sum(
func.func @sum(%img: tensor<8x64xf32>, %v: f32) -> tensor<8xf32> {
  %0 = pipeline.scatter "g" (%y) over (%x) in [0, 64) from(%v : f32) combine "arith.addf" {
    %a = pipeline.load %img[%y, %x] : tensor<8x64xf32>
    pipeline.update %a at [] : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Integers without coordinates: blocks with places of their own, merged.
// CHECK-LABEL: gpu.func @hist_h_begin
// CHECK:         memref.store
// CHECK-LABEL: gpu.func @hist_h(
// CHECK-SAME:    workgroup(%[[OWN:.*]] : memref<256xi32, #gpu.address_space<workgroup>>
// CHECK:         memref.store %c0_i32, %[[OWN]]
// CHECK:         gpu.barrier
// Eight points are asked for before the first is counted; then those that are left, one by one.
// CHECK:         scf.for
// CHECK-COUNT-8:   memref.load %{{.*}} : memref<
// CHECK-NOT:       memref.load
// CHECK-COUNT-8:   memref.atomic_rmw addi %{{.*}}, %[[OWN]]
// CHECK:         scf.for
// CHECK:           memref.load
// CHECK:           memref.atomic_rmw addi %{{.*}}, %[[OWN]]
// CHECK:         gpu.barrier
// CHECK:         arith.cmpi ne, %{{.*}}, %c0_i32
// CHECK:         memref.atomic_rmw addi %{{.*}}, %h_out
// CHECK-LABEL: func.func @hist(
// CHECK:         gpu.launch_func @hist_kernels::@hist_h_begin
// CHECK:         gpu.launch_func @hist_kernels::@hist_h blocks in (%c256, %c1, %c1) threads in (%c256, %c1, %c1)
func.func @hist(%img: tensor<1024x1024xi8>, %zero: i32, %one: i32) -> tensor<256xi32> {
  %0 = pipeline.scatter "h" () over (%y, %x) in [0, 1024) x [0, 1024) from(%zero : i32) combine "arith.addi" {
    %a = pipeline.load %img[%y, %x] : tensor<1024x1024xi8>
    %bin = arith.index_castui %a : i8 to index
    pipeline.update %one at [%bin] : i32
  } : tensor<256xi32>
  return %0 : tensor<256xi32>
}

// -----

// More places than shared memory: in the image.
// CHECK-LABEL: gpu.func @large_h(
// CHECK-NOT:     workgroup(
// CHECK-NOT:     gpu.barrier
// CHECK:         memref.atomic_rmw maxs %{{.*}}, %h_out
func.func @large(%zero: i32, %n: index) -> tensor<65536xi32> {
  %0 = pipeline.scatter "h" () over (%x) in [0, %n) from(%zero : i32) combine "arith.maxsi" {
    %a = arith.index_cast %x : index to i32
    pipeline.update %a at [%x] : i32
  } : tensor<65536xi32>
  return %0 : tensor<65536xi32>
}

// -----

// Bytes: 32 bits in shared memory, one block.
// CHECK-LABEL: gpu.func @bytes_h(
// CHECK-SAME:    workgroup(%[[OWN:.*]] : memref<16xi32, #gpu.address_space<workgroup>>
// CHECK-SAME:    nvvm.reqntid = array<i32: 1024, 1, 1>
// CHECK:         %[[WIDE:.*]] = arith.extsi %{{.*}} : i8 to i32
// CHECK:         memref.atomic_rmw mins %{{.*}}, %[[OWN]]
// CHECK:         arith.trunci %{{.*}} : i32 to i8
// CHECK:         memref.store
// CHECK-NOT:     h_begin
// CHECK:         gpu.launch_func @bytes_kernels::@bytes_h blocks in (%c1, %c1, %c1)
func.func @bytes(%zero: i8, %n: index) -> tensor<16xi8> {
  %0 = pipeline.scatter "h" () over (%x) in [0, %n) from(%zero : i8) combine "arith.minsi" {
    %a = arith.index_cast %x : index to i8
    pipeline.update %a at [%x] : i8
  } : tensor<16xi8>
  return %0 : tensor<16xi8>
}

// -----

// Sums of floats have an owner, unless the program says that any order will do.
// CHECK-LABEL: gpu.func @ordered_h(
// CHECK-NOT:     atomic
// CHECK-LABEL: gpu.func @any_h_begin
// CHECK-LABEL: gpu.func @any_h(
// CHECK:         memref.atomic_rmw addf
func.func @ordered(%v: f32, %n: index) -> tensor<16xf32> {
  %0 = pipeline.scatter "h" () over (%x) in [0, %n) from(%v : f32) combine "arith.addf" {
    pipeline.update %v at [%x] : f32
  } : tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func @any(%v: f32, %n: index) -> tensor<16xf32> {
  %0 = pipeline.scatter "h" () over (%x) in [0, %n) from(%v : f32) combine "arith.addf" {
    pipeline.update %v at [%x] : f32
  } reassoc : tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// Channels are few coordinates: each has blocks of its own.
// CHECK-LABEL: gpu.func @channels_h(
// CHECK:         %block_id_y = gpu.block_id y
// CHECK:         gpu.launch_func @channels_kernels::@channels_h blocks in (%{{.*}}, %c3, %c1)
func.func @channels(%one: i32, %n: index) -> tensor<3x256xi32> {
  %0 = pipeline.scatter "h" (%c) over (%x) in [0, %n) from(%one : i32) combine "arith.addi" {
    pipeline.update %one at [%x] : i32
  } : tensor<3x256xi32>
  return %0 : tensor<3x256xi32>
}
