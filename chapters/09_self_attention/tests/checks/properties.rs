//! Chapter 9: what is true of every self-attention, on random small sequences.

use proptest::prelude::*;
use scoring_functions::{AttentionMask, Sequences, weights};
use self_attention::positions::{Positions, token_positions};
use self_attention::{MultiHead, SelfAttention};
use shared::{Float, Linear, Matrix, Param, Rng, Tape, product, rng};
use tests::assert_close;

const D_MODEL: usize = 6;

/// Tokens of this width and number.
fn tokens(d: usize, n: usize) -> impl Strategy<Value = Matrix> {
    prop::collection::vec(-2.0 as Float..2.0, d * n).prop_map(move |x| Matrix::from_vec(d, n, x))
}

/// One sequence of 2 to 8 tokens.
fn sequence() -> impl Strategy<Value = Matrix> {
    (2_usize..9).prop_flat_map(|n| tokens(D_MODEL, n))
}

/// Heads of 6, 3, 2 and 1 rows; biases that are not 0.
fn layer(heads: usize, seed: u64) -> MultiHead {
    let rng: &mut Rng = &mut rng(seed);
    let mut layer = MultiHead::new(D_MODEL, heads, rng);
    for linear in [&mut layer.w_q, &mut layer.w_v, &mut layer.w_o] {
        let noise = Linear::without_bias(1, D_MODEL, rng);
        linear.bias = Some(Param::new(noise.weight.value().clone()));
    }
    layer
}

fn heads() -> impl Strategy<Value = usize> {
    prop::sample::select(vec![1, 2, 3, 6])
}

fn attend(layer: &MultiHead, x: &Matrix, sequences: &Sequences) -> Matrix {
    let tape = Tape::no_grad();
    let x = tape.constant(x.clone());
    Matrix::clone(&layer.forward(x, x, sequences).value())
}

fn by_head(layer: &SelfAttention, x: &Matrix, causal: bool) -> Matrix {
    let tape = Tape::no_grad();
    let x = tape.constant(x.clone());
    Matrix::clone(&if causal { layer.causal(x) } else { layer.forward(x) }.value())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Bit by bit: whatever comes later, for every prefix length.
    #[test]
    fn what_comes_later_changes_nothing(
        (x, other) in (2_usize..9).prop_flat_map(|n| (tokens(D_MODEL, n), tokens(D_MODEL, n))),
        heads in heads(), seed in 0_u64..1000,
    ) {
        let n = x.ncols();
        let (many, one) = (layer(heads, seed), SelfAttention::new(D_MODEL, 4, &mut rng(seed)));
        let causal = Sequences::single(n, n).with(AttentionMask::Causal);
        let whole = (attend(&many, &x, &causal), by_head(&one, &x, true));
        for seen in 1..n {
            let mut changed = x.clone();
            changed.columns_mut(seen, n - seen).copy_from(&(other.columns(seen, n - seen) * 30.0));
            let found = (attend(&many, &changed, &causal), by_head(&one, &changed, true));
            prop_assert_eq!(found.0.columns(0, seen), whole.0.columns(0, seen));
            prop_assert_eq!(found.1.columns(0, seen), whole.1.columns(0, seen));
            prop_assert_ne!(found.0.columns(seen, 1), whole.0.columns(seen, 1));
            // The same as if the sequence ended there, up to the rounding of products of other sizes.
            let prefix = x.columns(0, seen).into_owned();
            let ended = Sequences::single(seen, seen).with(AttentionMask::Causal);
            assert_close!(attend(&many, &prefix, &ended), whole.0.columns(0, seen), 1e-5);
            assert_close!(by_head(&one, &prefix, true), whole.1.columns(0, seen), 1e-5);
        }
    }

    /// Without positions a sequence is a set: tokens in another order, outputs in the same other
    /// order. With positions it is none.
    #[test]
    fn without_positions_the_order_does_not_matter(
        (x, order) in (2_usize..9).prop_flat_map(|n| {
            (tokens(D_MODEL, n), Just((0..n).collect::<Vec<_>>()).prop_shuffle())
        }),
        heads in heads(), seed in 0_u64..1000,
    ) {
        let n = x.ncols();
        let (many, one) = (layer(heads, seed), SelfAttention::new(D_MODEL, 4, &mut rng(seed)));
        let all = Sequences::single(n, n);
        let permuted = x.select_columns(&order);
        assert_close!(
            attend(&many, &permuted, &all), attend(&many, &x, &all).select_columns(&order), 1e-5
        );
        assert_close!(
            by_head(&one, &permuted, false), by_head(&one, &x, false).select_columns(&order), 1e-5
        );
        if order.iter().enumerate().any(|(place, token)| place != *token) {
            let positions = Positions::sinusoids(D_MODEL, n);
            let placed = |x: &Matrix| {
                let tape = Tape::no_grad();
                let x = positions.add(tape.constant(x.clone()), &token_positions(&[0, n])).value();
                attend(&many, &x, &all)
            };
            let apart = placed(&permuted) - placed(&x).select_columns(&order);
            prop_assert!(apart.amax() > 1e-4, "with positions the order must matter");
        }
    }

    /// Cauchy–Schwarz: of tokens that are equally long, `xᵢ·xⱼ ≤ ‖xᵢ‖‖xⱼ‖ = xᵢ·xᵢ`. So in plain
    /// self-attention every token draws most from itself.
    #[test]
    fn of_equally_long_tokens_each_weighs_itself_most(x in sequence(), length in 0.5 as Float..5.0) {
        let mut x = x;
        for mut column in x.column_iter_mut() {
            prop_assume!(column.norm() > 0.1);
            let scale = length / column.norm();
            column *= scale;
        }
        let alpha = weights(&x, &x);
        for (i, column) in alpha.column_iter().enumerate() {
            prop_assert!(column.max() <= column[i] * (1.0 + 1e-5), "token {i}: {column}");
        }
    }
}

/// Constructed: with matrices of their own, no token looks at itself. Queries are the tokens, keys
/// the tokens turned by a quarter: four points of a circle, each of which asks for its neighbour.
#[test]
fn with_projections_the_own_place_need_not_be_the_first() {
    let x = Matrix::from_row_slice(2, 4, &[1.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, -1.0]) * 3.0;
    let quarter = Matrix::from_row_slice(2, 2, &[0.0, -1.0, 1.0, 0.0]);
    let alpha = weights(&x, &product(&quarter, &x));
    for i in 0..4 {
        let best = alpha.column(i).imax();
        assert_eq!(best, (i + 3) % 4, "token {i} asks for the one before it\n{alpha}");
        assert!(alpha[(best, i)] > 0.99 && alpha[(i, i)] < 0.01);
    }
    // Without them it is.
    let plain = weights(&x, &x);
    assert!((0..4).all(|i| plain.column(i).imax() == i));
}
