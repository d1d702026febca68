include "Glue.td"

def Toy_Dialect : Dialect {
  let name = "toy";
  let cppNamespace = "::toy";
}

def Toy_ClampOp : Rust_Op<Toy_Dialect, "clamp"> {
  let summary = "The nearest number in an interval";
  let arguments = (ins I64:$x, I64Attr:$lo, I64Attr:$hi);
  let results = (outs I64:$result);
  let assemblyFormat = "$x `between` $lo `and` $hi attr-dict";
}
