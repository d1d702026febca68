//! `--order-ops`: in loops over vectors each op stands where its last operand is known.
//!
//! ```text
//! %a = vector.load row 0                            %a = vector.load row 0
//! %b = vector.load row 1                            %b = vector.load row 1
//! %c = vector.load row 2                            %p = arith.addf %a, %b
//! %p = arith.addf %a, %b                     ──▶    %c = vector.load row 2
//! %q = arith.addf %p, %c      first row's sum       %q = arith.addf %p, %c
//! %d = vector.load row 3                            %r = arith.addf %b, %c
//! %r = arith.addf %b, %c                            %d = vector.load row 3
//! %s = arith.addf %r, %d      second row's sum      %s = arith.addf %r, %d
//! ```
//!
//! Rows that are computed together are written one behind the other, and share their loads. A core looks some hundred instructions ahead:
//! it would work on the chain of one row's sums, and wait for each. Ordered by their loads the chains of all rows go on side by side, and
//! what is loaded is used at once by all of them, and needs no register any longer.
//!
//! **Chains** that share nothing, of an exponential at each of four points, say, would still stand one behind the other, and a scheduler that looks at
//! 64 ops at a time sees two of them: most of the time it waits for the last result of each. For a `target` of 16 registers ops are then put in the
//! order in which a core with a larger window would begin them ([`Core`]):
//!
//! ```text
//! %p = math.fma %a, %b, %c      first chain         %p = math.fma %a, %b, %c
//! %q = math.fma %p, %p, %c                    ──▶   %r = math.fma %d, %b, %c
//! %r = math.fma %d, %b, %c      second chain        %q = math.fma %p, %p, %c
//! %s = math.fma %r, %r, %c                          %s = math.fma %r, %r, %c
//! ```

use super::instructions::is_instruction;
use crate::{
    analysis::cpu_of,
    ir::{Key, is, key, lanes_and_bits, only_block},
};
use melior::ir::{
    OperationRef, Value,
    operation::{OperationLike, OperationMutLike},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use std::collections::HashMap;

/// The pass.
pub struct OrderOps;

const ORDERED: Statistic = Statistic::new(c"ordered", c"Loops whose ops were ordered");

options! {
    /// Options of `--order-ops`.
    pub struct OrderOpsOptions {
        target: String = "host", "target", "the CPU that code is for, as of --cpu-tile";
    }
}

impl Pass for OrderOps {
    const ARGUMENT: &'static str = "order-ops";
    const SUMMARY: &'static str = "Put ops of loops over vectors where their last operand is known";
    const DESCRIPTION: &'static str = "\
In each `scf.for` the arithmetic up to the first op that is none, a store or a loop, is ordered by the loads that it depends on. The \
order of loads stays. On a `target` of 16 registers what waits for a result is then put behind what does not, as far as registers hold what is computed.";
    const STATISTICS: &'static [Statistic] = &[ORDERED];
    type Options = OrderOpsOptions;

    fn dialects(_: RegistryRef) {}

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &OrderOpsOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        let cpu = cpu_of(module, &options.target)?;
        // Of 32 registers those of several rows are used side by side as it is.
        let vector = cpu.has_few_registers().then_some(cpu.vector);
        for op in ir::walk(module).into_iter().filter(|op| is(*op, "scf.for")) {
            order(op, vector);
            cx.count(ORDERED, 1);
        }
        Ok(())
    }
}

/// Orders the ops of a loop up to the first that is neither a load nor arithmetic.
fn order(op: OperationRef, vector: Option<i64>) {
    let ops: Vec<OperationRef> = ir::operations(only_block(op)).collect();
    let is_pure = |op: &OperationRef| {
        let name = ir::name_of(*op);
        // Those that loops over vectors call compute numbers.
        [
            "arith.",
            "math.",
            "vector.broadcast",
            "vector.shuffle",
            "vector.interleave",
            "vector.bitcast",
            "llvm.call_intrinsic",
        ]
        .iter()
        .any(|prefix| name.starts_with(prefix))
            || is_instruction(*op)
    };
    let Some(end) = ops.iter().position(|op| !is_load(*op) && !is_pure(op)) else { return };
    // The number of the last load that an op depends on.
    let mut last: HashMap<Key, usize> = HashMap::new();
    let mut loads = 0;
    let mut places: Vec<(usize, OperationRef)> = Vec::new();
    for op in &ops[..end] {
        let place = match is_load(*op) {
            true => {
                loads += 1;
                loads
            }
            false => op.operands().filter_map(|value| last.get(&key(value))).copied().max().unwrap_or(0),
        };
        last.extend(op.results().map(|value| (key(Value::from(value)), place)));
        places.push((place, *op));
    }
    places.sort_by_key(|(place, _)| *place);
    let mut order: Vec<OperationRef> = places.into_iter().map(|(_, op)| op).collect();
    if let Some(vector) = vector {
        order = interleaved(&order, vector);
    }
    order.into_iter().for_each(|op| ir::mutable(op).move_before(ops[end]));
}

