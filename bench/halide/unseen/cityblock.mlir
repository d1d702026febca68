// The distance of each point of a mask of bytes to the nearest one that is 0, in steps along x and y: SciPy's distance_transform_cdt with
// "taxicab". Down every column, up again, along every row, and back: four scans. Forma has none.
//
//   pipeline-run bench/halide/unseen/cityblock.mlir --arg mask=mask.png --out distance=distance.npy

func.func @cityblock(%mask: tensor<?x?xi8> {weft.estimate = array<i64: 2160, 3840>, weft.name = "mask", weft.unsigned}) -> (tensor<?x?xi32> {weft.name = "distance"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i8
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %far = arith.constant 1000000 : i32
  %h = tensor.dim %mask, %c0 : tensor<?x?xi8>
  %w = tensor.dim %mask, %c1 : tensor<?x?xi8>
  %down = pipeline.scan "down" (%y, %x) along 0 {
    %before = pipeline.previous 1 or %far : i32
    %here = pipeline.load %mask[%y, %x] : tensor<?x?xi8>
    %is_zero = arith.cmpi eq, %here, %none : i8
    %more = arith.addi %before, %one : i32
    %least = arith.select %is_zero, %zero, %more : i32
    pipeline.yield %least : i32
  } sized(%h, %w) : tensor<?x?xi32>
  %up = pipeline.scan "up" (%y, %x) along 0 backward {
    %before = pipeline.previous 1 or %far : i32
    %here = pipeline.load %down[%y, %x] : tensor<?x?xi32>
    %more = arith.addi %before, %one : i32
    %least = arith.minsi %here, %more : i32
    pipeline.yield %least : i32
  } sized(%h, %w) : tensor<?x?xi32>
  %right = pipeline.scan "right" (%y, %x) along 1 {
    %before = pipeline.previous 1 or %far : i32
    %here = pipeline.load %up[%y, %x] : tensor<?x?xi32>
    %more = arith.addi %before, %one : i32
    %least = arith.minsi %here, %more : i32
    pipeline.yield %least : i32
  } sized(%h, %w) : tensor<?x?xi32>
  %distance = pipeline.scan "left" (%y, %x) along 1 backward {
    %before = pipeline.previous 1 or %far : i32
    %here = pipeline.load %right[%y, %x] : tensor<?x?xi32>
    %more = arith.addi %before, %one : i32
    %least = arith.minsi %here, %more : i32
    pipeline.yield %least : i32
  } sized(%h, %w) : tensor<?x?xi32>
  return %distance : tensor<?x?xi32>
}
