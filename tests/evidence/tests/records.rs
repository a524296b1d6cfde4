//! What the committed records say: claims follow from their numbers and stand on the pages with their outcome;
//! figures are what they give.

use evidence::{CHAPTERS, Comparison, Numbers};
use std::path::Path;

fn each(check: impl Fn(&Comparison, &str, Numbers)) {
    let chapters = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../chapters");
    for comparison in CHAPTERS.iter().flat_map(|(_, comparisons)| *comparisons) {
        let folder = chapters.join(comparison.chapter());
        let record = chapters.join(comparison.record);
        let text = std::fs::read_to_string(&record);
        let text = text.unwrap_or_else(|error| panic!("{}: {error}", record.display()));
        let numbers = serde_json::from_str(&text);
        let numbers = numbers.unwrap_or_else(|error| panic!("{}: {error}", record.display()));
        check(comparison, folder.to_str().expect("a name"), numbers);
    }
}

#[test]
fn claims_follow_from_the_numbers_and_stand_on_the_pages() {
    each(|comparison, folder, numbers| {
        let judged = comparison.judged(&numbers);
        assert_eq!(judged, numbers.claims, "{}", comparison.record);
        assert_eq!(
            judged.len(),
            comparison.claims.len(),
            "{}: a row is missing",
            comparison.record
        );
        if !judged.is_empty() {
            tests::chapter::claims_on_page(folder, &judged);
        }
    });
}

/// `REDRAW=1 cargo test -p evidence` writes them instead.
#[test]
fn figures_are_drawn_from_the_records() {
    each(|comparison, folder, numbers| {
        let drawn = comparison.figures.iter().map(|(name, draw)| (*name, draw(&numbers)));
        tests::chapter::figures(folder, drawn);
    });
}
