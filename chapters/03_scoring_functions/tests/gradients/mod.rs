//! Chapter 3 in f64: every score, masked softmax and all forms of attention against finite
//! differences.

use gradients::check_parameters;
use scoring_functions::flash::flash_attention;
use scoring_functions::fused::scaled_dot_attention;
use scoring_functions::kinds::Kind;
use scoring_functions::{
    AttentionMask, Score, Sequence, Sequences, attention, masked_attention, masked_softmax,
};
use shared::{Matrix, Module, Tape, check_gradients, rng};

/// Uneven numbers in −1.5 … 1.5.
fn uneven(rows: usize, columns: usize, phase: f64) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| 1.5 * (1.3 * i as f64 + 2.1 * j as f64 + phase).sin())
}

/// The scores of 3 queries against 4 keys, in two spaces where that is possible.
fn built() -> impl Iterator<Item = (Kind, Score, usize, usize)> {
    let sizes = Kind::ALL.into_iter().flat_map(|kind| [(kind, 5, 5), (kind, 2, 5)]);
    sizes.filter_map(|(kind, d_q, d_k)| {
        let mut score = kind.build(d_q, d_k, &mut rng(0))?;
        // Biases start at zero; move every parameter to a place where nothing is special.
        let mut phase = 0.0;
        score.for_each_parameter(|_, param| {
            phase += 1.0;
            let (rows, columns) = param.value().shape();
            *param.value_mut() += uneven(rows, columns, phase) * 0.2;
        });
        Some((kind, score, d_q, d_k))
    })
}

#[test]
fn scores_with_respect_to_queries_and_keys() {
    let mut checked = 0;
    for (kind, score, d_q, d_k) in built() {
        println!("{kind:?} ({d_q}, {d_k})");
        let inputs = [uneven(d_q, 3, 0.5), uneven(d_k, 4, 1.5)];
        check_gradients(&inputs, 1e-8, |_, x| score.forward(x[0], x[1]));
        checked += 1;
    }
    assert_eq!(checked, 13); // eight kinds in one space, five in two
}

#[test]
fn scores_with_respect_to_every_parameter() {
    let [dscores, queries, keys] = [uneven(4, 3, 2.5), uneven(5, 3, 0.5), uneven(5, 4, 1.5)];
    for (kind, score, d_q, d_k) in built() {
        check_parameters(
            score,
            |score, tape| {
                let [queries, keys] = [(&queries, d_q), (&keys, d_k)]
                    .map(|(x, d)| tape.constant(x.rows(0, d).into_owned()));
                score.forward(queries, keys).component_mul(tape.constant(dscores.clone())).sum()
            },
            &format!("{kind:?}"),
        );
    }
}

#[test]
fn masked_softmax_passes_gradients_to_what_it_shows() {
    check_gradients(&[uneven(5, 4, 0.0) * 2.0], 1e-8, |_, x| masked_softmax(x[0], &[3, 5, 0, 1]));
}

#[test]
fn composed_attention() {
    let inputs = [uneven(4, 3, 0.0), uneven(4, 5, 1.0), uneven(2, 5, 2.0)];
    check_gradients(&inputs, 1e-8, |_, x| attention(x[0], x[1], x[2]));
    check_gradients(&inputs, 1e-8, |_, x| masked_attention(x[0], x[1], x[2], &[5, 2, 0]));
}

/// Sequences of unequal length under every mask; the second has kept three keys, the third query
/// of it sees nothing where ranges are given. (Longer ones, which span tiles of flash attention, are
/// compared with the composed form in `checks`.)
fn layouts() -> [Sequences; 5] {
    let sequences = vec![
        Sequence { queries: 0..2, keys: 0..2, offset: 0 },
        Sequence { queries: 2..6, keys: 2..9, offset: 3 },
        Sequence { queries: 6..7, keys: 9..10, offset: 0 },
    ];
    let given = vec![0..1, 1..2, 2..6, 0..7, 4..4, 6..7, 0..1];
    [
        AttentionMask::All,
        AttentionMask::Causal,
        AttentionMask::Window { behind: 1, ahead: 0 },
        AttentionMask::Window { behind: 2, ahead: 1 },
        AttentionMask::Given(given),
    ]
    .map(|mask| Sequences { sequences: sequences.clone(), mask })
}

#[test]
fn fused_attention() {
    let inputs = [uneven(6, 7, 0.0), uneven(6, 10, 1.0), uneven(4, 10, 2.0)];
    for sequences in layouts() {
        check_gradients(&inputs, 1e-8, |_, x| {
            scaled_dot_attention(x[0], x[1], x[2], 2, &sequences)
        });
    }
}

#[test]
fn flash_attention_too() {
    let inputs = [uneven(6, 7, 0.0), uneven(6, 10, 1.0), uneven(4, 10, 2.0)];
    for sequences in layouts() {
        check_gradients(&inputs, 1e-8, |_, x| flash_attention(x[0], x[1], x[2], 2, &sequences));
    }
}

/// A query without keys has no weights to give, in any form: its context is zero, not NaN. (Beside queries with
/// keys: `layouts`.)
#[test]
fn a_query_without_keys_gets_nothing() {
    let sequences = Sequences::single(3, 0);
    for form in [scaled_dot_attention, flash_attention] {
        let tape = Tape::new();
        let [q, k, v] = [(4, 3), (4, 0), (2, 0)].map(|(rows, n)| tape.leaf(uneven(rows, n, 0.0)));
        let o = form(q, k, v, 1, &sequences);
        assert_eq!(*o.value(), Matrix::zeros(2, 3));
        assert_eq!(o.sum().backward().wrt(q), Matrix::zeros(4, 3));
    }
}

/// Where every score is −∞ there is nothing to share out either.
#[test]
fn scores_of_minus_infinity_give_nothing() {
    let tape = Tape::no_grad();
    let q = tape.constant(Matrix::from_element(1, 2, 1e200));
    let k = tape.constant(Matrix::from_element(1, 300, -1e200));
    let v = tape.constant(uneven(2, 300, 0.0));
    let sequences = Sequences::single(2, 300);
    for form in [scaled_dot_attention, flash_attention] {
        assert_eq!(*form(q, k, v, 1, &sequences).value(), Matrix::zeros(2, 2));
    }
}
