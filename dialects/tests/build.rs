//! What the builders make verifies and prints as the syntax of the ops says.

use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{
        AffineExpr, AffineMap, BlockLike, BlockRef, Location, Module, OperationRef, RegionLike, Type, Value,
        operation::{OperationLike, OperationMutLike},
        r#type::RankedTensorType,
    },
};
use mlir_glue::{ir, run::parse_module, tool};
use weft_dialects::{
    pipeline::{
        Boundary, Combine, Extent, Group, Iterate, Load, Previous, Reduce, Scan, Scatter, ScatterParts, Schedule,
        Stage, Update,
    },
    warp::{Compute, ComputeParts, Layout, Read, Stream, TileId, Write},
};

fn context() -> Context {
    let registry = DialectRegistry::new();
    tool::register_upstream((&registry).into());
    weft_dialects::register_dialects((&registry).into());
    let context = Context::new_with_registry(&registry, false);
    for dialect in ["pipeline", "warp"] {
        context.get_or_load_dialect(dialect);
    }
    context
}

/// A function with these arguments and no op but its return.
fn function<'c>(context: &'c Context, arguments: &str) -> Module<'c> {
    parse_module(context, &format!("func.func @f({arguments}) {{ return }}"), "test").expect("a module")
}

/// Where a test puts its ops: before the end of a function.
struct At<'c, 'a> {
    context: &'c Context,
    location: Location<'c>,
    block: BlockRef<'c, 'a>,
}

impl<'c: 'a, 'a> At<'c, 'a> {
    fn of(context: &'c Context, module: &'a Module<'c>) -> Self {
        let func = module.body().first_operation().expect("a function");
        Self { context, location: Location::unknown(context), block: body(func) }
    }

    fn argument(&self, index: usize) -> Value<'c, 'a> {
        argument(self.block, index)
    }

    fn insert(&self, op: melior::ir::Operation<'c>) -> OperationRef<'c, 'a> {
        self.block.insert_operation_before(self.block.terminator().expect("a return"), op)
    }

    fn f32(&self) -> Type<'c> {
        Type::float32(self.context)
    }

    fn image(&self, extents: &[u64]) -> RankedTensorType<'c> {
        RankedTensorType::new(extents, self.f32(), None)
    }
}

/// An extent that is not known, as melior takes it.
const OPEN: u64 = i64::MIN.cast_unsigned();

fn body<'c, 'a>(op: OperationRef<'c, 'a>) -> BlockRef<'c, 'a> {
    op.region(0).expect("a region").first_block().expect("a block")
}

fn argument<'c, 'a>(block: BlockRef<'c, 'a>, index: usize) -> Value<'c, 'a> {
    block.argument(index).expect("an argument").into()
}

fn result<'c, 'a>(op: OperationRef<'c, 'a>) -> Value<'c, 'a> {
    ir::result(op, 0).expect("a result")
}

/// The identity, with `add` added to its last index.
fn map(context: &Context, rank: usize, add: i64) -> AffineMap<'_> {
    let mut indices: Vec<AffineExpr> = (0..rank).map(|d| AffineExpr::dim(context, d)).collect();
    if let Some(last) = indices.last_mut() {
        *last = *last + AffineExpr::constant(context, add);
    }
    AffineMap::new(context, rank, 0, &indices)
}

/// The ops of the function, which verifies.
fn text(module: &Module) -> String {
    assert!(module.as_operation().verify(), "{}", module.as_operation());
    let text = module.as_operation().to_string();
    let lines = text.lines().filter(|line| line.starts_with("    ") && line.trim() != "return");
    lines.map(|line| line[4..].to_owned() + "\n").collect()
}

#[test]
fn stages_and_groups() {
    let context = context();
    let module = function(&context, "%img: tensor<?x?xf32>, %h: index, %w: index, %v: f32");
    let at = At::of(&context, &module);
    let [image, height, width, value] = [0, 1, 2, 3].map(|index| at.argument(index));
    let ty = at.image(&[OPEN, OPEN]);
    let schedule = Schedule {
        tile: Some(vec![8, 128]),
        fraction: Some(0.5),
        layout: Some("cyclic".into()),
        vector: Some(4),
        ..Schedule::default()
    };
    let attribute = schedule.attribute(&context);
    assert_eq!(Schedule::parse(attribute, 2), Ok(schedule));
    let group = at.insert(Group::build(&context, "g0", Some(attribute.into()), &[ty.into()], at.location));
    let mut stage = Stage::build(&context, "s", &[height, width], &[ty], at.location);
    stage.set_attribute("needed", Stage::needed_attribute(&context, &[(Some(0), Some(8)), (Some(1), None)]));
    let stage = body(group).append_operation(stage);
    let block = body(stage);
    let point = [argument(block, 0), argument(block, 1)];
    let load =
        |boundary, padding| Load::build(&context, image, &point, map(&context, 2, -1), boundary, padding, at.location);
    block.append_operation(load(Boundary::Mirror, None));
    let last = block.append_operation(load(Boundary::Constant, Some(value)));
    block.append_operation(Group::build_yield(&[result(last)], at.location));
    body(group).append_operation(Group::build_yield(&[result(stage)], at.location));
    assert_eq!(
        text(&module),
        r#"%g0 = pipeline.group "g0" schedule {fraction = 5.000000e-01 : f64, layout = "cyclic", tile = array<i64: 8, 128>, vector = 4 : i64} {
  %s = pipeline.stage "s" (%y, %x) {
    %0 = pipeline.load %arg0[%y, %x - 1] mirror : tensor<?x?xf32>
    %1 = pipeline.load %arg0[%y, %x - 1] constant(%arg3) : tensor<?x?xf32>
    pipeline.yield %1 : f32
  } sized(%arg1, %arg2) in [0, 8) x [1, ?) : tensor<?x?xf32>
  pipeline.yield %s : tensor<?x?xf32>
} : tensor<?x?xf32>
"#
    );
}

