// strategy=segments: one kernel where that fits the GPU, and else segments.

// RUN: pipeline-opt %s -split-input-file -fuse="strategy=segments" | FileCheck %s
// RUN: pipeline-opt %s -split-input-file -fuse="strategy=segments" --remarks-filter=fuse -o %t.out 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: pipeline-opt %s -split-input-file --pipeline-to-ptx="strategy=segments" | FileCheck %s --check-prefix=CODE
// RUN: pipeline-opt %s -split-input-file --pipeline-to-ptx="strategy=segments tiling=block" | FileCheck %s --check-prefix=CODE
// CODE: .visible .entry

// Each stage alone, and both.
// COUNT: remark: [Analysis] groups | Category:fuse | count=1
// COUNT: remark: [Analysis] evaluated | Category:fuse | count=3
// CHECK-LABEL: @chain
// CHECK:       pipeline.group "g0" schedule {block = array<i64: 4, 32>, {{.*}}tile = array<i64: {{[0-9]+}}, {{[0-9]+}}>
// CHECK:         pipeline.stage "a"
// CHECK:         pipeline.stage "b"
// CHECK-NOT:   pipeline.group
func.func @chain(%img: tensor<2160x3840xf32>) -> tensor<2160x3840xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x - 1] clamp : tensor<2160x3840xf32>
    %1 = pipeline.load %img[%y, %x + 1] clamp : tensor<2160x3840xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<2160x3840xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y - 1, %x] clamp : tensor<2160x3840xf32>
    %1 = pipeline.load %a[%y + 1, %x] clamp : tensor<2160x3840xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<2160x3840xf32>
  return %b : tensor<2160x3840xf32>
}

// -----

// "c" transposes "b", so the three are no kernel: the first part that fits is {a, b}, and a third stage does not fit into it.
// CHECK-LABEL: @transposed
// CHECK:       pipeline.group "g0"
// CHECK:         pipeline.stage "a"
// CHECK:         pipeline.stage "b"
// CHECK:       pipeline.group "g1"
// CHECK:         pipeline.stage "c"
func.func @transposed(%img: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x - 1] clamp : tensor<1024x1024xf32>
    %1 = pipeline.load %img[%y, %x + 1] clamp : tensor<1024x1024xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<1024x1024xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y - 1, %x] clamp : tensor<1024x1024xf32>
    %1 = pipeline.load %a[%y + 1, %x] clamp : tensor<1024x1024xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<1024x1024xf32>
  %c = pipeline.stage "c" (%y, %x) {
    %0 = pipeline.load %b[%y, %x] : tensor<1024x1024xf32>
    %1 = pipeline.load %b[%x, %y] : tensor<1024x1024xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<1024x1024xf32>
  return %c : tensor<1024x1024xf32>
}

// -----

// Two programs side by side, that share no image: each is a pipeline.
// CHECK-LABEL: @beside
// CHECK:       pipeline.group "g0"
// CHECK:         pipeline.stage "left"
// CHECK:       pipeline.group "g1"
// CHECK:         pipeline.stage "right"
func.func @beside(%img: tensor<512x512xf32>, %second: tensor<512x512xf32>) -> (tensor<512x512xf32>, tensor<512x512xf32>) {
  %l = pipeline.stage "left" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<512x512xf32>
    %1 = arith.negf %0 : f32
    pipeline.yield %1 : f32
  } : tensor<512x512xf32>
  %r = pipeline.stage "right" (%y, %x) {
    %0 = pipeline.load %second[%y, %x] : tensor<512x512xf32>
    %1 = arith.negf %0 : f32
    pipeline.yield %1 : f32
  } : tensor<512x512xf32>
  return %l, %r : tensor<512x512xf32>, tensor<512x512xf32>
}
