//! The IR itself: where ops go and what they are made of, indices as affine maps, numbers that are known now or at run time,
//! questions about an op or a value, the shape of a program. Knows the dialects, and no pass. Imports nothing else of this crate.

mod affine;
mod builder;
mod element;
pub mod location;
mod number;
mod ops;
pub mod program;
mod query;
mod table;
mod tidy;

pub use affine::{affine_map, expressions};
pub use builder::{Builder, Compare, Key, block_of, is_made_once, key, one_block, only_block, remap};
pub use element::{
    bits_of_element, bytes_of_element, element_of, element_of_vector, lanes_and_bits, lanes_of_vector, widest,
    widest_bytes, width_of_integer,
};
pub use number::{Emit, Number, apply, count, numbers, parts, product, range_extent, same};
pub use ops::{Axis, FloatCompare, allocate, block_id, compare_floats, grid_dim, thread_id, zero};
pub use query::{
    Division, Kind, TakenNames, beside, brought_between, constant_bool, constant_float, constant_index, constant_of,
    depends_on, dim_of, division_of, is, is_bound, is_inside, is_outermost_parallel, may_trap, memory_of, remainder,
    result_number, shape_of, symbol, symbol_like,
};
pub use table::{
    floats_of_table, get_global, is_table, loads_of_table, make_global, number_in_global, table_bytes, table_extents,
    table_name, table_of,
};
pub use tidy::{eliminate_common, erase_unused, tidy};
