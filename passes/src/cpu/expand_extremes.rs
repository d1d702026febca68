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
//! A zero below the other is that with the sign, as MLIR says and GPUs do; a comparison takes them for equal. But the sign of a maximum is
//! that of all its leaves, of a minimum that of any: so bits are joined, one instruction a leaf, where several leaves may be
//! zeros of both signs.
//!
//! With a constant nothing is to be mended: the comparison is asked so that it gives the other operand, if this is NaN, and of two zeros the right
//! one. So `clamp` is two instructions, or three, from 0 on.
//!
//! `arith.maxnumf` and `arith.minnumf` forget a NaN themselves: with a constant as the second operand they are a comparison and a
//! selection, no more.

use crate::ir::{Builder, FloatCompare, Key, compare_floats, constant_float, is, is_bound, key};
use melior::{
    dialect::DialectHandle,
    ir::{BlockRef, OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike},
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
once, for two leaves at a time. `arith-expand` asks behind each of them. With a constant nothing is asked, and of `arith.maxnumf` and \
`arith.minnumf` of a value and a constant neither.";
    const STATISTICS: &'static [Statistic] = &[TREES];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), mlir_glue::tool::math()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        ir::walk(module).into_iter().filter(|op| is_bound(*op)).for_each(|op| bound(cx, op));
        let all: Vec<OperationRef> = ir::walk(module).into_iter().filter(|op| predicate(*op).is_some()).collect();
        let mut inner: HashSet<Key> = HashSet::new();
        let mut done: Vec<OperationRef> = Vec::new();
        // Roots stand behind what they are made of.
        for root in all.into_iter().rev() {
            let result: Value = root.result(0).expect("an extreme has a result").into();
            if !is_computed_with(result.r#type()) || inner.contains(&key(result)) {
                continue;
            }
            let mut leaves = Vec::new();
            let first = done.len();
            collect(root, &mut leaves, &mut done);
            inner.extend(done[first..].iter().filter_map(|op| op.result(0).ok()).map(|value| key(value.into())));
            expand(cx, root, &leaves);
            cx.count(TREES, 1);
        }
        // Each behind what it alone has used.
        done.into_iter().for_each(ir::erase);
        Ok(())
    }
}

/// Expands a `maxnumf` or `minnumf` that [`is_bound`]: a comparison gives the second operand for NaN, too.
fn bound<'c>(cx: &PassContext<'c>, op: OperationRef<'c, '_>) {
    let beyond = if is(op, "arith.maxnumf") { FloatCompare::Greater } else { FloatCompare::Less };
    let result = extreme(&Builder::before(cx.context(), op), &op.operands().collect::<Vec<_>>(), beyond);
    ir::replace_all_uses(op.result(0).expect("an extreme has a result").into(), result);
    ir::erase(op);
}

/// How two values are compared so that the earlier one is taken where it is beyond the later.
fn predicate(op: OperationRef) -> Option<FloatCompare> {
    match () {
        () if is(op, "arith.maximumf") => Some(FloatCompare::Greater),
        () if is(op, "arith.minimumf") => Some(FloatCompare::Less),
        () => None,
    }
}

