//! `--measure-cpu`: how fast this machine's memory and last cache are, and how long it divides, by code of ours.
//!
//! ```text
//! there = here + 1; here = there + 1             images of 1 MiB to 128 MiB, all threads
//!   with ordinary stores:      ██▎                what was written is read again: from the last cache, if it is still there
//!   with non-temporal stores:  ███▌               ... from memory, but lines are not read before they are written
//! ```
//!
//! The size from which non-temporal stores win cannot be asked for: a virtual machine is told of a cache that it shares with others, and
//! what a line costs on its way out differs from maker to maker. Both programs run in turn, so that they see the same noise.
//!
//! What a division takes is what eight more quotients of each point do, beside what multiply-adds do.

use melior::Context;
use mlir_glue::Pipeline;
use std::{hint::black_box, io::Write, path::Path, time::Instant};
use weft_model::Cpu;
use weft_passes::{
    lower::llvm,
    pipelines::{CpuOptions, PipelineToCpu},
};
use weft_runtime::{Argument, Buffer, CpuProgram, Element, Kind, Optimize};
use weft_tools::{Stop, find_program, signature::Signature};

/// What runs there and back.
const PROGRAM: &str = r#"
func.func @there(%here: tensor<?x2048xf32> {weft.name = "here", weft.estimate = array<i64: 16384, 2048>})
    -> (tensor<?x2048xf32> {weft.name = "there"}) {
  %c0 = arith.constant 0 : index
  %h = tensor.dim %here, %c0 : tensor<?x2048xf32>
  %one = arith.constant 1.0 : f32
  %there = pipeline.stage "there" (%y, %x) {
    %v = pipeline.load %here[%y, %x] : tensor<?x2048xf32>
    %sum = arith.addf %v, %one : f32
    pipeline.yield %sum : f32
  } sized(%h) : tensor<?x2048xf32>
  return %there : tensor<?x2048xf32>
}
"#;
const COLUMNS: usize = 2048;
const BYTES_OF_ROW: i64 = 4 * COLUMNS as i64;

/// The bytes of the least and of the largest image; each is twice as large as the one before.
const LEAST: i64 = 1 << 20;
const LARGEST: i64 = 128 << 20;

/// Turns of both programs: so many at least, and for so many seconds.
const TURNS: usize = 3;
const SECONDS: f64 = 0.03;

/// Points of the image that is divided, which the second cache has room for, and how often it is.
const POINTS_OF_ROW: usize = 2048;
const ROWS: usize = 16;
const TIMES: usize = 200;

/// Sums of a point that do not wait for each other: as many as a core needs to add all the time.
const CHAINS: usize = 4;

/// The nanoseconds there and back, of an image of so many bytes.
struct Round {
    bytes: i64,
    ordinary: f64,
    non_temporal: f64,
}

/// Measures, keeps it in the user's cache or in a file, and prints it.
pub fn measure(file: Option<&Path>) -> Result<(), Stop> {
    let own = Cpu::profile();
    let Some(file) = file.or(own.as_deref()) else {
        return Err(Stop::Because("neither XDG_CACHE_HOME nor HOME is set, expected --measure-cpu=FILE".into()));
    };
    let context = weft_tools::context();
    let (rounds, division) = (rounds(&context)?, division(&context)?);
    let cpu = Cpu { clock: clock(), division, ..with_memory(Cpu::unmeasured(Cpu::kind_of_host()), &rounds) };
    if let (true, Some(folder)) = (Some(file) == own.as_deref(), file.parent()) {
        std::fs::create_dir_all(folder).map_err(|error| Stop::Because(format!("{}: {error}", folder.display())))?;
    }
    weft_tools::write(file, cpu.to_toml())?;
    weft_tools::print(format!("{}# {}\n", cpu.to_toml(), file.display()))
}

/// Both programs on images of all sizes.
fn rounds(context: &Context) -> Result<Vec<Round>, Stop> {
    let programs = [program(context, i64::MAX)?, program(context, 0)?];
    let sizes = std::iter::successors(Some(LEAST), |bytes| Some(2 * bytes)).take_while(|bytes| *bytes <= LARGEST);
    sizes.map(|bytes| round(&programs, bytes)).collect()
}

/// Machine code that has non-temporal stores for images from so many bytes on.
fn program(context: &Context, non_temporal: i64) -> Result<CpuProgram, Stop> {
    let cpu = Cpu::unmeasured(Cpu::kind_of_host());
    compiled(context, PROGRAM, &Cpu { non_temporal, non_temporal_pointwise: None, ..cpu })
}

