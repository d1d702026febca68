//! The stage of each line of PTX, where the text says it.
//!
//! ```text
//! .loc 1 17 11    // blurx           here and on all lines up to the next comment: blurx
//! add.rn.f32 %r288, ...
//! .loc 1 26 11    // blury
//! ```

/// Stages by the line at which each begins, in order; none where a kernel begins.
#[derive(Clone, Debug, Default)]
pub(super) struct Stages(Vec<(u32, Option<String>)>);

impl Stages {
    /// Those of a text.
    pub fn of(text: &str) -> Self {
        let begins = |(line, number): (&str, u32)| {
            let code = line.trim_start();
            if code.contains(".entry ") {
                return Some((number, None));
            }
            let stage = code.strip_prefix(".loc")?.split_once("//")?.1.trim();
            Some((number, Some(stage.to_owned())))
        };
        Self(text.lines().zip(1..).filter_map(begins).collect())
    }

    /// The stage of a line.
    pub fn at(&self, line: u32) -> Option<&str> {
        let after = self.0.partition_point(|(begin, _)| *begin <= line);
        self.0[..after].last()?.1.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::Stages;

    #[test]
    fn a_stage_reaches_to_the_next_and_to_the_end_of_its_kernel() {
        let text = ".visible .entry a(\n\t.loc 1 1 1\t// one, two\n\tret;\n\t.loc 1 2 1\n\t.loc 1 3 1 // three\n.entry b(\n\tret;\n";
        let stages = Stages::of(text);
        let found: Vec<_> = (0..8).map(|line| stages.at(line)).collect();
        let (one, three) = (Some("one, two"), Some("three"));
        assert_eq!(found, [None, None, one, one, one, three, None, None]);
    }
}
