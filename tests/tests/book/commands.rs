//! A command that a page gives names packages, tests, benches and examples that exist; a path that
//! it gives leads somewhere.

use std::path::{Path, PathBuf};

use super::{Page, repository, small::proven};

/// Folders that a path written out in full begins with. (Chapters have a folder `tests`, too.)
const TOP: [&str; 4] = ["chapters/", "notebooks/", "shared/", "tests/"];
const OF_A_CHAPTER: [&str; 3] = ["tests/checks", "tests/exercises", "tests/gradients"];

/// A folder that is made on the way.
const MADE: &str = "notebooks/.venv";

/// Commands and paths that name what is not there.
pub fn commands(page: &Page) -> Vec<String> {
    let mut faults = Vec::new();
    for (at, line) in lines(&page.text) {
        let words: Vec<&str> = line.trim_end().split(['`', ' ', ',', '(', ')']).collect();
        for command in line.split('`').filter(|text| text.trim_start().starts_with("cargo ")) {
            faults.extend(absent_target(command).map(|what| page.fault(at, what)));
        }
        for word in words.iter().filter(|word| TOP.iter().any(|top| word.starts_with(top))) {
            let path = word.trim_end_matches(['.', ':', ';', '/']);
            let file = path.split(':').next().expect("a first part");
            let pattern = ["N", "*", "<", "…"].iter().any(|some| file.contains(some));
            let theirs = OF_A_CHAPTER.contains(&file) || file == MADE;
            let from_here = [repository(), page.folder().into()].map(|folder| folder.join(file));
            if !pattern && !theirs && !from_here.iter().any(|path| path.exists()) {
                faults.push(page.fault(at, format!("there is no `{file}`")));
            }
        }
    }
    faults
}

/// Lines with the place where they start.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |end, line| {
        let start = *end;
        *end += line.len();
        Some((start, line))
    })
}

/// What a command asks of Cargo that Cargo does not have.
fn absent_target(command: &str) -> Option<String> {
    let ours = command.split(" -- ").next().expect("a first part");
    let words: Vec<&str> = ours.split_whitespace().collect();
    let after = |option: &str| {
        let place = words.iter().position(|word| *word == option)?;
        words.get(place + 1).copied()
    };
    let package = after("-p")?;
    if package.contains(['<', '…']) || package == "chapter" || package == "name" {
        return None; // any
    }
    let Some(folder) = folder_of(package) else {
        return Some(format!("`{command}`: there is no package `{package}`"));
    };
    let kinds = [("--test", "tests"), ("--bench", "benches"), ("--example", "examples")];
    kinds.into_iter().find_map(|(option, kind)| {
        let target = after(option)?;
        let file = folder.join(kind).join(format!("{target}.rs"));
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        let exists = file.exists()
            || folder.join(kind).join(target).join("main.rs").exists()
            || manifest.contains(&format!("name = \"{target}\"\npath = \"{kind}/"));
        (!exists).then(|| format!("`{command}`: `{package}` has nothing for `{option} {target}`"))
    })
}

/// Where a package of the workspace stands.
fn folder_of(package: &str) -> Option<PathBuf> {
    let name = format!("name = \"{package}\"");
    let mut places = vec![repository().join("tests")];
    for parent in ["chapters", "chapters/programs", "chapters/theme", "shared", "tests", "."] {
        places.extend(folders(&repository().join(parent)));
    }
    places.into_iter().find(|folder| {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        manifest.lines().any(|line| line == name)
    })
}

fn folders(parent: &Path) -> impl Iterator<Item = PathBuf> {
    std::fs::read_dir(parent).into_iter().flatten().flatten().map(|entry| entry.path())
}

#[test]
fn commands_and_paths_that_lead_nowhere_are_found() {
    proven(
        commands,
        &[
            "`cargo test -p gradients --test checks operations`",
            "`cargo bench -p benches --bench products -- --table`",
            "in `chapters/programs/workbench/src/files.rs`, `chapters/NN_name/`",
        ],
        &[
            ("`cargo test -p nobody`", "no package `nobody`"),
            ("`cargo test -p gradients --test operations`", "nothing for `--test operations`"),
            (
                "see `chapters/programs/corpora/tests/french`.",
                "there is no `chapters/programs/corpora/tests/french`",
            ),
        ],
    );
}
