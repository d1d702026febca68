//! One block at a time: its warps take turns, and meet at its barriers.
//!
//! Which warp goes next, and for how long, is drawn from the seed; a correct kernel gives the same results for all of them. If no thread of
//! a block can go on, the waiting ones are reported, with who is missing.

use super::context::{Context, Job};
use super::counters::Counters;
use super::program::{BarRed, Op, Special};
use super::registers::{lanes, lanes_where};
use super::report::{Fault, Report};
use super::trace::{BlockTrace, WarpTrace};
use super::warp::{Barrier, Warp};

/// Runs blocks, one after another.
pub(super) struct Runner<'a> {
    warps: Vec<Warp>,
    context: Context<'a>,
}

impl<'a> Runner<'a> {
    pub fn new(job: Job<'a>) -> Self {
        let threads: u32 = job.shape.iter().product();
        let warp = |index: u32| Warp::new(index, (threads - index * 32).min(32), job.kernel);
        Runner { warps: (0..threads.div_ceil(32)).map(warp).collect(), context: Context::new(job) }
    }

    /// What all blocks cost.
    pub fn counters(&self) -> Counters {
        self.context.cost()
    }

    /// Runs a block to its end, and notes what its warps execute; what went wrong, with the instruction's index.
    pub fn run_traced(&mut self, index: u64) -> (Vec<(u32, Report)>, BlockTrace) {
        self.context.trace = Some(BlockTrace { warps: vec![WarpTrace::default(); self.warps.len()] });
        let reports = self.run(index);
        (reports, self.context.trace.take().unwrap_or_default())
    }

    /// Runs a block to its end; what went wrong, with the instruction's index.
    pub fn run(&mut self, index: u64) -> Vec<(u32, Report)> {
        self.start(index);
        let mut runnable: Vec<usize> = Vec::new();
        while !self.context.stop {
            runnable.clear();
            runnable.extend((0..self.warps.len()).filter(|warp| self.warps[*warp].ready != 0));
            if runnable.is_empty() {
                if self.release_barriers() {
                    continue;
                }
                self.report_stuck();
                break;
            }
            let chosen = runnable[(self.context.random() % runnable.len() as u64) as usize];
            let turn = 1 + self.context.random() % u64::from(self.context.job.options.quantum.max(1));
            let warp = &mut self.warps[chosen];
            warp.run(&mut self.context, turn);
            if warp.at_barrier != 0 {
                self.release_barriers();
            }
            if self.context.steps > self.context.limit() {
                let warp = &self.warps[chosen];
                let lane = (warp.exists & !warp.exited).trailing_zeros() % 32;
                let place = warp.pc[lane as usize];
                self.context.report(Fault::Hang, warp.index * 32 + lane, place, |context| {
                    format!("the block still runs after {} instructions of its warps", context.limit())
                });
                break;
            }
        }
        self.context.finish()
    }

    fn start(&mut self, index: u64) {
        self.context.start(index);
        let warps = self.warps.len() as u32;
        let kernel = self.context.job.kernel;
        for warp in &mut self.warps {
            warp.reset(kernel);
            for (register, special) in &kernel.specials {
                let mut values = [0; 32];
                for (lane, value) in values.iter_mut().enumerate() {
                    *value = special_value(&self.context, *special, warp.index, lane as u32, warps);
                }
                warp.registers.w[*register as usize] = values;
            }
        }
    }

    /// Lets go every barrier at which all have arrived; whether one was.
    fn release_barriers(&mut self) -> bool {
        let mut barriers: Vec<Barrier> = Vec::new();
        for warp in &self.warps {
            for lane in lanes(warp.at_barrier) {
                if !barriers.contains(&warp.barrier[lane]) {
                    barriers.push(warp.barrier[lane]);
                }
            }
        }
        barriers.retain(|barrier| self.is_full(*barrier));
        for barrier in &barriers {
            self.release(*barrier);
        }
        !barriers.is_empty()
    }

    /// Whether all have arrived for whom a barrier is.
    fn is_full(&self, barrier: Barrier) -> bool {
        let arrived: u32 = self.warps.iter().map(|warp| warp.lanes_at(barrier).count_ones()).sum();
        let all = |warp: &Warp| {
            let gone = if self.context.checks().divergence { 0 } else { warp.exited };
            (warp.exists & !gone).count_ones()
        };
        let expected = if barrier.threads == 0 { self.warps.iter().map(all).sum() } else { barrier.threads };
        arrived >= expected
    }

    /// Lets all go on that wait at a barrier.
    fn release(&mut self, barrier: Barrier) {
        self.reduce(barrier);
        for warp in &mut self.warps {
            let mask = warp.lanes_at(barrier);
            if mask != 0 {
                if self.context.checks().divergence {
                    check_aligned(&mut self.context, warp, mask);
                }
                warp.pass_barrier(mask);
                self.context.counters.block_syncs += 1;
            }
        }
        self.context.shared.barrier();
    }

