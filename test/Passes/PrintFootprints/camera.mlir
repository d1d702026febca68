// The fused part of the camera pipeline (Table 3). PolyMage's row is Table 3's; ours is nowhere above the paper's but for the columns
// of denoised. There it has 256, and 132 of deinterleaved, which reads two for each: 260 for the 130 that are needed.

// RUN: pipeline-opt %s -print-footprints="tile=64x256" -o /dev/null 2>&1 | FileCheck %s

// CHECK-LABEL: // @camera: tile 3x64x256 scalene, 1x31x11 tiles, first interior (0, 1, 1)
// CHECK-NEXT: stage first interior tile largest redundant uniform-slope
// CHECK-NEXT: denoised [62, 130) x [254, 514) 68x260 7.9% 80x272
// CHECK-NEXT: deinterleaved [0, 4) x [31, 65) x [127, 257) 4x34x130 7.9% 4x40x136
// CHECK-NEXT: g_gr [31, 65) x [127, 257) 34x130 7.9% 40x136
// CHECK-NEXT: r_r [32, 65) x [127, 256) 33x129 3.9% 40x136
// CHECK-NEXT: b_b [31, 64) x [128, 257) 33x129 3.9% 40x136
// CHECK-NEXT: g_gb [31, 65) x [127, 257) 34x130 7.9% 40x136
// CHECK-NEXT: g_r [32, 65) x [127, 256) 33x129 3.9% 40x136
// CHECK-NEXT: g_b [31, 64) x [128, 257) 33x129 3.9% 40x136
// CHECK-NEXT: r_gr [32, 64) x [128, 256) 32x128 0.0% 40x136
// CHECK-NEXT: b_gr [32, 64) x [128, 256) 32x128 0.0% 40x136
// CHECK-NEXT: r_gb [32, 64) x [128, 256) 32x128 0.0% 40x136
// CHECK-NEXT: b_gb [32, 64) x [128, 256) 32x128 0.0% 40x136
// CHECK-NEXT: r_b [32, 64) x [128, 256) 32x128 0.0% 40x136
// CHECK-NEXT: b_r [32, 64) x [128, 256) 32x128 0.0% 40x136
// CHECK-NEXT: redX1 [32, 64) x [256, 512) 32x256 0.0% 40x272
// CHECK-NEXT: redX2 [32, 64) x [256, 512) 32x256 0.0% 40x272
// CHECK-NEXT: red [64, 128) x [256, 512) 64x256 0.0% 80x272
// CHECK-NEXT: greenX1 [32, 64) x [256, 512) 32x256 0.0% 40x272
// CHECK-NEXT: greenX2 [32, 64) x [256, 512) 32x256 0.0% 40x272
// CHECK-NEXT: green [64, 128) x [256, 512) 64x256 0.0% 80x272
// CHECK-NEXT: blueX1 [32, 64) x [256, 512) 32x256 0.0% 40x272
// CHECK-NEXT: blueX2 [32, 64) x [256, 512) 32x256 0.0% 40x272
// CHECK-NEXT: blue [64, 128) x [256, 512) 64x256 0.0% 80x272
// CHECK-NEXT: corrected [0, 3) x [64, 128) x [256, 512) 3x64x256 0.0% 3x80x272
// CHECK-NEXT: processed [0, 3) x [64, 128) x [256, 512) 3x64x256 0.0% 3x80x272
// CHECK-NEXT: (img) [60, 132) x [252, 516) 72x264

