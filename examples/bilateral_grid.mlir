// The bilateral grid of a grey image, as Halide and PolyMage have it: every 8x8 points and every tenth of the
// brightness are a cell that holds the sum of its points' values and how many they are; both are smoothed with 1 4 6 4
// 1 along brightness, columns and rows, and each point of the result lies between the eight nearest cells, values by
// weights. Cell gx holds the points 8 gx - 4 to 8 gx + 3. The edge of the image is repeated.
//
//   pipeline-run examples/bilateral_grid.mlir --arg img=examples/data/camera.png --out smooth=smooth.png

func.func @bilateral_grid(%arg0: tensor<?x?xf32> {weft.estimate = array<i64: 2560, 1536>, weft.name = "img"}) -> (tensor<?x?xf32> {weft.name = "smooth"}) {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
  %c1 = arith.constant 1 : index
  %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 1.000000e+00 : f32
  %clipped = pipeline.stage "clipped" (%y, %x) {
    %8 = pipeline.load %arg0[%y, %x] : tensor<?x?xf32>
    %9 = arith.maximumf %8, %cst : f32
    %10 = arith.minimumf %9, %cst_1 : f32
    pipeline.yield %10 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %c7 = arith.constant 7 : index
  %0 = arith.addi %dim, %c7 : index
  %c8 = arith.constant 8 : index
  %c3 = arith.constant 3 : index
  %1 = arith.shrsi %0, %c3 : index
  %c1_2 = arith.constant 1 : index
  %2 = arith.addi %1, %c1_2 : index
  %3 = arith.addi %dim_0, %c7 : index
  %c3_3 = arith.constant 3 : index
  %4 = arith.shrsi %3, %c3_3 : index
  %5 = arith.addi %4, %c1_2 : index
  %cst_4 = arith.constant 1.000000e+01 : f32
  %cst_5 = arith.constant 5.000000e-01 : f32
  %c4 = arith.constant 4 : index
  %6 = arith.addi %2, %c4 : index
  %7 = arith.addi %5, %c4 : index
  %grid:2 = pipeline.scatter "grid" (%y, %x) over (%ry, %rx) in [0, 8) x [0, 8) from(%cst, %cst : f32, f32) combine "arith.addf" {
    %8 = pipeline.load %clipped[%y * 8 + %ry - 20, %x * 8 + %rx - 20] clamp : tensor<?x?xf32>
    %9 = arith.mulf %8, %cst_4 : f32
    %10 = arith.addf %9, %cst_5 : f32
    %11 = arith.fptosi %10 : f32 to i32
    %12 = arith.index_cast %11 : i32 to index
    pipeline.update %8, %cst_1 at [%12] : f32, f32
  } sized(%6, %7) : tensor<?x?x12xf32>, tensor<?x?x12xf32>
  %cst_6 = arith.constant 4.000000e+00 : f32
  %cst_7 = arith.constant 6.000000e+00 : f32
  %blurz:2 = pipeline.stage "blurz" (%c, %y, %x) {
    %8 = pipeline.load %grid#0[%c, %y, %x - 2] constant(%cst) : tensor<?x?x12xf32>
    %9 = pipeline.load %grid#0[%c, %y, %x + 2] constant(%cst) : tensor<?x?x12xf32>
    %10 = arith.addf %8, %9 : f32
    %11 = pipeline.load %grid#0[%c, %y, %x - 1] constant(%cst) : tensor<?x?x12xf32>
    %12 = pipeline.load %grid#0[%c, %y, %x + 1] constant(%cst) : tensor<?x?x12xf32>
    %13 = arith.addf %11, %12 : f32
    %14 = arith.mulf %13, %cst_6 : f32
    %15 = arith.addf %10, %14 : f32
    %16 = pipeline.load %grid#0[%c, %y, %x] constant(%cst) : tensor<?x?x12xf32>
    %17 = arith.mulf %16, %cst_7 : f32
    %18 = arith.addf %15, %17 : f32
    %19 = pipeline.load %grid#1[%c, %y, %x - 2] constant(%cst) : tensor<?x?x12xf32>
    %20 = pipeline.load %grid#1[%c, %y, %x + 2] constant(%cst) : tensor<?x?x12xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = pipeline.load %grid#1[%c, %y, %x - 1] constant(%cst) : tensor<?x?x12xf32>
    %23 = pipeline.load %grid#1[%c, %y, %x + 1] constant(%cst) : tensor<?x?x12xf32>
    %24 = arith.addf %22, %23 : f32
    %25 = arith.mulf %24, %cst_6 : f32
    %26 = arith.addf %21, %25 : f32
    %27 = pipeline.load %grid#1[%c, %y, %x] constant(%cst) : tensor<?x?x12xf32>
    %28 = arith.mulf %27, %cst_7 : f32
    %29 = arith.addf %26, %28 : f32
    pipeline.yield %18, %29 : f32, f32
  } sized(%6, %7) : tensor<?x?x12xf32>, tensor<?x?x12xf32>
  %blurx:2 = pipeline.stage "blurx" (%c, %y, %x) {
    %8 = pipeline.load %blurz#0[%c, %y, %x] : tensor<?x?x12xf32>
    %9 = pipeline.load %blurz#0[%c, %y + 4, %x] : tensor<?x?x12xf32>
    %10 = arith.addf %8, %9 : f32
    %11 = pipeline.load %blurz#0[%c, %y + 1, %x] : tensor<?x?x12xf32>
    %12 = pipeline.load %blurz#0[%c, %y + 3, %x] : tensor<?x?x12xf32>
    %13 = arith.addf %11, %12 : f32
    %14 = arith.mulf %13, %cst_6 : f32
    %15 = arith.addf %10, %14 : f32
    %16 = pipeline.load %blurz#0[%c, %y + 2, %x] : tensor<?x?x12xf32>
    %17 = arith.mulf %16, %cst_7 : f32
    %18 = arith.addf %15, %17 : f32
    %19 = pipeline.load %blurz#1[%c, %y, %x] : tensor<?x?x12xf32>
    %20 = pipeline.load %blurz#1[%c, %y + 4, %x] : tensor<?x?x12xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = pipeline.load %blurz#1[%c, %y + 1, %x] : tensor<?x?x12xf32>
    %23 = pipeline.load %blurz#1[%c, %y + 3, %x] : tensor<?x?x12xf32>
    %24 = arith.addf %22, %23 : f32
    %25 = arith.mulf %24, %cst_6 : f32
    %26 = arith.addf %21, %25 : f32
    %27 = pipeline.load %blurz#1[%c, %y + 2, %x] : tensor<?x?x12xf32>
    %28 = arith.mulf %27, %cst_7 : f32
    %29 = arith.addf %26, %28 : f32
    pipeline.yield %18, %29 : f32, f32
  } sized(%6, %5) : tensor<?x?x12xf32>, tensor<?x?x12xf32>
  %blury:2 = pipeline.stage "blury" (%c, %y, %x) {
    %8 = pipeline.load %blurx#0[%c, %y, %x] : tensor<?x?x12xf32>
    %9 = pipeline.load %blurx#0[%c + 4, %y, %x] : tensor<?x?x12xf32>
    %10 = arith.addf %8, %9 : f32
    %11 = pipeline.load %blurx#0[%c + 1, %y, %x] : tensor<?x?x12xf32>
    %12 = pipeline.load %blurx#0[%c + 3, %y, %x] : tensor<?x?x12xf32>
    %13 = arith.addf %11, %12 : f32
    %14 = arith.mulf %13, %cst_6 : f32
    %15 = arith.addf %10, %14 : f32
    %16 = pipeline.load %blurx#0[%c + 2, %y, %x] : tensor<?x?x12xf32>
    %17 = arith.mulf %16, %cst_7 : f32
    %18 = arith.addf %15, %17 : f32
    %19 = pipeline.load %blurx#1[%c, %y, %x] : tensor<?x?x12xf32>
    %20 = pipeline.load %blurx#1[%c + 4, %y, %x] : tensor<?x?x12xf32>
    %21 = arith.addf %19, %20 : f32
    %22 = pipeline.load %blurx#1[%c + 1, %y, %x] : tensor<?x?x12xf32>
    %23 = pipeline.load %blurx#1[%c + 3, %y, %x] : tensor<?x?x12xf32>
    %24 = arith.addf %22, %23 : f32
    %25 = arith.mulf %24, %cst_6 : f32
    %26 = arith.addf %21, %25 : f32
    %27 = pipeline.load %blurx#1[%c + 2, %y, %x] : tensor<?x?x12xf32>
    %28 = arith.mulf %27, %cst_7 : f32
    %29 = arith.addf %26, %28 : f32
    pipeline.yield %18, %29 : f32, f32
  } sized(%2, %5) : tensor<?x?x12xf32>, tensor<?x?x12xf32>
  %c0_8 = arith.constant 0 : index
  %cst_9 = arith.constant 8.000000e+00 : f32
  %interpolated:2 = pipeline.stage "interpolated" (%y, %x) {
    %8 = pipeline.load %clipped[%y, %x] : tensor<?x?xf32>
    %9 = arith.mulf %8, %cst_4 : f32
    %10 = arith.fptosi %9 : f32 to i32
    %11 = arith.index_cast %10 : i32 to index
    %12 = arith.addi %11, %c0_8 : index
    %13 = pipeline.gather %blury#0[%y floordiv 8, %x floordiv 8, %12] clamp : tensor<?x?x12xf32>
    %14 = pipeline.gather %blury#0[%y floordiv 8, %x floordiv 8 + 1, %12] clamp : tensor<?x?x12xf32>
    %c7_10 = arith.constant 7 : index
    %15 = arith.andi %x, %c7_10 : index
    %16 = arith.index_cast %15 : index to i32
    %17 = arith.sitofp %16 : i32 to f32
    %18 = arith.divf %17, %cst_9 : f32
    %19 = arith.subf %14, %13 : f32
    %20 = arith.mulf %19, %18 : f32
    %21 = arith.addf %13, %20 : f32
    %22 = pipeline.gather %blury#0[%y floordiv 8 + 1, %x floordiv 8, %12] clamp : tensor<?x?x12xf32>
    %23 = pipeline.gather %blury#0[%y floordiv 8 + 1, %x floordiv 8 + 1, %12] clamp : tensor<?x?x12xf32>
    %24 = arith.subf %23, %22 : f32
    %25 = arith.mulf %24, %18 : f32
    %26 = arith.addf %22, %25 : f32
    %c7_11 = arith.constant 7 : index
    %27 = arith.andi %y, %c7_11 : index
    %28 = arith.index_cast %27 : index to i32
    %29 = arith.sitofp %28 : i32 to f32
    %30 = arith.divf %29, %cst_9 : f32
    %31 = arith.subf %26, %21 : f32
    %32 = arith.mulf %31, %30 : f32
    %33 = arith.addf %21, %32 : f32
    %34 = arith.addi %11, %c1_2 : index
    %35 = pipeline.gather %blury#0[%y floordiv 8, %x floordiv 8, %34] clamp : tensor<?x?x12xf32>
    %36 = pipeline.gather %blury#0[%y floordiv 8, %x floordiv 8 + 1, %34] clamp : tensor<?x?x12xf32>
    %37 = arith.subf %36, %35 : f32
    %38 = arith.mulf %37, %18 : f32
    %39 = arith.addf %35, %38 : f32
    %40 = pipeline.gather %blury#0[%y floordiv 8 + 1, %x floordiv 8, %34] clamp : tensor<?x?x12xf32>
    %41 = pipeline.gather %blury#0[%y floordiv 8 + 1, %x floordiv 8 + 1, %34] clamp : tensor<?x?x12xf32>
    %42 = arith.subf %41, %40 : f32
    %43 = arith.mulf %42, %18 : f32
    %44 = arith.addf %40, %43 : f32
    %45 = arith.subf %44, %39 : f32
    %46 = arith.mulf %45, %30 : f32
    %47 = arith.addf %39, %46 : f32
    %48 = arith.sitofp %10 : i32 to f32
    %49 = arith.subf %9, %48 : f32
    %50 = arith.subf %47, %33 : f32
    %51 = arith.mulf %50, %49 : f32
    %52 = arith.addf %33, %51 : f32
    %53 = pipeline.gather %blury#1[%y floordiv 8, %x floordiv 8, %12] clamp : tensor<?x?x12xf32>
    %54 = pipeline.gather %blury#1[%y floordiv 8, %x floordiv 8 + 1, %12] clamp : tensor<?x?x12xf32>
    %55 = arith.subf %54, %53 : f32
    %56 = arith.mulf %55, %18 : f32
    %57 = arith.addf %53, %56 : f32
    %58 = pipeline.gather %blury#1[%y floordiv 8 + 1, %x floordiv 8, %12] clamp : tensor<?x?x12xf32>
    %59 = pipeline.gather %blury#1[%y floordiv 8 + 1, %x floordiv 8 + 1, %12] clamp : tensor<?x?x12xf32>
    %60 = arith.subf %59, %58 : f32
    %61 = arith.mulf %60, %18 : f32
    %62 = arith.addf %58, %61 : f32
    %63 = arith.subf %62, %57 : f32
    %64 = arith.mulf %63, %30 : f32
    %65 = arith.addf %57, %64 : f32
    %66 = pipeline.gather %blury#1[%y floordiv 8, %x floordiv 8, %34] clamp : tensor<?x?x12xf32>
    %67 = pipeline.gather %blury#1[%y floordiv 8, %x floordiv 8 + 1, %34] clamp : tensor<?x?x12xf32>
    %68 = arith.subf %67, %66 : f32
    %69 = arith.mulf %68, %18 : f32
    %70 = arith.addf %66, %69 : f32
    %71 = pipeline.gather %blury#1[%y floordiv 8 + 1, %x floordiv 8, %34] clamp : tensor<?x?x12xf32>
    %72 = pipeline.gather %blury#1[%y floordiv 8 + 1, %x floordiv 8 + 1, %34] clamp : tensor<?x?x12xf32>
    %73 = arith.subf %72, %71 : f32
    %74 = arith.mulf %73, %18 : f32
    %75 = arith.addf %71, %74 : f32
    %76 = arith.subf %75, %70 : f32
    %77 = arith.mulf %76, %30 : f32
    %78 = arith.addf %70, %77 : f32
    %79 = arith.subf %78, %65 : f32
    %80 = arith.mulf %79, %49 : f32
    %81 = arith.addf %65, %80 : f32
    pipeline.yield %52, %81 : f32, f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>, tensor<?x?xf32>
  %smooth = pipeline.stage "smooth" (%y, %x) {
    %8 = pipeline.load %interpolated#0[%y, %x] : tensor<?x?xf32>
    %9 = pipeline.load %interpolated#1[%y, %x] : tensor<?x?xf32>
    %10 = arith.divf %8, %9 : f32
    pipeline.yield %10 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  return %smooth : tensor<?x?xf32>
}
