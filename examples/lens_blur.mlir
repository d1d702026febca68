// Lens blur of the left image of a stereo pair, after Halide's app: how much the colours differ for each of 32 shifts;
// these costs, weighted by how sure they are, smoothed by a pyramid of 8 levels; the shift of least cost as depth; and
// 32 samples around each point, of which those count whose blur reaches it. Other than in the app halves are rounded
// up, and samples are from a hash of their own. `focus` is the shift that stays sharp, 0 to 31, `scale` the growth of
// the radius with distance from it, 0 to 1.
//
//   pipeline-run examples/lens_blur.mlir --arg left=left.png --arg right=right.png --arg focus=2 --arg scale=0.5 --out blurred=blurred.png

func.func @lens_blur(%arg0: tensor<3x?x?xi8> {weft.estimate = array<i64: 3, 2560, 1536>, weft.name = "left", weft.unsigned}, %arg1: tensor<3x?x?xi8> {weft.estimate = array<i64: 3, 2560, 1536>, weft.name = "right", weft.unsigned}, %arg2: f32 {weft.name = "focus"}, %arg3: f32 {weft.name = "scale"}) -> (tensor<3x?x?xf32> {weft.name = "blurred"}) {
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %arg0, %c1 : tensor<3x?x?xi8>
  %c2 = arith.constant 2 : index
  %dim_0 = tensor.dim %arg0, %c2 : tensor<3x?x?xi8>
  %cst = arith.constant 0.000000e+00 : f32
  %cost = pipeline.stage "cost" (%c, %y, %x) {
    %28 = pipeline.reduce (%rx) in [0, 3) (%acc = %cst : f32) {
      %29 = pipeline.load %arg0[%rx, %y, %x] : tensor<3x?x?xi8>
      %30 = arith.uitofp %29 : i8 to f32
      %31 = pipeline.load %arg1[%rx, %y, %x + %c * 2] clamp : tensor<3x?x?xi8>
      %32 = arith.uitofp %31 : i8 to f32
      %33 = arith.subf %30, %32 : f32
      %34 = math.absf %33 : f32
      %35 = pipeline.load %arg1[%rx, %y, %x + %c * 2 + 1] clamp : tensor<3x?x?xi8>
      %36 = arith.uitofp %35 : i8 to f32
      %37 = arith.subf %30, %36 : f32
      %38 = math.absf %37 : f32
      %39 = arith.minimumf %34, %38 : f32
      %40 = arith.mulf %39, %39 : f32
      %41 = arith.addf %acc, %40 : f32
      pipeline.yield %41 : f32
    } : f32
    pipeline.yield %28 : f32
  } sized(%dim, %dim_0) : tensor<32x?x?xf32>
  %cst_1 = arith.constant 3.200000e+01 : f32
  %confidence = pipeline.stage "confidence" (%y, %x) {
    %28:2 = pipeline.reduce (%rx) in [0, 32) (%acc = %cst : f32, %acc_28 = %cst : f32) {
      %33 = pipeline.load %cost[%rx, %y, %x] : tensor<32x?x?xf32>
      %34 = arith.mulf %33, %33 : f32
      %35 = arith.addf %acc, %34 : f32
      %36 = arith.addf %acc_28, %33 : f32
      pipeline.yield %35, %36 : f32, f32
    } : f32, f32
    %29 = arith.divf %28#0, %cst_1 : f32
    %30 = arith.divf %28#1, %cst_1 : f32
    %31 = arith.mulf %30, %30 : f32
    %32 = arith.subf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %cost0 = pipeline.stage "cost0" (%c, %y, %x) {
    %28 = pipeline.load %cost[%c, %y, %x] : tensor<32x?x?xf32>
    %29 = pipeline.load %confidence[%y, %x] : tensor<?x?xf32>
    %30 = arith.mulf %28, %29 : f32
    pipeline.yield %30 : f32
  } sized(%dim, %dim_0) : tensor<32x?x?xf32>
  %c2_2 = arith.constant 2 : index
  %c1_3 = arith.constant 1 : index
  %0 = arith.addi %dim_0, %c1_3 : index
  %c1_4 = arith.constant 1 : index
  %1 = arith.shrsi %0, %c1_4 : index
  %cst_5 = arith.constant 3.000000e+00 : f32
  %cst_6 = arith.constant 8.000000e+00 : f32
  %cost_down1 = pipeline.stage "cost_down1" (%c, %y, %x) {
    %28 = pipeline.load %cost0[%c, %y, %x * 2 - 1] clamp : tensor<32x?x?xf32>
    %29 = pipeline.load %cost0[%c, %y, %x * 2 + 2] clamp : tensor<32x?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %cost0[%c, %y, %x * 2] clamp : tensor<32x?x?xf32>
    %32 = pipeline.load %cost0[%c, %y, %x * 2 + 1] clamp : tensor<32x?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%dim, %1) : tensor<32x?x?xf32>
  %2 = arith.addi %dim, %c1_3 : index
  %c1_7 = arith.constant 1 : index
  %3 = arith.shrsi %2, %c1_7 : index
  %cost1 = pipeline.stage "cost1" (%c, %y, %x) {
    %28 = pipeline.load %cost_down1[%c, %y * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %29 = pipeline.load %cost_down1[%c, %y * 2 + 2, %x] clamp : tensor<32x?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %cost_down1[%c, %y * 2, %x] clamp : tensor<32x?x?xf32>
    %32 = pipeline.load %cost_down1[%c, %y * 2 + 1, %x] clamp : tensor<32x?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%3, %1) : tensor<32x?x?xf32>
  %4 = arith.addi %1, %c1_3 : index
  %c1_8 = arith.constant 1 : index
  %5 = arith.shrsi %4, %c1_8 : index
  %cost_down2 = pipeline.stage "cost_down2" (%c, %y, %x) {
    %28 = pipeline.load %cost1[%c, %y, %x * 2 - 1] clamp : tensor<32x?x?xf32>
    %29 = pipeline.load %cost1[%c, %y, %x * 2 + 2] clamp : tensor<32x?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %cost1[%c, %y, %x * 2] clamp : tensor<32x?x?xf32>
    %32 = pipeline.load %cost1[%c, %y, %x * 2 + 1] clamp : tensor<32x?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%3, %5) : tensor<32x?x?xf32>
  %6 = arith.addi %3, %c1_3 : index
  %c1_9 = arith.constant 1 : index
  %7 = arith.shrsi %6, %c1_9 : index
  %cost2 = pipeline.stage "cost2" (%c, %y, %x) {
    %28 = pipeline.load %cost_down2[%c, %y * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %29 = pipeline.load %cost_down2[%c, %y * 2 + 2, %x] clamp : tensor<32x?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %cost_down2[%c, %y * 2, %x] clamp : tensor<32x?x?xf32>
    %32 = pipeline.load %cost_down2[%c, %y * 2 + 1, %x] clamp : tensor<32x?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%7, %5) : tensor<32x?x?xf32>
  %8 = arith.addi %5, %c1_3 : index
  %c1_10 = arith.constant 1 : index
  %9 = arith.shrsi %8, %c1_10 : index
  %cost_down3 = pipeline.stage "cost_down3" (%c, %y, %x) {
    %28 = pipeline.load %cost2[%c, %y, %x * 2 - 1] clamp : tensor<32x?x?xf32>
    %29 = pipeline.load %cost2[%c, %y, %x * 2 + 2] clamp : tensor<32x?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %cost2[%c, %y, %x * 2] clamp : tensor<32x?x?xf32>
    %32 = pipeline.load %cost2[%c, %y, %x * 2 + 1] clamp : tensor<32x?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%7, %9) : tensor<32x?x?xf32>
  %10 = arith.addi %7, %c1_3 : index
  %c1_11 = arith.constant 1 : index
  %11 = arith.shrsi %10, %c1_11 : index
  %cost3 = pipeline.stage "cost3" (%c, %y, %x) {
    %28 = pipeline.load %cost_down3[%c, %y * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %29 = pipeline.load %cost_down3[%c, %y * 2 + 2, %x] clamp : tensor<32x?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %cost_down3[%c, %y * 2, %x] clamp : tensor<32x?x?xf32>
    %32 = pipeline.load %cost_down3[%c, %y * 2 + 1, %x] clamp : tensor<32x?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%11, %9) : tensor<32x?x?xf32>
  %12 = arith.addi %9, %c1_3 : index
  %c1_12 = arith.constant 1 : index
  %13 = arith.shrsi %12, %c1_12 : index
  %cost_down4 = pipeline.stage "cost_down4" (%c, %y, %x) {
    %28 = pipeline.load %cost3[%c, %y, %x * 2 - 1] clamp : tensor<32x?x?xf32>
    %29 = pipeline.load %cost3[%c, %y, %x * 2 + 2] clamp : tensor<32x?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %cost3[%c, %y, %x * 2] clamp : tensor<32x?x?xf32>
    %32 = pipeline.load %cost3[%c, %y, %x * 2 + 1] clamp : tensor<32x?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%11, %13) : tensor<32x?x?xf32>
  %14 = arith.addi %11, %c1_3 : index
  %c1_13 = arith.constant 1 : index
  %15 = arith.shrsi %14, %c1_13 : index
  %cost4 = pipeline.stage "cost4" (%c, %y, %x) {
    %28 = pipeline.load %cost_down4[%c, %y * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %29 = pipeline.load %cost_down4[%c, %y * 2 + 2, %x] clamp : tensor<32x?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %cost_down4[%c, %y * 2, %x] clamp : tensor<32x?x?xf32>
    %32 = pipeline.load %cost_down4[%c, %y * 2 + 1, %x] clamp : tensor<32x?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%15, %13) : tensor<32x?x?xf32>
  %16 = arith.addi %13, %c1_3 : index
  %c1_14 = arith.constant 1 : index
  %17 = arith.shrsi %16, %c1_14 : index
  %cost_down5 = pipeline.stage "cost_down5" (%c, %y, %x) {
    %28 = pipeline.load %cost4[%c, %y, %x * 2 - 1] clamp : tensor<32x?x?xf32>
    %29 = pipeline.load %cost4[%c, %y, %x * 2 + 2] clamp : tensor<32x?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %cost4[%c, %y, %x * 2] clamp : tensor<32x?x?xf32>
    %32 = pipeline.load %cost4[%c, %y, %x * 2 + 1] clamp : tensor<32x?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%15, %17) : tensor<32x?x?xf32>
  %18 = arith.addi %15, %c1_3 : index
  %c1_15 = arith.constant 1 : index
  %19 = arith.shrsi %18, %c1_15 : index
  %cost5 = pipeline.stage "cost5" (%c, %y, %x) {
    %28 = pipeline.load %cost_down5[%c, %y * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %29 = pipeline.load %cost_down5[%c, %y * 2 + 2, %x] clamp : tensor<32x?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %cost_down5[%c, %y * 2, %x] clamp : tensor<32x?x?xf32>
    %32 = pipeline.load %cost_down5[%c, %y * 2 + 1, %x] clamp : tensor<32x?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%19, %17) : tensor<32x?x?xf32>
  %20 = arith.addi %17, %c1_3 : index
  %c1_16 = arith.constant 1 : index
  %21 = arith.shrsi %20, %c1_16 : index
  %cost_down6 = pipeline.stage "cost_down6" (%c, %y, %x) {
    %28 = pipeline.load %cost5[%c, %y, %x * 2 - 1] clamp : tensor<32x?x?xf32>
    %29 = pipeline.load %cost5[%c, %y, %x * 2 + 2] clamp : tensor<32x?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %cost5[%c, %y, %x * 2] clamp : tensor<32x?x?xf32>
    %32 = pipeline.load %cost5[%c, %y, %x * 2 + 1] clamp : tensor<32x?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%19, %21) : tensor<32x?x?xf32>
  %22 = arith.addi %19, %c1_3 : index
  %c1_17 = arith.constant 1 : index
  %23 = arith.shrsi %22, %c1_17 : index
  %cost6 = pipeline.stage "cost6" (%c, %y, %x) {
    %28 = pipeline.load %cost_down6[%c, %y * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %29 = pipeline.load %cost_down6[%c, %y * 2 + 2, %x] clamp : tensor<32x?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %cost_down6[%c, %y * 2, %x] clamp : tensor<32x?x?xf32>
    %32 = pipeline.load %cost_down6[%c, %y * 2 + 1, %x] clamp : tensor<32x?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%23, %21) : tensor<32x?x?xf32>
  %24 = arith.addi %21, %c1_3 : index
  %c1_18 = arith.constant 1 : index
  %25 = arith.shrsi %24, %c1_18 : index
  %cost_down7 = pipeline.stage "cost_down7" (%c, %y, %x) {
    %28 = pipeline.load %cost6[%c, %y, %x * 2 - 1] clamp : tensor<32x?x?xf32>
    %29 = pipeline.load %cost6[%c, %y, %x * 2 + 2] clamp : tensor<32x?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %cost6[%c, %y, %x * 2] clamp : tensor<32x?x?xf32>
    %32 = pipeline.load %cost6[%c, %y, %x * 2 + 1] clamp : tensor<32x?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%23, %25) : tensor<32x?x?xf32>
  %26 = arith.addi %23, %c1_3 : index
  %c1_19 = arith.constant 1 : index
  %27 = arith.shrsi %26, %c1_19 : index
  %cost7 = pipeline.stage "cost7" (%c, %y, %x) {
    %28 = pipeline.load %cost_down7[%c, %y * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %29 = pipeline.load %cost_down7[%c, %y * 2 + 2, %x] clamp : tensor<32x?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %cost_down7[%c, %y * 2, %x] clamp : tensor<32x?x?xf32>
    %32 = pipeline.load %cost_down7[%c, %y * 2 + 1, %x] clamp : tensor<32x?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%27, %25) : tensor<32x?x?xf32>
  %cst_20 = arith.constant 2.500000e-01 : f32
  %cst_21 = arith.constant 7.500000e-01 : f32
  %cost_up6 = pipeline.stage "cost_up6" (%c, %y, %x) {
    %28 = pipeline.load %cost7[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<32x?x?xf32>
    %29 = arith.mulf %28, %cst_20 : f32
    %30 = pipeline.load %cost7[%c, %y, %x floordiv 2] : tensor<32x?x?xf32>
    %31 = arith.mulf %30, %cst_21 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%27, %21) : tensor<32x?x?xf32>
  %cst_22 = arith.constant 5.000000e-01 : f32
  %cost_pull6 = pipeline.stage "cost_pull6" (%c, %y, %x) {
    %28 = pipeline.load %cost6[%c, %y, %x] : tensor<32x?x?xf32>
    %29 = pipeline.load %cost_up6[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %30 = arith.mulf %29, %cst_20 : f32
    %31 = pipeline.load %cost_up6[%c, %y floordiv 2, %x] : tensor<32x?x?xf32>
    %32 = arith.mulf %31, %cst_21 : f32
    %33 = arith.addf %30, %32 : f32
    %34 = arith.addf %33, %28 : f32
    %35 = arith.mulf %34, %cst_22 : f32
    pipeline.yield %35 : f32
  } sized(%23, %21) : tensor<32x?x?xf32>
  %cost_up5 = pipeline.stage "cost_up5" (%c, %y, %x) {
    %28 = pipeline.load %cost_pull6[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<32x?x?xf32>
    %29 = arith.mulf %28, %cst_20 : f32
    %30 = pipeline.load %cost_pull6[%c, %y, %x floordiv 2] : tensor<32x?x?xf32>
    %31 = arith.mulf %30, %cst_21 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%23, %17) : tensor<32x?x?xf32>
  %cost_pull5 = pipeline.stage "cost_pull5" (%c, %y, %x) {
    %28 = pipeline.load %cost5[%c, %y, %x] : tensor<32x?x?xf32>
    %29 = pipeline.load %cost_up5[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %30 = arith.mulf %29, %cst_20 : f32
    %31 = pipeline.load %cost_up5[%c, %y floordiv 2, %x] : tensor<32x?x?xf32>
    %32 = arith.mulf %31, %cst_21 : f32
    %33 = arith.addf %30, %32 : f32
    %34 = arith.addf %33, %28 : f32
    %35 = arith.mulf %34, %cst_22 : f32
    pipeline.yield %35 : f32
  } sized(%19, %17) : tensor<32x?x?xf32>
  %cost_up4 = pipeline.stage "cost_up4" (%c, %y, %x) {
    %28 = pipeline.load %cost_pull5[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<32x?x?xf32>
    %29 = arith.mulf %28, %cst_20 : f32
    %30 = pipeline.load %cost_pull5[%c, %y, %x floordiv 2] : tensor<32x?x?xf32>
    %31 = arith.mulf %30, %cst_21 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%19, %13) : tensor<32x?x?xf32>
  %cost_pull4 = pipeline.stage "cost_pull4" (%c, %y, %x) {
    %28 = pipeline.load %cost4[%c, %y, %x] : tensor<32x?x?xf32>
    %29 = pipeline.load %cost_up4[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %30 = arith.mulf %29, %cst_20 : f32
    %31 = pipeline.load %cost_up4[%c, %y floordiv 2, %x] : tensor<32x?x?xf32>
    %32 = arith.mulf %31, %cst_21 : f32
    %33 = arith.addf %30, %32 : f32
    %34 = arith.addf %33, %28 : f32
    %35 = arith.mulf %34, %cst_22 : f32
    pipeline.yield %35 : f32
  } sized(%15, %13) : tensor<32x?x?xf32>
  %cost_up3 = pipeline.stage "cost_up3" (%c, %y, %x) {
    %28 = pipeline.load %cost_pull4[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<32x?x?xf32>
    %29 = arith.mulf %28, %cst_20 : f32
    %30 = pipeline.load %cost_pull4[%c, %y, %x floordiv 2] : tensor<32x?x?xf32>
    %31 = arith.mulf %30, %cst_21 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%15, %9) : tensor<32x?x?xf32>
  %cost_pull3 = pipeline.stage "cost_pull3" (%c, %y, %x) {
    %28 = pipeline.load %cost3[%c, %y, %x] : tensor<32x?x?xf32>
    %29 = pipeline.load %cost_up3[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %30 = arith.mulf %29, %cst_20 : f32
    %31 = pipeline.load %cost_up3[%c, %y floordiv 2, %x] : tensor<32x?x?xf32>
    %32 = arith.mulf %31, %cst_21 : f32
    %33 = arith.addf %30, %32 : f32
    %34 = arith.addf %33, %28 : f32
    %35 = arith.mulf %34, %cst_22 : f32
    pipeline.yield %35 : f32
  } sized(%11, %9) : tensor<32x?x?xf32>
  %cost_up2 = pipeline.stage "cost_up2" (%c, %y, %x) {
    %28 = pipeline.load %cost_pull3[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<32x?x?xf32>
    %29 = arith.mulf %28, %cst_20 : f32
    %30 = pipeline.load %cost_pull3[%c, %y, %x floordiv 2] : tensor<32x?x?xf32>
    %31 = arith.mulf %30, %cst_21 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%11, %5) : tensor<32x?x?xf32>
  %cost_pull2 = pipeline.stage "cost_pull2" (%c, %y, %x) {
    %28 = pipeline.load %cost2[%c, %y, %x] : tensor<32x?x?xf32>
    %29 = pipeline.load %cost_up2[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %30 = arith.mulf %29, %cst_20 : f32
    %31 = pipeline.load %cost_up2[%c, %y floordiv 2, %x] : tensor<32x?x?xf32>
    %32 = arith.mulf %31, %cst_21 : f32
    %33 = arith.addf %30, %32 : f32
    %34 = arith.addf %33, %28 : f32
    %35 = arith.mulf %34, %cst_22 : f32
    pipeline.yield %35 : f32
  } sized(%7, %5) : tensor<32x?x?xf32>
  %cost_up1 = pipeline.stage "cost_up1" (%c, %y, %x) {
    %28 = pipeline.load %cost_pull2[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<32x?x?xf32>
    %29 = arith.mulf %28, %cst_20 : f32
    %30 = pipeline.load %cost_pull2[%c, %y, %x floordiv 2] : tensor<32x?x?xf32>
    %31 = arith.mulf %30, %cst_21 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%7, %1) : tensor<32x?x?xf32>
  %cost_pull1 = pipeline.stage "cost_pull1" (%c, %y, %x) {
    %28 = pipeline.load %cost1[%c, %y, %x] : tensor<32x?x?xf32>
    %29 = pipeline.load %cost_up1[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %30 = arith.mulf %29, %cst_20 : f32
    %31 = pipeline.load %cost_up1[%c, %y floordiv 2, %x] : tensor<32x?x?xf32>
    %32 = arith.mulf %31, %cst_21 : f32
    %33 = arith.addf %30, %32 : f32
    %34 = arith.addf %33, %28 : f32
    %35 = arith.mulf %34, %cst_22 : f32
    pipeline.yield %35 : f32
  } sized(%3, %1) : tensor<32x?x?xf32>
  %cost_up0 = pipeline.stage "cost_up0" (%c, %y, %x) {
    %28 = pipeline.load %cost_pull1[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<32x?x?xf32>
    %29 = arith.mulf %28, %cst_20 : f32
    %30 = pipeline.load %cost_pull1[%c, %y, %x floordiv 2] : tensor<32x?x?xf32>
    %31 = arith.mulf %30, %cst_21 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%3, %dim_0) : tensor<32x?x?xf32>
  %cost_pull0 = pipeline.stage "cost_pull0" (%c, %y, %x) {
    %28 = pipeline.load %cost0[%c, %y, %x] : tensor<32x?x?xf32>
    %29 = pipeline.load %cost_up0[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %30 = arith.mulf %29, %cst_20 : f32
    %31 = pipeline.load %cost_up0[%c, %y floordiv 2, %x] : tensor<32x?x?xf32>
    %32 = arith.mulf %31, %cst_21 : f32
    %33 = arith.addf %30, %32 : f32
    %34 = arith.addf %33, %28 : f32
    %35 = arith.mulf %34, %cst_22 : f32
    pipeline.yield %35 : f32
  } sized(%dim, %dim_0) : tensor<32x?x?xf32>
  %conf_down1 = pipeline.stage "conf_down1" (%y, %x) {
    %28 = pipeline.load %confidence[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %29 = pipeline.load %confidence[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %confidence[%y, %x * 2] clamp : tensor<?x?xf32>
    %32 = pipeline.load %confidence[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%dim, %1) : tensor<?x?xf32>
  %conf1 = pipeline.stage "conf1" (%y, %x) {
    %28 = pipeline.load %conf_down1[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = pipeline.load %conf_down1[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %conf_down1[%y * 2, %x] clamp : tensor<?x?xf32>
    %32 = pipeline.load %conf_down1[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%3, %1) : tensor<?x?xf32>
  %conf_down2 = pipeline.stage "conf_down2" (%y, %x) {
    %28 = pipeline.load %conf1[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %29 = pipeline.load %conf1[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %conf1[%y, %x * 2] clamp : tensor<?x?xf32>
    %32 = pipeline.load %conf1[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%3, %5) : tensor<?x?xf32>
  %conf2 = pipeline.stage "conf2" (%y, %x) {
    %28 = pipeline.load %conf_down2[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = pipeline.load %conf_down2[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %conf_down2[%y * 2, %x] clamp : tensor<?x?xf32>
    %32 = pipeline.load %conf_down2[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%7, %5) : tensor<?x?xf32>
  %conf_down3 = pipeline.stage "conf_down3" (%y, %x) {
    %28 = pipeline.load %conf2[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %29 = pipeline.load %conf2[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %conf2[%y, %x * 2] clamp : tensor<?x?xf32>
    %32 = pipeline.load %conf2[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%7, %9) : tensor<?x?xf32>
  %conf3 = pipeline.stage "conf3" (%y, %x) {
    %28 = pipeline.load %conf_down3[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = pipeline.load %conf_down3[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %conf_down3[%y * 2, %x] clamp : tensor<?x?xf32>
    %32 = pipeline.load %conf_down3[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%11, %9) : tensor<?x?xf32>
  %conf_down4 = pipeline.stage "conf_down4" (%y, %x) {
    %28 = pipeline.load %conf3[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %29 = pipeline.load %conf3[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %conf3[%y, %x * 2] clamp : tensor<?x?xf32>
    %32 = pipeline.load %conf3[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%11, %13) : tensor<?x?xf32>
  %conf4 = pipeline.stage "conf4" (%y, %x) {
    %28 = pipeline.load %conf_down4[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = pipeline.load %conf_down4[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %conf_down4[%y * 2, %x] clamp : tensor<?x?xf32>
    %32 = pipeline.load %conf_down4[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%15, %13) : tensor<?x?xf32>
  %conf_down5 = pipeline.stage "conf_down5" (%y, %x) {
    %28 = pipeline.load %conf4[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %29 = pipeline.load %conf4[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %conf4[%y, %x * 2] clamp : tensor<?x?xf32>
    %32 = pipeline.load %conf4[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%15, %17) : tensor<?x?xf32>
  %conf5 = pipeline.stage "conf5" (%y, %x) {
    %28 = pipeline.load %conf_down5[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = pipeline.load %conf_down5[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %conf_down5[%y * 2, %x] clamp : tensor<?x?xf32>
    %32 = pipeline.load %conf_down5[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%19, %17) : tensor<?x?xf32>
  %conf_down6 = pipeline.stage "conf_down6" (%y, %x) {
    %28 = pipeline.load %conf5[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %29 = pipeline.load %conf5[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %conf5[%y, %x * 2] clamp : tensor<?x?xf32>
    %32 = pipeline.load %conf5[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%19, %21) : tensor<?x?xf32>
  %conf6 = pipeline.stage "conf6" (%y, %x) {
    %28 = pipeline.load %conf_down6[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = pipeline.load %conf_down6[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %conf_down6[%y * 2, %x] clamp : tensor<?x?xf32>
    %32 = pipeline.load %conf_down6[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%23, %21) : tensor<?x?xf32>
  %conf_down7 = pipeline.stage "conf_down7" (%y, %x) {
    %28 = pipeline.load %conf6[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %29 = pipeline.load %conf6[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %conf6[%y, %x * 2] clamp : tensor<?x?xf32>
    %32 = pipeline.load %conf6[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%23, %25) : tensor<?x?xf32>
  %conf7 = pipeline.stage "conf7" (%y, %x) {
    %28 = pipeline.load %conf_down7[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %29 = pipeline.load %conf_down7[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %30 = arith.addf %28, %29 : f32
    %31 = pipeline.load %conf_down7[%y * 2, %x] clamp : tensor<?x?xf32>
    %32 = pipeline.load %conf_down7[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %33 = arith.addf %31, %32 : f32
    %34 = arith.mulf %33, %cst_5 : f32
    %35 = arith.addf %30, %34 : f32
    %36 = arith.divf %35, %cst_6 : f32
    pipeline.yield %36 : f32
  } sized(%27, %25) : tensor<?x?xf32>
  %conf_up6 = pipeline.stage "conf_up6" (%y, %x) {
    %28 = pipeline.load %conf7[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_20 : f32
    %30 = pipeline.load %conf7[%y, %x floordiv 2] : tensor<?x?xf32>
    %31 = arith.mulf %30, %cst_21 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%27, %21) : tensor<?x?xf32>
  %conf_pull6 = pipeline.stage "conf_pull6" (%y, %x) {
    %28 = pipeline.load %conf6[%y, %x] : tensor<?x?xf32>
    %29 = pipeline.load %conf_up6[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %30 = arith.mulf %29, %cst_20 : f32
    %31 = pipeline.load %conf_up6[%y floordiv 2, %x] : tensor<?x?xf32>
    %32 = arith.mulf %31, %cst_21 : f32
    %33 = arith.addf %30, %32 : f32
    %34 = arith.addf %33, %28 : f32
    %35 = arith.mulf %34, %cst_22 : f32
    pipeline.yield %35 : f32
  } sized(%23, %21) : tensor<?x?xf32>
  %conf_up5 = pipeline.stage "conf_up5" (%y, %x) {
    %28 = pipeline.load %conf_pull6[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_20 : f32
    %30 = pipeline.load %conf_pull6[%y, %x floordiv 2] : tensor<?x?xf32>
    %31 = arith.mulf %30, %cst_21 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%23, %17) : tensor<?x?xf32>
  %conf_pull5 = pipeline.stage "conf_pull5" (%y, %x) {
    %28 = pipeline.load %conf5[%y, %x] : tensor<?x?xf32>
    %29 = pipeline.load %conf_up5[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %30 = arith.mulf %29, %cst_20 : f32
    %31 = pipeline.load %conf_up5[%y floordiv 2, %x] : tensor<?x?xf32>
    %32 = arith.mulf %31, %cst_21 : f32
    %33 = arith.addf %30, %32 : f32
    %34 = arith.addf %33, %28 : f32
    %35 = arith.mulf %34, %cst_22 : f32
    pipeline.yield %35 : f32
  } sized(%19, %17) : tensor<?x?xf32>
  %conf_up4 = pipeline.stage "conf_up4" (%y, %x) {
    %28 = pipeline.load %conf_pull5[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_20 : f32
    %30 = pipeline.load %conf_pull5[%y, %x floordiv 2] : tensor<?x?xf32>
    %31 = arith.mulf %30, %cst_21 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%19, %13) : tensor<?x?xf32>
  %conf_pull4 = pipeline.stage "conf_pull4" (%y, %x) {
    %28 = pipeline.load %conf4[%y, %x] : tensor<?x?xf32>
    %29 = pipeline.load %conf_up4[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %30 = arith.mulf %29, %cst_20 : f32
    %31 = pipeline.load %conf_up4[%y floordiv 2, %x] : tensor<?x?xf32>
    %32 = arith.mulf %31, %cst_21 : f32
    %33 = arith.addf %30, %32 : f32
    %34 = arith.addf %33, %28 : f32
    %35 = arith.mulf %34, %cst_22 : f32
    pipeline.yield %35 : f32
  } sized(%15, %13) : tensor<?x?xf32>
  %conf_up3 = pipeline.stage "conf_up3" (%y, %x) {
    %28 = pipeline.load %conf_pull4[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_20 : f32
    %30 = pipeline.load %conf_pull4[%y, %x floordiv 2] : tensor<?x?xf32>
    %31 = arith.mulf %30, %cst_21 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%15, %9) : tensor<?x?xf32>
  %conf_pull3 = pipeline.stage "conf_pull3" (%y, %x) {
    %28 = pipeline.load %conf3[%y, %x] : tensor<?x?xf32>
    %29 = pipeline.load %conf_up3[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %30 = arith.mulf %29, %cst_20 : f32
    %31 = pipeline.load %conf_up3[%y floordiv 2, %x] : tensor<?x?xf32>
    %32 = arith.mulf %31, %cst_21 : f32
    %33 = arith.addf %30, %32 : f32
    %34 = arith.addf %33, %28 : f32
    %35 = arith.mulf %34, %cst_22 : f32
    pipeline.yield %35 : f32
  } sized(%11, %9) : tensor<?x?xf32>
  %conf_up2 = pipeline.stage "conf_up2" (%y, %x) {
    %28 = pipeline.load %conf_pull3[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_20 : f32
    %30 = pipeline.load %conf_pull3[%y, %x floordiv 2] : tensor<?x?xf32>
    %31 = arith.mulf %30, %cst_21 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%11, %5) : tensor<?x?xf32>
  %conf_pull2 = pipeline.stage "conf_pull2" (%y, %x) {
    %28 = pipeline.load %conf2[%y, %x] : tensor<?x?xf32>
    %29 = pipeline.load %conf_up2[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %30 = arith.mulf %29, %cst_20 : f32
    %31 = pipeline.load %conf_up2[%y floordiv 2, %x] : tensor<?x?xf32>
    %32 = arith.mulf %31, %cst_21 : f32
    %33 = arith.addf %30, %32 : f32
    %34 = arith.addf %33, %28 : f32
    %35 = arith.mulf %34, %cst_22 : f32
    pipeline.yield %35 : f32
  } sized(%7, %5) : tensor<?x?xf32>
  %conf_up1 = pipeline.stage "conf_up1" (%y, %x) {
    %28 = pipeline.load %conf_pull2[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_20 : f32
    %30 = pipeline.load %conf_pull2[%y, %x floordiv 2] : tensor<?x?xf32>
    %31 = arith.mulf %30, %cst_21 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%7, %1) : tensor<?x?xf32>
  %conf_pull1 = pipeline.stage "conf_pull1" (%y, %x) {
    %28 = pipeline.load %conf1[%y, %x] : tensor<?x?xf32>
    %29 = pipeline.load %conf_up1[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %30 = arith.mulf %29, %cst_20 : f32
    %31 = pipeline.load %conf_up1[%y floordiv 2, %x] : tensor<?x?xf32>
    %32 = arith.mulf %31, %cst_21 : f32
    %33 = arith.addf %30, %32 : f32
    %34 = arith.addf %33, %28 : f32
    %35 = arith.mulf %34, %cst_22 : f32
    pipeline.yield %35 : f32
  } sized(%3, %1) : tensor<?x?xf32>
  %conf_up0 = pipeline.stage "conf_up0" (%y, %x) {
    %28 = pipeline.load %conf_pull1[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %29 = arith.mulf %28, %cst_20 : f32
    %30 = pipeline.load %conf_pull1[%y, %x floordiv 2] : tensor<?x?xf32>
    %31 = arith.mulf %30, %cst_21 : f32
    %32 = arith.addf %29, %31 : f32
    pipeline.yield %32 : f32
  } sized(%3, %dim_0) : tensor<?x?xf32>
  %conf_pull0 = pipeline.stage "conf_pull0" (%y, %x) {
    %28 = pipeline.load %confidence[%y, %x] : tensor<?x?xf32>
    %29 = pipeline.load %conf_up0[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %30 = arith.mulf %29, %cst_20 : f32
    %31 = pipeline.load %conf_up0[%y floordiv 2, %x] : tensor<?x?xf32>
    %32 = arith.mulf %31, %cst_21 : f32
    %33 = arith.addf %30, %32 : f32
    %34 = arith.addf %33, %28 : f32
    %35 = arith.mulf %34, %cst_22 : f32
    pipeline.yield %35 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %cst_23 = arith.constant 0x7F800000 : f32
  %depth = pipeline.stage "depth" (%y, %x) {
    %28 = pipeline.load %conf_pull0[%y, %x] : tensor<?x?xf32>
    %29:2 = pipeline.reduce (%rx) in [0, 32) (%acc = %cst_23 : f32, %acc_28 = %cst : f32) {
      %30 = pipeline.load %cost_pull0[%rx, %y, %x] : tensor<32x?x?xf32>
      %31 = arith.divf %30, %28 : f32
      %32 = arith.cmpf olt, %31, %acc : f32
      %33 = arith.select %32, %31, %acc : f32
      %34 = arith.index_cast %rx : index to i32
      %35 = arith.sitofp %34 : i32 to f32
      %36 = arith.select %32, %35, %acc_28 : f32
      pipeline.yield %33, %36 : f32, f32
    } : f32, f32
    pipeline.yield %29#1 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %radius = pipeline.stage "radius" (%y, %x) {
    %28 = pipeline.load %depth[%y, %x] : tensor<?x?xf32>
    %29 = arith.subf %28, %arg2 : f32
    %30 = math.absf %29 : f32
    %31 = arith.mulf %30, %arg3 : f32
    pipeline.yield %31 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %worst_y = pipeline.stage "worst_y" (%y, %x) {
    %28 = pipeline.reduce (%rx) in [-31, 32) (%acc = %cst : f32) {
      %29 = pipeline.load %radius[%y + %rx, %x] clamp : tensor<?x?xf32>
      %30 = arith.maximumf %acc, %29 : f32
      pipeline.yield %30 : f32
    } : f32
    pipeline.yield %28 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %worst = pipeline.stage "worst" (%y, %x) {
    %28 = pipeline.reduce (%rx) in [-31, 32) (%acc = %cst : f32) {
      %29 = pipeline.load %worst_y[%y, %x + %rx] clamp : tensor<?x?xf32>
      %30 = arith.maximumf %acc, %29 : f32
      pipeline.yield %30 : f32
    } : f32
    pipeline.yield %28 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %c1973_i32 = arith.constant 1973 : i32
  %c9277_i32 = arith.constant 9277 : i32
  %c26699_i32 = arith.constant 26699 : i32
  %c15_i32 = arith.constant 15 : i32
  %c739982445_i32 = arith.constant 739982445 : i32
  %c65535_i32 = arith.constant 65535 : i32
  %cst_24 = arith.constant 6.553600e+04 : f32
  %cst_25 = arith.constant 2.000000e+00 : f32
  %c16_i32 = arith.constant 16 : i32
  %cst_26 = arith.constant 1.000000e+00 : f32
  %cst_27 = arith.constant 0.00392156886 : f32
  %blurred = pipeline.stage "blurred" (%c, %y, %x) {
    %28 = pipeline.load %arg0[%c, %y, %x] : tensor<3x?x?xi8>
    %29 = arith.uitofp %28 : i8 to f32
    %30 = pipeline.load %depth[%y, %x] : tensor<?x?xf32>
    %31 = arith.index_castui %y : index to i32
    %32 = arith.muli %31, %c1973_i32 : i32
    %33 = arith.index_castui %x : index to i32
    %34 = arith.muli %33, %c9277_i32 : i32
    %35 = arith.addi %32, %34 : i32
    %36 = pipeline.load %worst[%y, %x] : tensor<?x?xf32>
    %37 = arith.mulf %36, %cst_25 : f32
    %38 = pipeline.load %radius[%y, %x] : tensor<?x?xf32>
    %39 = arith.mulf %38, %38 : f32
    %40:2 = pipeline.reduce (%rx) in [0, 32) (%acc = %29 : f32, %acc_28 = %cst_26 : f32) {
      %43 = arith.addf %acc_28, %cst_26 : f32
      %44 = arith.index_castui %rx : index to i32
      %45 = arith.muli %44, %c26699_i32 : i32
      %46 = arith.addi %35, %45 : i32
      %47 = arith.shrui %46, %c15_i32 : i32
      %48 = arith.xori %46, %47 : i32
      %49 = arith.muli %48, %c739982445_i32 : i32
      %50 = arith.shrui %49, %c15_i32 : i32
      %51 = arith.xori %49, %50 : i32
      %52 = arith.andi %51, %c65535_i32 : i32
      %53 = arith.uitofp %52 : i32 to f32
      %54 = arith.divf %53, %cst_24 : f32
      %55 = arith.subf %54, %cst_22 : f32
      %56 = arith.mulf %55, %37 : f32
      %57 = arith.fptosi %56 : f32 to i32
      %58 = arith.muli %57, %57 : i32
      %59 = arith.shrui %51, %c16_i32 : i32
      %60 = arith.uitofp %59 : i32 to f32
      %61 = arith.divf %60, %cst_24 : f32
      %62 = arith.subf %61, %cst_22 : f32
      %63 = arith.mulf %62, %37 : f32
      %64 = arith.fptosi %63 : f32 to i32
      %65 = arith.muli %64, %64 : i32
      %66 = arith.addi %58, %65 : i32
      %67 = arith.sitofp %66 : i32 to f32
      %68 = arith.cmpf olt, %67, %39 : f32
      %69 = arith.index_cast %64 : i32 to index
      %70 = arith.addi %y, %69 : index
      %71 = arith.index_cast %57 : i32 to index
      %72 = arith.addi %x, %71 : index
      %73 = pipeline.gather %depth[%70, %72] clamp : tensor<?x?xf32>
      %74 = arith.cmpf olt, %73, %30 : f32
      %75 = arith.ori %68, %74 : i1
      %76 = pipeline.gather %radius[%70, %72] clamp : tensor<?x?xf32>
      %77 = arith.mulf %76, %76 : f32
      %78 = arith.cmpf olt, %67, %77 : f32
      %79 = arith.andi %75, %78 : i1
      %80 = pipeline.gather %arg0[%c, %70, %72] clamp : tensor<3x?x?xi8>
      %81 = arith.uitofp %80 : i8 to f32
      %82 = arith.addf %acc, %81 : f32
      %83 = arith.select %79, %82, %acc : f32
      %84 = arith.select %79, %43, %acc_28 : f32
      pipeline.yield %83, %84 : f32, f32
    } : f32, f32
    %41 = arith.divf %40#0, %40#1 : f32
    %42 = arith.mulf %41, %cst_27 : f32
    pipeline.yield %42 : f32
  } sized(%dim, %dim_0) : tensor<3x?x?xf32>
  return %blurred : tensor<3x?x?xf32>
}
