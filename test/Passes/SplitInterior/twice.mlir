// Kernels whose tiles are all of one kind have nothing left to split.

// RUN: pipeline-opt %s -warp-tile -split-interior -mlir-print-debuginfo -o %t.once
// RUN: pipeline-opt %t.once -split-interior -mlir-print-debuginfo -o %t.twice
// RUN: diff %t.once %t.twice

func.func @always(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  %0 = pipeline.group "g" {
    %s = pipeline.stage "s" (%y, %x) {
      %v = pipeline.load %img[%y, %x] : tensor<480x6400xf32>
      pipeline.yield %v : f32
    } : tensor<480x6400xf32>
    pipeline.yield %s : tensor<480x6400xf32>
  } : tensor<480x6400xf32>
  return %0 : tensor<480x6400xf32>
}

func.func @never(%img: tensor<7x9xf32>) -> tensor<7x9xf32> {
  %0 = pipeline.group "g" {
    %s = pipeline.stage "s" (%y, %x) {
      %v = pipeline.load %img[%y, %x] : tensor<7x9xf32>
      pipeline.yield %v : f32
    } : tensor<7x9xf32>
    pipeline.yield %s : tensor<7x9xf32>
  } : tensor<7x9xf32>
  return %0 : tensor<7x9xf32>
}
