//! The page's example “river bank”, number by number. Scores are not divided by √d until a head has one row.

use scoring_functions::{AttentionMask, Score, Sequences};
use self_attention::{MultiHead, SelfAttention, heads, plain};
use shared::{Float, Linear, Matrix, Tape, Var, rng};
use tests::assert_close;

const RIVER: [Float; 2] = [2.0, 0.0];
const BANK: [Float; 2] = [1.0, 1.0];
const MONEY: [Float; 2] = [0.0, 2.0];

fn words<'t>(tape: &'t Tape, words: &[[Float; 2]]) -> Var<'t> {
    tape.constant(Matrix::from_column_slice(2, words.len(), words.as_flattened()))
}

fn set<const N: usize>(layers: [&mut Linear; N], rows: [[Float; 4]; N]) {
    let matrices = rows.map(|rows| Matrix::from_row_slice(2, 2, &rows));
    layers.into_iter().zip(matrices).for_each(|(layer, w)| *layer.weight.value_mut() = w);
}

#[test]
fn bank_becomes_a_mean_without_matrices() {
    let tape = Tape::new();
    let x = words(&tape, &[RIVER, BANK]);
    assert_close!(*x.tr_mul(x).value(), Matrix::from_row_slice(2, 2, &[4.0, 2.0, 2.0, 2.0]), 1e-6);
    let y = heads(&[Score::Dot], x, x, x).value();
    assert_close!(*y, *words(&tape, &[[1.88, 0.12], [1.5, 0.5]]).value(), 5e-3);
    for (neighbour, bank) in [(RIVER, [1.5, 0.5]), (MONEY, [0.5, 1.5])] {
        let y = plain(words(&tape, &[neighbour, BANK])).value();
        assert_close!(y.column(1).as_slice(), bank.as_slice(), 1e-6);
    }
}

#[test]
fn bank_asks_for_water_with_three_matrices() {
    let mut head = SelfAttention::new(2, 2, &mut rng(0));
    let rows = [[0.0, 1.0, -1.0, 1.0], [1.0, -1.0, 0.0, 1.0], [1.0, -1.0, -1.0, 1.0]];
    set([&mut head.w_q, &mut head.w_k, &mut head.w_v], rows);
    let tape = Tape::new();
    let x = words(&tape, &[RIVER, BANK, MONEY]);
    let [q, k, v] = [&head.w_q, &head.w_k, &head.w_v].map(|w| w.forward(x));
    assert_close!(*q.value(), *words(&tape, &[[0.0, -2.0], [1.0, 0.0], [2.0, 2.0]]).value(), 1e-6);
    assert_close!(*k.value(), *words(&tape, &[[2.0, 0.0], [0.0, 1.0], [-2.0, 2.0]]).value(), 1e-6);
    assert_close!(*v.value(), *words(&tape, &[[2.0, -2.0], [0.0, 0.0], [-2.0, 2.0]]).value(), 1e-6);
    let scores = [[0.0, -2.0, -4.0], [2.0, 0.0, -2.0], [4.0, 2.0, 0.0]]; // a word's, a column
    assert_close!(k.tr_mul(q).value().as_slice(), scores.as_flattened(), 1e-6);
    for (first, arrow) in [(0, [1.76, -1.76]), (1, [-0.24, 0.24])] {
        let [k, v] = [k, v].map(|x| x.columns(first, 2));
        let y = heads(&[Score::Dot], q.columns(1, 1), k, v).value();
        assert_close!(y.as_slice(), arrow.as_slice(), 5e-3);
    }
}

/// What the layer adds makes whole numbers; the weights are those of the first head.
#[test]
fn bank_becomes_its_neighbour_with_two_heads() {
    let mut layer = MultiHead::new(2, 2, &mut rng(0));
    let [eye, differences] = [[1.0, 0.0, 0.0, 1.0], [1.0, -1.0, -1.0, 1.0]];
    let MultiHead { w_q, w_k, w_v, w_o, .. } = &mut layer;
    set([w_q, w_k, w_v, w_o], [[1.0; 4], eye, eye, differences]);
    let tape = Tape::new();
    let check = |text: &[[Float; 2]], mask, moved: &[[Float; 2]], alpha: &[Float]| {
        let (x, n) = (words(&tape, text), text.len());
        let (y, weights) = layer.forward_with_weights(x, x, &Sequences::single(n, n).with(mask));
        assert_close!(*(x + y).value(), *words(&tape, moved).value(), 1e-5);
        assert_close!(weights.of(0, 0).as_slice(), alpha, 5e-3);
    };
    let [near, far] = [[0.88, 0.12, 0.88, 0.12], [0.12, 0.88, 0.12, 0.88]]; // column by column
    check(&[RIVER, BANK], AttentionMask::All, &[[3.0, -1.0], RIVER], &near);
    check(&[BANK, RIVER], AttentionMask::All, &[RIVER, [3.0, -1.0]], &far);
    check(&[MONEY, BANK], AttentionMask::All, &[[-1.0, 3.0], MONEY], &far);
    let text = [RIVER, BANK, MONEY];
    check(&text, AttentionMask::All, &text, &[[0.87, 0.12, 0.02]; 3].concat());
    let triangle = [1.0, 0.0, 0.0, 0.88, 0.12, 0.0, 0.87, 0.12, 0.02];
    check(&text, AttentionMask::Causal, &[[4.0, -2.0], RIVER, MONEY], &triangle);
}
