//===- Syntax.h - Syntax of pipeline ops that ODS has no words for -*- C++ -*-//
//
// Directives of the assembly formats in Pipeline.td. They know text only: what
// an op means is said in Rust.
//
//===----------------------------------------------------------------------===//

#ifndef WEFT_PIPELINE_SYNTAX_H
#define WEFT_PIPELINE_SYNTAX_H

#include "Glue.h"

namespace weft::pipeline {

/// Of an iterate, `(%s = %a : tensor<4xf32>, ...) { ... }`: a region whose
/// arguments begin as operands, and results of the same types.
mlir::ParseResult parseStatesRegion(
    mlir::OpAsmParser &parser, mlir::Region &body,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &initial,
    llvm::SmallVectorImpl<mlir::Type> &types,
    llvm::SmallVectorImpl<mlir::Type> &results);
void printStatesRegion(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                       mlir::Region &body, mlir::OperandRange initial,
                       mlir::TypeRange types, mlir::TypeRange results);

/// Of a scan, `(%y, %x) along 0 backward { ... }`: a region of indices, and
/// which of its arguments a walk follows, from the end where it says so.
mlir::ParseResult parseLineRegion(mlir::OpAsmParser &parser, mlir::Region &body,
                                  mlir::IntegerAttr &along,
                                  mlir::UnitAttr &backward);
void printLineRegion(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     mlir::Region &body, mlir::IntegerAttr along,
                     mlir::UnitAttr backward);

/// Of a scatter,
/// `(%y) over (%r, %s) in [0, 8) x [0, %n) from(%a : f32) combine "op" { ... }`:
/// a region with more arguments, the half-open interval of each of those (an
/// upper end may be an operand), what is begun with, and the name of an op.
mlir::ParseResult parseDomainRegion(
    mlir::OpAsmParser &parser, mlir::Region &body,
    mlir::DenseI64ArrayAttr &domain,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &ends,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &initial,
    llvm::SmallVectorImpl<mlir::Type> &types, mlir::StringAttr &combine);
void printDomainRegion(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                       mlir::Region &body, mlir::DenseI64ArrayAttr domain,
                       mlir::OperandRange ends, mlir::OperandRange initial,
                       mlir::TypeRange types, mlir::StringAttr combine);

/// Of a reduce, `(%i, %j) in [0, 4) x [0, 4) (%a = %init : f32) { ... }`: a
/// region whose first arguments are indices over a box, and whose others begin
/// with a value.
mlir::ParseResult parseWindowRegion(
    mlir::OpAsmParser &parser, mlir::Region &body, mlir::DenseI64ArrayAttr &box,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &initial,
    llvm::SmallVectorImpl<mlir::Type> &types);
void printWindowRegion(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                       mlir::Region &body, mlir::DenseI64ArrayAttr box,
                       mlir::OperandRange initial, mlir::TypeRange types);

} // namespace weft::pipeline

#endif // WEFT_PIPELINE_SYNTAX_H
