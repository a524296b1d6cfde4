//! What names a version names the one of the workspace.

const VERSION: &str = env!("CARGO_PKG_VERSION");

#[test]
fn changes_and_citation_are_those_of_this_version() {
    let mut heads =
        include_str!("../../CHANGELOG.md").lines().filter_map(|line| line.strip_prefix("## "));
    let (version, date) = heads
        .find(|head| *head != "Unreleased")
        .and_then(|head| head.split_once(" – "))
        .expect("a version and a date");
    assert_eq!(version, VERSION);
    let citation = include_str!("../../CITATION.cff");
    let value = |name: &str| {
        let line = citation.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_else(|| panic!("no `{name}`")).trim_matches(['"', ' '])
    };
    assert_eq!((value("version:"), value("date-released:")), (VERSION, date));
}
