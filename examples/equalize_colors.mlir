// Histogram equalization of a colour image, as Halide's app has it: the luma of each pixel and how far red and blue are
// from it (3), how often each level of luma occurs in each row and in all of them (2), the sums of that from the
// darkest level on, the part of all points that are no brighter as the new luma, and the colours that it makes with the
// old differences. Values are cut to whole numbers, not rounded.
//
//   pipeline-run examples/equalize_colors.mlir --arg img=examples/data/chelsea.png --out rgb=rgb.png

func.func @equalize_colors(%arg0: tensor<3x?x?xi8> {weft.estimate = array<i64: 3, 2560, 1536>, weft.name = "img", weft.unsigned}) -> (tensor<3x?x?xi8> {weft.name = "rgb", weft.unsigned}) {
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %arg0, %c1 : tensor<3x?x?xi8>
  %c2 = arith.constant 2 : index
  %dim_0 = tensor.dim %arg0, %c2 : tensor<3x?x?xi8>
  %cst = arith.constant 2.990000e-01 : f32
  %cst_1 = arith.constant 5.870000e-01 : f32
  %cst_2 = arith.constant 1.140000e-01 : f32
  %luma = pipeline.stage "luma" (%y, %x) {
    %4 = pipeline.load %arg0[0, %y, %x] : tensor<3x?x?xi8>
    %5 = arith.uitofp %4 : i8 to f32
    %6 = pipeline.load %arg0[1, %y, %x] : tensor<3x?x?xi8>
    %7 = arith.uitofp %6 : i8 to f32
    %8 = pipeline.load %arg0[2, %y, %x] : tensor<3x?x?xi8>
    %9 = arith.uitofp %8 : i8 to f32
    %10 = arith.mulf %5, %cst : f32
    %11 = arith.mulf %7, %cst_1 : f32
    %12 = arith.addf %10, %11 : f32
    %13 = arith.mulf %9, %cst_2 : f32
    %14 = arith.addf %12, %13 : f32
    pipeline.yield %14 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %cst_3 = arith.constant 0.712999999 : f32
  %cst_4 = arith.constant 1.280000e+02 : f32
  %red_difference = pipeline.stage "red_difference" (%y, %x) {
    %4 = pipeline.load %arg0[0, %y, %x] : tensor<3x?x?xi8>
    %5 = arith.uitofp %4 : i8 to f32
    %6 = pipeline.load %luma[%y, %x] : tensor<?x?xf32>
    %7 = arith.subf %5, %6 : f32
    %8 = arith.mulf %7, %cst_3 : f32
    %9 = arith.addf %8, %cst_4 : f32
    pipeline.yield %9 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %cst_5 = arith.constant 5.640000e-01 : f32
  %blue_difference = pipeline.stage "blue_difference" (%y, %x) {
    %4 = pipeline.load %arg0[2, %y, %x] : tensor<3x?x?xi8>
    %5 = arith.uitofp %4 : i8 to f32
    %6 = pipeline.load %luma[%y, %x] : tensor<?x?xf32>
    %7 = arith.subf %5, %6 : f32
    %8 = arith.mulf %7, %cst_5 : f32
    %9 = arith.addf %8, %cst_4 : f32
    pipeline.yield %9 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %cst_6 = arith.constant 0.000000e+00 : f32
  %cst_7 = arith.constant 2.550000e+02 : f32
  %row_histogram = pipeline.scatter "row_histogram" (%x) over (%rx) in [0, %dim_0) from(%c0_i32 : i32) combine "arith.addi" {
    %4 = pipeline.load %luma[%x, %rx] : tensor<?x?xf32>
    %5 = arith.maximumf %4, %cst_6 : f32
    %6 = arith.minimumf %5, %cst_7 : f32
    %7 = arith.fptosi %6 : f32 to i32
    %8 = arith.index_cast %7 : i32 to index
    pipeline.update %c1_i32 at [%8] : i32
  } sized(%dim) : tensor<?x256xi32>
  %histogram = pipeline.scatter "histogram" (%x) over (%rx) in [0, %dim) from(%c0_i32 : i32) combine "arith.addi" {
    %4 = pipeline.load %row_histogram[%rx, %x] : tensor<?x256xi32>
    pipeline.update %4 at [] : i32
  } : tensor<256xi32>
  %sums = pipeline.scan "sums" (%x) along 0 {
    %4 = pipeline.previous 1 or %c0_i32 : i32
    %5 = pipeline.load %histogram[%x] : tensor<256xi32>
    %6 = arith.addi %4, %5 : i32
    pipeline.yield %6 : i32
  } : tensor<256xi32>
  %0 = arith.muli %dim, %dim_0 : index
  %1 = arith.index_cast %0 : index to i32
  %2 = arith.sitofp %1 : i32 to f32
  %3 = arith.divf %cst_7, %2 : f32
  %equalized = pipeline.stage "equalized" (%y, %x) {
    %4 = pipeline.load %luma[%y, %x] : tensor<?x?xf32>
    %5 = arith.maximumf %4, %cst_6 : f32
    %6 = arith.minimumf %5, %cst_7 : f32
    %7 = arith.fptosi %6 : f32 to i32
    %8 = arith.index_cast %7 : i32 to index
    %9 = pipeline.gather %sums[%8] clamp : tensor<256xi32>
    %10 = arith.uitofp %9 : i32 to f32
    %11 = arith.mulf %10, %3 : f32
    %12 = arith.maximumf %11, %cst_6 : f32
    %13 = arith.minimumf %12, %cst_7 : f32
    pipeline.yield %13 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %c1_8 = arith.constant 1 : index
  %cst_9 = arith.constant 1.400000e+00 : f32
  %cst_10 = arith.constant 3.430000e-01 : f32
  %cst_11 = arith.constant 7.110000e-01 : f32
  %cst_12 = arith.constant 1.765000e+00 : f32
  %rgb = pipeline.stage "rgb" (%c, %y, %x) {
    %4 = pipeline.load %red_difference[%y, %x] : tensor<?x?xf32>
    %5 = arith.subf %4, %cst_4 : f32
    %6 = pipeline.load %blue_difference[%y, %x] : tensor<?x?xf32>
    %7 = arith.subf %6, %cst_4 : f32
    %8 = pipeline.load %equalized[%y, %x] : tensor<?x?xf32>
    %9 = arith.mulf %5, %cst_9 : f32
    %10 = arith.addf %8, %9 : f32
    %11 = arith.mulf %7, %cst_10 : f32
    %12 = arith.subf %8, %11 : f32
    %13 = arith.mulf %5, %cst_11 : f32
    %14 = arith.subf %12, %13 : f32
    %15 = arith.mulf %7, %cst_12 : f32
    %16 = arith.addf %8, %15 : f32
    %17 = arith.maximumf %10, %cst_6 : f32
    %18 = arith.minimumf %17, %cst_7 : f32
    %19 = arith.fptoui %18 : f32 to i8
    %20 = arith.maximumf %14, %cst_6 : f32
    %21 = arith.minimumf %20, %cst_7 : f32
    %22 = arith.fptoui %21 : f32 to i8
    %23 = arith.maximumf %16, %cst_6 : f32
    %24 = arith.minimumf %23, %cst_7 : f32
    %25 = arith.fptoui %24 : f32 to i8
    %26 = arith.cmpi eq, %c, %c0 : index
    %27 = arith.cmpi eq, %c, %c1_8 : index
    %28 = arith.select %27, %22, %25 : i8
    %29 = arith.select %26, %19, %28 : i8
    pipeline.yield %29 : i8
  } sized(%dim, %dim_0) : tensor<3x?x?xi8>
  return %rgb : tensor<3x?x?xi8>
}
