//! What the functions are made of, for one type of floats.

/// Constants, rounded to the float type; where there are several, their sum is the constant.
pub(super) struct Table {
    pub(super) ln2: [f64; 2],
    /// The first part has so few digits that its product with an exponent is exact.
    pub(super) ln2_short: [f64; 2],
    pub(super) log2_e: [f64; 2],
    pub(super) log10_2: [f64; 2],
    pub(super) log10_e: [f64; 2],
    pub(super) half_pi: [f64; 3],
    pub(super) third: [f64; 2],
    pub(super) two_over_pi: f64,
    pub(super) sqrt_half: f64,
    pub(super) two_thirds: f64,
    pub(super) exp: &'static [f64],
    pub(super) exp2: &'static [f64],
    pub(super) log1p: &'static [f64],
    pub(super) atanh: &'static [f64],
    pub(super) tanh: &'static [f64],
    pub(super) sin: &'static [f64],
    pub(super) cos: &'static [f64],
    pub(super) atan: &'static [f64],
    pub(super) asin: &'static [f64],
    pub(super) cbrt: &'static [f64],
    pub(super) digits: &'static [i64],
}
