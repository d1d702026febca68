// Harris corners of a grey image, the eleven stages of PolyMage: Sobel derivatives, their products, 3x3 sums of these, and
// the determinant less 0.04 of the squared trace. The edge is repeated, of the image and of every stage.
//
//   pipeline-run examples/harris.mlir --arg img=examples/data/camera.png --out harris=corners.png --normalize

func.func @harris(%img: tensor<?x?xf32> {weft.name = "img", weft.estimate = array<i64: 2832, 4256>})
    -> (tensor<?x?xf32> {weft.name = "harris"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %two = arith.constant 2.0 : f32
  %twelfth = arith.constant 0.0833333358 : f32
  %k = arith.constant 0.04 : f32

  %Ix = pipeline.stage "Ix" (%y, %x) {
    %p0 = pipeline.load %img[%y - 1, %x - 1] clamp : tensor<?x?xf32>
    %p1 = pipeline.load %img[%y - 1, %x + 1] clamp : tensor<?x?xf32>
    %p2 = pipeline.load %img[%y, %x - 1] clamp : tensor<?x?xf32>
    %p3 = pipeline.load %img[%y, %x + 1] clamp : tensor<?x?xf32>
    %p4 = pipeline.load %img[%y + 1, %x - 1] clamp : tensor<?x?xf32>
    %p5 = pipeline.load %img[%y + 1, %x + 1] clamp : tensor<?x?xf32>
    %d0 = arith.subf %p1, %p0 : f32
    %d1 = arith.subf %p3, %p2 : f32
    %d2 = arith.subf %p5, %p4 : f32
    %m = arith.mulf %d1, %two : f32
    %s0 = arith.addf %d0, %m : f32
    %s1 = arith.addf %s0, %d2 : f32
    %v = arith.mulf %s1, %twelfth : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>

  %Iy = pipeline.stage "Iy" (%y, %x) {
    %p0 = pipeline.load %img[%y - 1, %x - 1] clamp : tensor<?x?xf32>
    %p1 = pipeline.load %img[%y + 1, %x - 1] clamp : tensor<?x?xf32>
    %p2 = pipeline.load %img[%y - 1, %x] clamp : tensor<?x?xf32>
    %p3 = pipeline.load %img[%y + 1, %x] clamp : tensor<?x?xf32>
    %p4 = pipeline.load %img[%y - 1, %x + 1] clamp : tensor<?x?xf32>
    %p5 = pipeline.load %img[%y + 1, %x + 1] clamp : tensor<?x?xf32>
    %d0 = arith.subf %p1, %p0 : f32
    %d1 = arith.subf %p3, %p2 : f32
    %d2 = arith.subf %p5, %p4 : f32
    %m = arith.mulf %d1, %two : f32
    %s0 = arith.addf %d0, %m : f32
    %s1 = arith.addf %s0, %d2 : f32
    %v = arith.mulf %s1, %twelfth : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>

  %Ixx = pipeline.stage "Ixx" (%y, %x) {
    %a = pipeline.load %Ix[%y, %x] : tensor<?x?xf32>
    %b = pipeline.load %Ix[%y, %x] : tensor<?x?xf32>
    %v = arith.mulf %a, %b : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>

  %Ixy = pipeline.stage "Ixy" (%y, %x) {
    %a = pipeline.load %Ix[%y, %x] : tensor<?x?xf32>
    %b = pipeline.load %Iy[%y, %x] : tensor<?x?xf32>
    %v = arith.mulf %a, %b : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>

  %Iyy = pipeline.stage "Iyy" (%y, %x) {
    %a = pipeline.load %Iy[%y, %x] : tensor<?x?xf32>
    %b = pipeline.load %Iy[%y, %x] : tensor<?x?xf32>
    %v = arith.mulf %a, %b : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>

  %Sxx = pipeline.stage "Sxx" (%y, %x) {
    %p0 = pipeline.load %Ixx[%y - 1, %x - 1] clamp : tensor<?x?xf32>
    %p1 = pipeline.load %Ixx[%y - 1, %x] clamp : tensor<?x?xf32>
    %p2 = pipeline.load %Ixx[%y - 1, %x + 1] clamp : tensor<?x?xf32>
    %p3 = pipeline.load %Ixx[%y, %x - 1] clamp : tensor<?x?xf32>
    %p4 = pipeline.load %Ixx[%y, %x] : tensor<?x?xf32>
    %p5 = pipeline.load %Ixx[%y, %x + 1] clamp : tensor<?x?xf32>
    %p6 = pipeline.load %Ixx[%y + 1, %x - 1] clamp : tensor<?x?xf32>
    %p7 = pipeline.load %Ixx[%y + 1, %x] clamp : tensor<?x?xf32>
    %p8 = pipeline.load %Ixx[%y + 1, %x + 1] clamp : tensor<?x?xf32>
    %s1 = arith.addf %p0, %p1 : f32
    %s2 = arith.addf %s1, %p2 : f32
    %s3 = arith.addf %s2, %p3 : f32
    %s4 = arith.addf %s3, %p4 : f32
    %s5 = arith.addf %s4, %p5 : f32
    %s6 = arith.addf %s5, %p6 : f32
    %s7 = arith.addf %s6, %p7 : f32
    %s8 = arith.addf %s7, %p8 : f32
    pipeline.yield %s8 : f32
  } sized(%h, %w) : tensor<?x?xf32>

  %Sxy = pipeline.stage "Sxy" (%y, %x) {
    %p0 = pipeline.load %Ixy[%y - 1, %x - 1] clamp : tensor<?x?xf32>
    %p1 = pipeline.load %Ixy[%y - 1, %x] clamp : tensor<?x?xf32>
    %p2 = pipeline.load %Ixy[%y - 1, %x + 1] clamp : tensor<?x?xf32>
    %p3 = pipeline.load %Ixy[%y, %x - 1] clamp : tensor<?x?xf32>
    %p4 = pipeline.load %Ixy[%y, %x] : tensor<?x?xf32>
    %p5 = pipeline.load %Ixy[%y, %x + 1] clamp : tensor<?x?xf32>
    %p6 = pipeline.load %Ixy[%y + 1, %x - 1] clamp : tensor<?x?xf32>
    %p7 = pipeline.load %Ixy[%y + 1, %x] clamp : tensor<?x?xf32>
    %p8 = pipeline.load %Ixy[%y + 1, %x + 1] clamp : tensor<?x?xf32>
    %s1 = arith.addf %p0, %p1 : f32
    %s2 = arith.addf %s1, %p2 : f32
    %s3 = arith.addf %s2, %p3 : f32
    %s4 = arith.addf %s3, %p4 : f32
    %s5 = arith.addf %s4, %p5 : f32
    %s6 = arith.addf %s5, %p6 : f32
    %s7 = arith.addf %s6, %p7 : f32
    %s8 = arith.addf %s7, %p8 : f32
    pipeline.yield %s8 : f32
  } sized(%h, %w) : tensor<?x?xf32>

  %Syy = pipeline.stage "Syy" (%y, %x) {
    %p0 = pipeline.load %Iyy[%y - 1, %x - 1] clamp : tensor<?x?xf32>
    %p1 = pipeline.load %Iyy[%y - 1, %x] clamp : tensor<?x?xf32>
    %p2 = pipeline.load %Iyy[%y - 1, %x + 1] clamp : tensor<?x?xf32>
    %p3 = pipeline.load %Iyy[%y, %x - 1] clamp : tensor<?x?xf32>
    %p4 = pipeline.load %Iyy[%y, %x] : tensor<?x?xf32>
    %p5 = pipeline.load %Iyy[%y, %x + 1] clamp : tensor<?x?xf32>
    %p6 = pipeline.load %Iyy[%y + 1, %x - 1] clamp : tensor<?x?xf32>
    %p7 = pipeline.load %Iyy[%y + 1, %x] clamp : tensor<?x?xf32>
    %p8 = pipeline.load %Iyy[%y + 1, %x + 1] clamp : tensor<?x?xf32>
    %s1 = arith.addf %p0, %p1 : f32
    %s2 = arith.addf %s1, %p2 : f32
    %s3 = arith.addf %s2, %p3 : f32
    %s4 = arith.addf %s3, %p4 : f32
    %s5 = arith.addf %s4, %p5 : f32
    %s6 = arith.addf %s5, %p6 : f32
    %s7 = arith.addf %s6, %p7 : f32
    %s8 = arith.addf %s7, %p8 : f32
    pipeline.yield %s8 : f32
  } sized(%h, %w) : tensor<?x?xf32>

  %det = pipeline.stage "det" (%y, %x) {
    %xx = pipeline.load %Sxx[%y, %x] : tensor<?x?xf32>
    %xy = pipeline.load %Sxy[%y, %x] : tensor<?x?xf32>
    %yy = pipeline.load %Syy[%y, %x] : tensor<?x?xf32>
    %a = arith.mulf %xx, %yy : f32
    %b = arith.mulf %xy, %xy : f32
    %v = arith.subf %a, %b : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>

  %trace = pipeline.stage "trace" (%y, %x) {
    %xx = pipeline.load %Sxx[%y, %x] : tensor<?x?xf32>
    %yy = pipeline.load %Syy[%y, %x] : tensor<?x?xf32>
    %v = arith.addf %xx, %yy : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>

  %harris = pipeline.stage "harris" (%y, %x) {
    %d = pipeline.load %det[%y, %x] : tensor<?x?xf32>
    %t = pipeline.load %trace[%y, %x] : tensor<?x?xf32>
    %t2 = arith.mulf %t, %t : f32
    %kt = arith.mulf %t2, %k : f32
    %v = arith.subf %d, %kt : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>

  return %harris : tensor<?x?xf32>
}
