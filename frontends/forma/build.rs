//! Makes the parser of `src/grammar.lalrpop`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=src/grammar.lalrpop");
    lalrpop::Configuration::new().use_cargo_dir_conventions().process()
}
