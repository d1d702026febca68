//! The build-script half of `mlir-glue`: ODS in, one shared library out.
//!
//! ```text
//! Toy.td ──mlir-tblgen──▶ Toy.*.inc ──┐
//!            (dialect class) Toy.cpp ──┴─c++──▶ libtoy_dialects.so ──▶ target/<profile>/
//! ```
//!
//! Each dialect becomes a shared library with default symbol visibility of its own, because a Rust cdylib hides C++
//! symbols, and hidden TypeIDs are not MLIR's TypeIDs. The libraries are put beside the binaries that cargo makes,
//! where a run path of `$ORIGIN` finds them.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Where LLVM and MLIR are installed: `MLIR_SYS_220_PREFIX`, the variable that mlir-sys reads too.
pub fn llvm_prefix() -> PathBuf {
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    env::var_os("MLIR_SYS_220_PREFIX").map_or_else(|| "/usr/lib/llvm-22".into(), PathBuf::from)
}

/// `target/<profile>`, where cargo puts binaries.
pub fn artifact_folder() -> PathBuf {
    // OUT_DIR is target/<profile>/build/<package>/out.
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR for build scripts"));
    out.ancestors().nth(3).expect("OUT_DIR is four folders deep").to_path_buf()
}

/// A dialect: an ODS file and the C++ class that `mlir-tblgen` makes of its `Dialect` record.
pub struct Dialect {
    /// The dialect's name in IR, for example `toy`.
    pub name: &'static str,
    /// The ODS file, relative to the package.
    pub ods: &'static str,
    /// The qualified C++ class, for example `toy::ToyDialect`.
    pub class: &'static str,
    /// A C++ file, relative to the package, with directives of the dialect's own for assembly formats: those that neither ODS
    /// nor `Glue.h` has. They are declared in the header beside it, in the dialect's namespace.
    pub syntax: Option<&'static str>,
}

/// Builds `dialects` into `lib<library>.so` and tells cargo to link it.
///
/// For each dialect the library exports `glueRegisterDialect_<name>(MlirDialectRegistry)`.
pub fn build_dialects(library: &str, dialects: &[Dialect]) {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR for build scripts"));
    let glue = PathBuf::from(env::var_os("DEP_MLIR_GLUE_INCLUDE").expect("depend on mlir-glue to build a dialect"));
    let mut sources = Vec::new();
    for dialect in dialects {
        let stem = Path::new(dialect.ods).file_stem().expect("an ODS file has a name").to_string_lossy().into_owned();
        println!("cargo:rerun-if-changed={}", glue.display());
        for file in ods_files_beside(dialect.ods) {
            println!("cargo:rerun-if-changed={}", file.display());
        }
        for generator in GENERATORS {
            tablegen(generator, dialect.ods, &out.join(format!("{stem}.{generator}.inc")), &glue);
        }
        let source = out.join(format!("{stem}.cpp"));
        fs::write(&source, dialect_source(dialect, &stem, &out)).expect("OUT_DIR can be written");
        sources.push(source);
        if let Some(syntax) = dialect.syntax {
            println!("cargo:rerun-if-changed={syntax}");
            println!("cargo:rerun-if-changed={}", header_of(syntax).display());
            sources.push(syntax.into());
        }
    }
    build_shared_library(library, &sources, &[&glue, &out], &["mlir_glue"]);
}

/// The header beside a C++ file.
fn header_of(source: &str) -> PathBuf {
    Path::new(source).with_extension("h")
}

/// The ODS files of a folder, since one includes another. Not the folder: the Rust half of a dialect may lie there too.
fn ods_files_beside(ods: &str) -> Vec<PathBuf> {
    let folder = match Path::new(ods).parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    files.filter(|path| path.extension().is_some_and(|extension| extension == "td")).collect()
}

const GENERATORS: [&str; 8] = [
    "dialect-decls",
    "dialect-defs",
    "enum-decls",
    "enum-defs",
    "attrdef-decls",
    "attrdef-defs",
    "op-decls",
    "op-defs",
];

fn generated(out: &Path, stem: &str, generator: &str) -> String {
    fs::read_to_string(out.join(format!("{stem}.{generator}.inc"))).expect("mlir-tblgen wrote its output")
}

fn tablegen(generator: &str, ods: &str, to: &Path, glue: &Path) {
    let prefix = llvm_prefix();
    let mut command = Command::new(prefix.join("bin/mlir-tblgen"));
    command
        .arg(format!("--gen-{generator}"))
        .arg("-I")
        .arg(prefix.join("include"))
        .arg("-I")
        .arg(glue)
        .arg("-I")
        .arg(".");
    run(command.arg(ods).arg("-o").arg(to));
}

