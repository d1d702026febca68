//! GPUs as data: what cost models, tile search and [`occupancy`](crate::occupancy()) ask of a machine.
//!
//! A target is a TOML file. Those of `targets` are built in; a user's own may start from one of them:
//!
//! ```toml
//! inherits = "h200"
//! name = "my-h200"
//! bandwidth = 4300.0        # what a copy reaches
//! [weights]
//! w3 = 67.0
//! ```
//!
//! `gtx1080ti-pact20` and `v100-pact20` are Tables 1 and 3 of the PolyMage-GPU paper word for word, so that its choices can be
//! repeated; the others have CUDA's own limits. Every group of numbers has an `origin` that says where they come from.

use super::timing::Timing;
use crate::program::{CLASSES, OpClass, Work};
use serde::{Deserialize, Serialize};
use std::fmt;
use toml::{Table, Value};

/// Shared memory that a kernel may have on any GPU without asking for more, in bytes.
pub const MAX_SHARED: i64 = 48 * 1024;

/// Threads that a block may have on any GPU.
pub const MAX_THREADS: i64 = 1024;

/// Warps that a block may have on any GPU.
pub const MAX_WARPS: i64 = MAX_THREADS / 32;

/// Registers that kernels are compiled for where a schedule says how many blocks are wanted: those of an SM.
pub(super) const SM_REGISTERS: i64 = 65536;

/// And those that a thread may have.
pub(super) const MAX_REGISTERS: i64 = 255;

/// A GPU: its limits, its speed, and the weights of the cost function on it. Names in brackets are those of Table 1 of the
/// PolyMage-GPU paper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// What `inherits` and users call it.
    pub name: String,
    /// Where the limits come from.
    pub origin: String,
    /// The compute capability, which says what to compile for.
    pub capability: Capability,
    /// Streaming multiprocessors (NSMs).
    pub sms: u64,
    /// Lanes of an SM that do `f32` arithmetic (CoresPerSM).
    pub cores_per_sm: u64,
    /// Boost clock of the SMs, in GHz.
    pub clock: f64,
    /// Peak bandwidth of global memory, in GB/s of 10^9 bytes (GlMemBW).
    pub bandwidth: f64,
    /// L2 cache, in bytes.
    pub l2: u64,

    /// Shared memory that a block may have declared statically, as our kernels do, in bytes.
    pub shared_per_block: u64,
    /// Shared memory that a block may have at most, asked for at launch, in bytes (MaxShMemPerTb).
    pub shared_per_block_opt_in: u64,
    /// Shared memory of an SM where L1 leaves it the most, in bytes (ShMemPerSM).
    pub shared_per_sm: u64,
    /// Shared memory that the system takes for each block, in bytes.
    pub shared_reserved: u64,
    /// Shared memory is given out in multiples of this many bytes.
    pub shared_granularity: u64,

    /// Threads of a warp (WarpSize).
    pub warp_size: u64,
    /// Warps that an SM holds (MaxWarpPerSM).
    pub warps_per_sm: u64,
    /// Blocks that an SM holds (MaxTbPerSM).
    pub blocks_per_sm: u64,
    /// Threads that a block may have.
    pub threads_per_block: u64,
    /// Partitions of an SM. Each has its share of the registers, and warps are dealt to them in turn.
    pub warp_granularity: u64,
    /// 32-bit registers of an SM (RegPerSM).
    pub registers_per_sm: u64,
    /// 32-bit registers that a block may have.
    pub registers_per_block: u64,
    /// 32-bit registers that a thread may have (MaxRegPerTh).
    pub registers_per_thread: u64,
    /// Registers are given to a warp in multiples of this many.
    pub register_unit: u64,
    /// Bytes of a transaction of global memory: through L2 only, through L1 (GlMemTxSz).
    pub transactions: [u64; 2],

    /// Weights of the cost function.
    pub weights: Weights,
    /// How many results of each kind of instruction an SM delivers.
    pub throughput: Throughput,
    /// Latencies, caches and channels: what the timing model asks.
    pub timing: Timing,
}

