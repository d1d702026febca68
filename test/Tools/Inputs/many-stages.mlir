// One stage among many. (All of them are used, or beside those that are: mlir-reduce 22 crashes where all of a function can go.)
func.func @many(%img: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipeline.stage "first" (%x) {
    %v = pipeline.load %img[%x] : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %1 = pipeline.stage "second" (%x) {
    %v = pipeline.load %0[%x - 1] clamp : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %2 = pipeline.stage "wanted" (%x) {
    %v = pipeline.load %img[%x + 1] wrap : tensor<8xf32>
    pipeline.yield %v : f32
  } : tensor<8xf32>
  %3 = pipeline.stage "third" (%x) {
    %v = pipeline.load %2[%x + 1] mirror : tensor<8xf32>
    %w = pipeline.load %1[%x] : tensor<8xf32>
    %s = arith.addf %v, %w : f32
    pipeline.yield %s : f32
  } : tensor<8xf32>
  return %2 : tensor<8xf32>
}
