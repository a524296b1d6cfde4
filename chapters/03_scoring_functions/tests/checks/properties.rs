//! Chapter 3: what is true of every attention, on random cases.

use nalgebra::DMatrix;
use proptest::prelude::*;
use rand_distr::{Distribution, StandardNormal};
use scoring_functions::flash::flash_attention;
use scoring_functions::fused::scaled_dot_attention;
use scoring_functions::{
    AttentionMask, Sequences, attention, causal, masked_attention, masked_softmax, weights,
};
use shared::{Float, Matrix, Tape, Var, rng};
use tests::assert_close;

fn matrix(rows: usize, columns: usize, size: Float) -> impl Strategy<Value = Matrix> {
    prop::collection::vec(-size..size, rows * columns)
        .prop_map(move |entries| DMatrix::from_vec(rows, columns, entries))
}

/// Queries (d, n), keys (d, m), values (d_v, m).
fn attended() -> impl Strategy<Value = (Matrix, Matrix, Matrix)> {
    (1_usize..7, 1_usize..6, 1_usize..9, 1_usize..5)
        .prop_flat_map(|(d, n, m, d_v)| (matrix(d, n, 5.0), matrix(d, m, 5.0), matrix(d_v, m, 5.0)))
}

/// Self-attention: as many queries as keys.
fn sequence() -> impl Strategy<Value = (Matrix, Matrix, Matrix)> {
    (1_usize..5, 2_usize..9, 1_usize..5)
        .prop_flat_map(|(d, n, d_v)| (matrix(d, n, 3.0), matrix(d, n, 3.0), matrix(d_v, n, 3.0)))
}

fn output(
    (q, k, v): (&Matrix, &Matrix, &Matrix),
    forward: impl for<'t> Fn(Var<'t>, Var<'t>, Var<'t>) -> Var<'t>,
) -> Matrix {
    let tape = Tape::no_grad();
    let [q, k, v] = [q, k, v].map(|x| tape.constant(x.clone()));
    Matrix::clone(&forward(q, k, v).value())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn weights_are_a_distribution_over_the_keys((q, k, _) in attended()) {
        let alpha = weights(&q, &k);
        prop_assert_eq!(alpha.shape(), (k.ncols(), q.ncols()));
        prop_assert!(alpha.iter().all(|a| *a >= 0.0));
        assert_close!(alpha.row_sum(), Matrix::from_element(1, q.ncols(), 1.0), 1e-6);
    }

    /// In every direction u, the output lies between the least and the greatest value: that is what
    /// being in the convex hull means.
    #[test]
    fn outputs_lie_in_the_hull_of_the_values((q, k, v) in attended(), seed in any::<u64>()) {
        let out = output((&q, &k, &v), attention);
        let directions = Matrix::from_fn(20, v.nrows(), {
            let mut rng = rng(seed);
            move |_, _| StandardNormal.sample(&mut rng)
        });
        let (reached, allowed) = (&directions * out, &directions * v);
        for (reached, allowed) in reached.row_iter().zip(allowed.row_iter()) {
            let slack = 1e-4 * (1.0 + allowed.amax());
            prop_assert!(reached.max() <= allowed.max() + slack);
            prop_assert!(reached.min() >= allowed.min() - slack);
        }
    }

    /// A memory has no order: only the pairing of keys with values counts.
    #[test]
    fn permuting_keys_and_values_together_changes_nothing((q, k, v) in attended(), shift in 0_usize..9) {
        let m = k.ncols();
        let order: Vec<usize> = (0..m).rev().map(|i| (i + shift) % m).collect();
        let (k2, v2) = (k.select_columns(&order), v.select_columns(&order));
        assert_close!(output((&q, &k2, &v2), attention), output((&q, &k, &v), attention), 1e-4);
    }

    #[test]
    fn adding_a_number_to_all_scores_of_a_query_changes_nothing(s in matrix(6, 3, 20.0), shift in -50.0..50.0_f32) {
        let tape = Tape::no_grad();
        let moved = tape.constant(s.add_scalar(shift as Float));
        assert_close!(moved.softmax().value(), tape.constant(s).softmax().value(), 1e-4);
    }

    /// On keys of length r, dot-product attention is Nadaraya–Watson with bandwidth h² = √d.
    #[test]
    fn on_keys_of_one_length_attention_is_kernel_regression((q, k, v) in attended(), r in 0.1..3.0_f32) {
        let mut k = k;
        for mut key in k.column_iter_mut() {
            prop_assume!(key.norm() > 0.1);
            key.set_magnitude(r as Float);
        }
        let h2 = (q.nrows() as f64).sqrt();
        let mut kernel = DMatrix::from_fn(k.ncols(), q.ncols(), |i, j| {
            -(q.column(j) - k.column(i)).map(f64::from).norm_squared() / (2.0 * h2)
        });
        for mut column in kernel.column_iter_mut() {
            let max = column.max();
            column.apply(|x| *x = (*x - max).exp());
            column /= column.sum();
        }
        assert_close!(output((&q, &k, &v), attention), v.map(f64::from) * kernel, 1e-4);
    }

    /// The weight of a key depends on what it is, whatever score: one more key that scores −∞ would
    /// change nothing, so hidden keys may be anything.
    #[test]
    fn masked_softmax_is_softmax_of_the_visible_part(s in matrix(7, 3, 30.0), garbage in matrix(7, 3, 1e30), lengths in [0_usize..8, 0..8, 0..8]) {
        let tape = Tape::no_grad();
        let alpha = masked_softmax(tape.constant(s.clone()), &lengths).value();
        let mut spoiled = s.clone();
        for (j, &length) in lengths.iter().enumerate() {
            let (visible, hidden) = (s.view((0, j), (length, 1)).into_owned(), 7 - length);
            if length > 0 {
                let alone = tape.constant(visible).softmax().value();
                assert_close!(alpha.view((0, j), (length, 1)), alone, 1e-6);
            }
            prop_assert!(alpha.view((length, j), (hidden, 1)).iter().all(|a| *a == 0.0));
            spoiled.view_mut((length, j), (hidden, 1)).copy_from(&garbage.view((length, j), (hidden, 1)));
        }
        prop_assert_eq!(masked_softmax(tape.constant(spoiled), &lengths).value(), alpha);
    }

    /// Change token t: outputs before it stay the same to the last bit, in all three forms.
    #[test]
    fn causal_attention_does_not_see_the_future((q, k, v) in sequence(), at in 1_usize..9, change in 1.0..5.0_f32) {
        let n = q.ncols();
        let t = 1 + (at - 1) % (n - 1);
        let changed = [&q, &k, &v].map(|x| {
            let mut x = x.clone();
            x.column_mut(t).add_scalar_mut(change as Float);
            x
        });
        let sequences = Sequences::single(n, n).with(AttentionMask::Causal);
        let lengths = causal(n);
        let naive: &dyn for<'t> Fn(Var<'t>, Var<'t>, Var<'t>) -> Var<'t> = &|q, k, v| masked_attention(q, k, v, &lengths);
        for forward in [naive, &|q, k, v| scaled_dot_attention(q, k, v, 1, &sequences), &|q, k, v| flash_attention(q, k, v, 1, &sequences)] {
            let before = output((&q, &k, &v), forward);
            let after = output((&changed[0], &changed[1], &changed[2]), forward);
            prop_assert_eq!(before.columns(0, t), after.columns(0, t));
            prop_assert!(before.column(t) != after.column(t)); // the change was one
        }
    }
}
