//! Pipelines as lists of passes with typed options, and as the text that MLIR parses. A named one is a function from options to such a
//! list.
//!
//! ```text
//! Step::of::<Tile>(TileOptions { width: 64, .. })                        tile{width=64},
//! Step::upstream("cse")                               ──text──▶          cse,
//! Step::nested("func.func", [Step::upstream("lower-affine")])            func.func(lower-affine)
//! ```
//!
//! An option says what differs from its default. What it says stays in it: a value is quoted where it needs to be, and one that the
//! text of a pipeline cannot hold is an error.

use crate::{
    diagnostic::one_of,
    pass::{DeclaredValue, OptionReader, Options, Pass, declare},
    sys::{self, GluePipeline, string_ref},
};
use std::{
    ffi::c_void,
    fmt::{self, Display},
};

/// A pipeline of passes under a name.
pub trait Pipeline: 'static {
    /// What it is called on the command line.
    const ARGUMENT: &'static str;
    /// One line.
    const SUMMARY: &'static str;
    /// Some paragraphs of Markdown for the reference.
    const DESCRIPTION: &'static str = "";
    /// What it can be told.
    type Options: Options;

    /// The passes.
    ///
    /// # Errors
    ///
    /// A message on what is wrong with the options.
    fn expand(options: &Self::Options) -> Result<Vec<Step>, String>;
}

/// A step of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A pass, or a named pipeline.
    Pass {
        /// What it is called in pipelines.
        argument: &'static str,
        /// Options with their values.
        options: Vec<(&'static str, String)>,
    },
    /// Passes on the ops of a name, each by itself.
    Nested {
        /// The name of the ops.
        anchor: &'static str,
        /// The passes.
        steps: Vec<Step>,
    },
}

impl Step {
    /// A pass from Rust.
    pub fn of<P: Pass>(options: P::Options) -> Self {
        Self::Pass { argument: P::ARGUMENT, options: written(&options) }
    }

    /// A named pipeline from Rust.
    pub fn pipeline<P: Pipeline>(options: &P::Options) -> Self {
        Self::Pass { argument: P::ARGUMENT, options: written(options) }
    }

    /// A pass of MLIR's own, as it is by default.
    pub fn upstream(argument: &'static str) -> Self {
        Self::Pass { argument, options: Vec::new() }
    }

    /// A pass of MLIR's own with options.
    pub fn upstream_with(argument: &'static str, options: impl Into<Vec<(&'static str, String)>>) -> Self {
        Self::Pass { argument, options: options.into() }
    }

    /// Passes on the ops of a name.
    pub fn nested(anchor: &'static str, steps: impl Into<Vec<Step>>) -> Self {
        Self::Nested { anchor, steps: steps.into() }
    }

    /// The arguments of the passes in it, in order.
    pub fn arguments(&self) -> Vec<&'static str> {
        match self {
            Self::Pass { argument, .. } => vec![argument],
            Self::Nested { steps, .. } => steps.iter().flat_map(Self::arguments).collect(),
        }
    }

    fn write(&self, text: &mut String) -> Result<(), Unwritable> {
        match self {
            Self::Pass { argument, options } => {
                text.push_str(argument);
                for (index, (name, value)) in options.iter().enumerate() {
                    let Some(value) = quoted(value) else {
                        return Err(Unwritable { pass: argument, option: name, value: value.clone() });
                    };
                    text.push(if index == 0 { '{' } else { ' ' });
                    text.push_str(&format!("{name}={value}"));
                }
                text.push_str(if options.is_empty() { "" } else { "}" });
            }
            Self::Nested { anchor, steps } => {
                text.push_str(anchor);
                text.push('(');
                write_all(steps, text)?;
                text.push(')');
            }
        }
        Ok(())
    }
}

fn write_all(steps: &[Step], text: &mut String) -> Result<(), Unwritable> {
    for (index, step) in steps.iter().enumerate() {
        text.push_str(if index == 0 { "" } else { "," });
        step.write(text)?;
    }
    Ok(())
}

/// The text of a pipeline, as MLIR parses it, without `builtin.module(...)` around it.
///
/// # Errors
///
/// A value that no text of a pipeline can hold.
pub fn pipeline_text(steps: &[Step]) -> Result<String, Unwritable> {
    let mut text = String::new();
    write_all(steps, &mut text)?;
    Ok(text)
}

/// The value of an option that the text of a pipeline cannot hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unwritable {
    pass: &'static str,
    option: &'static str,
    value: String,
}

impl Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { pass, option, value } = self;
        write!(
            f,
            "option '{option}' of '{pass}' is '{value}', expected a value that the text of a pipeline can hold: quotes and brackets \
             in pairs, no quotes around it, no spaces at its ends"
        )
    }
}

impl std::error::Error for Unwritable {}

