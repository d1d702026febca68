// Local Laplacian filter, 100 stages: more local contrast, with the edges as they are. The grey image is remapped about
// each of 8 intensities (one image of rank 3); the Laplacian pyramid of the result, 8 levels, takes each of its points
// from the pyramids of the two intensities next to the point's own. Stages: colour as floats, grey, its pyramid (14),
// the table of the remapping, the 8 remapped images and their pyramid (15), Laplacians (up x, up y, subtract: 21),
// index and fraction of the intensity at each level (16), the result's Laplacians (8), its pyramid (up x, up y, add:
// 21), colours, 16-bit output. PolyMage's 99 are not listed in the paper; the table is Halide's.
//
//   pipeline-run examples/local_laplacian.mlir --arg img=chelsea16.npy --arg alpha=0.142857 --arg beta=1 --out out=out.npy

func.func @local_laplacian(%arg0: tensor<3x?x?xi16> {weft.estimate = array<i64: 3, 2560, 1536>, weft.name = "img", weft.unsigned}, %arg1: f32 {weft.name = "alpha"}, %arg2: f32 {weft.name = "beta"}) -> (tensor<3x?x?xi16> {weft.name = "out", weft.unsigned}) {
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %arg0, %c1 : tensor<3x?x?xi16>
  %c2 = arith.constant 2 : index
  %dim_0 = tensor.dim %arg0, %c2 : tensor<3x?x?xi16>
  %cst = arith.constant 6.553500e+04 : f32
  %floating = pipeline.stage "floating" (%c, %y, %x) {
    %28 = pipeline.load %arg0[%c, %y, %x] : tensor<3x?x?xi16>
    %29 = arith.uitofp %28 : i16 to f32
    %30 = arith.divf %29, %cst : f32
    pipeline.yield %30 : f32
  } sized(%dim, %dim_0) : tensor<3x?x?xf32>
  %cst_1 = arith.constant 2.990000e-01 : f32
  %cst_2 = arith.constant 5.870000e-01 : f32
  %cst_3 = arith.constant 1.140000e-01 : f32
  %gray = pipeline.stage "gray" (%y, %x) {
    %28 = pipeline.load %floating[0, %y, %x] : tensor<3x?x?xf32>
    %29 = arith.mulf %cst_1, %28 : f32
    %30 = pipeline.load %floating[1, %y, %x] : tensor<3x?x?xf32>
    %31 = arith.mulf %cst_2, %30 : f32
    %32 = arith.addf %29, %31 : f32
    %33 = pipeline.load %floating[2, %y, %x] : tensor<3x?x?xf32>
    %34 = arith.mulf %cst_3, %33 : f32
    %35 = arith.addf %32, %34 : f32
    pipeline.yield %35 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %c1_4 = arith.constant 1 : index
  %c2_5 = arith.constant 2 : index
  %0 = arith.addi %dim_0, %c1_4 : index
  %c1_6 = arith.constant 1 : index
  %1 = arith.shrsi %0, %c1_6 : index
  %cst_7 = arith.constant 3.000000e+00 : f32
  %cst_8 = arith.constant 8.000000e+00 : f32
  %gray_downx1 = pipeline.stage "gray_downx1" (%y, %x) {
    %28 = pipeline.load %gray[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %29 = pipeline.load %gray[%y, %x * 2] clamp : tensor<?x?xf32>
    %30 = pipeline.load %gray[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %gray[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%dim, %1) : tensor<?x?xf32>
  %2 = arith.addi %dim, %c1_4 : index
  %c1_9 = arith.constant 1 : index
  %3 = arith.shrsi %2, %c1_9 : index
  %gray_down1 = pipeline.stage "gray_down1" (%y, %x) {
    %28 = pipeline.load %gray_downx1[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = pipeline.load %gray_downx1[%y * 2, %x] clamp : tensor<?x?xf32>
    %30 = pipeline.load %gray_downx1[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %gray_downx1[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%3, %1) : tensor<?x?xf32>
  %4 = arith.addi %1, %c1_4 : index
  %c1_10 = arith.constant 1 : index
  %5 = arith.shrsi %4, %c1_10 : index
  %gray_downx2 = pipeline.stage "gray_downx2" (%y, %x) {
    %28 = pipeline.load %gray_down1[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %29 = pipeline.load %gray_down1[%y, %x * 2] clamp : tensor<?x?xf32>
    %30 = pipeline.load %gray_down1[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %gray_down1[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%3, %5) : tensor<?x?xf32>
  %6 = arith.addi %3, %c1_4 : index
  %c1_11 = arith.constant 1 : index
  %7 = arith.shrsi %6, %c1_11 : index
  %gray_down2 = pipeline.stage "gray_down2" (%y, %x) {
    %28 = pipeline.load %gray_downx2[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = pipeline.load %gray_downx2[%y * 2, %x] clamp : tensor<?x?xf32>
    %30 = pipeline.load %gray_downx2[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %gray_downx2[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%7, %5) : tensor<?x?xf32>
  %8 = arith.addi %5, %c1_4 : index
  %c1_12 = arith.constant 1 : index
  %9 = arith.shrsi %8, %c1_12 : index
  %gray_downx3 = pipeline.stage "gray_downx3" (%y, %x) {
    %28 = pipeline.load %gray_down2[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %29 = pipeline.load %gray_down2[%y, %x * 2] clamp : tensor<?x?xf32>
    %30 = pipeline.load %gray_down2[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %gray_down2[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%7, %9) : tensor<?x?xf32>
  %10 = arith.addi %7, %c1_4 : index
  %c1_13 = arith.constant 1 : index
  %11 = arith.shrsi %10, %c1_13 : index
  %gray_down3 = pipeline.stage "gray_down3" (%y, %x) {
    %28 = pipeline.load %gray_downx3[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = pipeline.load %gray_downx3[%y * 2, %x] clamp : tensor<?x?xf32>
    %30 = pipeline.load %gray_downx3[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %gray_downx3[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%11, %9) : tensor<?x?xf32>
  %12 = arith.addi %9, %c1_4 : index
  %c1_14 = arith.constant 1 : index
  %13 = arith.shrsi %12, %c1_14 : index
  %gray_downx4 = pipeline.stage "gray_downx4" (%y, %x) {
    %28 = pipeline.load %gray_down3[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %29 = pipeline.load %gray_down3[%y, %x * 2] clamp : tensor<?x?xf32>
    %30 = pipeline.load %gray_down3[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %gray_down3[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%11, %13) : tensor<?x?xf32>
  %14 = arith.addi %11, %c1_4 : index
  %c1_15 = arith.constant 1 : index
  %15 = arith.shrsi %14, %c1_15 : index
  %gray_down4 = pipeline.stage "gray_down4" (%y, %x) {
    %28 = pipeline.load %gray_downx4[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = pipeline.load %gray_downx4[%y * 2, %x] clamp : tensor<?x?xf32>
    %30 = pipeline.load %gray_downx4[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %gray_downx4[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%15, %13) : tensor<?x?xf32>
  %16 = arith.addi %13, %c1_4 : index
  %c1_16 = arith.constant 1 : index
  %17 = arith.shrsi %16, %c1_16 : index
  %gray_downx5 = pipeline.stage "gray_downx5" (%y, %x) {
    %28 = pipeline.load %gray_down4[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %29 = pipeline.load %gray_down4[%y, %x * 2] clamp : tensor<?x?xf32>
    %30 = pipeline.load %gray_down4[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %gray_down4[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%15, %17) : tensor<?x?xf32>
  %18 = arith.addi %15, %c1_4 : index
  %c1_17 = arith.constant 1 : index
  %19 = arith.shrsi %18, %c1_17 : index
  %gray_down5 = pipeline.stage "gray_down5" (%y, %x) {
    %28 = pipeline.load %gray_downx5[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = pipeline.load %gray_downx5[%y * 2, %x] clamp : tensor<?x?xf32>
    %30 = pipeline.load %gray_downx5[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %gray_downx5[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%19, %17) : tensor<?x?xf32>
  %20 = arith.addi %17, %c1_4 : index
  %c1_18 = arith.constant 1 : index
  %21 = arith.shrsi %20, %c1_18 : index
  %gray_downx6 = pipeline.stage "gray_downx6" (%y, %x) {
    %28 = pipeline.load %gray_down5[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %29 = pipeline.load %gray_down5[%y, %x * 2] clamp : tensor<?x?xf32>
    %30 = pipeline.load %gray_down5[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %gray_down5[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%19, %21) : tensor<?x?xf32>
  %22 = arith.addi %19, %c1_4 : index
  %c1_19 = arith.constant 1 : index
  %23 = arith.shrsi %22, %c1_19 : index
  %gray_down6 = pipeline.stage "gray_down6" (%y, %x) {
    %28 = pipeline.load %gray_downx6[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = pipeline.load %gray_downx6[%y * 2, %x] clamp : tensor<?x?xf32>
    %30 = pipeline.load %gray_downx6[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %gray_downx6[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%23, %21) : tensor<?x?xf32>
  %24 = arith.addi %21, %c1_4 : index
  %c1_20 = arith.constant 1 : index
  %25 = arith.shrsi %24, %c1_20 : index
  %gray_downx7 = pipeline.stage "gray_downx7" (%y, %x) {
    %28 = pipeline.load %gray_down6[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %29 = pipeline.load %gray_down6[%y, %x * 2] clamp : tensor<?x?xf32>
    %30 = pipeline.load %gray_down6[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %gray_down6[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%23, %25) : tensor<?x?xf32>
  %26 = arith.addi %23, %c1_4 : index
  %c1_21 = arith.constant 1 : index
  %27 = arith.shrsi %26, %c1_21 : index
  %gray_down7 = pipeline.stage "gray_down7" (%y, %x) {
    %28 = pipeline.load %gray_downx7[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = pipeline.load %gray_downx7[%y * 2, %x] clamp : tensor<?x?xf32>
    %30 = pipeline.load %gray_downx7[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %gray_downx7[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%27, %25) : tensor<?x?xf32>
  %c1792_i32 = arith.constant 1792 : i32
  %cst_22 = arith.constant 2.560000e+02 : f32
  %cst_23 = arith.constant 2.000000e+00 : f32
  %remap = pipeline.stage "remap" (%x) {
    %28 = arith.index_cast %x : index to i32
    %29 = arith.subi %28, %c1792_i32 : i32
    %30 = arith.sitofp %29 : i32 to f32
    %31 = arith.divf %30, %cst_22 : f32
    %32 = arith.mulf %arg1, %31 : f32
    %33 = arith.mulf %31, %31 : f32
    %34 = arith.negf %33 : f32
    %35 = arith.divf %34, %cst_23 : f32
    %36 = math.exp %35 : f32
    %37 = arith.mulf %32, %36 : f32
    pipeline.yield %37 : f32
  } : tensor<3585xf32>
  %cst_24 = arith.constant 7.000000e+00 : f32
  %cst_25 = arith.constant 1.792000e+03 : f32
  %c0_i32 = arith.constant 0 : i32
  %c256_i32 = arith.constant 256 : i32
  %remapped = pipeline.stage "remapped" (%c, %y, %x) {
    %28 = pipeline.load %gray[%y, %x] : tensor<?x?xf32>
    %29 = arith.index_cast %c : index to i32
    %30 = arith.sitofp %29 : i32 to f32
    %31 = arith.divf %30, %cst_24 : f32
    %32 = arith.mulf %28, %cst_25 : f32
    %33 = arith.fptosi %32 : f32 to i32
    %34 = arith.maxsi %33, %c0_i32 : i32
    %35 = arith.minsi %34, %c1792_i32 : i32
    %36 = arith.muli %29, %c256_i32 : i32
    %37 = arith.subi %35, %36 : i32
    %38 = arith.addi %37, %c1792_i32 : i32
    %39 = arith.index_cast %38 : i32 to index
    %40 = pipeline.gather %remap[%39] clamp : tensor<3585xf32>
    %41 = arith.subf %28, %31 : f32
    %42 = arith.mulf %arg2, %41 : f32
    %43 = arith.addf %42, %31 : f32
    %44 = arith.addf %43, %40 : f32
    pipeline.yield %44 : f32
  } sized(%dim, %dim_0) : tensor<8x?x?xf32>
  %downx1 = pipeline.stage "downx1" (%c, %y, %x) {
    %28 = pipeline.load %remapped[%c, %y, %x * 2 - 1] clamp : tensor<8x?x?xf32>
    %29 = pipeline.load %remapped[%c, %y, %x * 2] clamp : tensor<8x?x?xf32>
    %30 = pipeline.load %remapped[%c, %y, %x * 2 + 1] clamp : tensor<8x?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %remapped[%c, %y, %x * 2 + 2] clamp : tensor<8x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%dim, %1) : tensor<8x?x?xf32>
  %down1 = pipeline.stage "down1" (%c, %y, %x) {
    %28 = pipeline.load %downx1[%c, %y * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %29 = pipeline.load %downx1[%c, %y * 2, %x] clamp : tensor<8x?x?xf32>
    %30 = pipeline.load %downx1[%c, %y * 2 + 1, %x] clamp : tensor<8x?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %downx1[%c, %y * 2 + 2, %x] clamp : tensor<8x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%3, %1) : tensor<8x?x?xf32>
  %downx2 = pipeline.stage "downx2" (%c, %y, %x) {
    %28 = pipeline.load %down1[%c, %y, %x * 2 - 1] clamp : tensor<8x?x?xf32>
    %29 = pipeline.load %down1[%c, %y, %x * 2] clamp : tensor<8x?x?xf32>
    %30 = pipeline.load %down1[%c, %y, %x * 2 + 1] clamp : tensor<8x?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %down1[%c, %y, %x * 2 + 2] clamp : tensor<8x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%3, %5) : tensor<8x?x?xf32>
  %down2 = pipeline.stage "down2" (%c, %y, %x) {
    %28 = pipeline.load %downx2[%c, %y * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %29 = pipeline.load %downx2[%c, %y * 2, %x] clamp : tensor<8x?x?xf32>
    %30 = pipeline.load %downx2[%c, %y * 2 + 1, %x] clamp : tensor<8x?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %downx2[%c, %y * 2 + 2, %x] clamp : tensor<8x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%7, %5) : tensor<8x?x?xf32>
  %downx3 = pipeline.stage "downx3" (%c, %y, %x) {
    %28 = pipeline.load %down2[%c, %y, %x * 2 - 1] clamp : tensor<8x?x?xf32>
    %29 = pipeline.load %down2[%c, %y, %x * 2] clamp : tensor<8x?x?xf32>
    %30 = pipeline.load %down2[%c, %y, %x * 2 + 1] clamp : tensor<8x?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %down2[%c, %y, %x * 2 + 2] clamp : tensor<8x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%7, %9) : tensor<8x?x?xf32>
  %down3 = pipeline.stage "down3" (%c, %y, %x) {
    %28 = pipeline.load %downx3[%c, %y * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %29 = pipeline.load %downx3[%c, %y * 2, %x] clamp : tensor<8x?x?xf32>
    %30 = pipeline.load %downx3[%c, %y * 2 + 1, %x] clamp : tensor<8x?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %downx3[%c, %y * 2 + 2, %x] clamp : tensor<8x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%11, %9) : tensor<8x?x?xf32>
  %downx4 = pipeline.stage "downx4" (%c, %y, %x) {
    %28 = pipeline.load %down3[%c, %y, %x * 2 - 1] clamp : tensor<8x?x?xf32>
    %29 = pipeline.load %down3[%c, %y, %x * 2] clamp : tensor<8x?x?xf32>
    %30 = pipeline.load %down3[%c, %y, %x * 2 + 1] clamp : tensor<8x?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %down3[%c, %y, %x * 2 + 2] clamp : tensor<8x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%11, %13) : tensor<8x?x?xf32>
  %down4 = pipeline.stage "down4" (%c, %y, %x) {
    %28 = pipeline.load %downx4[%c, %y * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %29 = pipeline.load %downx4[%c, %y * 2, %x] clamp : tensor<8x?x?xf32>
    %30 = pipeline.load %downx4[%c, %y * 2 + 1, %x] clamp : tensor<8x?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %downx4[%c, %y * 2 + 2, %x] clamp : tensor<8x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%15, %13) : tensor<8x?x?xf32>
  %downx5 = pipeline.stage "downx5" (%c, %y, %x) {
    %28 = pipeline.load %down4[%c, %y, %x * 2 - 1] clamp : tensor<8x?x?xf32>
    %29 = pipeline.load %down4[%c, %y, %x * 2] clamp : tensor<8x?x?xf32>
    %30 = pipeline.load %down4[%c, %y, %x * 2 + 1] clamp : tensor<8x?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %down4[%c, %y, %x * 2 + 2] clamp : tensor<8x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%15, %17) : tensor<8x?x?xf32>
  %down5 = pipeline.stage "down5" (%c, %y, %x) {
    %28 = pipeline.load %downx5[%c, %y * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %29 = pipeline.load %downx5[%c, %y * 2, %x] clamp : tensor<8x?x?xf32>
    %30 = pipeline.load %downx5[%c, %y * 2 + 1, %x] clamp : tensor<8x?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %downx5[%c, %y * 2 + 2, %x] clamp : tensor<8x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%19, %17) : tensor<8x?x?xf32>
  %downx6 = pipeline.stage "downx6" (%c, %y, %x) {
    %28 = pipeline.load %down5[%c, %y, %x * 2 - 1] clamp : tensor<8x?x?xf32>
    %29 = pipeline.load %down5[%c, %y, %x * 2] clamp : tensor<8x?x?xf32>
    %30 = pipeline.load %down5[%c, %y, %x * 2 + 1] clamp : tensor<8x?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %down5[%c, %y, %x * 2 + 2] clamp : tensor<8x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%19, %21) : tensor<8x?x?xf32>
  %down6 = pipeline.stage "down6" (%c, %y, %x) {
    %28 = pipeline.load %downx6[%c, %y * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %29 = pipeline.load %downx6[%c, %y * 2, %x] clamp : tensor<8x?x?xf32>
    %30 = pipeline.load %downx6[%c, %y * 2 + 1, %x] clamp : tensor<8x?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %downx6[%c, %y * 2 + 2, %x] clamp : tensor<8x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%23, %21) : tensor<8x?x?xf32>
  %downx7 = pipeline.stage "downx7" (%c, %y, %x) {
    %28 = pipeline.load %down6[%c, %y, %x * 2 - 1] clamp : tensor<8x?x?xf32>
    %29 = pipeline.load %down6[%c, %y, %x * 2] clamp : tensor<8x?x?xf32>
    %30 = pipeline.load %down6[%c, %y, %x * 2 + 1] clamp : tensor<8x?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %down6[%c, %y, %x * 2 + 2] clamp : tensor<8x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%23, %25) : tensor<8x?x?xf32>
  %down7 = pipeline.stage "down7" (%c, %y, %x) {
    %28 = pipeline.load %downx7[%c, %y * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %29 = pipeline.load %downx7[%c, %y * 2, %x] clamp : tensor<8x?x?xf32>
    %30 = pipeline.load %downx7[%c, %y * 2 + 1, %x] clamp : tensor<8x?x?xf32>
    %31 = arith.addf %29, %30 : f32
    %32 = arith.mulf %cst_7, %31 : f32
    %33 = arith.addf %28, %32 : f32
    %34 = pipeline.load %downx7[%c, %y * 2 + 2, %x] clamp : tensor<8x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.divf %35, %cst_8 : f32
    pipeline.yield %36 : f32
  } sized(%27, %25) : tensor<8x?x?xf32>
  %cst_26 = arith.constant 2.500000e-01 : f32
  %cst_27 = arith.constant 7.500000e-01 : f32
  %upx0 = pipeline.stage "upx0" (%c, %y, %x) {
    %28 = pipeline.load %down1[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<8x?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %down1[%c, %y, %x floordiv 2] clamp : tensor<8x?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%3, %dim_0) : tensor<8x?x?xf32>
  %up0 = pipeline.stage "up0" (%c, %y, %x) {
    %28 = pipeline.load %upx0[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %upx0[%c, %y floordiv 2, %x] clamp : tensor<8x?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%dim, %dim_0) : tensor<8x?x?xf32>
  %laplace0 = pipeline.stage "laplace0" (%c, %y, %x) {
    %28 = pipeline.load %remapped[%c, %y, %x] : tensor<8x?x?xf32>
    %29 = pipeline.load %up0[%c, %y, %x] : tensor<8x?x?xf32>
    %30 = arith.subf %28, %29 : f32
    pipeline.yield %30 : f32
  } sized(%dim, %dim_0) : tensor<8x?x?xf32>
  %upx1 = pipeline.stage "upx1" (%c, %y, %x) {
    %28 = pipeline.load %down2[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<8x?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %down2[%c, %y, %x floordiv 2] clamp : tensor<8x?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%7, %1) : tensor<8x?x?xf32>
  %up1 = pipeline.stage "up1" (%c, %y, %x) {
    %28 = pipeline.load %upx1[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %upx1[%c, %y floordiv 2, %x] clamp : tensor<8x?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%3, %1) : tensor<8x?x?xf32>
  %laplace1 = pipeline.stage "laplace1" (%c, %y, %x) {
    %28 = pipeline.load %down1[%c, %y, %x] : tensor<8x?x?xf32>
    %29 = pipeline.load %up1[%c, %y, %x] : tensor<8x?x?xf32>
    %30 = arith.subf %28, %29 : f32
    pipeline.yield %30 : f32
  } sized(%3, %1) : tensor<8x?x?xf32>
  %upx2 = pipeline.stage "upx2" (%c, %y, %x) {
    %28 = pipeline.load %down3[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<8x?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %down3[%c, %y, %x floordiv 2] clamp : tensor<8x?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%11, %5) : tensor<8x?x?xf32>
  %up2 = pipeline.stage "up2" (%c, %y, %x) {
    %28 = pipeline.load %upx2[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %upx2[%c, %y floordiv 2, %x] clamp : tensor<8x?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%7, %5) : tensor<8x?x?xf32>
  %laplace2 = pipeline.stage "laplace2" (%c, %y, %x) {
    %28 = pipeline.load %down2[%c, %y, %x] : tensor<8x?x?xf32>
    %29 = pipeline.load %up2[%c, %y, %x] : tensor<8x?x?xf32>
    %30 = arith.subf %28, %29 : f32
    pipeline.yield %30 : f32
  } sized(%7, %5) : tensor<8x?x?xf32>
  %upx3 = pipeline.stage "upx3" (%c, %y, %x) {
    %28 = pipeline.load %down4[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<8x?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %down4[%c, %y, %x floordiv 2] clamp : tensor<8x?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%15, %9) : tensor<8x?x?xf32>
  %up3 = pipeline.stage "up3" (%c, %y, %x) {
    %28 = pipeline.load %upx3[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %upx3[%c, %y floordiv 2, %x] clamp : tensor<8x?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%11, %9) : tensor<8x?x?xf32>
  %laplace3 = pipeline.stage "laplace3" (%c, %y, %x) {
    %28 = pipeline.load %down3[%c, %y, %x] : tensor<8x?x?xf32>
    %29 = pipeline.load %up3[%c, %y, %x] : tensor<8x?x?xf32>
    %30 = arith.subf %28, %29 : f32
    pipeline.yield %30 : f32
  } sized(%11, %9) : tensor<8x?x?xf32>
  %upx4 = pipeline.stage "upx4" (%c, %y, %x) {
    %28 = pipeline.load %down5[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<8x?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %down5[%c, %y, %x floordiv 2] clamp : tensor<8x?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%19, %13) : tensor<8x?x?xf32>
  %up4 = pipeline.stage "up4" (%c, %y, %x) {
    %28 = pipeline.load %upx4[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %upx4[%c, %y floordiv 2, %x] clamp : tensor<8x?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%15, %13) : tensor<8x?x?xf32>
  %laplace4 = pipeline.stage "laplace4" (%c, %y, %x) {
    %28 = pipeline.load %down4[%c, %y, %x] : tensor<8x?x?xf32>
    %29 = pipeline.load %up4[%c, %y, %x] : tensor<8x?x?xf32>
    %30 = arith.subf %28, %29 : f32
    pipeline.yield %30 : f32
  } sized(%15, %13) : tensor<8x?x?xf32>
  %upx5 = pipeline.stage "upx5" (%c, %y, %x) {
    %28 = pipeline.load %down6[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<8x?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %down6[%c, %y, %x floordiv 2] clamp : tensor<8x?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%23, %17) : tensor<8x?x?xf32>
  %up5 = pipeline.stage "up5" (%c, %y, %x) {
    %28 = pipeline.load %upx5[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %upx5[%c, %y floordiv 2, %x] clamp : tensor<8x?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%19, %17) : tensor<8x?x?xf32>
  %laplace5 = pipeline.stage "laplace5" (%c, %y, %x) {
    %28 = pipeline.load %down5[%c, %y, %x] : tensor<8x?x?xf32>
    %29 = pipeline.load %up5[%c, %y, %x] : tensor<8x?x?xf32>
    %30 = arith.subf %28, %29 : f32
    pipeline.yield %30 : f32
  } sized(%19, %17) : tensor<8x?x?xf32>
  %upx6 = pipeline.stage "upx6" (%c, %y, %x) {
    %28 = pipeline.load %down7[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<8x?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %down7[%c, %y, %x floordiv 2] clamp : tensor<8x?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%27, %21) : tensor<8x?x?xf32>
  %up6 = pipeline.stage "up6" (%c, %y, %x) {
    %28 = pipeline.load %upx6[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %upx6[%c, %y floordiv 2, %x] clamp : tensor<8x?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%23, %21) : tensor<8x?x?xf32>
  %laplace6 = pipeline.stage "laplace6" (%c, %y, %x) {
    %28 = pipeline.load %down6[%c, %y, %x] : tensor<8x?x?xf32>
    %29 = pipeline.load %up6[%c, %y, %x] : tensor<8x?x?xf32>
    %30 = arith.subf %28, %29 : f32
    pipeline.yield %30 : f32
  } sized(%23, %21) : tensor<8x?x?xf32>
  %c6_i32 = arith.constant 6 : i32
  %index0 = pipeline.stage "index0" (%y, %x) {
    %28 = pipeline.load %gray[%y, %x] : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_24 : f32
    %30 = arith.fptosi %29 : f32 to i32
    %31 = arith.maxsi %30, %c0_i32 : i32
    %32 = arith.minsi %31, %c6_i32 : i32
    pipeline.yield %32 : i32
  } sized(%dim, %dim_0) : tensor<?x?xi32>
  %fraction0 = pipeline.stage "fraction0" (%y, %x) {
    %28 = pipeline.load %gray[%y, %x] : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_24 : f32
    %30 = pipeline.load %index0[%y, %x] : tensor<?x?xi32>
    %31 = arith.sitofp %30 : i32 to f32
    %32 = arith.subf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %cst_28 = arith.constant 1.000000e+00 : f32
  %c1_i32 = arith.constant 1 : i32
  %out_laplace0 = pipeline.stage "out_laplace0" (%y, %x) {
    %28 = pipeline.load %index0[%y, %x] : tensor<?x?xi32>
    %29 = arith.index_cast %28 : i32 to index
    %30 = pipeline.gather %laplace0[%29, %y, %x] clamp : tensor<8x?x?xf32>
    %31 = pipeline.load %fraction0[%y, %x] : tensor<?x?xf32>
    %32 = arith.subf %cst_28, %31 : f32
    %33 = arith.mulf %30, %32 : f32
    %34 = arith.addi %28, %c1_i32 : i32
    %35 = arith.index_cast %34 : i32 to index
    %36 = pipeline.gather %laplace0[%35, %y, %x] clamp : tensor<8x?x?xf32>
    %37 = arith.mulf %36, %31 : f32
    %38 = arith.addf %33, %37 : f32
    pipeline.yield %38 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %index1 = pipeline.stage "index1" (%y, %x) {
    %28 = pipeline.load %gray_down1[%y, %x] : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_24 : f32
    %30 = arith.fptosi %29 : f32 to i32
    %31 = arith.maxsi %30, %c0_i32 : i32
    %32 = arith.minsi %31, %c6_i32 : i32
    pipeline.yield %32 : i32
  } sized(%3, %1) : tensor<?x?xi32>
  %fraction1 = pipeline.stage "fraction1" (%y, %x) {
    %28 = pipeline.load %gray_down1[%y, %x] : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_24 : f32
    %30 = pipeline.load %index1[%y, %x] : tensor<?x?xi32>
    %31 = arith.sitofp %30 : i32 to f32
    %32 = arith.subf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%3, %1) : tensor<?x?xf32>
  %out_laplace1 = pipeline.stage "out_laplace1" (%y, %x) {
    %28 = pipeline.load %index1[%y, %x] : tensor<?x?xi32>
    %29 = arith.index_cast %28 : i32 to index
    %30 = pipeline.gather %laplace1[%29, %y, %x] clamp : tensor<8x?x?xf32>
    %31 = pipeline.load %fraction1[%y, %x] : tensor<?x?xf32>
    %32 = arith.subf %cst_28, %31 : f32
    %33 = arith.mulf %30, %32 : f32
    %34 = arith.addi %28, %c1_i32 : i32
    %35 = arith.index_cast %34 : i32 to index
    %36 = pipeline.gather %laplace1[%35, %y, %x] clamp : tensor<8x?x?xf32>
    %37 = arith.mulf %36, %31 : f32
    %38 = arith.addf %33, %37 : f32
    pipeline.yield %38 : f32
  } sized(%3, %1) : tensor<?x?xf32>
  %index2 = pipeline.stage "index2" (%y, %x) {
    %28 = pipeline.load %gray_down2[%y, %x] : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_24 : f32
    %30 = arith.fptosi %29 : f32 to i32
    %31 = arith.maxsi %30, %c0_i32 : i32
    %32 = arith.minsi %31, %c6_i32 : i32
    pipeline.yield %32 : i32
  } sized(%7, %5) : tensor<?x?xi32>
  %fraction2 = pipeline.stage "fraction2" (%y, %x) {
    %28 = pipeline.load %gray_down2[%y, %x] : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_24 : f32
    %30 = pipeline.load %index2[%y, %x] : tensor<?x?xi32>
    %31 = arith.sitofp %30 : i32 to f32
    %32 = arith.subf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%7, %5) : tensor<?x?xf32>
  %out_laplace2 = pipeline.stage "out_laplace2" (%y, %x) {
    %28 = pipeline.load %index2[%y, %x] : tensor<?x?xi32>
    %29 = arith.index_cast %28 : i32 to index
    %30 = pipeline.gather %laplace2[%29, %y, %x] clamp : tensor<8x?x?xf32>
    %31 = pipeline.load %fraction2[%y, %x] : tensor<?x?xf32>
    %32 = arith.subf %cst_28, %31 : f32
    %33 = arith.mulf %30, %32 : f32
    %34 = arith.addi %28, %c1_i32 : i32
    %35 = arith.index_cast %34 : i32 to index
    %36 = pipeline.gather %laplace2[%35, %y, %x] clamp : tensor<8x?x?xf32>
    %37 = arith.mulf %36, %31 : f32
    %38 = arith.addf %33, %37 : f32
    pipeline.yield %38 : f32
  } sized(%7, %5) : tensor<?x?xf32>
  %index3 = pipeline.stage "index3" (%y, %x) {
    %28 = pipeline.load %gray_down3[%y, %x] : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_24 : f32
    %30 = arith.fptosi %29 : f32 to i32
    %31 = arith.maxsi %30, %c0_i32 : i32
    %32 = arith.minsi %31, %c6_i32 : i32
    pipeline.yield %32 : i32
  } sized(%11, %9) : tensor<?x?xi32>
  %fraction3 = pipeline.stage "fraction3" (%y, %x) {
    %28 = pipeline.load %gray_down3[%y, %x] : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_24 : f32
    %30 = pipeline.load %index3[%y, %x] : tensor<?x?xi32>
    %31 = arith.sitofp %30 : i32 to f32
    %32 = arith.subf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%11, %9) : tensor<?x?xf32>
  %out_laplace3 = pipeline.stage "out_laplace3" (%y, %x) {
    %28 = pipeline.load %index3[%y, %x] : tensor<?x?xi32>
    %29 = arith.index_cast %28 : i32 to index
    %30 = pipeline.gather %laplace3[%29, %y, %x] clamp : tensor<8x?x?xf32>
    %31 = pipeline.load %fraction3[%y, %x] : tensor<?x?xf32>
    %32 = arith.subf %cst_28, %31 : f32
    %33 = arith.mulf %30, %32 : f32
    %34 = arith.addi %28, %c1_i32 : i32
    %35 = arith.index_cast %34 : i32 to index
    %36 = pipeline.gather %laplace3[%35, %y, %x] clamp : tensor<8x?x?xf32>
    %37 = arith.mulf %36, %31 : f32
    %38 = arith.addf %33, %37 : f32
    pipeline.yield %38 : f32
  } sized(%11, %9) : tensor<?x?xf32>
  %index4 = pipeline.stage "index4" (%y, %x) {
    %28 = pipeline.load %gray_down4[%y, %x] : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_24 : f32
    %30 = arith.fptosi %29 : f32 to i32
    %31 = arith.maxsi %30, %c0_i32 : i32
    %32 = arith.minsi %31, %c6_i32 : i32
    pipeline.yield %32 : i32
  } sized(%15, %13) : tensor<?x?xi32>
  %fraction4 = pipeline.stage "fraction4" (%y, %x) {
    %28 = pipeline.load %gray_down4[%y, %x] : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_24 : f32
    %30 = pipeline.load %index4[%y, %x] : tensor<?x?xi32>
    %31 = arith.sitofp %30 : i32 to f32
    %32 = arith.subf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%15, %13) : tensor<?x?xf32>
  %out_laplace4 = pipeline.stage "out_laplace4" (%y, %x) {
    %28 = pipeline.load %index4[%y, %x] : tensor<?x?xi32>
    %29 = arith.index_cast %28 : i32 to index
    %30 = pipeline.gather %laplace4[%29, %y, %x] clamp : tensor<8x?x?xf32>
    %31 = pipeline.load %fraction4[%y, %x] : tensor<?x?xf32>
    %32 = arith.subf %cst_28, %31 : f32
    %33 = arith.mulf %30, %32 : f32
    %34 = arith.addi %28, %c1_i32 : i32
    %35 = arith.index_cast %34 : i32 to index
    %36 = pipeline.gather %laplace4[%35, %y, %x] clamp : tensor<8x?x?xf32>
    %37 = arith.mulf %36, %31 : f32
    %38 = arith.addf %33, %37 : f32
    pipeline.yield %38 : f32
  } sized(%15, %13) : tensor<?x?xf32>
  %index5 = pipeline.stage "index5" (%y, %x) {
    %28 = pipeline.load %gray_down5[%y, %x] : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_24 : f32
    %30 = arith.fptosi %29 : f32 to i32
    %31 = arith.maxsi %30, %c0_i32 : i32
    %32 = arith.minsi %31, %c6_i32 : i32
    pipeline.yield %32 : i32
  } sized(%19, %17) : tensor<?x?xi32>
  %fraction5 = pipeline.stage "fraction5" (%y, %x) {
    %28 = pipeline.load %gray_down5[%y, %x] : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_24 : f32
    %30 = pipeline.load %index5[%y, %x] : tensor<?x?xi32>
    %31 = arith.sitofp %30 : i32 to f32
    %32 = arith.subf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%19, %17) : tensor<?x?xf32>
  %out_laplace5 = pipeline.stage "out_laplace5" (%y, %x) {
    %28 = pipeline.load %index5[%y, %x] : tensor<?x?xi32>
    %29 = arith.index_cast %28 : i32 to index
    %30 = pipeline.gather %laplace5[%29, %y, %x] clamp : tensor<8x?x?xf32>
    %31 = pipeline.load %fraction5[%y, %x] : tensor<?x?xf32>
    %32 = arith.subf %cst_28, %31 : f32
    %33 = arith.mulf %30, %32 : f32
    %34 = arith.addi %28, %c1_i32 : i32
    %35 = arith.index_cast %34 : i32 to index
    %36 = pipeline.gather %laplace5[%35, %y, %x] clamp : tensor<8x?x?xf32>
    %37 = arith.mulf %36, %31 : f32
    %38 = arith.addf %33, %37 : f32
    pipeline.yield %38 : f32
  } sized(%19, %17) : tensor<?x?xf32>
  %index6 = pipeline.stage "index6" (%y, %x) {
    %28 = pipeline.load %gray_down6[%y, %x] : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_24 : f32
    %30 = arith.fptosi %29 : f32 to i32
    %31 = arith.maxsi %30, %c0_i32 : i32
    %32 = arith.minsi %31, %c6_i32 : i32
    pipeline.yield %32 : i32
  } sized(%23, %21) : tensor<?x?xi32>
  %fraction6 = pipeline.stage "fraction6" (%y, %x) {
    %28 = pipeline.load %gray_down6[%y, %x] : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_24 : f32
    %30 = pipeline.load %index6[%y, %x] : tensor<?x?xi32>
    %31 = arith.sitofp %30 : i32 to f32
    %32 = arith.subf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%23, %21) : tensor<?x?xf32>
  %out_laplace6 = pipeline.stage "out_laplace6" (%y, %x) {
    %28 = pipeline.load %index6[%y, %x] : tensor<?x?xi32>
    %29 = arith.index_cast %28 : i32 to index
    %30 = pipeline.gather %laplace6[%29, %y, %x] clamp : tensor<8x?x?xf32>
    %31 = pipeline.load %fraction6[%y, %x] : tensor<?x?xf32>
    %32 = arith.subf %cst_28, %31 : f32
    %33 = arith.mulf %30, %32 : f32
    %34 = arith.addi %28, %c1_i32 : i32
    %35 = arith.index_cast %34 : i32 to index
    %36 = pipeline.gather %laplace6[%35, %y, %x] clamp : tensor<8x?x?xf32>
    %37 = arith.mulf %36, %31 : f32
    %38 = arith.addf %33, %37 : f32
    pipeline.yield %38 : f32
  } sized(%23, %21) : tensor<?x?xf32>
  %index7 = pipeline.stage "index7" (%y, %x) {
    %28 = pipeline.load %gray_down7[%y, %x] : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_24 : f32
    %30 = arith.fptosi %29 : f32 to i32
    %31 = arith.maxsi %30, %c0_i32 : i32
    %32 = arith.minsi %31, %c6_i32 : i32
    pipeline.yield %32 : i32
  } sized(%27, %25) : tensor<?x?xi32>
  %fraction7 = pipeline.stage "fraction7" (%y, %x) {
    %28 = pipeline.load %gray_down7[%y, %x] : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_24 : f32
    %30 = pipeline.load %index7[%y, %x] : tensor<?x?xi32>
    %31 = arith.sitofp %30 : i32 to f32
    %32 = arith.subf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%27, %25) : tensor<?x?xf32>
  %out_laplace7 = pipeline.stage "out_laplace7" (%y, %x) {
    %28 = pipeline.load %index7[%y, %x] : tensor<?x?xi32>
    %29 = arith.index_cast %28 : i32 to index
    %30 = pipeline.gather %down7[%29, %y, %x] clamp : tensor<8x?x?xf32>
    %31 = pipeline.load %fraction7[%y, %x] : tensor<?x?xf32>
    %32 = arith.subf %cst_28, %31 : f32
    %33 = arith.mulf %30, %32 : f32
    %34 = arith.addi %28, %c1_i32 : i32
    %35 = arith.index_cast %34 : i32 to index
    %36 = pipeline.gather %down7[%35, %y, %x] clamp : tensor<8x?x?xf32>
    %37 = arith.mulf %36, %31 : f32
    %38 = arith.addf %33, %37 : f32
    pipeline.yield %38 : f32
  } sized(%27, %25) : tensor<?x?xf32>
  %out_upx6 = pipeline.stage "out_upx6" (%y, %x) {
    %28 = pipeline.load %out_laplace7[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %out_laplace7[%y, %x floordiv 2] clamp : tensor<?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%27, %21) : tensor<?x?xf32>
  %out_up6 = pipeline.stage "out_up6" (%y, %x) {
    %28 = pipeline.load %out_upx6[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %out_upx6[%y floordiv 2, %x] clamp : tensor<?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%23, %21) : tensor<?x?xf32>
  %out6 = pipeline.stage "out6" (%y, %x) {
    %28 = pipeline.load %out_up6[%y, %x] : tensor<?x?xf32>
    %29 = pipeline.load %out_laplace6[%y, %x] : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    pipeline.yield %30 : f32
  } sized(%23, %21) : tensor<?x?xf32>
  %out_upx5 = pipeline.stage "out_upx5" (%y, %x) {
    %28 = pipeline.load %out6[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %out6[%y, %x floordiv 2] clamp : tensor<?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%23, %17) : tensor<?x?xf32>
  %out_up5 = pipeline.stage "out_up5" (%y, %x) {
    %28 = pipeline.load %out_upx5[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %out_upx5[%y floordiv 2, %x] clamp : tensor<?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%19, %17) : tensor<?x?xf32>
  %out5 = pipeline.stage "out5" (%y, %x) {
    %28 = pipeline.load %out_up5[%y, %x] : tensor<?x?xf32>
    %29 = pipeline.load %out_laplace5[%y, %x] : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    pipeline.yield %30 : f32
  } sized(%19, %17) : tensor<?x?xf32>
  %out_upx4 = pipeline.stage "out_upx4" (%y, %x) {
    %28 = pipeline.load %out5[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %out5[%y, %x floordiv 2] clamp : tensor<?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%19, %13) : tensor<?x?xf32>
  %out_up4 = pipeline.stage "out_up4" (%y, %x) {
    %28 = pipeline.load %out_upx4[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %out_upx4[%y floordiv 2, %x] clamp : tensor<?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%15, %13) : tensor<?x?xf32>
  %out4 = pipeline.stage "out4" (%y, %x) {
    %28 = pipeline.load %out_up4[%y, %x] : tensor<?x?xf32>
    %29 = pipeline.load %out_laplace4[%y, %x] : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    pipeline.yield %30 : f32
  } sized(%15, %13) : tensor<?x?xf32>
  %out_upx3 = pipeline.stage "out_upx3" (%y, %x) {
    %28 = pipeline.load %out4[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %out4[%y, %x floordiv 2] clamp : tensor<?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%15, %9) : tensor<?x?xf32>
  %out_up3 = pipeline.stage "out_up3" (%y, %x) {
    %28 = pipeline.load %out_upx3[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %out_upx3[%y floordiv 2, %x] clamp : tensor<?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%11, %9) : tensor<?x?xf32>
  %out3 = pipeline.stage "out3" (%y, %x) {
    %28 = pipeline.load %out_up3[%y, %x] : tensor<?x?xf32>
    %29 = pipeline.load %out_laplace3[%y, %x] : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    pipeline.yield %30 : f32
  } sized(%11, %9) : tensor<?x?xf32>
  %out_upx2 = pipeline.stage "out_upx2" (%y, %x) {
    %28 = pipeline.load %out3[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %out3[%y, %x floordiv 2] clamp : tensor<?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%11, %5) : tensor<?x?xf32>
  %out_up2 = pipeline.stage "out_up2" (%y, %x) {
    %28 = pipeline.load %out_upx2[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %out_upx2[%y floordiv 2, %x] clamp : tensor<?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%7, %5) : tensor<?x?xf32>
  %out2 = pipeline.stage "out2" (%y, %x) {
    %28 = pipeline.load %out_up2[%y, %x] : tensor<?x?xf32>
    %29 = pipeline.load %out_laplace2[%y, %x] : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    pipeline.yield %30 : f32
  } sized(%7, %5) : tensor<?x?xf32>
  %out_upx1 = pipeline.stage "out_upx1" (%y, %x) {
    %28 = pipeline.load %out2[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %out2[%y, %x floordiv 2] clamp : tensor<?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%7, %1) : tensor<?x?xf32>
  %out_up1 = pipeline.stage "out_up1" (%y, %x) {
    %28 = pipeline.load %out_upx1[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %out_upx1[%y floordiv 2, %x] clamp : tensor<?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%3, %1) : tensor<?x?xf32>
  %out1 = pipeline.stage "out1" (%y, %x) {
    %28 = pipeline.load %out_up1[%y, %x] : tensor<?x?xf32>
    %29 = pipeline.load %out_laplace1[%y, %x] : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    pipeline.yield %30 : f32
  } sized(%3, %1) : tensor<?x?xf32>
  %out_upx0 = pipeline.stage "out_upx0" (%y, %x) {
    %28 = pipeline.load %out1[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %out1[%y, %x floordiv 2] clamp : tensor<?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%3, %dim_0) : tensor<?x?xf32>
  %out_up0 = pipeline.stage "out_up0" (%y, %x) {
    %28 = pipeline.load %out_upx0[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = arith.mulf %cst_26, %28 : f32
    %30 = pipeline.load %out_upx0[%y floordiv 2, %x] clamp : tensor<?x?xf32>
    %31 = arith.mulf %cst_27, %30 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %out0 = pipeline.stage "out0" (%y, %x) {
    %28 = pipeline.load %out_up0[%y, %x] : tensor<?x?xf32>
    %29 = pipeline.load %out_laplace0[%y, %x] : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    pipeline.yield %30 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %cst_29 = arith.constant 0.00999999977 : f32
  %color = pipeline.stage "color" (%c, %y, %x) {
    %28 = pipeline.load %gray[%y, %x] : tensor<?x?xf32>
    %29 = pipeline.load %floating[%c, %y, %x] : tensor<3x?x?xf32>
    %30 = arith.addf %29, %cst_29 : f32
    %31 = arith.addf %28, %cst_29 : f32
    %32 = arith.divf %30, %31 : f32
    %33 = pipeline.load %out0[%y, %x] : tensor<?x?xf32>
    %34 = arith.mulf %33, %32 : f32
    pipeline.yield %34 : f32
  } sized(%dim, %dim_0) : tensor<3x?x?xf32>
  %cst_30 = arith.constant 0.000000e+00 : f32
  %output = pipeline.stage "output" (%c, %y, %x) {
    %28 = pipeline.load %color[%c, %y, %x] : tensor<3x?x?xf32>
    %29 = arith.maximumf %28, %cst_30 : f32
    %30 = arith.minimumf %29, %cst_28 : f32
    %31 = arith.mulf %30, %cst : f32
    %32 = arith.fptoui %31 : f32 to i16
    pipeline.yield %32 : i16
  } sized(%dim, %dim_0) : tensor<3x?x?xi16>
  return %output : tensor<3x?x?xi16>
}
