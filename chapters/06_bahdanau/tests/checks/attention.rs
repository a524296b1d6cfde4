//! The three operations against sentence-by-sentence attention with earlier chapters' means.

use bahdanau::attention::{additive_scores, contexts, softmax_in_segments};
use scoring_functions::{Additive, Sequences};
use shared::{Matrix, Tape, Var, rng};
use std::ops::Range;
use tests::assert_close;

fn uneven(rows: usize, columns: usize, phase: f32) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| 1.5 * (1.3 * i as f32 + 2.1 * j as f32 + phase).sin())
}

/// Sentences of 4, 1, 3 and 2 words.
const OFFSETS: [usize; 5] = [0, 4, 5, 8, 10];

/// Weights (1, n) and contexts (3, 4), query by query, with the scores of chapter 3.
fn naive<'t>(
    score: &Additive,
    states: Var<'t>,
    values: Var<'t>,
    words: &[Range<usize>; 4],
) -> (Var<'t>, Var<'t>) {
    let attended = (0..4).map(|j| {
        let h = values.columns(words[j].start, words[j].len());
        let alpha = score.forward(states.columns(j, 1), h).softmax(); // (m, 1)
        (alpha.transpose(), h * alpha)
    });
    let (alphas, contexts): (Vec<_>, Vec<_>) = attended.unzip();
    (Var::side_by_side(&alphas), Var::side_by_side(&contexts))
}

fn fast<'t>(
    score: &Additive,
    states: Var<'t>,
    values: Var<'t>,
    words: &[Range<usize>; 4],
) -> (Var<'t>, Var<'t>) {
    let (q, k) = (score.w_q.forward(states), score.w_k.forward(values));
    let sequences = Sequences::per_query(words.clone());
    let e = additive_scores(q, k, states.tape().param(&score.v), &sequences);
    let alpha = softmax_in_segments(e, &sequences);
    (alpha, contexts(values, alpha, &sequences))
}

#[test]
fn values_and_gradients_equal_attention_query_by_query() {
    same_as_query_by_query(&[0..4, 4..5, 5..8, 8..10]);
}

#[test]
fn queries_may_ask_about_the_same_words() {
    same_as_query_by_query(&[5..8, 0..4, 5..8, 6..10]);
}

type Attend =
    fn(&Additive, Var<'static>, Var<'static>, &[Range<usize>; 4]) -> (Var<'static>, Var<'static>);

fn same_as_query_by_query(words: &[Range<usize>; 4]) {
    let score = Additive::new(5, 3, 6, &mut rng(0));
    let n = words.iter().map(Range::len).sum();
    let dy = (uneven(1, n, 0.3), uneven(3, 4, 0.9));
    let run = |attend: Attend| {
        let tape = Tape::leaked();
        let (states, values) = (tape.leaf(uneven(5, 4, 0.5)), tape.leaf(uneven(3, 10, 1.5)));
        let (alpha, c) = attend(&score, states, values, words);
        let outputs = (alpha.value(), c.value());
        let loss = alpha.component_mul(tape.constant(dy.0.clone())).sum()
            + c.component_mul(tape.constant(dy.1.clone())).sum();
        let gradients = loss.backward();
        let params = [&score.w_q.weight, &score.w_k.weight, &score.v];
        let of = params.map(|param| gradients.of(param).unwrap().clone());
        (outputs, gradients.wrt(states), gradients.wrt(values), of)
    };
    let (fast, naive) = (run(fast), run(naive));
    assert_close!(&*fast.0.0, &*naive.0.0, 1e-6);
    assert_close!(&*fast.0.1, &*naive.0.1, 1e-6);
    assert_close!(fast.1, naive.1, 1e-6);
    assert_close!(fast.2, naive.2, 1e-6);
    for (fast, naive) in fast.3.iter().zip(&naive.3) {
        assert_close!(fast, naive, 1e-6);
    }
}

#[test]
fn sentences_that_are_finished_are_left_out() {
    let tape = Tape::new();
    let (q, k) = (tape.constant(uneven(6, 2, 0.1)), tape.leaf(uneven(6, 10, 0.2)));
    let v = tape.constant(uneven(6, 1, 0.3));
    let e = additive_scores(q, k, v, &Sequences::one_each(&OFFSETS[..=2]));
    assert_eq!(e.shape(), (1, 5));
    let dk = e.sum().backward().wrt(k);
    assert!(dk.columns(0, 5).iter().all(|d| *d != 0.0));
    assert!(dk.columns(5, 5).iter().all(|d| *d == 0.0));
}

#[test]
fn constant_keys_leave_the_other_gradients_as_they_are() {
    let gradients = |constant: bool| {
        let tape = Tape::new();
        let (q, v) = (tape.leaf(uneven(6, 4, 0.1)), tape.leaf(uneven(6, 1, 0.3)));
        let k = uneven(6, 10, 0.2);
        let k = if constant { tape.constant(k) } else { tape.leaf(k) };
        let gradients = additive_scores(q, k, v, &Sequences::one_each(&OFFSETS)).sum().backward();
        (gradients.wrt(q), gradients.wrt(v))
    };
    assert_eq!(gradients(true), gradients(false));
}

#[test]
#[should_panic(expected = "queries (6, 3) and keys (6, 10) in sequences of 4 queries")]
fn a_query_is_needed_for_every_sentence() {
    let tape = Tape::new();
    let (q, k) = (tape.constant(uneven(6, 3, 0.1)), tape.constant(uneven(6, 10, 0.2)));
    additive_scores(q, k, tape.constant(uneven(6, 1, 0.3)), &Sequences::one_each(&OFFSETS));
}
