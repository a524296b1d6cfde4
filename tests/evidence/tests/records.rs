//! What the committed records say: claims follow from their numbers and stand on the pages with their outcome;
//! figures are what they give.

use evidence::{CHAPTERS, Claim, Comparison, Numbers};
use std::fs::{read_to_string, write};
use std::path::{Path, PathBuf};

fn read(path: &Path) -> String {
    read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every comparison with the folder of its chapter and what its record holds.
fn each(check: impl Fn(&Comparison, PathBuf, Numbers)) {
    let chapters = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../chapters");
    for comparison in CHAPTERS.iter().flat_map(|(_, comparisons)| *comparisons) {
        let numbers = serde_json::from_str(&read(&chapters.join(comparison.record)));
        let numbers = numbers.unwrap_or_else(|error| panic!("{}: {error}", comparison.record));
        check(comparison, chapters.join(comparison.chapter()), numbers);
    }
}

#[test]
fn claims_follow_from_the_numbers_and_stand_on_the_pages() {
    each(|comparison, folder, numbers| {
        let (judged, record) = (comparison.judged(&numbers), comparison.record);
        assert_eq!(judged, numbers.claims, "{record}");
        assert_eq!(judged.len(), comparison.claims.len(), "{record}: a row is missing");
        let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let pages = files.filter(|file| file.extension().is_some_and(|ending| ending == "md"));
        let pages: String = pages.map(|page| read(&page)).collect();
        for Claim { claim, holds } in judged.values() {
            let outcome = match holds {
                Some(true) => "held",
                Some(false) => "**failed**",
                None => "not decided",
            };
            let row = format!("| {claim} | {outcome} |");
            assert!(pages.contains(&row), "{record}: the pages do not say: {row}");
        }
    });
}

/// `REDRAW=1 cargo test -p evidence` writes them instead: after a change of a drawing nothing runs again.
#[test]
fn figures_are_drawn_from_the_records() {
    each(|comparison, folder, numbers| {
        for (name, draw) in comparison.figures {
            let path = folder.join(format!("figures/{name}.svg"));
            let figure = draw(&numbers).to_string();
            if std::env::var_os("REDRAW").is_some() {
                write(&path, &figure).unwrap();
            }
            let committed = read(&path);
            let computed = COMPUTED.contains(&comparison.chapter()) && same(&committed, &figure);
            let path = path.display();
            assert!(
                committed == figure || computed,
                "{path} is not what the record gives; REDRAW=1 writes it"
            );
        }
    });
}

/// Chapters whose figures draw functions themselves: processors add up in different order.
const COMPUTED: [&str; 2] = ["01_kernel_regression", "02_parametric_attention"];

/// Whether two drawings differ by no more than a unit in the whole numbers of their coordinates.
fn same(one: &str, other: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let apart = |svg: &str| -> (Vec<String>, Vec<i64>) {
        let words = svg.split(is_digit).filter(|word| !word.is_empty()).map(String::from);
        let numbers = svg.split(|c| !is_digit(c)).filter_map(|number| number.parse().ok());
        (words.collect(), numbers.collect())
    };
    let ((words, numbers), (others, other_numbers)) = (apart(one), apart(other));
    words == others
        && numbers.len() == other_numbers.len()
        && numbers.iter().zip(&other_numbers).all(|(a, b)| (a - b).abs() <= 1)
}
