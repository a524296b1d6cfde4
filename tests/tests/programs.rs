//! What all programs have in common, by their text: how they write, and what their help says.

use std::fs;
use std::path::Path;

/// All that writes files elsewhere than through `Output` and `write_marked`, which go over nothing but
/// what a program wrote itself.
const WRITERS: [(&str, &str); 3] = [
    ("11_bert/src/interchange/mod.rs", "create_dir_all("),
    ("11_bert/src/interchange/mod.rs", "write_together("), // asked before by `must_be_replaceable`
    ("11_bert/src/experiment/texts/corpus.rs", "Store::write("), // asked before by `will_write`
];

#[test]
fn programs_write_only_over_their_own() {
    let calls = [
        "fs::write(",
        "File::create",
        "OpenOptions",
        "create_dir",
        "files::write",
        "Store::write(",
    ];
    let mut found = Vec::new();
    visit(&chapters(), &mut |place, text| {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code.filter(|line| calls.iter().any(|call| line.contains(call))) {
            found.push(format!("{place}: {}", line.trim()));
        }
    });
    let is_known = |line: &String| {
        WRITERS.iter().any(|(place, call)| line.starts_with(place) && line.contains(call))
    };
    assert_eq!(found.len(), WRITERS.len(), "{found:#?}");
    assert!(found.iter().all(is_known), "{found:#?}");
}

/// A link of rustdoc is none in a terminal.
#[test]
fn help_has_no_links() {
    let mut found = Vec::new();
    visit(&chapters(), &mut |place, text| {
        let (mut doc, mut of_arguments) = (Vec::new(), false);
        for line in text.lines() {
            let bare = line.trim_start();
            if bare.starts_with("///") {
                doc.push(bare);
                continue;
            }
            of_arguments |= ["Args", "Parser", "Subcommand", "ValueEnum"]
                .iter()
                .any(|derived| bare.starts_with("#[") && bare.contains(derived));
            if !bare.starts_with("#[") {
                let links = doc.drain(..).filter(|line| of_arguments && line.contains("[`"));
                found.extend(links.map(|line| format!("{place}: {line}")));
                of_arguments &= line != "}";
            }
        }
    });
    assert!(found.is_empty(), "{found:#?}");
}

fn chapters() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../chapters")
}

/// The sources of the programs below a folder, by their place in it.
fn visit(folder: &Path, read: &mut impl FnMut(&str, &str)) {
    let entries =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    for path in entries {
        let place = path.strip_prefix(chapters()).expect("below").to_string_lossy().into_owned();
        if path.is_dir() {
            visit(&path, read);
        } else if place.contains("/src/") && !place.starts_with("theme") && place.ends_with(".rs") {
            read(&place, &fs::read_to_string(&path).expect("text"));
        }
    }
}
