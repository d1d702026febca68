//! Names that are made here.

use crate::{check::builtin_names, lexer::is_name};
use std::collections::HashSet;

/// Names of coordinates, x first.
pub(super) const COORDINATES: [&str; 4] = ["x", "y", "z", "w"];

/// What a name that is made here had better not be: it would hide a coordinate or a builtin function. Words of the language are
/// no names, as [`is_name`] says.
pub(super) fn avoided() -> HashSet<String> {
    COORDINATES.into_iter().chain(builtin_names()).map(str::to_owned).collect()
}

/// A name like this one that nothing has yet; numbers that are added begin with `number`.
pub(super) fn unused(names: &mut HashSet<String>, wanted: &str, mut number: usize) -> String {
    let mut name = wanted.to_owned();
    while !is_name(&name) || !names.insert(name.clone()) {
        name = format!("{wanted}_{number}");
        number += 1;
    }
    name
}

/// A name of a body.
pub(super) fn local(names: &mut HashSet<String>, wanted: &str) -> String {
    unused(names, wanted, 0)
}
