// %n times %value.
func.func @numbers(%value: f32 {weft.name = "value"}, %n: index {weft.name = "n"}) -> tensor<?xf32> {
  %0 = pipeline.stage "all" (%x) {
    pipeline.yield %value : f32
  } sized(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}
