//! The programs of the papers, written with the builder. `examples/NAME.mlir` are their texts.

use crate::{error::Errors, pipeline::Pipeline};
use melior::{
    Context,
    ir::{BlockLike, operation::OperationLike},
};

mod bilateral_grid;
mod camera_pipe;
mod canny;
mod harris_rgb;
mod heat;
mod histogram_equalize;
mod iir_blur;
mod interpolate;
mod layers;
mod lens_blur;
mod local_laplacian;
mod matmul;
mod max_filter;
mod nl_means;
mod pyramid_blend;
mod stencil_chain;

/// A program.
pub struct Example {
    /// What it and its file are called.
    pub name: &'static str,
    /// What it computes, where it is from, and which definitions were open: a paragraph.
    pub about: &'static str,
    /// What `pipeline-run` is given beside the file.
    pub run: &'static str,
    /// Writes it.
    pub program: fn(&Pipeline),
}

/// All of them, in the order of docs/examples.md.
pub static EXAMPLES: &[&Example] = &[
    &harris_rgb::EXAMPLE,
    &camera_pipe::EXAMPLE,
    &interpolate::EXAMPLE,
    &pyramid_blend::EXAMPLE,
    &local_laplacian::EXAMPLE,
    &max_filter::EXAMPLE,
    &canny::EXAMPLE,
    &stencil_chain::EXAMPLE,
    &heat::HEAT_1D,
    &heat::HEAT_2D,
    &heat::HEAT_3D,
    &matmul::EXAMPLE,
    &layers::CONV_LAYER,
    &layers::VDSR,
    &iir_blur::EXAMPLE,
    &histogram_equalize::EXAMPLE,
    &bilateral_grid::EXAMPLE,
    &nl_means::EXAMPLE,
    &lens_blur::EXAMPLE,
];

/// Programs of which another size is tested than the one in `examples`: `test/Examples/Inputs/NAME.mlir`.
pub static SMALL: &[&Example] = &[&layers::VDSR_SMALL, &lens_blur::SMALL];

/// The program of this name.
pub fn find(name: &str) -> Option<&'static Example> {
    EXAMPLES.iter().copied().find(|example| example.name == name)
}

impl Example {
    /// The program as text, as its file has it.
    ///
    /// # Errors
    ///
    /// Mistakes in the program.
    pub fn text(&self, context: &Context) -> Result<String, Errors> {
        let p = Pipeline::new(self.name);
        (self.program)(&p);
        let module = p.finish(context)?;
        let mut text = String::new();
        wrap(self.about, &mut text);
        text.push_str(&format!("//\n//   pipeline-run examples/{}.mlir {}\n\n", self.name, self.run));
        let mut op = module.body().first_operation();
        while let Some(current) = op {
            text.push_str(&format!("{current}\n"));
            op = current.next_in_block();
        }
        Ok(text)
    }
}

/// A paragraph as comment.
fn wrap(paragraph: &str, text: &mut String) {
    const WIDTH: usize = 120;
    let mut line = String::from("//");
    for word in paragraph.split_whitespace() {
        if line.len() + 1 + word.len() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line = String::from("//");
        }
        line.push(' ');
        line.push_str(word);
    }
    text.push_str(&line);
    text.push('\n');
}
