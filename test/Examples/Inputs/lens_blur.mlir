// Lens blur with 8 shifts instead of 32 and 4 pyramid levels instead of 8: examples/lens_blur.mlir otherwise.
//
//   pipeline-run examples/lens_blur.mlir --arg left=left.png --arg right=right.png --arg focus=2 --arg scale=0.5 --out blurred=blurred.png

func.func @lens_blur(%arg0: tensor<3x?x?xi8> {weft.estimate = array<i64: 3, 2560, 1536>, weft.name = "left", weft.unsigned}, %arg1: tensor<3x?x?xi8> {weft.estimate = array<i64: 3, 2560, 1536>, weft.name = "right", weft.unsigned}, %arg2: f32 {weft.name = "focus"}, %arg3: f32 {weft.name = "scale"}) -> (tensor<3x?x?xf32> {weft.name = "blurred"}) {
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %arg0, %c1 : tensor<3x?x?xi8>
  %c2 = arith.constant 2 : index
  %dim_0 = tensor.dim %arg0, %c2 : tensor<3x?x?xi8>
  %cst = arith.constant 0.000000e+00 : f32
  %cost = pipeline.stage "cost" (%c, %y, %x) {
    %12 = pipeline.reduce (%rx) in [0, 3) (%acc = %cst : f32) {
      %13 = pipeline.load %arg0[%rx, %y, %x] : tensor<3x?x?xi8>
      %14 = arith.uitofp %13 : i8 to f32
      %15 = pipeline.load %arg1[%rx, %y, %x + %c * 2] clamp : tensor<3x?x?xi8>
      %16 = arith.uitofp %15 : i8 to f32
      %17 = arith.subf %14, %16 : f32
      %18 = math.absf %17 : f32
      %19 = pipeline.load %arg1[%rx, %y, %x + %c * 2 + 1] clamp : tensor<3x?x?xi8>
      %20 = arith.uitofp %19 : i8 to f32
      %21 = arith.subf %14, %20 : f32
      %22 = math.absf %21 : f32
      %23 = arith.minimumf %18, %22 : f32
      %24 = arith.mulf %23, %23 : f32
      %25 = arith.addf %acc, %24 : f32
      pipeline.yield %25 : f32
    } : f32
    pipeline.yield %12 : f32
  } sized(%dim, %dim_0) : tensor<8x?x?xf32>
  %cst_1 = arith.constant 8.000000e+00 : f32
  %confidence = pipeline.stage "confidence" (%y, %x) {
    %12:2 = pipeline.reduce (%rx) in [0, 8) (%acc = %cst : f32, %acc_19 = %cst : f32) {
      %17 = pipeline.load %cost[%rx, %y, %x] : tensor<8x?x?xf32>
      %18 = arith.mulf %17, %17 : f32
      %19 = arith.addf %acc, %18 : f32
      %20 = arith.addf %acc_19, %17 : f32
      pipeline.yield %19, %20 : f32, f32
    } : f32, f32
    %13 = arith.divf %12#0, %cst_1 : f32
    %14 = arith.divf %12#1, %cst_1 : f32
    %15 = arith.mulf %14, %14 : f32
    %16 = arith.subf %13, %15 : f32
    pipeline.yield %16 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %cost0 = pipeline.stage "cost0" (%c, %y, %x) {
    %12 = pipeline.load %cost[%c, %y, %x] : tensor<8x?x?xf32>
    %13 = pipeline.load %confidence[%y, %x] : tensor<?x?xf32>
    %14 = arith.mulf %12, %13 : f32
    pipeline.yield %14 : f32
  } sized(%dim, %dim_0) : tensor<8x?x?xf32>
  %c2_2 = arith.constant 2 : index
  %c1_3 = arith.constant 1 : index
  %0 = arith.addi %dim_0, %c1_3 : index
  %c1_4 = arith.constant 1 : index
  %1 = arith.shrsi %0, %c1_4 : index
  %cst_5 = arith.constant 3.000000e+00 : f32
  %cost_down1 = pipeline.stage "cost_down1" (%c, %y, %x) {
    %12 = pipeline.load %cost0[%c, %y, %x * 2 - 1] clamp : tensor<8x?x?xf32>
    %13 = pipeline.load %cost0[%c, %y, %x * 2 + 2] clamp : tensor<8x?x?xf32>
    %14 = arith.addf %12, %13 : f32
    %15 = pipeline.load %cost0[%c, %y, %x * 2] clamp : tensor<8x?x?xf32>
    %16 = pipeline.load %cost0[%c, %y, %x * 2 + 1] clamp : tensor<8x?x?xf32>
    %17 = arith.addf %15, %16 : f32
    %18 = arith.mulf %17, %cst_5 : f32
    %19 = arith.addf %14, %18 : f32
    %20 = arith.divf %19, %cst_1 : f32
    pipeline.yield %20 : f32
  } sized(%dim, %1) : tensor<8x?x?xf32>
  %2 = arith.addi %dim, %c1_3 : index
  %c1_6 = arith.constant 1 : index
  %3 = arith.shrsi %2, %c1_6 : index
  %cost1 = pipeline.stage "cost1" (%c, %y, %x) {
    %12 = pipeline.load %cost_down1[%c, %y * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %13 = pipeline.load %cost_down1[%c, %y * 2 + 2, %x] clamp : tensor<8x?x?xf32>
    %14 = arith.addf %12, %13 : f32
    %15 = pipeline.load %cost_down1[%c, %y * 2, %x] clamp : tensor<8x?x?xf32>
    %16 = pipeline.load %cost_down1[%c, %y * 2 + 1, %x] clamp : tensor<8x?x?xf32>
    %17 = arith.addf %15, %16 : f32
    %18 = arith.mulf %17, %cst_5 : f32
    %19 = arith.addf %14, %18 : f32
    %20 = arith.divf %19, %cst_1 : f32
    pipeline.yield %20 : f32
  } sized(%3, %1) : tensor<8x?x?xf32>
  %4 = arith.addi %1, %c1_3 : index
  %c1_7 = arith.constant 1 : index
  %5 = arith.shrsi %4, %c1_7 : index
  %cost_down2 = pipeline.stage "cost_down2" (%c, %y, %x) {
    %12 = pipeline.load %cost1[%c, %y, %x * 2 - 1] clamp : tensor<8x?x?xf32>
    %13 = pipeline.load %cost1[%c, %y, %x * 2 + 2] clamp : tensor<8x?x?xf32>
    %14 = arith.addf %12, %13 : f32
    %15 = pipeline.load %cost1[%c, %y, %x * 2] clamp : tensor<8x?x?xf32>
    %16 = pipeline.load %cost1[%c, %y, %x * 2 + 1] clamp : tensor<8x?x?xf32>
    %17 = arith.addf %15, %16 : f32
    %18 = arith.mulf %17, %cst_5 : f32
    %19 = arith.addf %14, %18 : f32
    %20 = arith.divf %19, %cst_1 : f32
    pipeline.yield %20 : f32
  } sized(%3, %5) : tensor<8x?x?xf32>
  %6 = arith.addi %3, %c1_3 : index
  %c1_8 = arith.constant 1 : index
  %7 = arith.shrsi %6, %c1_8 : index
  %cost2 = pipeline.stage "cost2" (%c, %y, %x) {
    %12 = pipeline.load %cost_down2[%c, %y * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %13 = pipeline.load %cost_down2[%c, %y * 2 + 2, %x] clamp : tensor<8x?x?xf32>
    %14 = arith.addf %12, %13 : f32
    %15 = pipeline.load %cost_down2[%c, %y * 2, %x] clamp : tensor<8x?x?xf32>
    %16 = pipeline.load %cost_down2[%c, %y * 2 + 1, %x] clamp : tensor<8x?x?xf32>
    %17 = arith.addf %15, %16 : f32
    %18 = arith.mulf %17, %cst_5 : f32
    %19 = arith.addf %14, %18 : f32
    %20 = arith.divf %19, %cst_1 : f32
    pipeline.yield %20 : f32
  } sized(%7, %5) : tensor<8x?x?xf32>
  %8 = arith.addi %5, %c1_3 : index
  %c1_9 = arith.constant 1 : index
  %9 = arith.shrsi %8, %c1_9 : index
  %cost_down3 = pipeline.stage "cost_down3" (%c, %y, %x) {
    %12 = pipeline.load %cost2[%c, %y, %x * 2 - 1] clamp : tensor<8x?x?xf32>
    %13 = pipeline.load %cost2[%c, %y, %x * 2 + 2] clamp : tensor<8x?x?xf32>
    %14 = arith.addf %12, %13 : f32
    %15 = pipeline.load %cost2[%c, %y, %x * 2] clamp : tensor<8x?x?xf32>
    %16 = pipeline.load %cost2[%c, %y, %x * 2 + 1] clamp : tensor<8x?x?xf32>
    %17 = arith.addf %15, %16 : f32
    %18 = arith.mulf %17, %cst_5 : f32
    %19 = arith.addf %14, %18 : f32
    %20 = arith.divf %19, %cst_1 : f32
    pipeline.yield %20 : f32
  } sized(%7, %9) : tensor<8x?x?xf32>
  %10 = arith.addi %7, %c1_3 : index
  %c1_10 = arith.constant 1 : index
  %11 = arith.shrsi %10, %c1_10 : index
  %cost3 = pipeline.stage "cost3" (%c, %y, %x) {
    %12 = pipeline.load %cost_down3[%c, %y * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %13 = pipeline.load %cost_down3[%c, %y * 2 + 2, %x] clamp : tensor<8x?x?xf32>
    %14 = arith.addf %12, %13 : f32
    %15 = pipeline.load %cost_down3[%c, %y * 2, %x] clamp : tensor<8x?x?xf32>
    %16 = pipeline.load %cost_down3[%c, %y * 2 + 1, %x] clamp : tensor<8x?x?xf32>
    %17 = arith.addf %15, %16 : f32
    %18 = arith.mulf %17, %cst_5 : f32
    %19 = arith.addf %14, %18 : f32
    %20 = arith.divf %19, %cst_1 : f32
    pipeline.yield %20 : f32
  } sized(%11, %9) : tensor<8x?x?xf32>
  %cst_11 = arith.constant 2.500000e-01 : f32
  %cst_12 = arith.constant 7.500000e-01 : f32
  %cost_up2 = pipeline.stage "cost_up2" (%c, %y, %x) {
    %12 = pipeline.load %cost3[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<8x?x?xf32>
    %13 = arith.mulf %12, %cst_11 : f32
    %14 = pipeline.load %cost3[%c, %y, %x floordiv 2] : tensor<8x?x?xf32>
    %15 = arith.mulf %14, %cst_12 : f32
    %16 = arith.addf %13, %15 : f32
    pipeline.yield %16 : f32
  } sized(%11, %5) : tensor<8x?x?xf32>
  %cst_13 = arith.constant 5.000000e-01 : f32
  %cost_pull2 = pipeline.stage "cost_pull2" (%c, %y, %x) {
    %12 = pipeline.load %cost2[%c, %y, %x] : tensor<8x?x?xf32>
    %13 = pipeline.load %cost_up2[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %14 = arith.mulf %13, %cst_11 : f32
    %15 = pipeline.load %cost_up2[%c, %y floordiv 2, %x] : tensor<8x?x?xf32>
    %16 = arith.mulf %15, %cst_12 : f32
    %17 = arith.addf %14, %16 : f32
    %18 = arith.addf %17, %12 : f32
    %19 = arith.mulf %18, %cst_13 : f32
    pipeline.yield %19 : f32
  } sized(%7, %5) : tensor<8x?x?xf32>
  %cost_up1 = pipeline.stage "cost_up1" (%c, %y, %x) {
    %12 = pipeline.load %cost_pull2[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<8x?x?xf32>
    %13 = arith.mulf %12, %cst_11 : f32
    %14 = pipeline.load %cost_pull2[%c, %y, %x floordiv 2] : tensor<8x?x?xf32>
    %15 = arith.mulf %14, %cst_12 : f32
    %16 = arith.addf %13, %15 : f32
    pipeline.yield %16 : f32
  } sized(%7, %1) : tensor<8x?x?xf32>
  %cost_pull1 = pipeline.stage "cost_pull1" (%c, %y, %x) {
    %12 = pipeline.load %cost1[%c, %y, %x] : tensor<8x?x?xf32>
    %13 = pipeline.load %cost_up1[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %14 = arith.mulf %13, %cst_11 : f32
    %15 = pipeline.load %cost_up1[%c, %y floordiv 2, %x] : tensor<8x?x?xf32>
    %16 = arith.mulf %15, %cst_12 : f32
    %17 = arith.addf %14, %16 : f32
    %18 = arith.addf %17, %12 : f32
    %19 = arith.mulf %18, %cst_13 : f32
    pipeline.yield %19 : f32
  } sized(%3, %1) : tensor<8x?x?xf32>
  %cost_up0 = pipeline.stage "cost_up0" (%c, %y, %x) {
    %12 = pipeline.load %cost_pull1[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<8x?x?xf32>
    %13 = arith.mulf %12, %cst_11 : f32
    %14 = pipeline.load %cost_pull1[%c, %y, %x floordiv 2] : tensor<8x?x?xf32>
    %15 = arith.mulf %14, %cst_12 : f32
    %16 = arith.addf %13, %15 : f32
    pipeline.yield %16 : f32
  } sized(%3, %dim_0) : tensor<8x?x?xf32>
  %cost_pull0 = pipeline.stage "cost_pull0" (%c, %y, %x) {
    %12 = pipeline.load %cost0[%c, %y, %x] : tensor<8x?x?xf32>
    %13 = pipeline.load %cost_up0[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<8x?x?xf32>
    %14 = arith.mulf %13, %cst_11 : f32
    %15 = pipeline.load %cost_up0[%c, %y floordiv 2, %x] : tensor<8x?x?xf32>
    %16 = arith.mulf %15, %cst_12 : f32
    %17 = arith.addf %14, %16 : f32
    %18 = arith.addf %17, %12 : f32
    %19 = arith.mulf %18, %cst_13 : f32
    pipeline.yield %19 : f32
  } sized(%dim, %dim_0) : tensor<8x?x?xf32>
  %conf_down1 = pipeline.stage "conf_down1" (%y, %x) {
    %12 = pipeline.load %confidence[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %13 = pipeline.load %confidence[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %14 = arith.addf %12, %13 : f32
    %15 = pipeline.load %confidence[%y, %x * 2] clamp : tensor<?x?xf32>
    %16 = pipeline.load %confidence[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %17 = arith.addf %15, %16 : f32
    %18 = arith.mulf %17, %cst_5 : f32
    %19 = arith.addf %14, %18 : f32
    %20 = arith.divf %19, %cst_1 : f32
    pipeline.yield %20 : f32
  } sized(%dim, %1) : tensor<?x?xf32>
  %conf1 = pipeline.stage "conf1" (%y, %x) {
    %12 = pipeline.load %conf_down1[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %13 = pipeline.load %conf_down1[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %14 = arith.addf %12, %13 : f32
    %15 = pipeline.load %conf_down1[%y * 2, %x] clamp : tensor<?x?xf32>
    %16 = pipeline.load %conf_down1[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %17 = arith.addf %15, %16 : f32
    %18 = arith.mulf %17, %cst_5 : f32
    %19 = arith.addf %14, %18 : f32
    %20 = arith.divf %19, %cst_1 : f32
    pipeline.yield %20 : f32
  } sized(%3, %1) : tensor<?x?xf32>
  %conf_down2 = pipeline.stage "conf_down2" (%y, %x) {
    %12 = pipeline.load %conf1[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %13 = pipeline.load %conf1[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %14 = arith.addf %12, %13 : f32
    %15 = pipeline.load %conf1[%y, %x * 2] clamp : tensor<?x?xf32>
    %16 = pipeline.load %conf1[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %17 = arith.addf %15, %16 : f32
    %18 = arith.mulf %17, %cst_5 : f32
    %19 = arith.addf %14, %18 : f32
    %20 = arith.divf %19, %cst_1 : f32
    pipeline.yield %20 : f32
  } sized(%3, %5) : tensor<?x?xf32>
  %conf2 = pipeline.stage "conf2" (%y, %x) {
    %12 = pipeline.load %conf_down2[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %13 = pipeline.load %conf_down2[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %14 = arith.addf %12, %13 : f32
    %15 = pipeline.load %conf_down2[%y * 2, %x] clamp : tensor<?x?xf32>
    %16 = pipeline.load %conf_down2[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %17 = arith.addf %15, %16 : f32
    %18 = arith.mulf %17, %cst_5 : f32
    %19 = arith.addf %14, %18 : f32
    %20 = arith.divf %19, %cst_1 : f32
    pipeline.yield %20 : f32
  } sized(%7, %5) : tensor<?x?xf32>
  %conf_down3 = pipeline.stage "conf_down3" (%y, %x) {
    %12 = pipeline.load %conf2[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %13 = pipeline.load %conf2[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %14 = arith.addf %12, %13 : f32
    %15 = pipeline.load %conf2[%y, %x * 2] clamp : tensor<?x?xf32>
    %16 = pipeline.load %conf2[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %17 = arith.addf %15, %16 : f32
    %18 = arith.mulf %17, %cst_5 : f32
    %19 = arith.addf %14, %18 : f32
    %20 = arith.divf %19, %cst_1 : f32
    pipeline.yield %20 : f32
  } sized(%7, %9) : tensor<?x?xf32>
  %conf3 = pipeline.stage "conf3" (%y, %x) {
    %12 = pipeline.load %conf_down3[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %13 = pipeline.load %conf_down3[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %14 = arith.addf %12, %13 : f32
    %15 = pipeline.load %conf_down3[%y * 2, %x] clamp : tensor<?x?xf32>
    %16 = pipeline.load %conf_down3[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %17 = arith.addf %15, %16 : f32
    %18 = arith.mulf %17, %cst_5 : f32
    %19 = arith.addf %14, %18 : f32
    %20 = arith.divf %19, %cst_1 : f32
    pipeline.yield %20 : f32
  } sized(%11, %9) : tensor<?x?xf32>
  %conf_up2 = pipeline.stage "conf_up2" (%y, %x) {
    %12 = pipeline.load %conf3[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %13 = arith.mulf %12, %cst_11 : f32
    %14 = pipeline.load %conf3[%y, %x floordiv 2] : tensor<?x?xf32>
    %15 = arith.mulf %14, %cst_12 : f32
    %16 = arith.addf %13, %15 : f32
    pipeline.yield %16 : f32
  } sized(%11, %5) : tensor<?x?xf32>
  %conf_pull2 = pipeline.stage "conf_pull2" (%y, %x) {
    %12 = pipeline.load %conf2[%y, %x] : tensor<?x?xf32>
    %13 = pipeline.load %conf_up2[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %14 = arith.mulf %13, %cst_11 : f32
    %15 = pipeline.load %conf_up2[%y floordiv 2, %x] : tensor<?x?xf32>
    %16 = arith.mulf %15, %cst_12 : f32
    %17 = arith.addf %14, %16 : f32
    %18 = arith.addf %17, %12 : f32
    %19 = arith.mulf %18, %cst_13 : f32
    pipeline.yield %19 : f32
  } sized(%7, %5) : tensor<?x?xf32>
  %conf_up1 = pipeline.stage "conf_up1" (%y, %x) {
    %12 = pipeline.load %conf_pull2[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %13 = arith.mulf %12, %cst_11 : f32
    %14 = pipeline.load %conf_pull2[%y, %x floordiv 2] : tensor<?x?xf32>
    %15 = arith.mulf %14, %cst_12 : f32
    %16 = arith.addf %13, %15 : f32
    pipeline.yield %16 : f32
  } sized(%7, %1) : tensor<?x?xf32>
  %conf_pull1 = pipeline.stage "conf_pull1" (%y, %x) {
    %12 = pipeline.load %conf1[%y, %x] : tensor<?x?xf32>
    %13 = pipeline.load %conf_up1[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %14 = arith.mulf %13, %cst_11 : f32
    %15 = pipeline.load %conf_up1[%y floordiv 2, %x] : tensor<?x?xf32>
    %16 = arith.mulf %15, %cst_12 : f32
    %17 = arith.addf %14, %16 : f32
    %18 = arith.addf %17, %12 : f32
    %19 = arith.mulf %18, %cst_13 : f32
    pipeline.yield %19 : f32
  } sized(%3, %1) : tensor<?x?xf32>
  %conf_up0 = pipeline.stage "conf_up0" (%y, %x) {
    %12 = pipeline.load %conf_pull1[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %13 = arith.mulf %12, %cst_11 : f32
    %14 = pipeline.load %conf_pull1[%y, %x floordiv 2] : tensor<?x?xf32>
    %15 = arith.mulf %14, %cst_12 : f32
    %16 = arith.addf %13, %15 : f32
    pipeline.yield %16 : f32
  } sized(%3, %dim_0) : tensor<?x?xf32>
  %conf_pull0 = pipeline.stage "conf_pull0" (%y, %x) {
    %12 = pipeline.load %confidence[%y, %x] : tensor<?x?xf32>
    %13 = pipeline.load %conf_up0[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %14 = arith.mulf %13, %cst_11 : f32
    %15 = pipeline.load %conf_up0[%y floordiv 2, %x] : tensor<?x?xf32>
    %16 = arith.mulf %15, %cst_12 : f32
    %17 = arith.addf %14, %16 : f32
    %18 = arith.addf %17, %12 : f32
    %19 = arith.mulf %18, %cst_13 : f32
    pipeline.yield %19 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %cst_14 = arith.constant 0x7F800000 : f32
  %depth = pipeline.stage "depth" (%y, %x) {
    %12 = pipeline.load %conf_pull0[%y, %x] : tensor<?x?xf32>
    %13:2 = pipeline.reduce (%rx) in [0, 8) (%acc = %cst_14 : f32, %acc_19 = %cst : f32) {
      %14 = pipeline.load %cost_pull0[%rx, %y, %x] : tensor<8x?x?xf32>
      %15 = arith.divf %14, %12 : f32
      %16 = arith.cmpf olt, %15, %acc : f32
      %17 = arith.select %16, %15, %acc : f32
      %18 = arith.index_cast %rx : index to i32
      %19 = arith.sitofp %18 : i32 to f32
      %20 = arith.select %16, %19, %acc_19 : f32
      pipeline.yield %17, %20 : f32, f32
    } : f32, f32
    pipeline.yield %13#1 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %radius = pipeline.stage "radius" (%y, %x) {
    %12 = pipeline.load %depth[%y, %x] : tensor<?x?xf32>
    %13 = arith.subf %12, %arg2 : f32
    %14 = math.absf %13 : f32
    %15 = arith.mulf %14, %arg3 : f32
    pipeline.yield %15 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %worst_y = pipeline.stage "worst_y" (%y, %x) {
    %12 = pipeline.reduce (%rx) in [-7, 8) (%acc = %cst : f32) {
      %13 = pipeline.load %radius[%y + %rx, %x] clamp : tensor<?x?xf32>
      %14 = arith.maximumf %acc, %13 : f32
      pipeline.yield %14 : f32
    } : f32
    pipeline.yield %12 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %worst = pipeline.stage "worst" (%y, %x) {
    %12 = pipeline.reduce (%rx) in [-7, 8) (%acc = %cst : f32) {
      %13 = pipeline.load %worst_y[%y, %x + %rx] clamp : tensor<?x?xf32>
      %14 = arith.maximumf %acc, %13 : f32
      pipeline.yield %14 : f32
    } : f32
    pipeline.yield %12 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %c1973_i32 = arith.constant 1973 : i32
  %c9277_i32 = arith.constant 9277 : i32
  %c26699_i32 = arith.constant 26699 : i32
  %c15_i32 = arith.constant 15 : i32
  %c739982445_i32 = arith.constant 739982445 : i32
  %c65535_i32 = arith.constant 65535 : i32
  %cst_15 = arith.constant 6.553600e+04 : f32
  %cst_16 = arith.constant 2.000000e+00 : f32
  %c16_i32 = arith.constant 16 : i32
  %cst_17 = arith.constant 1.000000e+00 : f32
  %cst_18 = arith.constant 0.00392156886 : f32
  %blurred = pipeline.stage "blurred" (%c, %y, %x) {
    %12 = pipeline.load %arg0[%c, %y, %x] : tensor<3x?x?xi8>
    %13 = arith.uitofp %12 : i8 to f32
    %14 = pipeline.load %depth[%y, %x] : tensor<?x?xf32>
    %15 = arith.index_castui %y : index to i32
    %16 = arith.muli %15, %c1973_i32 : i32
    %17 = arith.index_castui %x : index to i32
    %18 = arith.muli %17, %c9277_i32 : i32
    %19 = arith.addi %16, %18 : i32
    %20 = pipeline.load %worst[%y, %x] : tensor<?x?xf32>
    %21 = arith.mulf %20, %cst_16 : f32
    %22 = pipeline.load %radius[%y, %x] : tensor<?x?xf32>
    %23 = arith.mulf %22, %22 : f32
    %24:2 = pipeline.reduce (%rx) in [0, 32) (%acc = %13 : f32, %acc_19 = %cst_17 : f32) {
      %27 = arith.addf %acc_19, %cst_17 : f32
      %28 = arith.index_castui %rx : index to i32
      %29 = arith.muli %28, %c26699_i32 : i32
      %30 = arith.addi %19, %29 : i32
      %31 = arith.shrui %30, %c15_i32 : i32
      %32 = arith.xori %30, %31 : i32
      %33 = arith.muli %32, %c739982445_i32 : i32
      %34 = arith.shrui %33, %c15_i32 : i32
      %35 = arith.xori %33, %34 : i32
      %36 = arith.andi %35, %c65535_i32 : i32
      %37 = arith.uitofp %36 : i32 to f32
      %38 = arith.divf %37, %cst_15 : f32
      %39 = arith.subf %38, %cst_13 : f32
      %40 = arith.mulf %39, %21 : f32
      %41 = arith.fptosi %40 : f32 to i32
      %42 = arith.muli %41, %41 : i32
      %43 = arith.shrui %35, %c16_i32 : i32
      %44 = arith.uitofp %43 : i32 to f32
      %45 = arith.divf %44, %cst_15 : f32
      %46 = arith.subf %45, %cst_13 : f32
      %47 = arith.mulf %46, %21 : f32
      %48 = arith.fptosi %47 : f32 to i32
      %49 = arith.muli %48, %48 : i32
      %50 = arith.addi %42, %49 : i32
      %51 = arith.sitofp %50 : i32 to f32
      %52 = arith.cmpf olt, %51, %23 : f32
      %53 = arith.index_cast %48 : i32 to index
      %54 = arith.addi %y, %53 : index
      %55 = arith.index_cast %41 : i32 to index
      %56 = arith.addi %x, %55 : index
      %57 = pipeline.gather %depth[%54, %56] clamp : tensor<?x?xf32>
      %58 = arith.cmpf olt, %57, %14 : f32
      %59 = arith.ori %52, %58 : i1
      %60 = pipeline.gather %radius[%54, %56] clamp : tensor<?x?xf32>
      %61 = arith.mulf %60, %60 : f32
      %62 = arith.cmpf olt, %51, %61 : f32
      %63 = arith.andi %59, %62 : i1
      %64 = pipeline.gather %arg0[%c, %54, %56] clamp : tensor<3x?x?xi8>
      %65 = arith.uitofp %64 : i8 to f32
      %66 = arith.addf %acc, %65 : f32
      %67 = arith.select %63, %66, %acc : f32
      %68 = arith.select %63, %27, %acc_19 : f32
      pipeline.yield %67, %68 : f32, f32
    } : f32, f32
    %25 = arith.divf %24#0, %24#1 : f32
    %26 = arith.mulf %25, %cst_18 : f32
    pipeline.yield %26 : f32
  } sized(%dim, %dim_0) : tensor<3x?x?xf32>
  return %blurred : tensor<3x?x?xf32>
}