func.func @camera(%img: tensor<1968x2592xf32> {weft.name = "img"}) -> tensor<3x1968x2592xf32> {
  %denoised = pipeline.stage "denoised" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] clamp : tensor<1968x2592xf32>
    %1 = pipeline.load %img[%y - 2, %x] clamp : tensor<1968x2592xf32>
    %2 = pipeline.load %img[%y + 2, %x] clamp : tensor<1968x2592xf32>
    %3 = pipeline.load %img[%y, %x - 2] clamp : tensor<1968x2592xf32>
    %4 = pipeline.load %img[%y, %x + 2] clamp : tensor<1968x2592xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<1968x2592xf32>
  %deinterleaved = pipeline.stage "deinterleaved" (%c, %y, %x) {
    %0 = pipeline.load %denoised[%y * 2, %x * 2] clamp : tensor<1968x2592xf32>
    %1 = pipeline.load %denoised[%y * 2, %x * 2 + 1] clamp : tensor<1968x2592xf32>
    %2 = pipeline.load %denoised[%y * 2 + 1, %x * 2] clamp : tensor<1968x2592xf32>
    %3 = pipeline.load %denoised[%y * 2 + 1, %x * 2 + 1] clamp : tensor<1968x2592xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<4x984x1296xf32>
  %g_gr = pipeline.stage "g_gr" (%y, %x) {
    %0 = pipeline.load %deinterleaved[0, %y, %x] clamp : tensor<4x984x1296xf32>
    pipeline.yield %0 : f32
  } : tensor<984x1296xf32>
  %r_r = pipeline.stage "r_r" (%y, %x) {
    %0 = pipeline.load %deinterleaved[1, %y, %x] clamp : tensor<4x984x1296xf32>
    pipeline.yield %0 : f32
  } : tensor<984x1296xf32>
  %b_b = pipeline.stage "b_b" (%y, %x) {
    %0 = pipeline.load %deinterleaved[2, %y, %x] clamp : tensor<4x984x1296xf32>
    pipeline.yield %0 : f32
  } : tensor<984x1296xf32>
  %g_gb = pipeline.stage "g_gb" (%y, %x) {
    %0 = pipeline.load %deinterleaved[3, %y, %x] clamp : tensor<4x984x1296xf32>
    pipeline.yield %0 : f32
  } : tensor<984x1296xf32>
  %g_r = pipeline.stage "g_r" (%y, %x) {
    %0 = pipeline.load %g_gb[%y - 1, %x] clamp : tensor<984x1296xf32>
    %1 = pipeline.load %g_gb[%y, %x] clamp : tensor<984x1296xf32>
    %2 = pipeline.load %g_gr[%y, %x + 1] clamp : tensor<984x1296xf32>
    %3 = pipeline.load %g_gr[%y, %x] clamp : tensor<984x1296xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<984x1296xf32>
  %g_b = pipeline.stage "g_b" (%y, %x) {
    %0 = pipeline.load %g_gr[%y + 1, %x] clamp : tensor<984x1296xf32>
    %1 = pipeline.load %g_gr[%y, %x] clamp : tensor<984x1296xf32>
    %2 = pipeline.load %g_gb[%y, %x - 1] clamp : tensor<984x1296xf32>
    %3 = pipeline.load %g_gb[%y, %x] clamp : tensor<984x1296xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<984x1296xf32>
  %r_gr = pipeline.stage "r_gr" (%y, %x) {
    %0 = pipeline.load %g_gr[%y, %x] clamp : tensor<984x1296xf32>
    %1 = pipeline.load %g_r[%y, %x] clamp : tensor<984x1296xf32>
    %2 = pipeline.load %g_r[%y, %x - 1] clamp : tensor<984x1296xf32>
    %3 = pipeline.load %r_r[%y, %x - 1] clamp : tensor<984x1296xf32>
    %4 = pipeline.load %r_r[%y, %x] clamp : tensor<984x1296xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<984x1296xf32>
  %b_gr = pipeline.stage "b_gr" (%y, %x) {
    %0 = pipeline.load %g_gr[%y, %x] clamp : tensor<984x1296xf32>
    %1 = pipeline.load %g_b[%y, %x] clamp : tensor<984x1296xf32>
    %2 = pipeline.load %g_b[%y - 1, %x] clamp : tensor<984x1296xf32>
    %3 = pipeline.load %b_b[%y, %x] clamp : tensor<984x1296xf32>
    %4 = pipeline.load %b_b[%y - 1, %x] clamp : tensor<984x1296xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<984x1296xf32>
  %r_gb = pipeline.stage "r_gb" (%y, %x) {
    %0 = pipeline.load %g_gb[%y, %x] clamp : tensor<984x1296xf32>
    %1 = pipeline.load %g_r[%y, %x] clamp : tensor<984x1296xf32>
    %2 = pipeline.load %g_r[%y + 1, %x] clamp : tensor<984x1296xf32>
    %3 = pipeline.load %r_r[%y, %x] clamp : tensor<984x1296xf32>
    %4 = pipeline.load %r_r[%y + 1, %x] clamp : tensor<984x1296xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<984x1296xf32>
  %b_gb = pipeline.stage "b_gb" (%y, %x) {
    %0 = pipeline.load %g_gb[%y, %x] clamp : tensor<984x1296xf32>
    %1 = pipeline.load %g_b[%y, %x] clamp : tensor<984x1296xf32>
    %2 = pipeline.load %g_b[%y, %x + 1] clamp : tensor<984x1296xf32>
    %3 = pipeline.load %b_b[%y, %x] clamp : tensor<984x1296xf32>
    %4 = pipeline.load %b_b[%y, %x + 1] clamp : tensor<984x1296xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<984x1296xf32>
  %r_b = pipeline.stage "r_b" (%y, %x) {
    %0 = pipeline.load %g_b[%y, %x] clamp : tensor<984x1296xf32>
    %1 = pipeline.load %g_r[%y, %x] clamp : tensor<984x1296xf32>
    %2 = pipeline.load %g_r[%y + 1, %x - 1] clamp : tensor<984x1296xf32>
    %3 = pipeline.load %g_r[%y, %x - 1] clamp : tensor<984x1296xf32>
    %4 = pipeline.load %g_r[%y + 1, %x] clamp : tensor<984x1296xf32>
    %5 = pipeline.load %r_r[%y, %x] clamp : tensor<984x1296xf32>
    %6 = pipeline.load %r_r[%y + 1, %x - 1] clamp : tensor<984x1296xf32>
    %7 = pipeline.load %r_r[%y, %x - 1] clamp : tensor<984x1296xf32>
    %8 = pipeline.load %r_r[%y + 1, %x] clamp : tensor<984x1296xf32>
    %9 = arith.addf %0, %1 : f32
    %10 = arith.addf %9, %2 : f32
    %11 = arith.addf %10, %3 : f32
    %12 = arith.addf %11, %4 : f32
    %13 = arith.addf %12, %5 : f32
    %14 = arith.addf %13, %6 : f32
    %15 = arith.addf %14, %7 : f32
    %16 = arith.addf %15, %8 : f32
    pipeline.yield %16 : f32
  } : tensor<984x1296xf32>
  %b_r = pipeline.stage "b_r" (%y, %x) {
    %0 = pipeline.load %g_r[%y, %x] clamp : tensor<984x1296xf32>
    %1 = pipeline.load %g_b[%y, %x] clamp : tensor<984x1296xf32>
    %2 = pipeline.load %g_b[%y - 1, %x + 1] clamp : tensor<984x1296xf32>
    %3 = pipeline.load %g_b[%y, %x + 1] clamp : tensor<984x1296xf32>
    %4 = pipeline.load %g_b[%y - 1, %x] clamp : tensor<984x1296xf32>
    %5 = pipeline.load %b_b[%y, %x] clamp : tensor<984x1296xf32>
    %6 = pipeline.load %b_b[%y - 1, %x + 1] clamp : tensor<984x1296xf32>
    %7 = pipeline.load %b_b[%y, %x + 1] clamp : tensor<984x1296xf32>
    %8 = pipeline.load %b_b[%y - 1, %x] clamp : tensor<984x1296xf32>
    %9 = arith.addf %0, %1 : f32
    %10 = arith.addf %9, %2 : f32
    %11 = arith.addf %10, %3 : f32
    %12 = arith.addf %11, %4 : f32
    %13 = arith.addf %12, %5 : f32
    %14 = arith.addf %13, %6 : f32
    %15 = arith.addf %14, %7 : f32
    %16 = arith.addf %15, %8 : f32
    pipeline.yield %16 : f32
  } : tensor<984x1296xf32>
  %redX1 = pipeline.stage "redX1" (%y, %x) {
    %0 = pipeline.load %r_gr[%y, %x floordiv 2] clamp : tensor<984x1296xf32>
    %1 = pipeline.load %r_r[%y, %x floordiv 2] clamp : tensor<984x1296xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<984x2592xf32>
  %redX2 = pipeline.stage "redX2" (%y, %x) {
    %0 = pipeline.load %r_b[%y, %x floordiv 2] clamp : tensor<984x1296xf32>
    %1 = pipeline.load %r_gb[%y, %x floordiv 2] clamp : tensor<984x1296xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<984x2592xf32>
  %red = pipeline.stage "red" (%y, %x) {
    %0 = pipeline.load %redX1[%y floordiv 2, %x] clamp : tensor<984x2592xf32>
    %1 = pipeline.load %redX2[%y floordiv 2, %x] clamp : tensor<984x2592xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<1968x2592xf32>
  %greenX1 = pipeline.stage "greenX1" (%y, %x) {
    %0 = pipeline.load %g_gr[%y, %x floordiv 2] clamp : tensor<984x1296xf32>
    %1 = pipeline.load %g_r[%y, %x floordiv 2] clamp : tensor<984x1296xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<984x2592xf32>
  %greenX2 = pipeline.stage "greenX2" (%y, %x) {
    %0 = pipeline.load %g_b[%y, %x floordiv 2] clamp : tensor<984x1296xf32>
    %1 = pipeline.load %g_gb[%y, %x floordiv 2] clamp : tensor<984x1296xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<984x2592xf32>
  %green = pipeline.stage "green" (%y, %x) {
    %0 = pipeline.load %greenX1[%y floordiv 2, %x] clamp : tensor<984x2592xf32>
    %1 = pipeline.load %greenX2[%y floordiv 2, %x] clamp : tensor<984x2592xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<1968x2592xf32>
  %blueX1 = pipeline.stage "blueX1" (%y, %x) {
    %0 = pipeline.load %b_gr[%y, %x floordiv 2] clamp : tensor<984x1296xf32>
    %1 = pipeline.load %b_r[%y, %x floordiv 2] clamp : tensor<984x1296xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<984x2592xf32>
  %blueX2 = pipeline.stage "blueX2" (%y, %x) {
    %0 = pipeline.load %b_b[%y, %x floordiv 2] clamp : tensor<984x1296xf32>
    %1 = pipeline.load %b_gb[%y, %x floordiv 2] clamp : tensor<984x1296xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<984x2592xf32>
  %blue = pipeline.stage "blue" (%y, %x) {
    %0 = pipeline.load %blueX1[%y floordiv 2, %x] clamp : tensor<984x2592xf32>
    %1 = pipeline.load %blueX2[%y floordiv 2, %x] clamp : tensor<984x2592xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<1968x2592xf32>
  %corrected = pipeline.stage "corrected" (%c, %y, %x) {
    %0 = pipeline.load %red[%y, %x] clamp : tensor<1968x2592xf32>
    %1 = pipeline.load %green[%y, %x] clamp : tensor<1968x2592xf32>
    %2 = pipeline.load %blue[%y, %x] clamp : tensor<1968x2592xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<3x1968x2592xf32>
  %processed = pipeline.stage "processed" (%c, %y, %x) {
    %0 = pipeline.load %corrected[%c, %y, %x] clamp : tensor<3x1968x2592xf32>
    pipeline.yield %0 : f32
  } : tensor<3x1968x2592xf32>
  return %processed : tensor<3x1968x2592xf32>
}