/// Machine code of a program.
fn compiled(context: &Context, program: &str, cpu: &Cpu) -> Result<CpuProgram, Stop> {
    let io = |error: std::io::Error| Stop::Because(format!("a file for a CPU: {error}"));
    let mut file = tempfile::Builder::new().suffix(".toml").tempfile().map_err(io)?;
    file.write_all(cpu.to_toml().as_bytes()).map_err(io)?;
    let target = file.path().display().to_string();
    let module = melior::ir::Module::parse(context, program)
        .ok_or_else(|| Stop::Because("the program that measures is none".into()))?;
    let func = find_program(&module, None)?;
    let entries = [Signature::of(func)?.entry(func)];
    weft_tools::compile(&module, &PipelineToCpu::expand(&CpuOptions { target, ..CpuOptions::default() })?)?;
    let host = module.as_operation();
    // SAFETY: the module is what our lowering made of a verified program with this very signature.
    Ok(unsafe { CpuProgram::new(&entries, Optimize::Full, |llvm| llvm::translate(llvm, context, host)) }?)
}

/// Both programs in turn, the least time of each.
fn round(programs: &[CpuProgram; 2], bytes: i64) -> Result<Round, Stop> {
    let shape = [usize::try_from(bytes / BYTES_OF_ROW).unwrap_or(1), COLUMNS];
    let element = Element::new(Kind::F32, false);
    let (mut here, mut there) = (Buffer::zeros(element, &shape), Buffer::zeros(element, &shape));
    let mut there_and_back = |program: &CpuProgram| -> Result<f64, Stop> {
        let start = Instant::now();
        program.call("there", &mut [Argument::Input(&here), Argument::Output(&mut there)])?;
        program.call("there", &mut [Argument::Input(&there), Argument::Output(&mut here)])?;
        Ok(start.elapsed().as_secs_f64() * 1e9)
    };
    let mut least = [f64::INFINITY; 2];
    let start = Instant::now();
    for turn in 0.. {
        if turn > TURNS && start.elapsed().as_secs_f64() > SECONDS {
            break;
        }
        for (program, least) in programs.iter().zip(&mut least) {
            // The first finds what the other left in the caches.
            there_and_back(program)?;
            *least = least.min(there_and_back(program)?);
        }
    }
    let [ordinary, non_temporal] = least;
    Ok(Round { bytes, ordinary, non_temporal })
}

/// What the times say of memory. The threshold is that with which all sizes together take least, each as important as any other,
/// if it is no more than what cores keep for themselves of the last cache: images there and back are alone in it, those of programs are not. Where it is known
/// that pointwise loops are another matter, a copy, which is one, does not say it.
fn with_memory(cpu: Cpu, rounds: &[Round]) -> Cpu {
    let taken = |threshold: i64| -> f64 {
        let time = |round: &Round| if round.bytes < threshold { round.ordinary } else { round.non_temporal };
        rounds.iter().map(|round| time(round).ln()).sum()
    };
    let thresholds = rounds.iter().map(|round| round.bytes).chain([i64::MAX]);
    let non_temporal =
        match thresholds.min_by(|one, other| taken(*one).total_cmp(&taken(*other))).unwrap_or(cpu.non_temporal) {
            i64::MAX => i64::MAX,
            found => found.min(Cpu::kept_of_last_cache(cpu.cores)),
        };
    let of_images = if cpu.non_temporal_pointwise.is_some() { cpu.non_temporal } else { non_temporal };
    // An image is read and written, there and back.
    let speed = |bytes: i64, time: f64| (4.0 * bytes as f64 / time * 10.0).round() / 10.0;
    let bandwidth =
        rounds.last().map_or(cpu.bandwidth, |round| speed(round.bytes, round.ordinary.min(round.non_temporal)));
    // Both images are beyond what cores have for themselves, and in the last cache.
    let in_cache =
        |round: &&Round| 2 * round.bytes > 2 * cpu.cores.saturating_mul(cpu.l2) && round.bytes < non_temporal;
    let cached = rounds.iter().filter(in_cache).map(|round| speed(round.bytes, round.ordinary)).reduce(f64::max);
    Cpu { bandwidth, cache_bandwidth: cached.unwrap_or(bandwidth).max(bandwidth), non_temporal: of_images, ..cpu }
}

/// Operations of vectors in the time of a division.
fn division(context: &Context) -> Result<f64, Stop> {
    let of_quotient = |number: usize| {
        format!(
            "%c{number} = arith.constant {number}.5 : f32
             %d{number} = arith.addf %v, %c{number} : f32
             %q{number} = arith.divf %v, %d{number} : f32
             %s{number} = arith.addf %s{}, %q{number} : f32\n",
            number.saturating_sub(CHAINS)
        )
    };
    let of_sum = |number: usize| {
        // Chains that began alike would be one.
        match number.checked_sub(CHAINS).filter(|before| *before > 0) {
            None => {
                format!("%c{number} = arith.constant {number}.5 : f32\n%s{number} = arith.addf %s0, %c{number} : f32\n")
            }
            Some(before) => format!("%s{number} = math.fma %s{before}, %v, %one : f32\n"),
        }
    };
    let each = |[few, many]: [usize; 2], of: &dyn Fn(usize) -> String| -> Result<f64, Stop> {
        Ok((least_time(context, many, of)? - least_time(context, few, of)?) / (many - few) as f64)
    };
    let ratio = each([8, 16], &of_quotient)? / each([32, 96], &of_sum)?;
    Ok((ratio.clamp(1.0, 100.0) * 10.0).round() / 10.0)
}

