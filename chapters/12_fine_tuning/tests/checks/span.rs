//! Answers that are marked in a passage.

use bert::{Bert, Config, Special};
use fine_tuning::span::f1;
use fine_tuning::{SpanReader, Spans, best_span};
use rand::RngExt;
use shared::{Matrix, Tape, rng};
use tests::assert_close;

const SPECIAL: Special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };

fn model() -> SpanReader {
    let sizes = Config { width: 8, feed_forward: 12, heads: 2, blocks: 2, ..Config::BASE };
    let config = Config { vocabulary: 12, longest: 16, dropout: 0.0, deviation: 0.5, ..sizes };
    SpanReader::new(Bert::new(&config, &mut rng(1)), &config, &mut rng(2))
}

fn questions() -> [Spans; 2] {
    [
        Spans::of(&[5, 8], &[7, 6, 9, 10], [1, 2], &SPECIAL),
        Spans::of(&[6], &[5, 7, 11], [2, 2], &SPECIAL),
    ]
}

/// A batch is its questions, and the loss is the definition: two softmaxes over the tokens of one passage.
#[test]
fn every_passage_has_a_softmax_of_its_own() {
    let (model, tape) = (model(), Tape::no_grad());
    let parts = questions();
    let together = Spans::side_by_side(&parts);
    let mut expected = 0.0;
    for part in &parts {
        let scores = model.scores(&tape, part).value();
        for (row, right) in scores.row_iter().zip(part.answers[0]) {
            let sum: f32 = row.iter().map(|x| x.exp()).sum();
            expected += sum.ln() - row[right];
        }
    }
    assert_close!(model.loss(&tape, &together).scalar(), expected, 1e-5);
    let alone: Vec<_> = parts.iter().flat_map(|part| model.answers(part, 3)).collect();
    assert_eq!(model.answers(&together, 3), alone);
}

/// No other span that is allowed has a larger sum, over many random scores.
#[test]
fn the_best_span_is_the_best_of_all() {
    let rng = &mut rng(3);
    for _ in 0..500 {
        let (n, longest) = (rng.random_range(1..9), rng.random_range(1..5));
        let scores = Matrix::from_fn(2, n, |_, _| rng.random_range(-3.0..3.0));
        let sum = |[start, end]: [usize; 2]| scores[(0, start)] + scores[(1, end)];
        let pairs = (0..n).flat_map(|start| (0..n).map(move |end| [start, end]));
        let allowed = pairs.filter(|[start, end]| start <= end && end - start < longest);
        let all: Vec<_> = allowed.collect();
        let best = best_span(&scores, longest);
        assert!(all.contains(&best) && all.iter().all(|one| sum(*one) <= sum(best)), "{scores}");
    }
}

#[test]
fn f1_is_one_for_the_answer_alone_and_counts_words_once() {
    assert_eq!(f1(&["red", "mill"], &["mill", "red"]), 1.0);
    assert_eq!(f1(&["mill", "mill"], &["mill"]), 2.0 / 3.0);
    assert_eq!(f1(&["mill"], &["mill", "by", "the", "river"]), 0.4);
}
