//===- Pipeline.td - Levels 0 and 1: stages, and groups of stages ----------===//
//
// A stage says what one point of an image is, and nothing of order or storage.
// Scans and scatters are the units of work that do have an order. A group holds
// the stages that become one kernel. docs/spec.md says what each
// op means to the bit.
//
//===----------------------------------------------------------------------===//

#ifndef PIPELINE_TD
#define PIPELINE_TD

include "Glue.td"
include "pipeline/Boundary.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Pipeline_Dialect : Dialect {
  let name = "pipeline";
  let cppNamespace = "::weft::pipeline";
  let summary = "Image-processing pipelines as graphs of stages on tensors";
  let description = [{
    A program is a function on tensors. Each `pipeline.stage` gives the value of
    one point of its result as an expression over points of other tensors, read
    by `pipeline.load` at affine indices with a boundary mode, or by
    `pipeline.gather` at computed ones; `pipeline.reduce` folds a window of points.
    `pipeline.group` holds the stages that share a kernel, with a schedule.

    ```mlir
    func.func @blurx(%img: tensor<480x640xf32>) -> tensor<480x640xf32> {
      %half = arith.constant 0.5 : f32
      %0 = pipeline.stage "blurx" (%y, %x) {
        %a = pipeline.load %img[%y, %x] : tensor<480x640xf32>
        %b = pipeline.load %img[%y, %x + 1] clamp : tensor<480x640xf32>
        %s = arith.addf %a, %b : f32
        %v = arith.mulf %s, %half : f32
        pipeline.yield %v : f32
      } : tensor<480x640xf32>
      return %0 : tensor<480x640xf32>
    }
    ```
  }];
}

class Pipeline_Op<string mnemonic, list<Trait> traits = []>
    : Rust_Op<Pipeline_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Types and attributes
//===----------------------------------------------------------------------===//

def Pipeline_Pixel : AnyTypeOf<[F16, F32, F64, I8, I16, I32, I64],
    "f16, f32, f64, i8, i16, i32 or i64">;

def Pipeline_Image : RankedTensorOf<[F16, F32, F64, I8, I16, I32, I64]>;

def Pipeline_Boundary : Boundary_Enum<"::weft::pipeline">;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