/// The weights of Algorithm 2 of the PolyMage-GPU paper (line 35).
///
/// The paper finds them by experiment, for two GPUs (Table 3). Only two weights differ between them, and both follow the machine:
///
/// ```text
///                        GTX 1080Ti    Tesla V100
/// w3                         45            60        ratio 1.333
/// balance, B/(lane cycle)   0.0854        0.1146     ratio 1.343       balance = bandwidth / (SMs x lanes x clock)
/// w4                         20            10
/// MaxShMemPerTb, KiB         48            96        product 960 of both
/// ```
///
/// So for newer GPUs `w3 = 60 x balance / 0.1146` and `w4 = 960 KiB / shared_per_block_opt_in`, each to one decimal; the others
/// are kept. A test computes them again. Two points fit many rules: replace this one where times are at hand. `w8` is 0 for the
/// paper's own targets, and 50 for the others: a cycle of an SM costs as much as a transaction, which takes L1 about one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// Where the weights come from.
    pub origin: String,
    /// Of the transactions of global memory.
    pub w1: f64,
    /// Of the part of the warps that do not fit, `1 - occupancy`.
    pub w2: f64,
    /// Of the time in memory over the time in computation.
    pub w3: f64,
    /// Of the part of the shared memory that no block has.
    pub w4: f64,
    /// Of the part of the registers that no thread has.
    pub w5: f64,
    /// Of the part of the points that are computed more than once.
    pub w6: f64,
    /// Of the blocks that are left over when all SMs were full.
    pub w7: f64,
    /// Of the cycles of an SM for 32 points, which the paper does not have: see [`cost`](super::cost()).
    pub w8: f64,
}

/// Results in a cycle of an SM, by kind of instruction: 32 is one instruction of a warp each cycle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Throughput {
    /// Where the numbers come from.
    pub origin: String,
    /// Instructions of any kind that the schedulers issue, counted in lanes: what bounds a mix of kinds.
    pub issue: f64,
    /// `f32`: add, multiply, fused multiply-add.
    pub f32: f64,
    /// `f64`: add, multiply, fused multiply-add.
    pub f64: f64,
    /// `f16`: add, multiply, fused multiply-add, in pairs (`f16x2`); one at a time is half of it.
    pub f16: f64,
    /// `i32`: add, subtract, and, or, xor.
    pub i32: f64,
    /// `i32`: multiply, multiply-add.
    pub i32_mul: f64,
    /// `i32`: shifts.
    pub shift: f64,
    /// Comparison, minimum, maximum, select, of 32 bits.
    pub compare: f64,
    /// Conversions from and to types of 64 bits.
    pub convert64: f64,
    /// Conversions between smaller types.
    pub convert: f64,
    /// `f32`: approximate reciprocal, reciprocal square root, base-2 logarithm and power, sine, cosine.
    pub special: f64,
    /// Shuffles between the lanes of a warp.
    pub shuffle: f64,
    /// Accesses of shared memory, 32 bits each, free of bank conflicts.
    pub shared: f64,
    /// Loads and stores of global memory that an SM can ask for; what memory delivers is [`Target::bandwidth`].
    pub global: f64,
}

impl Throughput {
    /// Results in a cycle of an SM, of ops of a class.
    pub fn of(&self, class: OpClass) -> f64 {
        match class {
            OpClass::F16 => self.f16,
            OpClass::F32 => self.f32,
            OpClass::F64 => self.f64,
            OpClass::Int => self.i32,
            OpClass::IntMul => self.i32_mul,
            OpClass::Shift => self.shift,
            OpClass::Compare => self.compare,
            OpClass::Convert => self.convert,
            OpClass::ConvertWide => self.convert64,
            OpClass::Special => self.special,
        }
    }
}

/// A compute capability, such as 9.0. In files it is text, for 9.10 is not 9.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Capability {
    /// The generation.
    pub major: u32,
    /// The variant.
    pub minor: u32,
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl From<Capability> for String {
    fn from(capability: Capability) -> Self {
        capability.to_string()
    }
}

