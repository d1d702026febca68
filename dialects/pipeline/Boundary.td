//===- Boundary.td - What a read gives outside an image --------------------===//
//
// Loads of level 0 and reads of level 2 share these modes; each dialect needs
// the enum in its own C++ namespace.
//
//===----------------------------------------------------------------------===//

#ifndef BOUNDARY_TD
#define BOUNDARY_TD

include "mlir/IR/EnumAttr.td"

class Boundary_Enum<string namespace> : I32EnumAttr<"Boundary",
    "what a load gives where its index lies outside the source", [
      I32EnumAttrCase<"None", 0, "none">,
      I32EnumAttrCase<"Clamp", 1, "clamp">,
      I32EnumAttrCase<"Mirror", 2, "mirror">,
      I32EnumAttrCase<"Reflect101", 5, "reflect101">,
      I32EnumAttrCase<"Wrap", 3, "wrap">,
      I32EnumAttrCase<"Constant", 4, "constant">
    ]> {
  let cppNamespace = namespace;
}

#endif // BOUNDARY_TD
