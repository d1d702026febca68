// With `policy=caches` a stage is inlined where it is computed no more often than before, or where that is cheaper than an image.

// RUN: pipeline-opt %s "-inline-stages=policy=caches explain" -split-input-file -verify-diagnostics | FileCheck %s

// One plane of eight is read at each point: the others need not be there, whatever the stage costs.
// CHECK-LABEL: @plane
// CHECK-NOT:  pipeline.stage "exp"
// CHECK:      pipeline.stage "chosen" (%y, %x) {
// CHECK:        %[[I:.*]] = arith.minsi
// CHECK:        %[[V:.*]] = pipeline.gather %arg0[%[[I]], %y, %x - 1] clamp
// CHECK-NEXT:   %[[E:.*]] = math.exp %[[V]]
// CHECK-NEXT:   %[[P:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-NEXT:   %[[F:.*]] = arith.sitofp %[[P]]
func.func @plane(%img: tensor<8x16x16xf32>, %which: tensor<16x16xi32>) -> tensor<16x16xf32> {
  // expected-remark @+1 {{"exp" is inlined into "chosen": one stage reads it, at one point}}
  %a = pipeline.stage "exp" (%c, %y, %x) {
    %0 = pipeline.load %img[%c, %y, %x - 1] clamp : tensor<8x16x16xf32>
    %1 = math.exp %0 : f32
    %2 = arith.index_cast %c : index to i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %1, %3 : f32
    pipeline.yield %4 : f32
  } : tensor<8x16x16xf32>
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %b = pipeline.stage "chosen" (%y, %x) {
    %0 = pipeline.load %which[%y, %x] : tensor<16x16xi32>
    %1 = arith.index_cast %0 : i32 to index
    %2 = arith.maxsi %1, %c0 : index
    %3 = arith.minsi %2, %c7 : index
    %4 = pipeline.gather %a[%3, %y, %x] clamp : tensor<8x16x16xf32>
    pipeline.yield %4 : f32
  } : tensor<16x16xf32>
  return %b : tensor<16x16xf32>
}

// -----

// Where the plane may be none, the mode decides, and the body computes with the number of the plane.
// CHECK-LABEL: @outside
// CHECK:       pipeline.stage "number"
func.func @outside(%which: tensor<16x16xi32>) -> tensor<16x16xf32> {
  %a = pipeline.stage "number" (%c, %y, %x) {
    %2 = arith.index_cast %c : index to i32
    %3 = arith.sitofp %2 : i32 to f32
    pipeline.yield %3 : f32
  } : tensor<8x16x16xf32>
  %b = pipeline.stage "chosen" (%y, %x) {
    %0 = pipeline.load %which[%y, %x] : tensor<16x16xi32>
    %1 = arith.index_cast %0 : i32 to index
    %4 = pipeline.gather %a[%1, %y, %x] clamp : tensor<8x16x16xf32>
    pipeline.yield %4 : f32
  } : tensor<16x16xf32>
  return %b : tensor<16x16xf32>
}

// -----

// The window needs all planes and keeps the stage; one is computed again where it is chosen.
// CHECK-LABEL: @partly
// CHECK:       pipeline.stage "scaled"
// CHECK:       pipeline.stage "window"
// CHECK:       pipeline.stage "chosen"
// CHECK-NEXT:    pipeline.load %arg1
// CHECK:         pipeline.gather %arg0
func.func @partly(%img: tensor<8x16x16xf32>, %which: tensor<16x16xi8>) -> (tensor<8x16x16xf32>, tensor<16x16xf32>) {
  // expected-remark @+1 {{"scaled" is inlined into "chosen": one stage reads it, at one point}}
  %a = pipeline.stage "scaled" (%c, %y, %x) {
    %0 = pipeline.load %img[%c, %y, %x] : tensor<8x16x16xf32>
    %1 = arith.mulf %0, %0 : f32
    %2 = arith.addf %1, %0 : f32
    pipeline.yield %2 : f32
  } : tensor<8x16x16xf32>
  %b = pipeline.stage "window" (%c, %y, %x) {
    %0 = pipeline.load %a[%c, %y, %x - 1] clamp : tensor<8x16x16xf32>
    %1 = pipeline.load %a[%c, %y, %x + 1] clamp : tensor<8x16x16xf32>
    %2 = pipeline.load %a[%c, %y, %x + 2] clamp : tensor<8x16x16xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %2, %3 : f32
    pipeline.yield %4 : f32
  } : tensor<8x16x16xf32>
  %d = pipeline.stage "chosen" (%y, %x) {
    %0 = pipeline.load %which[%y, %x] : tensor<16x16xi8>
    %1 = arith.index_castui %0 : i8 to index
    %4 = pipeline.gather %a[%1, %y, %x] clamp : tensor<8x16x16xf32>
    pipeline.yield %4 : f32
  } : tensor<16x16xf32>
  return %b, %d : tensor<8x16x16xf32>, tensor<16x16xf32>
}

// -----