impl TryFrom<String> for Capability {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let parts = text.split_once('.').and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
        let (major, minor) =
            parts.ok_or_else(|| format!("invalid compute capability \"{text}\", expected text such as \"9.0\""))?;
        Ok(Self { major, minor })
    }
}

/// Why there is no such target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// No built-in target has this name.
    #[error("unknown target `{name}`{}; there are {}", meant(*.nearest), Target::names().collect::<Vec<_>>().join(", "))]
    Unknown {
        /// The name asked for.
        name: String,
        /// The built-in name that looks most like it.
        nearest: Option<&'static str>,
    },
    /// A file is not TOML, or its keys are not those of a target.
    #[error("target file: {0}")]
    File(String),
    /// A key has a value that it cannot have.
    #[error("target file: `{key}` is {found}, expected {expected}")]
    Key {
        /// The key, with those of its tables.
        key: String,
        /// Its value.
        found: String,
        /// What it may be.
        expected: String,
    },
    /// Not the name of a chip.
    #[error("unknown chip `{0}`, expected sm_ and a number, such as sm_90")]
    Chip(String),
}

fn meant(nearest: Option<&str>) -> String {
    nearest.map(|name| format!(", did you mean `{name}`?")).unwrap_or_default()
}

macro_rules! built_in {
    ($($name:literal),*) => { &[$(($name, include_str!(concat!("targets/", $name, ".toml")))),*] };
}

/// Names and texts of the built-in targets.
const FILES: &[(&str, &str)] =
    built_in!["gtx1080ti", "gtx1080ti-pact20", "v100", "v100-pact20", "xavier", "rtx2080ti", "a100", "h100", "h200"];

/// The target that stands for a compute capability and for those up to the next row.
const OF_CHIPS: [(Capability, &str); 6] = [
    (Capability { major: 6, minor: 1 }, "gtx1080ti"),
    (Capability { major: 7, minor: 0 }, "v100"),
    (Capability { major: 7, minor: 2 }, "xavier"),
    (Capability { major: 7, minor: 5 }, "rtx2080ti"),
    (Capability { major: 8, minor: 0 }, "a100"),
    (Capability { major: 9, minor: 0 }, "h200"),
];

impl Target {
    /// The cycles that an SM's lanes take for work, were it the only thing that they do.
    pub fn cycles(&self, work: &Work) -> f64 {
        CLASSES.iter().map(|class| work.ops[*class as usize] / self.throughput.of(*class)).sum()
    }

