//! What the book prints is what the library does today.

#[path = "../../examples/pieces.rs"]
#[allow(dead_code)]
mod pieces;

#[test]
fn the_printed_merges_are_those_of_the_library() {
    let printed = include_str!("../../examples/pieces.txt");
    let hint = "run: cargo run -p corpora --example pieces > chapters/programs/corpora/examples/pieces.txt";
    assert!(pieces::text() == printed, "{hint}");
}
