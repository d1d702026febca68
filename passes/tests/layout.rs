//! The house rules that a reader relies on, held against the sources themselves.
//!
//! ```text
//! ir ◀── analysis ◀── stage, group ◀── lower ◀── cpu, gpu ◀── pipelines
//! ```
//!
//! - No circle of files in any crate, and among the wings of `passes/src` imports run to the left only.
//! - No pass imports a pass.
//! - No function is longer than 120 lines, and none has clippy's too many arguments, without a reason that is said.
//!
//! An import is what `use` says, and a path that is written out; names that a module hands on (`pub use`) count for the file that
//! defines them.

use petgraph::{algo::kosaraju_scc, graph::DiGraph};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};
use syn::{
    Attribute, Item, ItemFn, ItemMod, ItemUse, UseTree, Visibility,
    spanned::Spanned,
    visit::{self, Visit},
};

/// The crates of the workspace, by the file that they begin with.
const CRATES: [&str; 14] = [
    "files/src/lib.rs",
    "dialects/lib.rs",
    "dialects/glue/src/lib.rs",
    "dialects/glue/build/lib.rs",
    "frontends/builder/src/lib.rs",
    "frontends/forma/src/lib.rs",
    "passes/src/lib.rs",
    "passes/model/src/lib.rs",
    "runtime/src/lib.rs",
    "tools/src/lib.rs",
    "tools/plugin/lib.rs",
    "tools/capi/lib.rs",
    "test/Random/src/lib.rs",
    "tools/src/bin/pipeline-run/main.rs",
];

/// Wings of `passes/src`, each with those that it may import.
const WINGS: [(&str, &[&str]); 8] = [
    ("ir", &[]),
    ("analysis", &["ir"]),
    ("stage", &["ir", "analysis"]),
    ("group", &["ir", "analysis"]),
    ("lower", &["ir", "analysis", "group"]),
    ("cpu", &["ir", "analysis", "group", "lower"]),
    ("gpu", &["ir", "analysis", "stage", "group", "lower"]),
    ("pipelines", &["ir", "analysis", "stage", "group", "lower", "cpu", "gpu"]),
];

const MOST_LINES: usize = 120;

/// A module's name within its crate: `["group", "fuse"]`.
type Name = Vec<String>;

/// A file of a crate.
struct Module {
    file: PathBuf,
    /// Names that it hands on, and where from.
    exports: BTreeMap<String, Vec<String>>,
    /// Paths that it imports.
    imports: Vec<Vec<String>>,
    /// Functions that are too long, and lints that are allowed, both without a reason.
    unexplained: Vec<String>,
    declares_pass: bool,
    /// How many inline modules are around what is read.
    inline: usize,
}

/// The modules of a crate by name.
struct Crate(BTreeMap<Name, Module>);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("passes is a folder of the repository").to_owned()
}

impl Crate {
    fn read(file: &str) -> Self {
        let mut modules = BTreeMap::new();
        read_module(&root().join(file), Vec::new(), true, &mut modules);
        Self(modules)
    }

    /// The file that defines what a path leads to; `None` for other crates.
    fn target(&self, from: &Name, path: &[String], depth: usize) -> Option<&Name> {
        // A name that is handed on in a circle would be no Rust.
        assert!(depth < 32, "{path:?} from {from:?} leads nowhere");
        let (mut at, mut rest) = match path.first()?.as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (from.clone(), &path[1..]),
            "super" => (from.clone(), path),
            child if self.0.contains_key(&within(from, child)) => (from.clone(), path),
            _ => return None,
        };
        while rest.first().is_some_and(|segment| segment == "super") {
            at.pop()?;
            rest = &rest[1..];
        }
        while let Some((segment, behind)) = rest.split_first() {
            let child = within(&at, segment);
            if self.0.contains_key(&child) {
                at = child;
                rest = behind;
                continue;
            }
            if let Some(from_where) = self.0.get(&at)?.exports.get(segment) {
                let full = [from_where.as_slice(), behind].concat();
                return self.target(&at, &full, depth + 1);
            }
            break;
        }
        self.0.get_key_value(&at).map(|(name, _)| name)
    }

    /// Every import: who, and whose.
    fn edges(&self) -> BTreeSet<(&Name, &Name)> {
        let of = |(name, module): (&'_ Name, &Module)| -> Vec<(&Name, &Name)> {
            let (from, _) = self.0.get_key_value(name).expect("one of its own");
            module
                .imports
                .iter()
                .chain(module.exports.values())
                .filter_map(|path| self.target(name, path, 0))
                .filter(|to| *to != from)
                .map(|to| (from, to))
                .collect()
        };
        self.0.iter().flat_map(of).collect()
    }
}

fn within(module: &Name, child: &str) -> Name {
    module.iter().cloned().chain([child.to_owned()]).collect()
}

fn read_module(file: &Path, name: Name, has_folder: bool, modules: &mut BTreeMap<Name, Module>) {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let folder = match has_folder || file.ends_with("mod.rs") {
        true => file.parent().expect("a file in a folder").to_owned(),
        false => file.with_extension(""),
    };
    for item in &parsed.items {
        let Item::Mod(ItemMod { ident, content: None, attrs, .. }) = item else { continue };
        let child = ident.to_string();
        let said = attrs.iter().find_map(said_path).map(|path| folder.join(path));
        let candidates = [folder.join(format!("{child}.rs")), folder.join(&child).join("mod.rs")];
        let found = said.into_iter().chain(candidates).find(|file| file.exists());
        let found = found.unwrap_or_else(|| panic!("{}: no file for `mod {child}`", file.display()));
        read_module(&found, within(&name, &child), false, modules);
    }
    let mut module = Module {
        file: file.to_owned(),
        exports: BTreeMap::new(),
        imports: Vec::new(),
        unexplained: Vec::new(),
        declares_pass: text.contains("\nimpl Pass for "),
        inline: 0,
    };
    module.visit_file(&parsed);
    modules.insert(name, module);
}

