//! Files and standard streams, as every tool and every pass reads and writes them.
//!
//! | | what goes wrong elsewhere | here |
//! | --- | --- | --- |
//! | [`bytes`], [`text`] | `/dev/zero` for an input takes all memory | a limit, and an error that says it |
//! | [`Whole`], [`write()`] | half a file looks like a result when the disk is full | a target is replaced when all of it is written |
//! | [`print()`], [`complain`] | `println!` panics when nobody can take the line | an error, which ends the tool; or silence |

mod read;
mod stream;
mod whole;

pub use read::{DATA, TEXT, bytes, limited, text, text_of};
pub use stream::{complain, end_with_reader, print};
pub use whole::{Whole, finish_all, write};
