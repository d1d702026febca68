// Groups by cost: what is merged, what is not, and in which order groups stand.

// RUN: pipeline-opt %s -split-input-file -fuse="strategy=dp target=h200" | FileCheck %s --check-prefixes=CHECK,DP
// RUN: pipeline-opt %s -split-input-file -fuse | FileCheck %s --check-prefixes=CHECK,DP
// RUN: pipeline-opt %s -split-input-file -fuse="strategy=greedy target=h200" | FileCheck %s --check-prefixes=CHECK,GREEDY
// RUN: pipeline-opt %s -split-input-file -fuse="strategy=dp target=h200 schedules=false" | FileCheck %s --check-prefix=PLAIN
// RUN: pipeline-opt %s -split-input-file -fuse="strategy=dp target=h200 schedule={tile = array<i64: 4, 64>}" | FileCheck %s --check-prefix=HAND

// A producer and its consumer on a large image: one kernel, for dp a strip of a warp, which may walk down, for greedy a tile of a block.
// CHECK-LABEL: @chain
// DP:          pipeline.group "g0" schedule {block = array<i64: 4, 32>, layout = "blocked", {{(stream = "y", )?}}tile = array<i64: {{[0-9]+}}, {{[0-9]+}}>, vector = {{[24]}} : i64} {
// GREEDY:      pipeline.group "g0" schedule {block = array<i64: {{[0-9]+}}, {{[0-9]+}}>, scope = "block", tile = array<i64: {{[0-9]+}}, {{[0-9]+}}>} {
// CHECK:         pipeline.stage "a"
// CHECK:         pipeline.stage "b"
// CHECK-NOT:   pipeline.group
// PLAIN-LABEL: @chain
// PLAIN:       pipeline.group "g0" {
// PLAIN-NOT:   schedule
// PLAIN:       return
// HAND-LABEL:  @chain
// HAND:        pipeline.group "g0" schedule {tile = array<i64: 4, 64>} {
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

// No box of "a" is what a tile of "b" reads, which transposes it: two kernels, the producer's first.
// CHECK-LABEL: @transposed
// CHECK:       pipeline.group "g0"
// CHECK:         pipeline.stage "a"
// CHECK:       pipeline.group "g1"
// CHECK:         pipeline.stage "b"
func.func @transposed(%img: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<1024x1024xf32>
    %1 = arith.addf %0, %0 : f32
    pipeline.yield %1 : f32
  } : tensor<1024x1024xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x] : tensor<1024x1024xf32>
    %1 = pipeline.load %a[%x, %y] : tensor<1024x1024xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<1024x1024xf32>
  return %b : tensor<1024x1024xf32>
}

// -----

// What is written by hand stays, with its schedule; what stands before it and behind it is grouped apart.
// CHECK-LABEL: @hand
// CHECK:       pipeline.group "g0" schedule
// CHECK:         pipeline.stage "a"
// CHECK:       pipeline.group "mine" schedule {tile = array<i64: 16, 32>} {
// CHECK:         pipeline.stage "b"
// CHECK:       pipeline.group "g1" schedule
// CHECK:         pipeline.stage "c"
func.func @hand(%img: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<512x512xf32>
    %1 = arith.negf %0 : f32
    pipeline.yield %1 : f32
  } : tensor<512x512xf32>
  %g = pipeline.group "mine" schedule {tile = array<i64: 16, 32>} {
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %a[%y, %x + 1] clamp : tensor<512x512xf32>
      pipeline.yield %0 : f32
    } : tensor<512x512xf32>
    pipeline.yield %b : tensor<512x512xf32>
  } : tensor<512x512xf32>
  %c = pipeline.stage "c" (%y, %x) {
    %0 = pipeline.load %g[%y, %x] : tensor<512x512xf32>
    %1 = arith.negf %0 : f32
    pipeline.yield %1 : f32
  } : tensor<512x512xf32>
  return %c : tensor<512x512xf32>
}

// -----

// Two chains that read the same image share a kernel, and one that reads another has its own. Greedy merges producers and
// consumers alone.
// CHECK-LABEL: @beside
// CHECK:       pipeline.group
// CHECK:         pipeline.stage "left"
// GREEDY:      pipeline.group
// DP-NOT:      pipeline.group
// CHECK:         pipeline.stage "right"
// CHECK:       pipeline.group
// CHECK:         pipeline.stage "other"
func.func @beside(%img: tensor<2048x2048xf32>, %second: tensor<2048x2048xf32>)
    -> (tensor<2048x2048xf32>, tensor<2048x2048xf32>, tensor<2048x2048xf32>) {
  %l = pipeline.stage "left" (%y, %x) {
    %0 = pipeline.load %img[%y, %x - 1] clamp : tensor<2048x2048xf32>
    pipeline.yield %0 : f32
  } : tensor<2048x2048xf32>
  %r = pipeline.stage "right" (%y, %x) {
    %0 = pipeline.load %img[%y, %x + 1] clamp : tensor<2048x2048xf32>
    pipeline.yield %0 : f32
  } : tensor<2048x2048xf32>
  %o = pipeline.stage "other" (%y, %x) {
    %0 = pipeline.load %second[%y, %x] : tensor<2048x2048xf32>
    pipeline.yield %0 : f32
  } : tensor<2048x2048xf32>
  return %l, %r, %o : tensor<2048x2048xf32>, tensor<2048x2048xf32>, tensor<2048x2048xf32>
}
