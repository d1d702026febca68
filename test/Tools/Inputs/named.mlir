func.func @f(%0: index) {
  %c1 = arith.constant 1 : index loc("one")
  %1 = arith.addi %0, %c1 : index loc("row")
  %2 = arith.addi %1, %c1 : index loc("row"("f.mlir":1:2))
  %3 = warp.tile_id warps [4] lanes [32] : index
  return
}
