// Indices that leave 64 bits between two lanes: nothing is known of what lanes read then, and every one has its own.

// RUN: pipeline-opt %s --infer-bounds --cpu-tile=target=zen5 --vectorize | FileCheck %s
// What the program means stays.
// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{program} =
// DEFINE: %{run} = pipeline-run %s --function %{program} --arg arg0=random:3
// DEFINE: %{same} = %{run} --target reference --out out0=%t/r.npy && %{run} --target cpu --out out0=%t/c.npy && cmp %t/r.npy %t/c.npy
// REDEFINE: %{program} = divided
// RUN: %{same}
// REDEFINE: %{program} = multiplied
// RUN: %{same}
// REDEFINE: %{program} = divisors
// RUN: %{same}

// CHECK-LABEL: @divided
// CHECK:       return
func.func @divided(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x floordiv 9223372036854775807 * 2] wrap : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A step of 2^62: the second lane's is the last that fits.
// CHECK-LABEL: @multiplied
// CHECK:       return
func.func @multiplied(%img: tensor<480x6400xf32>) -> tensor<480x6400xf32> {
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %img[%y, %x - 1] wrap : tensor<480x6400xf32>
    %1 = pipeline.load %img[%y, %x * 4611686018427387904 + 1] wrap : tensor<480x6400xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<480x6400xf32>
  return %b : tensor<480x6400xf32>
}

// Divisors without a common multiple of 64 bits.
// CHECK-LABEL: @divisors
// CHECK:       return
func.func @divisors(%img: tensor<64xf32>) -> tensor<64xf32> {
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %img[%x floordiv 9223372036854775807] : tensor<64xf32>
    %1 = pipeline.load %img[%x floordiv 9223372036854775806] : tensor<64xf32>
    %v = arith.addf %0, %1 : f32
    pipeline.yield %v : f32
  } : tensor<64xf32>
  return %b : tensor<64xf32>
}
