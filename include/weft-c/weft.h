//===- weft.h - Weft for programs in C --------------------------*- C -*-===//
//
// The C interface of Weft, in terms of MLIR's own (mlir-c/IR.h): register the
// dialects and passes, run a pass pipeline, get PTX. Link with -lweft_c and
// -lMLIR-C. Diagnostics go to the context's handlers, as everywhere in MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef WEFT_C_WEFT_H
#define WEFT_C_WEFT_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Adds the dialects `pipeline` and `weft` to a registry.
void weftRegisterDialects(MlirDialectRegistry registry);

/// Adds all of MLIR's dialects, extensions and translations to LLVM IR to a
/// registry, and registers MLIR's passes: the named pipelines are made of them.
/// Not needed for passes that stay in the dialect `pipeline`, such as `fuse`,
/// if the registry has `func` and `arith`.
void weftRegisterUpstream(MlirDialectRegistry registry);

/// Registers the passes and named pipelines of Weft. A second call changes
/// nothing.
void weftRegisterPasses(void);

/// Runs a textual pass pipeline, for example "fuse{strategy=all}", on a
/// `builtin.module`. On failure `error` (may be null) gets a line on what is
/// wrong with the text, or that a pass failed; a pass has then emitted
/// diagnostics.
MlirLogicalResult weftRunPipeline(MlirOperation module, MlirStringRef pipeline,
                                  MlirStringCallback error, void *userData);

/// Compiles the programs of a module for `chip`, for example "sm_90". The
/// module then holds the host code and the kernels as `gpu.binary`; `ptx` gets
/// their text. On failure `error` (may be null) gets one line.
MlirLogicalResult weftCompileToPtx(MlirOperation module, MlirStringRef chip,
                                   MlirStringCallback ptx,
                                   MlirStringCallback error, void *userData);

#ifdef __cplusplus
}
#endif

#endif // WEFT_C_WEFT_H
