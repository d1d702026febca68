//! A program and its inputs as a file: MLIR with a comment that says what its arguments are.
//!
//! ```text
//! // inputs: 37x5 seed 3, 12x12 seed 4 special, number seed 5
//! func.func @f(%a0: tensor<37x5xf32>, %a1: tensor<?x?xf16>, %p0: i32) ...
//! ```

use mlir_glue::pipeline_text;

use crate::check::{Case, Data, Failure, Target, VARIANTS};

const INPUTS: &str = "// inputs: ";
const NUMBER: &str = "number";

/// A failing program as a file, with how to see it fail.
pub fn write(case: &Case, failure: &Failure) -> String {
    let mut text = format!("// {failure}\n");
    text += "// weft-random case.mlir\n";
    let pipeline = VARIANTS.iter().find(|variant| variant.name == failure.variant);
    if let Some(variant) = pipeline {
        let pipeline = pipeline_text(&(variant.pipeline)(case, false)).unwrap_or_else(|error| error.to_string());
        text += &format!("// pipeline-opt --pass-pipeline='builtin.module({pipeline})' case.mlir\n");
        let target = match variant.target {
            Target::Cpu(_) => "cpu",
            Target::Simt { .. } => "reference",
        };
        let images = case.inputs.iter().enumerate().filter(|(_, data)| !data.is_number);
        let inputs = images.map(|(number, data)| {
            let dims = ["n", "c", "y", "x"];
            let dims = &dims[4 - data.shape.len()..];
            let extents: String = dims
                .iter()
                .zip(&data.shape)
                .map(|(dim, extent)| format!(" --dim arg{number}.{dim}={extent}"))
                .collect();
            format!(" --arg arg{number}=random:{}{extents}", data.seed)
        });
        text +=
            &format!("// pipeline-run case.mlir --target {target} --out out0=out0.npy{}\n", inputs.collect::<String>());
    }
    text + &program(case)
}

/// A program as a file.
pub fn program(case: &Case) -> String {
    let data = case.inputs.iter().map(|data| {
        let extents: Vec<String> = data.shape.iter().map(usize::to_string).collect();
        let shape = if data.is_number { NUMBER.to_owned() } else { extents.join("x") };
        format!("{shape} seed {}{}", data.seed, if data.special { " special" } else { "" })
    });
    format!("{INPUTS}{}\n{}", data.collect::<Vec<_>>().join(", "), case.text)
}

/// Reads what [`program`] and [`write()`] write.
///
/// # Errors
///
/// What is wrong with the comment.
pub fn read(text: &str) -> Result<Case, String> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(INPUTS))
        .ok_or_else(|| format!("found no line '{INPUTS}...', expected one, such as '{INPUTS}37x5 seed 3'"))?;
    let data = |text: &str| {
        let wrong = || format!("found inputs '{text}', expected EXTENTS seed NUMBER, such as '37x5 seed 3'");
        let words: Vec<&str> = text.split_whitespace().collect();
        let (shape, seed, special) = match words[..] {
            [shape, "seed", seed] => (shape, seed, false),
            [shape, "seed", seed, "special"] => (shape, seed, true),
            _ => return Err(wrong()),
        };
        let is_number = shape == NUMBER;
        let shape = match is_number {
            true => Vec::new(),
            false => shape.split('x').map(str::parse).collect::<Result<Vec<usize>, _>>().map_err(|_| wrong())?,
        };
        Ok(Data { shape, seed: seed.parse().map_err(|_| wrong())?, special, is_number })
    };
    Ok(Case { text: text.to_owned(), inputs: line.split(',').map(data).collect::<Result<_, _>>()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        choices::Choices,
        generate::{Size, generate},
    };

    #[test]
    fn inputs_are_read_as_they_are_written() {
        for seed in 0..20 {
            let case = generate(&mut Choices::random(seed), Size::Usual);
            let read = read(&program(&case)).expect("a file of ours");
            assert_eq!(read.inputs, case.inputs);
        }
    }
}
