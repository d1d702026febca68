// One stage among many, in one function of two. (mlir-reduce 22 crashes when it has shrunk a region that uses values from outside,
// as the body of a stage does: the wanted stage here has nothing to lose.)
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

func.func private @other(%img: tensor<8xf32>) -> tensor<8xf32> {
  return %img : tensor<8xf32>
}
