//! `--expand-extremes`: the greatest or least of some floats, with one test for NaN for every two of them.
//!
//! ```text
//! %m = arith.maximumf %a, %b : f32          %ab = select (cmpf ogt, %a, %b), %a, %b        one instruction of x86: max
//! %n = arith.maximumf %m, %c : f32    ──▶   %n' = select (cmpf ogt, %ab, %c), %ab, %c
//!                                           %n  = select (cmpf ord, %a, %b) and (cmpf ord, %c, %c), %n', NaN
//! ```
//!
//! `arith.maximumf` is NaN where an operand is. CPUs of today compare and select in one instruction, which forgets a NaN in one of its
//! operands; MLIR's own expansion mends that behind every maximum, four instructions each. But of a tree of maxima only the root
//! is to be mended: it is NaN where any leaf is, and two leaves are tested at once.
//!
//! Of values that are equal, as zeros of both signs are, the last leaf is taken, as `arith-expand` does. So a tree gives the same in every shape: what stages
//! have inlined or share a loop decides how trees are cut, and must not show.

use crate::ir::{Builder, Key, is, key};
use melior::{
    dialect::DialectHandle,
    ir::{BlockRef, OperationRef, Type, Value, ValueLike, operation::OperationLike},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::HashSet;

/// The pass.
pub struct ExpandExtremes;

const TREES: Statistic = Statistic::new(c"trees", c"Trees of maxima, or of minima, that were expanded");

/// Chains that tests of one tree are joined in, so that none waits for all others.
const CHAINS: usize = 4;

impl Pass for ExpandExtremes {
    const ARGUMENT: &'static str = "expand-extremes";
    const SUMMARY: &'static str = "Expand trees of maximumf and minimumf for CPUs";
    const DESCRIPTION: &'static str = "\
Makes of `arith.maximumf` and `arith.minimumf` comparisons and selections, which are one instruction where a CPU has one that gives its \
second operand for a NaN. A tree of maxima whose inner values have no other use is NaN where one of its leaves is, which is asked \
once, for two leaves at a time. `arith-expand` asks behind each of them.";
    const STATISTICS: &'static [Statistic] = &[TREES];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let all: Vec<OperationRef> = ir::walk(module).into_iter().filter(|op| predicate(*op).is_some()).collect();
        let mut inner: HashSet<Key> = HashSet::new();
        let mut done: Vec<OperationRef> = Vec::new();
        // Roots stand behind what they are made of.
        for root in all.into_iter().rev() {
            let result: Value = root.result(0).expect("an extreme has a result").into();
            let (Some(nan), false) = (nan(result.r#type()), inner.contains(&key(result))) else { continue };
            let mut leaves = Vec::new();
            let first = done.len();
            collect(root, &mut leaves, &mut done);
            inner.extend(done[first..].iter().filter_map(|op| op.result(0).ok()).map(|value| key(value.into())));
            expand(cx, root, &leaves, &nan);
            cx.count(TREES, 1);
        }
        // Each behind what it alone has used.
        done.into_iter().for_each(ir::erase);
        Ok(())
    }
}

/// How two values are compared so that the earlier one is taken where it is beyond the later.
fn predicate(op: OperationRef) -> Option<&'static str> {
    const GREATER: &str = "2 : i64";
    const LESS: &str = "4 : i64";
    match () {
        () if is(op, "arith.maximumf") => Some(GREATER),
        () if is(op, "arith.minimumf") => Some(LESS),
        () => None,
    }
}

/// NaN of a type, as the text of an attribute; `None` of types that CPUs do not compute with.
fn nan(ty: Type) -> Option<String> {
    let text = ty.to_string();
    let element = text.trim_start_matches("vector<").trim_end_matches('>').rsplit('x').next().unwrap_or_default();
    let bits = match element {
        "f16" => "0x7E00",
        "bf16" => "0x7FC0",
        "f32" => "0x7FC00000",
        "f64" => "0x7FF8000000000000",
        _ => return None,
    };
    Some(if text == element { format!("{bits} : {text}") } else { format!("dense<{bits}> : {text}") })
}

/// The ops of a tree, its root first, and its leaves in their order.
fn collect<'c, 'a>(op: OperationRef<'c, 'a>, leaves: &mut Vec<Value<'c, 'a>>, tree: &mut Vec<OperationRef<'c, 'a>>) {
    tree.push(op);
    let block: Option<BlockRef> = op.block();
    for operand in op.operands() {
        let below = ir::defining_op(operand);
        match below.filter(|below| ir::name_of(*below) == ir::name_of(op) && below.block() == block) {
            Some(below) if ir::has_one_use(operand) => collect(below, leaves, tree),
            _ => leaves.push(operand),
        }
    }
}

/// Puts what a tree stands for before its root, and in its place.
fn expand<'c: 'a, 'a>(cx: &PassContext<'c>, root: OperationRef<'c, 'a>, leaves: &[Value<'c, 'a>], nan: &str) {
    let b = Builder::before(cx.context(), root);
    let result: Value = root.result(0).expect("an extreme has a result").into();
    let beyond = predicate(root).expect("only extremes are expanded");
    let mut value = extreme(&b, leaves, beyond);
    let tested: Vec<Value> = leaves.iter().copied().filter(|leaf| !is_number(*leaf)).collect();
    let tests: Vec<Value> = tested.chunks(2).map(|two| compare(&b, "7 : i64", two[0], two[two.len() - 1])).collect();
    let mut chains = tests[..tests.len().min(CHAINS)].to_vec();
    for (number, test) in tests.iter().enumerate().skip(chains.len()) {
        let chain = &mut chains[number % CHAINS];
        *chain = b.value("arith.andi", &[*chain, *test], test.r#type(), &[]);
    }
    if let Some(is_number) =
        chains.into_iter().reduce(|all, test| b.value("arith.andi", &[all, test], test.r#type(), &[]))
    {
        let nan = b.value("arith.constant", &[], result.r#type(), &[("value", b.parse_attribute(nan))]);
        value = b.select(is_number, value, nan, result.r#type());
    }
    ir::replace_all_uses(result, value);
}

/// The extreme of some values but for NaN: halves first, so that few wait for each other.
fn extreme<'c: 'a, 'a>(b: &Builder<'c, 'a>, leaves: &[Value<'c, 'a>], beyond: &str) -> Value<'c, 'a> {
    if let [leaf] = leaves {
        return *leaf;
    }
    let (left, right) = leaves.split_at(leaves.len() / 2);
    let (left, right) = (extreme(b, left, beyond), extreme(b, right, beyond));
    b.select(compare(b, beyond, left, right), left, right, left.r#type())
}

fn compare<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    predicate: &str,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let ty = left.r#type().to_string();
    let flags = match ty.rfind('x').filter(|_| ty.starts_with("vector")) {
        Some(end) => format!("{}xi1>", &ty[..end]),
        None => "i1".to_owned(),
    };
    b.value("arith.cmpf", &[left, right], b.parse_type(&flags), &[("predicate", b.parse_attribute(predicate))])
}

/// Whether a value is never NaN: one made of an integer.
fn is_number(value: Value) -> bool {
    ir::defining_op(value).is_some_and(|op| is(op, "arith.uitofp") || is(op, "arith.sitofp"))
}
