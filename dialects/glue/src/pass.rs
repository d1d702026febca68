//! Passes as Rust types, with real MLIR options and statistics.
//!
//! A pass declares what it is called, what it can be told and what it counts; the glue makes of it a C++ pass that
//! `--help`, `--dump-pass-pipeline`, `--mlir-pass-statistics` and crash reproducers cannot tell from MLIR's own.
//!
//! ```text
//! impl Pass for Fuse { ARGUMENT = "fuse"; Options = { strategy: all|none } }   ──▶   --fuse="strategy=all"
//! ```
//!
//! A pass has no state: `run` gets the op, its options and a context, through which it also counts and reports.

use crate::{
    diagnostic::{Failure, guard},
    sinks::{Began, Sinks},
    sys::{self, GlueOption, GlueOptionKind, GluePass, GlueStatistic, string_ref},
    tool::RegistryRef,
};
use melior::{
    Context,
    ir::{OperationRef, operation::OperationLike},
};
use mlir_sys::{MlirDialectRegistry, MlirOperation};
use std::ffi::{CStr, c_void};

/// What a pass can be told. [`options!`](crate::options) writes the implementation.
pub trait Options: Sized {
    /// The declarations, in the order in which [`Options::read`] numbers them.
    fn declared() -> Vec<OptionDeclaration>;
    /// Reads the values that MLIR parsed.
    fn read(reader: &OptionReader) -> Self;
    /// The values as a pipeline's text says them.
    fn written(&self) -> Vec<String>;
    /// Sets option number `index` to what a text says, and returns whether it is a value of that option.
    fn set(&mut self, index: usize, text: &str) -> bool;
}

impl Options for () {
    fn declared() -> Vec<OptionDeclaration> {
        Vec::new()
    }
    fn read(_: &OptionReader) -> Self {}
    fn written(&self) -> Vec<String> {
        Vec::new()
    }
    fn set(&mut self, _: usize, _: &str) -> bool {
        false
    }
}

/// One option: its name, a line of help, and what it is when nothing is said.
#[derive(Debug, Clone)]
pub struct OptionDeclaration {
    /// The name before `=`.
    pub name: &'static str,
    /// A line of help.
    pub help: &'static str,
    /// Type and default.
    pub value: DeclaredValue,
}

/// The type of an option, and its default.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum DeclaredValue {
    Bool(bool),
    Int(i64),
    String(&'static str),
    /// The names to choose from, and the index of the default.
    Choice(&'static [&'static str], usize),
}

impl DeclaredValue {
    /// The default as a pipeline's text says it.
    pub fn written(&self) -> String {
        match self {
            Self::Bool(value) => value.to_string(),
            Self::Int(value) => value.to_string(),
            Self::String(value) => (*value).to_owned(),
            Self::Choice(words, default) => words[*default].to_owned(),
        }
    }

    /// What may stand in a text, in words.
    pub(crate) fn expected(&self) -> String {
        match self {
            Self::Bool(_) => "true or false".to_owned(),
            Self::Int(_) => "a whole number".to_owned(),
            Self::String(_) => "a text".to_owned(),
            Self::Choice(words, _) => format!("one of {}", words.join(", ")),
        }
    }
}

/// A Rust type that an option can have.
pub trait OptionValue: Sized {
    /// What a default is written as: `&'static str` for a `String`.
    type Default;
    /// The declaration with this default.
    fn declare(default: Self::Default) -> DeclaredValue;
    /// The value of option number `index`.
    fn read(reader: &OptionReader, index: usize) -> Self;
    /// As a pipeline's text says it.
    fn written(&self) -> String;
    /// What a text says, if it is a value of this type.
    fn parse(text: &str) -> Option<Self>;
}

/// The values of the options of one pass or pipeline, as MLIR parsed them.
pub struct OptionReader(*const c_void);

impl OptionReader {
    /// For the options that C++ lends during a callback.
    pub(crate) fn new(options: *const c_void) -> Self {
        Self(options)
    }

    /// A boolean, a number, or the index of a choice.
    pub fn int(&self, index: usize) -> i64 {
        // SAFETY: C++ keeps the options alive during the callback that this reader was made for; `Options::read` and
        // `Options::declared` come from one macro, so the index and the kind are right.
        unsafe { sys::glueOptionInt(self.0, index as isize) }
    }

    /// A string.
    pub fn string(&self, index: usize) -> String {
        // SAFETY: as in `int`; the string is copied at once.
        unsafe { sys::str_of(sys::glueOptionString(self.0, index as isize)) }.to_owned()
    }
}

