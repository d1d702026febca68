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
    %30 = pipeline.reduce (%rx) in [0, 3) (%acc = %cst : f32) {
      %31 = pipeline.load %arg0[%rx, %y, %x] : tensor<3x?x?xi8>
      %32 = arith.uitofp %31 : i8 to f32
      %33 = pipeline.load %arg1[%rx, %y, %x + %c * 2] clamp : tensor<3x?x?xi8>
      %34 = arith.uitofp %33 : i8 to f32
      %35 = arith.subf %32, %34 : f32
      %36 = math.absf %35 : f32
      %37 = pipeline.load %arg1[%rx, %y, %x + %c * 2 + 1] clamp : tensor<3x?x?xi8>
      %38 = arith.uitofp %37 : i8 to f32
      %39 = arith.subf %32, %38 : f32
      %40 = math.absf %39 : f32
      %41 = arith.minimumf %36, %40 : f32
      %42 = arith.mulf %41, %41 : f32
      %43 = arith.addf %acc, %42 : f32
      pipeline.yield %43 : f32
    } : f32
    pipeline.yield %30 : f32
  } sized(%dim, %dim_2) : tensor<32x?x?xf32>
  %cst_5 = arith.constant 3.200000e+01 : f32
  %confidence = pipeline.stage "confidence" (%y, %x) {
    %30:2 = pipeline.reduce (%rx) in [0, 32) (%acc = %cst : f32, %acc_32 = %cst : f32) {
      %35 = pipeline.load %cost[%rx, %y, %x] : tensor<32x?x?xf32>
      %36 = arith.mulf %35, %35 : f32
      %37 = arith.addf %acc, %36 : f32
      %38 = arith.addf %acc_32, %35 : f32
      pipeline.yield %37, %38 : f32, f32
    } : f32, f32
    %31 = arith.divf %30#0, %cst_5 : f32
    %32 = arith.divf %30#1, %cst_5 : f32
    %33 = arith.mulf %32, %32 : f32
    %34 = arith.subf %31, %33 : f32
    pipeline.yield %34 : f32
  } sized(%dim, %dim_2) : tensor<?x?xf32>
  %cost0 = pipeline.stage "cost0" (%c, %y, %x) {
    %30 = pipeline.load %cost[%c, %y, %x] : tensor<32x?x?xf32>
    %31 = pipeline.load %confidence[%y, %x] : tensor<?x?xf32>
    %32 = arith.mulf %30, %31 : f32
    pipeline.yield %32 : f32
  } sized(%dim, %dim_2) : tensor<32x?x?xf32>
  %c2_6 = arith.constant 2 : index
  %c1_7 = arith.constant 1 : index
  %2 = arith.addi %dim_2, %c1_7 : index
  %c1_8 = arith.constant 1 : index
  %3 = arith.shrsi %2, %c1_8 : index
  %cst_9 = arith.constant 3.000000e+00 : f32
  %cst_10 = arith.constant 8.000000e+00 : f32
  %cost_down1 = pipeline.stage "cost_down1" (%c, %y, %x) {
    %30 = pipeline.load %cost0[%c, %y, %x * 2 - 1] clamp : tensor<32x?x?xf32>
    %31 = pipeline.load %cost0[%c, %y, %x * 2 + 2] clamp : tensor<32x?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %cost0[%c, %y, %x * 2] clamp : tensor<32x?x?xf32>
    %34 = pipeline.load %cost0[%c, %y, %x * 2 + 1] clamp : tensor<32x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%dim, %3) : tensor<32x?x?xf32>
  %4 = arith.addi %dim, %c1_7 : index
  %c1_11 = arith.constant 1 : index
  %5 = arith.shrsi %4, %c1_11 : index
  %cost1 = pipeline.stage "cost1" (%c, %y, %x) {
    %30 = pipeline.load %cost_down1[%c, %y * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %31 = pipeline.load %cost_down1[%c, %y * 2 + 2, %x] clamp : tensor<32x?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %cost_down1[%c, %y * 2, %x] clamp : tensor<32x?x?xf32>
    %34 = pipeline.load %cost_down1[%c, %y * 2 + 1, %x] clamp : tensor<32x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%5, %3) : tensor<32x?x?xf32>
  %6 = arith.addi %3, %c1_7 : index
  %c1_12 = arith.constant 1 : index
  %7 = arith.shrsi %6, %c1_12 : index
  %cost_down2 = pipeline.stage "cost_down2" (%c, %y, %x) {
    %30 = pipeline.load %cost1[%c, %y, %x * 2 - 1] clamp : tensor<32x?x?xf32>
    %31 = pipeline.load %cost1[%c, %y, %x * 2 + 2] clamp : tensor<32x?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %cost1[%c, %y, %x * 2] clamp : tensor<32x?x?xf32>
    %34 = pipeline.load %cost1[%c, %y, %x * 2 + 1] clamp : tensor<32x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%5, %7) : tensor<32x?x?xf32>
  %8 = arith.addi %5, %c1_7 : index
  %c1_13 = arith.constant 1 : index
  %9 = arith.shrsi %8, %c1_13 : index
  %cost2 = pipeline.stage "cost2" (%c, %y, %x) {
    %30 = pipeline.load %cost_down2[%c, %y * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %31 = pipeline.load %cost_down2[%c, %y * 2 + 2, %x] clamp : tensor<32x?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %cost_down2[%c, %y * 2, %x] clamp : tensor<32x?x?xf32>
    %34 = pipeline.load %cost_down2[%c, %y * 2 + 1, %x] clamp : tensor<32x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%9, %7) : tensor<32x?x?xf32>
  %10 = arith.addi %7, %c1_7 : index
  %c1_14 = arith.constant 1 : index
  %11 = arith.shrsi %10, %c1_14 : index
  %cost_down3 = pipeline.stage "cost_down3" (%c, %y, %x) {
    %30 = pipeline.load %cost2[%c, %y, %x * 2 - 1] clamp : tensor<32x?x?xf32>
    %31 = pipeline.load %cost2[%c, %y, %x * 2 + 2] clamp : tensor<32x?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %cost2[%c, %y, %x * 2] clamp : tensor<32x?x?xf32>
    %34 = pipeline.load %cost2[%c, %y, %x * 2 + 1] clamp : tensor<32x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%9, %11) : tensor<32x?x?xf32>
  %12 = arith.addi %9, %c1_7 : index
  %c1_15 = arith.constant 1 : index
  %13 = arith.shrsi %12, %c1_15 : index
  %cost3 = pipeline.stage "cost3" (%c, %y, %x) {
    %30 = pipeline.load %cost_down3[%c, %y * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %31 = pipeline.load %cost_down3[%c, %y * 2 + 2, %x] clamp : tensor<32x?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %cost_down3[%c, %y * 2, %x] clamp : tensor<32x?x?xf32>
    %34 = pipeline.load %cost_down3[%c, %y * 2 + 1, %x] clamp : tensor<32x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%13, %11) : tensor<32x?x?xf32>
  %14 = arith.addi %11, %c1_7 : index
  %c1_16 = arith.constant 1 : index
  %15 = arith.shrsi %14, %c1_16 : index
  %cost_down4 = pipeline.stage "cost_down4" (%c, %y, %x) {
    %30 = pipeline.load %cost3[%c, %y, %x * 2 - 1] clamp : tensor<32x?x?xf32>
    %31 = pipeline.load %cost3[%c, %y, %x * 2 + 2] clamp : tensor<32x?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %cost3[%c, %y, %x * 2] clamp : tensor<32x?x?xf32>
    %34 = pipeline.load %cost3[%c, %y, %x * 2 + 1] clamp : tensor<32x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%13, %15) : tensor<32x?x?xf32>
  %16 = arith.addi %13, %c1_7 : index
  %c1_17 = arith.constant 1 : index
  %17 = arith.shrsi %16, %c1_17 : index
  %cost4 = pipeline.stage "cost4" (%c, %y, %x) {
    %30 = pipeline.load %cost_down4[%c, %y * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %31 = pipeline.load %cost_down4[%c, %y * 2 + 2, %x] clamp : tensor<32x?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %cost_down4[%c, %y * 2, %x] clamp : tensor<32x?x?xf32>
    %34 = pipeline.load %cost_down4[%c, %y * 2 + 1, %x] clamp : tensor<32x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%17, %15) : tensor<32x?x?xf32>
  %18 = arith.addi %15, %c1_7 : index
  %c1_18 = arith.constant 1 : index
  %19 = arith.shrsi %18, %c1_18 : index
  %cost_down5 = pipeline.stage "cost_down5" (%c, %y, %x) {
    %30 = pipeline.load %cost4[%c, %y, %x * 2 - 1] clamp : tensor<32x?x?xf32>
    %31 = pipeline.load %cost4[%c, %y, %x * 2 + 2] clamp : tensor<32x?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %cost4[%c, %y, %x * 2] clamp : tensor<32x?x?xf32>
    %34 = pipeline.load %cost4[%c, %y, %x * 2 + 1] clamp : tensor<32x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%17, %19) : tensor<32x?x?xf32>
  %20 = arith.addi %17, %c1_7 : index
  %c1_19 = arith.constant 1 : index
  %21 = arith.shrsi %20, %c1_19 : index
  %cost5 = pipeline.stage "cost5" (%c, %y, %x) {
    %30 = pipeline.load %cost_down5[%c, %y * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %31 = pipeline.load %cost_down5[%c, %y * 2 + 2, %x] clamp : tensor<32x?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %cost_down5[%c, %y * 2, %x] clamp : tensor<32x?x?xf32>
    %34 = pipeline.load %cost_down5[%c, %y * 2 + 1, %x] clamp : tensor<32x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%21, %19) : tensor<32x?x?xf32>
  %22 = arith.addi %19, %c1_7 : index
  %c1_20 = arith.constant 1 : index
  %23 = arith.shrsi %22, %c1_20 : index
  %cost_down6 = pipeline.stage "cost_down6" (%c, %y, %x) {
    %30 = pipeline.load %cost5[%c, %y, %x * 2 - 1] clamp : tensor<32x?x?xf32>
    %31 = pipeline.load %cost5[%c, %y, %x * 2 + 2] clamp : tensor<32x?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %cost5[%c, %y, %x * 2] clamp : tensor<32x?x?xf32>
    %34 = pipeline.load %cost5[%c, %y, %x * 2 + 1] clamp : tensor<32x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%21, %23) : tensor<32x?x?xf32>
  %24 = arith.addi %21, %c1_7 : index
  %c1_21 = arith.constant 1 : index
  %25 = arith.shrsi %24, %c1_21 : index
  %cost6 = pipeline.stage "cost6" (%c, %y, %x) {
    %30 = pipeline.load %cost_down6[%c, %y * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %31 = pipeline.load %cost_down6[%c, %y * 2 + 2, %x] clamp : tensor<32x?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %cost_down6[%c, %y * 2, %x] clamp : tensor<32x?x?xf32>
    %34 = pipeline.load %cost_down6[%c, %y * 2 + 1, %x] clamp : tensor<32x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%25, %23) : tensor<32x?x?xf32>
  %26 = arith.addi %23, %c1_7 : index
  %c1_22 = arith.constant 1 : index
  %27 = arith.shrsi %26, %c1_22 : index
  %cost_down7 = pipeline.stage "cost_down7" (%c, %y, %x) {
    %30 = pipeline.load %cost6[%c, %y, %x * 2 - 1] clamp : tensor<32x?x?xf32>
    %31 = pipeline.load %cost6[%c, %y, %x * 2 + 2] clamp : tensor<32x?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %cost6[%c, %y, %x * 2] clamp : tensor<32x?x?xf32>
    %34 = pipeline.load %cost6[%c, %y, %x * 2 + 1] clamp : tensor<32x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%25, %27) : tensor<32x?x?xf32>
  %28 = arith.addi %25, %c1_7 : index
  %c1_23 = arith.constant 1 : index
  %29 = arith.shrsi %28, %c1_23 : index
  %cost7 = pipeline.stage "cost7" (%c, %y, %x) {
    %30 = pipeline.load %cost_down7[%c, %y * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %31 = pipeline.load %cost_down7[%c, %y * 2 + 2, %x] clamp : tensor<32x?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %cost_down7[%c, %y * 2, %x] clamp : tensor<32x?x?xf32>
    %34 = pipeline.load %cost_down7[%c, %y * 2 + 1, %x] clamp : tensor<32x?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%29, %27) : tensor<32x?x?xf32>
  %cst_24 = arith.constant 2.500000e-01 : f32
  %cst_25 = arith.constant 7.500000e-01 : f32
  %cost_up6 = pipeline.stage "cost_up6" (%c, %y, %x) {
    %30 = pipeline.load %cost7[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<32x?x?xf32>
    %31 = arith.mulf %30, %cst_24 : f32
    %32 = pipeline.load %cost7[%c, %y, %x floordiv 2] : tensor<32x?x?xf32>
    %33 = arith.mulf %32, %cst_25 : f32
    %34 = arith.addf %31, %33 : f32
    pipeline.yield %34 : f32
  } sized(%29, %23) : tensor<32x?x?xf32>
  %cst_26 = arith.constant 5.000000e-01 : f32
  %cost_pull6 = pipeline.stage "cost_pull6" (%c, %y, %x) {
    %30 = pipeline.load %cost6[%c, %y, %x] : tensor<32x?x?xf32>
    %31 = pipeline.load %cost_up6[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %32 = arith.mulf %31, %cst_24 : f32
    %33 = pipeline.load %cost_up6[%c, %y floordiv 2, %x] : tensor<32x?x?xf32>
    %34 = arith.mulf %33, %cst_25 : f32
    %35 = arith.addf %32, %34 : f32
    %36 = arith.addf %35, %30 : f32
    %37 = arith.mulf %36, %cst_26 : f32
    pipeline.yield %37 : f32
  } sized(%25, %23) : tensor<32x?x?xf32>
  %cost_up5 = pipeline.stage "cost_up5" (%c, %y, %x) {
    %30 = pipeline.load %cost_pull6[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<32x?x?xf32>
    %31 = arith.mulf %30, %cst_24 : f32
    %32 = pipeline.load %cost_pull6[%c, %y, %x floordiv 2] : tensor<32x?x?xf32>
    %33 = arith.mulf %32, %cst_25 : f32
    %34 = arith.addf %31, %33 : f32
    pipeline.yield %34 : f32
  } sized(%25, %19) : tensor<32x?x?xf32>
  %cost_pull5 = pipeline.stage "cost_pull5" (%c, %y, %x) {
    %30 = pipeline.load %cost5[%c, %y, %x] : tensor<32x?x?xf32>
    %31 = pipeline.load %cost_up5[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %32 = arith.mulf %31, %cst_24 : f32
    %33 = pipeline.load %cost_up5[%c, %y floordiv 2, %x] : tensor<32x?x?xf32>
    %34 = arith.mulf %33, %cst_25 : f32
    %35 = arith.addf %32, %34 : f32
    %36 = arith.addf %35, %30 : f32
    %37 = arith.mulf %36, %cst_26 : f32
    pipeline.yield %37 : f32
  } sized(%21, %19) : tensor<32x?x?xf32>
  %cost_up4 = pipeline.stage "cost_up4" (%c, %y, %x) {
    %30 = pipeline.load %cost_pull5[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<32x?x?xf32>
    %31 = arith.mulf %30, %cst_24 : f32
    %32 = pipeline.load %cost_pull5[%c, %y, %x floordiv 2] : tensor<32x?x?xf32>
    %33 = arith.mulf %32, %cst_25 : f32
    %34 = arith.addf %31, %33 : f32
    pipeline.yield %34 : f32
  } sized(%21, %15) : tensor<32x?x?xf32>
  %cost_pull4 = pipeline.stage "cost_pull4" (%c, %y, %x) {
    %30 = pipeline.load %cost4[%c, %y, %x] : tensor<32x?x?xf32>
    %31 = pipeline.load %cost_up4[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %32 = arith.mulf %31, %cst_24 : f32
    %33 = pipeline.load %cost_up4[%c, %y floordiv 2, %x] : tensor<32x?x?xf32>
    %34 = arith.mulf %33, %cst_25 : f32
    %35 = arith.addf %32, %34 : f32
    %36 = arith.addf %35, %30 : f32
    %37 = arith.mulf %36, %cst_26 : f32
    pipeline.yield %37 : f32
  } sized(%17, %15) : tensor<32x?x?xf32>
  %cost_up3 = pipeline.stage "cost_up3" (%c, %y, %x) {
    %30 = pipeline.load %cost_pull4[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<32x?x?xf32>
    %31 = arith.mulf %30, %cst_24 : f32
    %32 = pipeline.load %cost_pull4[%c, %y, %x floordiv 2] : tensor<32x?x?xf32>
    %33 = arith.mulf %32, %cst_25 : f32
    %34 = arith.addf %31, %33 : f32
    pipeline.yield %34 : f32
  } sized(%17, %11) : tensor<32x?x?xf32>
  %cost_pull3 = pipeline.stage "cost_pull3" (%c, %y, %x) {
    %30 = pipeline.load %cost3[%c, %y, %x] : tensor<32x?x?xf32>
    %31 = pipeline.load %cost_up3[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %32 = arith.mulf %31, %cst_24 : f32
    %33 = pipeline.load %cost_up3[%c, %y floordiv 2, %x] : tensor<32x?x?xf32>
    %34 = arith.mulf %33, %cst_25 : f32
    %35 = arith.addf %32, %34 : f32
    %36 = arith.addf %35, %30 : f32
    %37 = arith.mulf %36, %cst_26 : f32
    pipeline.yield %37 : f32
  } sized(%13, %11) : tensor<32x?x?xf32>
  %cost_up2 = pipeline.stage "cost_up2" (%c, %y, %x) {
    %30 = pipeline.load %cost_pull3[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<32x?x?xf32>
    %31 = arith.mulf %30, %cst_24 : f32
    %32 = pipeline.load %cost_pull3[%c, %y, %x floordiv 2] : tensor<32x?x?xf32>
    %33 = arith.mulf %32, %cst_25 : f32
    %34 = arith.addf %31, %33 : f32
    pipeline.yield %34 : f32
  } sized(%13, %7) : tensor<32x?x?xf32>
  %cost_pull2 = pipeline.stage "cost_pull2" (%c, %y, %x) {
    %30 = pipeline.load %cost2[%c, %y, %x] : tensor<32x?x?xf32>
    %31 = pipeline.load %cost_up2[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %32 = arith.mulf %31, %cst_24 : f32
    %33 = pipeline.load %cost_up2[%c, %y floordiv 2, %x] : tensor<32x?x?xf32>
    %34 = arith.mulf %33, %cst_25 : f32
    %35 = arith.addf %32, %34 : f32
    %36 = arith.addf %35, %30 : f32
    %37 = arith.mulf %36, %cst_26 : f32
    pipeline.yield %37 : f32
  } sized(%9, %7) : tensor<32x?x?xf32>
  %cost_up1 = pipeline.stage "cost_up1" (%c, %y, %x) {
    %30 = pipeline.load %cost_pull2[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<32x?x?xf32>
    %31 = arith.mulf %30, %cst_24 : f32
    %32 = pipeline.load %cost_pull2[%c, %y, %x floordiv 2] : tensor<32x?x?xf32>
    %33 = arith.mulf %32, %cst_25 : f32
    %34 = arith.addf %31, %33 : f32
    pipeline.yield %34 : f32
  } sized(%9, %3) : tensor<32x?x?xf32>
  %cost_pull1 = pipeline.stage "cost_pull1" (%c, %y, %x) {
    %30 = pipeline.load %cost1[%c, %y, %x] : tensor<32x?x?xf32>
    %31 = pipeline.load %cost_up1[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %32 = arith.mulf %31, %cst_24 : f32
    %33 = pipeline.load %cost_up1[%c, %y floordiv 2, %x] : tensor<32x?x?xf32>
    %34 = arith.mulf %33, %cst_25 : f32
    %35 = arith.addf %32, %34 : f32
    %36 = arith.addf %35, %30 : f32
    %37 = arith.mulf %36, %cst_26 : f32
    pipeline.yield %37 : f32
  } sized(%5, %3) : tensor<32x?x?xf32>
  %cost_up0 = pipeline.stage "cost_up0" (%c, %y, %x) {
    %30 = pipeline.load %cost_pull1[%c, %y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<32x?x?xf32>
    %31 = arith.mulf %30, %cst_24 : f32
    %32 = pipeline.load %cost_pull1[%c, %y, %x floordiv 2] : tensor<32x?x?xf32>
    %33 = arith.mulf %32, %cst_25 : f32
    %34 = arith.addf %31, %33 : f32
    pipeline.yield %34 : f32
  } sized(%5, %dim_2) : tensor<32x?x?xf32>
  %cost_pull0 = pipeline.stage "cost_pull0" (%c, %y, %x) {
    %30 = pipeline.load %cost0[%c, %y, %x] : tensor<32x?x?xf32>
    %31 = pipeline.load %cost_up0[%c, %y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<32x?x?xf32>
    %32 = arith.mulf %31, %cst_24 : f32
    %33 = pipeline.load %cost_up0[%c, %y floordiv 2, %x] : tensor<32x?x?xf32>
    %34 = arith.mulf %33, %cst_25 : f32
    %35 = arith.addf %32, %34 : f32
    %36 = arith.addf %35, %30 : f32
    %37 = arith.mulf %36, %cst_26 : f32
    pipeline.yield %37 : f32
  } sized(%dim, %dim_2) : tensor<32x?x?xf32>
  %conf_down1 = pipeline.stage "conf_down1" (%y, %x) {
    %30 = pipeline.load %confidence[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %31 = pipeline.load %confidence[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %confidence[%y, %x * 2] clamp : tensor<?x?xf32>
    %34 = pipeline.load %confidence[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%dim, %3) : tensor<?x?xf32>
  %conf1 = pipeline.stage "conf1" (%y, %x) {
    %30 = pipeline.load %conf_down1[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %31 = pipeline.load %conf_down1[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %conf_down1[%y * 2, %x] clamp : tensor<?x?xf32>
    %34 = pipeline.load %conf_down1[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%5, %3) : tensor<?x?xf32>
  %conf_down2 = pipeline.stage "conf_down2" (%y, %x) {
    %30 = pipeline.load %conf1[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %31 = pipeline.load %conf1[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %conf1[%y, %x * 2] clamp : tensor<?x?xf32>
    %34 = pipeline.load %conf1[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%5, %7) : tensor<?x?xf32>
  %conf2 = pipeline.stage "conf2" (%y, %x) {
    %30 = pipeline.load %conf_down2[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %31 = pipeline.load %conf_down2[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %conf_down2[%y * 2, %x] clamp : tensor<?x?xf32>
    %34 = pipeline.load %conf_down2[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%9, %7) : tensor<?x?xf32>
  %conf_down3 = pipeline.stage "conf_down3" (%y, %x) {
    %30 = pipeline.load %conf2[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %31 = pipeline.load %conf2[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %conf2[%y, %x * 2] clamp : tensor<?x?xf32>
    %34 = pipeline.load %conf2[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%9, %11) : tensor<?x?xf32>
  %conf3 = pipeline.stage "conf3" (%y, %x) {
    %30 = pipeline.load %conf_down3[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %31 = pipeline.load %conf_down3[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %conf_down3[%y * 2, %x] clamp : tensor<?x?xf32>
    %34 = pipeline.load %conf_down3[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%13, %11) : tensor<?x?xf32>
  %conf_down4 = pipeline.stage "conf_down4" (%y, %x) {
    %30 = pipeline.load %conf3[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %31 = pipeline.load %conf3[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %conf3[%y, %x * 2] clamp : tensor<?x?xf32>
    %34 = pipeline.load %conf3[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%13, %15) : tensor<?x?xf32>
  %conf4 = pipeline.stage "conf4" (%y, %x) {
    %30 = pipeline.load %conf_down4[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %31 = pipeline.load %conf_down4[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %conf_down4[%y * 2, %x] clamp : tensor<?x?xf32>
    %34 = pipeline.load %conf_down4[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%17, %15) : tensor<?x?xf32>
  %conf_down5 = pipeline.stage "conf_down5" (%y, %x) {
    %30 = pipeline.load %conf4[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %31 = pipeline.load %conf4[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %conf4[%y, %x * 2] clamp : tensor<?x?xf32>
    %34 = pipeline.load %conf4[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%17, %19) : tensor<?x?xf32>
  %conf5 = pipeline.stage "conf5" (%y, %x) {
    %30 = pipeline.load %conf_down5[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %31 = pipeline.load %conf_down5[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %conf_down5[%y * 2, %x] clamp : tensor<?x?xf32>
    %34 = pipeline.load %conf_down5[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%21, %19) : tensor<?x?xf32>
  %conf_down6 = pipeline.stage "conf_down6" (%y, %x) {
    %30 = pipeline.load %conf5[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %31 = pipeline.load %conf5[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %conf5[%y, %x * 2] clamp : tensor<?x?xf32>
    %34 = pipeline.load %conf5[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%21, %23) : tensor<?x?xf32>
  %conf6 = pipeline.stage "conf6" (%y, %x) {
    %30 = pipeline.load %conf_down6[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %31 = pipeline.load %conf_down6[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %conf_down6[%y * 2, %x] clamp : tensor<?x?xf32>
    %34 = pipeline.load %conf_down6[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%25, %23) : tensor<?x?xf32>
  %conf_down7 = pipeline.stage "conf_down7" (%y, %x) {
    %30 = pipeline.load %conf6[%y, %x * 2 - 1] clamp : tensor<?x?xf32>
    %31 = pipeline.load %conf6[%y, %x * 2 + 2] clamp : tensor<?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %conf6[%y, %x * 2] clamp : tensor<?x?xf32>
    %34 = pipeline.load %conf6[%y, %x * 2 + 1] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%25, %27) : tensor<?x?xf32>
  %conf7 = pipeline.stage "conf7" (%y, %x) {
    %30 = pipeline.load %conf_down7[%y * 2 - 1, %x] clamp : tensor<?x?xf32>
    %31 = pipeline.load %conf_down7[%y * 2 + 2, %x] clamp : tensor<?x?xf32>
    %32 = arith.addf %30, %31 : f32
    %33 = pipeline.load %conf_down7[%y * 2, %x] clamp : tensor<?x?xf32>
    %34 = pipeline.load %conf_down7[%y * 2 + 1, %x] clamp : tensor<?x?xf32>
    %35 = arith.addf %33, %34 : f32
    %36 = arith.mulf %35, %cst_9 : f32
    %37 = arith.addf %32, %36 : f32
    %38 = arith.divf %37, %cst_10 : f32
    pipeline.yield %38 : f32
  } sized(%29, %27) : tensor<?x?xf32>
  %conf_up6 = pipeline.stage "conf_up6" (%y, %x) {
    %30 = pipeline.load %conf7[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %31 = arith.mulf %30, %cst_24 : f32
    %32 = pipeline.load %conf7[%y, %x floordiv 2] : tensor<?x?xf32>
    %33 = arith.mulf %32, %cst_25 : f32
    %34 = arith.addf %31, %33 : f32
    pipeline.yield %34 : f32
  } sized(%29, %23) : tensor<?x?xf32>
  %conf_pull6 = pipeline.stage "conf_pull6" (%y, %x) {
    %30 = pipeline.load %conf6[%y, %x] : tensor<?x?xf32>
    %31 = pipeline.load %conf_up6[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %32 = arith.mulf %31, %cst_24 : f32
    %33 = pipeline.load %conf_up6[%y floordiv 2, %x] : tensor<?x?xf32>
    %34 = arith.mulf %33, %cst_25 : f32
    %35 = arith.addf %32, %34 : f32
    %36 = arith.addf %35, %30 : f32
    %37 = arith.mulf %36, %cst_26 : f32
    pipeline.yield %37 : f32
  } sized(%25, %23) : tensor<?x?xf32>
  %conf_up5 = pipeline.stage "conf_up5" (%y, %x) {
    %30 = pipeline.load %conf_pull6[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %31 = arith.mulf %30, %cst_24 : f32
    %32 = pipeline.load %conf_pull6[%y, %x floordiv 2] : tensor<?x?xf32>
    %33 = arith.mulf %32, %cst_25 : f32
    %34 = arith.addf %31, %33 : f32
    pipeline.yield %34 : f32
  } sized(%25, %19) : tensor<?x?xf32>
  %conf_pull5 = pipeline.stage "conf_pull5" (%y, %x) {
    %30 = pipeline.load %conf5[%y, %x] : tensor<?x?xf32>
    %31 = pipeline.load %conf_up5[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %32 = arith.mulf %31, %cst_24 : f32
    %33 = pipeline.load %conf_up5[%y floordiv 2, %x] : tensor<?x?xf32>
    %34 = arith.mulf %33, %cst_25 : f32
    %35 = arith.addf %32, %34 : f32
    %36 = arith.addf %35, %30 : f32
    %37 = arith.mulf %36, %cst_26 : f32
    pipeline.yield %37 : f32
  } sized(%21, %19) : tensor<?x?xf32>
  %conf_up4 = pipeline.stage "conf_up4" (%y, %x) {
    %30 = pipeline.load %conf_pull5[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %31 = arith.mulf %30, %cst_24 : f32
    %32 = pipeline.load %conf_pull5[%y, %x floordiv 2] : tensor<?x?xf32>
    %33 = arith.mulf %32, %cst_25 : f32
    %34 = arith.addf %31, %33 : f32
    pipeline.yield %34 : f32
  } sized(%21, %15) : tensor<?x?xf32>
  %conf_pull4 = pipeline.stage "conf_pull4" (%y, %x) {
    %30 = pipeline.load %conf4[%y, %x] : tensor<?x?xf32>
    %31 = pipeline.load %conf_up4[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %32 = arith.mulf %31, %cst_24 : f32
    %33 = pipeline.load %conf_up4[%y floordiv 2, %x] : tensor<?x?xf32>
    %34 = arith.mulf %33, %cst_25 : f32
    %35 = arith.addf %32, %34 : f32
    %36 = arith.addf %35, %30 : f32
    %37 = arith.mulf %36, %cst_26 : f32
    pipeline.yield %37 : f32
  } sized(%17, %15) : tensor<?x?xf32>
  %conf_up3 = pipeline.stage "conf_up3" (%y, %x) {
    %30 = pipeline.load %conf_pull4[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %31 = arith.mulf %30, %cst_24 : f32
    %32 = pipeline.load %conf_pull4[%y, %x floordiv 2] : tensor<?x?xf32>
    %33 = arith.mulf %32, %cst_25 : f32
    %34 = arith.addf %31, %33 : f32
    pipeline.yield %34 : f32
  } sized(%17, %11) : tensor<?x?xf32>
  %conf_pull3 = pipeline.stage "conf_pull3" (%y, %x) {
    %30 = pipeline.load %conf3[%y, %x] : tensor<?x?xf32>
    %31 = pipeline.load %conf_up3[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %32 = arith.mulf %31, %cst_24 : f32
    %33 = pipeline.load %conf_up3[%y floordiv 2, %x] : tensor<?x?xf32>
    %34 = arith.mulf %33, %cst_25 : f32
    %35 = arith.addf %32, %34 : f32
    %36 = arith.addf %35, %30 : f32
    %37 = arith.mulf %36, %cst_26 : f32
    pipeline.yield %37 : f32
  } sized(%13, %11) : tensor<?x?xf32>
  %conf_up2 = pipeline.stage "conf_up2" (%y, %x) {
    %30 = pipeline.load %conf_pull3[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %31 = arith.mulf %30, %cst_24 : f32
    %32 = pipeline.load %conf_pull3[%y, %x floordiv 2] : tensor<?x?xf32>
    %33 = arith.mulf %32, %cst_25 : f32
    %34 = arith.addf %31, %33 : f32
    pipeline.yield %34 : f32
  } sized(%13, %7) : tensor<?x?xf32>
  %conf_pull2 = pipeline.stage "conf_pull2" (%y, %x) {
    %30 = pipeline.load %conf2[%y, %x] : tensor<?x?xf32>
    %31 = pipeline.load %conf_up2[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %32 = arith.mulf %31, %cst_24 : f32
    %33 = pipeline.load %conf_up2[%y floordiv 2, %x] : tensor<?x?xf32>
    %34 = arith.mulf %33, %cst_25 : f32
    %35 = arith.addf %32, %34 : f32
    %36 = arith.addf %35, %30 : f32
    %37 = arith.mulf %36, %cst_26 : f32
    pipeline.yield %37 : f32
  } sized(%9, %7) : tensor<?x?xf32>
  %conf_up1 = pipeline.stage "conf_up1" (%y, %x) {
    %30 = pipeline.load %conf_pull2[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %31 = arith.mulf %30, %cst_24 : f32
    %32 = pipeline.load %conf_pull2[%y, %x floordiv 2] : tensor<?x?xf32>
    %33 = arith.mulf %32, %cst_25 : f32
    %34 = arith.addf %31, %33 : f32
    pipeline.yield %34 : f32
  } sized(%9, %3) : tensor<?x?xf32>
  %conf_pull1 = pipeline.stage "conf_pull1" (%y, %x) {
    %30 = pipeline.load %conf1[%y, %x] : tensor<?x?xf32>
    %31 = pipeline.load %conf_up1[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %32 = arith.mulf %31, %cst_24 : f32
    %33 = pipeline.load %conf_up1[%y floordiv 2, %x] : tensor<?x?xf32>
    %34 = arith.mulf %33, %cst_25 : f32
    %35 = arith.addf %32, %34 : f32
    %36 = arith.addf %35, %30 : f32
    %37 = arith.mulf %36, %cst_26 : f32
    pipeline.yield %37 : f32
  } sized(%5, %3) : tensor<?x?xf32>
  %conf_up0 = pipeline.stage "conf_up0" (%y, %x) {
    %30 = pipeline.load %conf_pull1[%y, %x floordiv 2 + (%x mod 2) * 2 - 1] clamp : tensor<?x?xf32>
    %31 = arith.mulf %30, %cst_24 : f32
    %32 = pipeline.load %conf_pull1[%y, %x floordiv 2] : tensor<?x?xf32>
    %33 = arith.mulf %32, %cst_25 : f32
    %34 = arith.addf %31, %33 : f32
    pipeline.yield %34 : f32
  } sized(%5, %dim_2) : tensor<?x?xf32>
  %conf_pull0 = pipeline.stage "conf_pull0" (%y, %x) {
    %30 = pipeline.load %confidence[%y, %x] : tensor<?x?xf32>
    %31 = pipeline.load %conf_up0[%y floordiv 2 + (%y mod 2) * 2 - 1, %x] clamp : tensor<?x?xf32>
    %32 = arith.mulf %31, %cst_24 : f32
    %33 = pipeline.load %conf_up0[%y floordiv 2, %x] : tensor<?x?xf32>
    %34 = arith.mulf %33, %cst_25 : f32
    %35 = arith.addf %32, %34 : f32
    %36 = arith.addf %35, %30 : f32
    %37 = arith.mulf %36, %cst_26 : f32
    pipeline.yield %37 : f32
  } sized(%dim, %dim_2) : tensor<?x?xf32>
  %cst_27 = arith.constant 0x7F800000 : f32
  %depth = pipeline.stage "depth" (%y, %x) {
    %30 = pipeline.load %conf_pull0[%y, %x] : tensor<?x?xf32>
    %31:2 = pipeline.reduce (%rx) in [0, 32) (%acc = %cst_27 : f32, %acc_32 = %cst : f32) {
      %32 = pipeline.load %cost_pull0[%rx, %y, %x] : tensor<32x?x?xf32>
      %33 = arith.divf %32, %30 : f32
      %34 = arith.cmpf olt, %33, %acc : f32
      %35 = arith.select %34, %33, %acc : f32
      %36 = arith.index_cast %rx : index to i32
      %37 = arith.sitofp %36 : i32 to f32
      %38 = arith.select %34, %37, %acc_32 : f32
      pipeline.yield %35, %38 : f32, f32
    } : f32, f32
    pipeline.yield %31#1 : f32
  } sized(%dim, %dim_2) : tensor<?x?xf32>
  %radius = pipeline.stage "radius" (%y, %x) {
    %30 = pipeline.load %depth[%y, %x] : tensor<?x?xf32>
    %31 = arith.subf %30, %arg2 : f32
    %32 = math.absf %31 : f32
    %33 = arith.mulf %32, %arg3 : f32
    pipeline.yield %33 : f32
  } sized(%dim, %dim_2) : tensor<?x?xf32>
  %worst_y = pipeline.stage "worst_y" (%y, %x) {
    %30 = pipeline.reduce (%rx) in [-31, 32) (%acc = %cst : f32) {
      %31 = pipeline.load %radius[%y + %rx, %x] clamp : tensor<?x?xf32>
      %32 = arith.maximumf %acc, %31 : f32
      pipeline.yield %32 : f32
    } : f32
    pipeline.yield %30 : f32
  } sized(%dim, %dim_2) : tensor<?x?xf32>
  %worst = pipeline.stage "worst" (%y, %x) {
    %30 = pipeline.reduce (%rx) in [-31, 32) (%acc = %cst : f32) {
      %31 = pipeline.load %worst_y[%y, %x + %rx] clamp : tensor<?x?xf32>
      %32 = arith.maximumf %acc, %31 : f32
      pipeline.yield %32 : f32
    } : f32
    pipeline.yield %30 : f32
  } sized(%dim, %dim_2) : tensor<?x?xf32>
  %c1973_i32 = arith.constant 1973 : i32
  %c9277_i32 = arith.constant 9277 : i32
  %c26699_i32 = arith.constant 26699 : i32
  %c15_i32 = arith.constant 15 : i32
  %c739982445_i32 = arith.constant 739982445 : i32
  %c65535_i32 = arith.constant 65535 : i32
  %cst_28 = arith.constant 6.553600e+04 : f32
  %cst_29 = arith.constant 2.000000e+00 : f32
  %c16_i32 = arith.constant 16 : i32
  %cst_30 = arith.constant 1.000000e+00 : f32
  %cst_31 = arith.constant 0.00392156886 : f32
  %blurred = pipeline.stage "blurred" (%c, %y, %x) {
    %30 = pipeline.load %arg0[%c, %y, %x] : tensor<3x?x?xi8>
    %31 = arith.uitofp %30 : i8 to f32
    %32 = pipeline.load %depth[%y, %x] : tensor<?x?xf32>
    %33 = arith.index_castui %y : index to i32
    %34 = arith.muli %33, %c1973_i32 : i32
    %35 = arith.index_castui %x : index to i32
    %36 = arith.muli %35, %c9277_i32 : i32
    %37 = arith.addi %34, %36 : i32
    %38 = pipeline.load %worst[%y, %x] : tensor<?x?xf32>
    %39 = arith.mulf %38, %cst_29 : f32
    %40 = pipeline.load %radius[%y, %x] : tensor<?x?xf32>
    %41 = arith.mulf %40, %40 : f32
    %42:2 = pipeline.reduce (%rx) in [0, 32) (%acc = %31 : f32, %acc_32 = %cst_30 : f32) {
      %45 = arith.addf %acc_32, %cst_30 : f32
      %46 = arith.index_castui %rx : index to i32
      %47 = arith.muli %46, %c26699_i32 : i32
      %48 = arith.addi %37, %47 : i32
      %49 = arith.shrui %48, %c15_i32 : i32
      %50 = arith.xori %48, %49 : i32
      %51 = arith.muli %50, %c739982445_i32 : i32
      %52 = arith.shrui %51, %c15_i32 : i32
      %53 = arith.xori %51, %52 : i32
      %54 = arith.andi %53, %c65535_i32 : i32
      %55 = arith.uitofp %54 : i32 to f32
      %56 = arith.divf %55, %cst_28 : f32
      %57 = arith.subf %56, %cst_26 : f32
      %58 = arith.mulf %57, %39 : f32
      %59 = arith.fptosi %58 : f32 to i32
      %60 = arith.muli %59, %59 : i32
      %61 = arith.shrui %53, %c16_i32 : i32
      %62 = arith.uitofp %61 : i32 to f32
      %63 = arith.divf %62, %cst_28 : f32
      %64 = arith.subf %63, %cst_26 : f32
      %65 = arith.mulf %64, %39 : f32
      %66 = arith.fptosi %65 : f32 to i32
      %67 = arith.muli %66, %66 : i32
      %68 = arith.addi %60, %67 : i32
      %69 = arith.sitofp %68 : i32 to f32
      %70 = arith.cmpf olt, %69, %41 : f32
      %71 = arith.index_cast %66 : i32 to index
      %72 = arith.addi %y, %71 : index
      %73 = arith.index_cast %59 : i32 to index
      %74 = arith.addi %x, %73 : index
      %75 = pipeline.gather %depth[%72, %74] clamp : tensor<?x?xf32>
      %76 = arith.cmpf olt, %75, %32 : f32
      %77 = arith.ori %70, %76 : i1
      %78 = pipeline.gather %radius[%72, %74] clamp : tensor<?x?xf32>
      %79 = arith.mulf %78, %78 : f32
      %80 = arith.cmpf olt, %69, %79 : f32
      %81 = arith.andi %77, %80 : i1
      %82 = pipeline.gather %arg0[%c, %72, %74] clamp : tensor<3x?x?xi8>
      %83 = arith.uitofp %82 : i8 to f32
      %84 = arith.addf %acc, %83 : f32
      %85 = arith.select %81, %84, %acc : f32
      %86 = arith.select %81, %45, %acc_32 : f32
      pipeline.yield %85, %86 : f32, f32
    } : f32, f32
    %43 = arith.divf %42#0, %42#1 : f32
    %44 = arith.mulf %43, %cst_31 : f32
    pipeline.yield %44 : f32
  } sized(%dim, %dim_2) : tensor<3x?x?xf32>
  return %blurred : tensor<3x?x?xf32>
}
