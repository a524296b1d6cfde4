//! Prints what chapter 5 shows of byte-pair encoding: merge by merge, how four words become pieces.
//!
//! ```sh
//! cargo run -p corpora --example pieces > chapters/programs/corpora/examples/pieces.txt
//! ```
//!
//! A test compares that file with what is printed here.

use corpora::Vocabulary;
use std::iter::repeat_n;

fn main() {
    print!("{}", text());
}

/// The dictionary of Sennrich et al. 2016, algorithm 1: how often each word occurs.
const WORDS: [(&str, usize); 4] = [("low", 5), ("lower", 2), ("newest", 6), ("widest", 3)];
/// The words' letters, the blank and the special words: what there is before the first merge.
const BEGIN: usize = 10 + 1 + 3;
const MERGES: usize = 8;

/// The whole file. Lines with ANCHOR are for the book.
pub fn text() -> String {
    let words: Vec<String> =
        WORDS.iter().flat_map(|(word, times)| repeat_n(word.to_string(), *times)).collect();
    let after = |merges| Vocabulary::of_pieces(words.iter(), BEGIN + merges).expect("few pieces");
    let merges = after(MERGES).merges().expect("pieces").to_vec();
    let told = WORDS.map(|(word, times)| format!("{word} × {times}"));
    let mut table =
        row("merge", "times", told) + &row("", "", WORDS.map(|(word, _)| shown(&after(0), word)));
    for (number, (a, b)) in merges.iter().enumerate() {
        let before = after(number);
        let times: usize =
            WORDS.iter().map(|(word, times)| times * pairs(&before, word, a, b)).sum();
        let merge = format!("{} + {}", visible(a), visible(b));
        table += &row(
            &merge,
            &times.to_string(),
            WORDS.map(|(word, _)| shown(&after(number + 1), word)),
        );
    }
    let new =
        ["lowest", "slowest"].map(|word| format!("{word} → {}\n", shown(&after(MERGES), word)));
    format!(
        "ANCHOR: merges\n{table}ANCHOR_END: merges\nANCHOR: new\n{}ANCHOR_END: new\n",
        new.concat()
    )
}

fn row(merge: &str, times: &str, words: [String; 4]) -> String {
    let [low, lower, newest, widest] = words;
    let line = format!("{merge:11} {times:>5}   {low:9} {lower:13} {newest:15} {widest}");
    line.trim_end().to_owned() + "\n"
}

fn pieces<'v>(vocabulary: &'v Vocabulary, word: &str) -> Vec<&'v str> {
    let numbers = vocabulary.encode(&[word.to_owned()]);
    numbers.into_iter().map(|number| vocabulary.word(number)).collect()
}

/// How often a piece follows another in a word.
fn pairs(vocabulary: &Vocabulary, word: &str, a: &str, b: &str) -> usize {
    pieces(vocabulary, word).windows(2).filter(|two| *two == [a, b]).count()
}

fn shown(vocabulary: &Vocabulary, word: &str) -> String {
    pieces(vocabulary, word).into_iter().map(visible).collect::<Vec<_>>().join(" ")
}

fn visible(piece: &str) -> String {
    piece.replace(' ', "␣")
}
