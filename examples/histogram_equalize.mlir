// Histogram equalization of a grey image: how often each level occurs, the sums of that from the darkest level on, and
// a table that makes the levels' ranks the new levels, the darkest one 0 and the brightest 255, rounded to the nearest.
// An image of one level becomes black.
//
//   pipeline-run examples/histogram_equalize.mlir --arg img=examples/data/camera.png --out equalized=equalized.png

func.func @histogram_equalize(%arg0: tensor<?x?xi8> {weft.estimate = array<i64: 2560, 1536>, weft.name = "img", weft.unsigned}) -> (tensor<?x?xi8> {weft.name = "equalized", weft.unsigned}) {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?x?xi8>
  %c1 = arith.constant 1 : index
  %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xi8>
  %c1_i32 = arith.constant 1 : i32
  %c0_i32 = arith.constant 0 : i32
  %histogram = pipeline.scatter "histogram" () over (%ry, %rx) in [0, %dim) x [0, %dim_0) from(%c0_i32 : i32) combine "arith.addi" {
    %2 = pipeline.load %arg0[%ry, %rx] : tensor<?x?xi8>
    %3 = arith.index_castui %2 : i8 to index
    pipeline.update %c1_i32 at [%3] : i32
  } : tensor<256xi32>
  %sums:2 = pipeline.scan "sums" (%x) along 0 {
    %2 = pipeline.previous 1 or %c0_i32 : i32
    %3 = pipeline.load %histogram[%x] : tensor<256xi32>
    %4 = arith.addi %2, %3 : i32
    %5 = pipeline.previous 1 of 1 or %c0_i32 : i32
    %6 = arith.cmpi eq, %5, %c0_i32 : i32
    %7 = arith.select %6, %4, %5 : i32
    pipeline.yield %4, %7 : i32, i32
  } : tensor<256xi32>, tensor<256xi32>
  %0 = arith.muli %dim, %dim_0 : index
  %1 = arith.index_castui %0 : index to i64
  %c1_i64 = arith.constant 1 : i64
  %c255_i64 = arith.constant 255 : i64
  %table = pipeline.stage "table" (%x) {
    %2 = pipeline.load %sums#0[%x] : tensor<256xi32>
    %3 = arith.extui %2 : i32 to i64
    %4 = pipeline.load %sums#1[%x] : tensor<256xi32>
    %5 = arith.extui %4 : i32 to i64
    %6 = arith.subi %1, %5 : i64
    %7 = arith.maxui %6, %c1_i64 : i64
    %8 = arith.subi %3, %5 : i64
    %9 = arith.muli %8, %c255_i64 : i64
    %10 = arith.shrui %7, %c1_i64 : i64
    %11 = arith.addi %9, %10 : i64
    %12 = arith.divui %11, %7 : i64
    %13 = arith.trunci %12 : i64 to i8
    pipeline.yield %13 : i8
  } : tensor<256xi8>
  %equalized = pipeline.stage "equalized" (%y, %x) {
    %2 = pipeline.load %arg0[%y, %x] : tensor<?x?xi8>
    %3 = arith.index_castui %2 : i8 to index
    %4 = pipeline.gather %table[%3] clamp : tensor<256xi8>
    pipeline.yield %4 : i8
  } sized(%dim, %dim_0) : tensor<?x?xi8>
  return %equalized : tensor<?x?xi8>
}
