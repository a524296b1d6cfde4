//! BLEU against sacreBLEU and the textbook's formula: `tests/golden/bleu.py`.

use seq2seq::bleu::{Counts, corpus_bleu, corpus_bleu_many, short_bleu};
use seq2seq::bleu_13a::tokenize_13a;
use seq2seq::written::{BleuTokens, Case, text_counts};
use tests::assert_close;
use tests::golden::Golden;

/// The candidates of a corpus, and the references of each.
struct Corpus {
    candidates: Vec<Vec<String>>,
    references: Vec<Vec<Vec<String>>>,
}

fn corpora(golden: &Golden) -> Vec<Corpus> {
    let words: Vec<String> = golden.indices("words").iter().map(usize::to_string).collect();
    let mut rest = &words[..];
    let mut sentences = golden.indices("lengths").into_iter().map(|length| {
        let (sentence, others) = rest.split_at(length);
        rest = others;
        sentence.to_vec()
    });
    let mut corpora = Vec::new();
    for sizes in golden.indices("corpora").chunks(2) {
        let mut next = |count: usize| sentences.by_ref().take(count).collect::<Vec<_>>();
        let candidates = next(sizes[0]);
        let references = (0..sizes[0]).map(|_| next(sizes[1])).collect();
        corpora.push(Corpus { candidates, references });
    }
    assert!(sentences.next().is_none() && rest.is_empty());
    corpora
}

#[test]
fn bleu_is_what_sacrebleu_computes() {
    let golden = tests::golden::load("bleu");
    let expected: Vec<f64> = golden.values("sacrebleu");
    let corpora = corpora(&golden);
    assert_eq!(corpora.len(), 80);
    assert!(expected.iter().filter(|score| **score == 0.0).count() >= 5);
    for (i, (corpus, expected)) in corpora.iter().zip(expected).enumerate() {
        let Corpus { candidates, references } = corpus;
        // assert_close's tolerance is relative to 1 + |expected|: at most 1e-9 of a score of 100
        assert_close!(corpus_bleu_many(candidates, references), expected, 1e-11, "corpus {i}");
        if references[0].len() == 1 {
            assert_close!(
                corpus_bleu(candidates, &references.concat()),
                expected,
                1e-11,
                "corpus {i}"
            );
        }
    }
}

#[test]
fn short_bleu_is_the_textbooks_formula() {
    let golden = tests::golden::load("bleu");
    let expected: Vec<f64> = golden.values("textbook");
    for (i, corpus) in corpora(&golden).iter().enumerate() {
        for k in 1..=4 {
            let score = short_bleu(&corpus.candidates[0], &corpus.references[0][0], k);
            assert_close!(score, expected[4 * i + k - 1], 1e-12, "corpus {i}, k = {k}");
        }
    }
}

/// The sentences that are saved as code points and lengths.
fn texts(golden: &Golden, points: &str, lengths: &str) -> Vec<String> {
    let points = golden.indices(points);
    let mut points = points.iter().map(|&point| char::from_u32(point as u32).expect("a character"));
    let lengths = golden.indices(lengths).into_iter();
    let texts = lengths.map(|length| points.by_ref().take(length).collect()).collect();
    assert!(points.next().is_none());
    texts
}

#[test]
fn bleu_of_sentences_as_they_are_written_is_what_sacrebleu_prints() {
    let golden = tests::golden::load("bleu");
    let texts = texts(&golden, "texts", "text_lengths");
    let expected: [Vec<f64>; 2] =
        ["sacrebleu_mixed", "sacrebleu_lower"].map(|name| golden.values(name));
    assert!(
        expected[0].iter().zip(&expected[1]).filter(|(mixed, lower)| mixed < lower).count() > 9
    );
    let mut rest = texts.chunks(2);
    for (i, size) in golden.indices("written_corpora").into_iter().enumerate() {
        let pairs: Vec<_> = rest.by_ref().take(size).collect();
        for (case, expected) in [Case::Mixed, Case::Lower].into_iter().zip(&expected) {
            let mut sum = Counts::default();
            for pair in &pairs {
                sum += &text_counts(&pair[0], &pair[1], BleuTokens::Mteval13a, case);
            }
            assert_close!(sum.bleu(), expected[i], 1e-11, "corpus {i}, {case:?}");
        }
    }
    assert!(rest.next().is_none());
}

#[test]
fn tokens_13a_are_those_of_sacrebleu() {
    let golden = tests::golden::load("bleu");
    let texts = texts(&golden, "texts", "text_lengths");
    let tokens = self::texts(&golden, "tokens", "token_lengths");
    assert_eq!(texts.len(), tokens.len());
    for (text, tokens) in texts.iter().zip(tokens) {
        assert_eq!(tokenize_13a(text, Case::Mixed).join(" "), tokens, "{text:?}");
    }
}

/// On as many lines as one likes, from a file: lists of a line, its tokens 13a, these in lower case, and the
/// tokens zh and char.
#[test]
#[ignore = "tests/golden/bleu.py runs it, on a file of random lines"]
fn tokens_of_a_file() {
    let path = std::env::var_os("TOKENS").expect("TOKENS names a file");
    let text = std::fs::read(path).expect("a file");
    let lines: Vec<(String, [Vec<String>; 4])> = serde_json::from_slice(&text).unwrap();
    assert!(!lines.is_empty());
    for (line, [mixed, lower, zh, char]) in lines {
        assert_eq!(tokenize_13a(&line, Case::Mixed), mixed, "{line:?}");
        assert_eq!(tokenize_13a(&line, Case::Lower), lower, "{line:?} in lower case");
        assert_eq!(BleuTokens::Zh.tokenize(&line, Case::Mixed), zh, "{line:?}");
        assert_eq!(BleuTokens::Char.tokenize(&line, Case::Mixed), char, "{line:?}");
    }
}

#[test]
#[should_panic(expected = "1 candidates, but 2 references")]
fn as_many_references_as_candidates() {
    corpus_bleu(&[vec![]], &[vec![], vec![]]);
}
