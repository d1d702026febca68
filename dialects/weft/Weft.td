//===- Weft.td - Attributes on the arguments and results of programs -------===//

#ifndef WEFT_TD
#define WEFT_TD

include "Glue.td"

def Weft_Dialect : Rust_Dialect {
  let name = "weft";
  let cppNamespace = "::weft";
  let summary = "What a program's arguments and results are to the outside";
  let description = [{
    No ops: attributes on the arguments and results of a `func.func` that holds
    a pipeline.

    | attribute | on | meaning |
    | --- | --- | --- |
    | `weft.name = "img"` | argument, result | the name that tools know it by (else `arg0`, `out0`) |
    | `weft.unsigned` | argument, result of integer elements | the bits are an unsigned number (u8 and u16 images) |
    | `weft.estimate = array<i64: 2832, 4256>` | tensor argument | the extents that the cost models assume where the type says `?` |
    | `weft.interleaved` | tensor argument, result | its channels, which stand before its rows in the program, are innermost in memory; `--channels-outermost` says so; `--cpu-schedule` says it of a stage whose image, where it is memory, shall lie so |
    | `weft.extents = ["H", "W"]` | tensor argument | the names that tools know its extents by (`""`: none) |
  }];
}

#endif // WEFT_TD
