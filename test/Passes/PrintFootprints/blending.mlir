// The fused parts of pyramid blending (Table 6), down by five taps as PolyMage has them. In @level1 and @level0 our numbers are the
// paper's, and PolyMage's are in all. See blending-coarse.mlir for the other part.

// RUN: pipeline-opt %s -print-footprints="tile=16x256" -o /dev/null 2>&1 | FileCheck %s

// CHECK-LABEL: // @level1: tile 3x16x256 scalene, 1x64x4 tiles, first interior (0, 1, 1)
// CHECK-NEXT: stage first interior tile largest redundant uniform-slope
// CHECK-NEXT: Ux_1_img1 [0, 3) x [16, 32) x [127, 257) 3x16x130 1.6% 3x16x131
// CHECK-NEXT: Uy_1_img1 [0, 3) x [16, 32) x [256, 512) 3x16x256 0.0% 3x16x262
// CHECK-NEXT: Ux_1_img2 [0, 3) x [16, 32) x [127, 257) 3x16x130 1.6% 3x16x131
// CHECK-NEXT: Uy_1_img2 [0, 3) x [16, 32) x [256, 512) 3x16x256 0.0% 3x16x262
// CHECK-NEXT: Res_1 [0, 3) x [16, 32) x [256, 512) 3x16x256 0.0% 3x16x262
// CHECK-NEXT: Col_1_x [0, 3) x [16, 32) x [127, 257) 3x16x130 1.6% 3x16x131
// CHECK-NEXT: Col_1 [0, 3) x [16, 32) x [256, 512) 3x16x256 0.0% 3x16x262
// CHECK-NEXT: (G_2_img1) [0, 3) x [7, 17) x [127, 257) 3x10x130
// CHECK-NEXT: (G_1_img1) [0, 3) x [16, 32) x [256, 512) 3x16x256
// CHECK-NEXT: (G_2_img2) [0, 3) x [7, 17) x [127, 257) 3x10x130
// CHECK-NEXT: (G_1_img2) [0, 3) x [16, 32) x [256, 512) 3x16x256
// CHECK-NEXT: (mask) [16, 32) x [256, 512) 16x256
// CHECK-NEXT: (Col_2) [0, 3) x [7, 17) x [127, 257) 3x10x130
// CHECK-LABEL: // @level0: tile 3x16x256 scalene, 1x128x8 tiles, first interior (0, 1, 1)
// CHECK-NEXT: stage first interior tile largest redundant uniform-slope
// CHECK-NEXT: Ux_0_img1 [0, 3) x [16, 32) x [127, 257) 3x16x130 1.6% 3x16x131
// CHECK-NEXT: Uy_0_img1 [0, 3) x [16, 32) x [256, 512) 3x16x256 0.0% 3x16x262
// CHECK-NEXT: Ux_0_img2 [0, 3) x [16, 32) x [127, 257) 3x16x130 1.6% 3x16x131
// CHECK-NEXT: Uy_0_img2 [0, 3) x [16, 32) x [256, 512) 3x16x256 0.0% 3x16x262
// CHECK-NEXT: Res_0 [0, 3) x [16, 32) x [256, 512) 3x16x256 0.0% 3x16x262
// CHECK-NEXT: blend_x [0, 3) x [16, 32) x [127, 257) 3x16x130 1.6% 3x16x131
// CHECK-NEXT: blend [0, 3) x [16, 32) x [256, 512) 3x16x256 0.0% 3x16x262
// CHECK-NEXT: (G_1_img1) [0, 3) x [7, 17) x [127, 257) 3x10x130
// CHECK-NEXT: (G_0_img1) [0, 3) x [16, 32) x [256, 512) 3x16x256
// CHECK-NEXT: (G_1_img2) [0, 3) x [7, 17) x [127, 257) 3x10x130
// CHECK-NEXT: (G_0_img2) [0, 3) x [16, 32) x [256, 512) 3x16x256
// CHECK-NEXT: (mask) [16, 32) x [256, 512) 16x256
// CHECK-NEXT: (Col_1) [0, 3) x [7, 17) x [127, 257) 3x10x130

