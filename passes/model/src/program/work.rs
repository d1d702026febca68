//! How much a point of a stage costs to compute: ops by the class that a processor's throughput is stated for.
//!
//! ```text
//! %d = arith.subf %i, %b : f32           F32 2 (subf, absf), Compare 2 (cmpf, select)
//! %a = math.absf %d : f32
//! %f = arith.cmpf olt, %a, %t : f32
//! %v = arith.select %f, %i, %s : f32
//! ```

use std::ops::{Add, Mul};

/// Ops that run at the same rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpClass {
    /// Sums, products and fused multiply-adds of f16 and bf16.
    F16,
    /// The same of f32.
    F32,
    /// The same of f64.
    F64,
    /// Sums and logic of integers of up to 32 bits.
    Int,
    /// Products of integers.
    IntMul,
    /// Shifts.
    Shift,
    /// Comparisons, selections, least and greatest.
    Compare,
    /// Conversions between types of up to 32 bits.
    Convert,
    /// Conversions from and to types of 64 bits.
    ConvertWide,
    /// Reciprocals, roots, powers of two, and their kin.
    Special,
}

/// The classes, in the order of [`Work::ops`].
pub const CLASSES: [OpClass; 10] = [
    OpClass::F16,
    OpClass::F32,
    OpClass::F64,
    OpClass::Int,
    OpClass::IntMul,
    OpClass::Shift,
    OpClass::Compare,
    OpClass::Convert,
    OpClass::ConvertWide,
    OpClass::Special,
];

/// What a point of a stage costs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Ops of each class, as instructions of a thread.
    pub ops: [f64; CLASSES.len()],
    /// Instructions of all classes that are the same for all planes ([`plane_of`](crate::plane_of)).
    pub of_all_planes: f64,
    /// Instructions as they stand, loops unrolled as far as LLVM does.
    pub code: f64,
    /// Most values that are alive at once in the body, in registers of 32 bits, loads in the order of the body.
    pub live: i64,
}

impl Work {
    /// No op at all.
    pub const NONE: Self = Self { ops: [0.0; CLASSES.len()], of_all_planes: 0.0, code: 0.0, live: 0 };

    /// Adds so many ops of a class.
    pub fn count(&mut self, class: OpClass, ops: f64) {
        self.ops[class as usize] += ops;
    }

    /// All ops.
    pub fn instructions(&self) -> f64 {
        self.ops.iter().sum()
    }

    /// Those of whole numbers, comparisons and choices, which have units of their own.
    pub fn integers(&self) -> f64 {
        [OpClass::Int, OpClass::IntMul, OpClass::Shift, OpClass::Compare]
            .map(|class| self.ops[class as usize])
            .iter()
            .sum()
    }

    /// All ops for so many planes that are computed together.
    pub fn instructions_of(&self, planes: i64) -> f64 {
        self.of_all_planes + (self.instructions() - self.of_all_planes) * planes as f64
    }
}

/// One after the other.
impl Add for Work {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        self.ops.iter_mut().zip(other.ops).for_each(|(all, more)| *all += more);
        self.of_all_planes += other.of_all_planes;
        self.code += other.code;
        self.live = self.live.max(other.live);
        self
    }
}

/// So many times.
impl Mul<f64> for Work {
    type Output = Self;
    fn mul(mut self, times: f64) -> Self {
        self.ops.iter_mut().for_each(|ops| *ops *= times);
        self.of_all_planes *= times;
        self.code *= times;
        self
    }
}
