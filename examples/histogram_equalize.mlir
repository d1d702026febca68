// Histogram equalization of a grey image: how often each level occurs, the sums of that from the darkest level on, and a table that
// makes the levels' ranks the new levels, the darkest one 0 and the brightest 255, rounded to the nearest. An image of one level
// becomes black.
//
//   pipeline-run examples/histogram_equalize.mlir --arg img=examples/data/camera.png --out equalized=equalized.png

func.func @histogram_equalize(
    %img: tensor<?x?xi8> {weft.name = "img", weft.unsigned, weft.estimate = array<i64: 2560, 1536>})
    -> (tensor<?x?xi8> {weft.name = "equalized", weft.unsigned}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xi8>
  %w = tensor.dim %img, %c1 : tensor<?x?xi8>
  %points = arith.muli %h, %w : index
  %n = arith.index_cast %points : index to i64
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %one64 = arith.constant 1 : i64
  %top = arith.constant 255 : i64

  %histogram = pipeline.scatter "histogram" () over (%y, %x) in [0, %h) x [0, %w) from(%zero : i32) combine "arith.addi" {
    %level = pipeline.load %img[%y, %x] : tensor<?x?xi8>
    %bin = arith.index_castui %level : i8 to index
    pipeline.update %one at [%bin] : i32
  } : tensor<256xi32>

  // Beside each sum, the first one that is not 0: that of the darkest level.
  %sum, %darkest = pipeline.scan "sums" (%level) along 0 {
    %count = pipeline.load %histogram[%level] : tensor<256xi32>
    %before = pipeline.previous 1 of 0 or %zero : i32
    %first = pipeline.previous 1 of 1 or %zero : i32
    %sum = arith.addi %before, %count : i32
    %none = arith.cmpi eq, %first, %zero : i32
    %found = arith.select %none, %sum, %first : i32
    pipeline.yield %sum, %found : i32, i32
  } : tensor<256xi32>, tensor<256xi32>

  // 255 (sum - darkest) / (n - darkest), and a half.
  %table = pipeline.stage "table" (%level) {
    %s = pipeline.load %sum[%level] : tensor<256xi32>
    %d = pipeline.load %darkest[%level] : tensor<256xi32>
    %s64 = arith.extui %s : i32 to i64
    %d64 = arith.extui %d : i32 to i64
    %rank = arith.subi %s64, %d64 : i64
    %others = arith.subi %n, %d64 : i64
    %all = arith.maxsi %others, %one64 : i64
    %half = arith.shrui %all, %one64 : i64
    %scaled = arith.muli %rank, %top : i64
    %rounded = arith.addi %scaled, %half : i64
    %new = arith.divui %rounded, %all : i64
    %v = arith.trunci %new : i64 to i8
    pipeline.yield %v : i8
  } : tensor<256xi8>

  %equalized = pipeline.stage "equalized" (%y, %x) {
    %level = pipeline.load %img[%y, %x] : tensor<?x?xi8>
    %i = arith.index_castui %level : i8 to index
    %v = pipeline.gather %table[%i] clamp : tensor<256xi8>
    pipeline.yield %v : i8
  } sized(%h, %w) : tensor<?x?xi8>

  return %equalized : tensor<?x?xi8>
}
