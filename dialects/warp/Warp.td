//===- Warp.td - Level 2: tiles that one warp owns --------------------------===//
//
// What a kernel of tiles is, before it is loops: which box of each stage a warp
// computes, where those values lie, and who reads them.
//
//===----------------------------------------------------------------------===//

#ifndef WARP_TD
#define WARP_TD

include "Glue.td"
include "pipeline/Boundary.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Warp_Dialect : Dialect {
  let name = "warp";
  let cppNamespace = "::weft::warp";
  let summary = "Overlapped tiles, each computed by one warp";
  let description = [{
    A kernel of `--warp-tile` gives each warp one tile of the live-outs. Of every
    stage before them the warp computes the box that the tile needs, halo and all,
    so that no warp waits for another. A tile is a tensor whose encoding says where
    its values lie:

    | encoding | the value of a point lies |
    | --- | --- |
    | `#warp.shared` | in shared memory, in the part of it that is this warp's |
    | `#warp.lane` | in the lane that computed it, which alone writes it back |
    | `#warp.cyclic<k>` | in registers: lane i holds columns i, i + 32, ..., k of them |
    | `#warp.blocked<k>` | in registers: lane i holds columns k*i to k*i + k - 1 |
    | `#warp.hybrid<n>` | columns 0 to n - 1 in shared memory, the others in registers, cyclic |
    | `#warp.grid<v, u>` | in registers of v rows of u lanes: a lane holds every v-th row and of that every u-th column |

    ```mlir
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32]
    %bx = warp.compute "blurx" at (%tile_y, %tile_x) step [8, 256] in [-1, 9) x [0, 256) (%y, %x) {
      ...
      warp.yield %v : f32
    } : tensor<10x256xf32, #warp.shared>
    %by = warp.compute "blury" at (%tile_y, %tile_x) step [8, 256] in [0, 8) x [0, 256) (%y, %x) {
      %a = warp.read %bx[%y - 1, %x] : tensor<10x256xf32, #warp.shared>
      ...
      warp.yield %v : f32
    } : tensor<8x256xf32, #warp.lane>
    warp.write %by in [0, 8) x [0, 256) to %out : tensor<8x256xf32, #warp.lane>, memref<480x640xf32, strided<[640, 1]>, 1>
    ```
  }];
  let useDefaultAttributePrinterParser = 1;
}

class Warp_Op<string mnemonic, list<Trait> traits = []>
    : Rust_Op<Warp_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Attributes: encodings of tiles, and boundary modes
//===----------------------------------------------------------------------===//

class Warp_Encoding<string name, string keyword> : AttrDef<Warp_Dialect, name> {
  let mnemonic = keyword;
}
class Warp_Spread<string name, string keyword, string what>
    : Warp_Encoding<name, keyword> {
  let parameters = (ins AttrParameter<"int64_t", what>:$columns);
  let assemblyFormat = "`<` $columns `>`";
}

def Warp_Shared : Warp_Encoding<"Shared", "shared"> {
  let summary = "a tile in shared memory";
}
def Warp_Lane : Warp_Encoding<"Lane", "lane"> {
  let summary = "a tile whose values stay in the lane that computed them";
}
def Warp_Cyclic : Warp_Spread<"Cyclic", "cyclic", "columns of a lane"> {
  let summary = "a tile in registers, neighbouring columns in neighbouring lanes";
}
def Warp_Blocked : Warp_Spread<"Blocked", "blocked", "columns of a lane"> {
  let summary = "a tile in registers, neighbouring columns in one lane";
}
def Warp_Hybrid : Warp_Spread<"Hybrid", "hybrid", "columns in shared memory"> {
  let summary = "a tile whose left part is shared and whose right part is in registers, cyclic";
}
def Warp_Grid : Warp_Encoding<"Grid", "grid"> {
  let summary = "a tile in registers of lanes that lie in rows and columns, neighbours in neighbouring lanes";
  let parameters = (ins AttrParameter<"int64_t", "rows of lanes">:$rows,
                        AttrParameter<"int64_t", "columns of lanes">:$columns);
  let assemblyFormat = "`<` $rows `,` $columns `>`";
}

def Warp_Boundary : Boundary_Enum<"::weft::warp">;

def Warp_Value : AnyTypeOf<[F16, F32, F64, I8, I16, I32, I64],
    "f16, f32, f64, i8, i16, i32 or i64">;
