// A slanted image, between two neighbouring columns: pairs of neighbours at computed places.
func.func @turned(%img: tensor<?x?xi8> {weft.name = "img", weft.unsigned}) -> (tensor<?x?xi8> {weft.name = "turned", weft.unsigned}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xi8>
  %w = tensor.dim %img, %c1 : tensor<?x?xi8>
  %turned = pipeline.stage "turned" (%y, %x) {
    %c3 = arith.constant 3 : i32
    %c5 = arith.constant 5 : i32
    %c7 = arith.constant 7 : i32
    %c8 = arith.constant 8 : i32
    %one = arith.constant 1 : index
    %yi = arith.index_cast %y : index to i32
    %xi = arith.index_cast %x : index to i32
    %slanted = arith.muli %yi, %c3 : i32
    %along = arith.muli %xi, %c5 : i32
    %place = arith.addi %along, %slanted : i32
    %column = arith.shrsi %place, %c3 : i32
    %part = arith.andi %place, %c7 : i32
    %rest = arith.subi %c8, %part : i32
    %j = arith.index_cast %column : i32 to index
    %k = arith.addi %j, %one : index
    %a = pipeline.gather %img[%y, %j] clamp : tensor<?x?xi8>
    %b = pipeline.gather %img[%y, %k] clamp : tensor<?x?xi8>
    %wa = arith.extui %a : i8 to i32
    %wb = arith.extui %b : i8 to i32
    %pa = arith.muli %wa, %rest : i32
    %pb = arith.muli %wb, %part : i32
    %sum = arith.addi %pa, %pb : i32
    %mean = arith.shrui %sum, %c3 : i32
    %byte = arith.trunci %mean : i32 to i8
    pipeline.yield %byte : i8
  } sized(%h, %w) : tensor<?x?xi8>
  return %turned : tensor<?x?xi8>
}
