//! PTX to try the executor with: programs of which something is changed, and what must hold of each.

use weft_runtime::simt::{Error, GlobalMemory, KernelArg, Module, Options, launch};

/// Whole programs: all that the executor knows, what LLVM emits, a loop without an end.
pub const PROGRAMS: &[&str] = &[
    include_str!("everything.ptx"),
    include_str!("../../../test/Tools/Inputs/one.ptx"),
    include_str!("../../../test/Tools/Inputs/undeclared.ptx"),
    include_str!("../../../test/Tools/Inputs/endless.ptx"),
    include_str!("../../tests/simulator/blur-rows8.ptx"),
];

/// How often each is taken: long ones say little more and take longer.
const WEIGHTS: &[usize] = &[40, 6, 6, 3, 1];

/// What stands in place of a token, beside those of the programs.
const ODD: &[&str] = &[
    "0",
    "-1",
    "1",
    "31",
    "32",
    "33",
    "255",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "99999999999999999999",
    "0x",
    "0x80000000",
    "0f7FC00000",
    "0fFF800000",
    "0f",
    "0d7FF0000000000000",
    "1e999",
    "%r0",
    "%r1",
    "%r99",
    "%rd1",
    "%p1",
    "%p9",
    "%tid.z",
    "%nope",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ",",
    ";",
    ":",
    "@",
    "!",
    "<",
    ">",
    "|",
    "=",
    "+",
    "_",
    ".b8",
    ".b32",
    ".u64",
    ".f64",
    ".pred",
    ".align",
    ".v4",
    ".reg",
    ".shared",
    ".local",
    ".global",
    ".param",
    ".entry",
    ".func",
    ".loc 1 1 1",
    ".reqntid",
    "call",
    "ret",
    "trap",
    "exit",
    "bar.sync",
    "bar.warp.sync",
    "ld.global.v4.b32",
    "st.shared.b64",
    "atom.shared.add.f32",
    "shfl.sync.idx.b32",
    "redux.sync.add.s32",
    "match.any.sync.b32",
    "cvt.rni.s8.f64",
    "div.full.f32",
    "ex2.approx.ftz.f32",
    "mul.hi.u64",
    "bfi.b64",
    "dp4a.u32.s32",
    "shf.l.wrap.b32",
    "vote.sync.all.pred",
    "fence.acq_rel.gpu",
    "nanosleep.u32",
    "\"",
    "//",
    "/*",
    "é",
    "\0",
];

/// Instructions of a block, and so of a launch.
const LIMIT: u64 = 20_000;

/// Numbers that are good enough to pick with: Knuth's multiplier, the high bits.
pub struct Numbers(pub u64);

impl Numbers {
    /// One less than `below`, which is taken for 1 if it is 0.
    pub fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below.max(1)
    }
}

/// What became of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is refused as a text.
    Refused,
    /// It is a module, and no kernel of it could be launched.
    NotLaunched,
    /// A kernel ran, with a report.
    Reported,
    /// All kernels that ran had none.
    Ran,
}

/// Parses a text and runs its kernels, on little memory.
pub fn try_text(text: &str, seed: u64) -> Outcome {
    let Ok(module) = Module::parse(text) else { return Outcome::Refused };
    let names: Vec<String> = module.kernels().map(str::to_owned).collect();
    let mut outcome = Outcome::NotLaunched;
    for name in names {
        match run(&module, &name, seed) {
            Ok(true) => outcome = Outcome::Reported,
            Ok(false) if outcome == Outcome::NotLaunched => outcome = Outcome::Ran,
            _ => {}
        }
    }
    outcome
}

/// Runs a kernel, and says whether there are reports.
fn run(module: &Module, name: &str, seed: u64) -> Result<bool, Error> {
    let mut memory = GlobalMemory::new();
    let bytes: Vec<u8> = (0..1024u32).flat_map(|number| (number as f32).to_bits().to_le_bytes()).collect();
    // A size that no number has is an argument that is refused.
    let args = module.parameters(name).unwrap_or_default().into_iter().map(|size| match size {
        8 => KernelArg::Pointer(memory.alloc_with(&bytes)),
        4 => KernelArg::U32(100),
        2 => KernelArg::U16(3),
        _ => KernelArg::U8(1),
    });
    let args: Vec<KernelArg> = args.collect();
    let block = module.required_block(name).unwrap_or([32, 1, 1]);
    let options = Options { seed, threads: 1, limit: LIMIT, dynamic_shared: 64, ..Options::default() };
    Ok(!launch(module, name, [2, 1, 1], block, &args, &mut memory, &options)?.reports.is_empty())
}

/// A program with some of its tokens or lines left out, doubled, swapped, or others put in their place.
pub fn changed(numbers: &mut Numbers) -> String {
    let mut place = numbers.next(WEIGHTS.iter().sum());
    let program = WEIGHTS.iter().position(|weight| match place.checked_sub(*weight) {
        Some(rest) => {
            place = rest;
            false
        }
        None => true,
    });
    let program = PROGRAMS[program.unwrap_or(0)];
    if numbers.next(8) == 0 {
        return with_lines(program, numbers);
    }
    let mut words = tokens(program);
    for _ in 0..=numbers.next(3) {
        // Mostly behind the header, most of whose changes are refused at once.
        let (at, other) = (numbers.next(words.len()), numbers.next(words.len()));
        let odd = ODD[numbers.next(ODD.len())];
        match numbers.next(8) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[other]),
            2 => words.swap(at, other),
            3 => words.insert(at, odd),
            4 => words[at] = odd,
            // One of its kind, so that the text is mostly still one.
            _ => {
                let kind = kind(words[at]);
                let alike = (other..words.len()).chain(0..other).find(|place| kind_at(&words, *place) == kind);
                words[at] = alike.map_or(odd, |place| words[place]);
            }
        }
        if words.is_empty() {
            break;
        }
    }
    words.concat()
}

/// Lines left out, doubled, swapped.
fn with_lines(program: &str, numbers: &mut Numbers) -> String {
    let mut lines: Vec<&str> = program.lines().collect();
    for _ in 0..=numbers.next(3) {
        let (at, other) = (numbers.next(lines.len()), numbers.next(lines.len()));
        match numbers.next(3) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[other]),
            _ => lines.swap(at, other),
        }
        if lines.is_empty() {
            break;
        }
    }
    lines.join("\n")
}

/// Words, and each other character alone, each with the space behind it.
fn tokens(text: &str) -> Vec<&str> {
    let is_word = |character: char| character.is_alphanumeric() || ".%_$".contains(character);
    let mut starts = Vec::new();
    let mut last = ' ';
    for (index, character) in text.char_indices() {
        if !(character.is_whitespace() || is_word(character) && is_word(last)) {
            starts.push(index);
        }
        last = character;
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(start, end)| &text[*start..end]).collect()
}

fn kind_at(words: &[&str], place: usize) -> u8 {
    kind(words[place])
}

/// Registers, numbers, instructions, signs.
fn kind(word: &str) -> u8 {
    match word.bytes().next() {
        Some(b'%') => word.as_bytes().get(1).copied().unwrap_or(b'%'),
        Some(b'0'..=b'9') => 1,
        Some(b'a'..=b'z' | b'A'..=b'Z') => 2,
        Some(b'.') => 3,
        Some(sign) => sign,
        None => 0,
    }
}