#[test]
fn gathers_and_reduces() {
    let context = context();
    let module = function(&context, "%img: tensor<480x640xf32>, %v: f32");
    let at = At::of(&context, &module);
    let stage = at.insert(Stage::build(&context, "s", &[], &[at.image(&[480])], at.location));
    let block = body(stage);
    let reduce = block.append_operation(Reduce::build(&context, &[(-1, 2), (0, 3)], &[at.argument(1)], at.location));
    let inner = body(reduce);
    let point = [argument(inner, 0), argument(inner, 1)];
    let gather = inner.append_operation(Load::build_gather(
        &context,
        at.argument(0),
        &point,
        map(&context, 2, 0),
        Boundary::Clamp,
        None,
        at.location,
    ));
    inner.append_operation(Group::build_yield(&[result(gather)], at.location));
    block.append_operation(Group::build_yield(&[result(reduce)], at.location));
    assert_eq!(
        text(&module),
        r#"%s = pipeline.stage "s" (%x) {
  %0 = pipeline.reduce (%ry, %rx) in [-1, 2) x [0, 3) (%acc = %arg1 : f32) {
    %1 = pipeline.gather %arg0[%ry, %rx] clamp : tensor<480x640xf32>
    pipeline.yield %1 : f32
  } : f32
  pipeline.yield %0 : f32
} : tensor<480xf32>
"#
    );
}

#[test]
fn scans_and_scatters() {
    let context = context();
    let module = function(&context, "%img: tensor<480x640xf32>, %v: f32, %n: index");
    let at = At::of(&context, &module);
    let value = at.argument(1);
    for backward in [false, true] {
        let scan = Scan::build(&context, "sums", 1, backward, &[], &[at.image(&[480, 640])], at.location);
        let block = body(at.insert(scan));
        let previous = block.append_operation(Previous::build(&context, 2, 0, value, at.location));
        block.append_operation(Group::build_yield(&[result(previous)], at.location));
    }
    let parts = ScatterParts {
        name: "hist",
        coordinates: 1,
        domain: &[(2, Extent::Static(8)), (0, Extent::Dynamic(at.argument(2)))],
        initial: &[value],
        combine: Combine::Addf,
        reassociable: true,
        extents: &[at.argument(2)],
        images: &[at.image(&[480, OPEN])],
    };
    let scatter = at.insert(Scatter::build(&context, parts, at.location));
    let block = body(scatter);
    block.append_operation(Update::build(&context, &[value], &[argument(block, 1)], at.location));
    assert_eq!(
        text(&module),
        r#"%sums = pipeline.scan "sums" (%y, %x) along 1 {
  %0 = pipeline.previous 2 or %arg1 : f32
  pipeline.yield %0 : f32
} : tensor<480x640xf32>
%sums_0 = pipeline.scan "sums" (%y, %x) along 1 backward {
  %0 = pipeline.previous 2 or %arg1 : f32
  pipeline.yield %0 : f32
} : tensor<480x640xf32>
%hist = pipeline.scatter "hist" (%x) over (%ry, %rx) in [2, 8) x [0, %arg2) from(%arg1 : f32) combine "arith.addf" {
  pipeline.update %arg1 at [%ry] : f32
} reassoc sized(%arg2) : tensor<480x?xf32>
"#
    );
}

#[test]
fn iterates() {
    let context = context();
    let module = function(&context, "%img: tensor<480x640xf32>, %n: index");
    let at = At::of(&context, &module);
    let iterate = at.insert(Iterate::build(&context, "heat", at.argument(1), &[at.argument(0)], at.location));
    let block: BlockRef = body(iterate);
    block.append_operation(Group::build_yield(&[argument(block, 0)], at.location));
    assert_eq!(
        text(&module),
        r#"%heat = pipeline.iterate "heat" %arg1 (%arg2 = %arg0 : tensor<480x640xf32>) {
  pipeline.yield %arg2 : tensor<480x640xf32>
}
"#
    );
}