impl OptionValue for bool {
    type Default = bool;
    fn declare(default: bool) -> DeclaredValue {
        DeclaredValue::Bool(default)
    }
    fn read(reader: &OptionReader, index: usize) -> Self {
        reader.int(index) != 0
    }
    fn written(&self) -> String {
        self.to_string()
    }
    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl OptionValue for i64 {
    type Default = i64;
    fn declare(default: i64) -> DeclaredValue {
        DeclaredValue::Int(default)
    }
    fn read(reader: &OptionReader, index: usize) -> Self {
        reader.int(index)
    }
    fn written(&self) -> String {
        self.to_string()
    }
    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl OptionValue for String {
    type Default = &'static str;
    fn declare(default: &'static str) -> DeclaredValue {
        DeclaredValue::String(default)
    }
    fn read(reader: &OptionReader, index: usize) -> Self {
        reader.string(index)
    }
    fn written(&self) -> String {
        self.clone()
    }
    fn parse(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

/// Declares an enum whose cases are the words that an option takes.
///
/// ```
/// mlir_glue::choice! {
///     /// Which stages share a kernel.
///     pub enum Strategy { All = "all", None = "none" }
/// }
/// ```
#[macro_export]
macro_rules! choice {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$case_meta:meta])* $case:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $name { $(#[doc = concat!("`", $word, "`")] $(#[$case_meta])* $case),+ }

        impl $name {
            /// All words.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// As an option says it.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$case => $word),+ }
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;
            fn from_str(word: &str) -> Result<Self, String> {
                match word {
                    $($word => Ok(Self::$case),)+
                    _ => Err(format!("found '{word}', expected one of {}", Self::WORDS.join(", "))),
                }
            }
        }

        impl $crate::OptionValue for $name {
            type Default = Self;
            fn declare(default: Self) -> $crate::DeclaredValue {
                $crate::DeclaredValue::Choice(Self::WORDS, default as usize)
            }
            fn read(reader: &$crate::OptionReader, index: usize) -> Self {
                [$(Self::$case),+][reader.int(index) as usize]
            }
            fn written(&self) -> String {
                self.word().to_owned()
            }
            fn parse(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        }
    };
}

/// Declares the options of a pass: a struct, and how MLIR sees it.
///
/// ```
/// mlir_glue::options! {
///     /// Options of `--tile`.
///     pub struct TileOptions {
///         width: i64 = 32, "width", "columns of a tile";
///         name: String = "t", "name", "prefix of the names of tiles";
///     }
/// }
/// ```
#[macro_export]
macro_rules! options {
    ($(#[$meta:meta])* $vis:vis struct $struct:ident {
        $($field:ident : $type:ty = $default:expr, $name:literal, $help:literal;)+
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone)]
        $vis struct $struct { $(#[doc = $help] pub $field: $type),+ }

        impl Default for $struct {
            fn default() -> Self {
                Self { $($field: ($default).into()),+ }
            }
        }

        impl $crate::Options for $struct {
            fn declared() -> Vec<$crate::OptionDeclaration> {
                vec![$($crate::OptionDeclaration {
                    name: $name,
                    help: $help,
                    value: <$type as $crate::OptionValue>::declare($default),
                }),+]
            }
            fn read(reader: &$crate::OptionReader) -> Self {
                let mut index = 0..;
                // Fields are read in the order in which they are written here, which is that of `declared`.
                Self { $($field: <$type as $crate::OptionValue>::read(reader, index.next().unwrap_or_default())),+ }
            }
            fn written(&self) -> Vec<String> {
                vec![$($crate::OptionValue::written(&self.$field)),+]
            }
            fn set(&mut self, index: usize, text: &str) -> bool {
                let setters: &[fn(&mut Self, &str) -> bool] = &[$(|options, text| {
                    $crate::OptionValue::parse(text).map(|value| options.$field = value).is_some()
                }),+];
                setters.get(index).is_some_and(|set| set(self, text))
            }
        }
    };
}

/// Something that a pass counts; shown by `--mlir-pass-statistics`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statistic {
    pub(crate) name: &'static CStr,
    pub(crate) help: &'static CStr,
}

impl Statistic {
    /// Declares a statistic, once, in `Pass::STATISTICS`.
    pub const fn new(name: &'static CStr, help: &'static CStr) -> Self {
        Self { name, help }
    }
}

/// What a running pass has at hand.
pub struct PassContext<'c> {
    context: &'c Context,
    pass: *mut c_void,
    statistics: &'static [Statistic],
    sinks: Option<&'c Sinks>,
}

impl<'c> PassContext<'c> {
    /// The MLIR context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// Adds to a statistic that the pass declared.
    pub fn count(&self, statistic: Statistic, count: usize) {
        let index = self.statistics.iter().position(|declared| *declared == statistic);
        debug_assert!(index.is_some(), "{:?} is not among the pass's STATISTICS", statistic.name);
        if let Some(index) = index {
            // SAFETY: `pass` is the C++ pass that is running, and the index is one of its statistics.
            unsafe { sys::glueAddStatistic(self.pass, index as isize, count as i64) };
        }
    }

    /// Whether whoever runs the pass collects reports of this type, for passes that are to make none in vain.
    pub fn wants<R: Send + 'static>(&self) -> bool {
        self.sinks.is_some_and(|sinks| sinks.sender::<R>().is_some())
    }

    /// Sends a report to whoever collects those of its type.
    pub fn report<R: Send + 'static>(&self, report: R) {
        if let Some(sinks) = self.sinks {
            sinks.send(report);
        }
    }
}

/// A pass.
pub trait Pass: 'static {
    /// What it is called on the command line and in pipelines.
    const ARGUMENT: &'static str;
    /// One line.
    const SUMMARY: &'static str;
    /// Some paragraphs of Markdown for the reference.
    const DESCRIPTION: &'static str = "";
    /// The op that it runs on; `""` for any.
    const ANCHOR: &'static str = "builtin.module";
    /// What it counts.
    const STATISTICS: &'static [Statistic] = &[];
    /// What it can be told.
    type Options: Options;

