// A stage that reads an image down its columns, as a transposed image does, has tiles so narrow that the lines of all columns stay in the
// first cache until the rows below have read the rest of them.

// RUN: pipeline-opt %s --cpu-schedule=target=zen5 | FileCheck %s

// CHECK: pipeline.group "g0" schedule {tile = array<i64: {{[0-9]+}}, 384>}
func.func @transpose(%img: tensor<4096x4096xi8>) -> tensor<4096x4096xi8> {
  %0 = pipeline.stage "turned" (%y, %x) {
    %a = pipeline.load %img[%x, %y] : tensor<4096x4096xi8>
    pipeline.yield %a : i8
  } : tensor<4096x4096xi8>
  return %0 : tensor<4096x4096xi8>
}

// Rows are read as wide as they are.
// CHECK: pipeline.group "g0" schedule {tile = array<i64: {{[0-9]+}}, 4096>}
func.func @flip(%img: tensor<4096x4096xi8>) -> tensor<4096x4096xi8> {
  %0 = pipeline.stage "flipped" (%y, %x) {
    %a = pipeline.load %img[-%y + 4095, %x] : tensor<4096x4096xi8>
    pipeline.yield %a : i8
  } : tensor<4096x4096xi8>
  return %0 : tensor<4096x4096xi8>
}
