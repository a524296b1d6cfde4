//! One new token that asks those before it: the same numbers as all tokens at once.

use scoring_functions::fused::attention_with_weights;
use scoring_functions::{AttentionMask, Sequences};
use self_attention::cached::{KeyValue, attend};
use self_attention::grouped::repeat_heads;
use shared::{Matrix, Tape};
use std::ops::Range;
use tests::{assert_close, uneven};

/// The columns of `k` and `v` in this range.
fn tokens<'a>(k: &'a Matrix, v: &'a Matrix, columns: Range<usize>, into: &mut Vec<KeyValue<'a>>) {
    let rows = k.nrows();
    let column = |x: &'a Matrix, j: usize| &x.as_slice()[j * rows..(j + 1) * rows];
    into.extend(columns.map(|j| KeyValue { key: column(k, j), value: column(v, j) }));
}

/// Every prefix of one sequence: query `j` asks the tokens `0..=j`.
#[test]
fn token_after_token_equals_the_causal_pass() {
    for (d_model, heads) in [(6, 3), (6, 2), (8, 1), (4, 4)] {
        let n = 7;
        let [q, k, v] = [0.0, 1.0, 2.0].map(|phase| uneven(d_model, n, phase));
        let tape = Tape::no_grad();
        let [a, b, c] = [&q, &k, &v].map(|x| tape.constant(x.clone()));
        let causal = Sequences::single(n, n).with(AttentionMask::Causal);
        let (whole, weights) = attention_with_weights(a, b, c, heads, &causal);
        let (found, alpha) = attend(&q, heads, None, |j, kept| tokens(&k, &v, 0..j + 1, kept));
        assert_close!(found, whole.value(), 1e-6, "{heads} heads");
        for (j, alpha) in alpha.iter().enumerate() {
            assert_eq!(alpha.shape(), (j + 1, heads));
            for head in 0..heads {
                let expected = weights.of(0, head).view((0, j), (j + 1, 1));
                assert_close!(alpha.column(head), expected, 1e-6, "token {j}, head {head}");
            }
        }
    }
}

/// Hypotheses about two sources, in any order, and one that has nothing to ask.
#[test]
fn each_query_asks_the_tokens_that_are_named_for_it() {
    let (q, k, v) = (uneven(6, 4, 0.0), uneven(6, 9, 1.0), uneven(6, 9, 2.0));
    let asked = [4..9, 0..4, 0..0, 4..9];
    let tape = Tape::no_grad();
    let [a, b, c] = [&q, &k, &v].map(|x| tape.constant(x.clone()));
    let sequences = Sequences::per_query(asked.clone());
    let (expected, _) = attention_with_weights(a, b, c, 3, &sequences);
    let (found, alpha) = attend(&q, 3, None, |j, kept| tokens(&k, &v, asked[j].clone(), kept));
    assert_close!(found, expected.value(), 1e-6);
    assert_eq!(alpha[2].shape(), (0, 3));
    assert!(found.column(2).iter().all(|x| *x == 0.0), "no token, no context");
}

/// Heads that share keys and values in groups: the same numbers as with a copy for each head.
#[test]
fn groups_of_heads_share_what_is_kept() {
    let (d, heads, n) = (2, 6, 5);
    for groups in [1, 2, 3, 6] {
        let q = uneven(heads * d, n, 0.0);
        let [k, v] = [1.0, 2.0].map(|phase| uneven(groups * d, n, phase));
        let tape = Tape::no_grad();
        let [a, b, c] = [&q, &k, &v].map(|x| tape.constant(x.clone()));
        let [b, c] = [b, c].map(|x| repeat_heads(x, groups, heads));
        let causal = Sequences::single(n, n).with(AttentionMask::Causal);
        let (whole, _) = attention_with_weights(a, b, c, heads, &causal);
        let (found, _) = attend(&q, heads, None, |j, kept| tokens(&k, &v, 0..j + 1, kept));
        assert_close!(found, whole.value(), 1e-6, "{groups} groups");
    }
}
