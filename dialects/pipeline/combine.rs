//! The ops that a scatter may join values with: the associative ones.

/// An op of `arith` that is associative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Combine {
    Addf,
    Mulf,
    Minimumf,
    Maximumf,
    Minnumf,
    Maxnumf,
    Addi,
    Muli,
    Minsi,
    Maxsi,
    Minui,
    Maxui,
    Andi,
    Ori,
    Xori,
}

impl Combine {
    /// All of them, those of floats first.
    pub const ALL: [Self; 15] = [
        Self::Addf,
        Self::Mulf,
        Self::Minimumf,
        Self::Maximumf,
        Self::Minnumf,
        Self::Maxnumf,
        Self::Addi,
        Self::Muli,
        Self::Minsi,
        Self::Maxsi,
        Self::Minui,
        Self::Maxui,
        Self::Andi,
        Self::Ori,
        Self::Xori,
    ];

    /// The one of this name.
    pub fn named(op: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|combine| combine.name() == op)
    }

    /// The name of the op.
    pub fn name(self) -> &'static str {
        match self {
            Self::Addf => "arith.addf",
            Self::Mulf => "arith.mulf",
            Self::Minimumf => "arith.minimumf",
            Self::Maximumf => "arith.maximumf",
            Self::Minnumf => "arith.minnumf",
            Self::Maxnumf => "arith.maxnumf",
            Self::Addi => "arith.addi",
            Self::Muli => "arith.muli",
            Self::Minsi => "arith.minsi",
            Self::Maxsi => "arith.maxsi",
            Self::Minui => "arith.minui",
            Self::Maxui => "arith.maxui",
            Self::Andi => "arith.andi",
            Self::Ori => "arith.ori",
            Self::Xori => "arith.xori",
        }
    }

    /// Whether it joins floats; else it joins integers.
    pub fn is_of_floats(self) -> bool {
        matches!(self, Self::Addf | Self::Mulf | Self::Minimumf | Self::Maximumf | Self::Minnumf | Self::Maxnumf)
    }
}
