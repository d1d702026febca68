// Unsigned bytes, computed in 32 bits.
func.func @threshold(%img: tensor<?x?xi8> {weft.name = "img", weft.unsigned})
    -> (tensor<?x?xi8> {weft.name = "out", weft.unsigned}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xi8>
  %w = tensor.dim %img, %c1 : tensor<?x?xi8>
  %limit = arith.constant 100 : i32
  %none = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %out = pipeline.stage "threshold" (%y, %x) {
    %n = pipeline.load %img[%y - 1, %x] clamp : tensor<?x?xi8>
    %s = pipeline.load %img[%y + 1, %x] clamp : tensor<?x?xi8>
    %w0 = pipeline.load %img[%y, %x - 1] clamp : tensor<?x?xi8>
    %e = pipeline.load %img[%y, %x + 1] clamp : tensor<?x?xi8>
    %n32 = arith.extui %n : i8 to i32
    %s32 = arith.extui %s : i8 to i32
    %w32 = arith.extui %w0 : i8 to i32
    %e32 = arith.extui %e : i8 to i32
    %a = arith.addi %n32, %s32 : i32
    %b = arith.addi %w32, %e32 : i32
    %sum = arith.addi %a, %b : i32
    %mean = arith.shrui %sum, %two : i32
    %above = arith.cmpi ugt, %mean, %limit : i32
    %kept = arith.select %above, %mean, %none : i32
    %v = arith.trunci %kept : i32 to i8
    pipeline.yield %v : i8
  } sized(%h, %w) : tensor<?x?xi8>
  return %out : tensor<?x?xi8>
}