/// Whether CPUs compute with floats of a type, or with vectors of them.
fn is_computed_with(ty: Type) -> bool {
    let element = ir::vector_element(ty).unwrap_or(ty);
    element.is_float() && [16, 32, 64].contains(&element.float_width())
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
fn expand<'c: 'a, 'a>(cx: &PassContext<'c>, root: OperationRef<'c, 'a>, leaves: &[Value<'c, 'a>]) {
    let b = Builder::before(cx.context(), root);
    let result: Value = root.result(0).expect("an extreme has a result").into();
    let beyond = predicate(root).expect("only extremes are expanded");
    if let Some(value) = of_constant(&b, leaves, beyond) {
        return ir::replace_all_uses(result, value);
    }
    let mut value = extreme(&b, leaves, beyond);
    let zeros: Vec<Value> =
        leaves.iter().copied().filter(|leaf| constant_float(*leaf).is_none_or(|number| number == 0.0)).collect();
    if zeros.len() > 1 && !zeros.iter().all(|leaf| is_number(*leaf)) {
        value = with_sign(&b, value, leaves, beyond);
    }
    let tested: Vec<Value> = leaves.iter().copied().filter(|leaf| !is_number(*leaf)).collect();
    let tests: Vec<Value> =
        tested.chunks(2).map(|two| compare_floats(&b, FloatCompare::Ordered, two[0], two[two.len() - 1])).collect();
    let mut chains = tests[..tests.len().min(CHAINS)].to_vec();
    for (number, test) in tests.iter().enumerate().skip(chains.len()) {
        let chain = &mut chains[number % CHAINS];
        *chain = b.value("arith.andi", &[*chain, *test], test.r#type(), &[]);
    }
    if let Some(is_number) =
        chains.into_iter().reduce(|all, test| b.value("arith.andi", &[all, test], test.r#type(), &[]))
    {
        let nan = b.float(result.r#type(), f64::NAN);
        value = b.select(is_number, value, nan, result.r#type());
    }
    ir::replace_all_uses(result, value);
}

/// The extreme of some values but for NaN: halves first, so that few wait for each other.
fn extreme<'c: 'a, 'a>(b: &Builder<'c, 'a>, leaves: &[Value<'c, 'a>], beyond: FloatCompare) -> Value<'c, 'a> {
    if let [leaf] = leaves {
        return *leaf;
    }
    let (left, right) = leaves.split_at(leaves.len() / 2);
    let (left, right) = (extreme(b, left, beyond), extreme(b, right, beyond));
    b.select(compare_floats(b, beyond, left, right), left, right, left.r#type())
}

/// The extreme of a constant and something else, by a comparison that gives this if it is NaN: nothing is to be mended.
fn of_constant<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    leaves: &[Value<'c, 'a>],
    beyond: FloatCompare,
) -> Option<Value<'c, 'a>> {
    let [left, right] = *leaves else { return None };
    let (leaf, constant, number) = match (constant_float(left), constant_float(right)) {
        (None, Some(number)) => (left, right, number),
        (Some(number), None) => (right, left, number),
        _ => return None,
    };
    if number.is_nan() {
        return None;
    }
    // The zero that is the extreme of both zeros. Of equal operands the second is taken.
    let is_last = number == 0.0 && number.is_sign_positive() == (beyond == FloatCompare::Greater);
    Some(if is_last && !is_number(leaf) {
        let beyond = match beyond {
            FloatCompare::Greater => FloatCompare::GreaterOrUnordered,
            _ => FloatCompare::LessOrUnordered,
        };
        b.select(compare_floats(b, beyond, leaf, constant), leaf, constant, leaf.r#type())
    } else {
        extreme(b, &[constant, leaf], beyond)
    })
}

/// The extreme with the sign that it has: of a maximum negative where all leaves are, of a minimum where any is.
fn with_sign<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    leaves: &[Value<'c, 'a>],
    beyond: FloatCompare,
) -> Value<'c, 'a> {
    let ty = value.r#type();
    let bits = ir::with_elements(ty, b.integer_type(ir::vector_element(ty).unwrap_or(ty).float_width()));
    let join = if beyond == FloatCompare::Greater { "arith.andi" } else { "arith.ori" };
    let all = leaves.iter().map(|leaf| b.value("arith.bitcast", &[*leaf], bits, &[]));
    // A tree has two leaves at least.
    let all = all.reduce(|all, leaf| b.value(join, &[all, leaf], bits, &[])).expect("a leaf");
    b.value("math.copysign", &[value, b.value("arith.bitcast", &[all], ty, &[])], ty, &[])
}

/// Whether a value is never NaN, and no zero with a sign: one made of an integer.
fn is_number(value: Value) -> bool {
    ir::defining_op(value).is_some_and(|op| is(op, "arith.uitofp") || is(op, "arith.sitofp"))
}
