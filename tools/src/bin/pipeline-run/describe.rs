//! `--describe`: what a program takes and gives, what ties it, and a command that runs.
//!
//! ```text
//! program, its own checks ──▶ arguments, results          left    3x?x?xu8    --arg left=FILE.png, FILE.jpg, FILE.npy or random
//!                         ──▶ what must hold              right.x = left.x
//!                         ──▶ sizes that satisfy it       pipeline-run lens_blur.mlir --arg left=random:1 ... --dim x=256
//! ```

use crate::{
    arguments::how,
    options::Options,
    ties::{Ties, Values},
};
use melior::ir::{Module, OperationRef};
use std::collections::{BTreeMap, BTreeSet};
use weft_dialects::pipeline::coordinate_names;
use weft_passes::{
    analysis::condition::{Given, Quantity},
    ir::symbol,
};
use weft_runtime::{ArgumentType, Element, Kind, TensorType, formats_written};
use weft_tools::{
    Stop,
    signature::{Argument, Signature},
};

/// Extents of random images to begin with; the first that the program takes.
const SIZES: [i64; 6] = [256, 64, 16, 8, 2, 1];

/// The most points of one, so that an example takes no minutes.
const MOST_POINTS: i64 = 1 << 21;

/// All of it.
///
/// # Errors
///
/// A program that cannot be lowered.
pub fn text(options: &Options, module: &Module, func: OperationRef, signature: &Signature) -> Result<String, Stop> {
    let ties = Ties::of(module, symbol(func), signature)?;
    let mut lines = vec![format!("@{} of {}", symbol(func), options.program().display())];

    lines.extend([String::new(), "arguments".to_owned()]);
    let rows = signature.arguments.iter().map(|argument| {
        let ty = match &argument.ty {
            ArgumentType::Tensor(ty) => ty.to_string(),
            ArgumentType::Scalar(kind) => Element::new(*kind, false).to_string(),
        };
        [argument.name.clone(), ty, format!("--arg {}{}", how(argument), more(argument))]
    });
    lines.extend(table(&rows.collect::<Vec<_>>()));
    if signature.arguments.iter().any(|argument| matches!(argument.ty, ArgumentType::Scalar(_))) {
        lines.push("  No number has a default.".to_owned());
    }

    lines.extend([String::new(), "results".to_owned()]);
    let rows = signature.results.iter().zip(&ties.results).map(|(result, extents)| {
        let extent = |extent: &Option<Quantity>| match extent {
            Some(sum @ Quantity::Op(..)) => format!("({sum})"),
            Some(one) => one.to_string(),
            None => "?".to_owned(),
        };
        let extents: String = extents.iter().map(|one| extent(one) + " x ").collect();
        let files = formats_written(&result.ty).iter().map(|format| format!("FILE.{format}")).collect::<Vec<_>>();
        let out = format!("--out {}={}", result.name, files.join(", "));
        [result.name.clone(), format!("{extents}{}", result.ty.element), out]
    });
    lines.extend(table(&rows.collect::<Vec<_>>()));

    lines.extend([String::new(), "what must hold".to_owned()]);
    lines.extend(ties.conditions.iter().filter_map(|condition| Some(format!("  {}", condition.text()?))));
    lines.extend(untied(signature, &ties));
    let others = ties.others + ties.conditions.iter().filter(|condition| condition.text().is_none()).count();
    if others > 0 {
        let checks = if others == 1 { "check" } else { "checks" };
        lines.push(format!("  and {others} {checks} of long sums, or against sizes beyond all memory"));
    }

    lines.extend([String::new(), "for example".to_owned()]);
    lines.push(match example(options, func, signature, &ties) {
        Some(command) => format!("  {command}"),
        None => "  No sizes were found by trying that satisfy what must hold.".to_owned(),
    });
    Ok(lines.into_iter().map(|line| line + "\n").collect())
}

/// What else is known of an argument.
fn more(argument: &Argument) -> String {
    let named = |names: &[String]| {
        names.iter().map(|name| if name.is_empty() { "?" } else { name }).collect::<Vec<_>>().join(" x ")
    };
    let names = (!argument.extents.is_empty()).then(|| format!("; extents {}", named(&argument.extents)));
    let estimate = argument.estimate.as_ref().map(|extents| {
        let extents: Vec<String> = extents.iter().map(usize::to_string).collect();
        format!("; schedules assume {}", extents.join("x"))
    });
    [names, estimate].into_iter().flatten().collect()
}

/// Columns.
fn table(rows: &[[String; 3]]) -> Vec<String> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    rows.iter().map(|[a, b, c]| format!("  {a:first$}  {b:second$}  {c}")).collect()
}

