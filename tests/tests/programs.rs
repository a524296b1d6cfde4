//! What all programs have in common, by their text: what they write with, and what their help says.

use std::fs;
use std::path::{Path, PathBuf};

/// All that writes files elsewhere than through `Output` and `write_marked`, which go over nothing but
/// what a program wrote itself.
const WRITERS: [&str; 3] = [
    "11_bert/src/interchange/mod.rs: create_dir",
    "11_bert/src/interchange/mod.rs: files::write", // asked before by `must_be_replaceable`
    "11_bert/src/program/texts/corpus.rs: Store::write", // asked before by `will_write`
];

#[test]
fn programs_write_only_over_their_own() {
    let mut found = Vec::new();
    visit(&chapters(), &mut |place, text| {
        for call in [
            "fs::write",
            "File::create",
            "OpenOptions",
            "create_dir",
            "files::write",
            "Store::write",
        ] {
            found.extend(text.contains(call).then(|| format!("{place}: {call}")));
        }
    });
    found.sort();
    assert_eq!(found, WRITERS);
}

/// A link of rustdoc is none in a terminal.
#[test]
fn help_has_no_links() {
    let mut found = Vec::new();
    visit(&chapters(), &mut |place, text| {
        let (mut doc, mut is_help) = (Vec::new(), false);
        for line in text.lines().map(str::trim_end) {
            let bare = line.trim_start();
            let derives = ["Args", "Parser", "Subcommand", "ValueEnum"];
            is_help |= bare.starts_with("#[") && derives.iter().any(|name| bare.contains(name));
            if bare.starts_with("///") {
                doc.push(format!("{place}: {bare}"));
            } else if !bare.starts_with("#[") {
                found.extend(doc.drain(..).filter(|line| is_help && line.contains("[`")));
                is_help &= line != "}";
            }
        }
    });
    assert!(found.is_empty(), "{found:#?}");
}

fn chapters() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../chapters")
}

/// The sources of the programs below a folder, by their place among the chapters.
fn visit(folder: &Path, read: &mut impl FnMut(&str, &str)) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let place = path.strip_prefix(chapters()).expect("below").to_string_lossy().into_owned();
        if path.is_dir() {
            visit(&path, read);
        } else if place.contains("/src/")
            && place.starts_with(|c: char| c.is_ascii_digit())
            && place.ends_with(".rs")
        {
            read(&place, &fs::read_to_string(&path).expect("text"));
        }
    }
}
