//! Changed traces: whatever a trace says, it is a program or mistakes.

use serde_json::Value;
use weft_trace::compile;

const TRACE: &str = include_str!("../../../test/Trace/Inputs/blur.trace");

/// Numbers that follow each other as if by chance.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        // Knuth's multiplier; the high bits are good enough to pick with.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

fn places<'v>(value: &'v mut Value, all: &mut Vec<&'v mut Value>) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| places(value, all)),
        Value::Object(values) => values.values_mut().for_each(|value| places(value, all)),
        leaf => all.push(leaf),
    }
}

fn changed(random: &mut Random) -> String {
    let mut trace: Value = serde_json::from_str(TRACE).expect("the trace of the tests");
    let steps = trace["steps"].as_array_mut().expect("steps");
    match random.below(12) {
        0 => drop(steps.remove(random.below(steps.len()))),
        1 => {
            let (one, other) = (random.below(steps.len()), random.below(steps.len()));
            steps.swap(one, other);
        }
        2 => steps.push(steps[random.below(steps.len())].clone()),
        _ => {}
    }
    for _ in 0..=random.below(8) / 7 {
        let mut all = Vec::new();
        places(&mut trace, &mut all);
        let place = random.below(all.len());
        *all[place] = match random.below(9) {
            0 => (-1).into(),
            1 => i64::MAX.into(),
            2 => u64::MAX.into(),
            3 => Value::from(random.below(24)),
            4 => 0.5.into(),
            5 => Value::Null,
            6 => "mod".into(),
            7 => ["u8", "f64", "index", "bool", "i64"][random.below(5)].into(),
            _ => Value::from(random.below(5)),
        };
    }
    trace.to_string()
}

#[test]
fn a_trace_is_a_program_or_mistakes() {
    let count = std::env::var("COUNT").ok().and_then(|text| text.parse().ok()).unwrap_or(3000);
    let context = weft_builder::context();
    // A program that the verifier refuses is no failure here, and says nothing.
    context.attach_diagnostic_handler(|_| true);
    let mut random = Random(1);
    let (mut programs, mut mistakes) = (0, 0);
    for _ in 0..count {
        match compile(&context, "changed.trace", &changed(&mut random)) {
            Ok(_) => programs += 1,
            Err(found) => {
                assert!(!found.is_empty());
                mistakes += 1;
            }
        }
    }
    assert!(programs * 20 > count && mistakes * 20 > count, "{programs} programs, {mistakes} with mistakes");
}
