//! Some hundred random programs, the same ones each time; `SEED=n cargo test -p weft-random` runs others.

use mlir_glue::Step;
use weft_passes::{
    pipelines::{CpuOptions, PipelineToCpu},
    stage::{ByteTables, ByteTablesOptions, PackPixels, PackPixelsOptions},
};
use weft_random::{
    Plan, case_of,
    check::{Case, agree, lowered},
    generate::Size,
    run,
};

const COUNT: u64 = 300;
/// A generator whose programs are refused tests nothing.
const MOST_REFUSED: f64 = 0.05;

#[test]
fn random_programs_agree() {
    let first = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let plan = Plan {
        first,
        count: COUNT,
        threads: cores,
        all: false,
        apart: false,
        size: Size::Usual,
        each: false,
        together: 1,
    };
    let summary = run(plan, |_| true, |_| {});
    assert!(summary.failures.is_empty(), "{}", summary.failures.join("\n"));
    assert_eq!(summary.cases, COUNT);
    assert!(summary.refused_part() <= MOST_REFUSED, "too many programs are refused: {:?}", summary.refused);
}

/// Those that share a module do, too: a run takes a third of the time of one with a module of its own.
#[test]
fn programs_in_one_module_agree() {
    let plan = Plan {
        first: 0,
        count: 240,
        threads: 1,
        all: false,
        apart: false,
        size: Size::Tiny,
        each: false,
        together: 20,
    };
    let summary = run(plan, |variant| ["any-plain", "any-ptx", "windows"].contains(&variant.name), |_| {});
    assert!(summary.failures.is_empty(), "{}", summary.failures.join("\n"));
    assert_eq!((summary.cases, summary.runs), (240, 420));
}

/// Programs that changes are made to, with their seeds: not those on images of 1 column, where all columns are the same, nor those on pixels, whose
/// last coordinate is one of few channels.
fn usual_programs() -> Vec<(u64, Case)> {
    let is_usual = |case: &Case| {
        // A NaN is as good as another.
        !case.inputs.iter().any(|data| data.special || matches!(data.shape[..], [_, _, 1..=4] | [.., 1]))
    };
    (0..12000).map(|seed| (seed, case_of(seed, Size::Usual))).filter(|(_, case)| is_usual(case)).collect()
}

/// In what part of some programs a change, where it is one, shows. Of 24 programs the part is off by a tenth either way, as chance has it, of 200 by
/// a 30th.
fn noticed(programs: &[(u64, Case)], change: impl Fn(&str) -> String) -> f64 {
    let changed = programs.iter().filter_map(|(seed, case)| {
        let other = Case { text: change(&case.text), ..case.clone() };
        (other != *case).then_some((seed, case, other))
    });
    let mut counts = [0, 0];
    for (seed, case, other) in changed.take(200) {
        let same = agree(case, &other).unwrap_or_else(|failure| panic!("SEED={seed}: {failure}"));
        counts[usize::from(same)] += 1;
    }
    f64::from(counts[0]) / f64::from(counts[0] + counts[1])
}

/// The text with one step of its first iterate fewer, where the number is written there.
fn with_a_step_fewer(text: &str) -> String {
    let steps = text.split("pipeline.iterate \"").nth(1).and_then(|rest| rest.split(' ').nth(1)).unwrap_or_default();
    let line = text.lines().find(|line| line.trim_start().starts_with(&format!("{steps} = arith.constant ")));
    let Some((line, count)) = line.and_then(|line| Some((line, line.split(' ').nth_back(2)?.parse::<u32>().ok()?)))
    else {
        return text.to_owned();
    };
    let fewer = line.replace(&format!("constant {count} "), &format!("constant {} ", count.saturating_sub(1)));
    text.replacen(line, &fewer, 1)
}

/// The text with the two states of its first iterate changing places at the end of each step.
fn with_states_exchanged(text: &str) -> String {
    // All that is in the step stands further to the right than its end.
    let inside = text.find("pipeline.iterate").map_or("", |start| &text[start..]);
    let end = inside.lines().find(|line| line.starts_with("    pipeline.yield "));
    let exchanged = end.and_then(|line| {
        let (names, types) = line.trim_start().strip_prefix("pipeline.yield ")?.split_once(" : ")?;
        let (one, other) = names.split_once(", ")?;
        let (first, second) = types.split_once(", ")?;
        // Dynamic extents may be others.
        (first == second && !first.contains('?'))
            .then(|| text.replacen(line, &format!("    pipeline.yield {other}, {one} : {types}"), 1))
    });
    exchanged.unwrap_or_else(|| text.to_owned())
}

/// Programs that hide mistakes test nothing: those that a wrong lowering would make are made here, by another program.
#[test]
fn mistakes_show() {
    type Change = fn(&str) -> String;
    let mistakes: [(&str, Change, f64); 8] = [
        // Modes differ at one column alone, which not every program needs; taps at all of them.
        ("mirror is clamp", |text| text.replacen("- 2] mirror", "- 2] clamp", 1), 0.5),
        ("reflect101 is mirror", |text| text.replacen("- 2] reflect101", "- 2] mirror", 1), 0.5),
        ("wrap is mirror", |text| text.replacen("- 1] wrap", "- 1] mirror", 1), 0.5),
        ("a tap is one too far", |text| text.replacen("%x + 1] clamp", "%x + 2] clamp", 1), 0.7),
        ("a tap is another", |text| text.replacen("%x - 1] clamp", "%x] clamp", 1), 0.7),
        ("half is another half", |text| text.replacen("%x floordiv 2] clamp", "%x ceildiv 2] clamp", 1), 0.6),
        ("a step is missing", with_a_step_fewer, 0.6),
        ("states change places", with_states_exchanged, 0.7),
    ];
    let programs = usual_programs();
    std::thread::scope(|scope| {
        for (what, change, least) in mistakes {
            let programs = &programs;
            scope.spawn(move || {
                let part = noticed(programs, change);
                println!("{what}: {part:.2}");
                assert!(part >= least, "{what} shows in {part:.2} of the programs, expected {least} at least");
            });
        }
    });
}

/// A pass that finds nothing to do is not tested.
#[test]
fn instructions_and_tables_are_found() {
    let target = "zen5".to_owned();
    let all = [Step::pipeline::<PipelineToCpu>(&CpuOptions { target: target.clone(), ..CpuOptions::default() })];
    let tables = [Step::of::<ByteTables>(ByteTablesOptions { target, ..ByteTablesOptions::default() })];
    let pixels = [Step::of::<PackPixels>(PackPixelsOptions::default())];
    for (pipeline, names) in [
        (&all[..], &[("@weft.dot", 40), ("@weft.look_up", 4)][..]),
        (&tables[..], &[("_table\" (", 4)][..]),
        (&pixels[..], &[("_pixels\" (", 4)][..]),
    ] {
        let lower = |seed| {
            let text = lowered(&case_of(seed, Size::Small), pipeline);
            text.unwrap_or_else(|failure| panic!("SEED={seed}: {failure}"))
        };
        let texts: Vec<String> = (0..400).map(lower).collect();
        for (name, least) in names {
            let found = texts.iter().filter(|text| text.contains(name)).count();
            println!("{found} of 400 programs have {name}");
            assert!(found >= *least, "{found} of 400 programs have {name}, expected {least} at least");
        }
    }
}
