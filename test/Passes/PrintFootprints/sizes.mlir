// Extents of images that say nothing of theirs; tiles that nobody asked for: the schedule's, or one that often does.

// RUN: pipeline-opt %s -print-footprints="size=100x1000" -o /dev/null 2>&1 | FileCheck %s
// RUN: pipeline-opt %s -print-footprints -o /dev/null 2>&1 | FileCheck %s --check-prefix=DEFAULT
// RUN: pipeline-opt %s -print-footprints="tile=500" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ROWS

// CHECK:   // @sizes group "g": tile 4x64 scalene, 25x16 tiles
// DEFAULT: // @sizes group "g": tile 4x64 scalene, 512x32 tiles
// ROWS:    // @sizes group "g": tile 2048x500 scalene, 1x5 tiles
// CHECK:   // @default: tile 8x128 scalene, 600x50 tiles
// DEFAULT: // @default: tile 8x128 scalene, 600x50 tiles
func.func @sizes(%img: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %g = pipeline.group "g" schedule {tile = array<i64: 4, 64>} {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<?x?xf32>
      pipeline.yield %0 : f32
    } sized(%h, %w) : tensor<?x?xf32>
    pipeline.yield %a : tensor<?x?xf32>
  } : tensor<?x?xf32>
  return %g : tensor<?x?xf32>
}

func.func @default(%img: tensor<?x?xf32> {weft.estimate = array<i64: 4800, 6400>}) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y, %x] : tensor<?x?xf32>
    pipeline.yield %0 : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %a : tensor<?x?xf32>
}
