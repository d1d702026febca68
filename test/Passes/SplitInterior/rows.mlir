// Rows are aligned where the last index alone goes from column to column: row 0 of an image is, a transposed image and a diagonal are not.

// RUN: pipeline-opt %s -infer-bounds -warp-tile -split-interior -split-input-file | FileCheck %s

// CHECK-LABEL: gpu.func @row_
// CHECK:         memref.load %{{.*}}[%{{c0|y}}, %x]
// CHECK:       } {aligned} :
func.func @row(%img: tensor<480x6400xf32>) -> tensor<6400xf32> {
  %out = pipeline.group "g" schedule {tile = array<i64: 128>, block = array<i64: 128>, layout = "blocked", vector = 4 : i64} {
    %a = pipeline.stage "a" (%x) {
      %0 = pipeline.load %img[0, %x] : tensor<480x6400xf32>
      pipeline.yield %0 : f32
    } : tensor<6400xf32>
    pipeline.yield %a : tensor<6400xf32>
  } : tensor<6400xf32>
  return %out : tensor<6400xf32>
}

// -----

// CHECK-LABEL: gpu.func @transposed_
// CHECK:         memref.load %{{.*}}[%x, %y]
// CHECK-NEXT:    warp.yield
// CHECK-NEXT:  } :
// CHECK:         warp.write %{{.*}} {aligned}
func.func @transposed(%img: tensor<6400x480xf32>) -> tensor<480x6400xf32> {
  %out = pipeline.group "g" schedule {tile = array<i64: 2, 128>, block = array<i64: 128, 1>, layout = "blocked", vector = 4 : i64} {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%x, %y] : tensor<6400x480xf32>
      pipeline.yield %0 : f32
    } : tensor<480x6400xf32>
    pipeline.yield %a : tensor<480x6400xf32>
  } : tensor<480x6400xf32>
  return %out : tensor<480x6400xf32>
}

// -----

// CHECK-LABEL: gpu.func @diagonal_
// CHECK:         memref.load %{{.*}}[%x, %x]
// CHECK-NEXT:    warp.yield
// CHECK-NEXT:  } :
func.func @diagonal(%img: tensor<6400x6400xf32>) -> tensor<480x6400xf32> {
  %out = pipeline.group "g" schedule {tile = array<i64: 2, 128>, block = array<i64: 128, 1>, layout = "blocked", vector = 4 : i64} {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%x, %x] : tensor<6400x6400xf32>
      pipeline.yield %0 : f32
    } : tensor<480x6400xf32>
    pipeline.yield %a : tensor<480x6400xf32>
  } : tensor<480x6400xf32>
  return %out : tensor<480x6400xf32>
}
