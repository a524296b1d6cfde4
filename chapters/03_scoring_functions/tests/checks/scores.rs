//! Scores, masks and attention against their formulas, against PyTorch and against each other.

use nalgebra::DMatrix;
use rand_distr::{Distribution, StandardNormal};
use scoring_functions::flash::flash_attention;
use scoring_functions::fused::scaled_dot_attention;
use scoring_functions::program::Kind;
use scoring_functions::{
    Additive, AttentionMask, Concat, Sequence, Sequences, attention, causal, covariance,
    masked_attention, masked_softmax,
};
use shared::{Float, Linear, Matrix, Module, Operand, Param, Rng, Tape, Var, product, rng};
use std::ops::Range;
use tests::{assert_close, finite_difference, golden};

fn normal(rows: usize, columns: usize, rng: &mut Rng) -> Matrix {
    Matrix::from_fn(rows, columns, |_, _| StandardNormal.sample(rng))
}

#[test]
fn every_score_scores_all_pairs_as_its_formula_scores_one() {
    let rng = &mut rng(1);
    let mut tried = [0; 2];
    for kind in Kind::ALL {
        for (i, (d_q, d_k)) in [(5, 5), (3, 7)].into_iter().enumerate() {
            let Some(mut score) = kind.build(d_q, d_k, rng) else { continue };
            tried[i] += 1;
            // Biases start at zero and would not show.
            score.for_each_parameter(|_, param| {
                let noise = normal(param.value().nrows(), param.value().ncols(), rng);
                *param.value_mut() += noise;
            });
            let (queries, keys) = (normal(d_q, 3, rng), normal(d_k, 4, rng));
            let tape = Tape::new();
            let all = score.forward(tape.constant(queries.clone()), tape.constant(keys.clone()));
            let each =
                Matrix::from_fn(4, 3, |i, j| score.of(&queries.column(j).into_owned(), &keys, i));
            assert_close!(all.value(), each, 1e-5, "{}", kind.name());
        }
    }
    assert_eq!(tried, [8, 5], "dot products and the cosine need queries as long as keys");
}

#[test]
#[should_panic(expected = "17 keys, but a location score for 16 positions")]
fn a_location_score_has_no_weight_for_a_position_beyond_its_last() {
    let score = Kind::Location.build(2, 2, &mut rng(0)).unwrap();
    let tape = Tape::new();
    score.forward(tape.constant(Matrix::zeros(2, 1)), tape.constant(Matrix::zeros(2, 17)));
}

