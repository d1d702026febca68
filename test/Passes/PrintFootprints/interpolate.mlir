// The fused part of multiscale interpolation (Table 5): four times up by two, first the rows, then the columns. PolyMage's row is
// Table 5's (whose 169 is 160 in its code); ours is nowhere above the paper's: 7x10, 7x20, 11x20, 11x35, 18x35, 18x66, 33x66, 33x129.
//
// The second run has a tile that is no multiple of the coarsest scale, so that phases differ: Table 2's other size.

// RUN: pipeline-opt %s -print-footprints="tile=32x128" -o /dev/null 2>&1 | FileCheck %s
// RUN: pipeline-opt %s -print-footprints="tile=24x160" -o /dev/null 2>&1 | FileCheck %s --check-prefix=PHASES

// CHECK-LABEL: // @interpolate: tile 3x32x128 scalene, 1x80x12 tiles, first interior (0, 0, 0)
// CHECK-NEXT: stage first interior tile largest redundant uniform-slope
// CHECK-NEXT: Ux_i_L3 [0, 4) x [1, 6) x [1, 10) 4x5x9 40.6% 4x7x10
// CHECK-NEXT: i_L3 [0, 4) x [1, 6) x [1, 18) 4x5x17 32.8% 4x7x20
// CHECK-NEXT: Ux_i_L2 [0, 4) x [1, 10) x [1, 18) 4x9x17 19.5% 4x14x20
// CHECK-NEXT: i_L2 [0, 4) x [1, 10) x [1, 34) 4x9x33 16.0% 4x14x40
// CHECK-NEXT: Ux_i_L1 [0, 4) x [1, 18) x [1, 34) 4x17x33 9.6% 4x28x40
// CHECK-NEXT: i_L1 [0, 4) x [1, 18) x [1, 66) 4x17x65 7.9% 4x28x80
// CHECK-NEXT: Ux_i_L0 [0, 4) x [1, 33) x [1, 66) 4x32x65 1.6% 4x56x80
// CHECK-NEXT: i_L0 [0, 4) x [1, 33) x [1, 129) 4x32x128 0.0% 4x56x160
// CHECK-NEXT: normalized [0, 3) x [0, 32) x [0, 128) 3x32x128 0.0% 3x56x160
// CHECK-NEXT: (low) [0, 4) x [1, 4) x [1, 10) 4x3x9
// CHECK-NEXT: (d3) [0, 4) x [1, 6) x [1, 18) 4x5x17
// CHECK-NEXT: (d2) [0, 4) x [1, 10) x [1, 34) 4x9x33
// CHECK-NEXT: (d1) [0, 4) x [1, 18) x [1, 66) 4x17x65
// CHECK-NEXT: (d0) [0, 4) x [1, 33) x [1, 129) 4x32x128

// PHASES-LABEL: // @interpolate: tile 3x24x160 scalene, 1x107x10 tiles, first interior (0, 0, 0)
// PHASES-NEXT: stage first interior tile largest redundant uniform-slope
// PHASES-NEXT: Ux_i_L3 [0, 4) x [1, 5) x [1, 12) 4x4x11 46.7% 4x6x12
// PHASES-NEXT: i_L3 [0, 4) x [1, 5) x [1, 22) 4x4x21 40.0% 4x6x24
// PHASES-NEXT: Ux_i_L2 [0, 4) x [1, 8) x [1, 22) 4x7x21 22.5% 4x12x24
// PHASES-NEXT: i_L2 [0, 4) x [1, 8) x [1, 42) 4x7x41 19.6% 4x12x48
// PHASES-NEXT: Ux_i_L1 [0, 4) x [1, 14) x [1, 42) 4x13x41 11.0% 4x24x48
// PHASES-NEXT: i_L1 [0, 4) x [1, 14) x [1, 82) 4x13x81 9.7% 4x24x96
// PHASES-NEXT: Ux_i_L0 [0, 4) x [1, 25) x [1, 82) 4x24x81 1.2% 4x48x96
// PHASES-NEXT: i_L0 [0, 4) x [1, 25) x [1, 161) 4x24x160 0.0% 4x48x192
// PHASES-NEXT: normalized [0, 3) x [0, 24) x [0, 160) 3x24x160 0.0% 3x48x192
// PHASES-NEXT: (low) [0, 4) x [1, 4) x [1, 12) 4x3x11
// PHASES-NEXT: (d3) [0, 4) x [1, 5) x [1, 22) 4x4x21
// PHASES-NEXT: (d2) [0, 4) x [1, 8) x [1, 42) 4x7x41
// PHASES-NEXT: (d1) [0, 4) x [1, 14) x [1, 82) 4x13x81
// PHASES-NEXT: (d0) [0, 4) x [1, 25) x [1, 161) 4x24x160