/// The C++ that a dialect needs beyond what ODS generates: constructor's list of ops, and the hooks that lead to Rust.
fn dialect_source(dialect: &Dialect, stem: &str, out: &Path) -> String {
    let Dialect { name, class, .. } = dialect;
    let declarations = generated(out, stem, "dialect-decls");
    let [has_ops, has_attributes] =
        ["op-decls", "attrdef-decls"].map(|generator| generated(out, stem, generator).contains("class "));
    let mut text = String::from(
        "#include \"Glue.h\"\n#include \"mlir/CAPI/IR.h\"\n#include \"llvm/ADT/TypeSwitch.h\"\nusing namespace mlir::glue; // custom directives\n",
    );
    if let Some(syntax) = dialect.syntax {
        let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it for build scripts"));
        text += &format!("#include \"{}\"\n", package.join(header_of(syntax)).display());
    }
    for part in ["dialect-decls", "enum-decls"] {
        text += &format!("#include \"{stem}.{part}.inc\"\n");
    }
    text += &format!("#define GET_ATTRDEF_CLASSES\n#include \"{stem}.attrdef-decls.inc\"\n");
    text += &format!("#define GET_OP_CLASSES\n#include \"{stem}.op-decls.inc\"\n");
    for part in ["dialect-defs", "enum-defs"] {
        text += &format!("#include \"{stem}.{part}.inc\"\n");
    }
    // The parser and printer of attributes are the dialect's own, generated where it has some.
    text += &format!("#define GET_ATTRDEF_CLASSES\n#include \"{stem}.attrdef-defs.inc\"\n");
    text += &format!("#define GET_OP_CLASSES\n#include \"{stem}.op-defs.inc\"\n");
    let attributes = if has_attributes {
        format!("addAttributes<\n#define GET_ATTRDEF_LIST\n#include \"{stem}.attrdef-defs.inc\"\n>();")
    } else {
        String::new()
    };
    let ops = if has_ops {
        format!("addOperations<\n#define GET_OP_LIST\n#include \"{stem}.op-defs.inc\"\n>();")
    } else {
        String::new()
    };
    text += &format!("void {class}::initialize() {{ {attributes} {ops} }}\n");
    for (hook, is_result) in [("verifyRegionArgAttribute", false), ("verifyRegionResultAttribute", true)] {
        if declarations.contains(hook) {
            text += &format!(
                "::llvm::LogicalResult {class}::{hook}(::mlir::Operation *op, unsigned, unsigned index, ::mlir::NamedAttribute attribute) {{\n  \
                 return ::mlir::glue::verifyValueAttribute(getDialectNamespace(), op, {is_result}, index, attribute);\n}}\n"
            );
        }
    }
    text += &format!(
        "extern \"C\" void glueRegisterDialect_{name}(MlirDialectRegistry registry) {{ unwrap(registry)->insert<{class}>(); }}\n"
    );
    text
}

/// Compiles `sources` and links `lib<library>.so` into the artifact folder, against `libraries` and MLIR.
pub fn build_shared_library(library: &str, sources: &[PathBuf], include: &[&Path], libraries: &[&str]) {
    let prefix = llvm_prefix();
    let mut build = cc::Build::new();
    build.compiler(compiler());
    // -fno-rtti because LLVM is built without; -O1 because this code only forwards.
    build
        .cpp(true)
        .std("c++17")
        .pic(true)
        .opt_level(1)
        .debug(false)
        .flag("-fno-rtti")
        .warnings(false)
        .cargo_metadata(false);
    build.includes(include).include(prefix.join("include"));
    for source in sources {
        build.file(source);
    }
    let objects = build.compile_intermediates();
    let mut link = build.get_compiler().to_command();
    link.args(objects).arg("-L").arg(artifact_folder()).args(libraries.iter().map(|name| format!("-l{name}")));
    link_shared(link, library);
    println!("cargo:rustc-link-lib=dylib={library}");
}

/// Makes `libMLIR-C.so`, MLIR's C interface as a shared library, from the static archives that Debian ships.
pub fn build_c_interface() {
    let library = llvm_prefix().join("lib");
    let mut archives: Vec<PathBuf> = fs::read_dir(&library)
        .unwrap_or_else(|error| panic!("{}: {error}; is LLVM 22 installed there?", library.display()))
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.file_name().is_some_and(|name| {
                let name = name.to_string_lossy();
                name.starts_with("libMLIRCAPI") && name.ends_with(".a")
            })
        })
        .collect();
    archives.sort();
    let mut link = cc::Build::new().compiler(compiler()).cpp(true).cargo_metadata(false).get_compiler().to_command();
    link.arg("-Wl,--whole-archive").args(archives).arg("-Wl,--no-whole-archive");
    link_shared(link, "MLIR-C");
}

/// LLVM's own compiler, not the system's: a trait's TypeID is found by the spelling of its C++ name, and compilers
/// spell names differently. With two spellings, a terminator in one library is none in the other.
fn compiler() -> PathBuf {
    llvm_prefix().join("bin/clang++")
}

/// Links `lib<library>.so` into the artifact folder, against MLIR too, and tells cargo where that is. The file is renamed into
/// place: another program may be running with the old one.
fn link_shared(mut link: Command, library: &str) {
    let folder = artifact_folder();
    let llvm = llvm_prefix().join("lib");
    let part = folder.join(format!(".lib{library}.so.{}", std::process::id()));
    link.arg("-shared").arg("-o").arg(&part).arg(format!("-Wl,-soname,lib{library}.so"));
    link.arg("-L").arg(&llvm).args(["-lMLIR", "-lLLVM-22"]);
    run(link.arg(format!("-Wl,-rpath,$ORIGIN:{}", llvm.display())));
    fs::rename(&part, folder.join(format!("lib{library}.so"))).expect("the artifact folder can be written");
    println!("cargo:rustc-link-search=native={}", folder.display());
}

fn run(command: &mut Command) {
    let status = command.status().unwrap_or_else(|error| panic!("{:?}: {error}", command.get_program()));
    assert!(status.success(), "{command:?} failed");
}
