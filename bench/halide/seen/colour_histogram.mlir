// How often each level of each channel occurs in a colour image of bytes, whose pixels are interleaved. Forma has no scatters.
//
//   pipeline-run bench/halide/seen/colour_histogram.mlir --arg img=photo.npy --out counts=counts.npy

func.func @colour_histogram(%img: tensor<?x?x3xi8> {weft.estimate = array<i64: 2160, 3840, 3>, weft.name = "img", weft.unsigned}) -> (tensor<3x256xi32> {weft.name = "counts", weft.unsigned}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %h = tensor.dim %img, %c0 : tensor<?x?x3xi8>
  %w = tensor.dim %img, %c1 : tensor<?x?x3xi8>
  %counts = pipeline.scatter "counts" (%c) over (%ry, %rx) in [0, %h) x [0, %w) from(%zero : i32) combine "arith.addi" {
    %here = pipeline.load %img[%ry, %rx, %c] : tensor<?x?x3xi8>
    %level = arith.index_castui %here : i8 to index
    pipeline.update %one at [%level] : i32
  } : tensor<3x256xi32>
  return %counts : tensor<3x256xi32>
}
