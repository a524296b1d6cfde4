//! Heads and masks.

use scoring_functions::{Additive, Score};
use self_attention::{SelfAttention, first_word, heads};
use shared::{Embedding, Matrix, Rng, Tape, rng};
use tests::assert_close;

fn normal(d: usize, n: usize, rng: &mut Rng) -> Matrix {
    Embedding::new(n, d, rng).weight.value().clone()
}

/// One number after another, and all at once.
#[test]
fn the_first_word_is_the_first_column() {
    let rng = &mut rng(4);
    let (head, x) = (SelfAttention::new(512, 64, rng), normal(512, 2, rng));
    let [.., alpha, y_1] = first_word(&head, &x);
    let all = head.forward(Tape::new().leaf(x)).value();
    assert_close!(y_1, all.columns(0, 1).into_owned(), 1e-5);
    assert_close!(alpha.sum(), 1.0, 1e-6);
}

/// A head may have any score: each block of rows is what that score gives alone.
#[test]
fn every_head_may_have_a_score_of_its_own() {
    let (rng, tape) = (&mut rng(2), Tape::new());
    let x = tape.constant(normal(8, 5, rng));
    let scores = [Score::Dot, Score::Additive(Additive::new(4, 4, 3, rng))];
    let both = heads(&scores, x, x, x).value();
    for (i, score) in scores.iter().enumerate() {
        let block = x.rows(4 * i, 4);
        let alone = score.attend(block, block, block).value();
        assert_close!(both.rows(4 * i, 4).into_owned(), *alone, 1e-6);
    }
}

#[test]
#[should_panic(expected = "2 heads do not divide the rows")]
fn heads_that_do_not_divide_are_refused() {
    let tape = Tape::new();
    let x = tape.constant(Matrix::zeros(5, 2));
    heads(&[Score::Dot, Score::Dot], x, x, x);
}
