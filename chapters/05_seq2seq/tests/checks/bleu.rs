//! BLEU against sacreBLEU and the textbook's formula: `tests/golden/bleu.py`.

use seq2seq::bleu::{corpus_bleu, corpus_bleu_many, short_bleu};
use tests::assert_close;

/// The candidates of a corpus, and the references of each.
struct Corpus {
    candidates: Vec<Vec<String>>,
    references: Vec<Vec<Vec<String>>>,
}

fn corpora(golden: &tests::golden::Golden) -> Vec<Corpus> {
    let words: Vec<String> = golden.indices("words").iter().map(usize::to_string).collect();
    let mut rest = &words[..];
    let cut = |length: usize| {
        let (sentence, others) = rest.split_at(length);
        rest = others;
        sentence.to_vec()
    };
    let mut sentences = golden.indices("lengths").into_iter().map(cut);
    let corpus = |sizes: &[usize]| {
        let mut next = |count: usize| sentences.by_ref().take(count).collect::<Vec<_>>();
        let candidates = next(sizes[0]);
        Corpus { candidates, references: (0..sizes[0]).map(|_| next(sizes[1])).collect() }
    };
    let corpora = golden.indices("corpora").chunks(2).map(corpus).collect();
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

#[test]
#[should_panic(expected = "1 candidates, but 2 references")]
fn as_many_references_as_candidates() {
    corpus_bleu(&[vec![]], &[vec![], vec![]]);
}
