// The hardware shuffles 32 bits: narrower values are widened, wider ones split.

// RUN: split-file %s %t
// RUN: sed 's/TYPE/f32/' %t/f.mlir | pipeline-opt -shuffle | FileCheck %s --check-prefixes=ALL,F32
// RUN: sed 's/TYPE/i32/' %t/f.mlir | pipeline-opt -shuffle | FileCheck %s --check-prefixes=ALL,I32
// RUN: sed 's/TYPE/f16/' %t/f.mlir | pipeline-opt -shuffle | FileCheck %s --check-prefixes=ALL,F16
// RUN: sed 's/TYPE/i16/' %t/f.mlir | pipeline-opt -shuffle | FileCheck %s --check-prefixes=ALL,I16
// RUN: sed 's/TYPE/i8/' %t/f.mlir | pipeline-opt -shuffle | FileCheck %s --check-prefixes=ALL,I8
// RUN: sed 's/TYPE/f64/' %t/f.mlir | pipeline-opt -shuffle | FileCheck %s --check-prefixes=ALL,F64
// RUN: sed 's/TYPE/i64/' %t/f.mlir | pipeline-opt -shuffle | FileCheck %s --check-prefixes=ALL,I64
// ALL: gpu.func @f

// F32:      %[[A:.*]] = memref.load
// F32-NEXT: gpu.shuffle idx %[[A]], %{{.*}} : f32
// F32-NOT:  gpu.shuffle

// I32:      %[[A:.*]] = memref.load
// I32-NEXT: gpu.shuffle idx %[[A]], %{{.*}} : i32
// I32-NOT:  gpu.shuffle

// F16:      %[[A:.*]] = memref.load
// F16-NEXT: %[[BITS:.*]] = arith.bitcast %[[A]] : f16 to i16
// F16-NEXT: %[[WIDE:.*]] = arith.extui %[[BITS]] : i16 to i32
// F16-NEXT: %[[MOVED:.*]], %{{.*}} = gpu.shuffle idx %[[WIDE]], %{{.*}} : i32
// F16-NEXT: %[[NARROW:.*]] = arith.trunci %[[MOVED]] : i32 to i16
// F16-NEXT: arith.bitcast %[[NARROW]] : i16 to f16
// F16-NOT:  gpu.shuffle

// I16:      arith.extui %{{.*}} : i16 to i32
// I16:      gpu.shuffle idx {{.*}} : i32
// I16-NEXT: arith.trunci %{{.*}} : i32 to i16
// I16-NOT:  gpu.shuffle

// I8:       arith.extui %{{.*}} : i8 to i32
// I8:       gpu.shuffle idx {{.*}} : i32
// I8-NEXT:  arith.trunci %{{.*}} : i32 to i8
// I8-NOT:   gpu.shuffle

// F64:      arith.bitcast %{{.*}} : f64 to i64
// F64:      %[[HIGH:.*]] = arith.shrui
// F64:      %[[LOW_WORD:.*]] = arith.trunci
// F64:      %[[LOW:.*]], %{{.*}} = gpu.shuffle idx %[[LOW_WORD]], %{{.*}} : i32
// F64:      %[[HIGH_WORD:.*]] = arith.trunci %[[HIGH]]
// F64:      %[[MOVED:.*]], %{{.*}} = gpu.shuffle idx %[[HIGH_WORD]], %{{.*}} : i32
// F64:      arith.shli
// F64:      %[[WHOLE:.*]] = arith.ori
// F64-NEXT: arith.bitcast %[[WHOLE]] : i64 to f64
// F64-NOT:  gpu.shuffle

// I64-COUNT-2: gpu.shuffle idx {{.*}} : i32
// I64-NOT:     gpu.shuffle

//--- f.mlir
!type = TYPE
gpu.module @m {
  gpu.func @f(%img: memref<640x!type, 1>, %out: memref<640x!type, 1>) kernel {
    %tile_x = warp.tile_id warps [4] lanes [32] : index
    %a = warp.compute "a" at (%tile_x) step [31] in [-1, 31) (%x) {
      %0 = memref.load %img[%x] : memref<640x!type, 1>
      warp.yield %0 : !type
    } : tensor<32x!type, #warp.cyclic<1>>
    %b = warp.compute "b" at (%tile_x) step [31] in [-1, 31) (%x) {
      %0 = warp.read %a[%x - 1] : tensor<32x!type, #warp.cyclic<1>>
      warp.yield %0 : !type
    } : tensor<32x!type, #warp.cyclic<1>>
    warp.write %b in [0, 31) to %out : tensor<32x!type, #warp.cyclic<1>>, memref<640x!type, 1>
    gpu.return
  }
}
