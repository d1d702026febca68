// How much LLVM does: all of O3, also by MLIR's default, or few passes where a target says O = 0, which leave loops as they are.

// RUN: pipeline-opt %s -to-ptx | pipeline-translate --mlir-to-ptx | FileCheck %s

module attributes {gpu.container_module} {
  // CHECK-LABEL: .visible .entry all(
  // CHECK-NOT:     bra
  // CHECK:         ret;
  gpu.module @by_o3 [#nvvm.target<O = 3, chip = "sm_80">] {
    llvm.func @all(%in: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %out: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c3 = llvm.mlir.constant(3 : i32) : i32
      llvm.br ^next(%c0 : i32)
    ^next(%i: i32):
      %from = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %to = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %0 = llvm.load %from : !llvm.ptr<1> -> f32
      llvm.store %0, %to : f32, !llvm.ptr<1>
      %more = llvm.add %i, %c1 : i32
      %again = llvm.icmp "slt" %more, %c3 : i32
      llvm.cond_br %again, ^next(%more : i32), ^end
    ^end:
      llvm.return
    }
  }

  // CHECK-LABEL: .visible .entry few(
  // CHECK-COUNT-1: st.global
  // CHECK:         bra
  // CHECK-NOT:     st.global
  // CHECK:         ret;
  gpu.module @by_few [#nvvm.target<O = 0, chip = "sm_80">] {
    llvm.func @few(%in: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %out: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c3 = llvm.mlir.constant(3 : i32) : i32
      llvm.br ^next(%c0 : i32)
    ^next(%i: i32):
      %from = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %to = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %0 = llvm.load %from : !llvm.ptr<1> -> f32
      llvm.store %0, %to : f32, !llvm.ptr<1>
      %more = llvm.add %i, %c1 : i32
      %again = llvm.icmp "slt" %more, %c3 : i32
      llvm.cond_br %again, ^next(%more : i32), ^end
    ^end:
      llvm.return
    }
  }
}