def Pipeline_StageOp : Pipeline_Op<"stage", [Pure, SingleBlock]> {
  let summary = "one image, given by the value of each of its points";
  let description = [{
    The body is evaluated once for each point of the result; its arguments are
    the point's coordinates, the last one along the contiguous dimension. Bodies
    have no side effects and no order. A stage can have several results of the
    same shape. Dynamic extents are operands, one for each `?` of the type.

    `in` is the part of the stage that is needed, written by `--infer-bounds`;
    points outside it are never read and need not be computed.

    ```mlir
    %mag, %dir = pipeline.stage "sobel" (%y, %x) {
      ...
      pipeline.yield %m, %d : f32, i8
    } sized(%h, %w) : tensor<?x?xf32>, tensor<?x?xi8>
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<Index>:$extents,
                       OptionalAttr<DenseI64ArrayAttr>:$needed);
  let results = (outs Variadic<Pipeline_Image>:$images);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name custom<IndexRegion>($body) (`sized` `(` $extents^ `)`)?
    (`in` custom<Box>($needed)^)? attr-dict `:` type($images)
  }];
}

class Pipeline_ReadOp<string mnemonic> : Pipeline_Op<mnemonic, [
    Pure, AttrSizedOperandSegments,
    TypesMatchWith<"value type is the element type of the source", "source",
                   "value", "::llvm::cast<::mlir::TensorType>($_self).getElementType()">,
    OptionalTypesMatchWith<"padding value type is the element type of the source",
                   "source", "padding",
                   "::llvm::cast<::mlir::TensorType>($_self).getElementType()">]> {
  let arguments = (ins Pipeline_Image:$source, Variadic<Index>:$indices,
                       AffineMapAttr:$map,
                       DefaultValuedAttr<Pipeline_Boundary,
                         "::weft::pipeline::Boundary::None">:$boundary,
                       Optional<Pipeline_Pixel>:$padding);
  let results = (outs Pipeline_Pixel:$value);
  let assemblyFormat = [{
    $source `` custom<Subscript>($indices, $map)
    (custom<Case>($boundary)^ (`(` $padding^ `)`)?)? attr-dict
    `:` type($source)
  }];
}

def Pipeline_LoadOp : Pipeline_ReadOp<"load"> {
  let summary = "the value of an image at an affine function of the coordinates";
  let description = [{
    Indices are affine expressions of the coordinates of the enclosing stage, and
    of the variables of `pipeline.reduce`s around the load,
    with `floordiv`, `ceildiv` and `mod` by constants. The boundary mode says
    what an index outside the source gives, for each dimension:

    | mode | index i of an extent n |
    | --- | --- |
    | (none) | must lie inside; checked at compile time, or at entry where extents are dynamic |
    | `clamp` | min(max(i, 0), n - 1) |
    | `mirror` | the image reflected at its edges, edge repeated: -1 reads 0, n reads n - 1 |
    | `reflect101` | the image reflected at its edges, edge not repeated: -1 reads 1, n reads n - 2 |
    | `wrap` | i mod n |
    | `constant(%v)` | `%v` when any index lies outside |

    ```mlir
    %0 = pipeline.load %img[%y, %x - 1] clamp : tensor<480x640xf32>
    %1 = pipeline.load %img[%y floordiv 2, %x] constant(%zero) : tensor<480x640xf32>
    ```
  }];
}

def Pipeline_GatherOp : Pipeline_ReadOp<"gather"> {
  let summary = "the value of an image at a place that is computed";
  let description = [{
    A `pipeline.load` whose indices may also be values of type `index` that the
    body computes. An index is either an affine expression, as in a load, or one
    such value alone: what more is to be done with it is done by `arith` before.

    A boundary mode is required: nobody can prove that a value stays inside. It
    maps a computed index as any other.

    ```mlir
    %z = arith.index_castui %level : i8 to index
    %0 = pipeline.gather %table[%z] clamp : tensor<256xf32>
    %1 = pipeline.gather %grid[%z, %y floordiv 8, %x floordiv 8] clamp : tensor<12x60x80xf32>
    ```
  }];
}

def Pipeline_ReduceOp : Pipeline_Op<"reduce", [Pure, SingleBlock]> {
  let summary = "a fold over a window of constant extents";
  let description = [{
    The body is evaluated for each point of the window, one after the other, in
    lexicographic order: the last variable runs fastest. Its first arguments are
    the point's variables, the others the accumulators: what the body yielded for
    the point before, and at the first point the inits. The results are what it
    yields for the last point.

    Variables stand in the indices of loads as coordinates do. Reduces may be
    nested, and stand in an `scf.if`. `--unroll-reductions` writes small ones out.

    ```mlir
    %sum = pipeline.reduce (%ry, %rx) in [-2, 3) x [-2, 3) (%acc = %zero : f32) {
      %p = pipeline.load %img[%y + %ry, %x + %rx] clamp : tensor<480x640xf32>
      %s = arith.addf %acc, %p : f32
      pipeline.yield %s : f32
    } : f32
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$window, Variadic<AnyType>:$inits);
  let results = (outs Variadic<AnyType>:$values);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    custom<WindowRegion>($body, $window, $inits, type($inits)) attr-dict `:` type($values)
  }];
}

