// The camera pipeline of the Frankencamera, 32 stages: from the 10 bits of a Bayer sensor (rows GRGR, BGBG) to 8-bit
// colours. Hot pixels are limited to their neighbours of the same colour; the four colour planes are taken apart (4);
// green at red and blue along the smaller difference (2), red and blue at green (4) and at each other (2) corrected by
// the second derivative of green; planes are put together again along x (6) and along y (3); a matrix for the light's
// temperature, between one at 3200 K and one at 7000 K, corrects red, green and blue (3); a table of gamma and
// contrast, and its values (2); an unsharp mask of 1 2 1 blurs (4), and the part that no edge has touched (1). It is
// Halide's app, which moves the origin first.
//
//   pipeline-run examples/camera_pipe.mlir --arg raw=raw.npy --arg kelvin=3700 --arg gamma=2 --arg contrast=50 --arg sharpen=1 --arg black=25 --arg white=1023 --out rgb=rgb.png

func.func @camera_pipe(%arg0: tensor<?x?xi16> {weft.estimate = array<i64: 1968, 2592>, weft.name = "raw", weft.unsigned}, %arg1: f32 {weft.name = "kelvin"}, %arg2: f32 {weft.name = "gamma"}, %arg3: f32 {weft.name = "contrast"}, %arg4: f32 {weft.name = "sharpen"}, %arg5: i32 {weft.name = "black"}, %arg6: i32 {weft.name = "white"}) -> (tensor<3x?x?xi8> {weft.name = "rgb", weft.unsigned}) {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?x?xi16>
  %c1 = arith.constant 1 : index
  %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xi16>
  %c2 = arith.constant 2 : index
  %c1_1 = arith.constant 1 : index
  %0 = arith.shrsi %dim, %c1_1 : index
  %c1_2 = arith.constant 1 : index
  %1 = arith.shrsi %dim_0, %c1_2 : index
  %2 = arith.muli %0, %c2 : index
  %3 = arith.muli %1, %c2 : index
  %denoised = pipeline.stage "denoised" (%y, %x) {
    %82 = pipeline.load %arg0[%y - 2, %x] clamp : tensor<?x?xi16>
    %83 = arith.extui %82 : i16 to i32
    %84 = pipeline.load %arg0[%y + 2, %x] clamp : tensor<?x?xi16>
    %85 = arith.extui %84 : i16 to i32
    %86 = pipeline.load %arg0[%y, %x - 2] clamp : tensor<?x?xi16>
    %87 = arith.extui %86 : i16 to i32
    %88 = pipeline.load %arg0[%y, %x + 2] clamp : tensor<?x?xi16>
    %89 = arith.extui %88 : i16 to i32
    %90 = arith.minsi %83, %85 : i32
    %91 = arith.maxsi %83, %85 : i32
    %92 = arith.minsi %90, %87 : i32
    %93 = arith.maxsi %91, %87 : i32
    %94 = arith.minsi %92, %89 : i32
    %95 = arith.maxsi %93, %89 : i32
    %96 = pipeline.load %arg0[%y, %x] clamp : tensor<?x?xi16>
    %97 = arith.extui %96 : i16 to i32
    %98 = arith.maxsi %97, %94 : i32
    %99 = arith.minsi %98, %95 : i32
    pipeline.yield %99 : i32
  } sized(%2, %3) : tensor<?x?xi32>
  %g_gr = pipeline.stage "g_gr" (%y, %x) {
    %82 = pipeline.load %denoised[%y * 2, %x * 2] : tensor<?x?xi32>
    pipeline.yield %82 : i32
  } sized(%0, %1) : tensor<?x?xi32>
  %r_r = pipeline.stage "r_r" (%y, %x) {
    %82 = pipeline.load %denoised[%y * 2, %x * 2 + 1] : tensor<?x?xi32>
    pipeline.yield %82 : i32
  } sized(%0, %1) : tensor<?x?xi32>
  %b_b = pipeline.stage "b_b" (%y, %x) {
    %82 = pipeline.load %denoised[%y * 2 + 1, %x * 2] : tensor<?x?xi32>
    pipeline.yield %82 : i32
  } sized(%0, %1) : tensor<?x?xi32>
  %g_gb = pipeline.stage "g_gb" (%y, %x) {
    %82 = pipeline.load %denoised[%y * 2 + 1, %x * 2 + 1] : tensor<?x?xi32>
    pipeline.yield %82 : i32
  } sized(%0, %1) : tensor<?x?xi32>
  %c1_i32 = arith.constant 1 : i32
  %g_r = pipeline.stage "g_r" (%y, %x) {
    %82 = pipeline.load %g_gb[%y - 1, %x] clamp : tensor<?x?xi32>
    %83 = pipeline.load %g_gb[%y, %x] clamp : tensor<?x?xi32>
    %84 = arith.addi %82, %83 : i32
    %85 = arith.addi %84, %c1_i32 : i32
    %86 = arith.shrsi %85, %c1_i32 : i32
    %87 = arith.cmpi slt, %82, %83 : i32
    %88 = arith.subi %83, %82 : i32
    %89 = arith.subi %82, %83 : i32
    %90 = arith.select %87, %88, %89 : i32
    %91 = pipeline.load %g_gr[%y, %x + 1] clamp : tensor<?x?xi32>
    %92 = pipeline.load %g_gr[%y, %x] clamp : tensor<?x?xi32>
    %93 = arith.addi %91, %92 : i32
    %94 = arith.addi %93, %c1_i32 : i32
    %95 = arith.shrsi %94, %c1_i32 : i32
    %96 = arith.cmpi slt, %91, %92 : i32
    %97 = arith.subi %92, %91 : i32
    %98 = arith.subi %91, %92 : i32
    %99 = arith.select %96, %97, %98 : i32
    %100 = arith.cmpi slt, %99, %90 : i32
    %101 = arith.select %100, %95, %86 : i32
    pipeline.yield %101 : i32
  } sized(%0, %1) : tensor<?x?xi32>
  %g_b = pipeline.stage "g_b" (%y, %x) {
    %82 = pipeline.load %g_gb[%y, %x] clamp : tensor<?x?xi32>
    %83 = pipeline.load %g_gr[%y, %x] clamp : tensor<?x?xi32>
    %84 = pipeline.load %g_gr[%y + 1, %x] clamp : tensor<?x?xi32>
    %85 = arith.addi %84, %83 : i32
    %86 = arith.addi %85, %c1_i32 : i32
    %87 = arith.shrsi %86, %c1_i32 : i32
    %88 = arith.cmpi slt, %84, %83 : i32
    %89 = arith.subi %83, %84 : i32
    %90 = arith.subi %84, %83 : i32
    %91 = arith.select %88, %89, %90 : i32
    %92 = pipeline.load %g_gb[%y, %x - 1] clamp : tensor<?x?xi32>
    %93 = arith.addi %92, %82 : i32
    %94 = arith.addi %93, %c1_i32 : i32
    %95 = arith.shrsi %94, %c1_i32 : i32
    %96 = arith.cmpi slt, %92, %82 : i32
    %97 = arith.subi %82, %92 : i32
    %98 = arith.subi %92, %82 : i32
    %99 = arith.select %96, %97, %98 : i32
    %100 = arith.cmpi slt, %99, %91 : i32
    %101 = arith.select %100, %95, %87 : i32
    pipeline.yield %101 : i32
  } sized(%0, %1) : tensor<?x?xi32>
  %r_gr = pipeline.stage "r_gr" (%y, %x) {
    %82 = pipeline.load %g_gr[%y, %x] clamp : tensor<?x?xi32>
    %83 = pipeline.load %g_r[%y, %x - 1] clamp : tensor<?x?xi32>
    %84 = pipeline.load %g_r[%y, %x] clamp : tensor<?x?xi32>
    %85 = arith.addi %83, %84 : i32
    %86 = arith.addi %85, %c1_i32 : i32
    %87 = arith.shrsi %86, %c1_i32 : i32
    %88 = arith.subi %82, %87 : i32
    %89 = pipeline.load %r_r[%y, %x - 1] clamp : tensor<?x?xi32>
    %90 = pipeline.load %r_r[%y, %x] clamp : tensor<?x?xi32>
    %91 = arith.addi %89, %90 : i32
    %92 = arith.addi %91, %c1_i32 : i32
    %93 = arith.shrsi %92, %c1_i32 : i32
    %94 = arith.addi %88, %93 : i32
    pipeline.yield %94 : i32
  } sized(%0, %1) : tensor<?x?xi32>
  %b_gr = pipeline.stage "b_gr" (%y, %x) {
    %82 = pipeline.load %g_gr[%y, %x] clamp : tensor<?x?xi32>
    %83 = pipeline.load %g_b[%y, %x] clamp : tensor<?x?xi32>
    %84 = pipeline.load %g_b[%y - 1, %x] clamp : tensor<?x?xi32>
    %85 = arith.addi %83, %84 : i32
    %86 = arith.addi %85, %c1_i32 : i32
    %87 = arith.shrsi %86, %c1_i32 : i32
    %88 = arith.subi %82, %87 : i32
    %89 = pipeline.load %b_b[%y, %x] clamp : tensor<?x?xi32>
    %90 = pipeline.load %b_b[%y - 1, %x] clamp : tensor<?x?xi32>
    %91 = arith.addi %89, %90 : i32
    %92 = arith.addi %91, %c1_i32 : i32
    %93 = arith.shrsi %92, %c1_i32 : i32
    %94 = arith.addi %88, %93 : i32
    pipeline.yield %94 : i32
  } sized(%0, %1) : tensor<?x?xi32>
  %r_gb = pipeline.stage "r_gb" (%y, %x) {
    %82 = pipeline.load %g_gb[%y, %x] clamp : tensor<?x?xi32>
    %83 = pipeline.load %g_r[%y, %x] clamp : tensor<?x?xi32>
    %84 = pipeline.load %r_r[%y, %x] clamp : tensor<?x?xi32>
    %85 = pipeline.load %g_r[%y + 1, %x] clamp : tensor<?x?xi32>
    %86 = arith.addi %83, %85 : i32
    %87 = arith.addi %86, %c1_i32 : i32
    %88 = arith.shrsi %87, %c1_i32 : i32
    %89 = arith.subi %82, %88 : i32
    %90 = pipeline.load %r_r[%y + 1, %x] clamp : tensor<?x?xi32>
    %91 = arith.addi %84, %90 : i32
    %92 = arith.addi %91, %c1_i32 : i32
    %93 = arith.shrsi %92, %c1_i32 : i32
    %94 = arith.addi %89, %93 : i32
    pipeline.yield %94 : i32
  } sized(%0, %1) : tensor<?x?xi32>
  %b_gb = pipeline.stage "b_gb" (%y, %x) {
    %82 = pipeline.load %g_gb[%y, %x] clamp : tensor<?x?xi32>
    %83 = pipeline.load %g_b[%y, %x] clamp : tensor<?x?xi32>
    %84 = pipeline.load %b_b[%y, %x] clamp : tensor<?x?xi32>
    %85 = pipeline.load %g_b[%y, %x + 1] clamp : tensor<?x?xi32>
    %86 = arith.addi %83, %85 : i32
    %87 = arith.addi %86, %c1_i32 : i32
    %88 = arith.shrsi %87, %c1_i32 : i32
    %89 = arith.subi %82, %88 : i32
    %90 = pipeline.load %b_b[%y, %x + 1] clamp : tensor<?x?xi32>
    %91 = arith.addi %84, %90 : i32
    %92 = arith.addi %91, %c1_i32 : i32
    %93 = arith.shrsi %92, %c1_i32 : i32
    %94 = arith.addi %89, %93 : i32
    pipeline.yield %94 : i32
  } sized(%0, %1) : tensor<?x?xi32>
  %r_b = pipeline.stage "r_b" (%y, %x) {
    %82 = pipeline.load %g_r[%y, %x - 1] clamp : tensor<?x?xi32>
    %83 = pipeline.load %g_r[%y, %x] clamp : tensor<?x?xi32>
    %84 = pipeline.load %r_r[%y, %x - 1] clamp : tensor<?x?xi32>
    %85 = pipeline.load %r_r[%y, %x] clamp : tensor<?x?xi32>
    %86 = pipeline.load %g_b[%y, %x] clamp : tensor<?x?xi32>
    %87 = pipeline.load %g_r[%y + 1, %x] clamp : tensor<?x?xi32>
    %88 = pipeline.load %r_r[%y + 1, %x] clamp : tensor<?x?xi32>
    %89 = pipeline.load %r_r[%y + 1, %x - 1] clamp : tensor<?x?xi32>
    %90 = arith.cmpi slt, %85, %89 : i32
    %91 = arith.subi %89, %85 : i32
    %92 = arith.subi %85, %89 : i32
    %93 = arith.select %90, %91, %92 : i32
    %94 = arith.cmpi slt, %84, %88 : i32
    %95 = arith.subi %88, %84 : i32
    %96 = arith.subi %84, %88 : i32
    %97 = arith.select %94, %95, %96 : i32
    %98 = arith.cmpi slt, %93, %97 : i32
    %99 = pipeline.load %g_r[%y + 1, %x - 1] clamp : tensor<?x?xi32>
    %100 = arith.addi %83, %99 : i32
    %101 = arith.addi %100, %c1_i32 : i32
    %102 = arith.shrsi %101, %c1_i32 : i32
    %103 = arith.subi %86, %102 : i32
    %104 = arith.addi %85, %89 : i32
    %105 = arith.addi %104, %c1_i32 : i32
    %106 = arith.shrsi %105, %c1_i32 : i32
    %107 = arith.addi %103, %106 : i32
    %108 = arith.addi %82, %87 : i32
    %109 = arith.addi %108, %c1_i32 : i32
    %110 = arith.shrsi %109, %c1_i32 : i32
    %111 = arith.subi %86, %110 : i32
    %112 = arith.addi %84, %88 : i32
    %113 = arith.addi %112, %c1_i32 : i32
    %114 = arith.shrsi %113, %c1_i32 : i32
    %115 = arith.addi %111, %114 : i32
    %116 = arith.select %98, %107, %115 : i32
    pipeline.yield %116 : i32
  } sized(%0, %1) : tensor<?x?xi32>
  %b_r = pipeline.stage "b_r" (%y, %x) {
    %82 = pipeline.load %g_r[%y, %x] clamp : tensor<?x?xi32>
    %83 = pipeline.load %g_b[%y, %x] clamp : tensor<?x?xi32>
    %84 = pipeline.load %g_b[%y - 1, %x] clamp : tensor<?x?xi32>
    %85 = pipeline.load %b_b[%y, %x] clamp : tensor<?x?xi32>
    %86 = pipeline.load %b_b[%y - 1, %x] clamp : tensor<?x?xi32>
    %87 = pipeline.load %g_b[%y, %x + 1] clamp : tensor<?x?xi32>
    %88 = pipeline.load %b_b[%y, %x + 1] clamp : tensor<?x?xi32>
    %89 = pipeline.load %b_b[%y - 1, %x + 1] clamp : tensor<?x?xi32>
    %90 = arith.cmpi slt, %85, %89 : i32
    %91 = arith.subi %89, %85 : i32
    %92 = arith.subi %85, %89 : i32
    %93 = arith.select %90, %91, %92 : i32
    %94 = arith.cmpi slt, %88, %86 : i32
    %95 = arith.subi %86, %88 : i32
    %96 = arith.subi %88, %86 : i32
    %97 = arith.select %94, %95, %96 : i32
    %98 = arith.cmpi slt, %93, %97 : i32
    %99 = pipeline.load %g_b[%y - 1, %x + 1] clamp : tensor<?x?xi32>
    %100 = arith.addi %83, %99 : i32
    %101 = arith.addi %100, %c1_i32 : i32
    %102 = arith.shrsi %101, %c1_i32 : i32
    %103 = arith.subi %82, %102 : i32
    %104 = arith.addi %85, %89 : i32
    %105 = arith.addi %104, %c1_i32 : i32
    %106 = arith.shrsi %105, %c1_i32 : i32
    %107 = arith.addi %103, %106 : i32
    %108 = arith.addi %87, %84 : i32
    %109 = arith.addi %108, %c1_i32 : i32
    %110 = arith.shrsi %109, %c1_i32 : i32
    %111 = arith.subi %82, %110 : i32
    %112 = arith.addi %88, %86 : i32
    %113 = arith.addi %112, %c1_i32 : i32
    %114 = arith.shrsi %113, %c1_i32 : i32
    %115 = arith.addi %111, %114 : i32
    %116 = arith.select %98, %107, %115 : i32
    pipeline.yield %116 : i32
  } sized(%0, %1) : tensor<?x?xi32>
  %c0_3 = arith.constant 0 : index
  %r_even = pipeline.stage "r_even" (%y, %x) {
    %c1_38 = arith.constant 1 : index
    %82 = arith.andi %x, %c1_38 : index
    %83 = arith.cmpi eq, %82, %c0_3 : index
    %84 = pipeline.load %r_gr[%y, %x floordiv 2] : tensor<?x?xi32>
    %85 = pipeline.load %r_r[%y, %x floordiv 2] : tensor<?x?xi32>
    %86 = arith.select %83, %84, %85 : i32
    pipeline.yield %86 : i32
  } sized(%0, %3) : tensor<?x?xi32>
  %r_odd = pipeline.stage "r_odd" (%y, %x) {
    %c1_38 = arith.constant 1 : index
    %82 = arith.andi %x, %c1_38 : index
    %83 = arith.cmpi eq, %82, %c0_3 : index
    %84 = pipeline.load %r_b[%y, %x floordiv 2] : tensor<?x?xi32>
    %85 = pipeline.load %r_gb[%y, %x floordiv 2] : tensor<?x?xi32>
    %86 = arith.select %83, %84, %85 : i32
    pipeline.yield %86 : i32
  } sized(%0, %3) : tensor<?x?xi32>
  %r = pipeline.stage "r" (%y, %x) {
    %c1_38 = arith.constant 1 : index
    %82 = arith.andi %y, %c1_38 : index
    %83 = arith.cmpi eq, %82, %c0_3 : index
    %84 = pipeline.load %r_even[%y floordiv 2, %x] : tensor<?x?xi32>
    %85 = pipeline.load %r_odd[%y floordiv 2, %x] : tensor<?x?xi32>
    %86 = arith.select %83, %84, %85 : i32
    pipeline.yield %86 : i32
  } sized(%2, %3) : tensor<?x?xi32>
  %g_even = pipeline.stage "g_even" (%y, %x) {
    %c1_38 = arith.constant 1 : index
    %82 = arith.andi %x, %c1_38 : index
    %83 = arith.cmpi eq, %82, %c0_3 : index
    %84 = pipeline.load %g_gr[%y, %x floordiv 2] : tensor<?x?xi32>
    %85 = pipeline.load %g_r[%y, %x floordiv 2] : tensor<?x?xi32>
    %86 = arith.select %83, %84, %85 : i32
    pipeline.yield %86 : i32
  } sized(%0, %3) : tensor<?x?xi32>
  %g_odd = pipeline.stage "g_odd" (%y, %x) {
    %c1_38 = arith.constant 1 : index
    %82 = arith.andi %x, %c1_38 : index
    %83 = arith.cmpi eq, %82, %c0_3 : index
    %84 = pipeline.load %g_b[%y, %x floordiv 2] : tensor<?x?xi32>
    %85 = pipeline.load %g_gb[%y, %x floordiv 2] : tensor<?x?xi32>
    %86 = arith.select %83, %84, %85 : i32
    pipeline.yield %86 : i32
  } sized(%0, %3) : tensor<?x?xi32>
  %g = pipeline.stage "g" (%y, %x) {
    %c1_38 = arith.constant 1 : index
    %82 = arith.andi %y, %c1_38 : index
    %83 = arith.cmpi eq, %82, %c0_3 : index
    %84 = pipeline.load %g_even[%y floordiv 2, %x] : tensor<?x?xi32>
    %85 = pipeline.load %g_odd[%y floordiv 2, %x] : tensor<?x?xi32>
    %86 = arith.select %83, %84, %85 : i32
    pipeline.yield %86 : i32
  } sized(%2, %3) : tensor<?x?xi32>
  %b_even = pipeline.stage "b_even" (%y, %x) {
    %c1_38 = arith.constant 1 : index
    %82 = arith.andi %x, %c1_38 : index
    %83 = arith.cmpi eq, %82, %c0_3 : index
    %84 = pipeline.load %b_gr[%y, %x floordiv 2] : tensor<?x?xi32>
    %85 = pipeline.load %b_r[%y, %x floordiv 2] : tensor<?x?xi32>
    %86 = arith.select %83, %84, %85 : i32
    pipeline.yield %86 : i32
  } sized(%0, %3) : tensor<?x?xi32>
  %b_odd = pipeline.stage "b_odd" (%y, %x) {
    %c1_38 = arith.constant 1 : index
    %82 = arith.andi %x, %c1_38 : index
    %83 = arith.cmpi eq, %82, %c0_3 : index
    %84 = pipeline.load %b_b[%y, %x floordiv 2] : tensor<?x?xi32>
    %85 = pipeline.load %b_gb[%y, %x floordiv 2] : tensor<?x?xi32>
    %86 = arith.select %83, %84, %85 : i32
    pipeline.yield %86 : i32
  } sized(%0, %3) : tensor<?x?xi32>
  %b = pipeline.stage "b" (%y, %x) {
    %c1_38 = arith.constant 1 : index
    %82 = arith.andi %y, %c1_38 : index
    %83 = arith.cmpi eq, %82, %c0_3 : index
    %84 = pipeline.load %b_even[%y floordiv 2, %x] : tensor<?x?xi32>
    %85 = pipeline.load %b_odd[%y floordiv 2, %x] : tensor<?x?xi32>
    %86 = arith.select %83, %84, %85 : i32
    pipeline.yield %86 : i32
  } sized(%2, %3) : tensor<?x?xi32>
  %cst = arith.constant 1.000000e+00 : f32
  %4 = arith.divf %cst, %arg1 : f32
  %cst_4 = arith.constant 3.125000e-04 : f32
  %5 = arith.subf %4, %cst_4 : f32
  %cst_5 = arith.constant -1.69642852E-4 : f32
  %6 = arith.divf %5, %cst_5 : f32
  %7 = arith.subf %cst, %6 : f32
  %cst_6 = arith.constant -4.243460e+01 : f32
  %8 = arith.mulf %cst_6, %7 : f32
  %cst_7 = arith.constant -3.909230e+01 : f32
  %9 = arith.mulf %cst_7, %6 : f32
  %10 = arith.addf %8, %9 : f32
  %cst_8 = arith.constant 2.560000e+02 : f32
  %11 = arith.mulf %10, %cst_8 : f32
  %12 = arith.fptosi %11 : f32 to i32
  %cst_9 = arith.constant 1.669700e+00 : f32
  %13 = arith.mulf %cst_9, %7 : f32
  %cst_10 = arith.constant 2.299700e+00 : f32
  %14 = arith.mulf %cst_10, %6 : f32
  %15 = arith.addf %13, %14 : f32
  %16 = arith.mulf %15, %cst_8 : f32
  %17 = arith.fptosi %16 : f32 to i32
  %cst_11 = arith.constant -2.693000e-01 : f32
  %18 = arith.mulf %cst_11, %7 : f32
  %cst_12 = arith.constant -4.478000e-01 : f32
  %19 = arith.mulf %cst_12, %6 : f32
  %20 = arith.addf %18, %19 : f32
  %21 = arith.mulf %20, %cst_8 : f32
  %22 = arith.fptosi %21 : f32 to i32
  %cst_13 = arith.constant -4.004000e-01 : f32
  %23 = arith.mulf %cst_13, %7 : f32
  %cst_14 = arith.constant 1.706000e-01 : f32
  %24 = arith.mulf %cst_14, %6 : f32
  %25 = arith.addf %23, %24 : f32
  %26 = arith.mulf %25, %cst_8 : f32
  %27 = arith.fptosi %26 : f32 to i32
  %c8_i32 = arith.constant 8 : i32
  %red = pipeline.stage "red" (%y, %x) {
    %82 = pipeline.load %r[%y, %x] : tensor<?x?xi32>
    %83 = arith.muli %17, %82 : i32
    %84 = arith.addi %12, %83 : i32
    %85 = pipeline.load %g[%y, %x] : tensor<?x?xi32>
    %86 = arith.muli %22, %85 : i32
    %87 = arith.addi %84, %86 : i32
    %88 = pipeline.load %b[%y, %x] : tensor<?x?xi32>
    %89 = arith.muli %27, %88 : i32
    %90 = arith.addi %87, %89 : i32
    %91 = arith.shrsi %90, %c8_i32 : i32
    pipeline.yield %91 : i32
  } sized(%2, %3) : tensor<?x?xi32>
  %cst_15 = arith.constant -3.711580e+01 : f32
  %28 = arith.mulf %cst_15, %7 : f32
  %cst_16 = arith.constant -2.543110e+01 : f32
  %29 = arith.mulf %cst_16, %6 : f32
  %30 = arith.addf %28, %29 : f32
  %31 = arith.mulf %30, %cst_8 : f32
  %32 = arith.fptosi %31 : f32 to i32
  %cst_17 = arith.constant -3.576000e-01 : f32
  %33 = arith.mulf %cst_17, %7 : f32
  %cst_18 = arith.constant -3.826000e-01 : f32
  %34 = arith.mulf %cst_18, %6 : f32
  %35 = arith.addf %33, %34 : f32
  %36 = arith.mulf %35, %cst_8 : f32
  %37 = arith.fptosi %36 : f32 to i32
  %cst_19 = arith.constant 1.061500e+00 : f32
  %38 = arith.mulf %cst_19, %7 : f32
  %cst_20 = arith.constant 1.590600e+00 : f32
  %39 = arith.mulf %cst_20, %6 : f32
  %40 = arith.addf %38, %39 : f32
  %41 = arith.mulf %40, %cst_8 : f32
  %42 = arith.fptosi %41 : f32 to i32
  %cst_21 = arith.constant 1.594900e+00 : f32
  %43 = arith.mulf %cst_21, %7 : f32
  %cst_22 = arith.constant -2.080000e-01 : f32
  %44 = arith.mulf %cst_22, %6 : f32
  %45 = arith.addf %43, %44 : f32
  %46 = arith.mulf %45, %cst_8 : f32
  %47 = arith.fptosi %46 : f32 to i32
  %green = pipeline.stage "green" (%y, %x) {
    %82 = pipeline.load %r[%y, %x] : tensor<?x?xi32>
    %83 = pipeline.load %g[%y, %x] : tensor<?x?xi32>
    %84 = pipeline.load %b[%y, %x] : tensor<?x?xi32>
    %85 = arith.muli %37, %82 : i32
    %86 = arith.addi %32, %85 : i32
    %87 = arith.muli %42, %83 : i32
    %88 = arith.addi %86, %87 : i32
    %89 = arith.muli %47, %84 : i32
    %90 = arith.addi %88, %89 : i32
    %91 = arith.shrsi %90, %c8_i32 : i32
    pipeline.yield %91 : i32
  } sized(%2, %3) : tensor<?x?xi32>
  %cst_23 = arith.constant -2.669700e+01 : f32
  %48 = arith.mulf %cst_23, %7 : f32
  %cst_24 = arith.constant -2.008260e+01 : f32
  %49 = arith.mulf %cst_24, %6 : f32
  %50 = arith.addf %48, %49 : f32
  %51 = arith.mulf %50, %cst_8 : f32
  %52 = arith.fptosi %51 : f32 to i32
  %cst_25 = arith.constant -2.175000e-01 : f32
  %53 = arith.mulf %cst_25, %7 : f32
  %cst_26 = arith.constant -8.880000e-02 : f32
  %54 = arith.mulf %cst_26, %6 : f32
  %55 = arith.addf %53, %54 : f32
  %56 = arith.mulf %55, %cst_8 : f32
  %57 = arith.fptosi %56 : f32 to i32
  %cst_27 = arith.constant -1.875100e+00 : f32
  %58 = arith.mulf %cst_27, %7 : f32
  %cst_28 = arith.constant -0.734399974 : f32
  %59 = arith.mulf %cst_28, %6 : f32
  %60 = arith.addf %58, %59 : f32
  %61 = arith.mulf %60, %cst_8 : f32
  %62 = arith.fptosi %61 : f32 to i32
  %cst_29 = arith.constant 6.964000e+00 : f32
  %63 = arith.mulf %cst_29, %7 : f32
  %cst_30 = arith.constant 2.283200e+00 : f32
  %64 = arith.mulf %cst_30, %6 : f32
  %65 = arith.addf %63, %64 : f32
  %66 = arith.mulf %65, %cst_8 : f32
  %67 = arith.fptosi %66 : f32 to i32
  %blue = pipeline.stage "blue" (%y, %x) {
    %82 = pipeline.load %r[%y, %x] : tensor<?x?xi32>
    %83 = pipeline.load %g[%y, %x] : tensor<?x?xi32>
    %84 = pipeline.load %b[%y, %x] : tensor<?x?xi32>
    %85 = arith.muli %57, %82 : i32
    %86 = arith.addi %52, %85 : i32
    %87 = arith.muli %62, %83 : i32
    %88 = arith.addi %86, %87 : i32
    %89 = arith.muli %67, %84 : i32
    %90 = arith.addi %88, %89 : i32
    %91 = arith.shrsi %90, %c8_i32 : i32
    pipeline.yield %91 : i32
  } sized(%2, %3) : tensor<?x?xi32>
  %68 = arith.subi %arg6, %arg5 : i32
  %69 = arith.sitofp %68 : i32 to f32
  %cst_31 = arith.constant 0.000000e+00 : f32
  %70 = arith.divf %cst, %arg2 : f32
  %cst_32 = arith.constant 1.000000e+02 : f32
  %71 = arith.divf %arg3, %cst_32 : f32
  %72 = math.exp2 %71 : f32
  %cst_33 = arith.constant 2.000000e+00 : f32
  %73 = arith.subf %cst_33, %72 : f32
  %74 = arith.mulf %73, %cst_33 : f32
  %75 = arith.subf %cst_33, %74 : f32
  %cst_34 = arith.constant 5.000000e-01 : f32
  %cst_35 = arith.constant 2.550000e+02 : f32
  %curve = pipeline.stage "curve" (%x) {
    %82 = arith.index_cast %x : index to i32
    %83 = arith.subi %82, %arg5 : i32
    %84 = arith.sitofp %83 : i32 to f32
    %85 = arith.divf %84, %69 : f32
    %86 = arith.maximumf %85, %cst_31 : f32
    %87 = arith.minimumf %86, %cst : f32
    %88 = math.powf %87, %70 : f32
    %89 = arith.subf %cst, %88 : f32
    %90 = arith.cmpf ogt, %88, %cst_34 : f32
    %91 = arith.mulf %75, %89 : f32
    %92 = arith.mulf %91, %89 : f32
    %93 = arith.mulf %73, %89 : f32
    %94 = arith.addf %92, %93 : f32
    %95 = arith.subf %cst, %94 : f32
    %96 = arith.mulf %75, %88 : f32
    %97 = arith.mulf %96, %88 : f32
    %98 = arith.mulf %73, %88 : f32
    %99 = arith.addf %97, %98 : f32
    %100 = arith.select %90, %95, %99 : f32
    %101 = arith.mulf %100, %cst_35 : f32
    %102 = arith.addf %101, %cst_34 : f32
    %103 = arith.maximumf %102, %cst_31 : f32
    %104 = arith.minimumf %103, %cst_35 : f32
    %105 = arith.fptoui %104 : f32 to i8
    pipeline.yield %105 : i8
  } : tensor<1024xi8>
  %c1_36 = arith.constant 1 : index
  %curved = pipeline.stage "curved" (%c, %y, %x) {
    %82 = pipeline.load %red[%y, %x] : tensor<?x?xi32>
    %83 = pipeline.load %green[%y, %x] : tensor<?x?xi32>
    %84 = pipeline.load %blue[%y, %x] : tensor<?x?xi32>
    %85 = arith.cmpi eq, %c, %c0_3 : index
    %86 = arith.cmpi eq, %c, %c1_36 : index
    %87 = arith.select %86, %83, %84 : i32
    %88 = arith.select %85, %82, %87 : i32
    %89 = arith.index_cast %88 : i32 to index
    %90 = pipeline.gather %curve[%89] clamp : tensor<1024xi8>
    pipeline.yield %90 : i8
  } sized(%2, %3) : tensor<3x?x?xi8>
  %unsharp_y = pipeline.stage "unsharp_y" (%c, %y, %x) {
    %82 = pipeline.load %curved[%c, %y - 1, %x] clamp : tensor<3x?x?xi8>
    %83 = arith.extui %82 : i8 to i32
    %84 = pipeline.load %curved[%c, %y, %x] clamp : tensor<3x?x?xi8>
    %85 = arith.extui %84 : i8 to i32
    %86 = pipeline.load %curved[%c, %y + 1, %x] clamp : tensor<3x?x?xi8>
    %87 = arith.extui %86 : i8 to i32
    %88 = arith.addi %83, %87 : i32
    %89 = arith.addi %88, %c1_i32 : i32
    %90 = arith.shrsi %89, %c1_i32 : i32
    %91 = arith.addi %90, %85 : i32
    %92 = arith.addi %91, %c1_i32 : i32
    %93 = arith.shrsi %92, %c1_i32 : i32
    %94 = arith.trunci %93 : i32 to i8
    pipeline.yield %94 : i8
  } sized(%2, %3) : tensor<3x?x?xi8>
  %unsharp = pipeline.stage "unsharp" (%c, %y, %x) {
    %82 = pipeline.load %unsharp_y[%c, %y, %x - 1] clamp : tensor<3x?x?xi8>
    %83 = arith.extui %82 : i8 to i32
    %84 = pipeline.load %unsharp_y[%c, %y, %x] clamp : tensor<3x?x?xi8>
    %85 = arith.extui %84 : i8 to i32
    %86 = pipeline.load %unsharp_y[%c, %y, %x + 1] clamp : tensor<3x?x?xi8>
    %87 = arith.extui %86 : i8 to i32
    %88 = arith.addi %83, %87 : i32
    %89 = arith.addi %88, %c1_i32 : i32
    %90 = arith.shrsi %89, %c1_i32 : i32
    %91 = arith.addi %90, %85 : i32
    %92 = arith.addi %91, %c1_i32 : i32
    %93 = arith.shrsi %92, %c1_i32 : i32
    %94 = arith.trunci %93 : i32 to i8
    pipeline.yield %94 : i8
  } sized(%2, %3) : tensor<3x?x?xi8>
  %mask = pipeline.stage "mask" (%c, %y, %x) {
    %82 = pipeline.load %curved[%c, %y, %x] clamp : tensor<3x?x?xi8>
    %83 = arith.extui %82 : i8 to i32
    %84 = pipeline.load %unsharp[%c, %y, %x] clamp : tensor<3x?x?xi8>
    %85 = arith.extui %84 : i8 to i32
    %86 = arith.subi %83, %85 : i32
    %87 = arith.trunci %86 : i32 to i16
    pipeline.yield %87 : i16
  } sized(%2, %3) : tensor<3x?x?xi16>
  %cst_37 = arith.constant 3.200000e+01 : f32
  %76 = arith.mulf %arg4, %cst_37 : f32
  %77 = arith.maximumf %76, %cst_31 : f32
  %78 = arith.minimumf %77, %cst_35 : f32
  %79 = arith.fptosi %78 : f32 to i32
  %c5_i32 = arith.constant 5 : i32
  %c0_i32 = arith.constant 0 : i32
  %c255_i32 = arith.constant 255 : i32
  %sharpened = pipeline.stage "sharpened" (%c, %y, %x) {
    %82 = pipeline.load %curved[%c, %y, %x] clamp : tensor<3x?x?xi8>
    %83 = arith.extui %82 : i8 to i32
    %84 = pipeline.load %mask[%c, %y, %x] clamp : tensor<3x?x?xi16>
    %85 = arith.extsi %84 : i16 to i32
    %86 = arith.muli %85, %79 : i32
    %87 = arith.shrsi %86, %c5_i32 : i32
    %88 = arith.addi %83, %87 : i32
    %89 = arith.maxsi %88, %c0_i32 : i32
    %90 = arith.minsi %89, %c255_i32 : i32
    %91 = arith.trunci %90 : i32 to i8
    pipeline.yield %91 : i8
  } sized(%2, %3) : tensor<3x?x?xi8>
  %c24 = arith.constant 24 : index
  %80 = arith.subi %2, %c24 : index
  %c32 = arith.constant 32 : index
  %81 = arith.subi %3, %c32 : index
  %rgb = pipeline.stage "rgb" (%c, %y, %x) {
    %82 = pipeline.load %sharpened[%c, %y + 12, %x + 16] : tensor<3x?x?xi8>
    pipeline.yield %82 : i8
  } sized(%80, %81) : tensor<3x?x?xi8>
  return %rgb : tensor<3x?x?xi8>
}
