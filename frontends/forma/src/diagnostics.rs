//! What is wrong with a program, for a person to act on.
//!
//! ```text
//!   × unknown name "inptu"
//!    ╭─[blur.fm:9:14]
//!  9 │ temp = blurx(inptu);
//!    ·              ──┬──
//!    ·                ╰── not defined
//!    ╰────
//!   help: "input" is defined
//! ```

use crate::span::Span;
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode};
use std::fmt;

/// So many mistakes are reported; reading ends with the last of them.
pub const MOST_ERRORS: usize = 20;

macro_rules! kinds {
    ($($(#[$meta:meta])* $kind:ident,)*) => {
        /// The kinds of mistakes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Kind {
            $($(#[$meta])* $kind,)*
        }

        impl Kind {
            /// All of them, each of which has a test of its texts.
            pub const ALL: &[Self] = &[$(Self::$kind),*];
        }
    };
}

kinds! {
    /// Text that is no token.
    Token,
    /// A token where another is expected.
    Syntax,
    /// Brackets or expressions that are nested too deep, or a program that becomes too large.
    Depth,
    /// A literal that no type can hold.
    Literal,
    /// A name that is not defined.
    Unknown,
    /// A name that is defined twice.
    Twice,
    /// A name of something else: a stencil where an image is expected.
    Role,
    /// Another number of dimensions than expected.
    Rank,
    /// Another number of arguments, results or indices than expected.
    Count,
    /// Another type than expected.
    Type,
    /// A number that must be known before the program runs.
    Constant,
    /// Extents that differ, or make no image.
    Size,
    /// A boundary mode that there is not, or that stands in the wrong place.
    Boundary,
    /// A stencil, function or program without result, or something behind it.
    Return,
    /// What only the builder or the verifier finds, when calls are written out and sizes are computed: a division by an argument
    /// that is 0, say.
    Builder,
}

/// One mistake.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// What kind of mistake.
    pub kind: Kind,
    /// Where.
    pub span: Span,
    /// What was found, and what is expected.
    pub message: String,
    /// What stands under the caret.
    pub label: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    pub(crate) fn new(kind: Kind, span: Span, message: impl Into<String>) -> Self {
        Self { kind, span, message: message.into(), label: None, help: None }
    }

    pub(crate) fn label(self, label: impl Into<String>) -> Self {
        Self { label: Some(label.into()), ..self }
    }

    pub(crate) fn help(self, help: Option<String>) -> Self {
        Self { help, ..self }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// A mistake with the text that it is of, as `miette` wants it.
#[derive(Debug)]
struct Report<'a> {
    diagnostic: &'a Diagnostic,
    source: &'a NamedSource<String>,
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic.message)
    }
}

impl std::error::Error for Report<'_> {}

impl miette::Diagnostic for Report<'_> {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.diagnostic.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let Span { start, end } = self.diagnostic.span;
        let length = (end - start) as usize;
        Some(Box::new(std::iter::once(LabeledSpan::new(self.diagnostic.label.clone(), start as usize, length))))
    }
}

/// All mistakes of a program, as text for a terminal.
pub fn render(name: &str, source: &str, diagnostics: &[Diagnostic], colors: bool) -> String {
    let theme = if colors { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(120).with_links(false);
    let source = NamedSource::new(name, source.to_owned());
    let mut text = String::new();
    for diagnostic in diagnostics {
        let report = Report { diagnostic, source: &source };
        // Writing to a string does not fail.
        let _ = handler.render_report(&mut text, &report);
    }
    text
}

/// The name that is most like this one, for a hint: at most a third of the letters differ.
pub(crate) fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let most = (name.len() / 3).min(3);
    let near = names.into_iter().filter(|other| other.len().abs_diff(name.len()) <= most && *other != name);
    near.map(|other| (distance(name, other), other)).filter(|(far, _)| *far <= most).min().map(|(_, other)| other)
}

/// How many letters are changed, added, left out, or swapped with the next (optimal string alignment). Long names are cut.
fn distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|text| text.bytes().take(64).collect::<Vec<_>>());
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