func.func @level1(%mask: tensor<1024x1024xf32> {weft.name = "mask"},
    %Col_2: tensor<3x512x512xf32> {weft.name = "Col_2"},
    %G_1_img1: tensor<3x1024x1024xf32> {weft.name = "G_1_img1"},
    %G_2_img1: tensor<3x512x512xf32> {weft.name = "G_2_img1"},
    %G_1_img2: tensor<3x1024x1024xf32> {weft.name = "G_1_img2"},
    %G_2_img2: tensor<3x512x512xf32> {weft.name = "G_2_img2"}) -> tensor<3x1024x1024xf32> {
  %Ux_1_img1 = pipeline.stage "Ux_1_img1" (%c, %y, %x) {
    %0 = pipeline.load %G_2_img1[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x512x512xf32>
    %1 = pipeline.load %G_2_img1[%c, %y floordiv 2, %x] clamp : tensor<3x512x512xf32>
    %2 = pipeline.load %G_2_img1[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x512x512xf32>
    %3 = pipeline.load %G_2_img1[%c, (%y - 1) floordiv 2, %x] clamp : tensor<3x512x512xf32>
    %4 = pipeline.load %G_2_img1[%c, (%y + 1) floordiv 2, %x] clamp : tensor<3x512x512xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<3x1024x512xf32>
  %Uy_1_img1 = pipeline.stage "Uy_1_img1" (%c, %y, %x) {
    %0 = pipeline.load %G_1_img1[%c, %y, %x] clamp : tensor<3x1024x1024xf32>
    %1 = pipeline.load %Ux_1_img1[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x1024x512xf32>
    %2 = pipeline.load %Ux_1_img1[%c, %y, %x floordiv 2] clamp : tensor<3x1024x512xf32>
    %3 = pipeline.load %Ux_1_img1[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x1024x512xf32>
    %4 = pipeline.load %Ux_1_img1[%c, %y, (%x - 1) floordiv 2] clamp : tensor<3x1024x512xf32>
    %5 = pipeline.load %Ux_1_img1[%c, %y, (%x + 1) floordiv 2] clamp : tensor<3x1024x512xf32>
    %6 = arith.addf %0, %1 : f32
    %7 = arith.addf %6, %2 : f32
    %8 = arith.addf %7, %3 : f32
    %9 = arith.addf %8, %4 : f32
    %10 = arith.addf %9, %5 : f32
    pipeline.yield %10 : f32
  } : tensor<3x1024x1024xf32>
  %Ux_1_img2 = pipeline.stage "Ux_1_img2" (%c, %y, %x) {
    %0 = pipeline.load %G_2_img2[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x512x512xf32>
    %1 = pipeline.load %G_2_img2[%c, %y floordiv 2, %x] clamp : tensor<3x512x512xf32>
    %2 = pipeline.load %G_2_img2[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x512x512xf32>
    %3 = pipeline.load %G_2_img2[%c, (%y - 1) floordiv 2, %x] clamp : tensor<3x512x512xf32>
    %4 = pipeline.load %G_2_img2[%c, (%y + 1) floordiv 2, %x] clamp : tensor<3x512x512xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<3x1024x512xf32>
  %Uy_1_img2 = pipeline.stage "Uy_1_img2" (%c, %y, %x) {
    %0 = pipeline.load %G_1_img2[%c, %y, %x] clamp : tensor<3x1024x1024xf32>
    %1 = pipeline.load %Ux_1_img2[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x1024x512xf32>
    %2 = pipeline.load %Ux_1_img2[%c, %y, %x floordiv 2] clamp : tensor<3x1024x512xf32>
    %3 = pipeline.load %Ux_1_img2[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x1024x512xf32>
    %4 = pipeline.load %Ux_1_img2[%c, %y, (%x - 1) floordiv 2] clamp : tensor<3x1024x512xf32>
    %5 = pipeline.load %Ux_1_img2[%c, %y, (%x + 1) floordiv 2] clamp : tensor<3x1024x512xf32>
    %6 = arith.addf %0, %1 : f32
    %7 = arith.addf %6, %2 : f32
    %8 = arith.addf %7, %3 : f32
    %9 = arith.addf %8, %4 : f32
    %10 = arith.addf %9, %5 : f32
    pipeline.yield %10 : f32
  } : tensor<3x1024x1024xf32>
  %Res_1 = pipeline.stage "Res_1" (%c, %y, %x) {
    %0 = pipeline.load %Uy_1_img1[%c, %y, %x] clamp : tensor<3x1024x1024xf32>
    %1 = pipeline.load %Uy_1_img2[%c, %y, %x] clamp : tensor<3x1024x1024xf32>
    %2 = pipeline.load %mask[%y, %x] clamp : tensor<1024x1024xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<3x1024x1024xf32>
  %Col_1_x = pipeline.stage "Col_1_x" (%c, %y, %x) {
    %0 = pipeline.load %Col_2[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x512x512xf32>
    %1 = pipeline.load %Col_2[%c, %y floordiv 2, %x] clamp : tensor<3x512x512xf32>
    %2 = pipeline.load %Col_2[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x512x512xf32>
    %3 = pipeline.load %Col_2[%c, (%y - 1) floordiv 2, %x] clamp : tensor<3x512x512xf32>
    %4 = pipeline.load %Col_2[%c, (%y + 1) floordiv 2, %x] clamp : tensor<3x512x512xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<3x1024x512xf32>
  %Col_1 = pipeline.stage "Col_1" (%c, %y, %x) {
    %0 = pipeline.load %Res_1[%c, %y, %x] clamp : tensor<3x1024x1024xf32>
    %1 = pipeline.load %Col_1_x[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x1024x512xf32>
    %2 = pipeline.load %Col_1_x[%c, %y, %x floordiv 2] clamp : tensor<3x1024x512xf32>
    %3 = pipeline.load %Col_1_x[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x1024x512xf32>
    %4 = pipeline.load %Col_1_x[%c, %y, (%x - 1) floordiv 2] clamp : tensor<3x1024x512xf32>
    %5 = pipeline.load %Col_1_x[%c, %y, (%x + 1) floordiv 2] clamp : tensor<3x1024x512xf32>
    %6 = arith.addf %0, %1 : f32
    %7 = arith.addf %6, %2 : f32
    %8 = arith.addf %7, %3 : f32
    %9 = arith.addf %8, %4 : f32
    %10 = arith.addf %9, %5 : f32
    pipeline.yield %10 : f32
  } : tensor<3x1024x1024xf32>
  return %Col_1 : tensor<3x1024x1024xf32>
}

func.func @level0(%mask: tensor<2048x2048xf32> {weft.name = "mask"},
    %Col_1: tensor<3x1024x1024xf32> {weft.name = "Col_1"},
    %G_0_img1: tensor<3x2048x2048xf32> {weft.name = "G_0_img1"},
    %G_1_img1: tensor<3x1024x1024xf32> {weft.name = "G_1_img1"},
    %G_0_img2: tensor<3x2048x2048xf32> {weft.name = "G_0_img2"},
    %G_1_img2: tensor<3x1024x1024xf32> {weft.name = "G_1_img2"}) -> tensor<3x2048x2048xf32> {
  %Ux_0_img1 = pipeline.stage "Ux_0_img1" (%c, %y, %x) {
    %0 = pipeline.load %G_1_img1[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x1024x1024xf32>
    %1 = pipeline.load %G_1_img1[%c, %y floordiv 2, %x] clamp : tensor<3x1024x1024xf32>
    %2 = pipeline.load %G_1_img1[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x1024x1024xf32>
    %3 = pipeline.load %G_1_img1[%c, (%y - 1) floordiv 2, %x] clamp : tensor<3x1024x1024xf32>
    %4 = pipeline.load %G_1_img1[%c, (%y + 1) floordiv 2, %x] clamp : tensor<3x1024x1024xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<3x2048x1024xf32>
  %Uy_0_img1 = pipeline.stage "Uy_0_img1" (%c, %y, %x) {
    %0 = pipeline.load %G_0_img1[%c, %y, %x] clamp : tensor<3x2048x2048xf32>
    %1 = pipeline.load %Ux_0_img1[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x2048x1024xf32>
    %2 = pipeline.load %Ux_0_img1[%c, %y, %x floordiv 2] clamp : tensor<3x2048x1024xf32>
    %3 = pipeline.load %Ux_0_img1[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x2048x1024xf32>
    %4 = pipeline.load %Ux_0_img1[%c, %y, (%x - 1) floordiv 2] clamp : tensor<3x2048x1024xf32>
    %5 = pipeline.load %Ux_0_img1[%c, %y, (%x + 1) floordiv 2] clamp : tensor<3x2048x1024xf32>
    %6 = arith.addf %0, %1 : f32
    %7 = arith.addf %6, %2 : f32
    %8 = arith.addf %7, %3 : f32
    %9 = arith.addf %8, %4 : f32
    %10 = arith.addf %9, %5 : f32
    pipeline.yield %10 : f32
  } : tensor<3x2048x2048xf32>
  %Ux_0_img2 = pipeline.stage "Ux_0_img2" (%c, %y, %x) {
    %0 = pipeline.load %G_1_img2[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x1024x1024xf32>
    %1 = pipeline.load %G_1_img2[%c, %y floordiv 2, %x] clamp : tensor<3x1024x1024xf32>
    %2 = pipeline.load %G_1_img2[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x1024x1024xf32>
    %3 = pipeline.load %G_1_img2[%c, (%y - 1) floordiv 2, %x] clamp : tensor<3x1024x1024xf32>
    %4 = pipeline.load %G_1_img2[%c, (%y + 1) floordiv 2, %x] clamp : tensor<3x1024x1024xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<3x2048x1024xf32>
  %Uy_0_img2 = pipeline.stage "Uy_0_img2" (%c, %y, %x) {
    %0 = pipeline.load %G_0_img2[%c, %y, %x] clamp : tensor<3x2048x2048xf32>
    %1 = pipeline.load %Ux_0_img2[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x2048x1024xf32>
    %2 = pipeline.load %Ux_0_img2[%c, %y, %x floordiv 2] clamp : tensor<3x2048x1024xf32>
    %3 = pipeline.load %Ux_0_img2[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x2048x1024xf32>
    %4 = pipeline.load %Ux_0_img2[%c, %y, (%x - 1) floordiv 2] clamp : tensor<3x2048x1024xf32>
    %5 = pipeline.load %Ux_0_img2[%c, %y, (%x + 1) floordiv 2] clamp : tensor<3x2048x1024xf32>
    %6 = arith.addf %0, %1 : f32
    %7 = arith.addf %6, %2 : f32
    %8 = arith.addf %7, %3 : f32
    %9 = arith.addf %8, %4 : f32
    %10 = arith.addf %9, %5 : f32
    pipeline.yield %10 : f32
  } : tensor<3x2048x2048xf32>
  %Res_0 = pipeline.stage "Res_0" (%c, %y, %x) {
    %0 = pipeline.load %Uy_0_img1[%c, %y, %x] clamp : tensor<3x2048x2048xf32>
    %1 = pipeline.load %Uy_0_img2[%c, %y, %x] clamp : tensor<3x2048x2048xf32>
    %2 = pipeline.load %mask[%y, %x] clamp : tensor<2048x2048xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<3x2048x2048xf32>
  %blend_x = pipeline.stage "blend_x" (%c, %y, %x) {
    %0 = pipeline.load %Col_1[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x1024x1024xf32>
    %1 = pipeline.load %Col_1[%c, %y floordiv 2, %x] clamp : tensor<3x1024x1024xf32>
    %2 = pipeline.load %Col_1[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x1024x1024xf32>
    %3 = pipeline.load %Col_1[%c, (%y - 1) floordiv 2, %x] clamp : tensor<3x1024x1024xf32>
    %4 = pipeline.load %Col_1[%c, (%y + 1) floordiv 2, %x] clamp : tensor<3x1024x1024xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<3x2048x1024xf32>
  %blend = pipeline.stage "blend" (%c, %y, %x) {
    %0 = pipeline.load %Res_0[%c, %y, %x] clamp : tensor<3x2048x2048xf32>
    %1 = pipeline.load %blend_x[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x2048x1024xf32>
    %2 = pipeline.load %blend_x[%c, %y, %x floordiv 2] clamp : tensor<3x2048x1024xf32>
    %3 = pipeline.load %blend_x[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x2048x1024xf32>
    %4 = pipeline.load %blend_x[%c, %y, (%x - 1) floordiv 2] clamp : tensor<3x2048x1024xf32>
    %5 = pipeline.load %blend_x[%c, %y, (%x + 1) floordiv 2] clamp : tensor<3x2048x1024xf32>
    %6 = arith.addf %0, %1 : f32
    %7 = arith.addf %6, %2 : f32
    %8 = arith.addf %7, %3 : f32
    %9 = arith.addf %8, %4 : f32
    %10 = arith.addf %9, %5 : f32
    pipeline.yield %10 : f32
  } : tensor<3x2048x2048xf32>
  return %blend : tensor<3x2048x2048xf32>
}
