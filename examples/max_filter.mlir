// The maximum over a disc of radius 26 about each point, 9 stages. Five images hold the maxima of 2, 4, 8, 16 and 32
// points of a column; two of these, overlapping, make a column of any height, and the disc is 53 columns: those to the
// left, the one in the middle, those to the right, and the larger of the three. Halide's app is the same in one image
// of rank 4 that an update fills and in a table of heights; the paper's 9 stages are not listed. The columns' images
// begin 26 rows above the first one, so that a column that begins there is that of the repeated edge.
//
//   pipeline-run examples/max_filter.mlir --arg img=examples/data/chelsea.png --out max=max.png

func.func @max_filter(%arg0: tensor<3x?x?xf32> {weft.estimate = array<i64: 3, 1024, 1920>, weft.name = "img"}) -> (tensor<3x?x?xf32> {weft.name = "max"}) {
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %arg0, %c1 : tensor<3x?x?xf32>
  %c2 = arith.constant 2 : index
  %dim_0 = tensor.dim %arg0, %c2 : tensor<3x?x?xf32>
  %c52 = arith.constant 52 : index
  %0 = arith.addi %dim, %c52 : index
  %tall2 = pipeline.stage "tall2" (%c, %y, %x) {
    %1 = pipeline.load %arg0[%c, %y - 26, %x] clamp : tensor<3x?x?xf32>
    %2 = pipeline.load %arg0[%c, %y - 25, %x] clamp : tensor<3x?x?xf32>
    %3 = arith.maximumf %1, %2 : f32
    pipeline.yield %3 : f32
  } sized(%0, %dim_0) : tensor<3x?x?xf32>
  %tall4 = pipeline.stage "tall4" (%c, %y, %x) {
    %1 = pipeline.load %tall2[%c, %y, %x] : tensor<3x?x?xf32>
    %2 = pipeline.load %tall2[%c, %y + 2, %x] clamp : tensor<3x?x?xf32>
    %3 = arith.maximumf %1, %2 : f32
    pipeline.yield %3 : f32
  } sized(%0, %dim_0) : tensor<3x?x?xf32>
  %tall8 = pipeline.stage "tall8" (%c, %y, %x) {
    %1 = pipeline.load %tall4[%c, %y, %x] : tensor<3x?x?xf32>
    %2 = pipeline.load %tall4[%c, %y + 4, %x] clamp : tensor<3x?x?xf32>
    %3 = arith.maximumf %1, %2 : f32
    pipeline.yield %3 : f32
  } sized(%0, %dim_0) : tensor<3x?x?xf32>
  %tall16 = pipeline.stage "tall16" (%c, %y, %x) {
    %1 = pipeline.load %tall8[%c, %y, %x] : tensor<3x?x?xf32>
    %2 = pipeline.load %tall8[%c, %y + 8, %x] clamp : tensor<3x?x?xf32>
    %3 = arith.maximumf %1, %2 : f32
    pipeline.yield %3 : f32
  } sized(%0, %dim_0) : tensor<3x?x?xf32>
  %tall32 = pipeline.stage "tall32" (%c, %y, %x) {
    %1 = pipeline.load %tall16[%c, %y, %x] : tensor<3x?x?xf32>
    %2 = pipeline.load %tall16[%c, %y + 16, %x] clamp : tensor<3x?x?xf32>
    %3 = arith.maximumf %1, %2 : f32
    pipeline.yield %3 : f32
  } sized(%0, %dim_0) : tensor<3x?x?xf32>
  %left = pipeline.stage "left" (%c, %y, %x) {
    %1 = pipeline.load %tall4[%c, %y + 23, %x - 26] clamp : tensor<3x?x?xf32>
    %2 = pipeline.load %tall4[%c, %y + 26, %x - 26] clamp : tensor<3x?x?xf32>
    %3 = arith.maximumf %1, %2 : f32
    %4 = pipeline.load %tall16[%c, %y + 18, %x - 25] clamp : tensor<3x?x?xf32>
    %5 = pipeline.load %tall16[%c, %y + 19, %x - 25] clamp : tensor<3x?x?xf32>
    %6 = arith.maximumf %4, %5 : f32
    %7 = arith.maximumf %3, %6 : f32
    %8 = pipeline.load %tall16[%c, %y + 16, %x - 24] clamp : tensor<3x?x?xf32>
    %9 = pipeline.load %tall16[%c, %y + 21, %x - 24] clamp : tensor<3x?x?xf32>
    %10 = arith.maximumf %8, %9 : f32
    %11 = arith.maximumf %7, %10 : f32
    %12 = pipeline.load %tall16[%c, %y + 14, %x - 23] clamp : tensor<3x?x?xf32>
    %13 = pipeline.load %tall16[%c, %y + 23, %x - 23] clamp : tensor<3x?x?xf32>
    %14 = arith.maximumf %12, %13 : f32
    %15 = arith.maximumf %11, %14 : f32
    %16 = pipeline.load %tall16[%c, %y + 12, %x - 22] clamp : tensor<3x?x?xf32>
    %17 = pipeline.load %tall16[%c, %y + 25, %x - 22] clamp : tensor<3x?x?xf32>
    %18 = arith.maximumf %16, %17 : f32
    %19 = arith.maximumf %15, %18 : f32
    %20 = pipeline.load %tall16[%c, %y + 11, %x - 21] clamp : tensor<3x?x?xf32>
    %21 = pipeline.load %tall16[%c, %y + 26, %x - 21] clamp : tensor<3x?x?xf32>
    %22 = arith.maximumf %20, %21 : f32
    %23 = arith.maximumf %19, %22 : f32
    %24 = pipeline.load %tall32[%c, %y + 9, %x - 20] clamp : tensor<3x?x?xf32>
    %25 = pipeline.load %tall32[%c, %y + 12, %x - 20] clamp : tensor<3x?x?xf32>
    %26 = arith.maximumf %24, %25 : f32
    %27 = arith.maximumf %23, %26 : f32
    %28 = pipeline.load %tall32[%c, %y + 8, %x - 19] clamp : tensor<3x?x?xf32>
    %29 = pipeline.load %tall32[%c, %y + 13, %x - 19] clamp : tensor<3x?x?xf32>
    %30 = arith.maximumf %28, %29 : f32
    %31 = arith.maximumf %27, %30 : f32
    %32 = pipeline.load %tall32[%c, %y + 7, %x - 18] clamp : tensor<3x?x?xf32>
    %33 = pipeline.load %tall32[%c, %y + 14, %x - 18] clamp : tensor<3x?x?xf32>
    %34 = arith.maximumf %32, %33 : f32
    %35 = arith.maximumf %31, %34 : f32
    %36 = pipeline.load %tall32[%c, %y + 6, %x - 17] clamp : tensor<3x?x?xf32>
    %37 = pipeline.load %tall32[%c, %y + 15, %x - 17] clamp : tensor<3x?x?xf32>
    %38 = arith.maximumf %36, %37 : f32
    %39 = arith.maximumf %35, %38 : f32
    %40 = pipeline.load %tall32[%c, %y + 6, %x - 16] clamp : tensor<3x?x?xf32>
    %41 = pipeline.load %tall32[%c, %y + 15, %x - 16] clamp : tensor<3x?x?xf32>
    %42 = arith.maximumf %40, %41 : f32
    %43 = arith.maximumf %39, %42 : f32
    %44 = pipeline.load %tall32[%c, %y + 5, %x - 15] clamp : tensor<3x?x?xf32>
    %45 = pipeline.load %tall32[%c, %y + 16, %x - 15] clamp : tensor<3x?x?xf32>
    %46 = arith.maximumf %44, %45 : f32
    %47 = arith.maximumf %43, %46 : f32
    %48 = pipeline.load %tall32[%c, %y + 4, %x - 14] clamp : tensor<3x?x?xf32>
    %49 = pipeline.load %tall32[%c, %y + 17, %x - 14] clamp : tensor<3x?x?xf32>
    %50 = arith.maximumf %48, %49 : f32
    %51 = arith.maximumf %47, %50 : f32
    %52 = pipeline.load %tall32[%c, %y + 4, %x - 13] clamp : tensor<3x?x?xf32>
    %53 = pipeline.load %tall32[%c, %y + 17, %x - 13] clamp : tensor<3x?x?xf32>
    %54 = arith.maximumf %52, %53 : f32
    %55 = arith.maximumf %51, %54 : f32
    %56 = pipeline.load %tall32[%c, %y + 3, %x - 12] clamp : tensor<3x?x?xf32>
    %57 = pipeline.load %tall32[%c, %y + 18, %x - 12] clamp : tensor<3x?x?xf32>
    %58 = arith.maximumf %56, %57 : f32
    %59 = arith.maximumf %55, %58 : f32
    %60 = pipeline.load %tall32[%c, %y + 3, %x - 11] clamp : tensor<3x?x?xf32>
    %61 = pipeline.load %tall32[%c, %y + 18, %x - 11] clamp : tensor<3x?x?xf32>
    %62 = arith.maximumf %60, %61 : f32
    %63 = arith.maximumf %59, %62 : f32
    %64 = pipeline.load %tall32[%c, %y + 2, %x - 10] clamp : tensor<3x?x?xf32>
    %65 = pipeline.load %tall32[%c, %y + 19, %x - 10] clamp : tensor<3x?x?xf32>
    %66 = arith.maximumf %64, %65 : f32
    %67 = arith.maximumf %63, %66 : f32
    %68 = pipeline.load %tall32[%c, %y + 2, %x - 9] clamp : tensor<3x?x?xf32>
    %69 = pipeline.load %tall32[%c, %y + 19, %x - 9] clamp : tensor<3x?x?xf32>
    %70 = arith.maximumf %68, %69 : f32
    %71 = arith.maximumf %67, %70 : f32
    %72 = pipeline.load %tall32[%c, %y + 1, %x - 8] clamp : tensor<3x?x?xf32>
    %73 = pipeline.load %tall32[%c, %y + 20, %x - 8] clamp : tensor<3x?x?xf32>
    %74 = arith.maximumf %72, %73 : f32
    %75 = arith.maximumf %71, %74 : f32
    %76 = pipeline.load %tall32[%c, %y + 1, %x - 7] clamp : tensor<3x?x?xf32>
    %77 = pipeline.load %tall32[%c, %y + 20, %x - 7] clamp : tensor<3x?x?xf32>
    %78 = arith.maximumf %76, %77 : f32
    %79 = arith.maximumf %75, %78 : f32
    %80 = pipeline.load %tall32[%c, %y + 1, %x - 6] clamp : tensor<3x?x?xf32>
    %81 = pipeline.load %tall32[%c, %y + 20, %x - 6] clamp : tensor<3x?x?xf32>
    %82 = arith.maximumf %80, %81 : f32
    %83 = arith.maximumf %79, %82 : f32
    %84 = pipeline.load %tall32[%c, %y + 1, %x - 5] clamp : tensor<3x?x?xf32>
    %85 = pipeline.load %tall32[%c, %y + 20, %x - 5] clamp : tensor<3x?x?xf32>
    %86 = arith.maximumf %84, %85 : f32
    %87 = arith.maximumf %83, %86 : f32
    %88 = pipeline.load %tall32[%c, %y + 1, %x - 4] clamp : tensor<3x?x?xf32>
    %89 = pipeline.load %tall32[%c, %y + 20, %x - 4] clamp : tensor<3x?x?xf32>
    %90 = arith.maximumf %88, %89 : f32
    %91 = arith.maximumf %87, %90 : f32
    %92 = pipeline.load %tall32[%c, %y, %x - 3] clamp : tensor<3x?x?xf32>
    %93 = pipeline.load %tall32[%c, %y + 21, %x - 3] clamp : tensor<3x?x?xf32>
    %94 = arith.maximumf %92, %93 : f32
    %95 = arith.maximumf %91, %94 : f32
    %96 = pipeline.load %tall32[%c, %y, %x - 2] clamp : tensor<3x?x?xf32>
    %97 = pipeline.load %tall32[%c, %y + 21, %x - 2] clamp : tensor<3x?x?xf32>
    %98 = arith.maximumf %96, %97 : f32
    %99 = arith.maximumf %95, %98 : f32
    %100 = pipeline.load %tall32[%c, %y, %x - 1] clamp : tensor<3x?x?xf32>
    %101 = pipeline.load %tall32[%c, %y + 21, %x - 1] clamp : tensor<3x?x?xf32>
    %102 = arith.maximumf %100, %101 : f32
    %103 = arith.maximumf %99, %102 : f32
    pipeline.yield %103 : f32
  } sized(%dim, %dim_0) : tensor<3x?x?xf32>
  %middle = pipeline.stage "middle" (%c, %y, %x) {
    %1 = pipeline.load %tall32[%c, %y, %x] clamp : tensor<3x?x?xf32>
    %2 = pipeline.load %tall32[%c, %y + 21, %x] clamp : tensor<3x?x?xf32>
    %3 = arith.maximumf %1, %2 : f32
    pipeline.yield %3 : f32
  } sized(%dim, %dim_0) : tensor<3x?x?xf32>
  %right = pipeline.stage "right" (%c, %y, %x) {
    %1 = pipeline.load %tall32[%c, %y, %x + 1] clamp : tensor<3x?x?xf32>
    %2 = pipeline.load %tall32[%c, %y + 21, %x + 1] clamp : tensor<3x?x?xf32>
    %3 = arith.maximumf %1, %2 : f32
    %4 = pipeline.load %tall32[%c, %y, %x + 2] clamp : tensor<3x?x?xf32>
    %5 = pipeline.load %tall32[%c, %y + 21, %x + 2] clamp : tensor<3x?x?xf32>
    %6 = arith.maximumf %4, %5 : f32
    %7 = arith.maximumf %3, %6 : f32
    %8 = pipeline.load %tall32[%c, %y, %x + 3] clamp : tensor<3x?x?xf32>
    %9 = pipeline.load %tall32[%c, %y + 21, %x + 3] clamp : tensor<3x?x?xf32>
    %10 = arith.maximumf %8, %9 : f32
    %11 = arith.maximumf %7, %10 : f32
    %12 = pipeline.load %tall32[%c, %y + 1, %x + 4] clamp : tensor<3x?x?xf32>
    %13 = pipeline.load %tall32[%c, %y + 20, %x + 4] clamp : tensor<3x?x?xf32>
    %14 = arith.maximumf %12, %13 : f32
    %15 = arith.maximumf %11, %14 : f32
    %16 = pipeline.load %tall32[%c, %y + 1, %x + 5] clamp : tensor<3x?x?xf32>
    %17 = pipeline.load %tall32[%c, %y + 20, %x + 5] clamp : tensor<3x?x?xf32>
    %18 = arith.maximumf %16, %17 : f32
    %19 = arith.maximumf %15, %18 : f32
    %20 = pipeline.load %tall32[%c, %y + 1, %x + 6] clamp : tensor<3x?x?xf32>
    %21 = pipeline.load %tall32[%c, %y + 20, %x + 6] clamp : tensor<3x?x?xf32>
    %22 = arith.maximumf %20, %21 : f32
    %23 = arith.maximumf %19, %22 : f32
    %24 = pipeline.load %tall32[%c, %y + 1, %x + 7] clamp : tensor<3x?x?xf32>
    %25 = pipeline.load %tall32[%c, %y + 20, %x + 7] clamp : tensor<3x?x?xf32>
    %26 = arith.maximumf %24, %25 : f32
    %27 = arith.maximumf %23, %26 : f32
    %28 = pipeline.load %tall32[%c, %y + 1, %x + 8] clamp : tensor<3x?x?xf32>
    %29 = pipeline.load %tall32[%c, %y + 20, %x + 8] clamp : tensor<3x?x?xf32>
    %30 = arith.maximumf %28, %29 : f32
    %31 = arith.maximumf %27, %30 : f32
    %32 = pipeline.load %tall32[%c, %y + 2, %x + 9] clamp : tensor<3x?x?xf32>
    %33 = pipeline.load %tall32[%c, %y + 19, %x + 9] clamp : tensor<3x?x?xf32>
    %34 = arith.maximumf %32, %33 : f32
    %35 = arith.maximumf %31, %34 : f32
    %36 = pipeline.load %tall32[%c, %y + 2, %x + 10] clamp : tensor<3x?x?xf32>
    %37 = pipeline.load %tall32[%c, %y + 19, %x + 10] clamp : tensor<3x?x?xf32>
    %38 = arith.maximumf %36, %37 : f32
    %39 = arith.maximumf %35, %38 : f32
    %40 = pipeline.load %tall32[%c, %y + 3, %x + 11] clamp : tensor<3x?x?xf32>
    %41 = pipeline.load %tall32[%c, %y + 18, %x + 11] clamp : tensor<3x?x?xf32>
    %42 = arith.maximumf %40, %41 : f32
    %43 = arith.maximumf %39, %42 : f32
    %44 = pipeline.load %tall32[%c, %y + 3, %x + 12] clamp : tensor<3x?x?xf32>
    %45 = pipeline.load %tall32[%c, %y + 18, %x + 12] clamp : tensor<3x?x?xf32>
    %46 = arith.maximumf %44, %45 : f32
    %47 = arith.maximumf %43, %46 : f32
    %48 = pipeline.load %tall32[%c, %y + 4, %x + 13] clamp : tensor<3x?x?xf32>
    %49 = pipeline.load %tall32[%c, %y + 17, %x + 13] clamp : tensor<3x?x?xf32>
    %50 = arith.maximumf %48, %49 : f32
    %51 = arith.maximumf %47, %50 : f32
    %52 = pipeline.load %tall32[%c, %y + 4, %x + 14] clamp : tensor<3x?x?xf32>
    %53 = pipeline.load %tall32[%c, %y + 17, %x + 14] clamp : tensor<3x?x?xf32>
    %54 = arith.maximumf %52, %53 : f32
    %55 = arith.maximumf %51, %54 : f32
    %56 = pipeline.load %tall32[%c, %y + 5, %x + 15] clamp : tensor<3x?x?xf32>
    %57 = pipeline.load %tall32[%c, %y + 16, %x + 15] clamp : tensor<3x?x?xf32>
    %58 = arith.maximumf %56, %57 : f32
    %59 = arith.maximumf %55, %58 : f32
    %60 = pipeline.load %tall32[%c, %y + 6, %x + 16] clamp : tensor<3x?x?xf32>
    %61 = pipeline.load %tall32[%c, %y + 15, %x + 16] clamp : tensor<3x?x?xf32>
    %62 = arith.maximumf %60, %61 : f32
    %63 = arith.maximumf %59, %62 : f32
    %64 = pipeline.load %tall32[%c, %y + 6, %x + 17] clamp : tensor<3x?x?xf32>
    %65 = pipeline.load %tall32[%c, %y + 15, %x + 17] clamp : tensor<3x?x?xf32>
    %66 = arith.maximumf %64, %65 : f32
    %67 = arith.maximumf %63, %66 : f32
    %68 = pipeline.load %tall32[%c, %y + 7, %x + 18] clamp : tensor<3x?x?xf32>
    %69 = pipeline.load %tall32[%c, %y + 14, %x + 18] clamp : tensor<3x?x?xf32>
    %70 = arith.maximumf %68, %69 : f32
    %71 = arith.maximumf %67, %70 : f32
    %72 = pipeline.load %tall32[%c, %y + 8, %x + 19] clamp : tensor<3x?x?xf32>
    %73 = pipeline.load %tall32[%c, %y + 13, %x + 19] clamp : tensor<3x?x?xf32>
    %74 = arith.maximumf %72, %73 : f32
    %75 = arith.maximumf %71, %74 : f32
    %76 = pipeline.load %tall32[%c, %y + 9, %x + 20] clamp : tensor<3x?x?xf32>
    %77 = pipeline.load %tall32[%c, %y + 12, %x + 20] clamp : tensor<3x?x?xf32>
    %78 = arith.maximumf %76, %77 : f32
    %79 = arith.maximumf %75, %78 : f32
    %80 = pipeline.load %tall16[%c, %y + 11, %x + 21] clamp : tensor<3x?x?xf32>
    %81 = pipeline.load %tall16[%c, %y + 26, %x + 21] clamp : tensor<3x?x?xf32>
    %82 = arith.maximumf %80, %81 : f32
    %83 = arith.maximumf %79, %82 : f32
    %84 = pipeline.load %tall16[%c, %y + 12, %x + 22] clamp : tensor<3x?x?xf32>
    %85 = pipeline.load %tall16[%c, %y + 25, %x + 22] clamp : tensor<3x?x?xf32>
    %86 = arith.maximumf %84, %85 : f32
    %87 = arith.maximumf %83, %86 : f32
    %88 = pipeline.load %tall16[%c, %y + 14, %x + 23] clamp : tensor<3x?x?xf32>
    %89 = pipeline.load %tall16[%c, %y + 23, %x + 23] clamp : tensor<3x?x?xf32>
    %90 = arith.maximumf %88, %89 : f32
    %91 = arith.maximumf %87, %90 : f32
    %92 = pipeline.load %tall16[%c, %y + 16, %x + 24] clamp : tensor<3x?x?xf32>
    %93 = pipeline.load %tall16[%c, %y + 21, %x + 24] clamp : tensor<3x?x?xf32>
    %94 = arith.maximumf %92, %93 : f32
    %95 = arith.maximumf %91, %94 : f32
    %96 = pipeline.load %tall16[%c, %y + 18, %x + 25] clamp : tensor<3x?x?xf32>
    %97 = pipeline.load %tall16[%c, %y + 19, %x + 25] clamp : tensor<3x?x?xf32>
    %98 = arith.maximumf %96, %97 : f32
    %99 = arith.maximumf %95, %98 : f32
    %100 = pipeline.load %tall4[%c, %y + 23, %x + 26] clamp : tensor<3x?x?xf32>
    %101 = pipeline.load %tall4[%c, %y + 26, %x + 26] clamp : tensor<3x?x?xf32>
    %102 = arith.maximumf %100, %101 : f32
    %103 = arith.maximumf %99, %102 : f32
    pipeline.yield %103 : f32
  } sized(%dim, %dim_0) : tensor<3x?x?xf32>
  %max = pipeline.stage "max" (%c, %y, %x) {
    %1 = pipeline.load %left[%c, %y, %x] : tensor<3x?x?xf32>
    %2 = pipeline.load %middle[%c, %y, %x] : tensor<3x?x?xf32>
    %3 = arith.maximumf %1, %2 : f32
    %4 = pipeline.load %right[%c, %y, %x] : tensor<3x?x?xf32>
    %5 = arith.maximumf %3, %4 : f32
    pipeline.yield %5 : f32
  } sized(%dim, %dim_0) : tensor<3x?x?xf32>
  return %max : tensor<3x?x?xf32>
}
