//! Conditions on what a program is given: as people read them, and as a tool asks them before anything runs.
//!
//! ```text
//! %b_w = memref.dim %b, %c1       %a_w = memref.dim %a, %c1       %n = arith.addi %a_w, %c3
//! %0 = arith.cmpi sge, %b_w, %n   %1 = arith.cmpi eq, %a_w, %c0
//! cf.assert (arith.ori %0, %1)                                                          b.x >= a.x + 3 or a.x = 0
//! ```
//!
//! Arguments have the names that their locations give them, extents those of coordinates. What is no arithmetic of arguments, or very
//! long, is no condition here.

use crate::ir::{Compare, constant_index, dim_of, is, location, width_of_integer};
use melior::ir::{
    BlockLike, ShapedTypeLike, TypeLike, Value, ValueLike,
    block::BlockArgument,
    r#type::{MemRefType, RankedTensorType},
};
use mlir_glue::ir;
use std::{collections::BTreeSet, fmt};
use weft_dialects::pipeline::coordinate_names;

/// The most numbers and operations that a tool asks.
const MOST_PARTS: usize = 256;

/// The most characters that people read.
const MOST_READ: usize = 100;

/// A number that a program is given.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Given {
    /// The argument.
    pub argument: usize,
    /// Which of its extents; `None` where it is a number itself.
    pub dimension: Option<usize>,
    /// What people call it: `img.x`, `n`.
    pub name: String,
}

/// A number that is computed of what a program is given.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// Known now.
    Known(i64),
    /// Given.
    Given(Given),
    /// Computed of two.
    Op(Operator, Box<[Quantity; 2]>),
}

/// How a quantity is computed. Divisions are by numbers that are known and positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names say it.
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    CeilDivide,
    Min,
    Max,
}

/// What must hold of what a program is given.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// A comparison of two quantities.
    Compare(Compare, Quantity, Quantity),
    /// All of them hold.
    All(Vec<Condition>),
    /// One of them holds, or more.
    Any(Vec<Condition>),
}

impl Quantity {
    /// The quantity that a value is.
    pub fn of(value: Value) -> Option<Self> {
        Self::within(value, &mut MOST_PARTS.clone())
    }

    fn within(value: Value, parts: &mut usize) -> Option<Self> {
        *parts = parts.checked_sub(1)?;
        if let Some(number) = constant_index(value) {
            return Some(Self::Known(number));
        }
        let Some(op) = ir::defining_op(value) else {
            let is_number = value.r#type().is_index() || value.r#type().is_integer();
            return given(value, None).filter(|_| is_number).map(Self::Given);
        };
        if let Some((image, dimension)) = dim_of(op) {
            return given(image, Some(dimension)).map(Self::Given);
        }
        let first = ir::operand(op, 0)?;
        let operator = match ir::name_of(op) {
            "arith.index_cast" if width_of_integer(value.r#type()) >= 32 => return Self::within(first, parts),
            "arith.addi" => Operator::Add,
            "arith.subi" => Operator::Subtract,
            "arith.muli" => Operator::Multiply,
            "arith.divsi" | "arith.floordivsi" | "arith.shrsi" => Operator::Divide,
            "arith.ceildivsi" => Operator::CeilDivide,
            "arith.minsi" => Operator::Min,
            "arith.maxsi" => Operator::Max,
            _ => return None,
        };
        let (left, mut right) = (Self::within(first, parts)?, Self::within(ir::operand(op, 1)?, parts)?);
        if is(op, "arith.shrsi") {
            let Self::Known(by @ 0..=62) = right else { return None };
            right = Self::Known(1 << by);
        }
        match (operator, &left, &right) {
            (Operator::Divide | Operator::CeilDivide, _, Self::Known(1..)) => {}
            (Operator::Divide | Operator::CeilDivide, ..) => return None,
            // As people write it.
            (Operator::Add, _, Self::Known(less @ i64::MIN..0)) => {
                let less = Self::Known(less.checked_neg()?);
                return Some(Self::Op(Operator::Subtract, Box::new([left, less])));
            }
            (Operator::Multiply, _, Self::Known(1)) | (Operator::Add, _, Self::Known(0)) => return Some(left),
            _ => {}
        }
        Some(Self::Op(operator, Box::new([left, right])))
    }

    /// The number, where that what it is computed of is known, and it does not overflow.
    pub fn value(&self, of: &impl Fn(&Given) -> Option<i64>) -> Option<i64> {
        let (operator, [left, right]) = match self {
            Self::Known(number) => return Some(*number),
            Self::Given(given) => return of(given),
            Self::Op(operator, operands) => (operator, &**operands),
        };
        let (left, right) = (left.value(of)?, right.value(of)?);
        match operator {
            Operator::Add => left.checked_add(right),
            Operator::Subtract => left.checked_sub(right),
            Operator::Multiply => left.checked_mul(right),
            // Ops differ in how they round what is negative.
            Operator::Divide | Operator::CeilDivide if left < 0 => None,
            Operator::Divide => left.checked_div(right),
            Operator::CeilDivide => left.checked_add(right - 1)?.checked_div(right),
            Operator::Min => Some(left.min(right)),
            Operator::Max => Some(left.max(right)),
        }
    }

    /// The same without what cuts off factors above a limit: a product of natural numbers is then beyond it or not, as with it.
    fn uncut(&self, limit: i64) -> Self {
        match self {
            Self::Op(Operator::Multiply, factors) => {
                Self::Op(Operator::Multiply, Box::new(factors.each_ref().map(|factor| factor.uncut(limit))))
            }
            Self::Op(Operator::Min, operands) => match &**operands {
                [factor, Self::Known(cut)] if *cut > limit => factor.uncut(limit),
                _ => self.clone(),
            },
            _ => self.clone(),
        }
    }

    fn collect(&self, all: &mut BTreeSet<Given>) {
        match self {
            Self::Known(_) => {}
            Self::Given(given) => _ = all.insert(given.clone()),
            Self::Op(_, operands) => operands.iter().for_each(|operand| operand.collect(all)),
        }
    }
}

/// An argument, or an extent of one.
fn given(value: Value, dimension: Option<usize>) -> Option<Given> {
    let argument = BlockArgument::try_from(value).ok()?;
    // Arguments of loops and stages are nothing that a program is given.
    argument.owner().parent_operation().filter(|op| is(*op, "func.func"))?;
    let number = argument.argument_number();
    let name = location::name_of_value(value).map_or_else(|| format!("arg{number}"), str::to_owned);
    let name = match dimension {
        Some(dimension) => format!("{name}.{}", coordinate_names(rank(value)?).get(dimension)?),
        None => name,
    };
    Some(Given { argument: number, dimension, name })
}

fn rank(image: Value) -> Option<usize> {
    let ty = image.r#type();
    let tensor = RankedTensorType::try_from(ty).ok().map(|ty| ty.rank());
    tensor.or_else(|| Some(MemRefType::try_from(ty).ok()?.rank()))
}

impl Condition {
    /// The condition that a truth value is.
    pub fn of(value: Value) -> Option<Self> {
        Self::within(value, &mut MOST_PARTS.clone())
    }

