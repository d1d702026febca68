//! What the command line says of arguments and results: names are checked, images loaded or made up, numbers parsed.
//!
//! ```text
//! --arg img=photo.png --arg gain=2.5 --out sharp=out.png
//!       Input::Image   Input::Number       a path for result 'sharp'
//! ```

use crate::options::Options;
use melior::ir::OperationRef;
use mlir_glue::one_of;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};
use weft_runtime::{
    Argument, ArgumentType, Buffer, Changes, Element, Integers, Kind, Scalar, TensorType, formats_read,
};
use weft_tools::{
    Stop,
    signature::{self, Signature},
};

/// Splits NAME=VALUE arguments.
pub fn pairs(option: &str, texts: &[String]) -> Result<BTreeMap<String, String>, Stop> {
    let mut pairs = BTreeMap::new();
    for text in texts {
        let Some((name, value)) = text.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty())
        else {
            return Err(Stop::Because(format!("{option} {text}: expected NAME=VALUE")));
        };
        if pairs.insert(name.to_owned(), value.to_owned()).is_some() {
            return Err(Stop::Because(format!("{option} {name} is given twice")));
        }
    }
    Ok(pairs)
}

/// The stages that `--dump-stage` wants and that are no results of the program already. `NAME.1` is the second result of NAME.
pub fn stages_to_expose(func: OperationRef, dumps: &BTreeMap<String, String>) -> Result<BTreeSet<String>, Stop> {
    let results: Vec<String> = Signature::of(func)?.results.into_iter().map(|result| result.name).collect();
    let of = |name: &String| match name.rsplit_once('.') {
        Some((stage, number)) if number.parse::<usize>().is_ok() => stage.to_owned(),
        _ => name.clone(),
    };
    Ok(dumps.keys().filter(|name| !results.contains(name)).map(of).collect())
}

/// Where results go. Names are checked before anything runs.
pub fn outputs(
    options: &Options,
    signature: &Signature,
    dumps: BTreeMap<String, String>,
) -> Result<BTreeMap<String, PathBuf>, Stop> {
    let mut outputs = pairs("--out", &options.out)?;
    let names: Vec<&str> = signature.results.iter().map(|result| result.name.as_str()).collect();
    if let Some(unknown) = outputs.keys().find(|name| !names.contains(&name.as_str())) {
        return Err(Stop::Because(format!("--out {unknown}: no result of that name, expected {}", one_of(&names))));
    }
    for (name, path) in dumps {
        if !names.contains(&name.as_str()) {
            return Err(Stop::Because(format!("--dump-stage {name}: the stage has no result of that number")));
        }
        if outputs.insert(name.clone(), path).is_some() {
            return Err(Stop::Because(format!("--dump-stage {name}: --out writes that result already")));
        }
    }
    let mut paths = BTreeSet::new();
    for path in outputs.values() {
        weft_runtime::check_extension(Path::new(path))?;
        if !paths.insert(path) {
            return Err(Stop::Because(format!("{path} is the file of two results, expected one for each")));
        }
    }
    Ok(outputs.into_iter().map(|(name, path)| (name, PathBuf::from(path))).collect())
}

/// The value of an argument.
pub enum Input {
    /// A tensor.
    Image(Buffer),
    /// A number.
    Number(Scalar),
}

impl Input {
    /// As the CPU executor takes it.
    pub fn argument(&self) -> Argument<'_> {
        match self {
            Self::Image(buffer) => Argument::Input(buffer),
            Self::Number(number) => Argument::Scalar(*number),
        }
    }

    /// The extents of an image; of a number none.
    pub fn extents(&self) -> Vec<usize> {
        match self {
            Self::Image(buffer) => buffer.shape().to_vec(),
            Self::Number(_) => Vec::new(),
        }
    }

    /// The bytes that a program reads.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Image(buffer) => buffer.byte_size(),
            Self::Number(_) => 0,
        }
    }
}

/// Where the value of an argument is from.
enum Source {
    Number(Scalar),
    Random(Vec<usize>, u64),
    File(PathBuf),
}

