//! What there is without being defined.

/// The functions that there are anyway, and how many operands they take.
const BUILTINS: [(&str, usize); 21] = [
    ("abs", 1),
    ("exp", 1),
    ("exp2", 1),
    ("log", 1),
    ("log2", 1),
    ("sqrt", 1),
    ("rsqrt", 1),
    ("sin", 1),
    ("cos", 1),
    ("tanh", 1),
    ("atan", 1),
    ("floor", 1),
    ("ceil", 1),
    ("round", 1),
    ("min", 2),
    ("max", 2),
    ("pow", 2),
    ("atan2", 2),
    ("clamp", 3),
    ("lerp", 3),
    ("extent", 2),
];

/// What goes over windows.
pub(super) const FOLDS: [&str; 4] = ["sum", "product", "min", "max"];

/// What says where in a window something is.
pub(super) const PLACES: [&str; 2] = ["argmin", "argmax"];

/// What there is beyond an edge.
pub(super) const MODES: [&str; 6] = ["clamped", "mirror", "reflect101", "wrap", "constant", "inside"];

/// What people call coordinates.
pub(super) const COORDINATES: [&str; 4] = ["x", "y", "z", "w"];

/// Image functions that there are anyway.
pub(crate) const RESAMPLERS: [&str; 2] = ["sample", "interpolate"];

/// Names that mean something in programs that do not define them: functions, windows, image functions.
pub(crate) fn builtin_names() -> impl Iterator<Item = &'static str> {
    functions().chain(FOLDS).chain(PLACES).chain(RESAMPLERS)
}

/// The names of functions of numbers.
pub(super) fn functions() -> impl Iterator<Item = &'static str> {
    BUILTINS.into_iter().map(|(name, _)| name)
}

/// How many operands the function of this name takes.
pub(super) fn operands(name: &str) -> Option<usize> {
    BUILTINS.iter().find(|(builtin, _)| *builtin == name).map(|(_, count)| *count)
}