    fn within(value: Value, parts: &mut usize) -> Option<Self> {
        *parts = parts.checked_sub(1)?;
        let op = ir::defining_op(value)?;
        let operands = ir::operand(op, 0).zip(ir::operand(op, 1));
        match (ir::name_of(op), operands?) {
            ("arith.cmpi", (left, right)) => Some(Self::Compare(
                Compare::of_op(op)?,
                Quantity::within(left, parts)?,
                Quantity::within(right, parts)?,
            )),
            ("arith.andi", (left, right)) => {
                let (left, right) = (Self::within(left, parts)?, Self::within(right, parts)?);
                let list = |one| if let Self::All(all) = one { all } else { vec![one] };
                Some(Self::All([list(left), list(right)].concat()))
            }
            ("arith.ori", (left, right)) => {
                let (left, right) = (Self::within(left, parts)?, Self::within(right, parts)?);
                let list = |one| if let Self::Any(any) = one { any } else { vec![one] };
                Some(Self::Any([list(left), list(right)].concat()))
            }
            _ => None,
        }
    }

    /// Whether it holds, where all that it asks is known.
    pub fn holds(&self, of: &impl Fn(&Given) -> Option<i64>) -> Option<bool> {
        match self {
            Self::Compare(compare, left, right) => Some(compare.holds(left.value(of)?, right.value(of)?)),
            Self::All(all) => all.iter().try_fold(true, |so_far, one| Some(so_far & one.holds(of)?)),
            Self::Any(any) => any.iter().try_fold(false, |so_far, one| Some(so_far | one.holds(of)?)),
        }
    }

    /// Its text, where that is not too long to be read.
    pub fn text(&self) -> Option<String> {
        let text = match self {
            Self::Compare(Compare::LessEqual, number, Quantity::Known(limit)) => {
                Self::Compare(Compare::LessEqual, number.uncut(*limit), Quantity::Known(*limit)).to_string()
            }
            other => other.to_string(),
        };
        Some(text).filter(|text| text.len() <= MOST_READ)
    }

    /// All that it asks of what a program is given.
    pub fn givens(&self) -> BTreeSet<Given> {
        let mut all = BTreeSet::new();
        self.collect(&mut all);
        all
    }

    fn collect(&self, all: &mut BTreeSet<Given>) {
        match self {
            Self::Compare(_, left, right) => [left, right].into_iter().for_each(|one| one.collect(all)),
            Self::All(conditions) | Self::Any(conditions) => conditions.iter().for_each(|one| one.collect(all)),
        }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (operator, [left, right]) = match self {
            Self::Known(number) => return write!(f, "{number}"),
            Self::Given(given) => return f.write_str(&given.name),
            Self::Op(operator, operands) => (operator, &**operands),
        };
        let is_sum = |one: &Self| matches!(one, Self::Op(Operator::Add | Operator::Subtract, _));
        let factor = |one: &Self| if is_sum(one) { format!("({one})") } else { one.to_string() };
        match operator {
            Operator::Add => write!(f, "{left} + {right}"),
            Operator::Subtract => write!(f, "{left} - {}", factor(right)),
            Operator::Multiply => write!(f, "{} * {}", factor(left), factor(right)),
            Operator::Divide => write!(f, "{} / {right}", factor(left)),
            Operator::CeilDivide => write!(f, "ceil({} / {right})", factor(left)),
            Operator::Min => write!(f, "min({left}, {right})"),
            Operator::Max => write!(f, "max({left}, {right})"),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |all: &[Condition], word: &str| {
            let one = |condition: &Condition| match condition {
                Self::Compare(..) => condition.to_string(),
                _ => format!("({condition})"),
            };
            all.iter().map(one).collect::<Vec<_>>().join(word)
        };
        match self {
            Self::Compare(compare, left, right) => write!(f, "{left} {compare} {right}"),
            Self::All(all) => f.write_str(&list(all, " and ")),
            Self::Any(any) => f.write_str(&list(any, " or ")),
        }
    }
}
