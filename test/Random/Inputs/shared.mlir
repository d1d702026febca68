// Two stencils whose image is loaded to shared memory first, by lanes that lie in rows and columns.
func.func @shared(%img: tensor<?x?xf32> {weft.name = "img"}) -> (tensor<?x?xf32> {weft.name = "edges"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %g = pipeline.group "g" schedule {tile = array<i64: 4, 16>, inputs = "shared", block = array<i64: 2, 16>, fraction = 1.0 : f64} {
    %blur = pipeline.stage "blur" (%y, %x) {
      %third = arith.constant 0.333333343 : f32
      %a = pipeline.load %img[%y - 1, %x] clamp : tensor<?x?xf32>
      %b = pipeline.load %img[%y, %x] : tensor<?x?xf32>
      %c = pipeline.load %img[%y + 1, %x] clamp : tensor<?x?xf32>
      %ab = arith.addf %a, %b : f32
      %abc = arith.addf %ab, %c : f32
      %mean = arith.mulf %abc, %third : f32
      pipeline.yield %mean : f32
    } sized(%h, %w) : tensor<?x?xf32>
    %edges = pipeline.stage "edges" (%y, %x) {
      %a = pipeline.load %blur[%y, %x - 1] clamp : tensor<?x?xf32>
      %b = pipeline.load %blur[%y - 1, %x + 2] mirror : tensor<?x?xf32>
      %d = arith.subf %a, %b : f32
      pipeline.yield %d : f32
    } sized(%h, %w) : tensor<?x?xf32>
    pipeline.yield %edges : tensor<?x?xf32>
  } : tensor<?x?xf32>
  return %g : tensor<?x?xf32>
}
