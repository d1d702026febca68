//! What a program ties of the extents and numbers that it is given, found in its own checks, and sizes that satisfy them.
//!
//! ```text
//! cf.assert of the program, lowered to loops      b.x = a.x     a.x >= 9     (a.x + 1) / 2 >= 0
//! those that images with points can break         b.x = a.x     a.x >= 9
//! sizes to begin with, and what they become       a.x = 4, b.x = 4   ──▶   a.x = 9, b.x = 9
//! ```

use melior::ir::{Module, OperationRef};
use mlir_glue::ir;
use std::collections::{BTreeMap, BTreeSet};
use weft_passes::{
    analysis::condition::{Condition, Given, Quantity},
    ir::{Compare, symbol},
};
use weft_tools::{Stop, signature::Signature, tune::groups};

/// Extents and numbers that conditions are tried with: what an image with points has, and what is near sizes of windows and tiles.
const EXTENTS: [i64; 14] = [1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 33, 64, 100, 1000];
const NUMBERS: [i64; 8] = [-1, 0, 1, 2, 3, 8, 64, 1000];

/// Of more values not all combinations are tried.
const MOST_TRIED: usize = 4;

/// What a program asks of its arguments, and how large its results are.
pub struct Ties {
    /// What images with points may break, each once; none follows from those before it alone.
    pub conditions: Vec<Condition>,
    /// The same before what is left out.
    all: Vec<Condition>,
    /// How many checks are no arithmetic of what is given.
    pub others: usize,
    /// The extents of each result; `None` where that is not to be read.
    pub results: Vec<Vec<Option<Quantity>>>,
}

/// Values of arguments.
pub type Values = BTreeMap<Given, i64>;

impl Ties {
    /// Lowers a copy of the program and reads its checks.
    ///
    /// # Errors
    ///
    /// A program that cannot be lowered.
    pub fn of(module: &Module, name: &str, signature: &Signature) -> Result<Self, Stop> {
        let copy = groups::copy(module);
        weft_tools::run(&copy, "convert-pipeline-to-loops")?;
        let functions = ir::walk(copy.as_operation());
        let function = |name: &str| functions.iter().copied().find(|op| symbol(*op) == name);
        let count = signature.arguments.len();
        let (mut all, mut others) = (Vec::new(), 0);
        for check in function(name).map(|func| ops(func, "cf.assert")).unwrap_or_default() {
            match ir::operand(check, 0).and_then(Condition::of) {
                // The memory of results is none of the user's concern.
                Some(condition) if condition.givens().iter().any(|given| given.argument >= count) => {}
                Some(condition) if all.contains(&condition) => {}
                Some(condition) => all.push(condition),
                None => others += 1,
            }
        }
        let mut conditions: Vec<Condition> = Vec::new();
        for condition in &all {
            let condition = without_empty(condition);
            if can_fail(&condition, &conditions) && !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
        let stores = function(&format!("{name}_extents")).map(|func| ops(func, "memref.store")).unwrap_or_default();
        let mut stored = stores.into_iter().map(|store| ir::operand(store, 0).and_then(Quantity::of));
        let results = signature.results.iter().map(|result| {
            // Without a dynamic extent nobody needs to be told.
            let known = |extent: &Option<usize>| extent.and_then(|extent| extent.try_into().ok()).map(Quantity::Known);
            result.ty.shape.iter().map(|extent| stored.next().unwrap_or_else(|| known(extent))).collect()
        });
        Ok(Self { conditions, all, others, results: results.collect() })
    }

    /// Values with which all that can be read holds, from those to begin with; those that are `fixed` stay. `None` if none were found.
    pub fn satisfied(&self, mut values: Values, fixed: &BTreeSet<Given>) -> Option<Values> {
        for _ in 0..8 {
            let is_broken = |values: &Values| {
                self.all.iter().find(|one| one.holds(&|given| values.get(given).copied()) == Some(false))
            };
            let Some(broken) = is_broken(&values) else { return Some(values) };
            let (given, value) = repair(broken, &values, fixed)?;
            values.insert(given, value);
        }
        None
    }
}

fn ops<'c: 'a, 'a>(func: OperationRef<'c, 'a>, name: &str) -> Vec<OperationRef<'c, 'a>> {
    ir::walk(func).into_iter().filter(|op| ir::name_of(*op) == name).collect()
}

/// A value that makes a comparison true.
fn repair(broken: &Condition, values: &Values, fixed: &BTreeSet<Given>) -> Option<(Given, i64)> {
    let Condition::Compare(compare, left, right) = broken else {
        let (Condition::All(list) | Condition::Any(list)) = broken else { return None };
        let is_broken = |one: &&Condition| one.holds(&|given| values.get(given).copied()) == Some(false);
        return list.iter().filter(is_broken).find_map(|one| repair(one, values, fixed));
    };
    let value = |quantity: &Quantity| quantity.value(&|given| values.get(given).copied());
    // A side that is one number is set to the other one, or to what is next to it; `n / 2 - 3 >= 8` has n grow until it holds.
    let (above, below) = match compare {
        Compare::Equal | Compare::GreaterEqual | Compare::LessEqual => (0, 0),
        Compare::Greater | Compare::NotEqual => (1, -1),
        Compare::Less => (-1, 1),
        Compare::Below => return None,
    };
    let open = |side: &Quantity| match side {
        Quantity::Given(given) if !fixed.contains(given) => Some(given.clone()),
        _ => None,
    };
    if let Some(given) = open(left) {
        return Some((given, value(right)?.checked_add(above)?));
    }
    if let Some(given) = open(right) {
        return Some((given, value(left)?.checked_add(below)?));
    }
    let mut givens = broken.givens().into_iter().filter(|given| !fixed.contains(given));
    let given = givens.next()?;
    let doubled = values.get(&given)?.checked_mul(2)?;
    Some((given, doubled))
}

/// A condition without alternatives that no image with points has.
fn without_empty(condition: &Condition) -> Condition {
    let Condition::Any(any) = condition else { return condition.clone() };
    let mut left: Vec<Condition> = any.iter().filter(|one| tried(one, &[], true)).cloned().collect();
    match left.len() {
        0 => condition.clone(),
        1 => left.remove(0),
        _ => Condition::Any(left),
    }
}

/// Whether a condition can be broken where others hold.
fn can_fail(condition: &Condition, others: &[Condition]) -> bool {
    let asked = condition.givens();
    let others: Vec<&Condition> = others.iter().filter(|one| one.givens().is_subset(&asked)).collect();
    tried(condition, &others, false)
}

/// Whether one of the values that are tried makes a condition this, where others hold. Where there are too many, it is said to be so.
fn tried(condition: &Condition, others: &[&Condition], truth: bool) -> bool {
    let givens: Vec<Given> = condition.givens().into_iter().collect();
    if givens.len() > MOST_TRIED {
        return true;
    }
    let choices = |given: &Given| if given.dimension.is_some() { &EXTENTS[..] } else { &NUMBERS[..] };
    let total: usize = givens.iter().map(|given| choices(given).len()).product();
    (0..total).any(|mut number| {
        let mut values = Values::new();
        for given in &givens {
            let choices = choices(given);
            values.insert(given.clone(), choices[number % choices.len()]);
            number /= choices.len();
        }
        let of = |given: &Given| values.get(given).copied();
        others.iter().all(|one| one.holds(&of) == Some(true)) && condition.holds(&of) == Some(truth)
    })
}
