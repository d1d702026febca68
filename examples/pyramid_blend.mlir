// Pyramid blending, 44 stages: two images become one along a mask, each frequency over its own distance. Four levels, 1
// 4 6 4 1 down and its counterpart up, as Burt and Adelson have it. 18 stages take the images and the mask up, 12 make
// Laplacians (up along x, then up along y and subtract), 4 blend, 9 go down again (up along x, up along y, add) and 1
// keeps the result within 0 and 1. PolyMage's 44 are not listed in the paper; which stages it joins is open.
//
//   pipeline-run examples/pyramid_blend.mlir --arg a=examples/data/chelsea.png --arg b=other.png --arg mask=mask.npy --out blended=blended.png

func.func @pyramid_blend(%arg0: tensor<3x?x?xf32> {weft.estimate = array<i64: 3, 2160, 3840>, weft.name = "a"}, %arg1: tensor<3x?x?xf32> {weft.estimate = array<i64: 3, 2160, 3840>, weft.name = "b"}, %arg2: tensor<1x?x?xf32> {weft.estimate = array<i64: 1, 2160, 3840>, weft.name = "mask"}) -> (tensor<3x?x?xf32> {weft.name = "blended"}) {
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %arg0, %c1 : tensor<3x?x?xf32>
  %c1_0 = arith.constant 1 : index
  %dim_1 = tensor.dim %arg1, %c1_0 : tensor<3x?x?xf32>
  %0 = arith.cmpi eq, %dim_1, %dim : index
  cf.assert %0, "\22b\22 is not as large as \22a\22 in dimension 1"
  %c2 = arith.constant 2 : index
  %dim_2 = tensor.dim %arg0, %c2 : tensor<3x?x?xf32>
  %c2_3 = arith.constant 2 : index
  %dim_4 = tensor.dim %arg1, %c2_3 : tensor<3x?x?xf32>
  %1 = arith.cmpi eq, %dim_4, %dim_2 : index
  cf.assert %1, "\22b\22 is not as large as \22a\22 in dimension 2"
  %c1_5 = arith.constant 1 : index
  %dim_6 = tensor.dim %arg2, %c1_5 : tensor<1x?x?xf32>
  %2 = arith.cmpi eq, %dim_6, %dim : index
  cf.assert %2, "\22mask\22 is not as large as \22a\22 in dimension 1"
  %c2_7 = arith.constant 2 : index
  %dim_8 = tensor.dim %arg2, %c2_7 : tensor<1x?x?xf32>
  %3 = arith.cmpi eq, %dim_8, %dim_2 : index
  cf.assert %3, "\22mask\22 is not as large as \22a\22 in dimension 2"
  %c1_9 = arith.constant 1 : index
  %4 = arith.addi %dim_2, %c1_9 : index
  %c2_10 = arith.constant 2 : index
  %c1_11 = arith.constant 1 : index
  %5 = arith.shrsi %4, %c1_11 : index
  %cst = arith.constant 4.000000e+00 : f32
  %cst_12 = arith.constant 6.000000e+00 : f32
  %cst_13 = arith.constant 1.600000e+01 : f32
  %a_downx1 = pipeline.stage "a_downx1" (%c, %y, %x) {
    %40 = pipeline.load %arg0[%c, %y, %x * 2 - 2] clamp : tensor<3x?x?xf32>
    %41 = pipeline.load %arg0[%c, %y, %x * 2 + 2] clamp : tensor<3x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    %43 = pipeline.load %arg0[%c, %y, %x * 2 - 1] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %arg0[%c, %y, %x * 2 + 1] clamp : tensor<3x?x?xf32>
    %45 = arith.addf %43, %44 : f32
    %46 = arith.mulf %45, %cst : f32
    %47 = arith.addf %42, %46 : f32
    %48 = pipeline.load %arg0[%c, %y, %x * 2] clamp : tensor<3x?x?xf32>
    %49 = arith.mulf %48, %cst_12 : f32
    %50 = arith.addf %47, %49 : f32
    %51 = arith.divf %50, %cst_13 : f32
    pipeline.yield %51 : f32
  } sized(%dim, %5) : tensor<3x?x?xf32>
  %6 = arith.addi %dim, %c1_9 : index
  %c1_14 = arith.constant 1 : index
  %7 = arith.shrsi %6, %c1_14 : index
  %a_down1 = pipeline.stage "a_down1" (%c, %y, %x) {
    %40 = pipeline.load %a_downx1[%c, %y * 2 - 2, %x] clamp : tensor<3x?x?xf32>
    %41 = pipeline.load %a_downx1[%c, %y * 2 + 2, %x] clamp : tensor<3x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    %43 = pipeline.load %a_downx1[%c, %y * 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %a_downx1[%c, %y * 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %45 = arith.addf %43, %44 : f32
    %46 = arith.mulf %45, %cst : f32
    %47 = arith.addf %42, %46 : f32
    %48 = pipeline.load %a_downx1[%c, %y * 2, %x] clamp : tensor<3x?x?xf32>
    %49 = arith.mulf %48, %cst_12 : f32
    %50 = arith.addf %47, %49 : f32
    %51 = arith.divf %50, %cst_13 : f32
    pipeline.yield %51 : f32
  } sized(%7, %5) : tensor<3x?x?xf32>
  %8 = arith.addi %5, %c1_9 : index
  %c1_15 = arith.constant 1 : index
  %9 = arith.shrsi %8, %c1_15 : index
  %a_downx2 = pipeline.stage "a_downx2" (%c, %y, %x) {
    %40 = pipeline.load %a_down1[%c, %y, %x * 2 - 2] clamp : tensor<3x?x?xf32>
    %41 = pipeline.load %a_down1[%c, %y, %x * 2 + 2] clamp : tensor<3x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    %43 = pipeline.load %a_down1[%c, %y, %x * 2 - 1] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %a_down1[%c, %y, %x * 2 + 1] clamp : tensor<3x?x?xf32>
    %45 = arith.addf %43, %44 : f32
    %46 = arith.mulf %45, %cst : f32
    %47 = arith.addf %42, %46 : f32
    %48 = pipeline.load %a_down1[%c, %y, %x * 2] clamp : tensor<3x?x?xf32>
    %49 = arith.mulf %48, %cst_12 : f32
    %50 = arith.addf %47, %49 : f32
    %51 = arith.divf %50, %cst_13 : f32
    pipeline.yield %51 : f32
  } sized(%7, %9) : tensor<3x?x?xf32>
  %10 = arith.addi %7, %c1_9 : index
  %c1_16 = arith.constant 1 : index
  %11 = arith.shrsi %10, %c1_16 : index
  %a_down2 = pipeline.stage "a_down2" (%c, %y, %x) {
    %40 = pipeline.load %a_downx2[%c, %y * 2 - 2, %x] clamp : tensor<3x?x?xf32>
    %41 = pipeline.load %a_downx2[%c, %y * 2 + 2, %x] clamp : tensor<3x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    %43 = pipeline.load %a_downx2[%c, %y * 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %a_downx2[%c, %y * 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %45 = arith.addf %43, %44 : f32
    %46 = arith.mulf %45, %cst : f32
    %47 = arith.addf %42, %46 : f32
    %48 = pipeline.load %a_downx2[%c, %y * 2, %x] clamp : tensor<3x?x?xf32>
    %49 = arith.mulf %48, %cst_12 : f32
    %50 = arith.addf %47, %49 : f32
    %51 = arith.divf %50, %cst_13 : f32
    pipeline.yield %51 : f32
  } sized(%11, %9) : tensor<3x?x?xf32>
  %12 = arith.addi %9, %c1_9 : index
  %c1_17 = arith.constant 1 : index
  %13 = arith.shrsi %12, %c1_17 : index
  %a_downx3 = pipeline.stage "a_downx3" (%c, %y, %x) {
    %40 = pipeline.load %a_down2[%c, %y, %x * 2 - 2] clamp : tensor<3x?x?xf32>
    %41 = pipeline.load %a_down2[%c, %y, %x * 2 + 2] clamp : tensor<3x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    %43 = pipeline.load %a_down2[%c, %y, %x * 2 - 1] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %a_down2[%c, %y, %x * 2 + 1] clamp : tensor<3x?x?xf32>
    %45 = arith.addf %43, %44 : f32
    %46 = arith.mulf %45, %cst : f32
    %47 = arith.addf %42, %46 : f32
    %48 = pipeline.load %a_down2[%c, %y, %x * 2] clamp : tensor<3x?x?xf32>
    %49 = arith.mulf %48, %cst_12 : f32
    %50 = arith.addf %47, %49 : f32
    %51 = arith.divf %50, %cst_13 : f32
    pipeline.yield %51 : f32
  } sized(%11, %13) : tensor<3x?x?xf32>
  %14 = arith.addi %11, %c1_9 : index
  %c1_18 = arith.constant 1 : index
  %15 = arith.shrsi %14, %c1_18 : index
  %a_down3 = pipeline.stage "a_down3" (%c, %y, %x) {
    %40 = pipeline.load %a_downx3[%c, %y * 2 - 2, %x] clamp : tensor<3x?x?xf32>
    %41 = pipeline.load %a_downx3[%c, %y * 2 + 2, %x] clamp : tensor<3x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    %43 = pipeline.load %a_downx3[%c, %y * 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %a_downx3[%c, %y * 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %45 = arith.addf %43, %44 : f32
    %46 = arith.mulf %45, %cst : f32
    %47 = arith.addf %42, %46 : f32
    %48 = pipeline.load %a_downx3[%c, %y * 2, %x] clamp : tensor<3x?x?xf32>
    %49 = arith.mulf %48, %cst_12 : f32
    %50 = arith.addf %47, %49 : f32
    %51 = arith.divf %50, %cst_13 : f32
    pipeline.yield %51 : f32
  } sized(%15, %13) : tensor<3x?x?xf32>
  %16 = arith.addi %dim_4, %c1_9 : index
  %c1_19 = arith.constant 1 : index
  %17 = arith.shrsi %16, %c1_19 : index
  %b_downx1 = pipeline.stage "b_downx1" (%c, %y, %x) {
    %40 = pipeline.load %arg1[%c, %y, %x * 2 - 2] clamp : tensor<3x?x?xf32>
    %41 = pipeline.load %arg1[%c, %y, %x * 2 + 2] clamp : tensor<3x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    %43 = pipeline.load %arg1[%c, %y, %x * 2 - 1] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %arg1[%c, %y, %x * 2 + 1] clamp : tensor<3x?x?xf32>
    %45 = arith.addf %43, %44 : f32
    %46 = arith.mulf %45, %cst : f32
    %47 = arith.addf %42, %46 : f32
    %48 = pipeline.load %arg1[%c, %y, %x * 2] clamp : tensor<3x?x?xf32>
    %49 = arith.mulf %48, %cst_12 : f32
    %50 = arith.addf %47, %49 : f32
    %51 = arith.divf %50, %cst_13 : f32
    pipeline.yield %51 : f32
  } sized(%dim_1, %17) : tensor<3x?x?xf32>
  %18 = arith.addi %dim_1, %c1_9 : index
  %c1_20 = arith.constant 1 : index
  %19 = arith.shrsi %18, %c1_20 : index
  %b_down1 = pipeline.stage "b_down1" (%c, %y, %x) {
    %40 = pipeline.load %b_downx1[%c, %y * 2 - 2, %x] clamp : tensor<3x?x?xf32>
    %41 = pipeline.load %b_downx1[%c, %y * 2 + 2, %x] clamp : tensor<3x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    %43 = pipeline.load %b_downx1[%c, %y * 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %b_downx1[%c, %y * 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %45 = arith.addf %43, %44 : f32
    %46 = arith.mulf %45, %cst : f32
    %47 = arith.addf %42, %46 : f32
    %48 = pipeline.load %b_downx1[%c, %y * 2, %x] clamp : tensor<3x?x?xf32>
    %49 = arith.mulf %48, %cst_12 : f32
    %50 = arith.addf %47, %49 : f32
    %51 = arith.divf %50, %cst_13 : f32
    pipeline.yield %51 : f32
  } sized(%19, %17) : tensor<3x?x?xf32>
  %20 = arith.addi %17, %c1_9 : index
  %c1_21 = arith.constant 1 : index
  %21 = arith.shrsi %20, %c1_21 : index
  %b_downx2 = pipeline.stage "b_downx2" (%c, %y, %x) {
    %40 = pipeline.load %b_down1[%c, %y, %x * 2 - 2] clamp : tensor<3x?x?xf32>
    %41 = pipeline.load %b_down1[%c, %y, %x * 2 + 2] clamp : tensor<3x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    %43 = pipeline.load %b_down1[%c, %y, %x * 2 - 1] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %b_down1[%c, %y, %x * 2 + 1] clamp : tensor<3x?x?xf32>
    %45 = arith.addf %43, %44 : f32
    %46 = arith.mulf %45, %cst : f32
    %47 = arith.addf %42, %46 : f32
    %48 = pipeline.load %b_down1[%c, %y, %x * 2] clamp : tensor<3x?x?xf32>
    %49 = arith.mulf %48, %cst_12 : f32
    %50 = arith.addf %47, %49 : f32
    %51 = arith.divf %50, %cst_13 : f32
    pipeline.yield %51 : f32
  } sized(%19, %21) : tensor<3x?x?xf32>
  %22 = arith.addi %19, %c1_9 : index
  %c1_22 = arith.constant 1 : index
  %23 = arith.shrsi %22, %c1_22 : index
  %b_down2 = pipeline.stage "b_down2" (%c, %y, %x) {
    %40 = pipeline.load %b_downx2[%c, %y * 2 - 2, %x] clamp : tensor<3x?x?xf32>
    %41 = pipeline.load %b_downx2[%c, %y * 2 + 2, %x] clamp : tensor<3x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    %43 = pipeline.load %b_downx2[%c, %y * 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %b_downx2[%c, %y * 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %45 = arith.addf %43, %44 : f32
    %46 = arith.mulf %45, %cst : f32
    %47 = arith.addf %42, %46 : f32
    %48 = pipeline.load %b_downx2[%c, %y * 2, %x] clamp : tensor<3x?x?xf32>
    %49 = arith.mulf %48, %cst_12 : f32
    %50 = arith.addf %47, %49 : f32
    %51 = arith.divf %50, %cst_13 : f32
    pipeline.yield %51 : f32
  } sized(%23, %21) : tensor<3x?x?xf32>
  %24 = arith.addi %21, %c1_9 : index
  %c1_23 = arith.constant 1 : index
  %25 = arith.shrsi %24, %c1_23 : index
  %b_downx3 = pipeline.stage "b_downx3" (%c, %y, %x) {
    %40 = pipeline.load %b_down2[%c, %y, %x * 2 - 2] clamp : tensor<3x?x?xf32>
    %41 = pipeline.load %b_down2[%c, %y, %x * 2 + 2] clamp : tensor<3x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    %43 = pipeline.load %b_down2[%c, %y, %x * 2 - 1] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %b_down2[%c, %y, %x * 2 + 1] clamp : tensor<3x?x?xf32>
    %45 = arith.addf %43, %44 : f32
    %46 = arith.mulf %45, %cst : f32
    %47 = arith.addf %42, %46 : f32
    %48 = pipeline.load %b_down2[%c, %y, %x * 2] clamp : tensor<3x?x?xf32>
    %49 = arith.mulf %48, %cst_12 : f32
    %50 = arith.addf %47, %49 : f32
    %51 = arith.divf %50, %cst_13 : f32
    pipeline.yield %51 : f32
  } sized(%23, %25) : tensor<3x?x?xf32>
  %26 = arith.addi %23, %c1_9 : index
  %c1_24 = arith.constant 1 : index
  %27 = arith.shrsi %26, %c1_24 : index
  %b_down3 = pipeline.stage "b_down3" (%c, %y, %x) {
    %40 = pipeline.load %b_downx3[%c, %y * 2 - 2, %x] clamp : tensor<3x?x?xf32>
    %41 = pipeline.load %b_downx3[%c, %y * 2 + 2, %x] clamp : tensor<3x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    %43 = pipeline.load %b_downx3[%c, %y * 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %b_downx3[%c, %y * 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %45 = arith.addf %43, %44 : f32
    %46 = arith.mulf %45, %cst : f32
    %47 = arith.addf %42, %46 : f32
    %48 = pipeline.load %b_downx3[%c, %y * 2, %x] clamp : tensor<3x?x?xf32>
    %49 = arith.mulf %48, %cst_12 : f32
    %50 = arith.addf %47, %49 : f32
    %51 = arith.divf %50, %cst_13 : f32
    pipeline.yield %51 : f32
  } sized(%27, %25) : tensor<3x?x?xf32>
  %28 = arith.addi %dim_8, %c1_9 : index
  %c1_25 = arith.constant 1 : index
  %29 = arith.shrsi %28, %c1_25 : index
  %mask_downx1 = pipeline.stage "mask_downx1" (%c, %y, %x) {
    %40 = pipeline.load %arg2[%c, %y, %x * 2 - 2] clamp : tensor<1x?x?xf32>
    %41 = pipeline.load %arg2[%c, %y, %x * 2 + 2] clamp : tensor<1x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    %43 = pipeline.load %arg2[%c, %y, %x * 2 - 1] clamp : tensor<1x?x?xf32>
    %44 = pipeline.load %arg2[%c, %y, %x * 2 + 1] clamp : tensor<1x?x?xf32>
    %45 = arith.addf %43, %44 : f32
    %46 = arith.mulf %45, %cst : f32
    %47 = arith.addf %42, %46 : f32
    %48 = pipeline.load %arg2[%c, %y, %x * 2] clamp : tensor<1x?x?xf32>
    %49 = arith.mulf %48, %cst_12 : f32
    %50 = arith.addf %47, %49 : f32
    %51 = arith.divf %50, %cst_13 : f32
    pipeline.yield %51 : f32
  } sized(%dim_6, %29) : tensor<1x?x?xf32>
  %30 = arith.addi %dim_6, %c1_9 : index
  %c1_26 = arith.constant 1 : index
  %31 = arith.shrsi %30, %c1_26 : index
  %mask_down1 = pipeline.stage "mask_down1" (%c, %y, %x) {
    %40 = pipeline.load %mask_downx1[%c, %y * 2 - 2, %x] clamp : tensor<1x?x?xf32>
    %41 = pipeline.load %mask_downx1[%c, %y * 2 + 2, %x] clamp : tensor<1x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    %43 = pipeline.load %mask_downx1[%c, %y * 2 - 1, %x] clamp : tensor<1x?x?xf32>
    %44 = pipeline.load %mask_downx1[%c, %y * 2 + 1, %x] clamp : tensor<1x?x?xf32>
    %45 = arith.addf %43, %44 : f32
    %46 = arith.mulf %45, %cst : f32
    %47 = arith.addf %42, %46 : f32
    %48 = pipeline.load %mask_downx1[%c, %y * 2, %x] clamp : tensor<1x?x?xf32>
    %49 = arith.mulf %48, %cst_12 : f32
    %50 = arith.addf %47, %49 : f32
    %51 = arith.divf %50, %cst_13 : f32
    pipeline.yield %51 : f32
  } sized(%31, %29) : tensor<1x?x?xf32>
  %32 = arith.addi %29, %c1_9 : index
  %c1_27 = arith.constant 1 : index
  %33 = arith.shrsi %32, %c1_27 : index
  %mask_downx2 = pipeline.stage "mask_downx2" (%c, %y, %x) {
    %40 = pipeline.load %mask_down1[%c, %y, %x * 2 - 2] clamp : tensor<1x?x?xf32>
    %41 = pipeline.load %mask_down1[%c, %y, %x * 2 + 2] clamp : tensor<1x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    %43 = pipeline.load %mask_down1[%c, %y, %x * 2 - 1] clamp : tensor<1x?x?xf32>
    %44 = pipeline.load %mask_down1[%c, %y, %x * 2 + 1] clamp : tensor<1x?x?xf32>
    %45 = arith.addf %43, %44 : f32
    %46 = arith.mulf %45, %cst : f32
    %47 = arith.addf %42, %46 : f32
    %48 = pipeline.load %mask_down1[%c, %y, %x * 2] clamp : tensor<1x?x?xf32>
    %49 = arith.mulf %48, %cst_12 : f32
    %50 = arith.addf %47, %49 : f32
    %51 = arith.divf %50, %cst_13 : f32
    pipeline.yield %51 : f32
  } sized(%31, %33) : tensor<1x?x?xf32>
  %34 = arith.addi %31, %c1_9 : index
  %c1_28 = arith.constant 1 : index
  %35 = arith.shrsi %34, %c1_28 : index
  %mask_down2 = pipeline.stage "mask_down2" (%c, %y, %x) {
    %40 = pipeline.load %mask_downx2[%c, %y * 2 - 2, %x] clamp : tensor<1x?x?xf32>
    %41 = pipeline.load %mask_downx2[%c, %y * 2 + 2, %x] clamp : tensor<1x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    %43 = pipeline.load %mask_downx2[%c, %y * 2 - 1, %x] clamp : tensor<1x?x?xf32>
    %44 = pipeline.load %mask_downx2[%c, %y * 2 + 1, %x] clamp : tensor<1x?x?xf32>
    %45 = arith.addf %43, %44 : f32
    %46 = arith.mulf %45, %cst : f32
    %47 = arith.addf %42, %46 : f32
    %48 = pipeline.load %mask_downx2[%c, %y * 2, %x] clamp : tensor<1x?x?xf32>
    %49 = arith.mulf %48, %cst_12 : f32
    %50 = arith.addf %47, %49 : f32
    %51 = arith.divf %50, %cst_13 : f32
    pipeline.yield %51 : f32
  } sized(%35, %33) : tensor<1x?x?xf32>
  %36 = arith.addi %33, %c1_9 : index
  %c1_29 = arith.constant 1 : index
  %37 = arith.shrsi %36, %c1_29 : index
  %mask_downx3 = pipeline.stage "mask_downx3" (%c, %y, %x) {
    %40 = pipeline.load %mask_down2[%c, %y, %x * 2 - 2] clamp : tensor<1x?x?xf32>
    %41 = pipeline.load %mask_down2[%c, %y, %x * 2 + 2] clamp : tensor<1x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    %43 = pipeline.load %mask_down2[%c, %y, %x * 2 - 1] clamp : tensor<1x?x?xf32>
    %44 = pipeline.load %mask_down2[%c, %y, %x * 2 + 1] clamp : tensor<1x?x?xf32>
    %45 = arith.addf %43, %44 : f32
    %46 = arith.mulf %45, %cst : f32
    %47 = arith.addf %42, %46 : f32
    %48 = pipeline.load %mask_down2[%c, %y, %x * 2] clamp : tensor<1x?x?xf32>
    %49 = arith.mulf %48, %cst_12 : f32
    %50 = arith.addf %47, %49 : f32
    %51 = arith.divf %50, %cst_13 : f32
    pipeline.yield %51 : f32
  } sized(%35, %37) : tensor<1x?x?xf32>
  %38 = arith.addi %35, %c1_9 : index
  %c1_30 = arith.constant 1 : index
  %39 = arith.shrsi %38, %c1_30 : index
  %mask_down3 = pipeline.stage "mask_down3" (%c, %y, %x) {
    %40 = pipeline.load %mask_downx3[%c, %y * 2 - 2, %x] clamp : tensor<1x?x?xf32>
    %41 = pipeline.load %mask_downx3[%c, %y * 2 + 2, %x] clamp : tensor<1x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    %43 = pipeline.load %mask_downx3[%c, %y * 2 - 1, %x] clamp : tensor<1x?x?xf32>
    %44 = pipeline.load %mask_downx3[%c, %y * 2 + 1, %x] clamp : tensor<1x?x?xf32>
    %45 = arith.addf %43, %44 : f32
    %46 = arith.mulf %45, %cst : f32
    %47 = arith.addf %42, %46 : f32
    %48 = pipeline.load %mask_downx3[%c, %y * 2, %x] clamp : tensor<1x?x?xf32>
    %49 = arith.mulf %48, %cst_12 : f32
    %50 = arith.addf %47, %49 : f32
    %51 = arith.divf %50, %cst_13 : f32
    pipeline.yield %51 : f32
  } sized(%39, %37) : tensor<1x?x?xf32>
  %c0 = arith.constant 0 : index
  %cst_31 = arith.constant 8.000000e+00 : f32
  %cst_32 = arith.constant 2.000000e+00 : f32
  %a_upx0 = pipeline.stage "a_upx0" (%c, %y, %x) {
    %40 = pipeline.load %a_down1[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x?x?xf32>
    %41 = pipeline.load %a_down1[%c, %y, %x floordiv 2] clamp : tensor<3x?x?xf32>
    %42 = pipeline.load %a_down1[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x?x?xf32>
    %c1_35 = arith.constant 1 : index
    %43 = arith.andi %x, %c1_35 : index
    %44 = arith.cmpi eq, %43, %c0 : index
    %45 = arith.mulf %41, %cst_12 : f32
    %46 = arith.addf %40, %45 : f32
    %47 = arith.addf %46, %42 : f32
    %48 = arith.divf %47, %cst_31 : f32
    %49 = arith.addf %41, %42 : f32
    %50 = arith.divf %49, %cst_32 : f32
    %51 = arith.select %44, %48, %50 : f32
    pipeline.yield %51 : f32
  } sized(%7, %dim_2) : tensor<3x?x?xf32>
  %a_laplace0 = pipeline.stage "a_laplace0" (%c, %y, %x) {
    %40 = pipeline.load %arg0[%c, %y, %x] : tensor<3x?x?xf32>
    %41 = pipeline.load %a_upx0[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %42 = pipeline.load %a_upx0[%c, %y floordiv 2, %x] clamp : tensor<3x?x?xf32>
    %43 = pipeline.load %a_upx0[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %c1_35 = arith.constant 1 : index
    %44 = arith.andi %y, %c1_35 : index
    %45 = arith.cmpi eq, %44, %c0 : index
    %46 = arith.mulf %42, %cst_12 : f32
    %47 = arith.addf %41, %46 : f32
    %48 = arith.addf %47, %43 : f32
    %49 = arith.divf %48, %cst_31 : f32
    %50 = arith.addf %42, %43 : f32
    %51 = arith.divf %50, %cst_32 : f32
    %52 = arith.select %45, %49, %51 : f32
    %53 = arith.subf %40, %52 : f32
    pipeline.yield %53 : f32
  } sized(%dim, %dim_2) : tensor<3x?x?xf32>
  %a_upx1 = pipeline.stage "a_upx1" (%c, %y, %x) {
    %c1_35 = arith.constant 1 : index
    %40 = arith.andi %x, %c1_35 : index
    %41 = arith.cmpi eq, %40, %c0 : index
    %42 = pipeline.load %a_down2[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x?x?xf32>
    %43 = pipeline.load %a_down2[%c, %y, %x floordiv 2] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %a_down2[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x?x?xf32>
    %45 = arith.mulf %43, %cst_12 : f32
    %46 = arith.addf %42, %45 : f32
    %47 = arith.addf %46, %44 : f32
    %48 = arith.divf %47, %cst_31 : f32
    %49 = arith.addf %43, %44 : f32
    %50 = arith.divf %49, %cst_32 : f32
    %51 = arith.select %41, %48, %50 : f32
    pipeline.yield %51 : f32
  } sized(%11, %5) : tensor<3x?x?xf32>
  %a_laplace1 = pipeline.stage "a_laplace1" (%c, %y, %x) {
    %c1_35 = arith.constant 1 : index
    %40 = arith.andi %y, %c1_35 : index
    %41 = arith.cmpi eq, %40, %c0 : index
    %42 = pipeline.load %a_down1[%c, %y, %x] : tensor<3x?x?xf32>
    %43 = pipeline.load %a_upx1[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %a_upx1[%c, %y floordiv 2, %x] clamp : tensor<3x?x?xf32>
    %45 = pipeline.load %a_upx1[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %46 = arith.mulf %44, %cst_12 : f32
    %47 = arith.addf %43, %46 : f32
    %48 = arith.addf %47, %45 : f32
    %49 = arith.divf %48, %cst_31 : f32
    %50 = arith.addf %44, %45 : f32
    %51 = arith.divf %50, %cst_32 : f32
    %52 = arith.select %41, %49, %51 : f32
    %53 = arith.subf %42, %52 : f32
    pipeline.yield %53 : f32
  } sized(%7, %5) : tensor<3x?x?xf32>
  %a_upx2 = pipeline.stage "a_upx2" (%c, %y, %x) {
    %c1_35 = arith.constant 1 : index
    %40 = arith.andi %x, %c1_35 : index
    %41 = arith.cmpi eq, %40, %c0 : index
    %42 = pipeline.load %a_down3[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x?x?xf32>
    %43 = pipeline.load %a_down3[%c, %y, %x floordiv 2] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %a_down3[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x?x?xf32>
    %45 = arith.mulf %43, %cst_12 : f32
    %46 = arith.addf %42, %45 : f32
    %47 = arith.addf %46, %44 : f32
    %48 = arith.divf %47, %cst_31 : f32
    %49 = arith.addf %43, %44 : f32
    %50 = arith.divf %49, %cst_32 : f32
    %51 = arith.select %41, %48, %50 : f32
    pipeline.yield %51 : f32
  } sized(%15, %9) : tensor<3x?x?xf32>
  %a_laplace2 = pipeline.stage "a_laplace2" (%c, %y, %x) {
    %c1_35 = arith.constant 1 : index
    %40 = arith.andi %y, %c1_35 : index
    %41 = arith.cmpi eq, %40, %c0 : index
    %42 = pipeline.load %a_down2[%c, %y, %x] : tensor<3x?x?xf32>
    %43 = pipeline.load %a_upx2[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %a_upx2[%c, %y floordiv 2, %x] clamp : tensor<3x?x?xf32>
    %45 = pipeline.load %a_upx2[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %46 = arith.mulf %44, %cst_12 : f32
    %47 = arith.addf %43, %46 : f32
    %48 = arith.addf %47, %45 : f32
    %49 = arith.divf %48, %cst_31 : f32
    %50 = arith.addf %44, %45 : f32
    %51 = arith.divf %50, %cst_32 : f32
    %52 = arith.select %41, %49, %51 : f32
    %53 = arith.subf %42, %52 : f32
    pipeline.yield %53 : f32
  } sized(%11, %9) : tensor<3x?x?xf32>
  %b_upx0 = pipeline.stage "b_upx0" (%c, %y, %x) {
    %c1_35 = arith.constant 1 : index
    %40 = arith.andi %x, %c1_35 : index
    %41 = arith.cmpi eq, %40, %c0 : index
    %42 = pipeline.load %b_down1[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x?x?xf32>
    %43 = pipeline.load %b_down1[%c, %y, %x floordiv 2] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %b_down1[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x?x?xf32>
    %45 = arith.mulf %43, %cst_12 : f32
    %46 = arith.addf %42, %45 : f32
    %47 = arith.addf %46, %44 : f32
    %48 = arith.divf %47, %cst_31 : f32
    %49 = arith.addf %43, %44 : f32
    %50 = arith.divf %49, %cst_32 : f32
    %51 = arith.select %41, %48, %50 : f32
    pipeline.yield %51 : f32
  } sized(%19, %dim_4) : tensor<3x?x?xf32>
  %b_laplace0 = pipeline.stage "b_laplace0" (%c, %y, %x) {
    %c1_35 = arith.constant 1 : index
    %40 = arith.andi %y, %c1_35 : index
    %41 = arith.cmpi eq, %40, %c0 : index
    %42 = pipeline.load %arg1[%c, %y, %x] : tensor<3x?x?xf32>
    %43 = pipeline.load %b_upx0[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %b_upx0[%c, %y floordiv 2, %x] clamp : tensor<3x?x?xf32>
    %45 = pipeline.load %b_upx0[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %46 = arith.mulf %44, %cst_12 : f32
    %47 = arith.addf %43, %46 : f32
    %48 = arith.addf %47, %45 : f32
    %49 = arith.divf %48, %cst_31 : f32
    %50 = arith.addf %44, %45 : f32
    %51 = arith.divf %50, %cst_32 : f32
    %52 = arith.select %41, %49, %51 : f32
    %53 = arith.subf %42, %52 : f32
    pipeline.yield %53 : f32
  } sized(%dim_1, %dim_4) : tensor<3x?x?xf32>
  %b_upx1 = pipeline.stage "b_upx1" (%c, %y, %x) {
    %c1_35 = arith.constant 1 : index
    %40 = arith.andi %x, %c1_35 : index
    %41 = arith.cmpi eq, %40, %c0 : index
    %42 = pipeline.load %b_down2[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x?x?xf32>
    %43 = pipeline.load %b_down2[%c, %y, %x floordiv 2] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %b_down2[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x?x?xf32>
    %45 = arith.mulf %43, %cst_12 : f32
    %46 = arith.addf %42, %45 : f32
    %47 = arith.addf %46, %44 : f32
    %48 = arith.divf %47, %cst_31 : f32
    %49 = arith.addf %43, %44 : f32
    %50 = arith.divf %49, %cst_32 : f32
    %51 = arith.select %41, %48, %50 : f32
    pipeline.yield %51 : f32
  } sized(%23, %17) : tensor<3x?x?xf32>
  %b_laplace1 = pipeline.stage "b_laplace1" (%c, %y, %x) {
    %c1_35 = arith.constant 1 : index
    %40 = arith.andi %y, %c1_35 : index
    %41 = arith.cmpi eq, %40, %c0 : index
    %42 = pipeline.load %b_down1[%c, %y, %x] : tensor<3x?x?xf32>
    %43 = pipeline.load %b_upx1[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %b_upx1[%c, %y floordiv 2, %x] clamp : tensor<3x?x?xf32>
    %45 = pipeline.load %b_upx1[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %46 = arith.mulf %44, %cst_12 : f32
    %47 = arith.addf %43, %46 : f32
    %48 = arith.addf %47, %45 : f32
    %49 = arith.divf %48, %cst_31 : f32
    %50 = arith.addf %44, %45 : f32
    %51 = arith.divf %50, %cst_32 : f32
    %52 = arith.select %41, %49, %51 : f32
    %53 = arith.subf %42, %52 : f32
    pipeline.yield %53 : f32
  } sized(%19, %17) : tensor<3x?x?xf32>
  %b_upx2 = pipeline.stage "b_upx2" (%c, %y, %x) {
    %c1_35 = arith.constant 1 : index
    %40 = arith.andi %x, %c1_35 : index
    %41 = arith.cmpi eq, %40, %c0 : index
    %42 = pipeline.load %b_down3[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x?x?xf32>
    %43 = pipeline.load %b_down3[%c, %y, %x floordiv 2] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %b_down3[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x?x?xf32>
    %45 = arith.mulf %43, %cst_12 : f32
    %46 = arith.addf %42, %45 : f32
    %47 = arith.addf %46, %44 : f32
    %48 = arith.divf %47, %cst_31 : f32
    %49 = arith.addf %43, %44 : f32
    %50 = arith.divf %49, %cst_32 : f32
    %51 = arith.select %41, %48, %50 : f32
    pipeline.yield %51 : f32
  } sized(%27, %21) : tensor<3x?x?xf32>
  %b_laplace2 = pipeline.stage "b_laplace2" (%c, %y, %x) {
    %c1_35 = arith.constant 1 : index
    %40 = arith.andi %y, %c1_35 : index
    %41 = arith.cmpi eq, %40, %c0 : index
    %42 = pipeline.load %b_down2[%c, %y, %x] : tensor<3x?x?xf32>
    %43 = pipeline.load %b_upx2[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %b_upx2[%c, %y floordiv 2, %x] clamp : tensor<3x?x?xf32>
    %45 = pipeline.load %b_upx2[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %46 = arith.mulf %44, %cst_12 : f32
    %47 = arith.addf %43, %46 : f32
    %48 = arith.addf %47, %45 : f32
    %49 = arith.divf %48, %cst_31 : f32
    %50 = arith.addf %44, %45 : f32
    %51 = arith.divf %50, %cst_32 : f32
    %52 = arith.select %41, %49, %51 : f32
    %53 = arith.subf %42, %52 : f32
    pipeline.yield %53 : f32
  } sized(%23, %21) : tensor<3x?x?xf32>
  %cst_33 = arith.constant 1.000000e+00 : f32
  %blend0 = pipeline.stage "blend0" (%c, %y, %x) {
    %40 = pipeline.load %a_laplace0[%c, %y, %x] : tensor<3x?x?xf32>
    %41 = pipeline.load %b_laplace0[%c, %y, %x] : tensor<3x?x?xf32>
    %42 = pipeline.load %arg2[0, %y, %x] : tensor<1x?x?xf32>
    %43 = arith.mulf %40, %42 : f32
    %44 = arith.subf %cst_33, %42 : f32
    %45 = arith.mulf %41, %44 : f32
    %46 = arith.addf %43, %45 : f32
    pipeline.yield %46 : f32
  } sized(%dim, %dim_2) : tensor<3x?x?xf32>
  %blend1 = pipeline.stage "blend1" (%c, %y, %x) {
    %40 = pipeline.load %a_laplace1[%c, %y, %x] : tensor<3x?x?xf32>
    %41 = pipeline.load %b_laplace1[%c, %y, %x] : tensor<3x?x?xf32>
    %42 = pipeline.load %mask_down1[0, %y, %x] : tensor<1x?x?xf32>
    %43 = arith.mulf %40, %42 : f32
    %44 = arith.subf %cst_33, %42 : f32
    %45 = arith.mulf %41, %44 : f32
    %46 = arith.addf %43, %45 : f32
    pipeline.yield %46 : f32
  } sized(%7, %5) : tensor<3x?x?xf32>
  %blend2 = pipeline.stage "blend2" (%c, %y, %x) {
    %40 = pipeline.load %a_laplace2[%c, %y, %x] : tensor<3x?x?xf32>
    %41 = pipeline.load %b_laplace2[%c, %y, %x] : tensor<3x?x?xf32>
    %42 = pipeline.load %mask_down2[0, %y, %x] : tensor<1x?x?xf32>
    %43 = arith.mulf %40, %42 : f32
    %44 = arith.subf %cst_33, %42 : f32
    %45 = arith.mulf %41, %44 : f32
    %46 = arith.addf %43, %45 : f32
    pipeline.yield %46 : f32
  } sized(%11, %9) : tensor<3x?x?xf32>
  %blend3 = pipeline.stage "blend3" (%c, %y, %x) {
    %40 = pipeline.load %a_down3[%c, %y, %x] : tensor<3x?x?xf32>
    %41 = pipeline.load %b_down3[%c, %y, %x] : tensor<3x?x?xf32>
    %42 = pipeline.load %mask_down3[0, %y, %x] : tensor<1x?x?xf32>
    %43 = arith.mulf %40, %42 : f32
    %44 = arith.subf %cst_33, %42 : f32
    %45 = arith.mulf %41, %44 : f32
    %46 = arith.addf %43, %45 : f32
    pipeline.yield %46 : f32
  } sized(%15, %13) : tensor<3x?x?xf32>
  %out_upx2 = pipeline.stage "out_upx2" (%c, %y, %x) {
    %c1_35 = arith.constant 1 : index
    %40 = arith.andi %x, %c1_35 : index
    %41 = arith.cmpi eq, %40, %c0 : index
    %42 = pipeline.load %blend3[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x?x?xf32>
    %43 = pipeline.load %blend3[%c, %y, %x floordiv 2] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %blend3[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x?x?xf32>
    %45 = arith.mulf %43, %cst_12 : f32
    %46 = arith.addf %42, %45 : f32
    %47 = arith.addf %46, %44 : f32
    %48 = arith.divf %47, %cst_31 : f32
    %49 = arith.addf %43, %44 : f32
    %50 = arith.divf %49, %cst_32 : f32
    %51 = arith.select %41, %48, %50 : f32
    pipeline.yield %51 : f32
  } sized(%15, %9) : tensor<3x?x?xf32>
  %out_up2 = pipeline.stage "out_up2" (%c, %y, %x) {
    %c1_35 = arith.constant 1 : index
    %40 = arith.andi %y, %c1_35 : index
    %41 = arith.cmpi eq, %40, %c0 : index
    %42 = pipeline.load %out_upx2[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %43 = pipeline.load %out_upx2[%c, %y floordiv 2, %x] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %out_upx2[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %45 = arith.mulf %43, %cst_12 : f32
    %46 = arith.addf %42, %45 : f32
    %47 = arith.addf %46, %44 : f32
    %48 = arith.divf %47, %cst_31 : f32
    %49 = arith.addf %43, %44 : f32
    %50 = arith.divf %49, %cst_32 : f32
    %51 = arith.select %41, %48, %50 : f32
    pipeline.yield %51 : f32
  } sized(%11, %9) : tensor<3x?x?xf32>
  %out2 = pipeline.stage "out2" (%c, %y, %x) {
    %40 = pipeline.load %out_up2[%c, %y, %x] : tensor<3x?x?xf32>
    %41 = pipeline.load %blend2[%c, %y, %x] : tensor<3x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    pipeline.yield %42 : f32
  } sized(%11, %9) : tensor<3x?x?xf32>
  %out_upx1 = pipeline.stage "out_upx1" (%c, %y, %x) {
    %c1_35 = arith.constant 1 : index
    %40 = arith.andi %x, %c1_35 : index
    %41 = arith.cmpi eq, %40, %c0 : index
    %42 = pipeline.load %out2[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x?x?xf32>
    %43 = pipeline.load %out2[%c, %y, %x floordiv 2] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %out2[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x?x?xf32>
    %45 = arith.mulf %43, %cst_12 : f32
    %46 = arith.addf %42, %45 : f32
    %47 = arith.addf %46, %44 : f32
    %48 = arith.divf %47, %cst_31 : f32
    %49 = arith.addf %43, %44 : f32
    %50 = arith.divf %49, %cst_32 : f32
    %51 = arith.select %41, %48, %50 : f32
    pipeline.yield %51 : f32
  } sized(%11, %5) : tensor<3x?x?xf32>
  %out_up1 = pipeline.stage "out_up1" (%c, %y, %x) {
    %c1_35 = arith.constant 1 : index
    %40 = arith.andi %y, %c1_35 : index
    %41 = arith.cmpi eq, %40, %c0 : index
    %42 = pipeline.load %out_upx1[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %43 = pipeline.load %out_upx1[%c, %y floordiv 2, %x] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %out_upx1[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %45 = arith.mulf %43, %cst_12 : f32
    %46 = arith.addf %42, %45 : f32
    %47 = arith.addf %46, %44 : f32
    %48 = arith.divf %47, %cst_31 : f32
    %49 = arith.addf %43, %44 : f32
    %50 = arith.divf %49, %cst_32 : f32
    %51 = arith.select %41, %48, %50 : f32
    pipeline.yield %51 : f32
  } sized(%7, %5) : tensor<3x?x?xf32>
  %out1 = pipeline.stage "out1" (%c, %y, %x) {
    %40 = pipeline.load %out_up1[%c, %y, %x] : tensor<3x?x?xf32>
    %41 = pipeline.load %blend1[%c, %y, %x] : tensor<3x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    pipeline.yield %42 : f32
  } sized(%7, %5) : tensor<3x?x?xf32>
  %out_upx0 = pipeline.stage "out_upx0" (%c, %y, %x) {
    %c1_35 = arith.constant 1 : index
    %40 = arith.andi %x, %c1_35 : index
    %41 = arith.cmpi eq, %40, %c0 : index
    %42 = pipeline.load %out1[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x?x?xf32>
    %43 = pipeline.load %out1[%c, %y, %x floordiv 2] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %out1[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x?x?xf32>
    %45 = arith.mulf %43, %cst_12 : f32
    %46 = arith.addf %42, %45 : f32
    %47 = arith.addf %46, %44 : f32
    %48 = arith.divf %47, %cst_31 : f32
    %49 = arith.addf %43, %44 : f32
    %50 = arith.divf %49, %cst_32 : f32
    %51 = arith.select %41, %48, %50 : f32
    pipeline.yield %51 : f32
  } sized(%7, %dim_2) : tensor<3x?x?xf32>
  %out_up0 = pipeline.stage "out_up0" (%c, %y, %x) {
    %c1_35 = arith.constant 1 : index
    %40 = arith.andi %y, %c1_35 : index
    %41 = arith.cmpi eq, %40, %c0 : index
    %42 = pipeline.load %out_upx0[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %43 = pipeline.load %out_upx0[%c, %y floordiv 2, %x] clamp : tensor<3x?x?xf32>
    %44 = pipeline.load %out_upx0[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %45 = arith.mulf %43, %cst_12 : f32
    %46 = arith.addf %42, %45 : f32
    %47 = arith.addf %46, %44 : f32
    %48 = arith.divf %47, %cst_31 : f32
    %49 = arith.addf %43, %44 : f32
    %50 = arith.divf %49, %cst_32 : f32
    %51 = arith.select %41, %48, %50 : f32
    pipeline.yield %51 : f32
  } sized(%dim, %dim_2) : tensor<3x?x?xf32>
  %out0 = pipeline.stage "out0" (%c, %y, %x) {
    %40 = pipeline.load %out_up0[%c, %y, %x] : tensor<3x?x?xf32>
    %41 = pipeline.load %blend0[%c, %y, %x] : tensor<3x?x?xf32>
    %42 = arith.addf %40, %41 : f32
    pipeline.yield %42 : f32
  } sized(%dim, %dim_2) : tensor<3x?x?xf32>
  %cst_34 = arith.constant 0.000000e+00 : f32
  %output = pipeline.stage "output" (%c, %y, %x) {
    %40 = pipeline.load %out0[%c, %y, %x] : tensor<3x?x?xf32>
    %41 = arith.maximumf %40, %cst_34 : f32
    %42 = arith.minimumf %41, %cst_33 : f32
    pipeline.yield %42 : f32
  } sized(%dim, %dim_2) : tensor<3x?x?xf32>
  return %output : tensor<3x?x?xf32>
}
