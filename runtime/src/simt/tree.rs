//! PTX text as a tree of declarations and instructions, nothing interpreted yet.

/// A place in the source program, from `.loc`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Loc {
    pub file: u32,
    pub line: u32,
    pub column: u32,
}

/// What stands after an opcode.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Operand {
    /// A register, a variable, a label.
    Name(String),
    /// `!%p1`
    Not(String),
    /// An integer; its bits.
    Int(u64),
    /// The bits of an `f32`.
    F32(u32),
    /// The bits of an `f64`.
    F64(u64),
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `[base+offset]`; no base for an absolute address.
    Address { base: Option<String>, offset: i64 },
    /// `%p1|%p2`
    Pair(String, String),
}

/// One instruction as written.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    /// Register and whether it is negated.
    pub guard: Option<(String, bool)>,
    pub opcode: String,
    pub operands: Vec<Operand>,
    pub line: u32,
    pub loc: Option<Loc>,
}

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    Param,
    Global,
    Const,
    Shared,
    Local,
}

/// A declared variable.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub name: String,
    pub space: Space,
    pub align: u64,
    /// Bytes; 0 for an `extern` array of unknown length.
    pub size: u64,
    /// The initialiser, padded to `size`.
    pub bytes: Option<Vec<u8>>,
    /// `sm` of an initialiser that names a variable: (place, name, offset). The decoder resolves them.
    pub symbols: Vec<(usize, String, u64)>,
}

/// One `.entry`.
#[derive(Clone, Debug, Default)]
pub(super) struct Entry {
    pub name: String,
    pub line: u32,
    pub params: Vec<Variable>,
    pub reqntid: Option<[u32; 3]>,
    pub maxntid: Option<[u32; 3]>,
    /// Blocks that an SM is to hold at least, and registers that a thread may have.
    pub minnctapersm: Option<u32>,
    pub maxnreg: Option<u32>,
    pub variables: Vec<Variable>,
    /// Name (or prefix of a counted declaration, with its count) and type.
    pub registers: Vec<(String, Option<u32>, String)>,
    /// Label and the statement before which it stands.
    pub labels: Vec<(String, usize)>,
    /// `.branchtargets` lists.
    pub targets: Vec<(String, Vec<String>)>,
    pub body: Vec<Statement>,
}

/// A whole file.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub target: String,
    pub files: Vec<(u32, String)>,
    pub variables: Vec<Variable>,
    pub entries: Vec<Entry>,
}

impl Tree {
    /// The variables of the module that live in global memory, in the order of their addresses.
    pub fn global_variables(&self) -> impl Iterator<Item = &Variable> {
        self.variables.iter().filter(|variable| matches!(variable.space, Space::Global | Space::Const))
    }
}

/// Bytes of a fundamental type, by its name without the dot. A predicate has none.
pub(super) fn type_size(name: &str) -> Option<u64> {
    Some(match name {
        "b8" | "u8" | "s8" => 1,
        "b16" | "u16" | "s16" | "f16" | "bf16" => 2,
        "b32" | "u32" | "s32" | "f32" | "f16x2" | "bf16x2" => 4,
        "b64" | "u64" | "s64" | "f64" | "f32x2" => 8,
        "b128" => 16,
        _ => return None,
    })
}
