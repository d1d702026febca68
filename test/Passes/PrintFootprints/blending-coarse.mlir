// The coarse part of pyramid blending (Table 6). The tile is 16x256 of the finest columns in the group, those of Dx_2_mask, and so
// 16x128 of the live-out's. PolyMage's row is Table 6's. The paper's own has 134 columns of Dx_3, from which five taps cannot be had
// for 66 of Dy_3: that takes 2 * 65 + 5 = 135, and so on down the mask: 23x135 for 22x134, 23x273 for 22x266. With the four taps
// that it seems to have counted (@four_taps) all of it is met but the last, which is less than two columns for each of 134.

// RUN: pipeline-opt %s -print-footprints="tile=16x128" -o /dev/null 2>&1 | FileCheck %s

// CHECK-LABEL: // @five_taps: tile 3x16x128 scalene, 1x32x4 tiles, first interior (0, 1, 1)
// CHECK-NEXT: stage first interior tile largest redundant uniform-slope
// CHECK-NEXT: Dx_3_img1 [0, 3) x [7, 17) x [124, 259) 3x10x135 31.8% 3x14x152
// CHECK-NEXT: Dy_3_img1 [0, 3) x [7, 17) x [63, 129) 3x10x66 28.9% 3x14x76
// CHECK-NEXT: Dx_3_img2 [0, 3) x [7, 17) x [124, 259) 3x10x135 31.8% 3x14x152
// CHECK-NEXT: Dy_3_img2 [0, 3) x [7, 17) x [63, 129) 3x10x66 28.9% 3x14x76
// CHECK-NEXT: Dx_2_mask [12, 35) x [246, 519) 23x273 53.3% 28x304
// CHECK-NEXT: Dy_2_mask [12, 35) x [124, 259) 23x135 51.6% 28x152
// CHECK-NEXT: Dx_3_mask [7, 17) x [124, 259) 10x135 31.8% 14x152
// CHECK-NEXT: Dy_3_mask [7, 17) x [63, 129) 10x66 28.9% 14x76
// CHECK-NEXT: Ux_2_img1 [0, 3) x [16, 32) x [63, 129) 3x16x66 3.1% 3x28x76
// CHECK-NEXT: Uy_2_img1 [0, 3) x [16, 32) x [128, 256) 3x16x128 0.0% 3x28x152
// CHECK-NEXT: Ux_2_img2 [0, 3) x [16, 32) x [63, 129) 3x16x66 3.1% 3x28x76
// CHECK-NEXT: Uy_2_img2 [0, 3) x [16, 32) x [128, 256) 3x16x128 0.0% 3x28x152
// CHECK-NEXT: Res_3 [0, 3) x [7, 17) x [63, 129) 3x10x66 28.9% 3x14x76
// CHECK-NEXT: Res_2 [0, 3) x [16, 32) x [128, 256) 3x16x128 0.0% 3x28x152
// CHECK-NEXT: Col_2_x [0, 3) x [16, 32) x [63, 129) 3x16x66 3.1% 3x28x76
// CHECK-NEXT: Col_2 [0, 3) x [16, 32) x [128, 256) 3x16x128 0.0% 3x28x152
// CHECK-NEXT: (Dy_2_img1) [0, 3) x [12, 35) x [124, 259) 3x23x135
// CHECK-NEXT: (Dy_2_img2) [0, 3) x [12, 35) x [124, 259) 3x23x135
// CHECK-NEXT: (Dy_1_mask) [22, 71) x [246, 519) 49x273
// CHECK-LABEL: // @four_taps: tile 3x16x128 scalene, 1x32x4 tiles, first interior (0, 1, 1)
// CHECK-NEXT: stage first interior tile largest redundant uniform-slope
// CHECK-NEXT: Dx_3_img1 [0, 3) x [7, 17) x [125, 259) 3x10x134 30.9% 3x14x152
// CHECK-NEXT: Dy_3_img1 [0, 3) x [7, 17) x [63, 129) 3x10x66 28.9% 3x14x76
// CHECK-NEXT: Dx_2_mask [13, 35) x [249, 519) 22x270 45.0% 28x304
// CHECK-NEXT: Dy_2_mask [13, 35) x [125, 259) 22x134 43.9% 28x152
// CHECK-NEXT: Dx_3_mask [7, 17) x [125, 259) 10x134 30.9% 14x152
// CHECK-NEXT: Dy_3_mask [7, 17) x [63, 129) 10x66 28.9% 14x76
// CHECK-NEXT: Ux_2_img1 [0, 3) x [16, 32) x [63, 129) 3x16x66 3.1% 3x28x76
// CHECK-NEXT: Uy_2_img1 [0, 3) x [16, 32) x [128, 256) 3x16x128 0.0% 3x28x152
// CHECK-NEXT: Res_3 [0, 3) x [7, 17) x [63, 129) 3x10x66 28.9% 3x14x76
// CHECK-NEXT: Res_2 [0, 3) x [16, 32) x [128, 256) 3x16x128 0.0% 3x28x152
// CHECK-NEXT: Col_2_x [0, 3) x [16, 32) x [63, 129) 3x16x66 3.1% 3x28x76
// CHECK-NEXT: Col_2 [0, 3) x [16, 32) x [128, 256) 3x16x128 0.0% 3x28x152
// CHECK-NEXT: (Dy_2_img1) [0, 3) x [13, 35) x [125, 259) 3x22x134
// CHECK-NEXT: (Dy_1_mask) [25, 71) x [249, 519) 46x270

