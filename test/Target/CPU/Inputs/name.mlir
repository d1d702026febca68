// A name that C cannot have.

func.func @"a-b"() -> tensor<1xi32> {
  %c1_i32 = arith.constant 1 : i32
  %s = pipeline.stage "s" (%x) {
    pipeline.yield %c1_i32 : i32
  } : tensor<1xi32>
  return %s : tensor<1xi32>
}
