//! The course has a size: no file of Rust is longer than a reader takes in at one sitting, and no part of the course
//! has more lines than the table allows. Who raises a number says in the commit what the lines bought.

use std::fs;
use std::path::Path;

const LONGEST: usize = 400;

/// Lines of Rust below a path, `*` for any one name in it; a path counts what stands in no longer one of its kind.
#[rustfmt::skip]
const PARTS: &[(&str, usize)] = &[
    ("", 0),
];

/// Of every chapter: mathematics, program with its world, checks and gradients, exercises with solutions and suites.
#[rustfmt::skip]
const CHAPTERS: &[(&str, [usize; 4])] = &[
];

/// The four columns of [`CHAPTERS`], by what a path inside of a chapter begins with; the last that fits counts.
const COLUMNS: &[(&str, usize)] = &[
    ("src/", 0),
    ("examples/", 0),
    ("src/program/", 1),
    ("src/main.rs", 1),
    ("src/translating/", 1),
    ("src/world/", 1),
    ("tests/", 2),
    ("exercises/", 3),
    ("solutions/", 3),
    ("tests/exercises/", 3),
];

#[test]
fn no_file_is_too_long_and_no_part_too_large() {
    let files = files();
    assert!(files.len() > 300, "only {} files found", files.len());
    let long = files.iter().filter(|(_, lines)| *lines > LONGEST);
    let long = long.map(|(path, lines)| format!("{path}: {lines} lines, {LONGEST} at most"));
    let below = |begin: &str| -> usize {
        files.iter().filter(|(path, _)| path.starts_with(begin)).map(|(_, lines)| lines).sum()
    };
    let part = |(path, most): &(&str, usize)| {
        let lines = below(path);
        (lines > *most).then(|| format!("{path}: {lines} lines, {most} at most"))
    };
    let chapter = |(name, most): &(&str, [usize; 4])| {
        let begin = format!("chapters/{name}/");
        let mut lines = [0; 4];
        for (path, count) in files.iter().filter_map(|(path, n)| Some((path.strip_prefix(&begin)?, n))) {
            let column = COLUMNS.iter().rev().find(|(begin, _)| path.starts_with(begin));
            lines[column.unwrap_or_else(|| panic!("{begin}{path} is of no kind")).1] += count;
        }
        (0..4).any(|i| lines[i] > most[i]).then(|| format!("{begin}: {lines:?} lines, {most:?} at most"))
    };
    let faults: Vec<String> =
        long.chain(PARTS.iter().filter_map(part)).chain(CHAPTERS.iter().filter_map(chapter)).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Every file of Rust with its lines; those that were built aside.
fn files() -> Vec<(String, usize)> {
    fn visit(folder: &Path, root: &Path, found: &mut Vec<(String, usize)>) {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            let kind = entry.file_type().expect("a kind");
            if kind.is_dir() && name != "target" && !name.starts_with('.') {
                visit(&path, root, found);
            } else if kind.is_file() && name.ends_with(".rs") {
                let lines = fs::read_to_string(&path).expect("text").lines().count();
                let inside = path.strip_prefix(root).expect("below the root");
                found.push((inside.to_string_lossy().replace('\\', "/"), lines));
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    visit(&root, &root, &mut found);
    found
}