    /// The names of the built-in targets.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FILES.iter().map(|(name, _)| *name)
    }

    /// A built-in target.
    pub fn named(name: &str) -> Result<Self, TargetError> {
        Self::from_toml(text_of(name)?)
    }

    /// The target that stands for a chip, such as `sm_90` or `sm_90a`: that of the nearest compute capability that is not
    /// higher, or the oldest.
    pub fn for_chip(chip: &str) -> Result<Self, TargetError> {
        let number = chip.strip_prefix("sm_").map(|rest| rest.strip_suffix(['a', 'f']).unwrap_or(rest));
        let number: u32 = number
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))
            .and_then(|digits| digits.parse().ok())
            .ok_or_else(|| TargetError::Chip(chip.into()))?;
        let capability = Capability { major: number / 10, minor: number % 10 };
        let (_, name) = OF_CHIPS.iter().rfind(|(own, _)| *own <= capability).unwrap_or(&OF_CHIPS[0]);
        Self::named(name)
    }

    /// A target from the text of a file. `inherits = "NAME"` takes a built-in target's value for each key that the file lacks,
    /// except its name.
    pub fn from_toml(text: &str) -> Result<Self, TargetError> {
        let table = resolve(text)?;
        check_numbers(&table, "")?;
        let target: Self = table.try_into().map_err(|error: toml::de::Error| TargetError::File(one_line(&error)))?;
        target.check_order()?;
        Ok(target)
    }

    /// What to compile for, such as `sm_90`.
    pub fn chip(&self) -> String {
        format!("sm_{}{}", self.capability.major, self.capability.minor)
    }

    /// Bytes that memory brings while a lane computes for one cycle: `bandwidth / (sms * cores_per_sm * clock)`.
    pub fn balance(&self) -> f64 {
        self.bandwidth / ((self.sms * self.cores_per_sm) as f64 * self.clock)
    }

    /// Shared memory that a block of one of our kernels may have, in bytes.
    pub fn most_shared(&self) -> i64 {
        MAX_SHARED.min(self.shared_per_block as i64)
    }

    /// Limits of a part are not above those of the whole.
    fn check_order(&self) -> Result<(), TargetError> {
        let opt_in = self.shared_per_sm.saturating_sub(self.shared_reserved);
        let threads = self.warps_per_sm * self.warp_size;
        let most = |key: &str, found: u64, most: u64, what: &str| match found <= most {
            true => Ok(()),
            false => Err(wrong(key, found, format!("at most {what}, which is {most}"))),
        };
        most("shared_per_block", self.shared_per_block, self.shared_per_block_opt_in, "shared_per_block_opt_in")?;
        most("shared_per_block_opt_in", self.shared_per_block_opt_in, opt_in, "shared_per_sm - shared_reserved")?;
        most("threads_per_block", self.threads_per_block, threads, "warps_per_sm * warp_size")?;
        most("registers_per_block", self.registers_per_block, self.registers_per_sm, "registers_per_sm")?;
        most("transactions[0]", self.transactions[0], self.transactions[1], "transactions[1]")?;
        let timing = &self.timing;
        if timing.l1_is_shared {
            most("shared_per_sm", self.shared_per_sm, timing.l1, "timing.l1")?;
        }
        most("timing.l1_latency", timing.l1_latency, timing.l2_latency, "timing.l2_latency")?;
        most("timing.l2_latency", timing.l2_latency, timing.dram_latency, "timing.dram_latency")?;
        match timing.dram_efficiency <= 1.0 {
            true => Ok(()),
            false => Err(wrong("timing.dram_efficiency", timing.dram_efficiency, "at most 1")),
        }
    }
}

fn text_of(name: &str) -> Result<&'static str, TargetError> {
    if let Some((_, text)) = FILES.iter().find(|(own, _)| *own == name) {
        return Ok(text);
    }
    let lower = name.to_lowercase();
    let far = |known: &str| strsim::damerau_levenshtein(known, &lower);
    // Farther than this it is another word.
    let nearest = Target::names().min_by_key(|known| far(known)).filter(|known| far(known) <= 3.min(lower.len() / 2));
    Err(TargetError::Unknown { name: name.into(), nearest })
}

/// The keys of a file, with those that it inherits.
fn resolve(text: &str) -> Result<Table, TargetError> {
    let mut own: Table =
        toml::from_str(text).map_err(|error| TargetError::File(error.to_string().trim_end().into()))?;
    let Some(base) = own.remove("inherits") else { return Ok(own) };
    let Value::String(base) = base else {
        return Err(wrong("inherits", base, "the name of a built-in target, as text"));
    };
    let mut table = resolve(text_of(&base)?)?;
    table.remove("name");
    let name = own.get("name").and_then(Value::as_str).unwrap_or("this file").to_string();
    replace(&mut table, own, &name);
    Ok(table)
}

/// Puts `own` over `table`. Where numbers change, their origin must not stay.
fn replace(table: &mut Table, own: Table, name: &str) {
    if let Some(Value::String(origin)) = table.get_mut("origin") {
        *origin = format!("{origin}; changed by {name}");
    }
    for (key, value) in own {
        match (table.get_mut(&key), value) {
            (Some(Value::Table(inner)), Value::Table(own)) => replace(inner, own, name),
            (_, value) => _ = table.insert(key, value),
        }
    }
}

/// Every number is finite and positive, and small enough that products of a few do not overflow.
fn check_numbers(table: &Table, path: &str) -> Result<(), TargetError> {
    table.iter().try_for_each(|(key, value)| check_number(&format!("{path}{key}"), value))
}

