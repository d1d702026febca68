// Harris corners with pointwise stages inlined, as the paper and PolyMage have it (section 4.2): two stages of which a tile needs
// one point more on every side. In two levels one slope is exact: 34x258.

// RUN: pipeline-opt %s -print-footprints="tile=32x256" -o /dev/null 2>&1 | FileCheck %s

// CHECK-LABEL: // @harris: tile 32x256 scalene, 89x17 tiles, first interior (1, 1)
// CHECK-NEXT: stage first interior tile largest redundant uniform-slope
// CHECK-NEXT: Iy [31, 65) x [255, 513) 34x258 7.1% 34x258
// CHECK-NEXT: Ix [31, 65) x [255, 513) 34x258 7.1% 34x258
// CHECK-NEXT: harris [32, 64) x [256, 512) 32x256 0.0% 34x258
// CHECK-NEXT: (img) [30, 66) x [254, 514) 36x260

func.func @harris(%img: tensor<2832x4256xf32> {weft.name = "img"}) -> tensor<2832x4256xf32> {
  %Iy = pipeline.stage "Iy" (%y, %x) {
    %0 = pipeline.load %img[%y - 1, %x - 1] clamp : tensor<2832x4256xf32>
    %1 = pipeline.load %img[%y - 1, %x + 1] clamp : tensor<2832x4256xf32>
    %2 = pipeline.load %img[%y, %x - 1] clamp : tensor<2832x4256xf32>
    %3 = pipeline.load %img[%y, %x + 1] clamp : tensor<2832x4256xf32>
    %4 = pipeline.load %img[%y + 1, %x - 1] clamp : tensor<2832x4256xf32>
    %5 = pipeline.load %img[%y + 1, %x + 1] clamp : tensor<2832x4256xf32>
    %6 = arith.addf %0, %1 : f32
    %7 = arith.addf %6, %2 : f32
    %8 = arith.addf %7, %3 : f32
    %9 = arith.addf %8, %4 : f32
    %10 = arith.addf %9, %5 : f32
    pipeline.yield %10 : f32
  } : tensor<2832x4256xf32>
  %Ix = pipeline.stage "Ix" (%y, %x) {
    %0 = pipeline.load %img[%y - 1, %x - 1] clamp : tensor<2832x4256xf32>
    %1 = pipeline.load %img[%y - 1, %x] clamp : tensor<2832x4256xf32>
    %2 = pipeline.load %img[%y - 1, %x + 1] clamp : tensor<2832x4256xf32>
    %3 = pipeline.load %img[%y + 1, %x - 1] clamp : tensor<2832x4256xf32>
    %4 = pipeline.load %img[%y + 1, %x] clamp : tensor<2832x4256xf32>
    %5 = pipeline.load %img[%y + 1, %x + 1] clamp : tensor<2832x4256xf32>
    %6 = arith.addf %0, %1 : f32
    %7 = arith.addf %6, %2 : f32
    %8 = arith.addf %7, %3 : f32
    %9 = arith.addf %8, %4 : f32
    %10 = arith.addf %9, %5 : f32
    pipeline.yield %10 : f32
  } : tensor<2832x4256xf32>
  %harris = pipeline.stage "harris" (%y, %x) {
    %0 = pipeline.load %Ix[%y - 1, %x - 1] clamp : tensor<2832x4256xf32>
    %1 = pipeline.load %Ix[%y - 1, %x] clamp : tensor<2832x4256xf32>
    %2 = pipeline.load %Ix[%y - 1, %x + 1] clamp : tensor<2832x4256xf32>
    %3 = pipeline.load %Ix[%y, %x - 1] clamp : tensor<2832x4256xf32>
    %4 = pipeline.load %Ix[%y, %x] clamp : tensor<2832x4256xf32>
    %5 = pipeline.load %Ix[%y, %x + 1] clamp : tensor<2832x4256xf32>
    %6 = pipeline.load %Ix[%y + 1, %x - 1] clamp : tensor<2832x4256xf32>
    %7 = pipeline.load %Ix[%y + 1, %x] clamp : tensor<2832x4256xf32>
    %8 = pipeline.load %Ix[%y + 1, %x + 1] clamp : tensor<2832x4256xf32>
    %9 = pipeline.load %Iy[%y - 1, %x - 1] clamp : tensor<2832x4256xf32>
    %10 = pipeline.load %Iy[%y - 1, %x] clamp : tensor<2832x4256xf32>
    %11 = pipeline.load %Iy[%y - 1, %x + 1] clamp : tensor<2832x4256xf32>
    %12 = pipeline.load %Iy[%y, %x - 1] clamp : tensor<2832x4256xf32>
    %13 = pipeline.load %Iy[%y, %x] clamp : tensor<2832x4256xf32>
    %14 = pipeline.load %Iy[%y, %x + 1] clamp : tensor<2832x4256xf32>
    %15 = pipeline.load %Iy[%y + 1, %x - 1] clamp : tensor<2832x4256xf32>
    %16 = pipeline.load %Iy[%y + 1, %x] clamp : tensor<2832x4256xf32>
    %17 = pipeline.load %Iy[%y + 1, %x + 1] clamp : tensor<2832x4256xf32>
    %18 = arith.addf %0, %1 : f32
    %19 = arith.addf %18, %2 : f32
    %20 = arith.addf %19, %3 : f32
    %21 = arith.addf %20, %4 : f32
    %22 = arith.addf %21, %5 : f32
    %23 = arith.addf %22, %6 : f32
    %24 = arith.addf %23, %7 : f32
    %25 = arith.addf %24, %8 : f32
    %26 = arith.addf %25, %9 : f32
    %27 = arith.addf %26, %10 : f32
    %28 = arith.addf %27, %11 : f32
    %29 = arith.addf %28, %12 : f32
    %30 = arith.addf %29, %13 : f32
    %31 = arith.addf %30, %14 : f32
    %32 = arith.addf %31, %15 : f32
    %33 = arith.addf %32, %16 : f32
    %34 = arith.addf %33, %17 : f32
    pipeline.yield %34 : f32
  } : tensor<2832x4256xf32>
  return %harris : tensor<2832x4256xf32>
}