/// Images that no condition ties, where there are several: that is so, and has a meaning.
fn untied(signature: &Signature, ties: &Ties) -> Vec<String> {
    let mut sets: Vec<BTreeSet<usize>> = open_images(signature).map(|image| BTreeSet::from([image])).collect();
    for condition in &ties.conditions {
        let tied: BTreeSet<usize> = condition.givens().into_iter().map(|given| given.argument).collect();
        let (touched, rest): (Vec<_>, Vec<_>) = sets.into_iter().partition(|set| !set.is_disjoint(&tied));
        sets = rest;
        sets.extend((!touched.is_empty()).then(|| touched.into_iter().flatten().collect()));
    }
    sets.sort();
    let names = |set: &BTreeSet<usize>| {
        set.iter().map(|image| signature.arguments[*image].name.as_str()).collect::<Vec<_>>().join(" with ")
    };
    match (&sets[..], ties.conditions.is_empty()) {
        ([] | [_], true) => vec!["  nothing: images that have points, of any size".to_owned()],
        ([] | [_], false) => Vec::new(),
        _ => {
            let sets: Vec<String> = sets.iter().map(names).collect();
            vec![format!("  nothing ties the sizes of {} to each other", sets.join(", "))]
        }
    }
}

/// Images whose size is not all known.
fn open_images(signature: &Signature) -> impl Iterator<Item = usize> {
    let is_open = |argument: &Argument| matches!(&argument.ty, ArgumentType::Tensor(ty) if ty.shape.contains(&None));
    (0..signature.arguments.len()).filter(move |number| is_open(&signature.arguments[*number]))
}

/// A command with random images that the program takes.
fn example(options: &Options, func: OperationRef, signature: &Signature, ties: &Ties) -> Option<String> {
    let values = SIZES.iter().find_map(|size| sizes(signature, ties, *size))?;
    let mut words = vec!["pipeline-run".to_owned(), quoted(&options.program().display().to_string())];
    if options.function.is_some() {
        words.push(format!("--function {}", quoted(symbol(func))));
    }
    let mut seed = 0;
    for (number, argument) in signature.arguments.iter().enumerate() {
        let value = match &argument.ty {
            ArgumentType::Tensor(_) => {
                seed += 1;
                format!("random:{seed}")
            }
            ArgumentType::Scalar(Kind::F16 | Kind::F32 | Kind::F64) => "0.5".to_owned(),
            ArgumentType::Scalar(Kind::I1) => "true".to_owned(),
            ArgumentType::Scalar(_) => {
                values.iter().find(|(given, _)| given.argument == number).map_or("1".to_owned(), |(_, n)| n.to_string())
            }
        };
        words.push(format!("--arg {}", quoted(&format!("{}={value}", argument.name))));
    }
    words.extend(dims(signature, &values));
    for result in &signature.results {
        let format = formats_written(&result.ty)[0];
        words.push(format!("--out {}", quoted(&format!("{0}={0}.{format}", result.name))));
    }
    Some(words.join(" "))
}

/// Values of all that is open, from one size.
fn sizes(signature: &Signature, ties: &Ties, size: i64) -> Option<Values> {
    let (mut values, mut fixed) = (Values::new(), BTreeSet::new());
    for (argument, described) in signature.arguments.iter().enumerate() {
        match &described.ty {
            ArgumentType::Tensor(ty) => {
                for (dimension, extent) in ty.shape.iter().enumerate() {
                    let name = format!("{}.{}", described.name, coordinate(ty, dimension));
                    let given = Given { argument, dimension: Some(dimension), name };
                    fixed.extend(extent.is_some().then(|| given.clone()));
                    values.insert(given, extent.map_or(Some(size), |extent| extent.try_into().ok())?);
                }
            }
            ArgumentType::Scalar(Kind::F16 | Kind::F32 | Kind::F64 | Kind::I1) => {}
            ArgumentType::Scalar(_) => {
                values.insert(Given { argument, dimension: None, name: described.name.clone() }, 1);
            }
        }
    }
    let values = ties.satisfied(values, &fixed)?;
    let points = |argument: usize| -> i64 {
        values
            .iter()
            .filter(|(given, _)| given.argument == argument && given.dimension.is_some())
            .map(|(_, n)| *n)
            .product()
    };
    if open_images(signature).any(|argument| points(argument) > MOST_POINTS) {
        return None;
    }
    values.iter().all(|(given, value)| given.dimension.is_none() || *value > 0).then_some(values)
}

fn coordinate(ty: &TensorType, dimension: usize) -> &'static str {
    coordinate_names(ty.shape.len()).get(dimension).copied().unwrap_or("?")
}

/// `--dim` for what is open: by the name that all images share where they agree, else for each.
fn dims(signature: &Signature, values: &Values) -> Vec<String> {
    let mut shared: BTreeMap<String, Vec<(String, i64)>> = BTreeMap::new();
    for (given, value) in values {
        let argument = &signature.arguments[given.argument];
        let (ArgumentType::Tensor(ty), Some(dimension)) = (&argument.ty, given.dimension) else { continue };
        if ty.shape[dimension].is_none() {
            let own = argument.extents.get(dimension).filter(|name| !name.is_empty());
            let key = own.map_or_else(|| coordinate(ty, dimension).to_owned(), String::clone);
            shared.entry(key).or_default().push((given.name.clone(), *value));
        }
    }
    let mut words = Vec::new();
    for (key, extents) in shared {
        let first = extents[0].1;
        if extents.iter().all(|(_, extent)| *extent == first) {
            words.push(format!("--dim {}", quoted(&format!("{key}={first}"))));
        } else {
            words.extend(extents.iter().map(|(name, extent)| format!("--dim {}", quoted(&format!("{name}={extent}")))));
        }
    }
    words
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-=:,+@%".contains(c);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}
