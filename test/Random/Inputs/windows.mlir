// Sums of 16 by 16 bytes: on CPUs sums of partial sums.
func.func @windows(%img: tensor<?x?xi8> {weft.name = "img", weft.unsigned}) -> (tensor<?x?xi32> {weft.name = "sums"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xi8>
  %w = tensor.dim %img, %c1 : tensor<?x?xi8>
  %zero = arith.constant 0 : i32
  %sums = pipeline.stage "sums" (%y, %x) {
    %s = pipeline.reduce (%ry, %rx) in [-8, 8) x [-8, 8) (%acc = %zero : i32) {
      %v = pipeline.load %img[%y + %ry, %x + %rx] mirror : tensor<?x?xi8>
      %n = arith.extui %v : i8 to i32
      %t = arith.addi %acc, %n : i32
      pipeline.yield %t : i32
    } : i32
    pipeline.yield %s : i32
  } sized(%h, %w) : tensor<?x?xi32>
  return %sums : tensor<?x?xi32>
}