/// The least seconds that so many steps take of each point of an image.
fn least_time(context: &Context, steps: usize, of: &dyn Fn(usize) -> String) -> Result<f64, Stop> {
    let mut body: String = (1..=steps).map(of).collect();
    let last: Vec<String> = (1..=CHAINS).map(|chain| format!("%s{}", steps + 1 - chain)).collect();
    for (number, value) in last.iter().enumerate() {
        let before = if number == 0 { "%v".to_owned() } else { format!("%t{}", number - 1) };
        body += &format!("%t{number} = arith.addf {before}, {value} : f32\n");
    }
    let ty = format!("tensor<{ROWS}x{POINTS_OF_ROW}xf32>");
    let program = format!(
        r#"func.func @steps(%img: {ty} {{weft.name = "img"}}) -> ({ty} {{weft.name = "steps"}}) {{
             %steps = pipeline.stage "steps" (%y, %x) {{
               %s0 = pipeline.load %img[%y, %x] : {ty}
               %one = arith.constant 1.0 : f32
               %v = arith.addf %s0, %one : f32
               {body}
               pipeline.yield %t{} : f32
             }} : {ty}
             return %steps : {ty}
           }}"#,
        CHAINS - 1
    );
    let program = compiled(context, &program, &Cpu::unmeasured(Cpu::kind_of_host()))?;
    let element = Element::new(Kind::F32, false);
    let shape = [ROWS, POINTS_OF_ROW];
    let (img, mut steps) = (Buffer::zeros(element, &shape), Buffer::zeros(element, &shape));
    let mut least = f64::INFINITY;
    for _ in 0..TIMES {
        let start = Instant::now();
        program.call("steps", &mut [Argument::Input(&img), Argument::Output(&mut steps)])?;
        least = least.min(start.elapsed().as_secs_f64());
    }
    Ok(least)
}

/// Cycles of a nanosecond: an exclusive or and a product that wait for each other take four, on every CPU with vectors of 32 bytes.
fn clock() -> f64 {
    const STEPS: u32 = 4_000_000;
    let once = || {
        let start = Instant::now();
        let mut value = black_box(1_u64);
        for _ in 0..STEPS {
            value = (value ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        }
        black_box(value);
        4.0 * f64::from(STEPS) / (start.elapsed().as_secs_f64() * 1e9)
    };
    let best = (0..5).map(|_| once()).fold(0.0, f64::max);
    (best * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(times: &[(i64, f64, f64)]) -> Cpu {
        of_kind(times, None)
    }

    fn of_kind(times: &[(i64, f64, f64)], non_temporal_pointwise: Option<i64>) -> Cpu {
        let mib = |(size, ordinary, non_temporal): &(i64, f64, f64)| {
            let bytes = size << 20;
            Round { bytes, ordinary: 4.0 * bytes as f64 / ordinary, non_temporal: 4.0 * bytes as f64 / non_temporal }
        };
        let rounds: Vec<Round> = times.iter().map(mib).collect();
        let cpu = Cpu { cores: 2, l2: 1 << 20, non_temporal_pointwise, ..Cpu::unmeasured(String::new()) };
        with_memory(cpu, &rounds)
    }

    #[test]
    fn the_threshold_is_where_stores_past_the_cache_begin_to_win() {
        // Bytes a nanosecond with either kind of stores; at 8 MiB somebody else was at it.
        let cpu = of(&[
            (2, 90.0, 30.0),
            (4, 60.0, 30.0),
            (8, 29.0, 30.0),
            (16, 55.0, 30.0),
            (32, 20.0, 31.0),
            (64, 15.0, 32.0),
        ]);
        assert_eq!((cpu.non_temporal, cpu.bandwidth, cpu.cache_bandwidth), (32 << 20, 32.0, 60.0));
    }

    #[test]
    fn the_threshold_is_no_more_than_what_two_cores_keep() {
        let cpu = of(&[(16, 60.0, 30.0), (32, 50.0, 30.0), (64, 40.0, 30.0), (128, 15.0, 32.0)]);
        assert_eq!((cpu.non_temporal, cpu.bandwidth, cpu.cache_bandwidth), (32 << 20, 32.0, 60.0));
    }

    #[test]
    fn it_may_be_always_or_never() {
        let never = of(&[(4, 60.0, 30.0), (64, 20.0, 15.0)]);
        assert_eq!((never.non_temporal, never.bandwidth, never.cache_bandwidth), (i64::MAX, 20.0, 60.0));
        let always = of(&[(4, 20.0, 30.0), (64, 10.0, 25.0)]);
        assert_eq!((always.non_temporal, always.bandwidth, always.cache_bandwidth), (4 << 20, 25.0, 25.0));
    }

    #[test]
    fn a_copy_says_nothing_of_other_loops_where_these_differ() {
        let known = Cpu::unmeasured(String::new()).non_temporal;
        let cpu = of_kind(&[(4, 60.0, 30.0), (64, 20.0, 15.0)], Some(i64::MAX));
        assert_eq!((cpu.non_temporal, cpu.non_temporal_pointwise), (known, Some(i64::MAX)));
    }
}
