//! What an example is, and its text.

use crate::{error::Errors, pipeline::Pipeline};
use melior::{
    Context,
    ir::{BlockLike, operation::OperationLike},
};

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
