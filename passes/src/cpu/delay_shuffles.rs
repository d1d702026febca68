//! `--delay-shuffles`: elements that several shuffles spread over lanes are converted before they are spread.
//!
//! ```text
//! %v = vector.load %m[%x] : vector<16xi8>             %v = vector.load %m[%x] : vector<16xi8>
//! %a = vector.shuffle %v, %v [0, ..., 8, ...]         %w = arith.uitofp %v : vector<16xi8> to vector<16xf32>
//! %p = arith.uitofp %a : vector<16xi8> to ...   ──▶   %p = vector.shuffle %w, %w [0, ..., 8, ...]
//! %b = vector.shuffle %v, %v [1, ..., 9, ...]         %q = vector.shuffle %w, %w [1, ..., 9, ...]
//! %q = arith.uitofp %b : vector<16xi8> to ...
//! ```
//!
//! Points that are computed from the same block, or from half as many columns, read the same few elements in other orders: each order was
//! converted by itself. What is done to each element alone, conversions and arithmetic with constants, is done once where the elements
//! are fewer than what comes of them.
//!
//! **Bytes that are doubled** are so whatever that costs: LLVM 22's selection of instructions does not end where a vector of 64 bytes, of which some stand
//! side by side more than once, as of an image that is read at `x floordiv 2`, is added to itself, and it makes such a sum of products and shifts.

use crate::ir::{Builder, Key, Kind, bits_of_element, constant_of, is, key, lanes_of_vector};
use melior::{
    dialect::DialectHandle,
    ir::{
        Attribute, AttributeLike, BlockLike, OperationRef, Type, Value, ValueLike,
        attribute::{DenseElementsAttribute, DenseI64ArrayAttribute, IntegerAttribute},
        operation::OperationLike,
    },
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::{collections::HashMap, ffi::c_void};

/// The pass.
pub struct DelayShuffles;

const DELAYED: Statistic = Statistic::new(c"delayed", c"Shuffles of what was computed before them");

impl Pass for DelayShuffles {
    const ARGUMENT: &'static str = "delay-shuffles";
    const SUMMARY: &'static str = "Convert elements before they are spread over lanes";
    const DESCRIPTION: &'static str = "\
Of several `vector.shuffle`s of one vector whose results are converted, or added to or multiplied by a constant, all in the same way, does that to the vector, if it \
has fewer elements than they have together, and shuffles what comes of it. So are bytes that are doubled, also where it is one shuffle. It goes behind `--vectorize`, \
and `--cse`.";
    const STATISTICS: &'static [Statistic] = &[DELAYED];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), mlir_glue::tool::vector()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        // What was delayed may be delayed further.
        loop {
            let mut alike: HashMap<What, Vec<Spread>> = HashMap::new();
            let mut order: Vec<What> = Vec::new();
            for (what, spread) in ir::walk(module).into_iter().filter_map(Spread::of) {
                if !alike.contains_key(&what) {
                    order.push(what.clone());
                }
                alike.entry(what).or_default().push(spread);
            }
            let delayed: usize = order.iter().map(|what| delay(cx, &alike[what])).sum();
            if delayed == 0 {
                return Ok(());
            }
            cx.count(DELAYED, delayed);
        }
    }
}

/// What is done to elements of which vector, in which block: where it is equal, so is what comes of an element.
#[derive(Clone, PartialEq, Eq, Hash)]
struct What {
    block: *const c_void,
    vector: Key,
    kind: Kind,
    /// The constant beside it, and whether that stands right.
    constant: Option<(*const c_void, bool)>,
}

