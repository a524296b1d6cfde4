//! No file of Rust is longer than a reader takes in at one sitting.

use std::fs;
use std::path::Path;

const LONGEST: usize = 400;

#[test]
fn no_file_is_too_long() {
    let mut long = Vec::new();
    let read = visit(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut long);
    assert!(read > 300, "only {read} files found");
    assert!(long.is_empty(), "longer than {LONGEST} lines:\n{}", long.join("\n"));
}

/// How many files of Rust lie below `folder`, those of copies and of what was built aside.
fn visit(folder: &Path, long: &mut Vec<String>) -> usize {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let mut read = 0;
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let kind = entry.file_type().expect("a kind");
        if kind.is_dir() && name != "target" && !name.starts_with('.') {
            read += visit(&path, long);
        } else if kind.is_file() && name.ends_with(".rs") {
            read += 1;
            let lines = fs::read_to_string(&path).expect("text").lines().count();
            if lines > LONGEST {
                long.push(format!("{}: {lines}", path.display()));
            }
        }
    }
    read
}
