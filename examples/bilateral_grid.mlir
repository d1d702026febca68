// The bilateral grid of a grey image, as Halide and PolyMage have it: every 8x8 points and every tenth of the brightness are a cell
// that holds the sum of its points' values and how many they are; both are smoothed with 1 4 6 4 1 along brightness, columns and
// rows, and each point of the result lies between the eight nearest cells, values by weights. The edge of the image is repeated.
//
//       x  0       8       16
//      ----o---|---o---|---o----           cell gx holds the points 8 gx - 4 to 8 gx + 3: its middle is the point 8 gx,
//      gx  0   |   1   |   2               and the point 11, at 11/8, reads 5/8 of cell 1 and 3/8 of cell 2
//
//   pipeline-run examples/bilateral_grid.mlir --arg img=examples/data/camera.png --out smooth=smooth.png

func.func @bilateral_grid(%img: tensor<?x?xf32> {weft.name = "img", weft.estimate = array<i64: 2560, 1536>})
    -> (tensor<?x?xf32> {weft.name = "smooth"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  // Cells that are read, from that of the first point to the one behind that of the last; smoothing reads two more on each side.
  %h7 = arith.addi %h, %c7 : index
  %w7 = arith.addi %w, %c7 : index
  %hc = arith.divui %h7, %c8 : index
  %wc = arith.divui %w7, %c8 : index
  %gh = arith.addi %hc, %c1 : index
  %gw = arith.addi %wc, %c1 : index
  %gh4 = arith.addi %gh, %c4 : index
  %gw4 = arith.addi %gw, %c4 : index
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %four = arith.constant 4.0 : f32
  %six = arith.constant 6.0 : f32
  %ten = arith.constant 10.0 : f32
  %eighth = arith.constant 0.125 : f32

  %clipped = pipeline.stage "clipped" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<?x?xf32>
    %m = arith.maximumf %a, %zero : f32
    %v = arith.minimumf %m, %one : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>

  // Cell gy of the grid is cell gy - 2 of the image. Brightness is 0 to 10 tenths; the level above is empty, but smoothing fills it.
  %value, %weight = pipeline.scatter "grid" (%gy, %gx) over (%ry, %rx) in [0, 8) x [0, 8)
      from(%zero, %zero : f32, f32) combine "arith.addf" {
    %a = pipeline.load %clipped[%gy * 8 + %ry - 20, %gx * 8 + %rx - 20] clamp : tensor<?x?xf32>
    %tenths = arith.mulf %a, %ten : f32
    %next = arith.addf %tenths, %half : f32
    %level = arith.fptosi %next : f32 to i32
    %z = arith.index_cast %level : i32 to index
    pipeline.update %a, %one at [%z] : f32, f32
  } sized(%gh4, %gw4) : tensor<?x?x12xf32>, tensor<?x?x12xf32>

  %blurz_value, %blurz_weight = pipeline.stage "blurz" (%gy, %gx, %z) {
    %v0 = pipeline.load %value[%gy, %gx, %z - 2] constant(%zero) : tensor<?x?x12xf32>
    %v1 = pipeline.load %value[%gy, %gx, %z - 1] constant(%zero) : tensor<?x?x12xf32>
    %v2 = pipeline.load %value[%gy, %gx, %z] constant(%zero) : tensor<?x?x12xf32>
    %v3 = pipeline.load %value[%gy, %gx, %z + 1] constant(%zero) : tensor<?x?x12xf32>
    %v4 = pipeline.load %value[%gy, %gx, %z + 2] constant(%zero) : tensor<?x?x12xf32>
    %w0 = pipeline.load %weight[%gy, %gx, %z - 2] constant(%zero) : tensor<?x?x12xf32>
    %w1 = pipeline.load %weight[%gy, %gx, %z - 1] constant(%zero) : tensor<?x?x12xf32>
    %w2 = pipeline.load %weight[%gy, %gx, %z] constant(%zero) : tensor<?x?x12xf32>
    %w3 = pipeline.load %weight[%gy, %gx, %z + 1] constant(%zero) : tensor<?x?x12xf32>
    %w4 = pipeline.load %weight[%gy, %gx, %z + 2] constant(%zero) : tensor<?x?x12xf32>
    %vnear = arith.addf %v1, %v3 : f32
    %vfar = arith.addf %v0, %v4 : f32
    %v4n = arith.mulf %vnear, %four : f32
    %v6 = arith.mulf %v2, %six : f32
    %vs = arith.addf %vfar, %v4n : f32
    %v = arith.addf %vs, %v6 : f32
    %wnear = arith.addf %w1, %w3 : f32
    %wfar = arith.addf %w0, %w4 : f32
    %w4n = arith.mulf %wnear, %four : f32
    %w6 = arith.mulf %w2, %six : f32
    %ws = arith.addf %wfar, %w4n : f32
    %wn = arith.addf %ws, %w6 : f32
    pipeline.yield %v, %wn : f32, f32
  } sized(%gh4, %gw4) : tensor<?x?x12xf32>, tensor<?x?x12xf32>

  %blurx_value, %blurx_weight = pipeline.stage "blurx" (%gy, %gx, %z) {
    %v0 = pipeline.load %blurz_value[%gy, %gx, %z] : tensor<?x?x12xf32>
    %v1 = pipeline.load %blurz_value[%gy, %gx + 1, %z] : tensor<?x?x12xf32>
    %v2 = pipeline.load %blurz_value[%gy, %gx + 2, %z] : tensor<?x?x12xf32>
    %v3 = pipeline.load %blurz_value[%gy, %gx + 3, %z] : tensor<?x?x12xf32>
    %v4 = pipeline.load %blurz_value[%gy, %gx + 4, %z] : tensor<?x?x12xf32>
    %w0 = pipeline.load %blurz_weight[%gy, %gx, %z] : tensor<?x?x12xf32>
    %w1 = pipeline.load %blurz_weight[%gy, %gx + 1, %z] : tensor<?x?x12xf32>
    %w2 = pipeline.load %blurz_weight[%gy, %gx + 2, %z] : tensor<?x?x12xf32>
    %w3 = pipeline.load %blurz_weight[%gy, %gx + 3, %z] : tensor<?x?x12xf32>
    %w4 = pipeline.load %blurz_weight[%gy, %gx + 4, %z] : tensor<?x?x12xf32>
    %vnear = arith.addf %v1, %v3 : f32
    %vfar = arith.addf %v0, %v4 : f32
    %v4n = arith.mulf %vnear, %four : f32
    %v6 = arith.mulf %v2, %six : f32
    %vs = arith.addf %vfar, %v4n : f32
    %v = arith.addf %vs, %v6 : f32
    %wnear = arith.addf %w1, %w3 : f32
    %wfar = arith.addf %w0, %w4 : f32
    %w4n = arith.mulf %wnear, %four : f32
    %w6 = arith.mulf %w2, %six : f32
    %ws = arith.addf %wfar, %w4n : f32
    %wn = arith.addf %ws, %w6 : f32
    pipeline.yield %v, %wn : f32, f32
  } sized(%gh4, %gw) : tensor<?x?x12xf32>, tensor<?x?x12xf32>

  %blury_value, %blury_weight = pipeline.stage "blury" (%gy, %gx, %z) {
    %v0 = pipeline.load %blurx_value[%gy, %gx, %z] : tensor<?x?x12xf32>
    %v1 = pipeline.load %blurx_value[%gy + 1, %gx, %z] : tensor<?x?x12xf32>
    %v2 = pipeline.load %blurx_value[%gy + 2, %gx, %z] : tensor<?x?x12xf32>
    %v3 = pipeline.load %blurx_value[%gy + 3, %gx, %z] : tensor<?x?x12xf32>
    %v4 = pipeline.load %blurx_value[%gy + 4, %gx, %z] : tensor<?x?x12xf32>
    %w0 = pipeline.load %blurx_weight[%gy, %gx, %z] : tensor<?x?x12xf32>
    %w1 = pipeline.load %blurx_weight[%gy + 1, %gx, %z] : tensor<?x?x12xf32>
    %w2 = pipeline.load %blurx_weight[%gy + 2, %gx, %z] : tensor<?x?x12xf32>
    %w3 = pipeline.load %blurx_weight[%gy + 3, %gx, %z] : tensor<?x?x12xf32>
    %w4 = pipeline.load %blurx_weight[%gy + 4, %gx, %z] : tensor<?x?x12xf32>
    %vnear = arith.addf %v1, %v3 : f32
    %vfar = arith.addf %v0, %v4 : f32
    %v4n = arith.mulf %vnear, %four : f32
    %v6 = arith.mulf %v2, %six : f32
    %vs = arith.addf %vfar, %v4n : f32
    %v = arith.addf %vs, %v6 : f32
    %wnear = arith.addf %w1, %w3 : f32
    %wfar = arith.addf %w0, %w4 : f32
    %w4n = arith.mulf %wnear, %four : f32
    %w6 = arith.mulf %w2, %six : f32
    %ws = arith.addf %wfar, %w4n : f32
    %wn = arith.addf %ws, %w6 : f32
    pipeline.yield %v, %wn : f32, f32
  } sized(%gh, %gw) : tensor<?x?x12xf32>, tensor<?x?x12xf32>

  %interpolated, %weights = pipeline.stage "interpolated" (%y, %x) {
    %seven = arith.constant 7 : index
    %a = pipeline.load %clipped[%y, %x] : tensor<?x?xf32>
    %tenths = arith.mulf %a, %ten : f32
    %level = arith.fptosi %tenths : f32 to i32
    %whole = arith.sitofp %level : i32 to f32
    %fz = arith.subf %tenths, %whole : f32
    %z = arith.index_cast %level : i32 to index
    %z1 = arith.addi %z, %c1 : index
    %ym = arith.andi %y, %seven : index
    %xm = arith.andi %x, %seven : index
    %yi = arith.index_cast %ym : index to i32
    %xi = arith.index_cast %xm : index to i32
    %yf = arith.sitofp %yi : i32 to f32
    %xf = arith.sitofp %xi : i32 to f32
    %fy = arith.mulf %yf, %eighth : f32
    %fx = arith.mulf %xf, %eighth : f32
    %v000 = pipeline.gather %blury_value[%y floordiv 8, %x floordiv 8, %z] clamp : tensor<?x?x12xf32>
    %v001 = pipeline.gather %blury_value[%y floordiv 8, %x floordiv 8 + 1, %z] clamp : tensor<?x?x12xf32>
    %v010 = pipeline.gather %blury_value[%y floordiv 8 + 1, %x floordiv 8, %z] clamp : tensor<?x?x12xf32>
    %v011 = pipeline.gather %blury_value[%y floordiv 8 + 1, %x floordiv 8 + 1, %z] clamp : tensor<?x?x12xf32>
    %v100 = pipeline.gather %blury_value[%y floordiv 8, %x floordiv 8, %z1] clamp : tensor<?x?x12xf32>
    %v101 = pipeline.gather %blury_value[%y floordiv 8, %x floordiv 8 + 1, %z1] clamp : tensor<?x?x12xf32>
    %v110 = pipeline.gather %blury_value[%y floordiv 8 + 1, %x floordiv 8, %z1] clamp : tensor<?x?x12xf32>
    %v111 = pipeline.gather %blury_value[%y floordiv 8 + 1, %x floordiv 8 + 1, %z1] clamp : tensor<?x?x12xf32>
    %v00d = arith.subf %v001, %v000 : f32
    %v00df = arith.mulf %v00d, %fx : f32
    %v00 = arith.addf %v000, %v00df : f32
    %v01d = arith.subf %v011, %v010 : f32
    %v01df = arith.mulf %v01d, %fx : f32
    %v01 = arith.addf %v010, %v01df : f32
    %v0d = arith.subf %v01, %v00 : f32
    %v0df = arith.mulf %v0d, %fy : f32
    %v0 = arith.addf %v00, %v0df : f32
    %v10d = arith.subf %v101, %v100 : f32
    %v10df = arith.mulf %v10d, %fx : f32
    %v10 = arith.addf %v100, %v10df : f32
    %v11d = arith.subf %v111, %v110 : f32
    %v11df = arith.mulf %v11d, %fx : f32
    %v11 = arith.addf %v110, %v11df : f32
    %v1d = arith.subf %v11, %v10 : f32
    %v1df = arith.mulf %v1d, %fy : f32
    %v1 = arith.addf %v10, %v1df : f32
    %vd = arith.subf %v1, %v0 : f32
    %vdf = arith.mulf %vd, %fz : f32
    %v = arith.addf %v0, %vdf : f32
    %w000 = pipeline.gather %blury_weight[%y floordiv 8, %x floordiv 8, %z] clamp : tensor<?x?x12xf32>
    %w001 = pipeline.gather %blury_weight[%y floordiv 8, %x floordiv 8 + 1, %z] clamp : tensor<?x?x12xf32>
    %w010 = pipeline.gather %blury_weight[%y floordiv 8 + 1, %x floordiv 8, %z] clamp : tensor<?x?x12xf32>
    %w011 = pipeline.gather %blury_weight[%y floordiv 8 + 1, %x floordiv 8 + 1, %z] clamp : tensor<?x?x12xf32>
    %w100 = pipeline.gather %blury_weight[%y floordiv 8, %x floordiv 8, %z1] clamp : tensor<?x?x12xf32>
    %w101 = pipeline.gather %blury_weight[%y floordiv 8, %x floordiv 8 + 1, %z1] clamp : tensor<?x?x12xf32>
    %w110 = pipeline.gather %blury_weight[%y floordiv 8 + 1, %x floordiv 8, %z1] clamp : tensor<?x?x12xf32>
    %w111 = pipeline.gather %blury_weight[%y floordiv 8 + 1, %x floordiv 8 + 1, %z1] clamp : tensor<?x?x12xf32>
    %w00d = arith.subf %w001, %w000 : f32
    %w00df = arith.mulf %w00d, %fx : f32
    %w00 = arith.addf %w000, %w00df : f32
    %w01d = arith.subf %w011, %w010 : f32
    %w01df = arith.mulf %w01d, %fx : f32
    %w01 = arith.addf %w010, %w01df : f32
    %w0d = arith.subf %w01, %w00 : f32
    %w0df = arith.mulf %w0d, %fy : f32
    %w0 = arith.addf %w00, %w0df : f32
    %w10d = arith.subf %w101, %w100 : f32
    %w10df = arith.mulf %w10d, %fx : f32
    %w10 = arith.addf %w100, %w10df : f32
    %w11d = arith.subf %w111, %w110 : f32
    %w11df = arith.mulf %w11d, %fx : f32
    %w11 = arith.addf %w110, %w11df : f32
    %w1d = arith.subf %w11, %w10 : f32
    %w1df = arith.mulf %w1d, %fy : f32
    %w1 = arith.addf %w10, %w1df : f32
    %normd = arith.subf %w1, %w0 : f32
    %normdf = arith.mulf %normd, %fz : f32
    %norm = arith.addf %w0, %normdf : f32
    pipeline.yield %v, %norm : f32, f32
  } sized(%h, %w) : tensor<?x?xf32>, tensor<?x?xf32>

  %smooth = pipeline.stage "smooth" (%y, %x) {
    %v = pipeline.load %interpolated[%y, %x] : tensor<?x?xf32>
    %n = pipeline.load %weights[%y, %x] : tensor<?x?xf32>
    %r = arith.divf %v, %n : f32
    pipeline.yield %r : f32
  } sized(%h, %w) : tensor<?x?xf32>

  return %smooth : tensor<?x?xf32>
}