func.func @five_taps(%Dy_1_mask: tensor<1024x1024xf32> {weft.name = "Dy_1_mask"},
    %Dy_2_img1: tensor<3x512x512xf32> {weft.name = "Dy_2_img1"},
    %Dy_2_img2: tensor<3x512x512xf32> {weft.name = "Dy_2_img2"}) -> tensor<3x512x512xf32> {
  %Dx_3_img1 = pipeline.stage "Dx_3_img1" (%c, %y, %x) {
    %0 = pipeline.load %Dy_2_img1[%c, %y * 2 - 2, %x] clamp : tensor<3x512x512xf32>
    %1 = pipeline.load %Dy_2_img1[%c, %y * 2 - 1, %x] clamp : tensor<3x512x512xf32>
    %2 = pipeline.load %Dy_2_img1[%c, %y * 2, %x] clamp : tensor<3x512x512xf32>
    %3 = pipeline.load %Dy_2_img1[%c, %y * 2 + 1, %x] clamp : tensor<3x512x512xf32>
    %4 = pipeline.load %Dy_2_img1[%c, %y * 2 + 2, %x] clamp : tensor<3x512x512xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<3x256x512xf32>
  %Dy_3_img1 = pipeline.stage "Dy_3_img1" (%c, %y, %x) {
    %0 = pipeline.load %Dx_3_img1[%c, %y, %x * 2 - 2] clamp : tensor<3x256x512xf32>
    %1 = pipeline.load %Dx_3_img1[%c, %y, %x * 2 - 1] clamp : tensor<3x256x512xf32>
    %2 = pipeline.load %Dx_3_img1[%c, %y, %x * 2] clamp : tensor<3x256x512xf32>
    %3 = pipeline.load %Dx_3_img1[%c, %y, %x * 2 + 1] clamp : tensor<3x256x512xf32>
    %4 = pipeline.load %Dx_3_img1[%c, %y, %x * 2 + 2] clamp : tensor<3x256x512xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<3x256x256xf32>
  %Dx_3_img2 = pipeline.stage "Dx_3_img2" (%c, %y, %x) {
    %0 = pipeline.load %Dy_2_img2[%c, %y * 2 - 2, %x] clamp : tensor<3x512x512xf32>
    %1 = pipeline.load %Dy_2_img2[%c, %y * 2 - 1, %x] clamp : tensor<3x512x512xf32>
    %2 = pipeline.load %Dy_2_img2[%c, %y * 2, %x] clamp : tensor<3x512x512xf32>
    %3 = pipeline.load %Dy_2_img2[%c, %y * 2 + 1, %x] clamp : tensor<3x512x512xf32>
    %4 = pipeline.load %Dy_2_img2[%c, %y * 2 + 2, %x] clamp : tensor<3x512x512xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<3x256x512xf32>
  %Dy_3_img2 = pipeline.stage "Dy_3_img2" (%c, %y, %x) {
    %0 = pipeline.load %Dx_3_img2[%c, %y, %x * 2 - 2] clamp : tensor<3x256x512xf32>
    %1 = pipeline.load %Dx_3_img2[%c, %y, %x * 2 - 1] clamp : tensor<3x256x512xf32>
    %2 = pipeline.load %Dx_3_img2[%c, %y, %x * 2] clamp : tensor<3x256x512xf32>
    %3 = pipeline.load %Dx_3_img2[%c, %y, %x * 2 + 1] clamp : tensor<3x256x512xf32>
    %4 = pipeline.load %Dx_3_img2[%c, %y, %x * 2 + 2] clamp : tensor<3x256x512xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<3x256x256xf32>
  %Dx_2_mask = pipeline.stage "Dx_2_mask" (%y, %x) {
    %0 = pipeline.load %Dy_1_mask[%y * 2 - 2, %x] clamp : tensor<1024x1024xf32>
    %1 = pipeline.load %Dy_1_mask[%y * 2 - 1, %x] clamp : tensor<1024x1024xf32>
    %2 = pipeline.load %Dy_1_mask[%y * 2, %x] clamp : tensor<1024x1024xf32>
    %3 = pipeline.load %Dy_1_mask[%y * 2 + 1, %x] clamp : tensor<1024x1024xf32>
    %4 = pipeline.load %Dy_1_mask[%y * 2 + 2, %x] clamp : tensor<1024x1024xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<512x1024xf32>
  %Dy_2_mask = pipeline.stage "Dy_2_mask" (%y, %x) {
    %0 = pipeline.load %Dx_2_mask[%y, %x * 2 - 2] clamp : tensor<512x1024xf32>
    %1 = pipeline.load %Dx_2_mask[%y, %x * 2 - 1] clamp : tensor<512x1024xf32>
    %2 = pipeline.load %Dx_2_mask[%y, %x * 2] clamp : tensor<512x1024xf32>
    %3 = pipeline.load %Dx_2_mask[%y, %x * 2 + 1] clamp : tensor<512x1024xf32>
    %4 = pipeline.load %Dx_2_mask[%y, %x * 2 + 2] clamp : tensor<512x1024xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<512x512xf32>
  %Dx_3_mask = pipeline.stage "Dx_3_mask" (%y, %x) {
    %0 = pipeline.load %Dy_2_mask[%y * 2 - 2, %x] clamp : tensor<512x512xf32>
    %1 = pipeline.load %Dy_2_mask[%y * 2 - 1, %x] clamp : tensor<512x512xf32>
    %2 = pipeline.load %Dy_2_mask[%y * 2, %x] clamp : tensor<512x512xf32>
    %3 = pipeline.load %Dy_2_mask[%y * 2 + 1, %x] clamp : tensor<512x512xf32>
    %4 = pipeline.load %Dy_2_mask[%y * 2 + 2, %x] clamp : tensor<512x512xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<256x512xf32>
  %Dy_3_mask = pipeline.stage "Dy_3_mask" (%y, %x) {
    %0 = pipeline.load %Dx_3_mask[%y, %x * 2 - 2] clamp : tensor<256x512xf32>
    %1 = pipeline.load %Dx_3_mask[%y, %x * 2 - 1] clamp : tensor<256x512xf32>
    %2 = pipeline.load %Dx_3_mask[%y, %x * 2] clamp : tensor<256x512xf32>
    %3 = pipeline.load %Dx_3_mask[%y, %x * 2 + 1] clamp : tensor<256x512xf32>
    %4 = pipeline.load %Dx_3_mask[%y, %x * 2 + 2] clamp : tensor<256x512xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<256x256xf32>
  %Ux_2_img1 = pipeline.stage "Ux_2_img1" (%c, %y, %x) {
    %0 = pipeline.load %Dy_3_img1[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x256x256xf32>
    %1 = pipeline.load %Dy_3_img1[%c, %y floordiv 2, %x] clamp : tensor<3x256x256xf32>
    %2 = pipeline.load %Dy_3_img1[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x256x256xf32>
    %3 = pipeline.load %Dy_3_img1[%c, (%y - 1) floordiv 2, %x] clamp : tensor<3x256x256xf32>
    %4 = pipeline.load %Dy_3_img1[%c, (%y + 1) floordiv 2, %x] clamp : tensor<3x256x256xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<3x512x256xf32>
  %Uy_2_img1 = pipeline.stage "Uy_2_img1" (%c, %y, %x) {
    %0 = pipeline.load %Dy_2_img1[%c, %y, %x] clamp : tensor<3x512x512xf32>
    %1 = pipeline.load %Ux_2_img1[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x512x256xf32>
    %2 = pipeline.load %Ux_2_img1[%c, %y, %x floordiv 2] clamp : tensor<3x512x256xf32>
    %3 = pipeline.load %Ux_2_img1[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x512x256xf32>
    %4 = pipeline.load %Ux_2_img1[%c, %y, (%x - 1) floordiv 2] clamp : tensor<3x512x256xf32>
    %5 = pipeline.load %Ux_2_img1[%c, %y, (%x + 1) floordiv 2] clamp : tensor<3x512x256xf32>
    %6 = arith.addf %0, %1 : f32
    %7 = arith.addf %6, %2 : f32
    %8 = arith.addf %7, %3 : f32
    %9 = arith.addf %8, %4 : f32
    %10 = arith.addf %9, %5 : f32
    pipeline.yield %10 : f32
  } : tensor<3x512x512xf32>
  %Ux_2_img2 = pipeline.stage "Ux_2_img2" (%c, %y, %x) {
    %0 = pipeline.load %Dy_3_img2[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x256x256xf32>
    %1 = pipeline.load %Dy_3_img2[%c, %y floordiv 2, %x] clamp : tensor<3x256x256xf32>
    %2 = pipeline.load %Dy_3_img2[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x256x256xf32>
    %3 = pipeline.load %Dy_3_img2[%c, (%y - 1) floordiv 2, %x] clamp : tensor<3x256x256xf32>
    %4 = pipeline.load %Dy_3_img2[%c, (%y + 1) floordiv 2, %x] clamp : tensor<3x256x256xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<3x512x256xf32>
  %Uy_2_img2 = pipeline.stage "Uy_2_img2" (%c, %y, %x) {
    %0 = pipeline.load %Dy_2_img2[%c, %y, %x] clamp : tensor<3x512x512xf32>
    %1 = pipeline.load %Ux_2_img2[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x512x256xf32>
    %2 = pipeline.load %Ux_2_img2[%c, %y, %x floordiv 2] clamp : tensor<3x512x256xf32>
    %3 = pipeline.load %Ux_2_img2[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x512x256xf32>
    %4 = pipeline.load %Ux_2_img2[%c, %y, (%x - 1) floordiv 2] clamp : tensor<3x512x256xf32>
    %5 = pipeline.load %Ux_2_img2[%c, %y, (%x + 1) floordiv 2] clamp : tensor<3x512x256xf32>
    %6 = arith.addf %0, %1 : f32
    %7 = arith.addf %6, %2 : f32
    %8 = arith.addf %7, %3 : f32
    %9 = arith.addf %8, %4 : f32
    %10 = arith.addf %9, %5 : f32
    pipeline.yield %10 : f32
  } : tensor<3x512x512xf32>
  %Res_3 = pipeline.stage "Res_3" (%c, %y, %x) {
    %0 = pipeline.load %Dy_3_img1[%c, %y, %x] clamp : tensor<3x256x256xf32>
    %1 = pipeline.load %Dy_3_img2[%c, %y, %x] clamp : tensor<3x256x256xf32>
    %2 = pipeline.load %Dy_3_mask[%y, %x] clamp : tensor<256x256xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<3x256x256xf32>
  %Res_2 = pipeline.stage "Res_2" (%c, %y, %x) {
    %0 = pipeline.load %Uy_2_img1[%c, %y, %x] clamp : tensor<3x512x512xf32>
    %1 = pipeline.load %Uy_2_img2[%c, %y, %x] clamp : tensor<3x512x512xf32>
    %2 = pipeline.load %Dy_2_mask[%y, %x] clamp : tensor<512x512xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<3x512x512xf32>
  %Col_2_x = pipeline.stage "Col_2_x" (%c, %y, %x) {
    %0 = pipeline.load %Res_3[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x256x256xf32>
    %1 = pipeline.load %Res_3[%c, %y floordiv 2, %x] clamp : tensor<3x256x256xf32>
    %2 = pipeline.load %Res_3[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x256x256xf32>
    %3 = pipeline.load %Res_3[%c, (%y - 1) floordiv 2, %x] clamp : tensor<3x256x256xf32>
    %4 = pipeline.load %Res_3[%c, (%y + 1) floordiv 2, %x] clamp : tensor<3x256x256xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<3x512x256xf32>
  %Col_2 = pipeline.stage "Col_2" (%c, %y, %x) {
    %0 = pipeline.load %Res_2[%c, %y, %x] clamp : tensor<3x512x512xf32>
    %1 = pipeline.load %Col_2_x[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x512x256xf32>
    %2 = pipeline.load %Col_2_x[%c, %y, %x floordiv 2] clamp : tensor<3x512x256xf32>
    %3 = pipeline.load %Col_2_x[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x512x256xf32>
    %4 = pipeline.load %Col_2_x[%c, %y, (%x - 1) floordiv 2] clamp : tensor<3x512x256xf32>
    %5 = pipeline.load %Col_2_x[%c, %y, (%x + 1) floordiv 2] clamp : tensor<3x512x256xf32>
    %6 = arith.addf %0, %1 : f32
    %7 = arith.addf %6, %2 : f32
    %8 = arith.addf %7, %3 : f32
    %9 = arith.addf %8, %4 : f32
    %10 = arith.addf %9, %5 : f32
    pipeline.yield %10 : f32
  } : tensor<3x512x512xf32>
  return %Col_2 : tensor<3x512x512xf32>
}

func.func @four_taps(%Dy_1_mask: tensor<1024x1024xf32> {weft.name = "Dy_1_mask"},
    %Dy_2_img1: tensor<3x512x512xf32> {weft.name = "Dy_2_img1"}) -> tensor<3x512x512xf32> {
  %Dx_3_img1 = pipeline.stage "Dx_3_img1" (%c, %y, %x) {
    %0 = pipeline.load %Dy_2_img1[%c, %y * 2 - 1, %x] clamp : tensor<3x512x512xf32>
    %1 = pipeline.load %Dy_2_img1[%c, %y * 2, %x] clamp : tensor<3x512x512xf32>
    %2 = pipeline.load %Dy_2_img1[%c, %y * 2 + 1, %x] clamp : tensor<3x512x512xf32>
    %3 = pipeline.load %Dy_2_img1[%c, %y * 2 + 2, %x] clamp : tensor<3x512x512xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<3x256x512xf32>
  %Dy_3_img1 = pipeline.stage "Dy_3_img1" (%c, %y, %x) {
    %0 = pipeline.load %Dx_3_img1[%c, %y, %x * 2 - 1] clamp : tensor<3x256x512xf32>
    %1 = pipeline.load %Dx_3_img1[%c, %y, %x * 2] clamp : tensor<3x256x512xf32>
    %2 = pipeline.load %Dx_3_img1[%c, %y, %x * 2 + 1] clamp : tensor<3x256x512xf32>
    %3 = pipeline.load %Dx_3_img1[%c, %y, %x * 2 + 2] clamp : tensor<3x256x512xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<3x256x256xf32>
  %Dx_2_mask = pipeline.stage "Dx_2_mask" (%y, %x) {
    %0 = pipeline.load %Dy_1_mask[%y * 2 - 1, %x] clamp : tensor<1024x1024xf32>
    %1 = pipeline.load %Dy_1_mask[%y * 2, %x] clamp : tensor<1024x1024xf32>
    %2 = pipeline.load %Dy_1_mask[%y * 2 + 1, %x] clamp : tensor<1024x1024xf32>
    %3 = pipeline.load %Dy_1_mask[%y * 2 + 2, %x] clamp : tensor<1024x1024xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<512x1024xf32>
  %Dy_2_mask = pipeline.stage "Dy_2_mask" (%y, %x) {
    %0 = pipeline.load %Dx_2_mask[%y, %x * 2 - 1] clamp : tensor<512x1024xf32>
    %1 = pipeline.load %Dx_2_mask[%y, %x * 2] clamp : tensor<512x1024xf32>
    %2 = pipeline.load %Dx_2_mask[%y, %x * 2 + 1] clamp : tensor<512x1024xf32>
    %3 = pipeline.load %Dx_2_mask[%y, %x * 2 + 2] clamp : tensor<512x1024xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<512x512xf32>
  %Dx_3_mask = pipeline.stage "Dx_3_mask" (%y, %x) {
    %0 = pipeline.load %Dy_2_mask[%y * 2 - 1, %x] clamp : tensor<512x512xf32>
    %1 = pipeline.load %Dy_2_mask[%y * 2, %x] clamp : tensor<512x512xf32>
    %2 = pipeline.load %Dy_2_mask[%y * 2 + 1, %x] clamp : tensor<512x512xf32>
    %3 = pipeline.load %Dy_2_mask[%y * 2 + 2, %x] clamp : tensor<512x512xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<256x512xf32>
  %Dy_3_mask = pipeline.stage "Dy_3_mask" (%y, %x) {
    %0 = pipeline.load %Dx_3_mask[%y, %x * 2 - 1] clamp : tensor<256x512xf32>
    %1 = pipeline.load %Dx_3_mask[%y, %x * 2] clamp : tensor<256x512xf32>
    %2 = pipeline.load %Dx_3_mask[%y, %x * 2 + 1] clamp : tensor<256x512xf32>
    %3 = pipeline.load %Dx_3_mask[%y, %x * 2 + 2] clamp : tensor<256x512xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<256x256xf32>
  %Ux_2_img1 = pipeline.stage "Ux_2_img1" (%c, %y, %x) {
    %0 = pipeline.load %Dy_3_img1[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x256x256xf32>
    %1 = pipeline.load %Dy_3_img1[%c, %y floordiv 2, %x] clamp : tensor<3x256x256xf32>
    %2 = pipeline.load %Dy_3_img1[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x256x256xf32>
    %3 = pipeline.load %Dy_3_img1[%c, (%y - 1) floordiv 2, %x] clamp : tensor<3x256x256xf32>
    %4 = pipeline.load %Dy_3_img1[%c, (%y + 1) floordiv 2, %x] clamp : tensor<3x256x256xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<3x512x256xf32>
  %Uy_2_img1 = pipeline.stage "Uy_2_img1" (%c, %y, %x) {
    %0 = pipeline.load %Dy_2_img1[%c, %y, %x] clamp : tensor<3x512x512xf32>
    %1 = pipeline.load %Ux_2_img1[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x512x256xf32>
    %2 = pipeline.load %Ux_2_img1[%c, %y, %x floordiv 2] clamp : tensor<3x512x256xf32>
    %3 = pipeline.load %Ux_2_img1[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x512x256xf32>
    %4 = pipeline.load %Ux_2_img1[%c, %y, (%x - 1) floordiv 2] clamp : tensor<3x512x256xf32>
    %5 = pipeline.load %Ux_2_img1[%c, %y, (%x + 1) floordiv 2] clamp : tensor<3x512x256xf32>
    %6 = arith.addf %0, %1 : f32
    %7 = arith.addf %6, %2 : f32
    %8 = arith.addf %7, %3 : f32
    %9 = arith.addf %8, %4 : f32
    %10 = arith.addf %9, %5 : f32
    pipeline.yield %10 : f32
  } : tensor<3x512x512xf32>
  %Res_3 = pipeline.stage "Res_3" (%c, %y, %x) {
    %0 = pipeline.load %Dy_3_img1[%c, %y, %x] clamp : tensor<3x256x256xf32>
    %1 = pipeline.load %Dy_3_mask[%y, %x] clamp : tensor<256x256xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<3x256x256xf32>
  %Res_2 = pipeline.stage "Res_2" (%c, %y, %x) {
    %0 = pipeline.load %Uy_2_img1[%c, %y, %x] clamp : tensor<3x512x512xf32>
    %1 = pipeline.load %Dy_2_mask[%y, %x] clamp : tensor<512x512xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<3x512x512xf32>
  %Col_2_x = pipeline.stage "Col_2_x" (%c, %y, %x) {
    %0 = pipeline.load %Res_3[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x256x256xf32>
    %1 = pipeline.load %Res_3[%c, %y floordiv 2, %x] clamp : tensor<3x256x256xf32>
    %2 = pipeline.load %Res_3[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x256x256xf32>
    %3 = pipeline.load %Res_3[%c, (%y - 1) floordiv 2, %x] clamp : tensor<3x256x256xf32>
    %4 = pipeline.load %Res_3[%c, (%y + 1) floordiv 2, %x] clamp : tensor<3x256x256xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %5, %2 : f32
    %7 = arith.addf %6, %3 : f32
    %8 = arith.addf %7, %4 : f32
    pipeline.yield %8 : f32
  } : tensor<3x512x256xf32>
  %Col_2 = pipeline.stage "Col_2" (%c, %y, %x) {
    %0 = pipeline.load %Res_2[%c, %y, %x] clamp : tensor<3x512x512xf32>
    %1 = pipeline.load %Col_2_x[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x512x256xf32>
    %2 = pipeline.load %Col_2_x[%c, %y, %x floordiv 2] clamp : tensor<3x512x256xf32>
    %3 = pipeline.load %Col_2_x[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x512x256xf32>
    %4 = pipeline.load %Col_2_x[%c, %y, (%x - 1) floordiv 2] clamp : tensor<3x512x256xf32>
    %5 = pipeline.load %Col_2_x[%c, %y, (%x + 1) floordiv 2] clamp : tensor<3x512x256xf32>
    %6 = arith.addf %0, %1 : f32
    %7 = arith.addf %6, %2 : f32
    %8 = arith.addf %7, %3 : f32
    %9 = arith.addf %8, %4 : f32
    %10 = arith.addf %9, %5 : f32
    pipeline.yield %10 : f32
  } : tensor<3x512x512xf32>
  return %Col_2 : tensor<3x512x512xf32>
}
