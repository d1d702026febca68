// A stage of which no point serves two of its consumer's, all inside, has no tile: it is computed where it is read.

// RUN: pipeline-opt %s -fuse=strategy=all -warp-tile -split-input-file | FileCheck %s

// Without nested fusion it has one.
// RUN: pipeline-opt %s -fuse="strategy=all schedule={nested = false}" -warp-tile -split-input-file | FileCheck %s --check-prefix=FLAT
// RUN: pipeline-opt %s -infer-bounds -fuse="target=v100 nested=false" -split-input-file | FileCheck %s --check-prefix=CHOSEN
// FLAT-LABEL: gpu.func @pointwise_g0
// FLAT:       warp.compute "a"
// FLAT:       warp.compute "b"
// CHOSEN-LABEL: @pointwise
// CHOSEN:       pipeline.group "g0" schedule {{[{]}}{{.*}}nested = false

// CHECK-LABEL: gpu.func @pointwise_g0
func.func @pointwise(%img: tensor<6400x480xf32>) -> tensor<480x6400xf32> {
  // CHECK-NOT: warp.compute "a"
  // CHECK:     warp.compute "b"
  // CHECK:       warp.load %{{.*}}[%x, %y] :
  // CHECK:       %[[A:.*]] = arith.mulf
  // CHECK:       arith.addf %[[A]], %[[A]]
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<6400x480xf32>
    %v = arith.mulf %0, %0 : f32
    pipeline.yield %v : f32
  } : tensor<6400x480xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%x, %y] : tensor<6400x480xf32>
    %v = arith.addf %0, %0 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}

// -----

// Through a whole chain.
// CHECK-LABEL: gpu.func @chain_g0
// CHECK-COUNT-1: warp.compute
// CHECK-NOT:     warp.compute
// CHECK:         gpu.return
func.func @chain(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %v = pipeline.load %a[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %c = pipeline.stage "c" (%y, %x) {
    %v = pipeline.load %b[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %c : tensor<480x6400xf32>
}

// -----

// Points that neighbours read, two consumers with tiles of their own, a point that may lie outside, or a live-out: a tile.
// CHECK-LABEL: gpu.func @tiles_g0
// CHECK:       warp.compute "two_points"
// CHECK:       warp.compute "two_consumers"
// CHECK:       warp.compute "outside"
// CHECK:       warp.compute "live_out"
// CHECK:       warp.compute "reader"
func.func @tiles(%img: tensor<480x6400xf32>) -> (tensor<480x6400xf32>, tensor<480x6400xf32>, tensor<480x6400xf32>) {
  %a = pipeline.stage "two_points" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %b = pipeline.stage "two_consumers" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %c = pipeline.stage "outside" (%y, %x) {
    %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %d = pipeline.stage "live_out" (%y, %x) {
    %0 = pipeline.load %a[%y, %x] : tensor<480x6400xf32>
    %1 = pipeline.load %a[%y, %x - 1] clamp : tensor<480x6400xf32>
    %2 = pipeline.load %b[%y, %x] : tensor<480x6400xf32>
    %3 = pipeline.load %c[%y, %x - 1] clamp : tensor<480x6400xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %2, %3 : f32
    %v = arith.addf %4, %5 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %e = pipeline.stage "reader" (%y, %x) {
    %0 = pipeline.load %d[%y, %x] : tensor<480x6400xf32>
    %1 = pipeline.load %b[%y, %x] : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %d, %e, %e : tensor<480x6400xf32>, tensor<480x6400xf32>, tensor<480x6400xf32>
}

// -----

// Several points, none of which another point of the consumer reads: computed there, each once. There are two loads of the second plane.
// CHECK-LABEL: gpu.func @planes_g0
// CHECK-NOT:     warp.compute "rgb"
// CHECK:         warp.compute "grey"
// CHECK:           %[[RED:.*]] = warp.load %{{.*}}[0, %y, %x]
// CHECK-NEXT:      math.sqrt %[[RED]]
// CHECK-NEXT:      %[[GREEN:.*]] = warp.load %{{.*}}[1, %y, %x]
// CHECK-NEXT:      math.sqrt %[[GREEN]]
// CHECK-NEXT:      %[[BLUE:.*]] = warp.load %{{.*}}[2, %y, %x]
// CHECK-NEXT:      math.sqrt %[[BLUE]]
// CHECK-NOT:       math.sqrt
// CHECK:         gpu.return
func.func @planes(%img: tensor<3x480x6400xf32>) -> tensor<480x6400xf32> {
  %a = pipeline.stage "rgb" (%c, %y, %x) {
    %0 = pipeline.load %img[%c, %y, %x] : tensor<3x480x6400xf32>
    %v = math.sqrt %0 : f32
    pipeline.yield %v : f32
  } : tensor<3x480x6400xf32>
  %b = pipeline.stage "grey" (%y, %x) {
    %0 = pipeline.load %a[0, %y, %x] : tensor<3x480x6400xf32>
    %1 = pipeline.load %a[1, %y, %x] : tensor<3x480x6400xf32>
    %2 = pipeline.load %a[2, %y, %x] : tensor<3x480x6400xf32>
    %3 = pipeline.load %a[1, %y, %x] : tensor<3x480x6400xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %2, %3 : f32
    %v = arith.addf %4, %5 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}

// -----

// One point that other points of the consumer read, too: a row, or a pixel of a smaller image. A tile, so that it is computed once.
// CHECK-LABEL: gpu.func @shared_g0
// CHECK:         warp.compute "row"
// CHECK:         warp.compute "small"
// CHECK:         warp.compute "large"
func.func @shared(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  %r = pipeline.stage "row" (%y) {
    %0 = pipeline.load %img[%y, 0] : tensor<480x6400xf32>
    %v = math.sqrt %0 : f32
    pipeline.yield %v : f32
  } : tensor<480xf32>
  %s = pipeline.stage "small" (%y, %x) {
    %0 = pipeline.load %img[%y, %x * 2] : tensor<480x6400xf32>
    %v = math.sqrt %0 : f32
    pipeline.yield %v : f32
  } : tensor<480x3200xf32>
  %b = pipeline.stage "large" (%y, %x) {
    %0 = pipeline.load %r[%y] : tensor<480xf32>
    %1 = pipeline.load %s[%y, %x floordiv 2] : tensor<480x3200xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}

// -----

// Several consumers, which are computed in one stage: "a" is, too, once for both.
// CHECK-LABEL: gpu.func @consumers_g0
// CHECK-COUNT-1: warp.compute "d"
// CHECK-COUNT-1: math.sqrt
// CHECK-NOT:     math.sqrt
// CHECK-NOT:     warp.compute
// CHECK:         gpu.return
func.func @consumers(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
    %v = math.sqrt %0 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %a[%y, %x] : tensor<480x6400xf32>
    %v = arith.addf %0, %0 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %c = pipeline.stage "c" (%y, %x) {
    %0 = pipeline.load %a[%y, %x] : tensor<480x6400xf32>
    %v = arith.mulf %0, %0 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  %d = pipeline.stage "d" (%y, %x) {
    %0 = pipeline.load %b[%y, %x] : tensor<480x6400xf32>
    %1 = pipeline.load %c[%y, %x] : tensor<480x6400xf32>
    %v = arith.subf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %d : tensor<480x6400xf32>
}
