use mlir_glue_build::{Dialect, build_dialects};

fn main() {
    let toy = Dialect { name: "toy", ods: "Toy.td", class: "toy::ToyDialect", syntax: None };
    build_dialects("toy_dialects", &[toy]);
}
