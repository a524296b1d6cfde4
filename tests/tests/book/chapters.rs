//! A chapter stands in every list that the recipe in CONTRIBUTING.md names and asks questions, and its smallest
//! model keeps its promises: one short file, without the workbench, first on the page, with an assertion of what it learnt.

use std::fs;
use std::path::Path;

use super::budgets::minutes;

/// The most lines of a smallest model.
const LINES: usize = 90;

/// What is missing or too much, for every chapter.
pub fn unkept(repository: &Path) -> Vec<String> {
    let read = |path: &str| fs::read_to_string(repository.join(path)).unwrap_or_default();
    let [front, contents] = ["README.md", "chapters/README.md"].map(read);
    let folders = fs::read_dir(repository.join("chapters")).expect("the book");
    let mut names: Vec<String> = folders
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with(|first: char| first.is_ascii_digit()))
        .collect();
    names.sort();
    let mut faults = Vec::new();
    for name in names {
        let mut fault = |what: String| faults.push(format!("chapters/{name}: {what}"));
        if !front.contains(&format!("(chapters/{name}/README.md)")) {
            fault("has no row in README.md".to_owned());
        }
        let page = read(&format!("chapters/{name}/README.md"));
        let minutes = minutes(&page);
        if !contents.contains(&format!("]({name}/README.md)** · {minutes} minutes")) {
            fault(format!("has no card of {minutes} minutes in chapters/README.md"));
        }
        let asked = page.matches("](questions.md#").count();
        if !(2..=4).contains(&asked) || !page.contains("](questions.md)") {
            fault(format!("asks {asked} questions, not two to four, or does not link them"));
        }
        let example = read(&format!("chapters/{name}/examples/smallest.rs"));
        if example.is_empty() {
            continue;
        }
        if example.lines().count() > LINES {
            fault(format!("smallest.rs has more than {LINES} lines"));
        }
        if ["workbench", "program"].iter().any(|word| example.contains(word)) {
            fault("smallest.rs is to stand on the mathematics alone".to_owned());
        }
        if !["rs", "txt"]
            .iter()
            .all(|end| page.contains(&format!("<!-- listing: examples/smallest.{end}")))
        {
            fault("the page does not show smallest.rs and what it prints".to_owned());
        }
        let manifest = read(&format!("chapters/{name}/Cargo.toml"));
        if !manifest.contains("\nname = \"smallest_") || !example.contains(" assert!(") {
            fault(
                "smallest.rs is no example smallest_…, or does not assert what it learnt"
                    .to_owned(),
            );
        }
    }
    faults
}

#[test]
fn what_is_missing_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("README.md", "| 01 [One](chapters/01_one/README.md) |");
    write("chapters/README.md", "- **1 · [One](01_one/README.md)** · 0 minutes");
    write(
        "chapters/01_one/README.md",
        "[Question 1a](questions.md#a) [Question 1b](questions.md#b) [questions](questions.md)\n\
         <!-- listing: examples/smallest.rs --> <!-- listing: examples/smallest.txt -->",
    );
    write("chapters/01_one/Cargo.toml", "[[example]]\nname = \"smallest_one\"");
    write("chapters/01_one/examples/smallest.rs", "fn main() { assert!(true) }");
    assert_eq!(unkept(folder.path()), Vec::<String>::new());
    write("chapters/01_one/examples/smallest.rs", &"use workbench;\n".repeat(91));
    for path in ["README.md", "chapters/README.md", "chapters/01_one/README.md"] {
        write(path, "");
    }
    assert_eq!(unkept(folder.path()).len(), 7);
}