/// The path of `#[path = "..."]`.
fn said_path(attribute: &Attribute) -> Option<String> {
    let syn::Meta::NameValue(pair) = &attribute.meta else { return None };
    let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(path), .. }) = &pair.value else { return None };
    pair.path.is_ident("path").then(|| path.value())
}

/// The leaves of a `use`: the path, and the name that it gets.
fn leaves(tree: &UseTree, before: &[String], found: &mut Vec<(Vec<String>, String)>) {
    let with = |ident: &syn::Ident| [before, &[ident.to_string()]].concat();
    match tree {
        UseTree::Path(path) => leaves(&path.tree, &with(&path.ident), found),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, before, found)),
        UseTree::Glob(_) => found.push((before.to_vec(), "*".to_owned())),
        UseTree::Name(name) if name.ident == "self" => {
            found.push((before.to_vec(), before.last().cloned().unwrap_or_default()));
        }
        UseTree::Name(name) => found.push((with(&name.ident), name.ident.to_string())),
        UseTree::Rename(rename) => found.push((with(&rename.ident), rename.rename.to_string())),
    }
}

fn has_reason(attribute: &Attribute) -> bool {
    let syn::Meta::List(list) = &attribute.meta else { return true };
    list.tokens.to_string().contains("reason")
}

impl Module {
    fn measure(&mut self, name: &syn::Ident, attributes: &[Attribute], span: proc_macro2::Span) {
        let allowed = attributes.iter().filter(|attribute| attribute.path().is_ident("allow"));
        for attribute in allowed.filter(|attribute| !has_reason(attribute)) {
            let lints = attribute.meta.require_list().map(|list| list.tokens.to_string()).unwrap_or_default();
            self.unexplained.push(format!("{name} allows {lints} without a reason"));
        }
        let lines = span.end().line - span.start().line + 1;
        let is_explained = attributes
            .iter()
            .any(|attribute| attribute.path().is_ident("allow") && quoted(attribute).contains("too_many_lines"));
        if lines > MOST_LINES && !is_explained {
            self.unexplained.push(format!("{name} has {lines} lines, expected at most {MOST_LINES}"));
        }
    }
}

fn quoted(attribute: &Attribute) -> String {
    attribute.meta.require_list().map(|list| list.tokens.to_string()).unwrap_or_default()
}

impl<'ast> Visit<'ast> for Module {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        // Tests see what they test.
        if item.ident != "tests" {
            self.inline += 1;
            visit::visit_item_mod(self, item);
            self.inline -= 1;
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let mut found = Vec::new();
        leaves(&item.tree, &[], &mut found);
        let is_private = matches!(item.vis, Visibility::Inherited);
        for (path, name) in found {
            if is_private || name == "*" || self.inline > 0 {
                self.imports.push(path);
            } else {
                self.exports.insert(name, path);
            }
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if segments.len() > 1 && ["crate", "super"].contains(&segments[0].as_str()) {
            self.imports.push(segments);
        }
        visit::visit_path(self, path);
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.measure(&item.sig.ident, &item.attrs, item.block.span());
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.measure(&item.sig.ident, &item.attrs, item.block.span());
        visit::visit_impl_item_fn(self, item);
    }
}

#[test]
fn no_file_is_part_of_a_circle() {
    let mut circles = Vec::new();
    for file in CRATES {
        let read = Crate::read(file);
        let names: Vec<&Name> = read.0.keys().collect();
        let number = |name: &Name| names.binary_search(&name).expect("one of them") as u32;
        let edges: Vec<_> = read.edges().into_iter().map(|(from, to)| (number(from), number(to))).collect();
        let graph = DiGraph::<(), ()>::from_edges(edges);
        for circle in kosaraju_scc(&graph).into_iter().filter(|circle| circle.len() > 1) {
            let files: Vec<_> = circle.iter().map(|number| names[number.index()].join("::")).collect();
            circles.push(format!("{file}: {}", files.join(", ")));
        }
    }
    assert!(circles.is_empty(), "files that import each other:\n{}", circles.join("\n"));
}

#[test]
fn wings_import_to_the_left_and_no_pass_imports_a_pass() {
    let passes = Crate::read("passes/src/lib.rs");
    let mut wrong = Vec::new();
    for (from, to) in passes.edges() {
        let (Some(wing), Some(of)) = (from.first(), to.first()) else { continue };
        let allowed = WINGS.iter().find(|(name, _)| name == wing).map(|(_, allowed)| *allowed);
        let allowed = allowed.unwrap_or_else(|| panic!("the wing `{wing}` is not in the list"));
        if wing != of && !allowed.contains(&of.as_str()) {
            wrong.push(format!("{} imports {}", from.join("::"), to.join("::")));
        }
        if passes.0[from].declares_pass && passes.0[to].declares_pass {
            wrong.push(format!("the pass {} imports the pass {}", from.join("::"), to.join("::")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn long_functions_and_allowed_lints_say_why() {
    let mut found = Vec::new();
    for module in CRATES.iter().flat_map(|file| Crate::read(file).0.into_values()) {
        found.extend(module.unexplained.iter().map(|what| format!("{}: {what}", module.file.display())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
