// Lens blur with 8 shifts instead of 32 and 4 pyramid levels instead of 8: examples/lens_blur.mlir otherwise.
//
//   pipeline-run examples/lens_blur.mlir --arg left=left.png --arg right=right.png --arg focus=2 --arg scale=0.5 --out blurred=blurred.png

func.func @lens_blur(%arg0: tensor<3x?x?xi8> {weft.estimate = array<i64: 3, 2560, 1536>, weft.name = "left", weft.unsigned}, %arg1: tensor<3x?x?xi8> {weft.estimate = array<i64: 3, 2560, 1536>, weft.name = "right", weft.unsigned}, %arg2: f32 {weft.name = "focus"}, %arg3: f32 {weft.name = "scale"}) -> (tensor<3x?x?xf32> {weft.name = "blurred"}) {
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %arg0, %c1 : tensor<3x?x?xi8>
  %c1_0 = arith.constant 1 : index
  %dim_1 = tensor.dim %arg1, %c1_0 : tensor<3x?x?xi8>
  %0 = arith.cmpi eq, %dim_1, %dim : index
  cf.assert %0, "\22right\22 is not as large as \22left\22 in dimension 1"
  %c2 = arith.constant 2 : index
  %dim_2 = tensor.dim %arg0, %c2 : tensor<3x?x?xi8>
  %c2_3 = arith.constant 2 : index
  %dim_4 = tensor.dim %arg1, %c2_3 : tensor<3x?x?xi8>
  %1 = arith.cmpi eq, %dim_4, %dim_2 : index
  cf.assert %1, "\22right\22 is not as large as \22left\22 in dimension 2"
  %cst = arith.constant 0.000000e+00 : f32
  %cost = pipeline.stage "cost" (%c, %y, %x) {
    %14 = pipeline.reduce (%rx) in [0, 3) (%acc = %cst : f32) {
      %15 = pipeline.load %arg0[%rx, %y, %x] : tensor<3x?x?xi8>
      %16 = arith.uitofp %15 : i8 to f32
      %17 = pipeline.load %arg1[%rx, %y, %x + %c * 2] clamp : tensor<3x?x?xi8>
      %18 = arith.uitofp %17 : i8 to f32
      %19 = arith.subf %16, %18 : f32
      %20 = math.absf %19 : f32
      %21 = pipeline.load %arg1[%rx, %y, %x + %c * 2 + 1] clamp : tensor<3x?x?xi8>
      %22 = arith.uitofp %21 : i8 to f32
      %23 = arith.subf %16, %22 : f32
      %24 = math.absf %23 : f32
      %25 = arith.minimumf %20, %24 : f32
      %26 = arith.mulf %25, %25 : f32
      %27 = arith.addf %acc, %26 : f32
      pipeline.yield %27 : f32
    } : f32
    pipeline.yield %14 : f32
  } sized(%dim, %dim_2) : tensor<8x?x?xf32>
  %cst_5 = arith.constant 8.000000e+00 : f32
  %confidence = pipeline.stage "confidence" (%y, %x) {
    %14:2 = pipeline.reduce (%rx) in [0, 8) (%acc = %cst : f32, %acc_23 = %cst : f32) {
      %19 = pipeline.load %cost[%rx, %y, %x] : tensor<8x?x?xf32>
      %20 = arith.mulf %19, %19 : f32
      %21 = arith.addf %acc, %20 : f32
      %22 = arith.addf %acc_23, %19 : f32
      pipeline.yield %21, %22 : f32, f32
    } : f32, f32
    %15 = arith.divf %14#0, %cst_5 : f32
    %16 = arith.divf %14#1, %cst_5 : f32
    %17 = arith.mulf %16, %16 : f32
    %18 = arith.subf %15, %17 : f32
    pipeline.yield %18 : f32
  } sized(%dim, %dim_2) : tensor<?x?xf32>
  %cost0 = pipeline.stage "cost0" (%c, %y, %x) {
    %14 = pipeline.load %cost[%c, %y, %x] : tensor<8x?x?xf32>
    %15 = pipeline.load %confidence[%y, %x] : tensor<?x?xf32>
    %16 = arith.mulf %14, %15 : f32
    pipeline.yield %16 : f32
  } sized(%dim, %dim_2) : tensor<8x?x?xf32>
  %c2_6 = arith.constant 2 : index
  %c1_7 = arith.constant 1 : index
  %2 = arith.addi %dim_2, %c1_7 : index
  %c1_8 = arith.constant 1 : index
  %3 = arith.shrsi %2, %c1_8 : index
  %cst_9 = arith.constant 3.000000e+00 : f32
  %cost_down1 = pipeline.stage "cost_down1" (%c, %y, %x) {
    %14 = pipeline.load %cost0[%c, %y, %x * 2 - 1] clamp : tensor<8x?x?xf32>
    %15 = pipeline.load %cost0[%c, %y, %x * 2 + 2] clamp : tensor<8x?x?xf32>
    %16 = arith.addf %14, %15 : f32
    %17 = pipeline.load %cost0[%c, %y, %x * 2] clamp : tensor<8x?x?xf32>
    %18 = pipeline.load %cost0[%c, %y, %x * 2 + 1] clamp : tensor<8x?x?xf32>
    %19 = arith.addf %17, %18 : f32
    %20 = arith.mulf %19, %cst_9 : f32
    %21 = arith.addf %16, %20 : f32
    %22 = arith.divf %21, %cst_5 : f32
    pipeline.yield %22 : f32
  } sized(%dim, %3) : tensor<8x?x?xf32>
  %4 = arith.addi %dim, %c1_7 : index
  %c1_10 = arith.constant 1 : index
  %5 = arith.shrsi %4, %c1_10 : index
  %cost1 = pipeline.stage "cost1" (%c, %y, %x) {
    %14 = pipeline.load %cost_down1[%c, %y * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %15 = pipeline.load %cost_down1[%c, %y * 2 + 2, %x] clamp : tensor<8x?x?xf32>
    %16 = arith.addf %14, %15 : f32
    %17 = pipeline.load %cost_down1[%c, %y * 2, %x] clamp : tensor<8x?x?xf32>
    %18 = pipeline.load %cost_down1[%c, %y * 2 + 1, %x] clamp : tensor<8x?x?xf32>
    %19 = arith.addf %17, %18 : f32
    %20 = arith.mulf %19, %cst_9 : f32
    %21 = arith.addf %16, %20 : f32
    %22 = arith.divf %21, %cst_5 : f32
    pipeline.yield %22 : f32
  } sized(%5, %3) : tensor<8x?x?xf32>
  %6 = arith.addi %3, %c1_7 : index
  %c1_11 = arith.constant 1 : index
  %7 = arith.shrsi %6, %c1_11 : index
  %cost_down2 = pipeline.stage "cost_down2" (%c, %y, %x) {
    %14 = pipeline.load %cost1[%c, %y, %x * 2 - 1] clamp : tensor<8x?x?xf32>
    %15 = pipeline.load %cost1[%c, %y, %x * 2 + 2] clamp : tensor<8x?x?xf32>
    %16 = arith.addf %14, %15 : f32
    %17 = pipeline.load %cost1[%c, %y, %x * 2] clamp : tensor<8x?x?xf32>
    %18 = pipeline.load %cost1[%c, %y, %x * 2 + 1] clamp : tensor<8x?x?xf32>
    %19 = arith.addf %17, %18 : f32
    %20 = arith.mulf %19, %cst_9 : f32
    %21 = arith.addf %16, %20 : f32
    %22 = arith.divf %21, %cst_5 : f32
    pipeline.yield %22 : f32
  } sized(%5, %7) : tensor<8x?x?xf32>
  %8 = arith.addi %5, %c1_7 : index
  %c1_12 = arith.constant 1 : index
  %9 = arith.shrsi %8, %c1_12 : index
  %cost2 = pipeline.stage "cost2" (%c, %y, %x) {
    %14 = pipeline.load %cost_down2[%c, %y * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %15 = pipeline.load %cost_down2[%c, %y * 2 + 2, %x] clamp : tensor<8x?x?xf32>
    %16 = arith.addf %14, %15 : f32
    %17 = pipeline.load %cost_down2[%c, %y * 2, %x] clamp : tensor<8x?x?xf32>
    %18 = pipeline.load %cost_down2[%c, %y * 2 + 1, %x] clamp : tensor<8x?x?xf32>
    %19 = arith.addf %17, %18 : f32
    %20 = arith.mulf %19, %cst_9 : f32
    %21 = arith.addf %16, %20 : f32
    %22 = arith.divf %21, %cst_5 : f32
    pipeline.yield %22 : f32
  } sized(%9, %7) : tensor<8x?x?xf32>
  %10 = arith.addi %7, %c1_7 : index
  %c1_13 = arith.constant 1 : index
  %11 = arith.shrsi %10, %c1_13 : index
  %cost_down3 = pipeline.stage "cost_down3" (%c, %y, %x) {
    %14 = pipeline.load %cost2[%c, %y, %x * 2 - 1] clamp : tensor<8x?x?xf32>
    %15 = pipeline.load %cost2[%c, %y, %x * 2 + 2] clamp : tensor<8x?x?xf32>
    %16 = arith.addf %14, %15 : f32
    %17 = pipeline.load %cost2[%c, %y, %x * 2] clamp : tensor<8x?x?xf32>
    %18 = pipeline.load %cost2[%c, %y, %x * 2 + 1] clamp : tensor<8x?x?xf32>
    %19 = arith.addf %17, %18 : f32
    %20 = arith.mulf %19, %cst_9 : f32
    %21 = arith.addf %16, %20 : f32
    %22 = arith.divf %21, %cst_5 : f32
    pipeline.yield %22 : f32
  } sized(%9, %11) : tensor<8x?x?xf32>
  %12 = arith.addi %9, %c1_7 : index
  %c1_14 = arith.constant 1 : index
  %13 = arith.shrsi %12, %c1_14 : index
  %cost3 = pipeline.stage "cost3" (%c, %y, %x) {
    %14 = pipeline.load %cost_down3[%c, %y * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %15 = pipeline.load %cost_down3[%c, %y * 2 + 2, %x] clamp : tensor<8x?x?xf32>
    %16 = arith.addf %14, %15 : f32
    %17 = pipeline.load %cost_down3[%c, %y * 2, %x] clamp : tensor<8x?x?xf32>
    %18 = pipeline.load %cost_down3[%c, %y * 2 + 1, %x] clamp : tensor<8x?x?xf32>
    %19 = arith.addf %17, %18 : f32
    %20 = arith.mulf %19, %cst_9 : f32
    %21 = arith.addf %16, %20 : f32
    %22 = arith.divf %21, %cst_5 : f32
    pipeline.yield %22 : f32
  } sized(%13, %11) : tensor<8x?x?xf32>
  %cst_15 = arith.constant 2.500000e-01 : f32
  %cst_16 = arith.constant 7.500000e-01 : f32
  %cost_up2 = pipeline.stage "cost_up2" (%c, %y, %x) {
    %14 = pipeline.load %cost3[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<8x?x?xf32>
    %15 = arith.mulf %14, %cst_15 : f32
    %16 = pipeline.load %cost3[%c, %y, %x floordiv 2] : tensor<8x?x?xf32>
    %17 = arith.mulf %16, %cst_16 : f32
    %18 = arith.addf %15, %17 : f32
    pipeline.yield %18 : f32
  } sized(%13, %7) : tensor<8x?x?xf32>
  %cst_17 = arith.constant 5.000000e-01 : f32
  %cost_pull2 = pipeline.stage "cost_pull2" (%c, %y, %x) {
    %14 = pipeline.load %cost2[%c, %y, %x] : tensor<8x?x?xf32>
    %15 = pipeline.load %cost_up2[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %16 = arith.mulf %15, %cst_15 : f32
    %17 = pipeline.load %cost_up2[%c, %y floordiv 2, %x] : tensor<8x?x?xf32>
    %18 = arith.mulf %17, %cst_16 : f32
    %19 = arith.addf %16, %18 : f32
    %20 = arith.addf %19, %14 : f32
    %21 = arith.mulf %20, %cst_17 : f32
    pipeline.yield %21 : f32
  } sized(%9, %7) : tensor<8x?x?xf32>
  %cost_up1 = pipeline.stage "cost_up1" (%c, %y, %x) {
    %14 = pipeline.load %cost_pull2[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<8x?x?xf32>
    %15 = arith.mulf %14, %cst_15 : f32
    %16 = pipeline.load %cost_pull2[%c, %y, %x floordiv 2] : tensor<8x?x?xf32>
    %17 = arith.mulf %16, %cst_16 : f32
    %18 = arith.addf %15, %17 : f32
    pipeline.yield %18 : f32
  } sized(%9, %3) : tensor<8x?x?xf32>
  %cost_pull1 = pipeline.stage "cost_pull1" (%c, %y, %x) {
    %14 = pipeline.load %cost1[%c, %y, %x] : tensor<8x?x?xf32>
    %15 = pipeline.load %cost_up1[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %16 = arith.mulf %15, %cst_15 : f32
    %17 = pipeline.load %cost_up1[%c, %y floordiv 2, %x] : tensor<8x?x?xf32>
    %18 = arith.mulf %17, %cst_16 : f32
    %19 = arith.addf %16, %18 : f32
    %20 = arith.addf %19, %14 : f32
    %21 = arith.mulf %20, %cst_17 : f32
    pipeline.yield %21 : f32
  } sized(%5, %3) : tensor<8x?x?xf32>
  %cost_up0 = pipeline.stage "cost_up0" (%c, %y, %x) {
    %14 = pipeline.load %cost_pull1[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<8x?x?xf32>
    %15 = arith.mulf %14, %cst_15 : f32
    %16 = pipeline.load %cost_pull1[%c, %y, %x floordiv 2] : tensor<8x?x?xf32>
    %17 = arith.mulf %16, %cst_16 : f32
    %18 = arith.addf %15, %17 : f32
    pipeline.yield %18 : f32
  } sized(%5, %dim_2) : tensor<8x?x?xf32>
  %cost_pull0 = pipeline.stage "cost_pull0" (%c, %y, %x) {
    %14 = pipeline.load %cost0[%c, %y, %x] : tensor<8x?x?xf32>
    %15 = pipeline.load %cost_up0[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %16 = arith.mulf %15, %cst_15 : f32
    %17 = pipeline.load %cost_up0[%c, %y floordiv 2, %x] : tensor<8x?x?xf32>
    %18 = arith.mulf %17, %cst_16 : f32
    %19 = arith.addf %16, %18 : f32
    %20 = arith.addf %19, %14 : f32
    %21 = arith.mulf %20, %cst_17 : f32
    pipeline.yield %21 : f32
  } sized(%dim, %dim_2) : tensor<8x?x?xf32>
  %conf_down1 = pipeline.stage "conf_down1" (%y, %x) {
    %14 = pipeline.load %confidence[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %15 = pipeline.load %confidence[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %16 = arith.addf %14, %15 : f32
    %17 = pipeline.load %confidence[%y, %x * 2] clamp : tensor<?x?xf32>
    %18 = pipeline.load %confidence[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %19 = arith.addf %17, %18 : f32
    %20 = arith.mulf %19, %cst_9 : f32
    %21 = arith.addf %16, %20 : f32
    %22 = arith.divf %21, %cst_5 : f32
    pipeline.yield %22 : f32
  } sized(%dim, %3) : tensor<?x?xf32>
  %conf1 = pipeline.stage "conf1" (%y, %x) {
    %14 = pipeline.load %conf_down1[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %15 = pipeline.load %conf_down1[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %16 = arith.addf %14, %15 : f32
    %17 = pipeline.load %conf_down1[%y * 2, %x] clamp : tensor<?x?xf32>
    %18 = pipeline.load %conf_down1[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %19 = arith.addf %17, %18 : f32
    %20 = arith.mulf %19, %cst_9 : f32
    %21 = arith.addf %16, %20 : f32
    %22 = arith.divf %21, %cst_5 : f32
    pipeline.yield %22 : f32
  } sized(%5, %3) : tensor<?x?xf32>
  %conf_down2 = pipeline.stage "conf_down2" (%y, %x) {
    %14 = pipeline.load %conf1[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %15 = pipeline.load %conf1[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %16 = arith.addf %14, %15 : f32
    %17 = pipeline.load %conf1[%y, %x * 2] clamp : tensor<?x?xf32>
    %18 = pipeline.load %conf1[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %19 = arith.addf %17, %18 : f32
    %20 = arith.mulf %19, %cst_9 : f32
    %21 = arith.addf %16, %20 : f32
    %22 = arith.divf %21, %cst_5 : f32
    pipeline.yield %22 : f32
  } sized(%5, %7) : tensor<?x?xf32>
  %conf2 = pipeline.stage "conf2" (%y, %x) {
    %14 = pipeline.load %conf_down2[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %15 = pipeline.load %conf_down2[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %16 = arith.addf %14, %15 : f32
    %17 = pipeline.load %conf_down2[%y * 2, %x] clamp : tensor<?x?xf32>
    %18 = pipeline.load %conf_down2[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %19 = arith.addf %17, %18 : f32
    %20 = arith.mulf %19, %cst_9 : f32
    %21 = arith.addf %16, %20 : f32
    %22 = arith.divf %21, %cst_5 : f32
    pipeline.yield %22 : f32
  } sized(%9, %7) : tensor<?x?xf32>
  %conf_down3 = pipeline.stage "conf_down3" (%y, %x) {
    %14 = pipeline.load %conf2[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %15 = pipeline.load %conf2[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %16 = arith.addf %14, %15 : f32
    %17 = pipeline.load %conf2[%y, %x * 2] clamp : tensor<?x?xf32>
    %18 = pipeline.load %conf2[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %19 = arith.addf %17, %18 : f32
    %20 = arith.mulf %19, %cst_9 : f32
    %21 = arith.addf %16, %20 : f32
    %22 = arith.divf %21, %cst_5 : f32
    pipeline.yield %22 : f32
  } sized(%9, %11) : tensor<?x?xf32>
  %conf3 = pipeline.stage "conf3" (%y, %x) {
    %14 = pipeline.load %conf_down3[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %15 = pipeline.load %conf_down3[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %16 = arith.addf %14, %15 : f32
    %17 = pipeline.load %conf_down3[%y * 2, %x] clamp : tensor<?x?xf32>
    %18 = pipeline.load %conf_down3[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %19 = arith.addf %17, %18 : f32
    %20 = arith.mulf %19, %cst_9 : f32
    %21 = arith.addf %16, %20 : f32
    %22 = arith.divf %21, %cst_5 : f32
    pipeline.yield %22 : f32
  } sized(%13, %11) : tensor<?x?xf32>
  %conf_up2 = pipeline.stage "conf_up2" (%y, %x) {
    %14 = pipeline.load %conf3[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %15 = arith.mulf %14, %cst_15 : f32
    %16 = pipeline.load %conf3[%y, %x floordiv 2] : tensor<?x?xf32>
    %17 = arith.mulf %16, %cst_16 : f32
    %18 = arith.addf %15, %17 : f32
    pipeline.yield %18 : f32
  } sized(%13, %7) : tensor<?x?xf32>
  %conf_pull2 = pipeline.stage "conf_pull2" (%y, %x) {
    %14 = pipeline.load %conf2[%y, %x] : tensor<?x?xf32>
    %15 = pipeline.load %conf_up2[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %16 = arith.mulf %15, %cst_15 : f32
    %17 = pipeline.load %conf_up2[%y floordiv 2, %x] : tensor<?x?xf32>
    %18 = arith.mulf %17, %cst_16 : f32
    %19 = arith.addf %16, %18 : f32
    %20 = arith.addf %19, %14 : f32
    %21 = arith.mulf %20, %cst_17 : f32
    pipeline.yield %21 : f32
  } sized(%9, %7) : tensor<?x?xf32>
  %conf_up1 = pipeline.stage "conf_up1" (%y, %x) {
    %14 = pipeline.load %conf_pull2[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %15 = arith.mulf %14, %cst_15 : f32
    %16 = pipeline.load %conf_pull2[%y, %x floordiv 2] : tensor<?x?xf32>
    %17 = arith.mulf %16, %cst_16 : f32
    %18 = arith.addf %15, %17 : f32
    pipeline.yield %18 : f32
  } sized(%9, %3) : tensor<?x?xf32>
  %conf_pull1 = pipeline.stage "conf_pull1" (%y, %x) {
    %14 = pipeline.load %conf1[%y, %x] : tensor<?x?xf32>
    %15 = pipeline.load %conf_up1[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %16 = arith.mulf %15, %cst_15 : f32
    %17 = pipeline.load %conf_up1[%y floordiv 2, %x] : tensor<?x?xf32>
    %18 = arith.mulf %17, %cst_16 : f32
    %19 = arith.addf %16, %18 : f32
    %20 = arith.addf %19, %14 : f32
    %21 = arith.mulf %20, %cst_17 : f32
    pipeline.yield %21 : f32
  } sized(%5, %3) : tensor<?x?xf32>
  %conf_up0 = pipeline.stage "conf_up0" (%y, %x) {
    %14 = pipeline.load %conf_pull1[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %15 = arith.mulf %14, %cst_15 : f32
    %16 = pipeline.load %conf_pull1[%y, %x floordiv 2] : tensor<?x?xf32>
    %17 = arith.mulf %16, %cst_16 : f32
    %18 = arith.addf %15, %17 : f32
    pipeline.yield %18 : f32
  } sized(%5, %dim_2) : tensor<?x?xf32>
  %conf_pull0 = pipeline.stage "conf_pull0" (%y, %x) {
    %14 = pipeline.load %confidence[%y, %x] : tensor<?x?xf32>
    %15 = pipeline.load %conf_up0[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %16 = arith.mulf %15, %cst_15 : f32
    %17 = pipeline.load %conf_up0[%y floordiv 2, %x] : tensor<?x?xf32>
    %18 = arith.mulf %17, %cst_16 : f32
    %19 = arith.addf %16, %18 : f32
    %20 = arith.addf %19, %14 : f32
    %21 = arith.mulf %20, %cst_17 : f32
    pipeline.yield %21 : f32
  } sized(%dim, %dim_2) : tensor<?x?xf32>
  %cst_18 = arith.constant 0x7F800000 : f32
  %depth = pipeline.stage "depth" (%y, %x) {
    %14 = pipeline.load %conf_pull0[%y, %x] : tensor<?x?xf32>
    %15:2 = pipeline.reduce (%rx) in [0, 8) (%acc = %cst_18 : f32, %acc_23 = %cst : f32) {
      %16 = pipeline.load %cost_pull0[%rx, %y, %x] : tensor<8x?x?xf32>
      %17 = arith.divf %16, %14 : f32
      %18 = arith.cmpf olt, %17, %acc : f32
      %19 = arith.select %18, %17, %acc : f32
      %20 = arith.index_cast %rx : index to i32
      %21 = arith.sitofp %20 : i32 to f32
      %22 = arith.select %18, %21, %acc_23 : f32
      pipeline.yield %19, %22 : f32, f32
    } : f32, f32
    pipeline.yield %15#1 : f32
  } sized(%dim, %dim_2) : tensor<?x?xf32>
  %radius = pipeline.stage "radius" (%y, %x) {
    %14 = pipeline.load %depth[%y, %x] : tensor<?x?xf32>
    %15 = arith.subf %14, %arg2 : f32
    %16 = math.absf %15 : f32
    %17 = arith.mulf %16, %arg3 : f32
    pipeline.yield %17 : f32
  } sized(%dim, %dim_2) : tensor<?x?xf32>
  %worst_y = pipeline.stage "worst_y" (%y, %x) {
    %14 = pipeline.reduce (%rx) in [-7, 8) (%acc = %cst : f32) {
      %15 = pipeline.load %radius[%y + %rx, %x] clamp : tensor<?x?xf32>
      %16 = arith.maximumf %acc, %15 : f32
      pipeline.yield %16 : f32
    } : f32
    pipeline.yield %14 : f32
  } sized(%dim, %dim_2) : tensor<?x?xf32>
  %worst = pipeline.stage "worst" (%y, %x) {
    %14 = pipeline.reduce (%rx) in [-7, 8) (%acc = %cst : f32) {
      %15 = pipeline.load %worst_y[%y, %x + %rx] clamp : tensor<?x?xf32>
      %16 = arith.maximumf %acc, %15 : f32
      pipeline.yield %16 : f32
    } : f32
    pipeline.yield %14 : f32
  } sized(%dim, %dim_2) : tensor<?x?xf32>
  %c1973_i32 = arith.constant 1973 : i32
  %c9277_i32 = arith.constant 9277 : i32
  %c26699_i32 = arith.constant 26699 : i32
  %c15_i32 = arith.constant 15 : i32
  %c739982445_i32 = arith.constant 739982445 : i32
  %c65535_i32 = arith.constant 65535 : i32
  %cst_19 = arith.constant 6.553600e+04 : f32
  %cst_20 = arith.constant 2.000000e+00 : f32
  %c16_i32 = arith.constant 16 : i32
  %cst_21 = arith.constant 1.000000e+00 : f32
  %cst_22 = arith.constant 0.00392156886 : f32
  %blurred = pipeline.stage "blurred" (%c, %y, %x) {
    %14 = pipeline.load %arg0[%c, %y, %x] : tensor<3x?x?xi8>
    %15 = arith.uitofp %14 : i8 to f32
    %16 = pipeline.load %depth[%y, %x] : tensor<?x?xf32>
    %17 = arith.index_castui %y : index to i32
    %18 = arith.muli %17, %c1973_i32 : i32
    %19 = arith.index_castui %x : index to i32
    %20 = arith.muli %19, %c9277_i32 : i32
    %21 = arith.addi %18, %20 : i32
    %22 = pipeline.load %worst[%y, %x] : tensor<?x?xf32>
    %23 = arith.mulf %22, %cst_20 : f32
    %24 = pipeline.load %radius[%y, %x] : tensor<?x?xf32>
    %25 = arith.mulf %24, %24 : f32
    %26:2 = pipeline.reduce (%rx) in [0, 32) (%acc = %15 : f32, %acc_23 = %cst_21 : f32) {
      %29 = arith.addf %acc_23, %cst_21 : f32
      %30 = arith.index_castui %rx : index to i32
      %31 = arith.muli %30, %c26699_i32 : i32
      %32 = arith.addi %21, %31 : i32
      %33 = arith.shrui %32, %c15_i32 : i32
      %34 = arith.xori %32, %33 : i32
      %35 = arith.muli %34, %c739982445_i32 : i32
      %36 = arith.shrui %35, %c15_i32 : i32
      %37 = arith.xori %35, %36 : i32
      %38 = arith.andi %37, %c65535_i32 : i32
      %39 = arith.uitofp %38 : i32 to f32
      %40 = arith.divf %39, %cst_19 : f32
      %41 = arith.subf %40, %cst_17 : f32
      %42 = arith.mulf %41, %23 : f32
      %43 = arith.fptosi %42 : f32 to i32
      %44 = arith.muli %43, %43 : i32
      %45 = arith.shrui %37, %c16_i32 : i32
      %46 = arith.uitofp %45 : i32 to f32
      %47 = arith.divf %46, %cst_19 : f32
      %48 = arith.subf %47, %cst_17 : f32
      %49 = arith.mulf %48, %23 : f32
      %50 = arith.fptosi %49 : f32 to i32
      %51 = arith.muli %50, %50 : i32
      %52 = arith.addi %44, %51 : i32
      %53 = arith.sitofp %52 : i32 to f32
      %54 = arith.cmpf olt, %53, %25 : f32
      %55 = arith.index_cast %50 : i32 to index
      %56 = arith.addi %y, %55 : index
      %57 = arith.index_cast %43 : i32 to index
      %58 = arith.addi %x, %57 : index
      %59 = pipeline.gather %depth[%56, %58] clamp : tensor<?x?xf32>
      %60 = arith.cmpf olt, %59, %16 : f32
      %61 = arith.ori %54, %60 : i1
      %62 = pipeline.gather %radius[%56, %58] clamp : tensor<?x?xf32>
      %63 = arith.mulf %62, %62 : f32
      %64 = arith.cmpf olt, %53, %63 : f32
      %65 = arith.andi %61, %64 : i1
      %66 = pipeline.gather %arg0[%c, %56, %58] clamp : tensor<3x?x?xi8>
      %67 = arith.uitofp %66 : i8 to f32
      %68 = arith.addf %acc, %67 : f32
      %69 = arith.select %65, %68, %acc : f32
      %70 = arith.select %65, %29, %acc_23 : f32
      pipeline.yield %69, %70 : f32, f32
    } : f32, f32
    %27 = arith.divf %26#0, %26#1 : f32
    %28 = arith.mulf %27, %cst_22 : f32
    pipeline.yield %28 : f32
  } sized(%dim, %dim_2) : tensor<3x?x?xf32>
  return %blurred : tensor<3x?x?xf32>
}
