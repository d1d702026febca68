//! `examples/NAME.mlir` are the texts of the programs. After a change: `WEFT_BLESS=1 cargo test --release -p weft-builder`.

use std::path::Path;
use weft_builder::examples::EXAMPLES;

#[test]
fn files_are_the_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let context = weft_builder::context();
    let mut differ = Vec::new();
    for example in EXAMPLES {
        let text = example.text(&context).unwrap_or_else(|errors| panic!("{}:\n{errors}", example.name));
        let path = folder.join(format!("{}.mlir", example.name));
        if std::env::var_os("WEFT_BLESS").is_some() {
            std::fs::write(&path, &text).expect("examples/ can be written");
        } else if std::fs::read_to_string(&path).ok().as_deref() != Some(text.as_str()) {
            differ.push(example.name);
        }
    }
    assert!(differ.is_empty(), "other than their programs: {differ:?}; WEFT_BLESS=1 writes them anew");
}
