//! chrF against sacreBLEU: `tests/golden/chrf.py`.

use seq2seq::chrf::{LetterCounts, corpus_chrf};
use tests::assert_close;

fn words(line: &str) -> Vec<String> {
    line.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[test]
fn chrf_is_what_sacrebleu_computes() {
    let golden = tests::golden::load("chrf");
    let points = golden.indices("texts");
    let mut points = points.iter().map(|&point| char::from_u32(point as u32).expect("a character"));
    let lengths = golden.indices("lengths").into_iter();
    let texts: Vec<Vec<String>> =
        lengths.map(|length| words(&points.by_ref().take(length).collect::<String>())).collect();
    let mut rest = texts.chunks(2);
    let expected: Vec<f64> = golden.values("sacrebleu");
    let sizes = golden.indices("corpora");
    assert_eq!((sizes.len(), expected.len()), (36, 36));
    for (i, (size, expected)) in sizes.into_iter().zip(expected).enumerate() {
        let pairs: Vec<_> = rest.by_ref().take(size).collect();
        let side = |side: usize| pairs.iter().map(|pair| pair[side].clone()).collect::<Vec<_>>();
        assert_close!(corpus_chrf(&side(0), &side(1)), expected, 1e-11, "corpus {i}");
    }
    assert!(rest.next().is_none());
}

#[test]
fn letters_are_counted_across_blanks_and_clipped() {
    let counts = LetterCounts::of(&words("a a b"), &words("ab a"));
    assert_eq!(counts.matches, [3, 1, 0, 0, 0, 0]); // aab, aba: a, a, b; ab
    assert_eq!(counts.candidate, [3, 2, 1, 0, 0, 0]);
    assert_eq!(counts.reference, counts.candidate);
    let (p, r) = ((1.0 + 0.5 + 0.0) / 3.0, (1.0 + 0.5 + 0.0) / 3.0);
    assert_close!(counts.chrf(), 100.0 * 5.0 * p * r / (4.0 * p + r), 1e-12);
    assert_eq!(LetterCounts::default().chrf(), 0.0);
}
