// Harris corners of a colour image, the thirteen stages of Halide's app: grey, Sobel derivatives (divided by 12), their
// products, 3x3 sums of these, determinant, trace, the response det - 0.04 trace^2, and the part of it that no edge has
// touched: the 2 outermost points of each side are left out. Images of intermediate stages are as large as the first
// one; Halide infers the part that is needed, and so does --infer-bounds.
//
//   pipeline-run examples/harris_rgb.mlir --arg img=examples/data/chelsea.png --out harris=corners.png --normalize

func.func @harris_rgb(%arg0: tensor<3x?x?xf32> {weft.estimate = array<i64: 3, 2560, 1536>, weft.name = "img"}) -> (tensor<?x?xf32> {weft.name = "harris"}) {
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %arg0, %c1 : tensor<3x?x?xf32>
  %c2 = arith.constant 2 : index
  %dim_0 = tensor.dim %arg0, %c2 : tensor<3x?x?xf32>
  %cst = arith.constant 2.990000e-01 : f32
  %cst_1 = arith.constant 5.870000e-01 : f32
  %cst_2 = arith.constant 1.140000e-01 : f32
  %gray = pipeline.stage "gray" (%y, %x) {
    %2 = pipeline.load %arg0[0, %y, %x] : tensor<3x?x?xf32>
    %3 = arith.mulf %cst, %2 : f32
    %4 = pipeline.load %arg0[1, %y, %x] : tensor<3x?x?xf32>
    %5 = arith.mulf %cst_1, %4 : f32
    %6 = arith.addf %3, %5 : f32
    %7 = pipeline.load %arg0[2, %y, %x] : tensor<3x?x?xf32>
    %8 = arith.mulf %cst_2, %7 : f32
    %9 = arith.addf %6, %8 : f32
    pipeline.yield %9 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %cst_3 = arith.constant 2.000000e+00 : f32
  %cst_4 = arith.constant 1.200000e+01 : f32
  %Ix = pipeline.stage "Ix" (%y, %x) {
    %2 = pipeline.load %gray[%y - 1, %x + 1] clamp : tensor<?x?xf32>
    %3 = pipeline.load %gray[%y - 1, %x - 1] clamp : tensor<?x?xf32>
    %4 = arith.subf %2, %3 : f32
    %5 = pipeline.load %gray[%y, %x + 1] clamp : tensor<?x?xf32>
    %6 = pipeline.load %gray[%y, %x - 1] clamp : tensor<?x?xf32>
    %7 = arith.subf %5, %6 : f32
    %8 = arith.mulf %7, %cst_3 : f32
    %9 = arith.addf %4, %8 : f32
    %10 = pipeline.load %gray[%y + 1, %x + 1] clamp : tensor<?x?xf32>
    %11 = pipeline.load %gray[%y + 1, %x - 1] clamp : tensor<?x?xf32>
    %12 = arith.subf %10, %11 : f32
    %13 = arith.addf %9, %12 : f32
    %14 = arith.divf %13, %cst_4 : f32
    pipeline.yield %14 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %Iy = pipeline.stage "Iy" (%y, %x) {
    %2 = pipeline.load %gray[%y + 1, %x + 1] clamp : tensor<?x?xf32>
    %3 = pipeline.load %gray[%y + 1, %x - 1] clamp : tensor<?x?xf32>
    %4 = pipeline.load %gray[%y - 1, %x - 1] clamp : tensor<?x?xf32>
    %5 = arith.subf %3, %4 : f32
    %6 = pipeline.load %gray[%y + 1, %x] clamp : tensor<?x?xf32>
    %7 = pipeline.load %gray[%y - 1, %x] clamp : tensor<?x?xf32>
    %8 = arith.subf %6, %7 : f32
    %9 = arith.mulf %8, %cst_3 : f32
    %10 = arith.addf %5, %9 : f32
    %11 = pipeline.load %gray[%y - 1, %x + 1] clamp : tensor<?x?xf32>
    %12 = arith.subf %2, %11 : f32
    %13 = arith.addf %10, %12 : f32
    %14 = arith.divf %13, %cst_4 : f32
    pipeline.yield %14 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %Ixx = pipeline.stage "Ixx" (%y, %x) {
    %2 = pipeline.load %Ix[%y, %x] : tensor<?x?xf32>
    %3 = arith.mulf %2, %2 : f32
    pipeline.yield %3 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %Iyy = pipeline.stage "Iyy" (%y, %x) {
    %2 = pipeline.load %Iy[%y, %x] : tensor<?x?xf32>
    %3 = arith.mulf %2, %2 : f32
    pipeline.yield %3 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %Ixy = pipeline.stage "Ixy" (%y, %x) {
    %2 = pipeline.load %Ix[%y, %x] : tensor<?x?xf32>
    %3 = pipeline.load %Iy[%y, %x] : tensor<?x?xf32>
    %4 = arith.mulf %2, %3 : f32
    pipeline.yield %4 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %Sxx = pipeline.stage "Sxx" (%y, %x) {
    %2 = pipeline.load %Ixx[%y - 1, %x - 1] clamp : tensor<?x?xf32>
    %3 = pipeline.load %Ixx[%y - 1, %x] clamp : tensor<?x?xf32>
    %4 = arith.addf %2, %3 : f32
    %5 = pipeline.load %Ixx[%y - 1, %x + 1] clamp : tensor<?x?xf32>
    %6 = arith.addf %4, %5 : f32
    %7 = pipeline.load %Ixx[%y, %x - 1] clamp : tensor<?x?xf32>
    %8 = arith.addf %6, %7 : f32
    %9 = pipeline.load %Ixx[%y, %x] clamp : tensor<?x?xf32>
    %10 = arith.addf %8, %9 : f32
    %11 = pipeline.load %Ixx[%y, %x + 1] clamp : tensor<?x?xf32>
    %12 = arith.addf %10, %11 : f32
    %13 = pipeline.load %Ixx[%y + 1, %x - 1] clamp : tensor<?x?xf32>
    %14 = arith.addf %12, %13 : f32
    %15 = pipeline.load %Ixx[%y + 1, %x] clamp : tensor<?x?xf32>
    %16 = arith.addf %14, %15 : f32
    %17 = pipeline.load %Ixx[%y + 1, %x + 1] clamp : tensor<?x?xf32>
    %18 = arith.addf %16, %17 : f32
    pipeline.yield %18 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %Syy = pipeline.stage "Syy" (%y, %x) {
    %2 = pipeline.load %Iyy[%y - 1, %x - 1] clamp : tensor<?x?xf32>
    %3 = pipeline.load %Iyy[%y - 1, %x] clamp : tensor<?x?xf32>
    %4 = arith.addf %2, %3 : f32
    %5 = pipeline.load %Iyy[%y - 1, %x + 1] clamp : tensor<?x?xf32>
    %6 = arith.addf %4, %5 : f32
    %7 = pipeline.load %Iyy[%y, %x - 1] clamp : tensor<?x?xf32>
    %8 = arith.addf %6, %7 : f32
    %9 = pipeline.load %Iyy[%y, %x] clamp : tensor<?x?xf32>
    %10 = arith.addf %8, %9 : f32
    %11 = pipeline.load %Iyy[%y, %x + 1] clamp : tensor<?x?xf32>
    %12 = arith.addf %10, %11 : f32
    %13 = pipeline.load %Iyy[%y + 1, %x - 1] clamp : tensor<?x?xf32>
    %14 = arith.addf %12, %13 : f32
    %15 = pipeline.load %Iyy[%y + 1, %x] clamp : tensor<?x?xf32>
    %16 = arith.addf %14, %15 : f32
    %17 = pipeline.load %Iyy[%y + 1, %x + 1] clamp : tensor<?x?xf32>
    %18 = arith.addf %16, %17 : f32
    pipeline.yield %18 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %Sxy = pipeline.stage "Sxy" (%y, %x) {
    %2 = pipeline.load %Ixy[%y - 1, %x - 1] clamp : tensor<?x?xf32>
    %3 = pipeline.load %Ixy[%y - 1, %x] clamp : tensor<?x?xf32>
    %4 = arith.addf %2, %3 : f32
    %5 = pipeline.load %Ixy[%y - 1, %x + 1] clamp : tensor<?x?xf32>
    %6 = arith.addf %4, %5 : f32
    %7 = pipeline.load %Ixy[%y, %x - 1] clamp : tensor<?x?xf32>
    %8 = arith.addf %6, %7 : f32
    %9 = pipeline.load %Ixy[%y, %x] clamp : tensor<?x?xf32>
    %10 = arith.addf %8, %9 : f32
    %11 = pipeline.load %Ixy[%y, %x + 1] clamp : tensor<?x?xf32>
    %12 = arith.addf %10, %11 : f32
    %13 = pipeline.load %Ixy[%y + 1, %x - 1] clamp : tensor<?x?xf32>
    %14 = arith.addf %12, %13 : f32
    %15 = pipeline.load %Ixy[%y + 1, %x] clamp : tensor<?x?xf32>
    %16 = arith.addf %14, %15 : f32
    %17 = pipeline.load %Ixy[%y + 1, %x + 1] clamp : tensor<?x?xf32>
    %18 = arith.addf %16, %17 : f32
    pipeline.yield %18 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %det = pipeline.stage "det" (%y, %x) {
    %2 = pipeline.load %Sxx[%y, %x] : tensor<?x?xf32>
    %3 = pipeline.load %Syy[%y, %x] : tensor<?x?xf32>
    %4 = arith.mulf %2, %3 : f32
    %5 = pipeline.load %Sxy[%y, %x] : tensor<?x?xf32>
    %6 = arith.mulf %5, %5 : f32
    %7 = arith.subf %4, %6 : f32
    pipeline.yield %7 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %trace = pipeline.stage "trace" (%y, %x) {
    %2 = pipeline.load %Sxx[%y, %x] : tensor<?x?xf32>
    %3 = pipeline.load %Syy[%y, %x] : tensor<?x?xf32>
    %4 = arith.addf %2, %3 : f32
    pipeline.yield %4 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %cst_5 = arith.constant 4.000000e-02 : f32
  %harris = pipeline.stage "harris" (%y, %x) {
    %2 = pipeline.load %det[%y, %x] : tensor<?x?xf32>
    %3 = pipeline.load %trace[%y, %x] : tensor<?x?xf32>
    %4 = arith.mulf %cst_5, %3 : f32
    %5 = arith.mulf %4, %3 : f32
    %6 = arith.subf %2, %5 : f32
    pipeline.yield %6 : f32
  } sized(%dim, %dim_0) : tensor<?x?xf32>
  %c4 = arith.constant 4 : index
  %0 = arith.subi %dim, %c4 : index
  %1 = arith.subi %dim_0, %c4 : index
  %shifted = pipeline.stage "shifted" (%y, %x) {
    %2 = pipeline.load %harris[%y + 2, %x + 2] : tensor<?x?xf32>
    pipeline.yield %2 : f32
  } sized(%0, %1) : tensor<?x?xf32>
  return %shifted : tensor<?x?xf32>
}