def Pipeline_YieldOp : Pipeline_Op<"yield", [
    Pure, Terminator,
    ParentOneOf<["StageOp", "ScanOp", "GroupOp", "IterateOp", "ReduceOp"]>]> {
  let summary = "ends a body: of a stage or scan with the values of its point, of a reduce with its accumulators, of a group with its live-outs, of an iterate with its states";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Pipeline_GroupOp : Pipeline_Op<"group", [Pure, SingleBlock]> {
  let summary = "stages that share one kernel";
  let description = [{
    The stages inside are computed together, tile by tile; only the live-outs,
    which the group yields, reach memory. The schedule says how. It can be
    written by hand; `--fuse` leaves such a group as it is.

    | key | type | meaning |
    | --- | --- | --- |
    | `tile` | array of i64 | points of a live-out that a tile covers, one number for each dimension; with `scope = "thread"` those of a thread |
    | `block` | array of i64 | threads of a block, one number for each dimension |
    | `fraction` | float, 0.0 to 1.0 | part of a tile's storage that lies in registers; where a `block` of less than 32 columns has lanes in rows and columns, all of tiles inside with 1.0, and else none |
    | `inputs` | "memory" or "shared" | where tiles in shared memory read images that the group does not compute: where they are, or in a tile of each, loaded first; "memory" where it is not said |
    | `layout` | "cyclic" or "blocked" | how registers are spread over the lanes of a warp |
    | `vector` | i64 | neighbouring points that a lane handles |
    | `scope` | "warp", "block" or "thread" | who computes a tile; where it is not said, a warp by `--warp-tile` and a block by `--block-tile`; with "thread" there are no tiles, and each thread computes a point, or a `tile` of points, as by `--map-to-gpu` |
    | `stream` | string | coordinate that a warp walks along |
    | `overlap` | "scalene", "right-rectangle" or "uniform-slope" | shape of overlapped tiles: exactly what is read, to the end of a tile shifted for it, or between two slopes as PolyMage cuts them |
    | `nested` | bool | whether a producer of which each point serves one of its only consumer is computed there, and has no tile of its own; true where it is not said |

    ```mlir
    %out = pipeline.group "g0" schedule {tile = array<i64: 8, 256>} {
      %bx = pipeline.stage "blurx" ...
      %by = pipeline.stage "blury" ...
      pipeline.yield %by : tensor<480x640xf32>
    } : tensor<480x640xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<DictionaryAttr>:$schedule);
  let results = (outs Variadic<Pipeline_Image>:$images);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name (`schedule` $schedule^)? $body attr-dict (`:` type($images)^)?
  }];
}

//===----------------------------------------------------------------------===//
// Units of work beside stages
//===----------------------------------------------------------------------===//

def Pipeline_ScanOp : Pipeline_Op<"scan", [Pure, SingleBlock]> {
  let summary = "one image, each line of which is computed in order";
  let description = [{
    A stage whose points may read those before them: `pipeline.previous` gives
    the scan's own value at a point that was computed before, along dimension
    `along`, which is walked from its first point to its last, or `backward`.
    Lines do not see each other. Everything else is as in a stage. A scan stands
    beside groups, in none.

    ```mlir
    %sums = pipeline.scan "sums" (%y, %x) along 1 {
      %a = pipeline.load %img[%y, %x] : tensor<?x?xf32>
      %p = pipeline.previous 1 or %zero : f32
      %v = arith.addf %p, %a : f32
      pipeline.yield %v : f32
    } sized(%h, %w) : tensor<?x?xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, I64Attr:$along, UnitAttr:$backward,
                       Variadic<Index>:$extents,
                       OptionalAttr<DenseI64ArrayAttr>:$needed);
  let results = (outs Variadic<Pipeline_Image>:$images);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name custom<LineRegion>($body, $along, $backward)
    (`sized` `(` $extents^ `)`)? (`in` custom<Box>($needed)^)? attr-dict
    `:` type($images)
  }];
}

def Pipeline_PreviousOp : Pipeline_Op<"previous", [
    Pure, AllTypesMatch<["start", "value"]>]> {
  let summary = "the value of a scan at a point before";
  let description = [{
    The value of the enclosing scan `distance` points before this one, in the
    direction in which it walks; `start` where the line has no such point.
    `of` says which result of the scan, the first if it is left out.

    ```mlir
    %0 = pipeline.previous 1 or %zero : f32
    %1 = pipeline.previous 2 of 1 or %a : f32
    ```
  }];
  let arguments = (ins I64Attr:$distance,
                       DefaultValuedAttr<I64Attr, "0">:$of,
                       Pipeline_Pixel:$start);
  let results = (outs Pipeline_Pixel:$value);
  let assemblyFormat = [{
    $distance (`of` $of^)? `or` $start
    attr-dict `:` type($value)
  }];
}