// A conversion is cheaper than a second image, of four times the size. What several neighbours read is not, if it is more than one operation.
// CHECK-LABEL: @conversion
// CHECK-NOT:   pipeline.stage "floating"
// CHECK:       pipeline.stage "polynomial"
// CHECK:       pipeline.stage "both"
func.func @conversion(%bytes: tensor<16x16xi8>, %img: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  // expected-remark @+2 {{"floating" is inlined into "both": one stage reads it, at one point}}
  // expected-remark @+1 {{"floating" is inlined into "sum": one stage reads it, at one point}}
  %a = pipeline.stage "floating" (%y, %x) {
    %0 = pipeline.load %bytes[%y, %x] : tensor<16x16xi8>
    %1 = arith.uitofp %0 : i8 to f32
    pipeline.yield %1 : f32
  } : tensor<16x16xf32>
  %b = pipeline.stage "polynomial" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<16x16xf32>
    %1 = arith.mulf %0, %0 : f32
    %2 = arith.addf %1, %0 : f32
    pipeline.yield %2 : f32
  } : tensor<16x16xf32>
  %s = pipeline.stage "sum" (%y, %x) {
    %0 = pipeline.load %a[%y, %x] : tensor<16x16xf32>
    %1 = pipeline.load %b[%y, %x - 1] clamp : tensor<16x16xf32>
    %2 = pipeline.load %b[%y - 1, %x + 1] clamp : tensor<16x16xf32>
    %3 = pipeline.load %b[%y - 1, %x] clamp : tensor<16x16xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %2, %3 : f32
    %6 = arith.addf %4, %5 : f32
    pipeline.yield %6 : f32
  } : tensor<16x16xf32>
  %t = pipeline.stage "both" (%y, %x) {
    %1 = pipeline.load %a[%y, %x] : tensor<16x16xf32>
    %2 = pipeline.load %b[%y + 1, %x + 1] clamp : tensor<16x16xf32>
    %3 = arith.addf %1, %2 : f32
    pipeline.yield %3 : f32
  } : tensor<16x16xf32>
  return %s, %t : tensor<16x16xf32>, tensor<16x16xf32>
}

// -----

// Three planes that are computed together have one luma.
// CHECK-LABEL: @luma
// CHECK-NOT:   "luma"
// CHECK:       pipeline.stage "out"
// CHECK:         pipeline.load %{{.*}}[1, %y, %x]
func.func @luma(%img: tensor<3x64x64xf32>) -> tensor<3x64x64xf32> {
  // expected-remark@+1 {{"luma" is inlined into "out": one stage reads it, at one point}}
  %luma = pipeline.stage "luma" (%y, %x) {
    %0 = pipeline.load %img[0, %y, %x] : tensor<3x64x64xf32>
    %1 = pipeline.load %img[1, %y, %x] : tensor<3x64x64xf32>
    %2 = pipeline.load %img[2, %y, %x] : tensor<3x64x64xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    %5 = math.sqrt %4 : f32
    pipeline.yield %5 : f32
  } : tensor<64x64xf32>
  %out = pipeline.stage "out" (%c, %y, %x) {
    %0 = pipeline.load %img[%c, %y, %x] : tensor<3x64x64xf32>
    %1 = pipeline.load %luma[%y, %x] : tensor<64x64xf32>
    %2 = arith.subf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<3x64x64xf32>
  return %out : tensor<3x64x64xf32>
}

// -----

// Eight planes are too many to be computed together.
// CHECK-LABEL: @many
// CHECK:       pipeline.stage "luma"
func.func @many(%img: tensor<8x64x64xf32>) -> tensor<8x64x64xf32> {
  %luma = pipeline.stage "luma" (%y, %x) {
    %0 = pipeline.load %img[0, %y, %x] : tensor<8x64x64xf32>
    %1 = pipeline.load %img[1, %y, %x] : tensor<8x64x64xf32>
    %2 = arith.addf %0, %1 : f32
    %3 = math.sqrt %2 : f32
    pipeline.yield %3 : f32
  } : tensor<64x64xf32>
  %out = pipeline.stage "out" (%c, %y, %x) {
    %0 = pipeline.load %img[%c, %y, %x] : tensor<8x64x64xf32>
    %1 = pipeline.load %luma[%y, %x] : tensor<64x64xf32>
    %2 = arith.subf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<8x64x64xf32>
  return %out : tensor<8x64x64xf32>
}

// -----

// Each plane would have a loop of its own.
// CHECK-LABEL: @loop
// CHECK:       pipeline.stage "worst"
func.func @loop(%img: tensor<3x64x64xf32>, %zero: f32) -> tensor<3x64x64xf32> {
  %worst = pipeline.stage "worst" (%y, %x) {
    %0 = pipeline.reduce (%r) in [0, 3) (%acc = %zero : f32) {
      %1 = pipeline.load %img[%r, %y, %x] : tensor<3x64x64xf32>
      %2 = arith.maximumf %acc, %1 : f32
      pipeline.yield %2 : f32
    } : f32
    %3 = math.sqrt %0 : f32
    pipeline.yield %3 : f32
  } : tensor<64x64xf32>
  %out = pipeline.stage "out" (%c, %y, %x) {
    %0 = pipeline.load %img[%c, %y, %x] : tensor<3x64x64xf32>
    %1 = pipeline.load %worst[%y, %x] : tensor<64x64xf32>
    %2 = arith.subf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<3x64x64xf32>
  return %out : tensor<3x64x64xf32>
}
