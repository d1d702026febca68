//! `--merge-loops`: loops over tiles that do the same become one function.
//!
//! ```text
//! func @f(...) {                                        func private @f_tiles0(%src, %dst, %rows) {
//!   scf.parallel (%t) = 0 to %rows { %img ... %a }        scf.parallel (%t) = 0 to %rows { %src ... %dst } }
//!   scf.parallel (%t) = 0 to %rows { %a ... %b }   ──▶  func @f(...) {
//! }                                                       call @f_tiles0(%img, %a, %rows)
//!                                                         call @f_tiles0(%a, %b, %rows) }
//! ```
//!
//! The CPU's `--merge-kernels`: the links of a chain and the layers of a network come to the same loops, which are then made vectors of,
//! and compiled, once. What a loop uses from around it are the function's arguments, in the order of their uses; constants are
//! its own.

use crate::ir::{Builder, Key, TakenNames, is, is_outermost_parallel, key, one_block, only_block, symbol};
use melior::{
    dialect::DialectHandle,
    ir::{
        BlockLike, OperationRef, Type, Value, ValueLike,
        attribute::TypeAttribute,
        operation::{OperationLike, OperationMutLike},
        r#type::FunctionType,
    },
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::{HashMap, HashSet};

/// The pass.
pub struct MergeLoops;

const MERGED: Statistic = Statistic::new(c"merged", c"Loops that became calls of another one's function");

impl Pass for MergeLoops {
    const ARGUMENT: &'static str = "merge-loops";
    const SUMMARY: &'static str = "Make one function of parallel loops that do the same";
    const DESCRIPTION: &'static str = "\
Of the `scf.parallel` of a function, those that differ only in the values that they use from around them become calls of one private \
function. A loop that is like no other stays where it is.";
    const STATISTICS: &'static [Statistic] = &[MERGED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::func(), DialectHandle::scf()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let body = only_block(module);
        let mut names: TakenNames = ir::operations(body).map(|op| symbol(op).to_owned()).collect();
        for func in ir::operations(body).filter(|op| is(*op, "func.func")).collect::<Vec<_>>() {
            merge(cx, func, &mut names);
        }
        Ok(())
    }
}

/// A loop, and what it uses from around it.
struct Loop<'c, 'a> {
    op: OperationRef<'c, 'a>,
    /// Constants, in the order of their uses.
    constants: Vec<OperationRef<'c, 'a>>,
    /// Other values.
    uses: Vec<Value<'c, 'a>>,
    /// Equal for loops that are equal, and for few others.
    likeness: Vec<String>,
}

impl<'c: 'a, 'a> Loop<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>) -> Self {
        let inside = ir::walk(op);
        let mut own: HashSet<Key> = HashSet::new();
        for inner in &inside {
            own.extend(inner.results().map(|value| key(value.into())));
            for block in inner.regions().filter_map(|region| melior::ir::RegionLike::first_block(&region)) {
                own.extend(ir::arguments(block).map(key));
            }
        }
        let (mut constants, mut uses) = (Vec::new(), Vec::new());
        for value in inside.iter().flat_map(|inner| inner.operands()) {
            if own.insert(key(value)) {
                match ir::defining_op(value).filter(|op| is(*op, "arith.constant")) {
                    Some(constant) => constants.push(constant),
                    None => uses.push(value),
                }
            }
        }
        let types = uses.iter().map(|value| value.r#type().to_string());
        let values =
            constants.iter().map(|op| op.attribute("value").map(|value| value.to_string()).unwrap_or_default());
        let likeness = [inside.len().to_string()].into_iter().chain(types).chain(values).collect();
        Self { op, constants, uses, likeness }
    }

    /// A function of its own for a copy of it, which has no name yet.
    fn outline(&self, cx: &PassContext<'c>, func: OperationRef<'c, 'a>) -> OperationRef<'c, 'a> {
        let b = Builder::before(cx.context(), func).located(self.op.location());
        let types: Vec<Type> = self.uses.iter().map(|value| value.r#type()).collect();
        let arguments: Vec<_> = types.iter().map(|ty| (*ty, b.location())).collect();
        let attributes = [
            ("function_type", TypeAttribute::new(FunctionType::new(cx.context(), &types, &[]).into()).into()),
            ("sym_visibility", b.string_attribute("private")),
        ];
        let made = b.op_with_regions("func.func", &[], &[], &attributes, vec![one_block(&arguments)]);
        let body = only_block(made);
        let inner = Builder::at_end(cx.context(), body, b.location());
        let arguments = (0..types.len()).filter_map(|i| body.argument(i).ok()).map(Value::from);
        let mut values: HashMap<Key, Value> = self.uses.iter().map(|value| key(*value)).zip(arguments).collect();
        for op in self.constants.iter().chain([&self.op]) {
            inner.clone_mapped(*op, &mut values);
        }
        inner.op("func.return", &[], &[], &[]);
        made
    }
}

/// Replaces the loops of a function that are alike.
fn merge<'c: 'a, 'a>(cx: &PassContext<'c>, func: OperationRef<'c, 'a>, names: &mut TakenNames) {
    let loops: Vec<Loop> = ir::walk(func).into_iter().filter(|op| is_outermost_parallel(*op)).map(Loop::of).collect();
    let mut kinds: Vec<Vec<(Loop, OperationRef)>> = Vec::new();
    let alike: Vec<bool> =
        loops.iter().map(|one| loops.iter().filter(|other| other.likeness == one.likeness).count() > 1).collect();
    for (own, _) in loops.into_iter().zip(alike).filter(|(_, is_alike)| *is_alike) {
        let outlined = own.outline(cx, func);
        let kind = kinds.iter_mut().find(|kind| {
            kind.first()
                .is_some_and(|(first, of)| first.likeness == own.likeness && ir::have_equal_regions(*of, outlined))
        });
        match kind {
            Some(kind) => {
                let function = kind[0].1;
                ir::erase(outlined);
                kind.push((own, function));
            }
            None => {
                kinds.push(vec![(own, outlined)]);
            }
        }
    }
    for kind in kinds {
        let function = kind[0].1;
        if kind.len() == 1 {
            ir::erase(function);
            continue;
        }
        cx.count(MERGED, kind.len() - 1);
        let name = names.numbered(&format!("{}_tiles", symbol(func)));
        let named = Builder::before(cx.context(), function).string_attribute(&name);
        ir::mutable(function).set_attribute("sym_name", named);
        for (own, _) in kind {
            let b = Builder::before(cx.context(), own.op).located(own.op.location());
            b.op("func.call", &own.uses, &[], &[("callee", b.symbol_attribute(&name))]);
            ir::erase(own.op);
        }
    }
}
