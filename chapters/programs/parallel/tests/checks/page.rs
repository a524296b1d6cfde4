//! What the book prints is what the grammar says today.

#[path = "../../examples/rules.rs"]
#[allow(dead_code)]
mod rules;

#[test]
fn the_printed_examples_are_generated_ones() {
    let printed = include_str!("../../examples/rules.txt");
    let hint = "run: cargo run -p parallel --example rules > chapters/programs/parallel/examples/rules.txt";
    assert!(rules::text() == printed, "{hint}");
}
