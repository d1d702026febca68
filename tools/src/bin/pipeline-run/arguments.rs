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
use weft_runtime::{Argument, ArgumentType, Buffer, Element, Integers, Kind, Scalar, TensorType};
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

/// The values of all arguments.
pub fn inputs(options: &Options, signature: &Signature) -> Result<Vec<Input>, Stop> {
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
    let mut used = Vec::new();
    let mut inputs = Vec::new();
    for argument in &signature.arguments {
        let name = &argument.name;
        let source = given.remove(name);
        inputs.push(match (&argument.ty, source) {
            (ArgumentType::Scalar(kind), source) => {
                let dim = dims.get(name).map(usize::to_string);
                used.extend(dim.is_some().then(|| name.clone()));
                let text = source
                    .or(dim)
                    .ok_or_else(|| format!("argument '{name}' has no value, expected --arg {name}=NUMBER"))?;
                Input::Number(number(name, *kind, &text)?)
            }
            (ArgumentType::Tensor(ty), Some(source)) => match seed(&source) {
                Some(seed) => {
                    let shape = shape(argument, ty, &dims, &mut used)?;
                    if !Buffer::fits(ty.element, &shape) {
                        let whole = TensorType { shape: shape.iter().copied().map(Some).collect(), ..*ty };
                        return Err(Stop::Because(format!("--arg {name}={source}: {whole} does not fit into memory")));
                    }
                    Input::Image(Buffer::random(ty.element, &shape, seed?))
                }
                None => Input::Image(load(&source, ty, options)?),
            },
            (ArgumentType::Tensor(ty), None) => {
                return Err(Stop::Because(format!(
                    "argument '{name}' ({ty}) has no value, expected --arg {name}=FILE.png, FILE.npy or random"
                )));
            }
        });
    }
    dims.retain(|name, _| !used.contains(name));
    match dims.keys().next() {
        Some(unused) => Err(Stop::Because(format!(
            "--dim {unused}: is the extent of nothing, expected {} of a random image, such as y or img.y",
            named_extents(signature)
        ))),
        None => Ok(inputs),
    }
}

/// An image from a file; what was changed of it is said.
fn load(source: &str, ty: &TensorType, options: &Options) -> Result<Buffer, Stop> {
    let integers = options.integers.map(Integers::from);
    let loaded = weft_runtime::load(Path::new(source), ty.element, &ty.shape, integers);
    let (buffer, changes) = loaded.map_err(|error| match error {
        weft_runtime::Error::Integers { .. } => Stop::Because(format!("{error}; --integers values or unit says")),
        error => error.into(),
    })?;
    weft_tools::say_changes(Path::new(source), &changes);
    Ok(buffer)
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

/// The extents of a random image: its type's, then `--dim`, then the program's own estimate.
fn shape(
    argument: &signature::Argument,
    ty: &TensorType,
    dims: &BTreeMap<String, usize>,
    used: &mut Vec<String>,
) -> Result<Vec<usize>, Stop> {
    let name = &argument.name;
    let coordinates = weft_dialects::pipeline::coordinate_names(ty.shape.len());
    let mut shape = Vec::new();
    for (dimension, extent) in ty.shape.iter().enumerate() {
        let coordinate = coordinates.get(dimension).copied().unwrap_or("?");
        let own = format!("{name}.{coordinate}");
        let named = argument.extents.get(dimension).filter(|name| !name.is_empty()).unwrap_or(&own);
        let keys = [own.as_str(), named, coordinate];
        let said = keys.into_iter().find_map(|key| Some((key.to_owned(), *dims.get(key)?)));
        let estimate = argument.estimate.as_ref().and_then(|estimate| estimate.get(dimension));
        shape.push(match (extent, said, estimate) {
            (Some(extent), _, _) => *extent,
            (None, Some((key, extent)), _) => {
                used.push(key);
                extent
            }
            (None, None, Some(extent)) => *extent,
            (None, None, None) => {
                return Err(Stop::Because(format!(
                    "argument '{name}' ({ty}) is random, expected --dim {named}=POINTS for its extent"
                )));
            }
        });
    }
    Ok(shape)
}

fn number(name: &str, kind: Kind, text: &str) -> Result<Scalar, Stop> {
    let wrong = || Stop::Because(format!("--arg {name}={text}: expected a number of {}", Element::new(kind, false)));
    Scalar::parse(kind, text).ok_or_else(wrong)
}
