// RUN: pipeline-opt --convert-pipeline-to-loops --split-input-file %s | FileCheck %s
// RUN: pipeline-opt --fuse="strategy=all" --warp-tile --split-input-file %s | FileCheck %s --check-prefix=GPU

// A step reads one memory and writes another; the first goes where the last one ends in the memory of the result.

// CHECK-LABEL: func.func @heat(%arg0: memref<16xf32>, %arg1: index, %arg2: memref<16xf32>)
// CHECK: %[[OK:.*]] = arith.cmpi sge, %arg1, %{{.*}}
// CHECK: cf.assert %[[OK]], "{{.*}}iterate.mlir:[[# @LINE + 22]]:11: iterate \22heat\22 has a negative number of steps, expected arg1 >= 0"
// CHECK: %[[SPARE:.*]] = memref.alloc() {{.*}} : memref<16xf32>
// CHECK: %[[NONE:.*]] = arith.cmpi eq, %arg1, %{{.*}}
// CHECK: scf.if %[[NONE]] {
// CHECK: scf.for %[[X:.*]] =
// CHECK: %[[V:.*]] = memref.load %arg0[%[[X]]]
// CHECK: memref.store %[[V]], %arg2[%[[X]]]
// CHECK: %[[ODD:.*]] = arith.cmpi eq
// CHECK: %[[FIRST:.*]] = arith.select %[[ODD]], %arg2, %[[SPARE]]
// CHECK: %[[SECOND:.*]] = arith.select %[[ODD]], %[[SPARE]], %arg2
// CHECK: scf.for {{.*}} iter_args(%[[NOW:.*]] = %arg0, %[[NEXT:.*]] = %[[FIRST]], %[[BEHIND:.*]] = %[[SECOND]])
// CHECK: scf.for
// CHECK: memref.load %[[NOW]][
// CHECK: memref.store %{{.*}}, %[[NEXT]][
// CHECK: scf.yield %[[NEXT]], %[[BEHIND]], %[[NEXT]]
// CHECK: memref.dealloc %[[SPARE]]

// GPU-LABEL: func.func @heat
// GPU: scf.for {{.*}} iter_args(
// GPU-COUNT-1: gpu.launch_func @heat_kernels::@heat_g0
// GPU: scf.yield
func.func @heat(%img: tensor<16xf32>, %n: index) -> tensor<16xf32> {
  %last = pipeline.iterate "heat" %n (%u = %img : tensor<16xf32>) {
    %next = pipeline.stage "step" (%x) {
      %a = pipeline.load %u[%x - 1] clamp : tensor<16xf32>
      pipeline.yield %a : f32
    } : tensor<16xf32>
    pipeline.yield %next : tensor<16xf32>
  }
  return %last : tensor<16xf32>
}

// -----

// A state that a step only hands on is copied; one that two states become, too.

// CHECK-LABEL: func.func @copies
// CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %arg0, %[[Q:.*]] = %arg0, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: %[[V:.*]] = memref.load %[[Q]][%[[X:.*]]]
// CHECK-NEXT: memref.store %[[V]], %{{.*}}[%[[X]]]
// CHECK: scf.yield
func.func @copies(%img: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %c5 = arith.constant 5 : index
  %r:2 = pipeline.iterate "rotate" %c5 (%p = %img : tensor<16xf32>, %q = %img : tensor<16xf32>) {
    %next = pipeline.stage "step" (%x) {
      %a = pipeline.load %p[%x] : tensor<16xf32>
      pipeline.yield %a : f32
    } : tensor<16xf32>
    pipeline.yield %q, %next : tensor<16xf32>, tensor<16xf32>
  }
  return %r#0, %r#1 : tensor<16xf32>, tensor<16xf32>
}

// -----

// Extents of a state are those that it began with; a step must keep them.

// CHECK-LABEL: func.func @dynamic
// CHECK: cf.assert %{{.*}}, "{{.*}}state #0 of iterate \22crop\22 gets another extent in dimension 0, expected arg1 = arg0.x"
func.func @dynamic(%img: tensor<?xf32>, %w: index) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %last = pipeline.iterate "crop" %c2 (%u = %img : tensor<?xf32>) {
    %next = pipeline.stage "step" (%x) {
      %a = pipeline.load %u[%x] clamp : tensor<?xf32>
      pipeline.yield %a : f32
    } sized(%w) : tensor<?xf32>
    pipeline.yield %next : tensor<?xf32>
  }
  return %last : tensor<?xf32>
}

// -----

// A number in the body that depends on an image cannot be.

func.func @ok(%img: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %last = pipeline.iterate "dim" %c2 (%u = %img : tensor<?xf32>) {
    %w = tensor.dim %u, %c0 : tensor<?xf32>
    %next = pipeline.stage "step" (%x) {
      %a = pipeline.load %u[%x] clamp : tensor<?xf32>
      pipeline.yield %a : f32
    } sized(%w) : tensor<?xf32>
    pipeline.yield %next : tensor<?xf32>
  }
  return %last : tensor<?xf32>
}

// CHECK-LABEL: func.func @ok
// CHECK: memref.dim %arg0
// CHECK-NOT: gets another extent

// -----

// The caller's memory may have gaps between its rows, ours has none: the loop carries the type that both have.

// CHECK-LABEL: func.func @rows
// CHECK: %[[SPARE:.*]] = memref.alloc() {{.*}} : memref<4x16xf32>
// CHECK: %[[VIEW:.*]] = memref.cast %[[SPARE]] : memref<4x16xf32> to memref<4x16xf32, strided<[?, 1]>>
// CHECK: arith.select %{{.*}}, %arg2, %[[VIEW]] : memref<4x16xf32, strided<[?, 1]>>
// CHECK: memref.dealloc %[[SPARE]]
func.func @rows(%img: tensor<4x16xf32>, %n: index) -> tensor<4x16xf32> {
  %last = pipeline.iterate "rows" %n (%u = %img : tensor<4x16xf32>) {
    %next = pipeline.stage "step" (%y, %x) {
      %a = pipeline.load %u[%y, %x - 1] clamp : tensor<4x16xf32>
      pipeline.yield %a : f32
    } : tensor<4x16xf32>
    pipeline.yield %next : tensor<4x16xf32>
  }
  return %last : tensor<4x16xf32>
}
