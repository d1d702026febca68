//! A kernel in the form that the machine runs.
//!
//! Every operand is an index into one of three register files: **w** (up to 32 bits), **d** (64 bits) and **p** (predicates).
//! Constants, addresses of variables and special registers such as `%tid.x` are registers too, behind the declared ones, filled
//! once per warp: so an instruction has one operand form only, and a loop over the lanes has no case to distinguish.
//! A file is an array of lanes per register, and a predicate is one bit per lane.

use super::tree::{Loc, Space, Variable};

/// No register: no guard, no second destination, a sink.
pub(super) const NONE: u32 = u32::MAX;

/// Which register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Class {
    W,
    D,
    P,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    W16,
    W32,
    W64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FloatType {
    F16,
    F16x2,
    F32,
    F32x2,
    F64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Int1 {
    Neg,
    Not,
    Abs,
    Cnot,
    Popc,
    Clz,
    Brev,
    FindS,
    FindU,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Int2 {
    Add,
    Sub,
    Mul,
    MulHiS,
    MulHiU,
    DivS,
    DivU,
    RemS,
    RemU,
    MinS,
    MinU,
    MaxS,
    MaxU,
    And,
    Or,
    Xor,
    AddSatS,
    SubSatS,
    /// At least 0, as LLVM makes a clamp of an index.
    MinReluS,
    MaxReluS,
}

/// The second operand is 32 bits wide whatever the first is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shift {
    Left,
    RightS,
    RightU,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Int3 {
    Mad,
    MadHiS,
    MadHiU,
    SadS,
    SadU,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Float1 {
    Neg,
    Abs,
    Sqrt,
    Rcp,
    Rsqrt,
    Ex2,
    Lg2,
    Sin,
    Cos,
    Tanh,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Float2 {
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
    CopySign,
}

/// Rounding to a neighbour, of the last place or (`Int`) of the whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Round {
    Near,
    Zero,
    Down,
    Up,
}

/// Bytes of a block's shared memory: more than any GPU has.
pub(super) const MOST_SHARED: u64 = 1 << 20;

/// What modifies a float instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mods {
    pub round: Round,
    pub ftz: bool,
    pub sat: bool,
    /// `min.NaN`: a NaN operand is the result.
    pub nan: bool,
    /// `add.f32.f16`: the first operand of a sum, the factors of an `fma` are f16.
    pub half: bool,
}

impl Mods {
    pub const PLAIN: Mods = Mods { round: Round::Near, ftz: false, sat: false, nan: false, half: false };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    Bf16,
    F32,
    F64,
}

impl Scalar {
    pub fn bits(self) -> u32 {
        match self {
            Scalar::U8 | Scalar::S8 => 8,
            Scalar::U16 | Scalar::S16 | Scalar::F16 | Scalar::Bf16 => 16,
            Scalar::U32 | Scalar::S32 | Scalar::F32 => 32,
            Scalar::U64 | Scalar::S64 | Scalar::F64 => 64,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::Bf16 | Scalar::F32 | Scalar::F64)
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::S8 | Scalar::S16 | Scalar::S32 | Scalar::S64)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Conversion {
    pub from: Scalar,
    pub to: Scalar,
    /// Rounding of a float result, or to a whole number if `whole`.
    pub round: Round,
    pub whole: bool,
    pub ftz: bool,
    pub sat: bool,
    pub from_wide: bool,
    pub to_wide: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Equ,
    Neu,
    Ltu,
    Leu,
    Gtu,
    Geu,
    Num,
    Nan,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Combine {
    None,
    And,
    Or,
    Xor,
}

/// How a sum carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Carry {
    /// It is a difference.
    pub subtract: bool,
    /// The carry goes in.
    pub input: bool,
    /// The carry comes out.
    pub output: bool,
    pub wide: bool,
}

/// A comparison: `combine(a compare b, c)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Test {
    pub compare: Compare,
    pub ty: Scalar,
    pub ftz: bool,
    pub combine: Combine,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Window {
    Space(Space),
    /// The address says which.
    Generic,
}

/// How memory is accessed. The data registers are `lists[inst.d..][..count]`, the address is register `inst.a` plus `offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub window: Window,
    pub offset: i64,
    /// Bytes of one element.
    pub bytes: u8,
    pub count: u8,
    /// The elements, a bit each, that are loaded but never used.
    pub gaps: u8,
    pub signed: bool,
    pub wide_address: bool,
    pub wide_data: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
    CompareAndSwap,
    Inc,
    Dec,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShuffleMode {
    Up,
    Down,
    Butterfly,
    Index,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vote {
    All,
    Any,
    Uniform,
    Ballot,
}

/// What waits for the lanes of a mask. Lanes meet if theirs are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WarpSync {
    Barrier,
    Shuffle(ShuffleMode),
    Vote(Vote),
    MatchAny { wide: bool },
    MatchAll { wide: bool },
    Reduce(Fold, Scalar),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BarRed {
    None,
    And,
    Or,
    Popc,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Nop,
    MovW,
    MovD,
    MovP,
    /// Registers of the list, `bits` each, the first lowest, into one.
    Pack {
        bits: u8,
        wide_parts: bool,
        wide: bool,
    },
    Unpack {
        bits: u8,
        wide_parts: bool,
        wide: bool,
    },
    Int1(Int1, Width),
    Int2(Int2, Width),
    /// Of both halves of 32 bits.
    Int2x2(Int2),
    Shift(Shift, Width),
    Int3(Int3, Width),
    /// 32 × 32 → 64, or 16 × 16 → 32 when not `wide`; `add` adds c.
    MulWide {
        signed: bool,
        wide: bool,
        add: bool,
    },
    /// Sum or difference with a carry, which is the predicate `c`.
    Carry(Carry),
    Bfe {
        signed: bool,
        wide: bool,
    },
    Bfi {
        wide: bool,
    },
    Prmt,
    Lop3,
    Funnel {
        left: bool,
        wrap: bool,
    },
    Dp4a {
        signed: [bool; 2],
    },
    Logic(Int2),
    NotP,
    Float1(Float1, FloatType, Mods),
    Float2(Float2, FloatType, Mods),
    Fma(FloatType, Mods),
    TestFinite(TestP, FloatType),
    Convert(Conversion),
    /// Two f32 into two halves of a word; `brain` for bf16.
    ConvertPair {
        brain: bool,
        round: Round,
    },
    SetP(Test),
    /// Of two halves: the low ones into d, the high ones into d2.
    SetP2(Test),
    /// Into a register: all ones, or 1.0 if `float`.
    Set(Test, bool),
    SelectW,
    SelectD,
    /// c decides by its sign.
    SelectSign {
        wide: bool,
        float: bool,
    },
    Load(Access),
    Store(Access),
    Atomic(Access, Fold, Scalar),
    /// Generic address from a window's, or back.
    ToGeneric(Space),
    FromGeneric(Space),
    ActiveMask,
    Sync(WarpSync),
    /// Block barrier `a`, for `b` threads (NONE: all).
    Barrier {
        aligned: bool,
        red: BarRed,
    },
    /// Jump to `d`.
    Branch,
    /// Jump to `lists[d + a]` of `d2`.
    BranchTable,
    Exit,
    Trap,
}

impl Op {
    /// Whether it asks something of memory. Parameters are constants of a kernel.
    pub fn is_access(self) -> bool {
        match self {
            Op::Load(access) => access.window != Window::Space(Space::Param),
            Op::Store(_) | Op::Atomic(..) => true,
            _ => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TestP {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Inst {
    pub op: Op,
    /// Predicate register × 2, plus 1 if negated; or NONE. So are all predicate operands.
    pub guard: u32,
    pub d: u32,
    pub d2: u32,
    pub a: u32,
    pub b: u32,
    pub c: u32,
    pub e: u32,
}

impl Inst {
    /// An instruction without operands.
    pub fn new(op: Op) -> Self {
        Inst { op, guard: NONE, d: NONE, d2: NONE, a: NONE, b: NONE, c: NONE, e: NONE }
    }
}

/// What an instruction counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Integer,
    Float,
    Data,
    Memory,
    Control,
    Shuffle,
    Sync,
}

/// A value that is known only when a block or a lane runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Special {
    Tid(usize),
    Ntid(usize),
    Ctaid(usize),
    Nctaid(usize),
    LaneId,
    WarpId,
    NWarpId,
    LaneMask(std::cmp::Ordering, bool),
    Zero,
    SharedBytes,
}

/// One kernel, decoded.
#[derive(Clone, Debug, Default)]
pub(super) struct Kernel {
    pub name: String,
    pub code: Vec<Inst>,
    pub kinds: Vec<Kind>,
    pub lines: Vec<u32>,
    pub locs: Vec<Option<Loc>>,
    pub opcodes: Vec<String>,
    pub lists: Vec<u32>,
    /// Registers a kernel declares, then all with the constants.
    pub declared: [u32; 3],
    pub total: [u32; 3],
    pub constants_w: Vec<(u32, u32)>,
    pub constants_d: Vec<(u32, u64)>,
    pub constants_p: Vec<(u32, bool)>,
    pub specials: Vec<(u32, Special)>,
    pub params: Vec<Variable>,
    /// Place in the parameter buffer of each parameter, and its size.
    pub param_offsets: Vec<u64>,
    pub param_bytes: u64,
    /// Place and size of each shared variable; memory between them belongs to nobody.
    pub shared: Vec<(u64, u64)>,
    pub shared_bytes: u64,
    /// Where `extern .shared` memory begins, or, where a kernel declares no shared memory, what a launch gives it.
    pub shared_dynamic: Option<u64>,
    /// The least number of bytes of one access to shared memory.
    pub shared_granule: u32,
    pub local_bytes: u64,
    pub block: Option<[u32; 3]>,
    pub block_max: Option<[u32; 3]>,
    /// Blocks that an SM is to hold at least, and registers that a thread may have: what bounds a compiler.
    pub min_blocks: Option<u32>,
    pub max_registers: Option<u32>,
    /// Has an atomic on global memory, so that the order of blocks may show.
    pub ordered: bool,
}

impl Kernel {
    /// Adds an instruction, with the place of its text and of its source.
    pub fn push(&mut self, inst: Inst, kind: Kind, line: u32, loc: Option<Loc>, opcode: &str) {
        self.code.push(inst);
        self.kinds.push(kind);
        self.lines.push(line);
        self.locs.push(loc);
        self.opcodes.push(opcode.to_owned());
    }
}
