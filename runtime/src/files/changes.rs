//! What a file and the tensor that it becomes, or is written from, do not have in common: nobody has to find that out by looking.
//!
//! ```text
//! photo.jpg: EXIF orientation 6 applied; RGB to grey          out.png: 12 values clipped; 1 NaN to black
//! ```
//!
//! The scale of a picture, which its element type says, is no change, and neither is what lies between two of its levels.

use std::fmt;

use crate::buffer::Element;

/// What was changed on the way between a file and a tensor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The EXIF orientation that was applied, 2 to 8.
    pub orientation: Option<u8>,
    /// Colours before and after: `CMYK`, `RGB` or `grey`.
    pub colour: Option<(&'static str, &'static str)>,
    /// What happened to alpha.
    pub alpha: Option<Alpha>,
    /// Bits of a sample before and after. (An `f16` has 11 that count.)
    pub bits: Option<(u32, u32)>,
    /// Finite values below black or above white, which became those.
    pub clipped: usize,
    /// NaN that became black.
    pub nan: usize,
    /// Infinities that became black or white.
    pub infinite: usize,
    /// How many values of an array are others in the element type that was asked for.
    pub values: Option<(Element, Element, usize)>,
}

/// What happened to alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alpha {
    /// The file has it and the tensor has no room.
    Dropped,
    /// The tensor wants it and the file has none: all is opaque.
    Added,
}

impl Changes {
    /// Whether nothing was changed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Changes {
    /// All of them, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
        let clipped = (self.clipped > 0).then(|| count(self.clipped, "value clipped", "values clipped"));
        let nan = (self.nan > 0).then(|| format!("{} NaN to black", self.nan));
        let infinite = (self.infinite > 0).then(|| count(self.infinite, "infinity clipped", "infinities clipped"));
        let all = [
            self.orientation.map(|number| format!("EXIF orientation {number} applied")),
            self.colour.map(|(before, after)| format!("{before} to {after}")),
            self.alpha.map(|alpha| alpha.to_string()),
            self.bits.map(|(before, after)| format!("{before} bits to {after}")),
            clipped,
            nan,
            infinite,
            self.values
                .map(|(from, to, changed)| format!("{from} to {to} changes {}", count(changed, "value", "values"))),
        ];
        f.write_str(&all.into_iter().flatten().collect::<Vec<_>>().join("; "))
    }
}

impl fmt::Display for Alpha {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Alpha::Dropped => "alpha dropped",
            Alpha::Added => "opaque alpha added",
        })
    }
}