    /// The result of `bar.red`.
    fn reduce(&mut self, barrier: Barrier) {
        let kernel = self.context.job.kernel;
        let inst = |warp: &Warp, lane: usize| &kernel.code[warp.pc[lane] as usize];
        let votes = |warp: &Warp| {
            lanes(warp.lanes_at(barrier))
                .filter_map(|lane| match inst(warp, lane).op {
                    Op::Barrier { red: BarRed::None, .. } => None,
                    _ => Some(warp.registers.predicate(inst(warp, lane).c) >> lane & 1 == 1),
                })
                .collect::<Vec<bool>>()
        };
        let votes: Vec<bool> = self.warps.iter().flat_map(votes).collect();
        let count = votes.iter().filter(|vote| **vote).count();
        for warp in &mut self.warps {
            for lane in lanes(warp.lanes_at(barrier)) {
                let inst = inst(warp, lane);
                let Op::Barrier { red, .. } = inst.op else { continue };
                let holds = match red {
                    BarRed::None => continue,
                    BarRed::Popc => {
                        warp.registers.w[inst.d as usize][lane] = count as u32;
                        continue;
                    }
                    BarRed::And => count == votes.len(),
                    BarRed::Or => count > 0,
                };
                warp.registers.put_p(inst.d, u32::from(holds).wrapping_neg(), 1 << lane);
            }
        }
    }

    /// Nobody can go on: who waits, and for whom.
    fn report_stuck(&mut self) {
        for index in 0..self.warps.len() {
            let warp = &self.warps[index];
            for lane in lanes(warp.waiting | warp.at_barrier) {
                let (place, thread) = (warp.pc[lane], warp.index * 32 + lane as u32);
                let missing = if warp.waiting >> lane & 1 == 1 {
                    lanes(warp.wanted[lane])
                        .filter(|other| !warp.meets(self.context.job.kernel, lane, *other))
                        .map(|other| (index, other))
                        .next()
                } else {
                    self.warps.iter().enumerate().find_map(|(other, its)| {
                        lanes(its.exists)
                            .find(|lane2| its.at_barrier >> lane2 & 1 == 0 || its.barrier[*lane2] != warp.barrier[lane])
                            .map(|lane2| (other, lane2))
                    })
                };
                let what = match missing {
                    Some((other, its_lane)) => {
                        let its = &self.warps[other];
                        let who = self.context.show_thread(its.index * 32 + its_lane as u32);
                        let line = self.context.job.kernel.lines[its.pc[its_lane] as usize];
                        if its.exited >> its_lane & 1 == 1 {
                            format!("waits for {who}, which has exited at line {line}")
                        } else if its.exists >> its_lane & 1 == 0 {
                            format!("waits for lane {its_lane}, which does not exist")
                        } else {
                            format!("waits for {who}, which waits at line {line}")
                        }
                    }
                    None => "waits for more threads than there are".to_owned(),
                };
                self.context.report(Fault::DivergentSync, thread, place, |_| what);
            }
        }
    }
}

/// The lanes of a warp that wait at an aligned barrier must be at the same instruction.
fn check_aligned(context: &mut Context<'_>, warp: &Warp, mask: u32) {
    let kernel = context.job.kernel;
    let lead = mask.trailing_zeros();
    let place = warp.pc[lead as usize];
    if let Op::Barrier { aligned: true, .. } = kernel.code[place as usize].op
        && let Some(lane) = lanes(mask).find(|lane| warp.pc[*lane] != place)
    {
        let there = kernel.lines[warp.pc[lane] as usize];
        context.report(Fault::DivergentSync, warp.index * 32 + lead, place, |context| {
            let other = context.show_thread(warp.index * 32 + lane as u32);
            format!(
                "{other} of the same warp is at the barrier of line {there}; an aligned barrier must be the same one"
            )
        });
    }
}

/// What a special register of a lane holds.
fn special_value(context: &Context<'_>, special: Special, warp: u32, lane: u32, warps: u32) -> u32 {
    match special {
        Special::Tid(axis) => context.thread(warp * 32 + lane)[axis],
        Special::Ntid(axis) => context.job.shape[axis],
        Special::Ctaid(axis) => context.block[axis],
        Special::Nctaid(axis) => context.job.grid[axis],
        Special::LaneId => lane,
        Special::WarpId => warp,
        Special::NWarpId => warps,
        Special::LaneMask(order, equal) => {
            lanes_where(u32::MAX, |other| (other as u32).cmp(&lane) == order || equal && other as u32 == lane)
        }
        Special::Zero => 0,
        Special::SharedBytes => context.job.options.dynamic_shared,
    }
}