/// A file that an argument was read from, and what was changed on the way.
#[derive(Default)]
pub struct Origin {
    pub file: Option<PathBuf>,
    pub changes: Changes,
}

/// The values of all arguments, and where they are from. What is missing is said at once, before anything is read.
pub fn inputs(options: &Options, signature: &Signature) -> Result<Vec<(Input, Origin)>, Stop> {
    let mut given = pairs("--arg", &options.arg)?;
    let mut dims = pairs("--dim", &options.dim)?
        .into_iter()
        .map(|(name, extent)| match extent.parse::<usize>() {
            Ok(extent) => Ok((name, extent)),
            Err(_) => Err(Stop::Because(format!("--dim {name}={extent}: expected a number of points"))),
        })
        .collect::<Result<BTreeMap<_, _>, _>>()?;
    let names: Vec<&str> = signature.arguments.iter().map(|argument| argument.name.as_str()).collect();
    if let Some(unknown) = given.keys().find(|name| !names.contains(&name.as_str())) {
        let message = format!("--arg {unknown}: no argument of that name, expected {}", one_of(&names));
        return Err(Stop::Because(message));
    }
    let (mut used, mut missing) = (Vec::new(), Vec::new());
    let mut sources = Vec::new();
    for argument in &signature.arguments {
        let text = given.remove(&argument.name);
        sources.extend(source(argument, text, &dims, &mut used, &mut missing)?);
    }
    match &missing[..] {
        [] => {}
        [one] => return Err(Stop::Because(one.clone())),
        all => {
            let list: String = all.iter().map(|one| format!("\n  {one}")).collect();
            return Err(Stop::Because(format!("{} values are missing (--describe has an example):{list}", all.len())));
        }
    }
    dims.retain(|name, _| !used.contains(name));
    if let Some(unused) = dims.keys().next() {
        return Err(Stop::Because(format!(
            "--dim {unused}: is the extent of nothing, expected {} of a random image, such as y or img.y",
            named_extents(signature)
        )));
    }
    let read = |(argument, source): (&signature::Argument, Source)| match (&argument.ty, source) {
        (_, Source::Number(number)) => Ok((Input::Number(number), Origin::default())),
        (ArgumentType::Scalar(_), _) => unreachable!("the source of a number is one"),
        (ArgumentType::Tensor(ty), Source::Random(shape, seed)) => {
            if !Buffer::fits(ty.element, &shape) {
                let whole = TensorType { shape: shape.iter().copied().map(Some).collect(), ..*ty };
                let name = &argument.name;
                return Err(Stop::Because(format!("--arg {name}=random: {whole} does not fit into memory")));
            }
            Ok((Input::Image(Buffer::random(ty.element, &shape, seed)), Origin::default()))
        }
        (ArgumentType::Tensor(ty), Source::File(path)) => {
            let (buffer, changes) = load(&path, ty, options)?;
            Ok((Input::Image(buffer), Origin { file: Some(path), changes }))
        }
    };
    signature.arguments.iter().zip(sources).map(read).collect()
}

/// Where the value of an argument is from, as far as its text goes; what is missing is noted.
fn source(
    argument: &signature::Argument,
    text: Option<String>,
    dims: &BTreeMap<String, usize>,
    used: &mut Vec<String>,
    missing: &mut Vec<String>,
) -> Result<Option<Source>, Stop> {
    let name = &argument.name;
    Ok(match (&argument.ty, text) {
        (ArgumentType::Scalar(kind), text) => {
            let dim = dims.get(name).map(usize::to_string);
            used.extend(dim.is_some().then(|| name.clone()));
            match text.or(dim) {
                Some(text) => Some(Source::Number(number(name, *kind, &text)?)),
                None => {
                    missing.push(format!("argument '{name}' has no value, expected --arg {}", how(argument)));
                    None
                }
            }
        }
        (ArgumentType::Tensor(ty), Some(text)) => match seed(&text) {
            Some(seed) => {
                let seed = seed?;
                shape(argument, ty, dims, used, missing).map(|shape| Source::Random(shape, seed))
            }
            None => Some(Source::File(text.into())),
        },
        (ArgumentType::Tensor(ty), None) => {
            missing.push(format!("argument '{name}' ({ty}) has no value, expected --arg {}", how(argument)));
            None
        }
    })
}