#[test]
fn tiles() {
    let context = context();
    let module = function(&context, "%out: memref<480x640xf32, 1>, %v: f32, %h: index, %w: index");
    let at = At::of(&context, &module);
    let [out, value, height, width] = [0, 1, 2, 3].map(|index| at.argument(index));
    at.insert(TileId::build(&context, None, &[8, 32], at.location));
    let ids = at.insert(TileId::build(&context, Some(&[4, 1]), &[1, 32], at.location));
    let ids: Vec<Value> = ids.results().map(Value::from).collect();
    let parts = ComputeParts {
        name: "a",
        at: &ids,
        step: &[8, 64],
        region: &[(-1, 9), (0, 64)],
        extents: &[height, width],
        needed: Some(&[(Some(0), Some(8)), (Some(1), None)]),
        wrap: &[1],
        aligned: false,
        planes_together: false,
        elements: &[at.f32(), at.f32()],
        layout: Layout::Shared,
    };
    let a = at.insert(Compute::build(&context, parts, at.location));
    body(a).append_operation(Compute::build_yield(&[value, value], at.location));
    let stream = at.insert(Stream::build(&context, 8, at.location));
    let parts = ComputeParts {
        name: "b",
        region: &[(0, 8), (0, 64)],
        extents: &[],
        needed: None,
        wrap: &[],
        aligned: true,
        elements: &[at.f32()],
        layout: Layout::Blocked(2),
        ..parts
    };
    let b = body(stream).append_operation(Compute::build(&context, parts, at.location));
    assert!(Compute::of(b).is_some_and(|b| b.is_aligned() && b.layout() == Some(Layout::Blocked(2))));
    body(b).append_operation(Compute::build_yield(&[value], at.location));
    let write = Write::build(&context, result(b), &[(0, 8), (0, 64)], out, true, at.location);
    body(stream).append_operation(write);
    let c = at.insert(Compute::build(
        &context,
        ComputeParts { name: "c", layout: Layout::Lane, aligned: false, ..parts },
        at.location,
    ));
    let block = body(c);
    let point = [argument(block, 0), argument(block, 1)];
    let read = |boundary, padding| {
        Read::build(&context, result(a), &point, map(&context, 2, 1), boundary, padding, at.location)
    };
    block.append_operation(read(Boundary::None, None));
    let last = block.append_operation(read(Boundary::Constant, Some(value)));
    block.append_operation(Compute::build_yield(&[result(last)], at.location));
    assert_eq!(
        text(&module),
        r#"%tile_y, %tile_x = warp.tile_id block lanes [8, 32] : index, index
%tile_y_0, %tile_x_1 = warp.tile_id warps [4, 1] lanes [1, 32] : index, index
%a:2 = warp.compute "a" at(%tile_y_0, %tile_x_1) step [8, 64] in [-1, 9) x [0, 64) of(%arg2, %arg3) needed [0, 8) x [1, ?) wrap [1] (%y, %x) {
  warp.yield %arg1, %arg1 : f32, f32
} : tensor<10x64xf32, #warp.shared>, tensor<10x64xf32, #warp.shared>
warp.stream unroll 8 {
  %b = warp.compute "b" at(%tile_y_0, %tile_x_1) step [8, 64] in [0, 8) x [0, 64) (%y, %x) {
    warp.yield %arg1 : f32
  } {aligned} : tensor<8x64xf32, #warp.blocked<2>>
  warp.write %b in [0, 8) x [0, 64) to %arg0 {aligned} : tensor<8x64xf32, #warp.blocked<2>>, memref<480x640xf32, 1>
}
%c = warp.compute "c" at(%tile_y_0, %tile_x_1) step [8, 64] in [0, 8) x [0, 64) (%y, %x) {
  %0 = warp.read %a#0[%y, %x + 1] : tensor<10x64xf32, #warp.shared>
  %1 = warp.read %a#0[%y, %x + 1] constant(%arg1) : tensor<10x64xf32, #warp.shared>
  warp.yield %1 : f32
} : tensor<8x64xf32, #warp.lane>
"#
    );
}

#[test]
fn layouts_are_read_as_they_are_written() {
    let context = context();
    for layout in
        [Layout::Shared, Layout::Lane, Layout::Cyclic(4), Layout::Blocked(2), Layout::Hybrid(96), Layout::Grid(2, 16)]
    {
        assert_eq!(Layout::of(layout.attribute(&context)), Some(layout));
        let tile = layout.tile(&context, &[(-1, 9), (0, 128)], Type::float32(&context));
        assert_eq!(Layout::of_type(tile), Some(layout));
    }
}
