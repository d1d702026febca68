//===- Glue.td - ODS base class for ops whose logic is in Rust ------------===//
//
// An op that derives from Rust_Op gets its verifiers and its value names from
// the table of Rust callbacks that is registered under the op's name.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_GLUE_TD
#define MLIR_GLUE_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"

class Rust_Op<Dialect dialect, string mnemonic, list<Trait> traits = []>
    : Op<dialect, mnemonic,
         !listconcat(traits,
                     [DeclareOpInterfaceMethods<
                         OpAsmOpInterface,
                         ["getAsmResultNames",
                          "getAsmBlockArgumentNames"]>])> {
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::mlir::glue::verify(getOperation());
    }
    ::llvm::LogicalResult $cppClass::verifyRegions() {
      return ::mlir::glue::verifyRegions(getOperation());
    }
    void $cppClass::getAsmResultNames(::mlir::OpAsmSetValueNameFn set) {
      ::mlir::glue::nameResults(getOperation(), set);
    }
    void $cppClass::getAsmBlockArgumentNames(::mlir::Region &region,
                                             ::mlir::OpAsmSetValueNameFn set) {
      ::mlir::glue::nameArguments(getOperation(), region, set);
    }
  }];
}

// Lets the attributes that a dialect puts on function arguments and results
// be verified in Rust (the dialect's own name is the key in the table).
class Rust_Dialect : Dialect {
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

#endif // MLIR_GLUE_TD