fn is_load(op: OperationRef) -> bool {
    ["vector.load", "memref.load", "memref.prefetch"].contains(&ir::name_of(op))
}

/// A core that begins [`OPS_A_CYCLE`] ops of registers a cycle, each the oldest that does not wait.
#[derive(Clone, Copy)]
struct Core {
    /// Ops that it looks ahead.
    window: usize,
    /// Registers that hold what it computes.
    registers: i64,
}

/// Ops that a scheduler of floats holds: 64 of Zen's, on others about as many of all kinds.
const WINDOW: usize = 64;
/// Registers of 16 that hold what loops compute: the others are for what comes from outside of them.
const LIVE: i64 = 12;
const OPS_A_CYCLE: i64 = 2;

/// What an op is to a [`Core`].
#[derive(Clone)]
struct Issued {
    /// The ops in the same block whose results it reads, by their places.
    operands: Vec<usize>,
    /// How many of the ops read its results; one more where others do, stores or the next iteration.
    uses: usize,
    /// Registers of its result.
    registers: i64,
    /// Cycles until that is known.
    latency: i64,
    is_load: bool,
}

/// The part of a loop's time, on a [`Core`], that is left at most where another order is worth it: LLVM makes an order of its own from it.
const WORTH: f64 = 0.85;

/// Straight-line ops in an order in which they wait less, where that is worth it.
fn interleaved<'c: 'a, 'a>(ops: &[OperationRef<'c, 'a>], vector: i64) -> Vec<OperationRef<'c, 'a>> {
    let issued = Issued::all(ops, vector);
    let (order, _) = Core { window: 4 * WINDOW, registers: LIVE }.begins(&issued);
    // What is read once more is kept in other registers than those that code names, of which there are many.
    let core = Core { window: WINDOW, registers: i64::MAX };
    let is_worth_it = core.takes(&reordered(&issued, &order)) as f64 <= WORTH * core.takes(&issued) as f64;
    let places = if is_worth_it { order } else { (0..ops.len()).collect() };
    places.into_iter().map(|place| ops[place]).collect()
}

/// The same ops in another order.
fn reordered(issued: &[Issued], order: &[usize]) -> Vec<Issued> {
    let mut places = vec![0; order.len()];
    order.iter().enumerate().for_each(|(new, old)| places[*old] = new);
    let moved =
        |op: &Issued| Issued { operands: op.operands.iter().map(|operand| places[*operand]).collect(), ..op.clone() };
    order.iter().map(|old| moved(&issued[*old])).collect()
}

impl Issued {
    fn all(ops: &[OperationRef], vector: i64) -> Vec<Self> {
        let mut places: HashMap<Key, usize> = HashMap::new();
        let mut issued: Vec<Self> = Vec::new();
        for (place, op) in ops.iter().enumerate() {
            let mut operands: Vec<usize> = op.operands().filter_map(|value| places.get(&key(value)).copied()).collect();
            operands.sort_unstable();
            operands.dedup();
            operands.iter().for_each(|operand| issued[*operand].uses += 1);
            places.extend(op.results().map(|result| (key(Value::from(result)), place)));
            let registers = ir::result(*op, 0).and_then(|result| registers(result, vector)).unwrap_or(0);
            issued.push(Self { operands, uses: 0, registers, latency: latency(*op), is_load: is_load(*op) });
        }
        let is_here = |user: OperationRef| ir::result(user, 0).is_some_and(|result| places.contains_key(&key(result)));
        for (op, issued) in ops.iter().zip(&mut issued) {
            let mut uses = op.results().flat_map(|result| ir::uses(Value::from(result)));
            issued.uses += usize::from(uses.any(|(user, _)| !is_here(user)));
        }
        issued
    }
}