fn check_number(key: &str, value: &Value) -> Result<(), TargetError> {
    let zero = key == "shared_reserved" || key.starts_with("weights.") || matches!(key, "timing.launch" | "timing.gap");
    let most = if key == "l2" { 1 << 40 } else { 1 << 20 };
    let least = if zero { "not negative" } else { "positive" };
    match value {
        Value::Integer(n) if *n < 0 || (*n == 0 && !zero) || *n > most => {
            Err(wrong(key, value, format!("a number that is {least} and at most {most}")))
        }
        Value::Float(x) if !x.is_finite() || *x < 0.0 || (*x == 0.0 && !zero) => {
            Err(wrong(key, value, format!("a number that is {least} and finite")))
        }
        Value::Array(values) => {
            values.iter().enumerate().try_for_each(|(i, value)| check_number(&format!("{key}[{i}]"), value))
        }
        Value::Table(inner) => check_numbers(inner, &format!("{key}.")),
        _ => Ok(()),
    }
}

fn wrong(key: &str, found: impl ToString, expected: impl Into<String>) -> TargetError {
    TargetError::Key { key: key.into(), found: found.to_string(), expected: expected.into() }
}

/// An error of `serde` without Rust's names of types.
fn one_line(error: &toml::de::Error) -> String {
    let text = error.to_string().trim_end().replace('\n', " ");
    text.replace("expected u64", "expected a whole number").replace("expected f64", "expected a number")
}

/// Bytes as people say them.
struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            n if n >= 1 << 20 => write!(f, "{} MiB", n as f64 / f64::from(1 << 20)),
            n if n >= 1 << 10 => write!(f, "{} KiB", n as f64 / f64::from(1 << 10)),
            n => write!(f, "{n} B"),
        }
    }
}

