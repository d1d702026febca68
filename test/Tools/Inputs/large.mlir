func.func @f(%n: index {weft.name = "n"}) -> tensor<?x?xf32> {
  %one = arith.constant 1.0 : f32
  %0 = pipeline.stage "s" (%y, %x) {
    pipeline.yield %one : f32
  } sized(%n, %n) : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
