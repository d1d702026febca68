// Gathers and reduces in the bodies of scans and scatters.

// Each point of a line is the one before, and the sum of a window, and what a table says of both.
func.func @scanned(%img: tensor<?x?xf32> {weft.name = "img"}, %table: tensor<16xf32> {weft.name = "table"})
    -> (tensor<?x?xf32> {weft.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %s = pipeline.scan "scan" (%y, %x) along 1 backward {
    %sum = pipeline.reduce (%dy, %dx) in [-3, 4) x [-3, 4) (%acc = %zero : f32) {
      %p = pipeline.load %img[%y + %dy, %x + %dx] mirror : tensor<?x?xf32>
      %a = arith.addf %acc, %p : f32
      pipeline.yield %a : f32
    } : f32
    %few = pipeline.reduce (%d) in [0, 3) (%acc = %sum : f32) {
      %p = pipeline.load %img[%y, %x + %d] clamp : tensor<?x?xf32>
      %a = arith.maximumf %acc, %p : f32
      pipeline.yield %a : f32
    } : f32
    %before = pipeline.previous 1 or %zero : f32
    %both = arith.addf %before, %few : f32
    %mixed = arith.mulf %both, %half : f32
    %i32 = arith.fptosi %mixed : f32 to i32
    %i = arith.index_cast %i32 : i32 to index
    %t = pipeline.gather %table[%i] wrap : tensor<16xf32>
    %v = arith.addf %mixed, %t : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// Cells of 4x4 points; the place is what a table says of the largest of three neighbours.
func.func @scattered(%img: tensor<?x?xf32> {weft.name = "img"}, %table: tensor<16xf32> {weft.name = "table"})
    -> (tensor<?x?x4xf32> {weft.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %gh = arith.ceildivui %h, %c4 : index
  %gw = arith.ceildivui %w, %c4 : index
  %zero = arith.constant 0.0 : f32
  %sixteen = arith.constant 16.0 : f32
  %four = arith.constant 4.0 : f32
  %s = pipeline.scatter "cells" (%y, %x) over (%ry, %rx) in [0, 4) x [0, 4) from(%zero : f32) combine "arith.addf" {
    %most = pipeline.reduce (%d) in [-1, 2) (%acc = %zero : f32) {
      %p = pipeline.load %img[%y * 4 + %ry, %x * 4 + %rx + %d] clamp : tensor<?x?xf32>
      %a = arith.maximumf %acc, %p : f32
      pipeline.yield %a : f32
    } : f32
    %scaled = arith.mulf %most, %sixteen : f32
    %i32 = arith.fptosi %scaled : f32 to i32
    %i = arith.index_cast %i32 : i32 to index
    %t = pipeline.gather %table[%i] clamp : tensor<16xf32>
    %p4 = arith.mulf %t, %four : f32
    %place32 = arith.fptosi %p4 : f32 to i32
    %place = arith.index_cast %place32 : i32 to index
    pipeline.update %most at [%place] : f32
  } sized(%gh, %gw) : tensor<?x?x4xf32>
  return %s : tensor<?x?x4xf32>
}
