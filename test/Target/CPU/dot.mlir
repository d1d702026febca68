// pipeline-translate --to-dot: the graph of stages, with what each edge reads.

// RUN: pipeline-translate --to-dot --function=blur %s | FileCheck %s
// RUN: not pipeline-translate --to-dot --function=sharpen %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: sharpen

// CHECK:      digraph "blur" {
// CHECK-DAG:    [[IMG:[0-9]+]] [ label="img\ntensor<8x8xf32>"
// CHECK-DAG:    [[A:[0-9]+]] [ label="blurx\ntensor<8x8xf32>"
// CHECK-DAG:    [[B:[0-9]+]] [ label="blury\ntensor<8x8xf32>"
// CHECK-DAG:    [[OUT:[0-9]+]] [ label="blurred"
// CHECK-DAG:    [[IMG]] -> [[A]] [ label="[y, x - 1 | x + 1] clamp"
// CHECK-DAG:    [[A]] -> [[B]] [ label="[y - 1 | y, x] mirror"
// CHECK-DAG:    [[B]] -> [[OUT]]
// CHECK:      }
func.func @blur(%img: tensor<8x8xf32> {weft.name = "img"}) -> (tensor<8x8xf32> {weft.name = "blurred"}) {
  %a = pipeline.stage "blurx" (%y, %x) {
    %0 = pipeline.load %img[%y, %x - 1] clamp : tensor<8x8xf32>
    %1 = pipeline.load %img[%y, %x + 1] clamp : tensor<8x8xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<8x8xf32>
  %b = pipeline.stage "blury" (%y, %x) {
    %0 = pipeline.load %a[%y - 1, %x] mirror : tensor<8x8xf32>
    %1 = pipeline.load %a[%y, %x] mirror : tensor<8x8xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<8x8xf32>
  return %b : tensor<8x8xf32>
}

func.func @other(%v: f32) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
