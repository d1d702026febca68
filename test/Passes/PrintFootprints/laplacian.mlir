// The five fused parts of the local Laplacian filter (Table 4), for 2560x1536 as PolyMage has them. Level 4 is fused with the
// up-sampling of its rows for level 3. Tiles as wide as an image leave its columns whole. A plane of U_lP is chosen by the value of
// a pixel: loads of the first and the last stand for it.
//
// Our numbers are those of the paper's row, once its first nine entries are moved by three columns. So are PolyMage's.

// RUN: pipeline-opt %s -print-footprints="tile=8x256" -o /dev/null 2>&1 | FileCheck %s

// CHECK-LABEL: // @level4: tile 8x256 scalene, 41x1 tiles, first interior (0, 0)
// CHECK-NEXT: stage first interior tile largest redundant uniform-slope
// CHECK-NEXT: U_lP_L4 [0, 8) x [0, 6) x [0, 100) 8x6x100 50.0% 8x10x100
// CHECK-NEXT: outLP_L4 [0, 6) x [0, 100) 6x100 50.0% 10x100
// CHECK-NEXT: outGP_L4 [0, 6) x [0, 100) 6x100 50.0% 10x100
// CHECK-NEXT: Ux_outGP_L3 [0, 8) x [0, 100) 8x100 0.0% 20x100
// CHECK-NEXT: (gP_L4) [0, 8) x [0, 6) x [0, 100) 8x6x100
// CHECK-NEXT: (Ux_lP_L4) [0, 8) x [0, 6) x [0, 52) 8x6x52
// CHECK-NEXT: (inGP_L4) [0, 6) x [0, 100) 6x100
// CHECK-NEXT: (Ux_outGP_L4) [0, 6) x [0, 52) 6x52
// CHECK-LABEL: // @level3: tile 8x256 scalene, 41x1 tiles, first interior (0, 0)
// CHECK-NEXT: stage first interior tile largest redundant uniform-slope
// CHECK-NEXT: Ux_lP_L3 [0, 8) x [0, 8) x [0, 100) 8x8x100 0.0% 8x8x100
// CHECK-NEXT: U_lP_L3 [0, 8) x [0, 8) x [0, 196) 8x8x196 0.0% 8x8x196
// CHECK-NEXT: outLP_L3 [0, 8) x [0, 196) 8x196 0.0% 8x196
// CHECK-NEXT: outGP_L3 [0, 8) x [0, 196) 8x196 0.0% 8x196
// CHECK-NEXT: (gP_L4) [0, 8) x [0, 6) x [0, 100) 8x6x100
// CHECK-NEXT: (gP_L3) [0, 8) x [0, 8) x [0, 196) 8x8x196
// CHECK-NEXT: (inGP_L3) [0, 8) x [0, 196) 8x196
// CHECK-NEXT: (Ux_outGP_L3) [0, 8) x [0, 100) 8x100
// CHECK-LABEL: // @level2: tile 8x256 scalene, 81x2 tiles, first interior (0, 0)
// CHECK-NEXT: stage first interior tile largest redundant uniform-slope
// CHECK-NEXT: Ux_lP_L2 [0, 8) x [0, 8) x [0, 130) 8x8x130 1.6% 8x8x131
// CHECK-NEXT: U_lP_L2 [0, 8) x [0, 8) x [0, 256) 8x8x256 0.0% 8x8x262
// CHECK-NEXT: Ux_outGP_L2 [0, 8) x [0, 130) 8x130 1.6% 8x131
// CHECK-NEXT: outLP_L2 [0, 8) x [0, 256) 8x256 0.0% 8x262
// CHECK-NEXT: outGP_L2 [0, 8) x [0, 256) 8x256 0.0% 8x262
// CHECK-NEXT: (gP_L3) [0, 8) x [0, 6) x [0, 130) 8x6x130
// CHECK-NEXT: (gP_L2) [0, 8) x [0, 8) x [0, 256) 8x8x256
// CHECK-NEXT: (outGP_L3) [0, 6) x [0, 130) 6x130
// CHECK-NEXT: (inGP_L2) [0, 8) x [0, 256) 8x256
// CHECK-LABEL: // @level1: tile 8x256 scalene, 161x4 tiles, first interior (0, 0)
// CHECK-NEXT: stage first interior tile largest redundant uniform-slope
// CHECK-NEXT: Ux_lP_L1 [0, 8) x [0, 8) x [0, 130) 8x8x130 1.6% 8x8x131
// CHECK-NEXT: U_lP_L1 [0, 8) x [0, 8) x [0, 256) 8x8x256 0.0% 8x8x262
// CHECK-NEXT: Ux_outGP_L1 [0, 8) x [0, 130) 8x130 1.6% 8x131
// CHECK-NEXT: outLP_L1 [0, 8) x [0, 256) 8x256 0.0% 8x262
// CHECK-NEXT: outGP_L1 [0, 8) x [0, 256) 8x256 0.0% 8x262
// CHECK-NEXT: (gP_L2) [0, 8) x [0, 6) x [0, 130) 8x6x130
// CHECK-NEXT: (gP_L1) [0, 8) x [0, 8) x [0, 256) 8x8x256
// CHECK-NEXT: (outGP_L2) [0, 6) x [0, 130) 6x130
// CHECK-NEXT: (inGP_L1) [0, 8) x [0, 256) 8x256
// CHECK-LABEL: // @level0: tile 8x256 scalene, 321x7 tiles, first interior (0, 0)
// CHECK-NEXT: stage first interior tile largest redundant uniform-slope
// CHECK-NEXT: Ux_lP_L0 [0, 8) x [0, 8) x [0, 130) 8x8x130 1.6% 8x8x131
// CHECK-NEXT: U_lP_L0 [0, 8) x [0, 8) x [0, 256) 8x8x256 0.0% 8x8x262
// CHECK-NEXT: Ux_result_ref_gray [0, 8) x [0, 130) 8x130 1.6% 8x131
// CHECK-NEXT: outLP_L0 [0, 8) x [0, 256) 8x256 0.0% 8x262
// CHECK-NEXT: result_ref_gray [0, 8) x [0, 256) 8x256 0.0% 8x262
// CHECK-NEXT: (gP_L1) [0, 8) x [0, 6) x [0, 130) 8x6x130
// CHECK-NEXT: (gP_L0) [0, 8) x [0, 8) x [0, 256) 8x8x256
// CHECK-NEXT: (outGP_L1) [0, 6) x [0, 130) 6x130
// CHECK-NEXT: (inGP_L0) [0, 8) x [0, 256) 8x256