/// An op on a shuffle of one vector.
struct Spread<'c, 'a> {
    op: OperationRef<'c, 'a>,
    shuffle: OperationRef<'c, 'a>,
    vector: Value<'c, 'a>,
    constant: Option<(Attribute<'c>, bool)>,
    /// Whether bytes are doubled.
    doubles: bool,
}

/// Ops that are done to each element alone.
const OPS: [&str; 13] = [
    "arith.extui",
    "arith.extsi",
    "arith.uitofp",
    "arith.sitofp",
    "arith.extf",
    "arith.addf",
    "arith.subf",
    "arith.mulf",
    "arith.addi",
    "arith.subi",
    "arith.muli",
    "arith.shli",
    "arith.negf",
];

impl<'c: 'a, 'a> Spread<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>) -> Option<(What, Self)> {
        let name = *OPS.iter().find(|name| is(op, name))?;
        let operands: Vec<Value> = op.operands().collect();
        let place =
            operands.iter().position(|operand| ir::defining_op(*operand).is_some_and(|op| is(op, "vector.shuffle")))?;
        let shuffle = ir::defining_op(operands[place])?;
        let [vector, right] = [ir::operand(shuffle, 0)?, ir::operand(shuffle, 1)?];
        let is_alone = ir::has_one_use(operands[place]);
        let is_here = shuffle.block() == op.block();
        let doubles = is_doubling(name, &operands, ir::result(op, 0)?.r#type());
        if vector != right || !is_here || !is_alone && !doubles || ir::vector_extents(vector.r#type())?.len() != 1 {
            return None;
        }
        let constant = match operands[..] {
            [_] => None,
            [left, right] if left == right => None,
            [left, right] => {
                let other = constant_of(if place == 0 { right } else { left })?;
                Some((DenseElementsAttribute::try_from(other).ok()?.is_splat().then_some(other)?, place == 0))
            }
            _ => return None,
        };
        let what = What {
            block: op.block()?.to_raw().ptr.cast_const(),
            vector: key(vector),
            kind: Kind::of(op)?,
            constant: constant.map(|(constant, is_right)| (constant.to_raw().ptr.cast(), is_right)),
        };
        Some((what, Self { op, shuffle, vector, constant, doubles }))
    }
}

/// Whether an op is, for LLVM, the sum of a vector of bytes and itself.
fn is_doubling(name: &str, operands: &[Value], ty: Type) -> bool {
    let by = |numbers: &[i64]| {
        let lanes = operands.get(1).and_then(|by| DenseElementsAttribute::try_from(constant_of(*by)?).ok());
        let number = lanes.and_then(|lanes| IntegerAttribute::try_from(ir::element_at(lanes, &[0])?).ok());
        number.is_some_and(|number| numbers.contains(&number.value()))
    };
    let is_twice = match name {
        "arith.addi" => operands.first() == operands.get(1),
        "arith.muli" => by(&[2, -2]),
        "arith.shli" => by(&[1]),
        _ => false,
    };
    is_twice && ir::vector_element(ty).and_then(bits_of_element) == Some(8)
}

/// Does to a vector what is done to its shuffles, if that is less; returns how many of these there are.
fn delay<'c: 'a, 'a>(cx: &PassContext<'c>, all: &[Spread<'c, 'a>]) -> usize {
    let Spread { op, shuffle, vector, constant, doubles } = &all[0];
    let result = |op: OperationRef<'c, 'a>| -> Value<'c, 'a> { op.result(0).expect("arithmetic has a result").into() };
    let spread: i64 = all.iter().map(|spread| lanes_of_vector(result(spread.op))).sum();
    if !doubles && (all.len() < 2 || spread <= lanes_of_vector(*vector)) {
        return 0;
    }
    let Some(element) = ir::vector_element(result(*op).r#type()) else { return 0 };
    // The first in the block: all the others stand behind it.
    let b = Builder::before(cx.context(), *shuffle).located(op.location());
    let wide = b.vector_type(lanes_of_vector(*vector), element);
    let constant = constant.and_then(|(constant, is_right)| {
        let number = DenseElementsAttribute::try_from(constant).ok()?;
        let number = ir::element_at(number, &[0])?;
        let splat = DenseElementsAttribute::new(wide, &[number]).ok()?;
        Some((b.constant(wide, splat.into()), is_right))
    });
    let operands = match constant {
        None => vec![*vector; op.operand_count()],
        Some((constant, true)) => vec![*vector, constant],
        Some((constant, false)) => vec![constant, *vector],
    };
    let attributes: Vec<(String, Attribute)> = op
        .attributes()
        .map(|(name, value)| (name.as_string_ref().as_str().unwrap_or_default().to_owned(), value))
        .collect();
    let attributes: Vec<(&str, Attribute)> = attributes.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let computed = b.value(ir::name_of(*op), &operands, wide, &attributes);
    for spread in all {
        let b = Builder::before(cx.context(), spread.op).located(spread.op.location());
        let mask = spread.shuffle.attribute("mask").ok().and_then(|mask| DenseI64ArrayAttribute::try_from(mask).ok());
        let Some(mask) = mask else { continue };
        let own = result(spread.op);
        let later = b.value("vector.shuffle", &[computed, computed], own.r#type(), &[("mask", mask.into())]);
        ir::replace_all_uses(own, later);
        ir::erase(spread.op);
        if !ir::has_uses(result(spread.shuffle)) {
            ir::erase(spread.shuffle);
        }
    }
    all.len()
}
