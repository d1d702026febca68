// An integral image, and boxes of it: scans along rows and down columns that share bands.
func.func @integral(%img: tensor<?x?xi8> {weft.name = "img", weft.unsigned}) -> (tensor<?x?xi32> {weft.name = "boxes"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xi8>
  %w = tensor.dim %img, %c1 : tensor<?x?xi8>
  %zero = arith.constant 0 : i32
  %rows = pipeline.scan "rows" (%y, %x) along 1 {
    %before = pipeline.previous 1 or %zero : i32
    %v = pipeline.load %img[%y, %x] : tensor<?x?xi8>
    %n = arith.extui %v : i8 to i32
    %s = arith.addi %before, %n : i32
    pipeline.yield %s : i32
  } sized(%h, %w) : tensor<?x?xi32>
  %sums = pipeline.scan "sums" (%y, %x) along 0 {
    %before = pipeline.previous 1 or %zero : i32
    %v = pipeline.load %rows[%y, %x] : tensor<?x?xi32>
    %s = arith.addi %before, %v : i32
    pipeline.yield %s : i32
  } sized(%h, %w) : tensor<?x?xi32>
  %boxes = pipeline.stage "boxes" (%y, %x) {
    %a = pipeline.load %sums[%y + 2, %x + 2] clamp : tensor<?x?xi32>
    %b = pipeline.load %sums[%y - 3, %x + 2] constant(%zero) : tensor<?x?xi32>
    %c = pipeline.load %sums[%y + 2, %x - 3] constant(%zero) : tensor<?x?xi32>
    %d = pipeline.load %sums[%y - 3, %x - 3] constant(%zero) : tensor<?x?xi32>
    %ab = arith.subi %a, %b : i32
    %cd = arith.subi %c, %d : i32
    %box = arith.subi %ab, %cd : i32
    pipeline.yield %box : i32
  } sized(%h, %w) : tensor<?x?xi32>
  return %boxes : tensor<?x?xi32>
}