def Pipeline_ScatterOp : Pipeline_Op<"scatter", [
    Pure, SingleBlock, AttrSizedOperandSegments]> {
  let summary = "one image, updated at places that are computed";
  let description = [{
    The leading dimensions of the result are the coordinates, the others are
    places. At each point of the coordinates all places begin with `from`; then
    the body is evaluated at each point of the domain, in lexicographic order,
    the last variable fastest, and the value at the place that it says becomes
    `combine(value there, update)`. A place outside the result is left out.
    `combine` is an associative op: `arith.addf`, `addi`, `mulf`, `muli`,
    `minsi`, `maxsi`, `minui`, `maxui`, `minimumf`, `maximumf`, `minnumf`,
    `maxnumf`, `andi`, `ori` or `xori`. `reassoc` lets sums of floats be
    done in any order. Several results have one shape, and are updated at one
    place.

    ```mlir
    %hist = pipeline.scatter "hist" () over (%y, %x) in [0, %h) x [0, %w)
        from(%zero : i32) combine "arith.addi" {
      %a = pipeline.load %img[%y, %x] : tensor<?x?xi8>
      %bin = arith.index_castui %a : i8 to index
      pipeline.update %one at [%bin] : i32
    } : tensor<256xi32>
    ```
  }];
  let arguments = (ins StrAttr:$name, DenseI64ArrayAttr:$domain,
                       Variadic<Index>:$ends, Variadic<Pipeline_Pixel>:$initial,
                       StrAttr:$combine, UnitAttr:$reassoc,
                       Variadic<Index>:$extents,
                       OptionalAttr<DenseI64ArrayAttr>:$needed);
  let results = (outs Variadic<Pipeline_Image>:$images);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name custom<DomainRegion>($body, $domain, $ends, $initial, type($initial), $combine)
    (`reassoc` $reassoc^)? (`sized` `(` $extents^ `)`)?
    (`in` custom<Box>($needed)^)? attr-dict `:` type($images)
  }];
}

def Pipeline_UpdateOp : Pipeline_Op<"update", [
    Pure, Terminator, HasParent<"ScatterOp">, AttrSizedOperandSegments]> {
  let summary = "ends a scatter with what is combined, and where";
  let description = [{
    One value for each result of the scatter, one place of type `index` for each
    dimension behind the coordinates.

    ```mlir
    pipeline.update %v, %one at [%z] : f32, i32
    ```
  }];
  let arguments = (ins Variadic<Pipeline_Pixel>:$values, Variadic<Index>:$places);
  let assemblyFormat = [{
    $values `at` ` ` `[` $places `]` attr-dict `:` type($values)
  }];
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

def Pipeline_IterateOp : Pipeline_Op<"iterate", [Pure, SingleBlock]> {
  let summary = "time steps: stages that make of an image the next one, many times";
  let description = [{
    The images that it begins with are the states of step 0. Each step computes
    the next states from the last ones; the results are the states after `steps`
    steps. A state keeps its type and its extents. The body is a program of its
    own: stages and groups, numbers, and a yield of one image for each state.

    `--time-tile` puts several steps into one, so that a tile goes through all of
    them before it is written.

    ```mlir
    %last = pipeline.iterate "heat" %n (%u = %img : tensor<?x?xf32>) {
      %next = pipeline.stage "step" (%y, %x) { ... } sized(%h, %w) : tensor<?x?xf32>
      pipeline.yield %next : tensor<?x?xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, Index:$steps,
                       Variadic<Pipeline_Image>:$initial);
  let results = (outs Variadic<Pipeline_Image>:$images);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name $steps custom<StatesRegion>($body, $initial, type($initial), type($images))
    attr-dict
  }];
}

#endif // PIPELINE_TD