impl From<Unwritable> for String {
    fn from(error: Unwritable) -> Self {
        error.to_string()
    }
}

/// A value as a pipeline's text has it, which is also how MLIR prints it: in braces if it has anything at which the parser would
/// stop, skip or strip. Within braces MLIR's parser takes quotes and brackets of all kinds as nested.
fn quoted(value: &str) -> Option<String> {
    let is_special = |letter: char| " '\"{}()[]".contains(letter) || letter.is_control();
    if !value.contains(is_special) {
        return Some(value.to_owned());
    }
    // MLIR strips a pair of quotes when it reads back what it has printed.
    let is_in_quotes = ['\'', '"'].iter().any(|quote| value.starts_with(*quote) && value.ends_with(*quote));
    if value.trim() != value || value.contains(char::is_control) || is_in_quotes || !is_nested(value) {
        return None;
    }
    Some(format!("{{{value}}}"))
}

/// Whether quotes and brackets are in pairs, one within the other.
fn is_nested(value: &str) -> bool {
    let mut open = Vec::new();
    for letter in value.chars() {
        match letter {
            '{' => open.push('}'),
            '(' => open.push(')'),
            '[' => open.push(']'),
            _ if open.last() == Some(&letter) => drop(open.pop()),
            '\'' | '"' => open.push(letter),
            '}' | ')' | ']' => return false,
            _ => (),
        }
    }
    open.is_empty()
}

/// The options that differ from their defaults.
fn written<O: Options>(options: &O) -> Vec<(&'static str, String)> {
    let pairs = O::declared().into_iter().zip(options.written());
    pairs
        .filter(|(option, value)| option.value.written() != *value)
        .map(|(option, value)| (option.name, value))
        .collect()
}

/// Options with those that a text names, as a user writes them: `strategy=none size=640x480`.
///
/// # Errors
///
/// An option that there is not, a value that it cannot have.
pub fn with_options<O: Options>(mut options: O, text: &str) -> Result<O, String> {
    let declared = O::declared();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (word, behind) = rest.split_at(end_of_word(rest));
        rest = behind.trim_start();
        let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(unquoted(value))));
        let Some(index) = declared.iter().position(|option| option.name == name) else {
            let names: Vec<&str> = declared.iter().map(|option| option.name).collect();
            return Err(format!("no such option {name}, expected {}", one_of(&names)));
        };
        let value = match (value, &declared[index].value) {
            (Some(value), _) => value,
            (None, DeclaredValue::Bool(_)) => "true",
            (None, _) => return Err(format!("option '{name}' has no value, expected {name}=VALUE")),
        };
        if !options.set(index, value) {
            return Err(format!("option '{name}' is '{value}', expected {}", declared[index].value.expected()));
        }
    }
    Ok(options)
}

/// Where the first word ends: at a space that is in no quotes or braces.
fn end_of_word(text: &str) -> usize {
    let mut quote = None;
    let mut braces = 0_usize;
    for (place, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), _) => quote = (letter != open).then_some(open),
            (None, '\'' | '"') => quote = Some(letter),
            (None, '{') => braces += 1,
            (None, '}') => braces = braces.saturating_sub(1),
            (None, letter) if letter.is_whitespace() && braces == 0 => return place,
            _ => (),
        }
    }
    text.len()
}

/// A value without the quotes, or the one pair of braces, around it.
fn unquoted(value: &str) -> &str {
    let inner = |open: char, close: char| value.strip_prefix(open)?.strip_suffix(close).map(str::trim);
    let in_braces = || inner('{', '}').filter(|inner| is_nested(inner));
    inner('\'', '\'').or_else(|| inner('"', '"')).or_else(in_braces).unwrap_or(value)
}

pub(crate) fn register_pipeline<P: Pipeline>() {
    let (options, n_options) = declare(P::Options::declared());
    let pipeline = Box::leak(Box::new(GluePipeline {
        this: std::ptr::null(),
        argument: string_ref(P::ARGUMENT),
        summary: string_ref(P::SUMMARY),
        options,
        n_options,
        expand: expand::<P>,
    }));
    // SAFETY: the descriptor and all that it points to are leaked, so they outlive the registry.
    unsafe { sys::glueRegisterPipeline(pipeline) };
}

unsafe extern "C" fn expand<P: Pipeline>(
    _: *const c_void,
    options: *const c_void,
    sink: sys::Sink,
    data: *mut c_void,
) -> bool {
    let steps = P::expand(&P::Options::read(&OptionReader::new(options)));
    let expanded = steps.and_then(|steps| Ok(pipeline_text(&steps)?));
    let (Ok(text) | Err(text)) = &expanded;
    if let Some(sink) = sink {
        // SAFETY: `sink` and `data` are C++'s; it copies the text before it returns.
        unsafe { sink(string_ref(text), data) };
    }
    expanded.is_ok()
}
