// A program that counts the threads that it may use.

llvm.func @weft_num_threads() -> i32
func.func @f() -> tensor<1xi32> {
  %0 = llvm.call @weft_num_threads() : () -> i32
  %s = pipeline.stage "s" (%x) {
    pipeline.yield %0 : i32
  } : tensor<1xi32>
  return %s : tensor<1xi32>
}
