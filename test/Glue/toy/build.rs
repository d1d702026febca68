use mlir_glue_build::{Dialect, build_dialects};

fn main() {
    build_dialects("toy_dialects", &[Dialect { name: "toy", ods: "Toy.td", class: "toy::ToyDialect" }]);
}
