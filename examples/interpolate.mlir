// Multiscale interpolation, 49 stages: the colours of an image of which only the points with alpha are known, spread
// over the others. Colours times alpha go up a pyramid of ten levels (1 2 1 along y and x); on the way down each level
// fills what the finer one lacks (linear, alpha over), and the result is divided by its alpha. Conversion and the
// product with alpha are 2 stages, then 18 down, 1 at the top, 27 up and 1 at the end. Halide's app is the same but for
// its first stage, which repeats the edge; here every level repeats its own edge.
//
//   pipeline-run examples/interpolate.mlir --arg img=rgba.npy --out filled=filled.png

func.func @interpolate(%arg0: tensor<4x?x?xi8> {weft.estimate = array<i64: 4, 2560, 1536>, weft.name = "img", weft.unsigned}) -> (tensor<3x?x?xf32> {weft.name = "filled"}) {
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %arg0, %c1 : tensor<4x?x?xi8>
  %c2 = arith.constant 2 : index
  %dim_0 = tensor.dim %arg0, %c2 : tensor<4x?x?xi8>
  %cst = arith.constant 2.550000e+02 : f32
  %rgba = pipeline.stage "rgba" (%c, %y, %x) {
    %36 = pipeline.load %arg0[%c, %y, %x] : tensor<4x?x?xi8>
    %37 = arith.uitofp %36 : i8 to f32
    %38 = arith.divf %37, %cst : f32
    pipeline.yield %38 : f32
  } sized(%dim, %dim_0) : tensor<4x?x?xf32>
  %c3 = arith.constant 3 : index
  %down0 = pipeline.stage "down0" (%c, %y, %x) {
    %36 = pipeline.load %rgba[3, %y, %x] : tensor<4x?x?xf32>
    %37 = arith.cmpi slt, %c, %c3 : index
    %38 = pipeline.load %rgba[%c, %y, %x] : tensor<4x?x?xf32>
    %39 = arith.mulf %38, %36 : f32
    %40 = arith.select %37, %39, %36 : f32
    pipeline.yield %40 : f32
  } sized(%dim, %dim_0) : tensor<4x?x?xf32>
  %c1_1 = arith.constant 1 : index
  %0 = arith.addi %dim_0, %c1_1 : index
  %c2_2 = arith.constant 2 : index
  %c1_3 = arith.constant 1 : index
  %1 = arith.shrsi %0, %c1_3 : index
  %cst_4 = arith.constant 2.000000e+00 : f32
  %cst_5 = arith.constant 2.500000e-01 : f32
  %downx1 = pipeline.stage "downx1" (%c, %y, %x) {
    %36 = pipeline.load %down0[%c, %y, %x * 2 - 1] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %down0[%c, %y, %x * 2] clamp : tensor<4x?x?xf32>
    %38 = arith.mulf %37, %cst_4 : f32
    %39 = arith.addf %36, %38 : f32
    %40 = pipeline.load %down0[%c, %y, %x * 2 + 1] clamp : tensor<4x?x?xf32>
    %41 = arith.addf %39, %40 : f32
    %42 = arith.mulf %41, %cst_5 : f32
    pipeline.yield %42 : f32
  } sized(%dim, %1) : tensor<4x?x?xf32>
  %2 = arith.addi %dim, %c1_1 : index
  %c1_6 = arith.constant 1 : index
  %3 = arith.shrsi %2, %c1_6 : index
  %down1 = pipeline.stage "down1" (%c, %y, %x) {
    %36 = pipeline.load %downx1[%c, %y * 2 - 1, %x] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %downx1[%c, %y * 2, %x] clamp : tensor<4x?x?xf32>
    %38 = arith.mulf %37, %cst_4 : f32
    %39 = arith.addf %36, %38 : f32
    %40 = pipeline.load %downx1[%c, %y * 2 + 1, %x] clamp : tensor<4x?x?xf32>
    %41 = arith.addf %39, %40 : f32
    %42 = arith.mulf %41, %cst_5 : f32
    pipeline.yield %42 : f32
  } sized(%3, %1) : tensor<4x?x?xf32>
  %4 = arith.addi %1, %c1_1 : index
  %c1_7 = arith.constant 1 : index
  %5 = arith.shrsi %4, %c1_7 : index
  %downx2 = pipeline.stage "downx2" (%c, %y, %x) {
    %36 = pipeline.load %down1[%c, %y, %x * 2 - 1] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %down1[%c, %y, %x * 2] clamp : tensor<4x?x?xf32>
    %38 = arith.mulf %37, %cst_4 : f32
    %39 = arith.addf %36, %38 : f32
    %40 = pipeline.load %down1[%c, %y, %x * 2 + 1] clamp : tensor<4x?x?xf32>
    %41 = arith.addf %39, %40 : f32
    %42 = arith.mulf %41, %cst_5 : f32
    pipeline.yield %42 : f32
  } sized(%3, %5) : tensor<4x?x?xf32>
  %6 = arith.addi %3, %c1_1 : index
  %c1_8 = arith.constant 1 : index
  %7 = arith.shrsi %6, %c1_8 : index
  %down2 = pipeline.stage "down2" (%c, %y, %x) {
    %36 = pipeline.load %downx2[%c, %y * 2 - 1, %x] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %downx2[%c, %y * 2, %x] clamp : tensor<4x?x?xf32>
    %38 = arith.mulf %37, %cst_4 : f32
    %39 = arith.addf %36, %38 : f32
    %40 = pipeline.load %downx2[%c, %y * 2 + 1, %x] clamp : tensor<4x?x?xf32>
    %41 = arith.addf %39, %40 : f32
    %42 = arith.mulf %41, %cst_5 : f32
    pipeline.yield %42 : f32
  } sized(%7, %5) : tensor<4x?x?xf32>
  %8 = arith.addi %5, %c1_1 : index
  %c1_9 = arith.constant 1 : index
  %9 = arith.shrsi %8, %c1_9 : index
  %downx3 = pipeline.stage "downx3" (%c, %y, %x) {
    %36 = pipeline.load %down2[%c, %y, %x * 2 - 1] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %down2[%c, %y, %x * 2] clamp : tensor<4x?x?xf32>
    %38 = arith.mulf %37, %cst_4 : f32
    %39 = arith.addf %36, %38 : f32
    %40 = pipeline.load %down2[%c, %y, %x * 2 + 1] clamp : tensor<4x?x?xf32>
    %41 = arith.addf %39, %40 : f32
    %42 = arith.mulf %41, %cst_5 : f32
    pipeline.yield %42 : f32
  } sized(%7, %9) : tensor<4x?x?xf32>
  %10 = arith.addi %7, %c1_1 : index
  %c1_10 = arith.constant 1 : index
  %11 = arith.shrsi %10, %c1_10 : index
  %down3 = pipeline.stage "down3" (%c, %y, %x) {
    %36 = pipeline.load %downx3[%c, %y * 2 - 1, %x] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %downx3[%c, %y * 2, %x] clamp : tensor<4x?x?xf32>
    %38 = arith.mulf %37, %cst_4 : f32
    %39 = arith.addf %36, %38 : f32
    %40 = pipeline.load %downx3[%c, %y * 2 + 1, %x] clamp : tensor<4x?x?xf32>
    %41 = arith.addf %39, %40 : f32
    %42 = arith.mulf %41, %cst_5 : f32
    pipeline.yield %42 : f32
  } sized(%11, %9) : tensor<4x?x?xf32>
  %12 = arith.addi %9, %c1_1 : index
  %c1_11 = arith.constant 1 : index
  %13 = arith.shrsi %12, %c1_11 : index
  %downx4 = pipeline.stage "downx4" (%c, %y, %x) {
    %36 = pipeline.load %down3[%c, %y, %x * 2 - 1] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %down3[%c, %y, %x * 2] clamp : tensor<4x?x?xf32>
    %38 = arith.mulf %37, %cst_4 : f32
    %39 = arith.addf %36, %38 : f32
    %40 = pipeline.load %down3[%c, %y, %x * 2 + 1] clamp : tensor<4x?x?xf32>
    %41 = arith.addf %39, %40 : f32
    %42 = arith.mulf %41, %cst_5 : f32
    pipeline.yield %42 : f32
  } sized(%11, %13) : tensor<4x?x?xf32>
  %14 = arith.addi %11, %c1_1 : index
  %c1_12 = arith.constant 1 : index
  %15 = arith.shrsi %14, %c1_12 : index
  %down4 = pipeline.stage "down4" (%c, %y, %x) {
    %36 = pipeline.load %downx4[%c, %y * 2 - 1, %x] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %downx4[%c, %y * 2, %x] clamp : tensor<4x?x?xf32>
    %38 = arith.mulf %37, %cst_4 : f32
    %39 = arith.addf %36, %38 : f32
    %40 = pipeline.load %downx4[%c, %y * 2 + 1, %x] clamp : tensor<4x?x?xf32>
    %41 = arith.addf %39, %40 : f32
    %42 = arith.mulf %41, %cst_5 : f32
    pipeline.yield %42 : f32
  } sized(%15, %13) : tensor<4x?x?xf32>
  %16 = arith.addi %13, %c1_1 : index
  %c1_13 = arith.constant 1 : index
  %17 = arith.shrsi %16, %c1_13 : index
  %downx5 = pipeline.stage "downx5" (%c, %y, %x) {
    %36 = pipeline.load %down4[%c, %y, %x * 2 - 1] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %down4[%c, %y, %x * 2] clamp : tensor<4x?x?xf32>
    %38 = arith.mulf %37, %cst_4 : f32
    %39 = arith.addf %36, %38 : f32
    %40 = pipeline.load %down4[%c, %y, %x * 2 + 1] clamp : tensor<4x?x?xf32>
    %41 = arith.addf %39, %40 : f32
    %42 = arith.mulf %41, %cst_5 : f32
    pipeline.yield %42 : f32
  } sized(%15, %17) : tensor<4x?x?xf32>
  %18 = arith.addi %15, %c1_1 : index
  %c1_14 = arith.constant 1 : index
  %19 = arith.shrsi %18, %c1_14 : index
  %down5 = pipeline.stage "down5" (%c, %y, %x) {
    %36 = pipeline.load %downx5[%c, %y * 2 - 1, %x] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %downx5[%c, %y * 2, %x] clamp : tensor<4x?x?xf32>
    %38 = arith.mulf %37, %cst_4 : f32
    %39 = arith.addf %36, %38 : f32
    %40 = pipeline.load %downx5[%c, %y * 2 + 1, %x] clamp : tensor<4x?x?xf32>
    %41 = arith.addf %39, %40 : f32
    %42 = arith.mulf %41, %cst_5 : f32
    pipeline.yield %42 : f32
  } sized(%19, %17) : tensor<4x?x?xf32>
  %20 = arith.addi %17, %c1_1 : index
  %c1_15 = arith.constant 1 : index
  %21 = arith.shrsi %20, %c1_15 : index
  %downx6 = pipeline.stage "downx6" (%c, %y, %x) {
    %36 = pipeline.load %down5[%c, %y, %x * 2 - 1] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %down5[%c, %y, %x * 2] clamp : tensor<4x?x?xf32>
    %38 = arith.mulf %37, %cst_4 : f32
    %39 = arith.addf %36, %38 : f32
    %40 = pipeline.load %down5[%c, %y, %x * 2 + 1] clamp : tensor<4x?x?xf32>
    %41 = arith.addf %39, %40 : f32
    %42 = arith.mulf %41, %cst_5 : f32
    pipeline.yield %42 : f32
  } sized(%19, %21) : tensor<4x?x?xf32>
  %22 = arith.addi %19, %c1_1 : index
  %c1_16 = arith.constant 1 : index
  %23 = arith.shrsi %22, %c1_16 : index
  %down6 = pipeline.stage "down6" (%c, %y, %x) {
    %36 = pipeline.load %downx6[%c, %y * 2 - 1, %x] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %downx6[%c, %y * 2, %x] clamp : tensor<4x?x?xf32>
    %38 = arith.mulf %37, %cst_4 : f32
    %39 = arith.addf %36, %38 : f32
    %40 = pipeline.load %downx6[%c, %y * 2 + 1, %x] clamp : tensor<4x?x?xf32>
    %41 = arith.addf %39, %40 : f32
    %42 = arith.mulf %41, %cst_5 : f32
    pipeline.yield %42 : f32
  } sized(%23, %21) : tensor<4x?x?xf32>
  %24 = arith.addi %21, %c1_1 : index
  %c1_17 = arith.constant 1 : index
  %25 = arith.shrsi %24, %c1_17 : index
  %downx7 = pipeline.stage "downx7" (%c, %y, %x) {
    %36 = pipeline.load %down6[%c, %y, %x * 2 - 1] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %down6[%c, %y, %x * 2] clamp : tensor<4x?x?xf32>
    %38 = arith.mulf %37, %cst_4 : f32
    %39 = arith.addf %36, %38 : f32
    %40 = pipeline.load %down6[%c, %y, %x * 2 + 1] clamp : tensor<4x?x?xf32>
    %41 = arith.addf %39, %40 : f32
    %42 = arith.mulf %41, %cst_5 : f32
    pipeline.yield %42 : f32
  } sized(%23, %25) : tensor<4x?x?xf32>
  %26 = arith.addi %23, %c1_1 : index
  %c1_18 = arith.constant 1 : index
  %27 = arith.shrsi %26, %c1_18 : index
  %down7 = pipeline.stage "down7" (%c, %y, %x) {
    %36 = pipeline.load %downx7[%c, %y * 2 - 1, %x] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %downx7[%c, %y * 2, %x] clamp : tensor<4x?x?xf32>
    %38 = arith.mulf %37, %cst_4 : f32
    %39 = arith.addf %36, %38 : f32
    %40 = pipeline.load %downx7[%c, %y * 2 + 1, %x] clamp : tensor<4x?x?xf32>
    %41 = arith.addf %39, %40 : f32
    %42 = arith.mulf %41, %cst_5 : f32
    pipeline.yield %42 : f32
  } sized(%27, %25) : tensor<4x?x?xf32>
  %28 = arith.addi %25, %c1_1 : index
  %c1_19 = arith.constant 1 : index
  %29 = arith.shrsi %28, %c1_19 : index
  %downx8 = pipeline.stage "downx8" (%c, %y, %x) {
    %36 = pipeline.load %down7[%c, %y, %x * 2 - 1] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %down7[%c, %y, %x * 2] clamp : tensor<4x?x?xf32>
    %38 = arith.mulf %37, %cst_4 : f32
    %39 = arith.addf %36, %38 : f32
    %40 = pipeline.load %down7[%c, %y, %x * 2 + 1] clamp : tensor<4x?x?xf32>
    %41 = arith.addf %39, %40 : f32
    %42 = arith.mulf %41, %cst_5 : f32
    pipeline.yield %42 : f32
  } sized(%27, %29) : tensor<4x?x?xf32>
  %30 = arith.addi %27, %c1_1 : index
  %c1_20 = arith.constant 1 : index
  %31 = arith.shrsi %30, %c1_20 : index
  %down8 = pipeline.stage "down8" (%c, %y, %x) {
    %36 = pipeline.load %downx8[%c, %y * 2 - 1, %x] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %downx8[%c, %y * 2, %x] clamp : tensor<4x?x?xf32>
    %38 = arith.mulf %37, %cst_4 : f32
    %39 = arith.addf %36, %38 : f32
    %40 = pipeline.load %downx8[%c, %y * 2 + 1, %x] clamp : tensor<4x?x?xf32>
    %41 = arith.addf %39, %40 : f32
    %42 = arith.mulf %41, %cst_5 : f32
    pipeline.yield %42 : f32
  } sized(%31, %29) : tensor<4x?x?xf32>
  %32 = arith.addi %29, %c1_1 : index
  %c1_21 = arith.constant 1 : index
  %33 = arith.shrsi %32, %c1_21 : index
  %downx9 = pipeline.stage "downx9" (%c, %y, %x) {
    %36 = pipeline.load %down8[%c, %y, %x * 2 - 1] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %down8[%c, %y, %x * 2] clamp : tensor<4x?x?xf32>
    %38 = arith.mulf %37, %cst_4 : f32
    %39 = arith.addf %36, %38 : f32
    %40 = pipeline.load %down8[%c, %y, %x * 2 + 1] clamp : tensor<4x?x?xf32>
    %41 = arith.addf %39, %40 : f32
    %42 = arith.mulf %41, %cst_5 : f32
    pipeline.yield %42 : f32
  } sized(%31, %33) : tensor<4x?x?xf32>
  %34 = arith.addi %31, %c1_1 : index
  %c1_22 = arith.constant 1 : index
  %35 = arith.shrsi %34, %c1_22 : index
  %down9 = pipeline.stage "down9" (%c, %y, %x) {
    %36 = pipeline.load %downx9[%c, %y * 2 - 1, %x] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %downx9[%c, %y * 2, %x] clamp : tensor<4x?x?xf32>
    %38 = arith.mulf %37, %cst_4 : f32
    %39 = arith.addf %36, %38 : f32
    %40 = pipeline.load %downx9[%c, %y * 2 + 1, %x] clamp : tensor<4x?x?xf32>
    %41 = arith.addf %39, %40 : f32
    %42 = arith.mulf %41, %cst_5 : f32
    pipeline.yield %42 : f32
  } sized(%35, %33) : tensor<4x?x?xf32>
  %filled9 = pipeline.stage "filled9" (%c, %y, %x) {
    %36 = pipeline.load %down9[%c, %y, %x] : tensor<4x?x?xf32>
    pipeline.yield %36 : f32
  } sized(%35, %33) : tensor<4x?x?xf32>
  %upx8 = pipeline.stage "upx8" (%c, %y, %x) {
    %36 = pipeline.load %filled9[%c, %y, %x floordiv 2] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %filled9[%c, %y, (%x + 1) floordiv 2] clamp : tensor<4x?x?xf32>
    %38 = arith.addf %36, %37 : f32
    %39 = arith.divf %38, %cst_4 : f32
    pipeline.yield %39 : f32
  } sized(%35, %29) : tensor<4x?x?xf32>
  %up8 = pipeline.stage "up8" (%c, %y, %x) {
    %36 = pipeline.load %upx8[%c, %y floordiv 2, %x] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %upx8[%c, (%y + 1) floordiv 2, %x] clamp : tensor<4x?x?xf32>
    %38 = arith.addf %36, %37 : f32
    %39 = arith.divf %38, %cst_4 : f32
    pipeline.yield %39 : f32
  } sized(%31, %29) : tensor<4x?x?xf32>
  %cst_23 = arith.constant 1.000000e+00 : f32
  %filled8 = pipeline.stage "filled8" (%c, %y, %x) {
    %36 = pipeline.load %down8[%c, %y, %x] : tensor<4x?x?xf32>
    %37 = pipeline.load %down8[3, %y, %x] : tensor<4x?x?xf32>
    %38 = arith.subf %cst_23, %37 : f32
    %39 = pipeline.load %up8[%c, %y, %x] : tensor<4x?x?xf32>
    %40 = arith.mulf %38, %39 : f32
    %41 = arith.addf %36, %40 : f32
    pipeline.yield %41 : f32
  } sized(%31, %29) : tensor<4x?x?xf32>
  %upx7 = pipeline.stage "upx7" (%c, %y, %x) {
    %36 = pipeline.load %filled8[%c, %y, %x floordiv 2] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %filled8[%c, %y, (%x + 1) floordiv 2] clamp : tensor<4x?x?xf32>
    %38 = arith.addf %36, %37 : f32
    %39 = arith.divf %38, %cst_4 : f32
    pipeline.yield %39 : f32
  } sized(%31, %25) : tensor<4x?x?xf32>
  %up7 = pipeline.stage "up7" (%c, %y, %x) {
    %36 = pipeline.load %upx7[%c, %y floordiv 2, %x] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %upx7[%c, (%y + 1) floordiv 2, %x] clamp : tensor<4x?x?xf32>
    %38 = arith.addf %36, %37 : f32
    %39 = arith.divf %38, %cst_4 : f32
    pipeline.yield %39 : f32
  } sized(%27, %25) : tensor<4x?x?xf32>
  %filled7 = pipeline.stage "filled7" (%c, %y, %x) {
    %36 = pipeline.load %down7[%c, %y, %x] : tensor<4x?x?xf32>
    %37 = pipeline.load %down7[3, %y, %x] : tensor<4x?x?xf32>
    %38 = arith.subf %cst_23, %37 : f32
    %39 = pipeline.load %up7[%c, %y, %x] : tensor<4x?x?xf32>
    %40 = arith.mulf %38, %39 : f32
    %41 = arith.addf %36, %40 : f32
    pipeline.yield %41 : f32
  } sized(%27, %25) : tensor<4x?x?xf32>
  %upx6 = pipeline.stage "upx6" (%c, %y, %x) {
    %36 = pipeline.load %filled7[%c, %y, %x floordiv 2] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %filled7[%c, %y, (%x + 1) floordiv 2] clamp : tensor<4x?x?xf32>
    %38 = arith.addf %36, %37 : f32
    %39 = arith.divf %38, %cst_4 : f32
    pipeline.yield %39 : f32
  } sized(%27, %21) : tensor<4x?x?xf32>
  %up6 = pipeline.stage "up6" (%c, %y, %x) {
    %36 = pipeline.load %upx6[%c, %y floordiv 2, %x] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %upx6[%c, (%y + 1) floordiv 2, %x] clamp : tensor<4x?x?xf32>
    %38 = arith.addf %36, %37 : f32
    %39 = arith.divf %38, %cst_4 : f32
    pipeline.yield %39 : f32
  } sized(%23, %21) : tensor<4x?x?xf32>
  %filled6 = pipeline.stage "filled6" (%c, %y, %x) {
    %36 = pipeline.load %down6[%c, %y, %x] : tensor<4x?x?xf32>
    %37 = pipeline.load %down6[3, %y, %x] : tensor<4x?x?xf32>
    %38 = arith.subf %cst_23, %37 : f32
    %39 = pipeline.load %up6[%c, %y, %x] : tensor<4x?x?xf32>
    %40 = arith.mulf %38, %39 : f32
    %41 = arith.addf %36, %40 : f32
    pipeline.yield %41 : f32
  } sized(%23, %21) : tensor<4x?x?xf32>
  %upx5 = pipeline.stage "upx5" (%c, %y, %x) {
    %36 = pipeline.load %filled6[%c, %y, %x floordiv 2] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %filled6[%c, %y, (%x + 1) floordiv 2] clamp : tensor<4x?x?xf32>
    %38 = arith.addf %36, %37 : f32
    %39 = arith.divf %38, %cst_4 : f32
    pipeline.yield %39 : f32
  } sized(%23, %17) : tensor<4x?x?xf32>
  %up5 = pipeline.stage "up5" (%c, %y, %x) {
    %36 = pipeline.load %upx5[%c, %y floordiv 2, %x] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %upx5[%c, (%y + 1) floordiv 2, %x] clamp : tensor<4x?x?xf32>
    %38 = arith.addf %36, %37 : f32
    %39 = arith.divf %38, %cst_4 : f32
    pipeline.yield %39 : f32
  } sized(%19, %17) : tensor<4x?x?xf32>
  %filled5 = pipeline.stage "filled5" (%c, %y, %x) {
    %36 = pipeline.load %down5[%c, %y, %x] : tensor<4x?x?xf32>
    %37 = pipeline.load %down5[3, %y, %x] : tensor<4x?x?xf32>
    %38 = arith.subf %cst_23, %37 : f32
    %39 = pipeline.load %up5[%c, %y, %x] : tensor<4x?x?xf32>
    %40 = arith.mulf %38, %39 : f32
    %41 = arith.addf %36, %40 : f32
    pipeline.yield %41 : f32
  } sized(%19, %17) : tensor<4x?x?xf32>
  %upx4 = pipeline.stage "upx4" (%c, %y, %x) {
    %36 = pipeline.load %filled5[%c, %y, %x floordiv 2] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %filled5[%c, %y, (%x + 1) floordiv 2] clamp : tensor<4x?x?xf32>
    %38 = arith.addf %36, %37 : f32
    %39 = arith.divf %38, %cst_4 : f32
    pipeline.yield %39 : f32
  } sized(%19, %13) : tensor<4x?x?xf32>
  %up4 = pipeline.stage "up4" (%c, %y, %x) {
    %36 = pipeline.load %upx4[%c, %y floordiv 2, %x] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %upx4[%c, (%y + 1) floordiv 2, %x] clamp : tensor<4x?x?xf32>
    %38 = arith.addf %36, %37 : f32
    %39 = arith.divf %38, %cst_4 : f32
    pipeline.yield %39 : f32
  } sized(%15, %13) : tensor<4x?x?xf32>
  %filled4 = pipeline.stage "filled4" (%c, %y, %x) {
    %36 = pipeline.load %down4[%c, %y, %x] : tensor<4x?x?xf32>
    %37 = pipeline.load %down4[3, %y, %x] : tensor<4x?x?xf32>
    %38 = arith.subf %cst_23, %37 : f32
    %39 = pipeline.load %up4[%c, %y, %x] : tensor<4x?x?xf32>
    %40 = arith.mulf %38, %39 : f32
    %41 = arith.addf %36, %40 : f32
    pipeline.yield %41 : f32
  } sized(%15, %13) : tensor<4x?x?xf32>
  %upx3 = pipeline.stage "upx3" (%c, %y, %x) {
    %36 = pipeline.load %filled4[%c, %y, %x floordiv 2] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %filled4[%c, %y, (%x + 1) floordiv 2] clamp : tensor<4x?x?xf32>
    %38 = arith.addf %36, %37 : f32
    %39 = arith.divf %38, %cst_4 : f32
    pipeline.yield %39 : f32
  } sized(%15, %9) : tensor<4x?x?xf32>
  %up3 = pipeline.stage "up3" (%c, %y, %x) {
    %36 = pipeline.load %upx3[%c, %y floordiv 2, %x] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %upx3[%c, (%y + 1) floordiv 2, %x] clamp : tensor<4x?x?xf32>
    %38 = arith.addf %36, %37 : f32
    %39 = arith.divf %38, %cst_4 : f32
    pipeline.yield %39 : f32
  } sized(%11, %9) : tensor<4x?x?xf32>
  %filled3 = pipeline.stage "filled3" (%c, %y, %x) {
    %36 = pipeline.load %down3[%c, %y, %x] : tensor<4x?x?xf32>
    %37 = pipeline.load %down3[3, %y, %x] : tensor<4x?x?xf32>
    %38 = arith.subf %cst_23, %37 : f32
    %39 = pipeline.load %up3[%c, %y, %x] : tensor<4x?x?xf32>
    %40 = arith.mulf %38, %39 : f32
    %41 = arith.addf %36, %40 : f32
    pipeline.yield %41 : f32
  } sized(%11, %9) : tensor<4x?x?xf32>
  %upx2 = pipeline.stage "upx2" (%c, %y, %x) {
    %36 = pipeline.load %filled3[%c, %y, %x floordiv 2] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %filled3[%c, %y, (%x + 1) floordiv 2] clamp : tensor<4x?x?xf32>
    %38 = arith.addf %36, %37 : f32
    %39 = arith.divf %38, %cst_4 : f32
    pipeline.yield %39 : f32
  } sized(%11, %5) : tensor<4x?x?xf32>
  %up2 = pipeline.stage "up2" (%c, %y, %x) {
    %36 = pipeline.load %upx2[%c, %y floordiv 2, %x] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %upx2[%c, (%y + 1) floordiv 2, %x] clamp : tensor<4x?x?xf32>
    %38 = arith.addf %36, %37 : f32
    %39 = arith.divf %38, %cst_4 : f32
    pipeline.yield %39 : f32
  } sized(%7, %5) : tensor<4x?x?xf32>
  %filled2 = pipeline.stage "filled2" (%c, %y, %x) {
    %36 = pipeline.load %down2[%c, %y, %x] : tensor<4x?x?xf32>
    %37 = pipeline.load %down2[3, %y, %x] : tensor<4x?x?xf32>
    %38 = arith.subf %cst_23, %37 : f32
    %39 = pipeline.load %up2[%c, %y, %x] : tensor<4x?x?xf32>
    %40 = arith.mulf %38, %39 : f32
    %41 = arith.addf %36, %40 : f32
    pipeline.yield %41 : f32
  } sized(%7, %5) : tensor<4x?x?xf32>
  %upx1 = pipeline.stage "upx1" (%c, %y, %x) {
    %36 = pipeline.load %filled2[%c, %y, %x floordiv 2] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %filled2[%c, %y, (%x + 1) floordiv 2] clamp : tensor<4x?x?xf32>
    %38 = arith.addf %36, %37 : f32
    %39 = arith.divf %38, %cst_4 : f32
    pipeline.yield %39 : f32
  } sized(%7, %1) : tensor<4x?x?xf32>
  %up1 = pipeline.stage "up1" (%c, %y, %x) {
    %36 = pipeline.load %upx1[%c, %y floordiv 2, %x] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %upx1[%c, (%y + 1) floordiv 2, %x] clamp : tensor<4x?x?xf32>
    %38 = arith.addf %36, %37 : f32
    %39 = arith.divf %38, %cst_4 : f32
    pipeline.yield %39 : f32
  } sized(%3, %1) : tensor<4x?x?xf32>
  %filled1 = pipeline.stage "filled1" (%c, %y, %x) {
    %36 = pipeline.load %down1[%c, %y, %x] : tensor<4x?x?xf32>
    %37 = pipeline.load %down1[3, %y, %x] : tensor<4x?x?xf32>
    %38 = arith.subf %cst_23, %37 : f32
    %39 = pipeline.load %up1[%c, %y, %x] : tensor<4x?x?xf32>
    %40 = arith.mulf %38, %39 : f32
    %41 = arith.addf %36, %40 : f32
    pipeline.yield %41 : f32
  } sized(%3, %1) : tensor<4x?x?xf32>
  %upx0 = pipeline.stage "upx0" (%c, %y, %x) {
    %36 = pipeline.load %filled1[%c, %y, %x floordiv 2] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %filled1[%c, %y, (%x + 1) floordiv 2] clamp : tensor<4x?x?xf32>
    %38 = arith.addf %36, %37 : f32
    %39 = arith.divf %38, %cst_4 : f32
    pipeline.yield %39 : f32
  } sized(%3, %dim_0) : tensor<4x?x?xf32>
  %up0 = pipeline.stage "up0" (%c, %y, %x) {
    %36 = pipeline.load %upx0[%c, %y floordiv 2, %x] clamp : tensor<4x?x?xf32>
    %37 = pipeline.load %upx0[%c, (%y + 1) floordiv 2, %x] clamp : tensor<4x?x?xf32>
    %38 = arith.addf %36, %37 : f32
    %39 = arith.divf %38, %cst_4 : f32
    pipeline.yield %39 : f32
  } sized(%dim, %dim_0) : tensor<4x?x?xf32>
  %filled0 = pipeline.stage "filled0" (%c, %y, %x) {
    %36 = pipeline.load %down0[%c, %y, %x] : tensor<4x?x?xf32>
    %37 = pipeline.load %down0[3, %y, %x] : tensor<4x?x?xf32>
    %38 = arith.subf %cst_23, %37 : f32
    %39 = pipeline.load %up0[%c, %y, %x] : tensor<4x?x?xf32>
    %40 = arith.mulf %38, %39 : f32
    %41 = arith.addf %36, %40 : f32
    pipeline.yield %41 : f32
  } sized(%dim, %dim_0) : tensor<4x?x?xf32>
  %normalized = pipeline.stage "normalized" (%c, %y, %x) {
    %36 = pipeline.load %filled0[%c, %y, %x] : tensor<4x?x?xf32>
    %37 = pipeline.load %filled0[3, %y, %x] : tensor<4x?x?xf32>
    %38 = arith.divf %36, %37 : f32
    pipeline.yield %38 : f32
  } sized(%dim, %dim_0) : tensor<3x?x?xf32>
  return %normalized : tensor<3x?x?xf32>
}
