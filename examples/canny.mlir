// Canny's edges, 8 stages in integers and 32 steps of hysteresis: a 1 4 6 4 1 blur along x and along y, Sobel
// derivatives, their length |gx| + |gy|, the direction in four sectors (bounds at 22.5 degrees, to 15 bits), the points
// whose length no neighbour along that direction exceeds (the one before must be smaller), two thresholds (255 where an
// edge is strong, 128 where it is weak), and steps in which a weak point with a strong one among its 8 neighbours
// becomes strong; what is weak still is no edge. The image is mirrored at its edges. Forma's program is not listed in
// the paper; blur, norm and sectors are those of OpenCV, which follows an edge to its end: here 32 points of it, for a
// program cannot ask whether a step has changed anything.
//
//   pipeline-run examples/canny.mlir --arg img=camera8.npy --arg low=40 --arg high=90 --out edges=edges.png

func.func @canny(%arg0: tensor<?x?xi8> {weft.estimate = array<i64: 2832, 4256>, weft.name = "img", weft.unsigned}, %arg1: i32 {weft.name = "low"}, %arg2: i32 {weft.name = "high"}) -> (tensor<?x?xi8> {weft.name = "edges", weft.unsigned}) {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?x?xi8>
  %c1 = arith.constant 1 : index
  %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xi8>
  %c4_i32 = arith.constant 4 : i32
  %c6_i32 = arith.constant 6 : i32
  %blurx = pipeline.stage "blurx" (%y, %x) {
    %0 = pipeline.load %arg0[%y, %x - 2] mirror : tensor<?x?xi8>
    %1 = arith.extui %0 : i8 to i32
    %2 = pipeline.load %arg0[%y, %x + 2] mirror : tensor<?x?xi8>
    %3 = arith.extui %2 : i8 to i32
    %4 = arith.addi %1, %3 : i32
    %5 = pipeline.load %arg0[%y, %x - 1] mirror : tensor<?x?xi8>
    %6 = arith.extui %5 : i8 to i32
    %7 = pipeline.load %arg0[%y, %x + 1] mirror : tensor<?x?xi8>
    %8 = arith.extui %7 : i8 to i32
    %9 = arith.addi %6, %8 : i32
    %10 = arith.muli %9, %c4_i32 : i32
    %11 = arith.addi %4, %10 : i32
    %12 = pipeline.load %arg0[%y, %x] mirror : tensor<?x?xi8>
    %13 = arith.extui %12 : i8 to i32
    %14 = arith.muli %13, %c6_i32 : i32
    %15 = arith.addi %11, %14 : i32
    pipeline.yield %15 : i32
  } sized(%dim, %dim_0) : tensor<?x?xi32>
  %c128_i32 = arith.constant 128 : i32
  %c8_i32 = arith.constant 8 : i32
  %blur = pipeline.stage "blur" (%y, %x) {
    %0 = pipeline.load %blurx[%y - 2, %x] mirror : tensor<?x?xi32>
    %1 = pipeline.load %blurx[%y + 2, %x] mirror : tensor<?x?xi32>
    %2 = arith.addi %0, %1 : i32
    %3 = pipeline.load %blurx[%y - 1, %x] mirror : tensor<?x?xi32>
    %4 = pipeline.load %blurx[%y + 1, %x] mirror : tensor<?x?xi32>
    %5 = arith.addi %3, %4 : i32
    %6 = arith.muli %5, %c4_i32 : i32
    %7 = arith.addi %2, %6 : i32
    %8 = pipeline.load %blurx[%y, %x] mirror : tensor<?x?xi32>
    %9 = arith.muli %8, %c6_i32 : i32
    %10 = arith.addi %7, %9 : i32
    %11 = arith.addi %10, %c128_i32 : i32
    %12 = arith.shrsi %11, %c8_i32 : i32
    pipeline.yield %12 : i32
  } sized(%dim, %dim_0) : tensor<?x?xi32>
  %c2_i32 = arith.constant 2 : i32
  %gx = pipeline.stage "gx" (%y, %x) {
    %0 = pipeline.load %blur[%y - 1, %x + 1] mirror : tensor<?x?xi32>
    %1 = pipeline.load %blur[%y - 1, %x - 1] mirror : tensor<?x?xi32>
    %2 = arith.subi %0, %1 : i32
    %3 = pipeline.load %blur[%y, %x + 1] mirror : tensor<?x?xi32>
    %4 = pipeline.load %blur[%y, %x - 1] mirror : tensor<?x?xi32>
    %5 = arith.subi %3, %4 : i32
    %6 = arith.muli %5, %c2_i32 : i32
    %7 = arith.addi %2, %6 : i32
    %8 = pipeline.load %blur[%y + 1, %x + 1] mirror : tensor<?x?xi32>
    %9 = pipeline.load %blur[%y + 1, %x - 1] mirror : tensor<?x?xi32>
    %10 = arith.subi %8, %9 : i32
    %11 = arith.addi %7, %10 : i32
    pipeline.yield %11 : i32
  } sized(%dim, %dim_0) : tensor<?x?xi32>
  %gy = pipeline.stage "gy" (%y, %x) {
    %0 = pipeline.load %blur[%y + 1, %x + 1] mirror : tensor<?x?xi32>
    %1 = pipeline.load %blur[%y + 1, %x - 1] mirror : tensor<?x?xi32>
    %2 = pipeline.load %blur[%y - 1, %x - 1] mirror : tensor<?x?xi32>
    %3 = arith.subi %1, %2 : i32
    %4 = pipeline.load %blur[%y + 1, %x] mirror : tensor<?x?xi32>
    %5 = pipeline.load %blur[%y - 1, %x] mirror : tensor<?x?xi32>
    %6 = arith.subi %4, %5 : i32
    %7 = arith.muli %6, %c2_i32 : i32
    %8 = arith.addi %3, %7 : i32
    %9 = pipeline.load %blur[%y - 1, %x + 1] mirror : tensor<?x?xi32>
    %10 = arith.subi %0, %9 : i32
    %11 = arith.addi %8, %10 : i32
    pipeline.yield %11 : i32
  } sized(%dim, %dim_0) : tensor<?x?xi32>
  %length = pipeline.stage "length" (%y, %x) {
    %0 = pipeline.load %gx[%y, %x] : tensor<?x?xi32>
    %1 = math.absi %0 : i32
    %2 = pipeline.load %gy[%y, %x] : tensor<?x?xi32>
    %3 = math.absi %2 : i32
    %4 = arith.addi %1, %3 : i32
    pipeline.yield %4 : i32
  } sized(%dim, %dim_0) : tensor<?x?xi32>
  %c15_i32 = arith.constant 15 : i32
  %c13573_i32 = arith.constant 13573 : i32
  %c16_i32 = arith.constant 16 : i32
  %c0_i32 = arith.constant 0 : i32
  %c3_i32 = arith.constant 3 : i32
  %c1_i32 = arith.constant 1 : i32
  %sector = pipeline.stage "sector" (%y, %x) {
    %0 = pipeline.load %gx[%y, %x] : tensor<?x?xi32>
    %1 = math.absi %0 : i32
    %2 = pipeline.load %gy[%y, %x] : tensor<?x?xi32>
    %3 = math.absi %2 : i32
    %4 = arith.shli %3, %c15_i32 : i32
    %5 = arith.muli %1, %c13573_i32 : i32
    %6 = arith.cmpi slt, %4, %5 : i32
    %7 = arith.shli %1, %c16_i32 : i32
    %8 = arith.addi %5, %7 : i32
    %9 = arith.cmpi sgt, %4, %8 : i32
    %10 = arith.xori %0, %2 : i32
    %11 = arith.cmpi sge, %10, %c0_i32 : i32
    %12 = arith.select %11, %c2_i32, %c3_i32 : i32
    %13 = arith.select %9, %c1_i32, %12 : i32
    %14 = arith.select %6, %c0_i32, %13 : i32
    %15 = arith.trunci %14 : i32 to i8
    pipeline.yield %15 : i8
  } sized(%dim, %dim_0) : tensor<?x?xi8>
  %c0_i8 = arith.constant 0 : i8
  %c1_i8 = arith.constant 1 : i8
  %c2_i8 = arith.constant 2 : i8
  %thin = pipeline.stage "thin" (%y, %x) {
    %0 = pipeline.load %length[%y, %x] : tensor<?x?xi32>
    %1 = pipeline.load %length[%y, %x - 1] constant(%c0_i32) : tensor<?x?xi32>
    %2 = pipeline.load %length[%y - 1, %x] constant(%c0_i32) : tensor<?x?xi32>
    %3 = pipeline.load %length[%y - 1, %x - 1] constant(%c0_i32) : tensor<?x?xi32>
    %4 = pipeline.load %length[%y - 1, %x + 1] constant(%c0_i32) : tensor<?x?xi32>
    %5 = pipeline.load %sector[%y, %x] : tensor<?x?xi8>
    %6 = arith.cmpi eq, %5, %c0_i8 : i8
    %7 = arith.cmpi eq, %5, %c1_i8 : i8
    %8 = arith.cmpi eq, %5, %c2_i8 : i8
    %9 = arith.select %8, %3, %4 : i32
    %10 = arith.select %7, %2, %9 : i32
    %11 = arith.select %6, %1, %10 : i32
    %12 = arith.cmpi sgt, %0, %11 : i32
    %13 = pipeline.load %length[%y, %x + 1] constant(%c0_i32) : tensor<?x?xi32>
    %14 = pipeline.load %length[%y + 1, %x] constant(%c0_i32) : tensor<?x?xi32>
    %15 = pipeline.load %length[%y + 1, %x + 1] constant(%c0_i32) : tensor<?x?xi32>
    %16 = pipeline.load %length[%y + 1, %x - 1] constant(%c0_i32) : tensor<?x?xi32>
    %17 = arith.select %8, %15, %16 : i32
    %18 = arith.select %7, %14, %17 : i32
    %19 = arith.select %6, %13, %18 : i32
    %20 = arith.cmpi sge, %0, %19 : i32
    %21 = arith.andi %12, %20 : i1
    %22 = arith.select %21, %0, %c0_i32 : i32
    pipeline.yield %22 : i32
  } sized(%dim, %dim_0) : tensor<?x?xi32>
  %c255_i32 = arith.constant 255 : i32
  %marked = pipeline.stage "marked" (%y, %x) {
    %0 = pipeline.load %thin[%y, %x] : tensor<?x?xi32>
    %1 = arith.cmpi sgt, %0, %arg2 : i32
    %2 = arith.cmpi sgt, %0, %arg1 : i32
    %3 = arith.select %2, %c128_i32, %c0_i32 : i32
    %4 = arith.select %1, %c255_i32, %3 : i32
    %5 = arith.trunci %4 : i32 to i8
    pipeline.yield %5 : i8
  } sized(%dim, %dim_0) : tensor<?x?xi8>
  %c32 = arith.constant 32 : index
  %c-128_i8 = arith.constant -128 : i8
  %c-1_i8 = arith.constant -1 : i8
  %follow = pipeline.iterate "follow" %c32 (%arg3 = %marked : tensor<?x?xi8>) {
    %join = pipeline.stage "join" (%y, %x) {
      %0 = pipeline.load %arg3[%y - 1, %x - 1] constant(%c0_i8) : tensor<?x?xi8>
      %1 = pipeline.load %arg3[%y - 1, %x] constant(%c0_i8) : tensor<?x?xi8>
      %2 = arith.maxui %0, %1 : i8
      %3 = pipeline.load %arg3[%y - 1, %x + 1] constant(%c0_i8) : tensor<?x?xi8>
      %4 = arith.maxui %2, %3 : i8
      %5 = pipeline.load %arg3[%y, %x - 1] constant(%c0_i8) : tensor<?x?xi8>
      %6 = arith.maxui %4, %5 : i8
      %7 = pipeline.load %arg3[%y, %x + 1] constant(%c0_i8) : tensor<?x?xi8>
      %8 = arith.maxui %6, %7 : i8
      %9 = pipeline.load %arg3[%y + 1, %x - 1] constant(%c0_i8) : tensor<?x?xi8>
      %10 = arith.maxui %8, %9 : i8
      %11 = pipeline.load %arg3[%y + 1, %x] constant(%c0_i8) : tensor<?x?xi8>
      %12 = arith.maxui %10, %11 : i8
      %13 = pipeline.load %arg3[%y + 1, %x + 1] constant(%c0_i8) : tensor<?x?xi8>
      %14 = arith.maxui %12, %13 : i8
      %15 = pipeline.load %arg3[%y, %x] : tensor<?x?xi8>
      %16 = arith.cmpi eq, %15, %c-128_i8 : i8
      %17 = arith.cmpi eq, %14, %c-1_i8 : i8
      %18 = arith.andi %16, %17 : i1
      %19 = arith.select %18, %c-1_i8, %15 : i8
      pipeline.yield %19 : i8
    } sized(%dim, %dim_0) : tensor<?x?xi8>
    pipeline.yield %join : tensor<?x?xi8>
  }
  %edges = pipeline.stage "edges" (%y, %x) {
    %0 = pipeline.load %follow[%y, %x] : tensor<?x?xi8>
    %1 = arith.cmpi eq, %0, %c-1_i8 : i8
    %2 = arith.select %1, %0, %c0_i8 : i8
    pipeline.yield %2 : i8
  } sized(%dim, %dim_0) : tensor<?x?xi8>
  return %edges : tensor<?x?xi8>
}
