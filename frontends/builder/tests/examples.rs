//! `examples/NAME.mlir` are the texts of the programs. After a change: `WEFT_BLESS=1 cargo test --release -p weft-builder`.

use std::path::Path;
use weft_builder::examples::{EXAMPLES, SMALL};

#[test]
fn files_are_the_programs() {
    let context = weft_builder::context();
    let mut differ = Vec::new();
    let small = SMALL.iter().map(|example| (example, "../../test/Examples/Inputs"));
    for (example, folder) in EXAMPLES.iter().map(|example| (example, "../../examples")).chain(small) {
        let text = example.text(&context).unwrap_or_else(|errors| panic!("{}:\n{errors}", example.name));
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(format!("{}.mlir", example.name));
        if std::env::var_os("WEFT_BLESS").is_some() {
            std::fs::write(&path, &text).expect("the folder can be written");
        } else if std::fs::read_to_string(&path).ok().as_deref() != Some(text.as_str()) {
            differ.push(example.name);
        }
    }
    assert!(differ.is_empty(), "other than their programs: {differ:?}; WEFT_BLESS=1 writes them anew");
}
