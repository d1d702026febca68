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
    %16 = pipeline.load %arg0[%c, %y, %x * 2 - 2] clamp : tensor<3x?x?xf32>
    %17 = pipeline.load %arg0[%c, %y, %x * 2 + 2] clamp : tensor<3x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    %19 = pipeline.load %arg0[%c, %y, %x * 2 - 1] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %arg0[%c, %y, %x * 2 + 1] clamp : tensor<3x?x?xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = arith.mulf %21, %cst : f32
    %23 = arith.addf %18, %22 : f32
    %24 = pipeline.load %arg0[%c, %y, %x * 2] clamp : tensor<3x?x?xf32>
    %25 = arith.mulf %24, %cst_12 : f32
    %26 = arith.addf %23, %25 : f32
    %27 = arith.divf %26, %cst_13 : f32
    pipeline.yield %27 : f32
  } sized(%dim, %5) : tensor<3x?x?xf32>
  %6 = arith.addi %dim, %c1_9 : index
  %c1_14 = arith.constant 1 : index
  %7 = arith.shrsi %6, %c1_14 : index
  %a_down1 = pipeline.stage "a_down1" (%c, %y, %x) {
    %16 = pipeline.load %a_downx1[%c, %y * 2 - 2, %x] clamp : tensor<3x?x?xf32>
    %17 = pipeline.load %a_downx1[%c, %y * 2 + 2, %x] clamp : tensor<3x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    %19 = pipeline.load %a_downx1[%c, %y * 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %a_downx1[%c, %y * 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = arith.mulf %21, %cst : f32
    %23 = arith.addf %18, %22 : f32
    %24 = pipeline.load %a_downx1[%c, %y * 2, %x] clamp : tensor<3x?x?xf32>
    %25 = arith.mulf %24, %cst_12 : f32
    %26 = arith.addf %23, %25 : f32
    %27 = arith.divf %26, %cst_13 : f32
    pipeline.yield %27 : f32
  } sized(%7, %5) : tensor<3x?x?xf32>
  %8 = arith.addi %5, %c1_9 : index
  %c1_15 = arith.constant 1 : index
  %9 = arith.shrsi %8, %c1_15 : index
  %a_downx2 = pipeline.stage "a_downx2" (%c, %y, %x) {
    %16 = pipeline.load %a_down1[%c, %y, %x * 2 - 2] clamp : tensor<3x?x?xf32>
    %17 = pipeline.load %a_down1[%c, %y, %x * 2 + 2] clamp : tensor<3x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    %19 = pipeline.load %a_down1[%c, %y, %x * 2 - 1] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %a_down1[%c, %y, %x * 2 + 1] clamp : tensor<3x?x?xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = arith.mulf %21, %cst : f32
    %23 = arith.addf %18, %22 : f32
    %24 = pipeline.load %a_down1[%c, %y, %x * 2] clamp : tensor<3x?x?xf32>
    %25 = arith.mulf %24, %cst_12 : f32
    %26 = arith.addf %23, %25 : f32
    %27 = arith.divf %26, %cst_13 : f32
    pipeline.yield %27 : f32
  } sized(%7, %9) : tensor<3x?x?xf32>
  %10 = arith.addi %7, %c1_9 : index
  %c1_16 = arith.constant 1 : index
  %11 = arith.shrsi %10, %c1_16 : index
  %a_down2 = pipeline.stage "a_down2" (%c, %y, %x) {
    %16 = pipeline.load %a_downx2[%c, %y * 2 - 2, %x] clamp : tensor<3x?x?xf32>
    %17 = pipeline.load %a_downx2[%c, %y * 2 + 2, %x] clamp : tensor<3x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    %19 = pipeline.load %a_downx2[%c, %y * 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %a_downx2[%c, %y * 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = arith.mulf %21, %cst : f32
    %23 = arith.addf %18, %22 : f32
    %24 = pipeline.load %a_downx2[%c, %y * 2, %x] clamp : tensor<3x?x?xf32>
    %25 = arith.mulf %24, %cst_12 : f32
    %26 = arith.addf %23, %25 : f32
    %27 = arith.divf %26, %cst_13 : f32
    pipeline.yield %27 : f32
  } sized(%11, %9) : tensor<3x?x?xf32>
  %12 = arith.addi %9, %c1_9 : index
  %c1_17 = arith.constant 1 : index
  %13 = arith.shrsi %12, %c1_17 : index
  %a_downx3 = pipeline.stage "a_downx3" (%c, %y, %x) {
    %16 = pipeline.load %a_down2[%c, %y, %x * 2 - 2] clamp : tensor<3x?x?xf32>
    %17 = pipeline.load %a_down2[%c, %y, %x * 2 + 2] clamp : tensor<3x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    %19 = pipeline.load %a_down2[%c, %y, %x * 2 - 1] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %a_down2[%c, %y, %x * 2 + 1] clamp : tensor<3x?x?xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = arith.mulf %21, %cst : f32
    %23 = arith.addf %18, %22 : f32
    %24 = pipeline.load %a_down2[%c, %y, %x * 2] clamp : tensor<3x?x?xf32>
    %25 = arith.mulf %24, %cst_12 : f32
    %26 = arith.addf %23, %25 : f32
    %27 = arith.divf %26, %cst_13 : f32
    pipeline.yield %27 : f32
  } sized(%11, %13) : tensor<3x?x?xf32>
  %14 = arith.addi %11, %c1_9 : index
  %c1_18 = arith.constant 1 : index
  %15 = arith.shrsi %14, %c1_18 : index
  %a_down3 = pipeline.stage "a_down3" (%c, %y, %x) {
    %16 = pipeline.load %a_downx3[%c, %y * 2 - 2, %x] clamp : tensor<3x?x?xf32>
    %17 = pipeline.load %a_downx3[%c, %y * 2 + 2, %x] clamp : tensor<3x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    %19 = pipeline.load %a_downx3[%c, %y * 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %a_downx3[%c, %y * 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = arith.mulf %21, %cst : f32
    %23 = arith.addf %18, %22 : f32
    %24 = pipeline.load %a_downx3[%c, %y * 2, %x] clamp : tensor<3x?x?xf32>
    %25 = arith.mulf %24, %cst_12 : f32
    %26 = arith.addf %23, %25 : f32
    %27 = arith.divf %26, %cst_13 : f32
    pipeline.yield %27 : f32
  } sized(%15, %13) : tensor<3x?x?xf32>
  %b_downx1 = pipeline.stage "b_downx1" (%c, %y, %x) {
    %16 = pipeline.load %arg1[%c, %y, %x * 2 - 2] clamp : tensor<3x?x?xf32>
    %17 = pipeline.load %arg1[%c, %y, %x * 2 + 2] clamp : tensor<3x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    %19 = pipeline.load %arg1[%c, %y, %x * 2 - 1] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %arg1[%c, %y, %x * 2 + 1] clamp : tensor<3x?x?xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = arith.mulf %21, %cst : f32
    %23 = arith.addf %18, %22 : f32
    %24 = pipeline.load %arg1[%c, %y, %x * 2] clamp : tensor<3x?x?xf32>
    %25 = arith.mulf %24, %cst_12 : f32
    %26 = arith.addf %23, %25 : f32
    %27 = arith.divf %26, %cst_13 : f32
    pipeline.yield %27 : f32
  } sized(%dim, %5) : tensor<3x?x?xf32>
  %b_down1 = pipeline.stage "b_down1" (%c, %y, %x) {
    %16 = pipeline.load %b_downx1[%c, %y * 2 - 2, %x] clamp : tensor<3x?x?xf32>
    %17 = pipeline.load %b_downx1[%c, %y * 2 + 2, %x] clamp : tensor<3x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    %19 = pipeline.load %b_downx1[%c, %y * 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %b_downx1[%c, %y * 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = arith.mulf %21, %cst : f32
    %23 = arith.addf %18, %22 : f32
    %24 = pipeline.load %b_downx1[%c, %y * 2, %x] clamp : tensor<3x?x?xf32>
    %25 = arith.mulf %24, %cst_12 : f32
    %26 = arith.addf %23, %25 : f32
    %27 = arith.divf %26, %cst_13 : f32
    pipeline.yield %27 : f32
  } sized(%7, %5) : tensor<3x?x?xf32>
  %b_downx2 = pipeline.stage "b_downx2" (%c, %y, %x) {
    %16 = pipeline.load %b_down1[%c, %y, %x * 2 - 2] clamp : tensor<3x?x?xf32>
    %17 = pipeline.load %b_down1[%c, %y, %x * 2 + 2] clamp : tensor<3x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    %19 = pipeline.load %b_down1[%c, %y, %x * 2 - 1] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %b_down1[%c, %y, %x * 2 + 1] clamp : tensor<3x?x?xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = arith.mulf %21, %cst : f32
    %23 = arith.addf %18, %22 : f32
    %24 = pipeline.load %b_down1[%c, %y, %x * 2] clamp : tensor<3x?x?xf32>
    %25 = arith.mulf %24, %cst_12 : f32
    %26 = arith.addf %23, %25 : f32
    %27 = arith.divf %26, %cst_13 : f32
    pipeline.yield %27 : f32
  } sized(%7, %9) : tensor<3x?x?xf32>
  %b_down2 = pipeline.stage "b_down2" (%c, %y, %x) {
    %16 = pipeline.load %b_downx2[%c, %y * 2 - 2, %x] clamp : tensor<3x?x?xf32>
    %17 = pipeline.load %b_downx2[%c, %y * 2 + 2, %x] clamp : tensor<3x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    %19 = pipeline.load %b_downx2[%c, %y * 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %b_downx2[%c, %y * 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = arith.mulf %21, %cst : f32
    %23 = arith.addf %18, %22 : f32
    %24 = pipeline.load %b_downx2[%c, %y * 2, %x] clamp : tensor<3x?x?xf32>
    %25 = arith.mulf %24, %cst_12 : f32
    %26 = arith.addf %23, %25 : f32
    %27 = arith.divf %26, %cst_13 : f32
    pipeline.yield %27 : f32
  } sized(%11, %9) : tensor<3x?x?xf32>
  %b_downx3 = pipeline.stage "b_downx3" (%c, %y, %x) {
    %16 = pipeline.load %b_down2[%c, %y, %x * 2 - 2] clamp : tensor<3x?x?xf32>
    %17 = pipeline.load %b_down2[%c, %y, %x * 2 + 2] clamp : tensor<3x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    %19 = pipeline.load %b_down2[%c, %y, %x * 2 - 1] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %b_down2[%c, %y, %x * 2 + 1] clamp : tensor<3x?x?xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = arith.mulf %21, %cst : f32
    %23 = arith.addf %18, %22 : f32
    %24 = pipeline.load %b_down2[%c, %y, %x * 2] clamp : tensor<3x?x?xf32>
    %25 = arith.mulf %24, %cst_12 : f32
    %26 = arith.addf %23, %25 : f32
    %27 = arith.divf %26, %cst_13 : f32
    pipeline.yield %27 : f32
  } sized(%11, %13) : tensor<3x?x?xf32>
  %b_down3 = pipeline.stage "b_down3" (%c, %y, %x) {
    %16 = pipeline.load %b_downx3[%c, %y * 2 - 2, %x] clamp : tensor<3x?x?xf32>
    %17 = pipeline.load %b_downx3[%c, %y * 2 + 2, %x] clamp : tensor<3x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    %19 = pipeline.load %b_downx3[%c, %y * 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %b_downx3[%c, %y * 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = arith.mulf %21, %cst : f32
    %23 = arith.addf %18, %22 : f32
    %24 = pipeline.load %b_downx3[%c, %y * 2, %x] clamp : tensor<3x?x?xf32>
    %25 = arith.mulf %24, %cst_12 : f32
    %26 = arith.addf %23, %25 : f32
    %27 = arith.divf %26, %cst_13 : f32
    pipeline.yield %27 : f32
  } sized(%15, %13) : tensor<3x?x?xf32>
  %mask_downx1 = pipeline.stage "mask_downx1" (%c, %y, %x) {
    %16 = pipeline.load %arg2[%c, %y, %x * 2 - 2] clamp : tensor<1x?x?xf32>
    %17 = pipeline.load %arg2[%c, %y, %x * 2 + 2] clamp : tensor<1x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    %19 = pipeline.load %arg2[%c, %y, %x * 2 - 1] clamp : tensor<1x?x?xf32>
    %20 = pipeline.load %arg2[%c, %y, %x * 2 + 1] clamp : tensor<1x?x?xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = arith.mulf %21, %cst : f32
    %23 = arith.addf %18, %22 : f32
    %24 = pipeline.load %arg2[%c, %y, %x * 2] clamp : tensor<1x?x?xf32>
    %25 = arith.mulf %24, %cst_12 : f32
    %26 = arith.addf %23, %25 : f32
    %27 = arith.divf %26, %cst_13 : f32
    pipeline.yield %27 : f32
  } sized(%dim, %5) : tensor<1x?x?xf32>
  %mask_down1 = pipeline.stage "mask_down1" (%c, %y, %x) {
    %16 = pipeline.load %mask_downx1[%c, %y * 2 - 2, %x] clamp : tensor<1x?x?xf32>
    %17 = pipeline.load %mask_downx1[%c, %y * 2 + 2, %x] clamp : tensor<1x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    %19 = pipeline.load %mask_downx1[%c, %y * 2 - 1, %x] clamp : tensor<1x?x?xf32>
    %20 = pipeline.load %mask_downx1[%c, %y * 2 + 1, %x] clamp : tensor<1x?x?xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = arith.mulf %21, %cst : f32
    %23 = arith.addf %18, %22 : f32
    %24 = pipeline.load %mask_downx1[%c, %y * 2, %x] clamp : tensor<1x?x?xf32>
    %25 = arith.mulf %24, %cst_12 : f32
    %26 = arith.addf %23, %25 : f32
    %27 = arith.divf %26, %cst_13 : f32
    pipeline.yield %27 : f32
  } sized(%7, %5) : tensor<1x?x?xf32>
  %mask_downx2 = pipeline.stage "mask_downx2" (%c, %y, %x) {
    %16 = pipeline.load %mask_down1[%c, %y, %x * 2 - 2] clamp : tensor<1x?x?xf32>
    %17 = pipeline.load %mask_down1[%c, %y, %x * 2 + 2] clamp : tensor<1x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    %19 = pipeline.load %mask_down1[%c, %y, %x * 2 - 1] clamp : tensor<1x?x?xf32>
    %20 = pipeline.load %mask_down1[%c, %y, %x * 2 + 1] clamp : tensor<1x?x?xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = arith.mulf %21, %cst : f32
    %23 = arith.addf %18, %22 : f32
    %24 = pipeline.load %mask_down1[%c, %y, %x * 2] clamp : tensor<1x?x?xf32>
    %25 = arith.mulf %24, %cst_12 : f32
    %26 = arith.addf %23, %25 : f32
    %27 = arith.divf %26, %cst_13 : f32
    pipeline.yield %27 : f32
  } sized(%7, %9) : tensor<1x?x?xf32>
  %mask_down2 = pipeline.stage "mask_down2" (%c, %y, %x) {
    %16 = pipeline.load %mask_downx2[%c, %y * 2 - 2, %x] clamp : tensor<1x?x?xf32>
    %17 = pipeline.load %mask_downx2[%c, %y * 2 + 2, %x] clamp : tensor<1x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    %19 = pipeline.load %mask_downx2[%c, %y * 2 - 1, %x] clamp : tensor<1x?x?xf32>
    %20 = pipeline.load %mask_downx2[%c, %y * 2 + 1, %x] clamp : tensor<1x?x?xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = arith.mulf %21, %cst : f32
    %23 = arith.addf %18, %22 : f32
    %24 = pipeline.load %mask_downx2[%c, %y * 2, %x] clamp : tensor<1x?x?xf32>
    %25 = arith.mulf %24, %cst_12 : f32
    %26 = arith.addf %23, %25 : f32
    %27 = arith.divf %26, %cst_13 : f32
    pipeline.yield %27 : f32
  } sized(%11, %9) : tensor<1x?x?xf32>
  %mask_downx3 = pipeline.stage "mask_downx3" (%c, %y, %x) {
    %16 = pipeline.load %mask_down2[%c, %y, %x * 2 - 2] clamp : tensor<1x?x?xf32>
    %17 = pipeline.load %mask_down2[%c, %y, %x * 2 + 2] clamp : tensor<1x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    %19 = pipeline.load %mask_down2[%c, %y, %x * 2 - 1] clamp : tensor<1x?x?xf32>
    %20 = pipeline.load %mask_down2[%c, %y, %x * 2 + 1] clamp : tensor<1x?x?xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = arith.mulf %21, %cst : f32
    %23 = arith.addf %18, %22 : f32
    %24 = pipeline.load %mask_down2[%c, %y, %x * 2] clamp : tensor<1x?x?xf32>
    %25 = arith.mulf %24, %cst_12 : f32
    %26 = arith.addf %23, %25 : f32
    %27 = arith.divf %26, %cst_13 : f32
    pipeline.yield %27 : f32
  } sized(%11, %13) : tensor<1x?x?xf32>
  %mask_down3 = pipeline.stage "mask_down3" (%c, %y, %x) {
    %16 = pipeline.load %mask_downx3[%c, %y * 2 - 2, %x] clamp : tensor<1x?x?xf32>
    %17 = pipeline.load %mask_downx3[%c, %y * 2 + 2, %x] clamp : tensor<1x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    %19 = pipeline.load %mask_downx3[%c, %y * 2 - 1, %x] clamp : tensor<1x?x?xf32>
    %20 = pipeline.load %mask_downx3[%c, %y * 2 + 1, %x] clamp : tensor<1x?x?xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = arith.mulf %21, %cst : f32
    %23 = arith.addf %18, %22 : f32
    %24 = pipeline.load %mask_downx3[%c, %y * 2, %x] clamp : tensor<1x?x?xf32>
    %25 = arith.mulf %24, %cst_12 : f32
    %26 = arith.addf %23, %25 : f32
    %27 = arith.divf %26, %cst_13 : f32
    pipeline.yield %27 : f32
  } sized(%15, %13) : tensor<1x?x?xf32>
  %c0 = arith.constant 0 : index
  %cst_19 = arith.constant 8.000000e+00 : f32
  %cst_20 = arith.constant 2.000000e+00 : f32
  %a_upx0 = pipeline.stage "a_upx0" (%c, %y, %x) {
    %16 = pipeline.load %a_down1[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x?x?xf32>
    %17 = pipeline.load %a_down1[%c, %y, %x floordiv 2] clamp : tensor<3x?x?xf32>
    %18 = pipeline.load %a_down1[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x?x?xf32>
    %c1_23 = arith.constant 1 : index
    %19 = arith.andi %x, %c1_23 : index
    %20 = arith.cmpi eq, %19, %c0 : index
    %21 = arith.mulf %17, %cst_12 : f32
    %22 = arith.addf %16, %21 : f32
    %23 = arith.addf %22, %18 : f32
    %24 = arith.divf %23, %cst_19 : f32
    %25 = arith.addf %17, %18 : f32
    %26 = arith.divf %25, %cst_20 : f32
    %27 = arith.select %20, %24, %26 : f32
    pipeline.yield %27 : f32
  } sized(%7, %dim_2) : tensor<3x?x?xf32>
  %a_laplace0 = pipeline.stage "a_laplace0" (%c, %y, %x) {
    %16 = pipeline.load %arg0[%c, %y, %x] : tensor<3x?x?xf32>
    %17 = pipeline.load %a_upx0[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %18 = pipeline.load %a_upx0[%c, %y floordiv 2, %x] clamp : tensor<3x?x?xf32>
    %19 = pipeline.load %a_upx0[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %c1_23 = arith.constant 1 : index
    %20 = arith.andi %y, %c1_23 : index
    %21 = arith.cmpi eq, %20, %c0 : index
    %22 = arith.mulf %18, %cst_12 : f32
    %23 = arith.addf %17, %22 : f32
    %24 = arith.addf %23, %19 : f32
    %25 = arith.divf %24, %cst_19 : f32
    %26 = arith.addf %18, %19 : f32
    %27 = arith.divf %26, %cst_20 : f32
    %28 = arith.select %21, %25, %27 : f32
    %29 = arith.subf %16, %28 : f32
    pipeline.yield %29 : f32
  } sized(%dim, %dim_2) : tensor<3x?x?xf32>
  %a_upx1 = pipeline.stage "a_upx1" (%c, %y, %x) {
    %c1_23 = arith.constant 1 : index
    %16 = arith.andi %x, %c1_23 : index
    %17 = arith.cmpi eq, %16, %c0 : index
    %18 = pipeline.load %a_down2[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x?x?xf32>
    %19 = pipeline.load %a_down2[%c, %y, %x floordiv 2] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %a_down2[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x?x?xf32>
    %21 = arith.mulf %19, %cst_12 : f32
    %22 = arith.addf %18, %21 : f32
    %23 = arith.addf %22, %20 : f32
    %24 = arith.divf %23, %cst_19 : f32
    %25 = arith.addf %19, %20 : f32
    %26 = arith.divf %25, %cst_20 : f32
    %27 = arith.select %17, %24, %26 : f32
    pipeline.yield %27 : f32
  } sized(%11, %5) : tensor<3x?x?xf32>
  %a_laplace1 = pipeline.stage "a_laplace1" (%c, %y, %x) {
    %c1_23 = arith.constant 1 : index
    %16 = arith.andi %y, %c1_23 : index
    %17 = arith.cmpi eq, %16, %c0 : index
    %18 = pipeline.load %a_down1[%c, %y, %x] : tensor<3x?x?xf32>
    %19 = pipeline.load %a_upx1[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %a_upx1[%c, %y floordiv 2, %x] clamp : tensor<3x?x?xf32>
    %21 = pipeline.load %a_upx1[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %22 = arith.mulf %20, %cst_12 : f32
    %23 = arith.addf %19, %22 : f32
    %24 = arith.addf %23, %21 : f32
    %25 = arith.divf %24, %cst_19 : f32
    %26 = arith.addf %20, %21 : f32
    %27 = arith.divf %26, %cst_20 : f32
    %28 = arith.select %17, %25, %27 : f32
    %29 = arith.subf %18, %28 : f32
    pipeline.yield %29 : f32
  } sized(%7, %5) : tensor<3x?x?xf32>
  %a_upx2 = pipeline.stage "a_upx2" (%c, %y, %x) {
    %c1_23 = arith.constant 1 : index
    %16 = arith.andi %x, %c1_23 : index
    %17 = arith.cmpi eq, %16, %c0 : index
    %18 = pipeline.load %a_down3[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x?x?xf32>
    %19 = pipeline.load %a_down3[%c, %y, %x floordiv 2] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %a_down3[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x?x?xf32>
    %21 = arith.mulf %19, %cst_12 : f32
    %22 = arith.addf %18, %21 : f32
    %23 = arith.addf %22, %20 : f32
    %24 = arith.divf %23, %cst_19 : f32
    %25 = arith.addf %19, %20 : f32
    %26 = arith.divf %25, %cst_20 : f32
    %27 = arith.select %17, %24, %26 : f32
    pipeline.yield %27 : f32
  } sized(%15, %9) : tensor<3x?x?xf32>
  %a_laplace2 = pipeline.stage "a_laplace2" (%c, %y, %x) {
    %c1_23 = arith.constant 1 : index
    %16 = arith.andi %y, %c1_23 : index
    %17 = arith.cmpi eq, %16, %c0 : index
    %18 = pipeline.load %a_down2[%c, %y, %x] : tensor<3x?x?xf32>
    %19 = pipeline.load %a_upx2[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %a_upx2[%c, %y floordiv 2, %x] clamp : tensor<3x?x?xf32>
    %21 = pipeline.load %a_upx2[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %22 = arith.mulf %20, %cst_12 : f32
    %23 = arith.addf %19, %22 : f32
    %24 = arith.addf %23, %21 : f32
    %25 = arith.divf %24, %cst_19 : f32
    %26 = arith.addf %20, %21 : f32
    %27 = arith.divf %26, %cst_20 : f32
    %28 = arith.select %17, %25, %27 : f32
    %29 = arith.subf %18, %28 : f32
    pipeline.yield %29 : f32
  } sized(%11, %9) : tensor<3x?x?xf32>
  %b_upx0 = pipeline.stage "b_upx0" (%c, %y, %x) {
    %c1_23 = arith.constant 1 : index
    %16 = arith.andi %x, %c1_23 : index
    %17 = arith.cmpi eq, %16, %c0 : index
    %18 = pipeline.load %b_down1[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x?x?xf32>
    %19 = pipeline.load %b_down1[%c, %y, %x floordiv 2] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %b_down1[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x?x?xf32>
    %21 = arith.mulf %19, %cst_12 : f32
    %22 = arith.addf %18, %21 : f32
    %23 = arith.addf %22, %20 : f32
    %24 = arith.divf %23, %cst_19 : f32
    %25 = arith.addf %19, %20 : f32
    %26 = arith.divf %25, %cst_20 : f32
    %27 = arith.select %17, %24, %26 : f32
    pipeline.yield %27 : f32
  } sized(%7, %dim_2) : tensor<3x?x?xf32>
  %b_laplace0 = pipeline.stage "b_laplace0" (%c, %y, %x) {
    %c1_23 = arith.constant 1 : index
    %16 = arith.andi %y, %c1_23 : index
    %17 = arith.cmpi eq, %16, %c0 : index
    %18 = pipeline.load %arg1[%c, %y, %x] : tensor<3x?x?xf32>
    %19 = pipeline.load %b_upx0[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %b_upx0[%c, %y floordiv 2, %x] clamp : tensor<3x?x?xf32>
    %21 = pipeline.load %b_upx0[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %22 = arith.mulf %20, %cst_12 : f32
    %23 = arith.addf %19, %22 : f32
    %24 = arith.addf %23, %21 : f32
    %25 = arith.divf %24, %cst_19 : f32
    %26 = arith.addf %20, %21 : f32
    %27 = arith.divf %26, %cst_20 : f32
    %28 = arith.select %17, %25, %27 : f32
    %29 = arith.subf %18, %28 : f32
    pipeline.yield %29 : f32
  } sized(%dim, %dim_2) : tensor<3x?x?xf32>
  %b_upx1 = pipeline.stage "b_upx1" (%c, %y, %x) {
    %c1_23 = arith.constant 1 : index
    %16 = arith.andi %x, %c1_23 : index
    %17 = arith.cmpi eq, %16, %c0 : index
    %18 = pipeline.load %b_down2[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x?x?xf32>
    %19 = pipeline.load %b_down2[%c, %y, %x floordiv 2] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %b_down2[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x?x?xf32>
    %21 = arith.mulf %19, %cst_12 : f32
    %22 = arith.addf %18, %21 : f32
    %23 = arith.addf %22, %20 : f32
    %24 = arith.divf %23, %cst_19 : f32
    %25 = arith.addf %19, %20 : f32
    %26 = arith.divf %25, %cst_20 : f32
    %27 = arith.select %17, %24, %26 : f32
    pipeline.yield %27 : f32
  } sized(%11, %5) : tensor<3x?x?xf32>
  %b_laplace1 = pipeline.stage "b_laplace1" (%c, %y, %x) {
    %c1_23 = arith.constant 1 : index
    %16 = arith.andi %y, %c1_23 : index
    %17 = arith.cmpi eq, %16, %c0 : index
    %18 = pipeline.load %b_down1[%c, %y, %x] : tensor<3x?x?xf32>
    %19 = pipeline.load %b_upx1[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %b_upx1[%c, %y floordiv 2, %x] clamp : tensor<3x?x?xf32>
    %21 = pipeline.load %b_upx1[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %22 = arith.mulf %20, %cst_12 : f32
    %23 = arith.addf %19, %22 : f32
    %24 = arith.addf %23, %21 : f32
    %25 = arith.divf %24, %cst_19 : f32
    %26 = arith.addf %20, %21 : f32
    %27 = arith.divf %26, %cst_20 : f32
    %28 = arith.select %17, %25, %27 : f32
    %29 = arith.subf %18, %28 : f32
    pipeline.yield %29 : f32
  } sized(%7, %5) : tensor<3x?x?xf32>
  %b_upx2 = pipeline.stage "b_upx2" (%c, %y, %x) {
    %c1_23 = arith.constant 1 : index
    %16 = arith.andi %x, %c1_23 : index
    %17 = arith.cmpi eq, %16, %c0 : index
    %18 = pipeline.load %b_down3[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x?x?xf32>
    %19 = pipeline.load %b_down3[%c, %y, %x floordiv 2] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %b_down3[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x?x?xf32>
    %21 = arith.mulf %19, %cst_12 : f32
    %22 = arith.addf %18, %21 : f32
    %23 = arith.addf %22, %20 : f32
    %24 = arith.divf %23, %cst_19 : f32
    %25 = arith.addf %19, %20 : f32
    %26 = arith.divf %25, %cst_20 : f32
    %27 = arith.select %17, %24, %26 : f32
    pipeline.yield %27 : f32
  } sized(%15, %9) : tensor<3x?x?xf32>
  %b_laplace2 = pipeline.stage "b_laplace2" (%c, %y, %x) {
    %c1_23 = arith.constant 1 : index
    %16 = arith.andi %y, %c1_23 : index
    %17 = arith.cmpi eq, %16, %c0 : index
    %18 = pipeline.load %b_down2[%c, %y, %x] : tensor<3x?x?xf32>
    %19 = pipeline.load %b_upx2[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %b_upx2[%c, %y floordiv 2, %x] clamp : tensor<3x?x?xf32>
    %21 = pipeline.load %b_upx2[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %22 = arith.mulf %20, %cst_12 : f32
    %23 = arith.addf %19, %22 : f32
    %24 = arith.addf %23, %21 : f32
    %25 = arith.divf %24, %cst_19 : f32
    %26 = arith.addf %20, %21 : f32
    %27 = arith.divf %26, %cst_20 : f32
    %28 = arith.select %17, %25, %27 : f32
    %29 = arith.subf %18, %28 : f32
    pipeline.yield %29 : f32
  } sized(%11, %9) : tensor<3x?x?xf32>
  %cst_21 = arith.constant 1.000000e+00 : f32
  %blend0 = pipeline.stage "blend0" (%c, %y, %x) {
    %16 = pipeline.load %a_laplace0[%c, %y, %x] : tensor<3x?x?xf32>
    %17 = pipeline.load %b_laplace0[%c, %y, %x] : tensor<3x?x?xf32>
    %18 = pipeline.load %arg2[0, %y, %x] : tensor<1x?x?xf32>
    %19 = arith.mulf %16, %18 : f32
    %20 = arith.subf %cst_21, %18 : f32
    %21 = arith.mulf %17, %20 : f32
    %22 = arith.addf %19, %21 : f32
    pipeline.yield %22 : f32
  } sized(%dim, %dim_2) : tensor<3x?x?xf32>
  %blend1 = pipeline.stage "blend1" (%c, %y, %x) {
    %16 = pipeline.load %a_laplace1[%c, %y, %x] : tensor<3x?x?xf32>
    %17 = pipeline.load %b_laplace1[%c, %y, %x] : tensor<3x?x?xf32>
    %18 = pipeline.load %mask_down1[0, %y, %x] : tensor<1x?x?xf32>
    %19 = arith.mulf %16, %18 : f32
    %20 = arith.subf %cst_21, %18 : f32
    %21 = arith.mulf %17, %20 : f32
    %22 = arith.addf %19, %21 : f32
    pipeline.yield %22 : f32
  } sized(%7, %5) : tensor<3x?x?xf32>
  %blend2 = pipeline.stage "blend2" (%c, %y, %x) {
    %16 = pipeline.load %a_laplace2[%c, %y, %x] : tensor<3x?x?xf32>
    %17 = pipeline.load %b_laplace2[%c, %y, %x] : tensor<3x?x?xf32>
    %18 = pipeline.load %mask_down2[0, %y, %x] : tensor<1x?x?xf32>
    %19 = arith.mulf %16, %18 : f32
    %20 = arith.subf %cst_21, %18 : f32
    %21 = arith.mulf %17, %20 : f32
    %22 = arith.addf %19, %21 : f32
    pipeline.yield %22 : f32
  } sized(%11, %9) : tensor<3x?x?xf32>
  %blend3 = pipeline.stage "blend3" (%c, %y, %x) {
    %16 = pipeline.load %a_down3[%c, %y, %x] : tensor<3x?x?xf32>
    %17 = pipeline.load %b_down3[%c, %y, %x] : tensor<3x?x?xf32>
    %18 = pipeline.load %mask_down3[0, %y, %x] : tensor<1x?x?xf32>
    %19 = arith.mulf %16, %18 : f32
    %20 = arith.subf %cst_21, %18 : f32
    %21 = arith.mulf %17, %20 : f32
    %22 = arith.addf %19, %21 : f32
    pipeline.yield %22 : f32
  } sized(%15, %13) : tensor<3x?x?xf32>
  %out_upx2 = pipeline.stage "out_upx2" (%c, %y, %x) {
    %c1_23 = arith.constant 1 : index
    %16 = arith.andi %x, %c1_23 : index
    %17 = arith.cmpi eq, %16, %c0 : index
    %18 = pipeline.load %blend3[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x?x?xf32>
    %19 = pipeline.load %blend3[%c, %y, %x floordiv 2] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %blend3[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x?x?xf32>
    %21 = arith.mulf %19, %cst_12 : f32
    %22 = arith.addf %18, %21 : f32
    %23 = arith.addf %22, %20 : f32
    %24 = arith.divf %23, %cst_19 : f32
    %25 = arith.addf %19, %20 : f32
    %26 = arith.divf %25, %cst_20 : f32
    %27 = arith.select %17, %24, %26 : f32
    pipeline.yield %27 : f32
  } sized(%15, %9) : tensor<3x?x?xf32>
  %out_up2 = pipeline.stage "out_up2" (%c, %y, %x) {
    %c1_23 = arith.constant 1 : index
    %16 = arith.andi %y, %c1_23 : index
    %17 = arith.cmpi eq, %16, %c0 : index
    %18 = pipeline.load %out_upx2[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %19 = pipeline.load %out_upx2[%c, %y floordiv 2, %x] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %out_upx2[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %21 = arith.mulf %19, %cst_12 : f32
    %22 = arith.addf %18, %21 : f32
    %23 = arith.addf %22, %20 : f32
    %24 = arith.divf %23, %cst_19 : f32
    %25 = arith.addf %19, %20 : f32
    %26 = arith.divf %25, %cst_20 : f32
    %27 = arith.select %17, %24, %26 : f32
    pipeline.yield %27 : f32
  } sized(%11, %9) : tensor<3x?x?xf32>
  %out2 = pipeline.stage "out2" (%c, %y, %x) {
    %16 = pipeline.load %out_up2[%c, %y, %x] : tensor<3x?x?xf32>
    %17 = pipeline.load %blend2[%c, %y, %x] : tensor<3x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    pipeline.yield %18 : f32
  } sized(%11, %9) : tensor<3x?x?xf32>
  %out_upx1 = pipeline.stage "out_upx1" (%c, %y, %x) {
    %c1_23 = arith.constant 1 : index
    %16 = arith.andi %x, %c1_23 : index
    %17 = arith.cmpi eq, %16, %c0 : index
    %18 = pipeline.load %out2[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x?x?xf32>
    %19 = pipeline.load %out2[%c, %y, %x floordiv 2] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %out2[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x?x?xf32>
    %21 = arith.mulf %19, %cst_12 : f32
    %22 = arith.addf %18, %21 : f32
    %23 = arith.addf %22, %20 : f32
    %24 = arith.divf %23, %cst_19 : f32
    %25 = arith.addf %19, %20 : f32
    %26 = arith.divf %25, %cst_20 : f32
    %27 = arith.select %17, %24, %26 : f32
    pipeline.yield %27 : f32
  } sized(%11, %5) : tensor<3x?x?xf32>
  %out_up1 = pipeline.stage "out_up1" (%c, %y, %x) {
    %c1_23 = arith.constant 1 : index
    %16 = arith.andi %y, %c1_23 : index
    %17 = arith.cmpi eq, %16, %c0 : index
    %18 = pipeline.load %out_upx1[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %19 = pipeline.load %out_upx1[%c, %y floordiv 2, %x] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %out_upx1[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %21 = arith.mulf %19, %cst_12 : f32
    %22 = arith.addf %18, %21 : f32
    %23 = arith.addf %22, %20 : f32
    %24 = arith.divf %23, %cst_19 : f32
    %25 = arith.addf %19, %20 : f32
    %26 = arith.divf %25, %cst_20 : f32
    %27 = arith.select %17, %24, %26 : f32
    pipeline.yield %27 : f32
  } sized(%7, %5) : tensor<3x?x?xf32>
  %out1 = pipeline.stage "out1" (%c, %y, %x) {
    %16 = pipeline.load %out_up1[%c, %y, %x] : tensor<3x?x?xf32>
    %17 = pipeline.load %blend1[%c, %y, %x] : tensor<3x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    pipeline.yield %18 : f32
  } sized(%7, %5) : tensor<3x?x?xf32>
  %out_upx0 = pipeline.stage "out_upx0" (%c, %y, %x) {
    %c1_23 = arith.constant 1 : index
    %16 = arith.andi %x, %c1_23 : index
    %17 = arith.cmpi eq, %16, %c0 : index
    %18 = pipeline.load %out1[%c, %y, %x floordiv 2 - 1] clamp : tensor<3x?x?xf32>
    %19 = pipeline.load %out1[%c, %y, %x floordiv 2] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %out1[%c, %y, %x floordiv 2 + 1] clamp : tensor<3x?x?xf32>
    %21 = arith.mulf %19, %cst_12 : f32
    %22 = arith.addf %18, %21 : f32
    %23 = arith.addf %22, %20 : f32
    %24 = arith.divf %23, %cst_19 : f32
    %25 = arith.addf %19, %20 : f32
    %26 = arith.divf %25, %cst_20 : f32
    %27 = arith.select %17, %24, %26 : f32
    pipeline.yield %27 : f32
  } sized(%7, %dim_2) : tensor<3x?x?xf32>
  %out_up0 = pipeline.stage "out_up0" (%c, %y, %x) {
    %c1_23 = arith.constant 1 : index
    %16 = arith.andi %y, %c1_23 : index
    %17 = arith.cmpi eq, %16, %c0 : index
    %18 = pipeline.load %out_upx0[%c, %y floordiv 2 - 1, %x] clamp : tensor<3x?x?xf32>
    %19 = pipeline.load %out_upx0[%c, %y floordiv 2, %x] clamp : tensor<3x?x?xf32>
    %20 = pipeline.load %out_upx0[%c, %y floordiv 2 + 1, %x] clamp : tensor<3x?x?xf32>
    %21 = arith.mulf %19, %cst_12 : f32
    %22 = arith.addf %18, %21 : f32
    %23 = arith.addf %22, %20 : f32
    %24 = arith.divf %23, %cst_19 : f32
    %25 = arith.addf %19, %20 : f32
    %26 = arith.divf %25, %cst_20 : f32
    %27 = arith.select %17, %24, %26 : f32
    pipeline.yield %27 : f32
  } sized(%dim, %dim_2) : tensor<3x?x?xf32>
  %out0 = pipeline.stage "out0" (%c, %y, %x) {
    %16 = pipeline.load %out_up0[%c, %y, %x] : tensor<3x?x?xf32>
    %17 = pipeline.load %blend0[%c, %y, %x] : tensor<3x?x?xf32>
    %18 = arith.addf %16, %17 : f32
    pipeline.yield %18 : f32
  } sized(%dim, %dim_2) : tensor<3x?x?xf32>
  %cst_22 = arith.constant 0.000000e+00 : f32
  %output = pipeline.stage "output" (%c, %y, %x) {
    %16 = pipeline.load %out0[%c, %y, %x] : tensor<3x?x?xf32>
    %17 = arith.maximumf %16, %cst_22 : f32
    %18 = arith.minimumf %17, %cst_21 : f32
    pipeline.yield %18 : f32
  } sized(%dim, %dim_2) : tensor<3x?x?xf32>
  return %output : tensor<3x?x?xf32>
}