    /// Registers the dialects whose ops the pass creates, so that they are loaded before any pass runs.
    fn dialects(_registry: RegistryRef) {}

    /// Rewrites `op`. On failure the errors are emitted and the pipeline stops.
    fn run<'c>(op: OperationRef<'c, '_>, options: &Self::Options, cx: &PassContext<'c>) -> Result<(), Failure<'c>>;
}

impl OptionDeclaration {
    /// The line of help, with what there is to choose from.
    pub(crate) fn help_text(&self) -> String {
        match &self.value {
            DeclaredValue::Choice(words, _) => format!("{} ({})", self.help, words.join(", ")),
            _ => self.help.to_owned(),
        }
    }
}

/// Gives `values` to C++ for as long as the process lives: registrations are never taken back.
fn leak<T: 'static>(values: Vec<T>) -> (*const T, isize) {
    let values: &'static [T] = values.leak();
    (values.as_ptr(), values.len() as isize)
}

pub(crate) fn declare(options: Vec<OptionDeclaration>) -> (*const GlueOption, isize) {
    let declared = options.into_iter().map(|option| {
        let help: &'static str = option.help_text().leak();
        let mut declared = GlueOption {
            kind: GlueOptionKind::Bool,
            name: string_ref(option.name),
            help: string_ref(help),
            default_int: 0,
            default_string: string_ref(""),
            choices: std::ptr::null(),
            n_choices: 0,
        };
        match option.value {
            DeclaredValue::Bool(value) => declared.default_int = value.into(),
            DeclaredValue::Int(value) => (declared.kind, declared.default_int) = (GlueOptionKind::Int, value),
            DeclaredValue::String(value) => {
                (declared.kind, declared.default_string) = (GlueOptionKind::String, string_ref(value));
            }
            DeclaredValue::Choice(words, default) => {
                (declared.kind, declared.default_string) = (GlueOptionKind::Choice, string_ref(words[default]));
                (declared.choices, declared.n_choices) = leak(words.iter().map(|word| string_ref(word)).collect());
            }
        }
        declared
    });
    leak(declared.collect())
}

pub(crate) fn register_pass<P: Pass>() {
    let (options, n_options) = declare(P::Options::declared());
    let (statistics, n_statistics) =
        leak(P::STATISTICS.iter().map(|s| GlueStatistic { name: s.name.as_ptr(), help: s.help.as_ptr() }).collect());
    let pass = Box::leak(Box::new(GluePass {
        this: std::ptr::null(),
        argument: string_ref(P::ARGUMENT),
        summary: string_ref(P::SUMMARY),
        anchor: string_ref(P::ANCHOR),
        dialects: register_dialects::<P>,
        options,
        n_options,
        statistics,
        n_statistics,
        run: run_pass::<P>,
    }));
    // SAFETY: the descriptor and all that it points to are leaked, so they outlive the registry.
    unsafe { sys::glueRegisterPass(pass) };
}

unsafe extern "C" fn register_dialects<P: Pass>(registry: MlirDialectRegistry) {
    // SAFETY: C++ lends the registry for the duration of this call.
    P::dialects(unsafe { RegistryRef::from_raw(registry) });
}

unsafe extern "C" fn run_pass<P: Pass>(
    _: *const c_void,
    op: MlirOperation,
    pass: *mut c_void,
    options: *const c_void,
    sinks: *const c_void,
) -> bool {
    // SAFETY: C++ runs this with the op that the pass is anchored on.
    let op = unsafe { OperationRef::from_raw(op) };
    let context = op.context();
    // SAFETY: melior's `&Context` points to the handle, not to the context; the handle lives to the end of this function,
    // and what `run` can keep of it ends before.
    let context = unsafe { context.to_ref() };
    // SAFETY: C++ has the pointer of the caller of the run, which holds the sinks until the run is over, or a null pointer.
    let sinks = unsafe { sinks.cast::<Sinks>().as_ref() };
    let cx = PassContext { context, pass, statistics: P::STATISTICS, sinks };
    cx.report(Began(P::ARGUMENT));
    guard(op, || P::run(op, &P::Options::read(&OptionReader(options)), &cx))
}
