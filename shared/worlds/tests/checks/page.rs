//! What the book prints is what the grammar says today.

#[path = "../../examples/rules.rs"]
#[allow(dead_code)]
mod rules;

#[test]
fn the_printed_examples_are_generated_ones() {
    let printed = include_str!("../../examples/rules.txt");
    let hint = "run: cargo run -p worlds --example rules > shared/worlds/examples/rules.txt";
    assert!(rules::text() == printed, "{hint}");
}

#[test]
fn every_rule_has_an_example() {
    for part in rules::text().split("ANCHOR: ").skip(1) {
        let name = part.lines().next().unwrap();
        assert!(part.lines().count() >= 5, "no example of {name}");
    }
}

#[test]
fn there_are_more_than_a_million_sentences() {
    assert!(rules::present_transitive() > 1_000_000);
}
