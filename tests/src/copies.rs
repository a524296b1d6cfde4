//! The second packages that build the course's sources in double precision, `tests/f64`: derived from
//! the first ones.
//!
//! In one `cargo test --workspace` Cargo unites features: were `f64` switched on for the gradient
//! checks, every chapter would compute in it. So each crate of mathematics has a second package that
//! points at the same sources. Its manifest follows from the first one, and is written by
//!
//! ```sh
//! cargo run -p tests --example f64
//! ```

use std::fs;
use std::path::{Path, PathBuf};

/// The files of `tests/f64` that follow from the manifests of `shared` and of the chapters, with
/// what must stand in them. `root` is the repository.
///
/// # Panics
/// When a manifest cannot be read, or has no `[dependencies]`.
pub fn files(root: &Path) -> Vec<(PathBuf, String)> {
    let chapters = chapters(root);
    let known: Vec<&str> = ["products", "shared"]
        .into_iter()
        .chain(chapters.iter().map(|(name, _)| &name[..]))
        .collect();
    let shared = [("products", "shared/products"), ("shared", "shared")]
        .map(|(name, folder)| (name.to_owned(), folder.to_owned()));
    let mut files = Vec::new();
    for (name, folder) in shared.iter().chain(&chapters) {
        let manifest = root.join(folder).join("Cargo.toml");
        let text = fs::read_to_string(&manifest);
        let text = text.unwrap_or_else(|error| panic!("{}: {error}", manifest.display()));
        let place = root.join("tests/f64/crates").join(name).join("Cargo.toml");
        files.push((place, manifest_of(name, folder, &text, &known)));
    }
    let mut with_tests: Vec<&(String, String)> = chapters
        .iter()
        .filter(|(_, folder)| root.join(folder).join("tests/gradients/mod.rs").exists())
        .collect();
    with_tests.sort(); // by name, as rustfmt has them
    files.push((root.join("tests/f64/Cargo.toml"), gradients(&chapters)));
    files.push((root.join("tests/f64/tests/checks/chapters.rs"), modules(&with_tests)));
    files
}

/// Name and folder of every chapter, in order.
fn chapters(root: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(root.join("chapters")).expect("the folder of the chapters");
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.starts_with(char::is_numeric)).collect();
    names.sort();
    let chapters = names.into_iter().map(|name| {
        let package = name.split_once('_').map(|(_, package)| package.to_owned());
        (package.expect("a number, a line, a name"), format!("chapters/{name}"))
    });
    chapters.collect()
}

/// The manifest of a copy, from that of the crate.
fn manifest_of(name: &str, folder: &str, text: &str, known: &[&str]) -> String {
    let section =
        text.split("\n[dependencies]\n").nth(1).unwrap_or_else(|| panic!("{name}: no deps"));
    let mathematics = section.lines().take_while(|line| !line.starts_with(['#', '[']));
    let mut dependencies = String::new();
    for line in mathematics.filter(|line| !line.is_empty()) {
        let package = line.split(['.', ' ']).next().unwrap_or_default();
        dependencies += &if known.contains(&package) {
            format!("{package} = {{ package = \"{package}_f64\", path = \"../{package}\" }}\n")
        } else {
            format!("{line}\n")
        };
    }
    let features = match name {
        "products" => {
            "default = [\"f64\"]\nf64 = []\nbf16 = [] # without effect: double precision has no such numbers\nladder = []\n"
        }
        "shared" => "default = [\"f64\"]\nf64 = []\nladder = []\n",
        "bert" | "language_model" => {
            "program = []\nexercises = []\nmpi = [] # without effect: for a command that names it for all packages\n"
        }
        _ => "program = []\nexercises = []\n",
    };
    format!(
        r#"# `{name}` compiled with Float = f64: the same sources, no code of its own.
# Written by `cargo run -p tests --example f64`.
[package]
name = "{name}_f64"
version.workspace = true
edition.workspace = true
publish.workspace = true

[lib]
path = "../../../../{folder}/src/lib.rs"
test = false
bench = false
doctest = false
doc = false

[features]
{features}
[dependencies]
{dependencies}
# Linted where the sources live; here they would only learn that f64 needs no conversion to f64.
[lints.clippy]
all = "allow"
"#
    )
}

/// The manifest of the package that checks the gradients.
fn gradients(chapters: &[(String, String)]) -> String {
    let copies = chapters.iter().map(|(name, _)| {
        format!("{name} = {{ package = \"{name}_f64\", path = \"crates/{name}\" }}\n")
    });
    let copies: String = copies.collect();
    format!(
        r#"# Gradient checks: the course's own sources, compiled a second time with Float = f64, against finite
# differences. A feature alone would not do: in one `cargo test --workspace` Cargo unites features, and
# every chapter would turn to f64. So each crate has a second, empty package here that points at its
# sources and turns the feature on.
# Written by `cargo run -p tests --example f64`.
[package]
name = "gradients"
version.workspace = true
edition.workspace = true
publish.workspace = true

[lib]
doctest = false

[dependencies]
shared = {{ package = "shared_f64", path = "crates/shared" }}
tests.workspace = true

[dev-dependencies]
{copies}nalgebra.workspace = true
proptest.workspace = true
rand.workspace = true
"#
    )
}

/// The modules that hold the chapters' checks.
fn modules(chapters: &[&(String, String)]) -> String {
    let module = |(name, folder): &&(String, String)| {
        format!("#[path = \"../../../../{folder}/tests/gradients/mod.rs\"]\nmod {name};\n")
    };
    let modules: String = chapters.iter().map(module).collect();
    format!("//! Written by `cargo run -p tests --example f64`.\n\n{modules}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copies_in_double_precision_follow_the_chapters() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
        for (path, expected) in files(root) {
            let found = fs::read_to_string(&path).unwrap_or_default();
            let hint = "run: cargo run -p tests --example f64";
            assert!(found == expected, "{} is not what it should be; {hint}", path.display());
        }
    }
}