def Warp_Tile : RankedTensorOf<[F16, F32, F64, I8, I16, I32, I64]>;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

def Warp_TileIdOp : Warp_Op<"tile_id", [Pure]> {
  let summary = "which tile this warp owns";
  let description = [{
    One number for each dimension of the grid, outermost first, at most three.
    `warps` are the warps of a block and `lanes` the lanes of a warp along each
    dimension: 32 lanes in all. With `block` the tile belongs to a whole thread
    block, whose threads are `lanes`; steps are then kept in order by a block barrier.

    ```mlir
    %tile_y, %tile_x = warp.tile_id warps [4, 1] lanes [1, 32]
    %tile_y, %tile_x = warp.tile_id block lanes [8, 32]
    ```
  }];
  let arguments = (ins OptionalAttr<DenseI64ArrayAttr>:$warps,
                       DenseI64ArrayAttr:$lanes);
  let results = (outs Variadic<Index>:$ids);
  let assemblyFormat = [{
    (`warps` $warps^):(`block`)? `lanes` $lanes attr-dict `:` type($ids)
  }];
}

def Warp_ComputeOp : Warp_Op<"compute", [AttrSizedOperandSegments, SingleBlock]> {
  let summary = "a warp computes a box of a stage";
  let description = [{
    The box is given relative to the tile's first point, `at * step` in each
    dimension: the point at offset p of the box has the coordinates
    `at * step + lo + p`. The body is evaluated once for each point of the box,
    in any order, by any lane.

    Where the box may leave the image, `of` gives the image's extents, and the
    body's arguments are the nearest coordinates inside (inside `needed`, where
    that is less). What is computed there is never used. But along the dimensions
    in `wrap` it is: there coordinates outside are wrapped around, and the value
    is that of the point they come to.

    With `planes_together` a lane has all planes of a pixel (the points that differ
    along the dimension before rows alone), and evaluates once for them what does not
    depend on the plane. It changes no value.

    ```mlir
    %bx = warp.compute "blurx" at (%tile_y, %tile_x) step [8, 256] in [-1, 9) x [0, 256) of (%h, %w) (%y, %x) {
      ...
      warp.yield %v : f32
    } : tensor<10x256xf32, #warp.shared>
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<Index>:$at,
                       DenseI64ArrayAttr:$step, DenseI64ArrayAttr:$box,
                       Variadic<Index>:$extents,
                       OptionalAttr<DenseI64ArrayAttr>:$needed,
                       OptionalAttr<DenseI64ArrayAttr>:$wrap);
  let results = (outs Variadic<Warp_Tile>:$tiles);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name `at` `(` $at `)` `step` $step `in` custom<Box>($box)
    (`of` `(` $extents^ `)`)? (`needed` custom<Box>($needed)^)? (`wrap` $wrap^)?
    custom<IndexRegion>($body) attr-dict `:` type($tiles)
  }];
}

def Warp_ReadOp : Warp_Op<"read", [
    Pure, AttrSizedOperandSegments,
    TypesMatchWith<"value type is the element type of the tile", "tile",
                   "value", "::llvm::cast<::mlir::TensorType>($_self).getElementType()">,
    OptionalTypesMatchWith<"padding value type is the element type of the tile",
                   "tile", "padding",
                   "::llvm::cast<::mlir::TensorType>($_self).getElementType()">]> {
  let summary = "a value of a tile, at an affine function of the coordinates";
  let description = [{
    Indices are coordinates of the tile's stage, as in `pipeline.load`, and lie in
    the tile. They are affine in the reader's coordinates, and in values that its
    body computes: the variables of loops, and indices of gathers. With a boundary mode they are first brought inside the stage's image,
    whose extents its `warp.compute` then has. Outside of a `warp.compute` (where
    `--shuffle` has turned one into values) the operands are any numbers, and the
    index is moved inside the tile. A warp sees all of a tile: whoever lowers reads
    puts what synchronisation they need before them. The reader stands beside the tile's
    `warp.compute`, in the same block.

    ```mlir
    %0 = warp.read %bx[%y, %x - 1] : tensor<10x258xf32, #warp.shared>
    %1 = warp.read %bx[%y + 1, %x] clamp : tensor<10x258xf32, #warp.shared>
    ```
  }];
  let arguments = (ins Warp_Tile:$tile, Variadic<Index>:$indices,
                       AffineMapAttr:$map,
                       DefaultValuedAttr<Warp_Boundary,
                         "::weft::warp::Boundary::None">:$boundary,
                       Optional<Warp_Value>:$padding);
  let results = (outs Warp_Value:$value);
  let assemblyFormat = [{
    $tile `` custom<Subscript>($indices, $map)
    (custom<Case>($boundary)^ (`(` $padding^ `)`)?)? attr-dict
    `:` type($tile)
  }];
}

def Warp_LoadOp : Warp_Op<"load", [
    AttrSizedOperandSegments,
    TypesMatchWith<"value type is the element type of the memory", "memory",
                   "value", "::llvm::cast<::mlir::MemRefType>($_self).getElementType()">,
    OptionalTypesMatchWith<"padding value type is the element type of the memory",
                   "memory", "padding",
                   "::llvm::cast<::mlir::MemRefType>($_self).getElementType()">]> {
  let summary = "a value of an image in memory, at an affine function of the coordinates";
  let description = [{
    As `warp.read`, of an image in global memory. With a boundary mode each index is
    first brought inside the extents of the memory. Where only a part of the image has
    been computed, `needed` says which, and indices are brought inside of that, too: what is
    read there instead is never used. Where dimensions differ, `modes` has the mode of each.

    ```mlir
    %0 = warp.load %img[%y, %x - 1] clamp : memref<480x640xf32, strided<[640, 1]>, 1>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "the image", [MemRead]>:$memory,
                       Variadic<Index>:$indices, AffineMapAttr:$map,
                       DefaultValuedAttr<Warp_Boundary,
                         "::weft::warp::Boundary::None">:$boundary,
                       OptionalAttr<StrArrayAttr>:$modes,
                       OptionalAttr<DenseI64ArrayAttr>:$needed,
                       Optional<Warp_Value>:$padding);
  let results = (outs Warp_Value:$value);
  let assemblyFormat = [{
    $memory `` custom<Subscript>($indices, $map)
    (`needed` custom<Box>($needed)^)? (`modes` $modes^)?
    (custom<Case>($boundary)^)? (`(` $padding^ `)`)? attr-dict `:` type($memory)
  }];
}