func.func @level4(%gP_L4: tensor<8x164x100xf32> {weft.name = "gP_L4"},
    %inGP_L4: tensor<164x100xf32> {weft.name = "inGP_L4"},
    %Ux_lP_L4: tensor<8x164x52xf32> {weft.name = "Ux_lP_L4"},
    %Ux_outGP_L4: tensor<164x52xf32> {weft.name = "Ux_outGP_L4"}) -> tensor<324x100xf32> {
  %U_lP_L4 = pipeline.stage "U_lP_L4" (%c, %y, %x) {
    %0 = pipeline.load %gP_L4[%c, %y, %x] clamp : tensor<8x164x100xf32>
    %1 = pipeline.load %Ux_lP_L4[%c, %y, %x floordiv 2] clamp : tensor<8x164x52xf32>
    %2 = pipeline.load %Ux_lP_L4[%c, %y, %x floordiv 2 + 1] clamp : tensor<8x164x52xf32>
    %3 = pipeline.load %Ux_lP_L4[%c, %y, %x floordiv 2 + 2] clamp : tensor<8x164x52xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<8x164x100xf32>
  %outLP_L4 = pipeline.stage "outLP_L4" (%y, %x) {
    %0 = pipeline.load %inGP_L4[%y, %x] clamp : tensor<164x100xf32>
    %1 = pipeline.load %U_lP_L4[0, %y, %x] clamp : tensor<8x164x100xf32>
    %2 = pipeline.load %U_lP_L4[7, %y, %x] clamp : tensor<8x164x100xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<164x100xf32>
  %outGP_L4 = pipeline.stage "outGP_L4" (%y, %x) {
    %0 = pipeline.load %outLP_L4[%y, %x] clamp : tensor<164x100xf32>
    %1 = pipeline.load %Ux_outGP_L4[%y, %x floordiv 2] clamp : tensor<164x52xf32>
    %2 = pipeline.load %Ux_outGP_L4[%y, %x floordiv 2 + 1] clamp : tensor<164x52xf32>
    %3 = pipeline.load %Ux_outGP_L4[%y, %x floordiv 2 + 2] clamp : tensor<164x52xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<164x100xf32>
  %Ux_outGP_L3 = pipeline.stage "Ux_outGP_L3" (%y, %x) {
    %0 = pipeline.load %outGP_L4[%y floordiv 2, %x] clamp : tensor<164x100xf32>
    %1 = pipeline.load %outGP_L4[%y floordiv 2 + 1, %x] clamp : tensor<164x100xf32>
    %2 = pipeline.load %outGP_L4[%y floordiv 2 + 2, %x] clamp : tensor<164x100xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<324x100xf32>
  return %Ux_outGP_L3 : tensor<324x100xf32>
}

func.func @level3(%gP_L3: tensor<8x324x196xf32> {weft.name = "gP_L3"},
    %inGP_L3: tensor<324x196xf32> {weft.name = "inGP_L3"},
    %gP_L4: tensor<8x164x100xf32> {weft.name = "gP_L4"},
    %Ux_outGP_L3: tensor<324x100xf32> {weft.name = "Ux_outGP_L3"}) -> tensor<324x196xf32> {
  %Ux_lP_L3 = pipeline.stage "Ux_lP_L3" (%c, %y, %x) {
    %0 = pipeline.load %gP_L4[%c, %y floordiv 2, %x] clamp : tensor<8x164x100xf32>
    %1 = pipeline.load %gP_L4[%c, %y floordiv 2 + 1, %x] clamp : tensor<8x164x100xf32>
    %2 = pipeline.load %gP_L4[%c, %y floordiv 2 + 2, %x] clamp : tensor<8x164x100xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<8x324x100xf32>
  %U_lP_L3 = pipeline.stage "U_lP_L3" (%c, %y, %x) {
    %0 = pipeline.load %gP_L3[%c, %y, %x] clamp : tensor<8x324x196xf32>
    %1 = pipeline.load %Ux_lP_L3[%c, %y, %x floordiv 2] clamp : tensor<8x324x100xf32>
    %2 = pipeline.load %Ux_lP_L3[%c, %y, %x floordiv 2 + 1] clamp : tensor<8x324x100xf32>
    %3 = pipeline.load %Ux_lP_L3[%c, %y, %x floordiv 2 + 2] clamp : tensor<8x324x100xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<8x324x196xf32>
  %outLP_L3 = pipeline.stage "outLP_L3" (%y, %x) {
    %0 = pipeline.load %inGP_L3[%y, %x] clamp : tensor<324x196xf32>
    %1 = pipeline.load %U_lP_L3[0, %y, %x] clamp : tensor<8x324x196xf32>
    %2 = pipeline.load %U_lP_L3[7, %y, %x] clamp : tensor<8x324x196xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<324x196xf32>
  %outGP_L3 = pipeline.stage "outGP_L3" (%y, %x) {
    %0 = pipeline.load %outLP_L3[%y, %x] clamp : tensor<324x196xf32>
    %1 = pipeline.load %Ux_outGP_L3[%y, %x floordiv 2] clamp : tensor<324x100xf32>
    %2 = pipeline.load %Ux_outGP_L3[%y, %x floordiv 2 + 1] clamp : tensor<324x100xf32>
    %3 = pipeline.load %Ux_outGP_L3[%y, %x floordiv 2 + 2] clamp : tensor<324x100xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<324x196xf32>
  return %outGP_L3 : tensor<324x196xf32>
}

func.func @level2(%gP_L2: tensor<8x644x388xf32> {weft.name = "gP_L2"},
    %inGP_L2: tensor<644x388xf32> {weft.name = "inGP_L2"},
    %gP_L3: tensor<8x324x196xf32> {weft.name = "gP_L3"},
    %outGP_L3: tensor<324x196xf32> {weft.name = "outGP_L3"}) -> tensor<644x388xf32> {
  %Ux_lP_L2 = pipeline.stage "Ux_lP_L2" (%c, %y, %x) {
    %0 = pipeline.load %gP_L3[%c, %y floordiv 2, %x] clamp : tensor<8x324x196xf32>
    %1 = pipeline.load %gP_L3[%c, %y floordiv 2 + 1, %x] clamp : tensor<8x324x196xf32>
    %2 = pipeline.load %gP_L3[%c, %y floordiv 2 + 2, %x] clamp : tensor<8x324x196xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<8x644x196xf32>
  %U_lP_L2 = pipeline.stage "U_lP_L2" (%c, %y, %x) {
    %0 = pipeline.load %gP_L2[%c, %y, %x] clamp : tensor<8x644x388xf32>
    %1 = pipeline.load %Ux_lP_L2[%c, %y, %x floordiv 2] clamp : tensor<8x644x196xf32>
    %2 = pipeline.load %Ux_lP_L2[%c, %y, %x floordiv 2 + 1] clamp : tensor<8x644x196xf32>
    %3 = pipeline.load %Ux_lP_L2[%c, %y, %x floordiv 2 + 2] clamp : tensor<8x644x196xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<8x644x388xf32>
  %Ux_outGP_L2 = pipeline.stage "Ux_outGP_L2" (%y, %x) {
    %0 = pipeline.load %outGP_L3[%y floordiv 2, %x] clamp : tensor<324x196xf32>
    %1 = pipeline.load %outGP_L3[%y floordiv 2 + 1, %x] clamp : tensor<324x196xf32>
    %2 = pipeline.load %outGP_L3[%y floordiv 2 + 2, %x] clamp : tensor<324x196xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<644x196xf32>
  %outLP_L2 = pipeline.stage "outLP_L2" (%y, %x) {
    %0 = pipeline.load %inGP_L2[%y, %x] clamp : tensor<644x388xf32>
    %1 = pipeline.load %U_lP_L2[0, %y, %x] clamp : tensor<8x644x388xf32>
    %2 = pipeline.load %U_lP_L2[7, %y, %x] clamp : tensor<8x644x388xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<644x388xf32>
  %outGP_L2 = pipeline.stage "outGP_L2" (%y, %x) {
    %0 = pipeline.load %outLP_L2[%y, %x] clamp : tensor<644x388xf32>
    %1 = pipeline.load %Ux_outGP_L2[%y, %x floordiv 2] clamp : tensor<644x196xf32>
    %2 = pipeline.load %Ux_outGP_L2[%y, %x floordiv 2 + 1] clamp : tensor<644x196xf32>
    %3 = pipeline.load %Ux_outGP_L2[%y, %x floordiv 2 + 2] clamp : tensor<644x196xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<644x388xf32>
  return %outGP_L2 : tensor<644x388xf32>
}

func.func @level1(%gP_L1: tensor<8x1284x772xf32> {weft.name = "gP_L1"},
    %inGP_L1: tensor<1284x772xf32> {weft.name = "inGP_L1"},
    %gP_L2: tensor<8x644x388xf32> {weft.name = "gP_L2"},
    %outGP_L2: tensor<644x388xf32> {weft.name = "outGP_L2"}) -> tensor<1284x772xf32> {
  %Ux_lP_L1 = pipeline.stage "Ux_lP_L1" (%c, %y, %x) {
    %0 = pipeline.load %gP_L2[%c, %y floordiv 2, %x] clamp : tensor<8x644x388xf32>
    %1 = pipeline.load %gP_L2[%c, %y floordiv 2 + 1, %x] clamp : tensor<8x644x388xf32>
    %2 = pipeline.load %gP_L2[%c, %y floordiv 2 + 2, %x] clamp : tensor<8x644x388xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<8x1284x388xf32>
  %U_lP_L1 = pipeline.stage "U_lP_L1" (%c, %y, %x) {
    %0 = pipeline.load %gP_L1[%c, %y, %x] clamp : tensor<8x1284x772xf32>
    %1 = pipeline.load %Ux_lP_L1[%c, %y, %x floordiv 2] clamp : tensor<8x1284x388xf32>
    %2 = pipeline.load %Ux_lP_L1[%c, %y, %x floordiv 2 + 1] clamp : tensor<8x1284x388xf32>
    %3 = pipeline.load %Ux_lP_L1[%c, %y, %x floordiv 2 + 2] clamp : tensor<8x1284x388xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<8x1284x772xf32>
  %Ux_outGP_L1 = pipeline.stage "Ux_outGP_L1" (%y, %x) {
    %0 = pipeline.load %outGP_L2[%y floordiv 2, %x] clamp : tensor<644x388xf32>
    %1 = pipeline.load %outGP_L2[%y floordiv 2 + 1, %x] clamp : tensor<644x388xf32>
    %2 = pipeline.load %outGP_L2[%y floordiv 2 + 2, %x] clamp : tensor<644x388xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<1284x388xf32>
  %outLP_L1 = pipeline.stage "outLP_L1" (%y, %x) {
    %0 = pipeline.load %inGP_L1[%y, %x] clamp : tensor<1284x772xf32>
    %1 = pipeline.load %U_lP_L1[0, %y, %x] clamp : tensor<8x1284x772xf32>
    %2 = pipeline.load %U_lP_L1[7, %y, %x] clamp : tensor<8x1284x772xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<1284x772xf32>
  %outGP_L1 = pipeline.stage "outGP_L1" (%y, %x) {
    %0 = pipeline.load %outLP_L1[%y, %x] clamp : tensor<1284x772xf32>
    %1 = pipeline.load %Ux_outGP_L1[%y, %x floordiv 2] clamp : tensor<1284x388xf32>
    %2 = pipeline.load %Ux_outGP_L1[%y, %x floordiv 2 + 1] clamp : tensor<1284x388xf32>
    %3 = pipeline.load %Ux_outGP_L1[%y, %x floordiv 2 + 2] clamp : tensor<1284x388xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<1284x772xf32>
  return %outGP_L1 : tensor<1284x772xf32>
}

func.func @level0(%gP_L0: tensor<8x2564x1540xf32> {weft.name = "gP_L0"},
    %inGP_L0: tensor<2564x1540xf32> {weft.name = "inGP_L0"},
    %gP_L1: tensor<8x1284x772xf32> {weft.name = "gP_L1"},
    %outGP_L1: tensor<1284x772xf32> {weft.name = "outGP_L1"}) -> tensor<2564x1540xf32> {
  %Ux_lP_L0 = pipeline.stage "Ux_lP_L0" (%c, %y, %x) {
    %0 = pipeline.load %gP_L1[%c, %y floordiv 2, %x] clamp : tensor<8x1284x772xf32>
    %1 = pipeline.load %gP_L1[%c, %y floordiv 2 + 1, %x] clamp : tensor<8x1284x772xf32>
    %2 = pipeline.load %gP_L1[%c, %y floordiv 2 + 2, %x] clamp : tensor<8x1284x772xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<8x2564x772xf32>
  %U_lP_L0 = pipeline.stage "U_lP_L0" (%c, %y, %x) {
    %0 = pipeline.load %gP_L0[%c, %y, %x] clamp : tensor<8x2564x1540xf32>
    %1 = pipeline.load %Ux_lP_L0[%c, %y, %x floordiv 2] clamp : tensor<8x2564x772xf32>
    %2 = pipeline.load %Ux_lP_L0[%c, %y, %x floordiv 2 + 1] clamp : tensor<8x2564x772xf32>
    %3 = pipeline.load %Ux_lP_L0[%c, %y, %x floordiv 2 + 2] clamp : tensor<8x2564x772xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<8x2564x1540xf32>
  %Ux_result_ref_gray = pipeline.stage "Ux_result_ref_gray" (%y, %x) {
    %0 = pipeline.load %outGP_L1[%y floordiv 2, %x] clamp : tensor<1284x772xf32>
    %1 = pipeline.load %outGP_L1[%y floordiv 2 + 1, %x] clamp : tensor<1284x772xf32>
    %2 = pipeline.load %outGP_L1[%y floordiv 2 + 2, %x] clamp : tensor<1284x772xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<2564x772xf32>
  %outLP_L0 = pipeline.stage "outLP_L0" (%y, %x) {
    %0 = pipeline.load %inGP_L0[%y, %x] clamp : tensor<2564x1540xf32>
    %1 = pipeline.load %U_lP_L0[0, %y, %x] clamp : tensor<8x2564x1540xf32>
    %2 = pipeline.load %U_lP_L0[7, %y, %x] clamp : tensor<8x2564x1540xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } : tensor<2564x1540xf32>
  %result_ref_gray = pipeline.stage "result_ref_gray" (%y, %x) {
    %0 = pipeline.load %outLP_L0[%y, %x] clamp : tensor<2564x1540xf32>
    %1 = pipeline.load %Ux_result_ref_gray[%y, %x floordiv 2] clamp : tensor<2564x772xf32>
    %2 = pipeline.load %Ux_result_ref_gray[%y, %x floordiv 2 + 1] clamp : tensor<2564x772xf32>
    %3 = pipeline.load %Ux_result_ref_gray[%y, %x floordiv 2 + 2] clamp : tensor<2564x772xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<2564x1540xf32>
  return %result_ref_gray : tensor<2564x1540xf32>
}