/// How an argument is given, behind `--arg`.
pub fn how(argument: &signature::Argument) -> String {
    let name = &argument.name;
    match &argument.ty {
        ArgumentType::Scalar(Kind::I1) => format!("{name}=true or false"),
        ArgumentType::Scalar(_) => format!("{name}=NUMBER"),
        ArgumentType::Tensor(ty) => {
            let files: Vec<String> = formats_read(ty).iter().map(|format| format!("FILE.{format}")).collect();
            format!("{name}={} or random", files.join(", "))
        }
    }
}

/// An image from a file; what was changed of it is said.
fn load(path: &Path, ty: &TensorType, options: &Options) -> Result<(Buffer, Changes), Stop> {
    let integers = options.integers.map(Integers::from);
    let (buffer, changes) = weft_runtime::load(path, ty.element, &ty.shape, integers).map_err(|error| match error {
        weft_runtime::Error::Integers { .. } => Stop::Because(format!("{error}; --integers values or unit says")),
        error => error.into(),
    })?;
    weft_tools::say_changes(path, &changes);
    Ok((buffer, changes))
}

/// The seed of `random` or `random:SEED`; `None` for what is a file.
fn seed(source: &str) -> Option<Result<u64, Stop>> {
    let rest = source.strip_prefix("random")?;
    match rest.strip_prefix(':') {
        None if rest.is_empty() => Some(Ok(0)),
        None => None,
        Some(seed) => {
            Some(seed.parse().map_err(|_| Stop::Because(format!("{source}: expected random:SEED, a number"))))
        }
    }
}

/// What `--dim` may name, for a message.
fn named_extents(signature: &Signature) -> String {
    let names: BTreeSet<&str> =
        signature.arguments.iter().flat_map(|argument| &argument.extents).map(String::as_str).collect();
    let names: String = names.into_iter().filter(|name| !name.is_empty()).map(|name| format!("{name}, ")).collect();
    if names.is_empty() { "a dynamic dimension".to_owned() } else { format!("{names}or a dynamic dimension") }
}

/// The extents of a random image: its type's, then `--dim`, then the program's own estimate. `None` where some are missing.
fn shape(
    argument: &signature::Argument,
    ty: &TensorType,
    dims: &BTreeMap<String, usize>,
    used: &mut Vec<String>,
    missing: &mut Vec<String>,
) -> Option<Vec<usize>> {
    let name = &argument.name;
    let coordinates = weft_dialects::pipeline::coordinate_names(ty.shape.len());
    let (mut shape, mut open) = (Vec::new(), Vec::new());
    for (dimension, extent) in ty.shape.iter().enumerate() {
        let coordinate = coordinates.get(dimension).copied().unwrap_or("?");
        let own = format!("{name}.{coordinate}");
        let named = argument.extents.get(dimension).filter(|name| !name.is_empty()).unwrap_or(&own);
        let keys = [own.as_str(), named, coordinate];
        let said = keys.into_iter().find_map(|key| Some((key.to_owned(), *dims.get(key)?)));
        let estimate = argument.estimate.as_ref().and_then(|estimate| estimate.get(dimension));
        match (extent, said, estimate) {
            (Some(extent), _, _) => shape.push(*extent),
            (None, Some((key, extent)), _) => {
                used.push(key);
                shape.push(extent);
            }
            (None, None, Some(extent)) => shape.push(*extent),
            (None, None, None) => open.push(format!("--dim {named}=POINTS")),
        }
    }
    if open.is_empty() {
        return Some(shape);
    }
    let extents = if open.len() == 1 { "its extent" } else { "its extents" };
    missing.push(format!("argument '{name}' ({ty}) is random, expected {} for {extents}", open.join(" ")));
    None
}

fn number(name: &str, kind: Kind, text: &str) -> Result<Scalar, Stop> {
    let wrong = || Stop::Because(format!("--arg {name}={text}: expected a number of {}", Element::new(kind, false)));
    Scalar::parse(kind, text).ok_or_else(wrong)
}
