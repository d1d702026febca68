// Non-local means of a colour image, as Halide has it: each point becomes the mean of the 7x7 points around it, weighted by how alike
// their surroundings are: exp(-d / (7 sigma)^2), where d is the squared distance of two 7x7 patches over all colours. Each of the 49
// offsets has an image of distances, and a patch of these is summed along columns, then along rows. The edge is repeated.
//
//     point (y, x)   +-------+      point (y + dy - 3, x + dx - 3)   +-------+
//                    | patch |  <-- d(dy, dx, y, x) -->              | patch |     the weight of one of 7 x 7 offsets
//                    +-------+                                       +-------+
//
//   pipeline-run examples/nl_means.mlir --arg img=examples/data/chelsea.png --arg sigma=0.12 --out means=means.png

func.func @nl_means(%img: tensor<3x?x?xf32> {weft.name = "img", weft.estimate = array<i64: 3, 2560, 1536>},
    %sigma: f32 {weft.name = "sigma"}) -> (tensor<3x?x?xf32> {weft.name = "means"}) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %h = tensor.dim %img, %c1 : tensor<3x?x?xf32>
  %w = tensor.dim %img, %c2 : tensor<3x?x?xf32>
  // A patch reaches three points out of the image.
  %h6 = arith.addi %h, %c6 : index
  %w6 = arith.addi %w, %c6 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -1.0 : f32
  %points = arith.constant 49.0 : f32
  %s2 = arith.mulf %sigma, %sigma : f32
  %s49 = arith.mulf %s2, %points : f32
  %scale = arith.divf %minus, %s49 : f32

  // Of the points (y - 3, x - 3) and (y - 3 + dy - 3, x - 3 + dx - 3).
  %distance = pipeline.stage "distance" (%dy, %dx, %y, %x) {
    %d = pipeline.reduce (%c) in [0, 3) (%acc = %zero : f32) {
      %a = pipeline.load %img[%c, %y - 3, %x - 3] clamp : tensor<3x?x?xf32>
      %b = pipeline.load %img[%c, %y + %dy - 6, %x + %dx - 6] clamp : tensor<3x?x?xf32>
      %e = arith.subf %a, %b : f32
      %e2 = arith.mulf %e, %e : f32
      %s = arith.addf %acc, %e2 : f32
      pipeline.yield %s : f32
    } : f32
    pipeline.yield %d : f32
  } sized(%h6, %w6) : tensor<7x7x?x?xf32>

  %columns = pipeline.stage "columns" (%dy, %dx, %y, %x) {
    %d = pipeline.reduce (%ry) in [0, 7) (%acc = %zero : f32) {
      %a = pipeline.load %distance[%dy, %dx, %y + %ry, %x] : tensor<7x7x?x?xf32>
      %s = arith.addf %acc, %a : f32
      pipeline.yield %s : f32
    } : f32
    pipeline.yield %d : f32
  } sized(%h, %w6) : tensor<7x7x?x?xf32>

  %weight = pipeline.stage "weight" (%dy, %dx, %y, %x) {
    %d = pipeline.reduce (%rx) in [0, 7) (%acc = %zero : f32) {
      %a = pipeline.load %columns[%dy, %dx, %y, %x + %rx] : tensor<7x7x?x?xf32>
      %s = arith.addf %acc, %a : f32
      pipeline.yield %s : f32
    } : f32
    %e = arith.mulf %d, %scale : f32
    %v = math.exp %e : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<7x7x?x?xf32>

  %total = pipeline.stage "total" (%y, %x) {
    %t = pipeline.reduce (%dy, %dx) in [0, 7) x [0, 7) (%acc = %zero : f32) {
      %a = pipeline.load %weight[%dy, %dx, %y, %x] : tensor<7x7x?x?xf32>
      %s = arith.addf %acc, %a : f32
      pipeline.yield %s : f32
    } : f32
    pipeline.yield %t : f32
  } sized(%h, %w) : tensor<?x?xf32>

  %sum = pipeline.stage "sum" (%c, %y, %x) {
    %t = pipeline.reduce (%dy, %dx) in [0, 7) x [0, 7) (%acc = %zero : f32) {
      %a = pipeline.load %weight[%dy, %dx, %y, %x] : tensor<7x7x?x?xf32>
      %p = pipeline.load %img[%c, %y + %dy - 3, %x + %dx - 3] clamp : tensor<3x?x?xf32>
      %m = arith.mulf %a, %p : f32
      %s = arith.addf %acc, %m : f32
      pipeline.yield %s : f32
    } : f32
    pipeline.yield %t : f32
  } sized(%h, %w) : tensor<3x?x?xf32>

  %means = pipeline.stage "means" (%c, %y, %x) {
    %s = pipeline.load %sum[%c, %y, %x] : tensor<3x?x?xf32>
    %t = pipeline.load %total[%y, %x] : tensor<?x?xf32>
    %q = arith.divf %s, %t : f32
    %m = arith.maximumf %q, %zero : f32
    %v = arith.minimumf %m, %one : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<3x?x?xf32>

  return %means : tensor<3x?x?xf32>
}
