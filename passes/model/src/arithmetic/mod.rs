//! What stages are computed by, in the place of what they say: products for quotients, polynomials for powers, partial sums for windows.
//!
//! ```text
//! x / 255   ──▶  fma(x, near, x * far)        [`factors`]: every quotient stays what it is
//! x ^ 0.45  ──▶  1 + f (p0 + p1 f + ...)      [`power_series`]
//! 3x3       ──▶  a column times a row         [`column_times_row`]
//! 63 points ──▶  seven sums of nine           [`blocks`]
//! ```

mod division;
mod power_series;
mod windows;

pub use division::{Factors, factors, factors_of_floats};
pub use power_series::power_series;
pub use windows::{Blocks, MOST_TERMS, Weights, blocks, column_times_row};