/// A table of several lines, as `--print-targets` shows it.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (w, t) = (&self.weights, &self.throughput);
        let rows = [
            ("", self.origin.clone()),
            ("SMs", format!("{} of {} lanes at {} GHz", self.sms, self.cores_per_sm, self.clock)),
            (
                "memory",
                format!(
                    "{} GB/s in transactions of {} or {} B, {} of L2",
                    self.bandwidth,
                    self.transactions[0],
                    self.transactions[1],
                    Bytes(self.l2)
                ),
            ),
            (
                "shared",
                format!(
                    "{} a block, {} by opt-in, {} an SM; {} more a block for the system, in units of {}",
                    Bytes(self.shared_per_block),
                    Bytes(self.shared_per_block_opt_in),
                    Bytes(self.shared_per_sm),
                    Bytes(self.shared_reserved),
                    Bytes(self.shared_granularity)
                ),
            ),
            (
                "warps",
                format!(
                    "of {} threads, {} an SM in {} partitions; {} blocks an SM, {} threads a block",
                    self.warp_size,
                    self.warps_per_sm,
                    self.warp_granularity,
                    self.blocks_per_sm,
                    self.threads_per_block
                ),
            ),
            (
                "registers",
                format!(
                    "{} an SM, {} a block, {} a thread, in units of {} a warp",
                    self.registers_per_sm, self.registers_per_block, self.registers_per_thread, self.register_unit
                ),
            ),
            (
                "weights",
                format!(
                    "w1 {}, w2 {}, w3 {}, w4 {}, w5 {}, w6 {}, w7 {}, w8 {}",
                    w.w1, w.w2, w.w3, w.w4, w.w5, w.w6, w.w7, w.w8
                ),
            ),
            ("", w.origin.clone()),
            (
                "throughput",
                format!(
                    "f32 {}, f64 {}, f16 {}, i32 {}, i32_mul {}, shift {}, compare {}, convert64 {}, convert {}",
                    t.f32, t.f64, t.f16, t.i32, t.i32_mul, t.shift, t.compare, t.convert64, t.convert
                ),
            ),
            (
                "",
                format!(
                    "special {}, shuffle {}, shared {}, global {}; issue {}",
                    t.special, t.shuffle, t.shared, t.global, t.issue
                ),
            ),
            ("", t.origin.clone()),
        ];
        writeln!(f, "{} ({})", self.name, self.chip())?;
        rows.iter().try_for_each(|(key, value)| writeln!(f, "  {key:<11} {value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Target {
        Target::named(name).unwrap_or_else(|error| panic!("{error}"))
    }

    fn error(text: &str) -> String {
        Target::from_toml(text).expect_err("a wrong file").to_string()
    }

    /// A file that inherits from h200.
    fn changed(keys: &str) -> String {
        format!("inherits = \"h200\"\nname = \"mine\"\n{keys}")
    }

    fn weights(w: &Weights) -> [f64; 7] {
        [w.w1, w.w2, w.w3, w.w4, w.w5, w.w6, w.w7]
    }

    #[test]
    fn every_file_parses_and_survives_writing() {
        for name in Target::names() {
            let target = named(name);
            assert_eq!(target.name, name);
            assert!(!target.origin.contains("changed by"), "{name} says where its limits come from");
            assert!(!target.weights.origin.contains("changed by"), "{name} says where its weights come from");
            let text = toml::to_string(&target).expect("a table of numbers and texts");
            assert_eq!(Target::from_toml(&text).as_ref(), Ok(&target));
        }
    }

    /// Tables 1 and 3 of the paper, from the paper, not from the files.
    #[test]
    fn pact20_is_the_papers_tables() {
        let kib = 1024;
        let gtx = named("gtx1080ti-pact20");
        let v100 = named("v100-pact20");
        let table1 = |t: &Target| {
            (
                [t.sms, t.cores_per_sm, t.shared_per_block_opt_in, t.shared_per_sm, t.warps_per_sm, t.blocks_per_sm],
                [t.registers_per_sm, t.registers_per_thread, t.warp_size],
                t.bandwidth,
                t.transactions,
            )
        };
        assert_eq!(table1(&gtx), ([28, 128, 48 * kib, 96 * kib, 64, 16], [65536, 256, 32], 484.0, [32, 128]));
        assert_eq!(table1(&v100), ([80, 64, 96 * kib, 96 * kib, 64, 32], [65536, 256, 32], 898.0, [32, 128]));
        assert_eq!(weights(&gtx.weights), [50.0, 0.5, 45.0, 20.0, 2.0, 100.0, 1.0]);
        assert_eq!(weights(&v100.weights), [50.0, 0.5, 60.0, 10.0, 2.0, 100.0, 1.0]);
    }

    /// The paper's GPUs with CUDA's limits differ from the paper's tables where the files say so.
    #[test]
    fn pact20_differs_from_cuda_in_blocks_and_registers() {
        for (name, blocks) in [("gtx1080ti", 32), ("v100", 32)] {
            let cuda = named(name);
            let mut paper = named(&format!("{name}-pact20"));
            assert_ne!(paper, cuda);
            assert_eq!((cuda.blocks_per_sm, cuda.registers_per_thread), (blocks, 255));
            paper.blocks_per_sm = blocks;
            paper.registers_per_thread = 255;
            (paper.name, paper.origin) = (cuda.name.clone(), cuda.origin.clone());
            // A term that the paper does not have.
            (paper.weights.w8, paper.weights.origin) = (cuda.weights.w8, cuda.weights.origin.clone());
            assert_eq!(paper, cuda);
        }
    }

    /// The rule of [`Weights`]: it gives both of the paper's GPUs back, and all that is derived.
    #[test]
    fn derived_weights_follow_their_rule() {
        let v100 = named("v100");
        let rule = |target: &Target| {
            let w3 = v100.weights.w3 * target.balance() / v100.balance();
            let w4 = 960.0 * 1024.0 / target.shared_per_block_opt_in as f64;
            [50.0, 0.5, w3, w4, 2.0, 100.0, 1.0]
        };
        for name in ["gtx1080ti", "v100"] {
            for (ours, paper) in rule(&named(name)).into_iter().zip(weights(&named(name).weights)) {
                assert!((ours / paper - 1.0).abs() < 0.01, "{name}: {ours} for {paper}");
            }
        }
        for name in ["xavier", "rtx2080ti", "a100", "h100", "h200"] {
            let target = named(name);
            assert!(target.weights.origin.starts_with("derived"));
            assert_eq!(weights(&target.weights), rule(&target).map(|w| (w * 10.0).round() / 10.0), "{name}");
        }
    }

    #[test]
    fn chips_have_targets() {
        let cases = [
            ("sm_50", "gtx1080ti"),
            ("sm_61", "gtx1080ti"),
            ("sm_62", "gtx1080ti"),
            ("sm_70", "v100"),
            ("sm_72", "xavier"),
            ("sm_75", "rtx2080ti"),
            ("sm_80", "a100"),
            ("sm_89", "a100"),
            ("sm_90", "h200"),
            ("sm_90a", "h200"),
            ("sm_100a", "h200"),
            ("sm_120f", "h200"),
        ];
        for (chip, name) in cases {
            assert_eq!(Target::for_chip(chip).map(|target| target.name).as_deref(), Ok(name), "{chip}");
        }
        for (capability, name) in OF_CHIPS {
            assert_eq!(named(name).capability, capability);
            assert_eq!(Target::for_chip(&named(name).chip()), Ok(named(name)));
        }
        for chip in ["", "sm_", "90", "sm_x", "sm_+90", "sm_90ab", "gfx90a", "sm_99999999999"] {
            let error = Target::for_chip(chip).expect_err("not a chip").to_string();
            assert_eq!(error, format!("unknown chip `{chip}`, expected sm_ and a number, such as sm_90"));
        }
    }

    #[test]
    fn unknown_names_are_guessed() {
        let all = "gtx1080ti, gtx1080ti-pact20, v100, v100-pact20, xavier, rtx2080ti, a100, h100, h200";
        let of = |name: &str| Target::named(name).expect_err("no such target").to_string();
        assert_eq!(of("h20"), format!("unknown target `h20`, did you mean `h200`?; there are {all}"));
        assert_eq!(of("V100"), format!("unknown target `V100`, did you mean `v100`?; there are {all}"));
        assert_eq!(of("mi300x"), format!("unknown target `mi300x`; there are {all}"));
        assert_eq!(of(""), format!("unknown target ``; there are {all}"));
        assert_eq!(error(&changed("").replace("h200", "h2000")), of("h2000"));
    }

    #[test]
    fn inheriting_changes_what_is_said() {
        let base = named("h200");
        let text = changed("sms = 66\n[weights]\nw3 = 0\n");
        let mine = Target::from_toml(&text).unwrap_or_else(|error| panic!("{error}"));
        let mut expected = base.clone();
        expected.name = "mine".into();
        expected.origin = format!("{}; changed by mine", base.origin);
        expected.sms = 66;
        expected.weights.w3 = 0.0;
        expected.weights.origin = format!("{}; changed by mine", base.weights.origin);
        assert_eq!(mine, expected);
    }

    #[test]
    fn wrong_keys_are_named() {
        let cases = [
            ("sms = 0", "`sms` is 0, expected a number that is positive and at most 1048576"),
            ("l2 = -1", "`l2` is -1, expected a number that is positive and at most 1099511627776"),
            ("clock = inf", "`clock` is inf, expected a number that is positive and finite"),
            (
                "transactions = [32, 0]",
                "`transactions[1]` is 0, expected a number that is positive and at most 1048576",
            ),
            ("transactions = [128, 32]", "`transactions[0]` is 128, expected at most transactions[1], which is 32"),
            ("[weights]\nw1 = nan", "`weights.w1` is nan, expected a number that is not negative and finite"),
            ("[weights]\nw7 = -0.5", "`weights.w7` is -0.5, expected a number that is not negative and finite"),
            ("[throughput]\nf64 = 0.0", "`throughput.f64` is 0.0, expected a number that is positive and finite"),
            (
                "shared_per_block = 300000",
                "`shared_per_block` is 300000, expected at most shared_per_block_opt_in, which is 232448",
            ),
            (
                "shared_reserved = 2048",
                "`shared_per_block_opt_in` is 232448, expected at most shared_per_sm - shared_reserved, which is 231424",
            ),
            (
                "threads_per_block = 4096",
                "`threads_per_block` is 4096, expected at most warps_per_sm * warp_size, which is 2048",
            ),
            ("[timing]\ndram_efficiency = 1.5", "`timing.dram_efficiency` is 1.5, expected at most 1"),
            ("[timing]\nl1 = 65536", "`shared_per_sm` is 233472, expected at most timing.l1, which is 65536"),
            ("[timing]\nl2_latency = 20", "`timing.l1_latency` is 41, expected at most timing.l2_latency, which is 20"),
            ("[timing]\nlaunch = -1.0", "`timing.launch` is -1.0, expected a number that is not negative and finite"),
            (
                "registers_per_sm = 32768",
                "`registers_per_block` is 65536, expected at most registers_per_sm, which is 32768",
            ),
        ];
        for (keys, message) in cases {
            assert_eq!(error(&changed(keys)), format!("target file: {message}"), "{keys}");
        }
        assert_eq!(
            error("inherits = 90"),
            "target file: `inherits` is 90, expected the name of a built-in target, as text"
        );
    }

    #[test]
    fn wrong_types_and_unknown_keys_are_named() {
        let cases = [
            ("sms = \"many\"", "target file: invalid type: string \"many\", expected a whole number in `sms`"),
            ("sms = 1.5", "target file: invalid type: floating point `1.5`, expected a whole number in `sms`"),
            ("transactions = [32]", "target file: invalid length 1, expected an array of length 2 in `transactions`"),
            (
                "capability = \"9\"",
                "target file: invalid compute capability \"9\", expected text such as \"9.0\" in `capability`",
            ),
        ];
        for (keys, message) in cases {
            assert_eq!(error(&changed(keys)), message, "{keys}");
        }
        let unknown = error(&changed("smss = 3"));
        assert!(
            unknown.starts_with("target file: unknown field `smss`, expected one of `name`, `origin`"),
            "{unknown}"
        );
        let unknown = error(&changed("[weights]\nw9 = 3"));
        assert!(unknown.starts_with("target file: unknown field `w9`, expected one of"), "{unknown}");
        assert_eq!(error("inherits = \"h200\""), "target file: missing field `name`");
        assert!(error("sms = ").contains("line 1"), "{}", error("sms = "));
    }

    #[test]
    fn the_table_of_a_target() {
        let expected = "\
h200 (sm_90)
              H200 data sheet; its driver for L2 and clock; else as h100
  SMs         132 of 128 lanes at 1.98 GHz
  memory      4800 GB/s in transactions of 32 or 128 B, 60 MiB of L2
  shared      48 KiB a block, 227 KiB by opt-in, 228 KiB an SM; 1 KiB more a block for the system, in units of 128 B
  warps       of 32 threads, 64 an SM in 4 partitions; 32 blocks an SM, 1024 threads a block
  registers   65536 an SM, 65536 a block, 255 a thread, in units of 256 a warp
  weights     w1 50, w2 0.5, w3 75.1, w4 4.2, w5 2, w6 100, w7 1, w8 400
              derived from Table 3 of the PolyMage-GPU paper (PACT 2020): w3 = 60 (V100) x balance / V100's, w4 = 960 KiB / opt-in; w8 is ours
  throughput  f32 128, f64 64, f16 256, i32 64, i32_mul 64, shift 64, compare 64, convert64 16, convert 64
              special 16, shuffle 32, shared 32, global 32; issue 128
              CUDA C++ Programming Guide, Throughput of Native Arithmetic Instructions, column 9.0, if nothing else is said
";
        assert_eq!(named("h200").to_string(), expected);
    }
}