/// Registers, of so many bytes, of a vector.
fn registers(value: Value, vector: i64) -> Option<i64> {
    let (lanes, bits) = lanes_and_bits(value)?;
    Some((lanes * i64::from(bits.max(8)) / 8 + vector - 1) / vector)
}

impl Core {
    /// How long an iteration of a loop of these ops takes, while the ones before it end, in ops of registers.
    fn takes(self, issued: &[Issued]) -> i64 {
        let next = |op: &Issued| Issued {
            operands: op.operands.iter().map(|operand| operand + issued.len()).collect(),
            ..op.clone()
        };
        let two: Vec<Issued> = issued.iter().cloned().chain(issued.iter().map(next)).collect();
        let registers = issued.iter().map(|op| op.registers).sum();
        (self.begins(&two).1 - self.begins(issued).1).max(registers)
    }

    /// The places of ops in the order in which it begins them, and how long it takes until the last is known.
    fn begins(self, issued: &[Issued]) -> (Vec<usize>, i64) {
        let mut run = Run::of(issued);
        let mut order = Vec::new();
        while run.oldest < issued.len() {
            match run.next(self) {
                Ok(next) => {
                    run.begin(next);
                    order.push(next);
                }
                Err(later) => run.now = later,
            }
        }
        (order, run.known.into_iter().flatten().max().unwrap_or(0))
    }
}

/// What a [`Core`] has done of some ops. Times are in ops of registers from the first on.
struct Run<'i> {
    issued: &'i [Issued],
    now: i64,
    /// When each op is known; none until it is begun.
    known: Vec<Option<i64>>,
    /// How many ops that are not begun read each op's results.
    uses: Vec<usize>,
    /// Registers that hold what is computed.
    live: i64,
    /// The first op that is not begun.
    oldest: usize,
}

impl<'i> Run<'i> {
    fn of(issued: &'i [Issued]) -> Self {
        let uses = issued.iter().map(|op| op.uses).collect();
        Self { issued, now: 0, known: vec![None; issued.len()], uses, live: 0, oldest: 0 }
    }

    /// The op that is begun now, or when there may be one: the oldest of all finds registers always.
    fn next(&self, core: Core) -> Result<usize, i64> {
        let (mut later, mut load_waits, mut window) = (i64::MAX, false, core.window as i64);
        for place in (self.oldest..self.issued.len()).filter(|place| self.known[*place].is_none()) {
            let op = &self.issued[place];
            if window <= 0 {
                break;
            }
            window -= op.registers;
            if op.is_load && load_waits {
                continue;
            }
            load_waits |= op.is_load;
            let mut known = op.operands.iter().map(|operand| self.known[*operand]);
            let Some(known) = known.try_fold(0, |latest, known| Some(known?.max(latest))) else { continue };
            let ends = op.operands.iter().filter(|operand| self.uses[**operand] == 1);
            let freed: i64 = ends.map(|operand| self.issued[*operand].registers).sum();
            let fits = op.registers <= freed || self.live + op.registers - freed <= core.registers;
            // Addresses are another part's of the core.
            match known <= self.now || op.registers == 0 && !op.is_load {
                _ if !fits && place != self.oldest => {}
                true => return Ok(place),
                false => later = later.min(known),
            }
        }
        Err(later)
    }

    fn begin(&mut self, place: usize) {
        let op = &self.issued[place];
        self.now += op.registers;
        self.known[place] = Some(self.now + OPS_A_CYCLE * op.latency);
        self.live += if op.uses > 0 { op.registers } else { 0 };
        for operand in &op.operands {
            self.uses[*operand] -= 1;
            self.live -= if self.uses[*operand] == 0 { self.issued[*operand].registers } else { 0 };
        }
        while self.known.get(self.oldest).is_some_and(Option::is_some) {
            self.oldest += 1;
        }
    }
}

/// Cycles until a result is known, about.
fn latency(op: OperationRef) -> i64 {
    match ir::name_of(op) {
        "arith.bitcast" | "vector.bitcast" | "vector.broadcast" => 0,
        "math.sqrt" => 14,
        "arith.divf" => 11,
        "vector.load" | "func.call" | "llvm.call_intrinsic" => 6,
        "arith.addf" | "arith.subf" | "arith.mulf" | "math.fma" | "arith.uitofp" | "arith.sitofp" | "arith.fptosi"
        | "arith.fptoui" | "arith.extui" | "arith.extsi" => 4,
        name if name.starts_with("vector.") => 2,
        _ => 1,
    }
}
