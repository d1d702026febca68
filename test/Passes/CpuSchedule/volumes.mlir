// Tiles of volumes slide along planes. They have whole rows, of as few planes' rows as leave room for the windows.

// RUN: pipeline-opt %s --cpu-schedule=target=zen5 | FileCheck %s

// CHECK-LABEL: @large
// CHECK: pipeline.group "g0" schedule {tile = array<i64: {{[0-9]+}}, {{[0-9][0-9]}}, 512>}
// CHECK: %wide =
// CHECK: %deep =
func.func @large(%img: tensor<256x512x512xf32>) -> tensor<256x512x512xf32> {
  %wide = pipeline.stage "wide" (%z, %y, %x) {
    %0 = pipeline.load %img[%z, %y, %x - 1] clamp : tensor<256x512x512xf32>
    %1 = pipeline.load %img[%z, %y, %x + 1] clamp : tensor<256x512x512xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<256x512x512xf32>
  %deep = pipeline.stage "deep" (%z, %y, %x) {
    %0 = pipeline.load %wide[%z - 1, %y - 1, %x] clamp : tensor<256x512x512xf32>
    %1 = pipeline.load %wide[%z + 1, %y + 1, %x] clamp : tensor<256x512x512xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<256x512x512xf32>
  return %deep : tensor<256x512x512xf32>
}

// Where rows are so long that few of them have room, they are cut, too.
// CHECK-LABEL: @long_rows
// CHECK: pipeline.group "g0" schedule {tile = array<i64: {{[0-9]+}}, 8, {{[0-9]+}}>}
func.func @long_rows(%img: tensor<64x64x65536xf32>) -> tensor<64x64x65536xf32> {
  %wide = pipeline.stage "wide" (%z, %y, %x) {
    %0 = pipeline.load %img[%z, %y, %x - 1] clamp : tensor<64x64x65536xf32>
    %1 = pipeline.load %img[%z, %y, %x + 1] clamp : tensor<64x64x65536xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<64x64x65536xf32>
  %deep = pipeline.stage "deep" (%z, %y, %x) {
    %0 = pipeline.load %wide[%z - 1, %y - 1, %x] clamp : tensor<64x64x65536xf32>
    %1 = pipeline.load %wide[%z + 1, %y + 1, %x] clamp : tensor<64x64x65536xf32>
    %2 = arith.addf %0, %1 : f32
    pipeline.yield %2 : f32
  } : tensor<64x64x65536xf32>
  return %deep : tensor<64x64x65536xf32>
}