#[test]
fn what_stands_behind_the_mask_is_not_read() {
    let tape = Tape::new();
    let nan = Float::NAN;
    let infinite = Float::INFINITY;
    let scores = tape.leaf(Matrix::from_column_slice(
        3,
        3,
        &[0.0, 0.0, nan, 1.0, infinite, nan, nan, nan, nan],
    ));
    let alpha = masked_softmax(scores, &[2, 1, 0]);
    assert_eq!(alpha.value().as_slice(), [0.5, 0.5, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let uneven = tape.constant(Matrix::from_column_slice(
        3,
        3,
        &[1.0, 2.0, nan, 3.0, nan, nan, nan, nan, nan],
    ));
    // A NaN loss on purpose: its gradient is finite where something was seen and zero elsewhere.
    let gradient = alpha.component_mul(uneven).sum().backward().wrt(scores);
    assert_eq!(gradient.as_slice(), [-0.25, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
#[should_panic(expected = "a valid length of 4, but there are 3 keys")]
fn a_valid_length_cannot_exceed_the_keys() {
    masked_softmax(Tape::new().leaf(Matrix::zeros(3, 1)), &[4]);
}

#[test]
fn the_jacobian_of_the_output_is_a_covariance() {
    let rng = &mut rng(5);
    let (values, scores) = (normal(3, 6, rng), normal(6, 1, rng));
    let tape = Tape::new();
    let alpha = tape.constant(scores.clone()).softmax().value();
    let jacobian = covariance(&values, &alpha);
    let v64 = values.map(f64::from);
    for a in 0..3 {
        let output = |s: &DMatrix<f64>| {
            let e = s.map(f64::exp);
            v64.row(a).tr_dot(&e.column(0)) / e.sum()
        };
        assert_close!(jacobian.row(a).transpose(), finite_difference(output, &scores), 1e-5);
    }
    // The covariance of values with "it was i", spelled out: E[v·1ᵢ] − E[v]E[1ᵢ].
    let spelled =
        product(&values, &(Matrix::from_diagonal(&alpha.column(0)) - product(&*alpha, &alpha.t())));
    assert_close!(jacobian, spelled, 1e-6);
}

#[test]
fn concat_is_additive() {
    let rng = &mut rng(7);
    let additive = Additive::new(3, 4, 6, rng);
    let concat = Concat::from(&additive);
    let (queries, keys, dscores) = (normal(3, 2, rng), normal(4, 5, rng), normal(5, 2, rng));
    // Scores, and gradients with respect to queries and keys.
    let run = |forward: &dyn for<'t> Fn(Var<'t>, Var<'t>) -> Var<'t>| {
        let tape = Tape::new();
        let (q, k) = (tape.leaf(queries.clone()), tape.leaf(keys.clone()));
        let scores = forward(q, k);
        let value = scores.value();
        let gradients = scores.component_mul(tape.constant(dscores.clone())).sum().backward();
        [Matrix::clone(&value), gradients.wrt(q), gradients.wrt(k)]
    };
    let (a, b) = (run(&|q, k| additive.forward(q, k)), run(&|q, k| concat.forward(q, k)));
    for (a, b) in a.iter().zip(&b) {
        assert_close!(a, b, 1e-5);
    }
}

// PyTorch.

fn attention_on(
    golden: &golden::Golden,
    name: &str,
    forward: impl for<'t> Fn(Var<'t>, Var<'t>, Var<'t>) -> Var<'t>,
) {
    let input = |tensor: &str| golden.matrix::<Float>(tensor);
    let tape = Tape::new();
    let [q, k, v] = ["q", "k", "v"].map(|tensor| tape.leaf(input(tensor)));
    let output = forward(q, k, v);
    assert_close!(output.value(), input(&format!("{name}_output")), 1e-5, "{name} output");
    let loss = output.component_mul(tape.constant(input("doutput"))).sum();
    let gradients = loss.backward();
    for (leaf, tensor) in [(q, "dq"), (k, "dk"), (v, "dv")] {
        assert_close!(
            gradients.wrt(leaf),
            input(&format!("{name}_{tensor}")),
            1e-5,
            "{name} {tensor}"
        );
    }
}

#[test]
fn attention_equals_pytorch_with_and_without_masks() {
    let golden = golden::load("scoring_functions");
    attention_on(&golden, "full", attention);
    let n = golden.shape("q")[0];
    attention_on(&golden, "causal", |q, k, v| masked_attention(q, k, v, &causal(n)));
    let lengths = golden.indices("lengths");
    attention_on(&golden, "lengths", |q, k, v| masked_attention(q, k, v, &lengths));
}

#[test]
fn fused_and_flash_attention_equal_pytorch() {
    let golden = golden::load("scoring_functions");
    let (n, m) = (golden.shape("q")[0], golden.shape("k")[0]);
    let single = Sequences::single(n, m);
    let triangle = Sequences::single(n, m).with(AttentionMask::Causal);
    attention_on(&golden, "full", |q, k, v| scaled_dot_attention(q, k, v, 1, &single));
    attention_on(&golden, "causal", |q, k, v| scaled_dot_attention(q, k, v, 1, &triangle));
    attention_on(&golden, "full", |q, k, v| flash_attention(q, k, v, 1, &single));
    attention_on(&golden, "causal", |q, k, v| flash_attention(q, k, v, 1, &triangle));
    attention_on(&golden, "two_heads", |q, k, v| scaled_dot_attention(q, k, v, 2, &single));
    attention_on(&golden, "two_heads", |q, k, v| flash_attention(q, k, v, 2, &single));
}

#[test]
fn additive_attention_equals_pytorch() {
    let golden = golden::load("scoring_functions_additive");
    let input = |tensor: &str| golden.matrix::<Float>(tensor);
    // PyTorch's weights (out, in) load as (in, out).
    let weight = |tensor: &str| Param::new(input(tensor).transpose());
    let score = Additive {
        w_q: Linear { weight: weight("w_q"), bias: Some(Param::new(input("b"))) },
        w_k: Linear { weight: weight("w_k"), bias: None },
        v: Param::new(input("v")), // (1, h) there
    };
    let tape = Tape::new();
    let [q, k, values] = ["q", "k", "values"].map(|tensor| tape.leaf(input(tensor)));
    let scores = score.forward(q, k);
    assert_close!(scores.value(), input("scores"), 1e-5);
    let output = values * scores.softmax();
    assert_close!(output.value(), input("output"), 1e-5);
    let gradients = output.component_mul(tape.constant(input("doutput"))).sum().backward();
    for (leaf, tensor) in [(q, "dq"), (k, "dk"), (values, "dvalues")] {
        assert_close!(gradients.wrt(leaf), input(tensor), 1e-5, "{tensor}");
    }
    let of = |param: &Param| gradients.of(param).expect("a gradient").clone();
    assert_close!(of(&score.w_q.weight), input("dw_q").transpose(), 1e-5);
    assert_close!(of(score.w_q.bias.as_ref().unwrap()), input("db"), 1e-5);
    assert_close!(of(&score.w_k.weight), input("dw_k").transpose(), 1e-5);
    assert_close!(of(&score.v), input("dv"), 1e-5);
}

fn attend_from(q: Matrix, sequences: &Sequences) {
    let tape = Tape::no_grad();
    let n = q.ncols();
    let (q, v) = (tape.constant(q), tape.constant(Matrix::zeros(1, n)));
    scaled_dot_attention(q, q, v, 1, sequences);
}

#[test]
#[should_panic(expected = "ends before it starts")]
fn a_segment_cannot_end_before_it_starts() {
    let ranges = [0..5, Range { start: 5, end: 3 }, 3..6];
    let sequences = ranges.map(|r| Sequence { queries: r.clone(), keys: r, offset: 0 }).to_vec();
    attend_from(Matrix::zeros(2, 6), &Sequences { sequences, mask: AttentionMask::All });
}

#[test]
#[should_panic(expected = "no entries to compare")]
fn keys_without_entries_cannot_be_compared() {
    attend_from(Matrix::zeros(0, 6), &Sequences::single(6, 6));
}

/// The page's example for pencil and paper: ten equal keys, values of four entries from 0 to 39.
#[test]
fn equal_keys_average_the_visible_values() {
    let tape = Tape::new();
    let ones = |columns| tape.constant(Matrix::from_element(2, columns, 1.0));
    let values = tape.constant(Matrix::from_fn(4, 10, |i, j| (4 * j + i) as Float));
    let contexts = masked_attention(ones(2), ones(10), values, &[2, 6]).value();
    let expected = [2.0, 3.0, 4.0, 5.0, 10.0, 11.0, 12.0, 13.0];
    assert_close!(*contexts, Matrix::from_column_slice(4, 2, &expected), 1e-6);
}
