// The integral image of a grey image of bytes: at each point the sum of all that are not below it or to its right. Forma has no scans.
//
//   pipeline-run bench/halide/seen/integral.mlir --arg img=photo.png --out sums=sums.npy

func.func @integral(%img: tensor<?x?xi8> {weft.estimate = array<i64: 2160, 3840>, weft.name = "img", weft.unsigned}) -> (tensor<?x?xi32> {weft.name = "sums", weft.unsigned}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %h = tensor.dim %img, %c0 : tensor<?x?xi8>
  %w = tensor.dim %img, %c1 : tensor<?x?xi8>
  %rows = pipeline.scan "rows" (%y, %x) along 1 {
    %before = pipeline.previous 1 or %zero : i32
    %here = pipeline.load %img[%y, %x] : tensor<?x?xi8>
    %wide = arith.extui %here : i8 to i32
    %sum = arith.addi %before, %wide : i32
    pipeline.yield %sum : i32
  } sized(%h, %w) : tensor<?x?xi32>
  %sums = pipeline.scan "sums" (%y, %x) along 0 {
    %before = pipeline.previous 1 or %zero : i32
    %here = pipeline.load %rows[%y, %x] : tensor<?x?xi32>
    %sum = arith.addi %before, %here : i32
    pipeline.yield %sum : i32
  } sized(%h, %w) : tensor<?x?xi32>
  return %sums : tensor<?x?xi32>
}