def Warp_YieldOp : Warp_Op<"yield", [Pure, Terminator, HasParent<"ComputeOp">]> {
  let summary = "ends a body with the values of its point";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Warp_WriteOp : Warp_Op<"write"> {
  let summary = "writes a box of a tile back to the image that it is part of";
  let description = [{
    The box is relative to the tile's first point, as in `warp.compute`. Where the
    compute has extents, points outside the image (or outside `needed`) are not written.

    ```mlir
    warp.write %by in [0, 8) x [0, 256) to %out : tensor<8x256xf32, #warp.lane>, memref<480x640xf32, 1>
    ```
  }];
  let arguments = (ins Warp_Tile:$tile, DenseI64ArrayAttr:$box,
                       AnyMemRef:$memory);
  let assemblyFormat = [{
    $tile `in` custom<Box>($box) `to` $memory attr-dict `:` type($tile) `,` type($memory)
  }];
}

def Warp_StreamOp : Warp_Op<"stream", [SingleBlock, NoTerminator]> {
  let summary = "computes that a warp walks down together, row by row";
  let description = [{
    The computes inside give what they give outside. But the warp works on all of
    them one row after the other, each as far ahead of its consumers as their reads
    reach down, and keeps of each tile only the rows that are still to be read. The
    loop over rows holds `unroll` rows, so that a row's place in the window is known
    without moving values.

    ```mlir
    warp.stream unroll 8 {
      %bx = warp.compute "blurx" ... : tensor<18x128xf32, #warp.blocked<4>>
      %by = warp.compute "blury" ... : tensor<16x128xf32, #warp.blocked<4>>
      warp.write %by in [0, 16) x [0, 124) to %out : ...
    }
    ```
  }];
  let arguments = (ins I64Attr:$unroll);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`unroll` $unroll $body attr-dict";
}

def Warp_SyncOp : Warp_Op<"sync"> {
  let summary = "waits for all who own the tile, and makes visible what they wrote";
  let description = [{
    `--lower-warp` puts one wherever a read or a write needs it, so programs need not
    say it; one that is there counts.
  }];
  let assemblyFormat = "attr-dict";
}

#endif // WARP_TD
