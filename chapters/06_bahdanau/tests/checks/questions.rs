//! The answers of `questions.md`, computed.

use bahdanau::attention::additive_scores;
use bahdanau::{Bahdanau, Config, Reading};
use scoring_functions::Sequences;
use seq2seq::alignment::AlignmentErrors;
use seq2seq::{BEGIN, END, Sizes, Translator};
use shared::{Matrix, Tape, rng};
use tests::questions::{answers, option};

fn sizes() -> Sizes {
    Sizes { source_words: 9, target_words: 8, embedding: 3, hidden: 4, layers: 1, dropout: 0.0 }
}

#[test]
fn answers_are_those_computed() {
    let tape = Tape::no_grad();
    let [q, k, v] = [5, 7, 1].map(|n| tape.constant(Matrix::from_element(3, n, 0.1)));
    let scores = additive_scores(q, k, v, &Sequences::between(&[0, 5], &[0, 7])).shape().1;

    let reading = Reading::BothDirections;
    let config = Config { sizes: sizes(), reading, score: 4, state_dropout: 0.0 };
    let model = Bahdanau::new(&config, &mut rng(0));
    let looks = |first: usize| {
        let mut state = model.encode(&[&[3, 4, 5, END]]);
        [BEGIN, first, 6, 7].map(|last| model.next(&mut state, &[last]).alignments)
    };
    let (le, la) = (looks(4), looks(5));
    let changed = [1, 2, 3].map(|look| le[look] != la[look]); // for words 2, 3 and 4
    let first = |said: [bool; 3]| changed == said;
    let first = [first([true; 3]), first([false, true, true]), first([false; 3])];

    let sure = [(0, 0), (1, 1), (2, 2), (3, 3)];
    let found = [(0, 0), (1, 1), (2, 2), (0, 3), (1, 3)];
    let rate = AlignmentErrors::new(&found, &sure, &[]).rate();
    let (first, rate) = (option(first), format!("{rate:.2}"));
    let right = [("6a", scores.to_string()), ("6b", first), ("6c", rate)];
    answers(env!("CARGO_MANIFEST_DIR"), &right);
}
