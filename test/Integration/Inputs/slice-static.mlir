// The slice of a bilateral grid: the grid is a stage, read at a computed depth, between two planes.
func.func @slice(%img: tensor<64x96xf32> {weft.name = "img"}) -> (tensor<64x96xf32> {weft.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %ten = arith.constant 10.0 : f32
  %zero = arith.constant 0.0 : f32
  %tenth = arith.constant 0.1 : f32
  %i1 = arith.constant 1 : index
  // What is near a level, over a cell.
  %grid = pipeline.stage "grid" (%z, %y, %x) {
    %zi = arith.index_cast %z : index to i32
    %zf = arith.sitofp %zi : i32 to f32
    %level = arith.mulf %zf, %tenth : f32
    %s = pipeline.reduce (%ry, %rx) in [0, 4) x [0, 4) (%acc = %zero : f32) {
      %p = pipeline.load %img[%y * 4 + %ry, %x * 4 + %rx] clamp : tensor<64x96xf32>
      %d = arith.subf %p, %level : f32
      %e = arith.mulf %d, %d : f32
      %t = arith.addf %acc, %e : f32
      pipeline.yield %t : f32
    } : f32
    pipeline.yield %s : f32
  } : tensor<12x16x24xf32>
  %out = pipeline.stage "slice" (%y, %x) {
    %p = pipeline.load %img[%y, %x] : tensor<64x96xf32>
    %q = arith.mulf %p, %ten : f32
    %f = math.floor %q : f32
    %t = arith.subf %q, %f : f32
    %u = arith.subf %one, %t : f32
    %i = arith.fptosi %f : f32 to i32
    %z0 = arith.index_cast %i : i32 to index
    %z1 = arith.addi %z0, %i1 : index
    %a = pipeline.gather %grid[%z0, %y floordiv 4, %x floordiv 4] clamp : tensor<12x16x24xf32>
    %b = pipeline.gather %grid[%z1, (%y + 2) floordiv 4, (%x + 2) floordiv 4] clamp : tensor<12x16x24xf32>
    %l = arith.mulf %a, %u : f32
    %r = arith.mulf %b, %t : f32
    %v = arith.addf %l, %r : f32
    pipeline.yield %v : f32
  } : tensor<64x96xf32>
  return %out : tensor<64x96xf32>
}
