//! A clock for PTX: how long a kernel takes on a GPU, by a model.
//!
//! The executor runs blocks and notes what each warp executed (`trace`). The kernel is lowered to machine instructions (`operands`,
//! `lower`, `rates`, `skip`) in the order in which a compiler would issue them (`live`, `schedule`, `code`); warps issue them on SMs (`sm`) that share L2
//! and memory (`memory`, `cache`), and blocks are dealt to the SMs (`gpu`). docs/clock.md has the method and how far it is off.
//!
//! The wing imports the program, its trace, and the targets of `weft_model`.

mod cache;
mod code;
mod data;
mod gpu;
mod live;
mod lower;
mod memory;
mod op;
mod operands;
mod plain;
mod rates;
mod reason;
mod report;
mod schedule;
mod settings;
mod skip;
mod sm;
mod timeline;

pub use data::follows_data;
pub(super) use gpu::{Grid, prepare};
pub use memory::Sectors;
pub use report::{Estimate, Line, Roof, Stalls};
pub use settings::{Clock, Order};
pub use timeline::Timeline;