func.func @interpolate(%d0: tensor<4x2562x1538xf32> {weft.name = "d0"},
    %d1: tensor<4x1282x770xf32> {weft.name = "d1"},
    %d2: tensor<4x642x386xf32> {weft.name = "d2"},
    %d3: tensor<4x322x194xf32> {weft.name = "d3"},
    %low: tensor<4x162x98xf32> {weft.name = "low"}) -> tensor<3x2560x1536xf32> {
  %Ux_i_L3 = pipeline.stage "Ux_i_L3" (%c, %y, %x) {
    %0 = pipeline.load %low[%c, (%y + 1) floordiv 2, %x] clamp : tensor<4x162x98xf32>
    %1 = pipeline.load %low[%c, (%y + 2) floordiv 2, %x] clamp : tensor<4x162x98xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<4x322x98xf32>
  %i_L3 = pipeline.stage "i_L3" (%c, %y, %x) {
    %0 = pipeline.load %d3[%c, %y, %x] clamp : tensor<4x322x194xf32>
    %1 = pipeline.load %d3[3, %y, %x] clamp : tensor<4x322x194xf32>
    %2 = pipeline.load %Ux_i_L3[%c, %y, (%x + 1) floordiv 2] clamp : tensor<4x322x98xf32>
    %3 = pipeline.load %Ux_i_L3[%c, %y, (%x + 2) floordiv 2] clamp : tensor<4x322x98xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<4x322x194xf32>
  %Ux_i_L2 = pipeline.stage "Ux_i_L2" (%c, %y, %x) {
    %0 = pipeline.load %i_L3[%c, (%y + 1) floordiv 2, %x] clamp : tensor<4x322x194xf32>
    %1 = pipeline.load %i_L3[%c, (%y + 2) floordiv 2, %x] clamp : tensor<4x322x194xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<4x642x194xf32>
  %i_L2 = pipeline.stage "i_L2" (%c, %y, %x) {
    %0 = pipeline.load %d2[%c, %y, %x] clamp : tensor<4x642x386xf32>
    %1 = pipeline.load %d2[3, %y, %x] clamp : tensor<4x642x386xf32>
    %2 = pipeline.load %Ux_i_L2[%c, %y, (%x + 1) floordiv 2] clamp : tensor<4x642x194xf32>
    %3 = pipeline.load %Ux_i_L2[%c, %y, (%x + 2) floordiv 2] clamp : tensor<4x642x194xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<4x642x386xf32>
  %Ux_i_L1 = pipeline.stage "Ux_i_L1" (%c, %y, %x) {
    %0 = pipeline.load %i_L2[%c, (%y + 1) floordiv 2, %x] clamp : tensor<4x642x386xf32>
    %1 = pipeline.load %i_L2[%c, (%y + 2) floordiv 2, %x] clamp : tensor<4x642x386xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<4x1282x386xf32>
  %i_L1 = pipeline.stage "i_L1" (%c, %y, %x) {
    %0 = pipeline.load %d1[%c, %y, %x] clamp : tensor<4x1282x770xf32>
    %1 = pipeline.load %d1[3, %y, %x] clamp : tensor<4x1282x770xf32>
    %2 = pipeline.load %Ux_i_L1[%c, %y, (%x + 1) floordiv 2] clamp : tensor<4x1282x386xf32>
    %3 = pipeline.load %Ux_i_L1[%c, %y, (%x + 2) floordiv 2] clamp : tensor<4x1282x386xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<4x1282x770xf32>
  %Ux_i_L0 = pipeline.stage "Ux_i_L0" (%c, %y, %x) {
    %0 = pipeline.load %i_L1[%c, (%y + 1) floordiv 2, %x] clamp : tensor<4x1282x770xf32>
    %1 = pipeline.load %i_L1[%c, (%y + 2) floordiv 2, %x] clamp : tensor<4x1282x770xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<4x2562x770xf32>
  %i_L0 = pipeline.stage "i_L0" (%c, %y, %x) {
    %0 = pipeline.load %d0[%c, %y, %x] clamp : tensor<4x2562x1538xf32>
    %1 = pipeline.load %d0[3, %y, %x] clamp : tensor<4x2562x1538xf32>
    %2 = pipeline.load %Ux_i_L0[%c, %y, (%x + 1) floordiv 2] clamp : tensor<4x2562x770xf32>
    %3 = pipeline.load %Ux_i_L0[%c, %y, (%x + 2) floordiv 2] clamp : tensor<4x2562x770xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    pipeline.yield %6 : f32
  } : tensor<4x2562x1538xf32>
  %normalized = pipeline.stage "normalized" (%c, %y, %x) {
    %0 = pipeline.load %i_L0[%c, %y + 1, %x + 1] clamp : tensor<4x2562x1538xf32>
    %1 = pipeline.load %i_L0[3, %y + 1, %x + 1] clamp : tensor<4x2562x1538xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<3x2560x1536xf32>
  return %normalized : tensor<3x2560x1536xf32>
}
