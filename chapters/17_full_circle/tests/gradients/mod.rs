//! Chapter 17 in f64: the eight in their limits and where they are equal, and linear attention in chunks against
//! a naive loop and finite differences.

use full_circle::layer::{Attention, AttentionKind, LanguageModel};
use full_circle::{
    DeltaRule, Estimator, ImplicitStep, LinearAttention, LocalLine, Mean, Memory, NadarayaWatson,
    NearestNeighbour, RecursiveLeastSquares, Update, bumps, linear_attention,
};
use gradients::check_parameters;
use language_model::Config;
use language_model::induction::Keys;
use nalgebra::DMatrix;
use scoring_functions::{AttentionMask, Sequences, fused, weights};
use shared::{Matrix, Tape, check_gradients, rng};
use tests::{assert_close, uneven};

const D: usize = 3;

/// Queries (3, 4), keys (3, 7) and values (2, 7).
fn problem() -> [Matrix; 3] {
    [uneven(D, 4, 1.0), uneven(D, 7, 2.0), uneven(2, 7, 3.0)]
}

fn of(estimator: &impl Estimator) -> Matrix {
    let [q, k, _] = problem();
    estimator.weights(&q, &k)
}

#[test]
fn a_wide_kernel_is_the_mean_a_narrow_one_the_nearest_neighbour() {
    assert_close!(of(&NadarayaWatson { bandwidth: 1e5 }), of(&Mean), 1e-8);
    assert_close!(of(&NadarayaWatson { bandwidth: 1e-3 }), of(&NearestNeighbour), 1e-12);
}

/// A wide local line is the line of least squares: ridge on `[1; x]` as the ridge falls.
#[test]
fn a_wide_local_line_is_the_line() {
    let [q, k, _] = problem();
    let with_one = |x: &Matrix| x.clone().insert_row(0, 1.0);
    let line = RecursiveLeastSquares { ridge: 1e-9 }.weights(&with_one(&q), &with_one(&k));
    assert_close!(of(&LocalLine { bandwidth: 1e4 }), line, 1e-6);
}

/// Whatever the bandwidth: of values on a plane it makes no error, and its weights sum to 1.
#[test]
fn a_local_line_knows_planes() {
    let [q, k, _] = problem();
    let plane = |x: &Matrix| DMatrix::from_row_slice(1, D, &[2.0, -1.0, 0.5]) * x;
    for bandwidth in [0.8, 2.0, 10.0] {
        let line = LocalLine { bandwidth };
        assert_close!(line.answer(&q, &k, &plane(&k)), plane(&q), 1e-6);
        assert_close!(line.weights(&q, &k).row_sum(), DMatrix::from_element(1, 4, 1.0), 1e-9);
        let constant = NadarayaWatson { bandwidth };
        assert!((constant.answer(&q, &k, &plane(&k)) - plane(&q)).amax() > 0.05);
    }
}

/// With keys of length 1 the distance is 2 − 2kᵀq: the kernel is chapter 3's scaled dot product if √d = h².
#[test]
fn between_unit_keys_nadaraya_watson_is_softmax_attention() {
    let [q, k, _] = problem().map(|mut x| {
        x.column_iter_mut().for_each(|mut x| x.unscale_mut(x.norm()));
        x
    });
    let bandwidth = (D as f64).powf(0.25);
    assert_close!(NadarayaWatson { bandwidth }.weights(&q, &k), weights(&q, &k), 1e-12);
}

#[test]
fn small_steps_are_linear_attention() {
    let rate = 1e-8;
    let linear = of(&LinearAttention { rate: 1.0 });
    assert_close!(of(&DeltaRule { rate }) / rate, linear, 1e-6);
    assert_close!(of(&ImplicitStep { rate }) / rate, linear, 1e-6);
    assert_close!(of(&RecursiveLeastSquares { ridge: 1e8 }) * 1e8, linear, 1e-6);
}

/// Orthonormal keys, one step each: what is written stays, and all four are least squares without a ridge.
#[test]
fn with_orthonormal_keys_all_memories_are_least_squares() {
    let keys = uneven(5, 5, 0.0).qr().q();
    let queries = uneven(5, 4, 1.0);
    let exact = keys.tr_mul(&queries);
    assert_close!(LinearAttention { rate: 1.0 }.weights(&queries, &keys), exact, 1e-12);
    assert_close!(DeltaRule { rate: 1.0 }.weights(&queries, &keys), exact, 1e-12);
    assert_close!(ImplicitStep { rate: 1e9 }.weights(&queries, &keys), exact, 1e-6);
    assert_close!(RecursiveLeastSquares { ridge: 1e-9 }.weights(&queries, &keys), exact, 1e-6);
}

/// One pass by Sherman and Morrison is the ridge in closed form, `(KKᵀ + λI)⁻¹`.
#[test]
fn one_pass_is_ridge_regression() {
    let [q, k, _] = problem();
    let ridge = 0.3;
    let normal = &k * k.transpose() + DMatrix::identity(D, D) * ridge;
    let closed = k.transpose() * normal.try_inverse().unwrap() * &q;
    assert_close!(of(&RecursiveLeastSquares { ridge }), closed, 1e-9);
}

/// The implicit step is where the gradient of its own question is zero: `S − S_old = β(v − S k)kᵀ`, from every memory.
#[test]
fn the_implicit_step_answers_its_question() {
    let [_, k, v] = problem();
    let rate = 0.7;
    let mut memory = Memory::new(D, 2, Update::Implicit(rate));
    for (k, v) in k.column_iter().zip(v.column_iter()) {
        let before = memory.state.clone();
        memory.write(&k.into_owned(), &v.into_owned());
        let step = (v - &memory.state * k) * k.transpose() * rate;
        assert_close!(&memory.state - before, step, 1e-12);
    }
}

/// What a memory reads after all keys is what the weights say.
#[test]
fn memories_read_what_the_weights_say() {
    let [q, k, v] = problem();
    let rate = 0.4;
    let pairs: [(Update, Matrix); 4] = [
        (Update::Add(rate), LinearAttention { rate }.answer(&q, &k, &v)),
        (Update::Delta(rate), DeltaRule { rate }.answer(&q, &k, &v)),
        (Update::Implicit(rate), ImplicitStep { rate }.answer(&q, &k, &v)),
        (
            Update::LeastSquares { ridge: rate, decay: 1.0 },
            RecursiveLeastSquares { ridge: rate }.answer(&q, &k, &v),
        ),
    ];
    for (update, expected) in pairs {
        let mut memory = Memory::new(D, 2, update);
        for (k, v) in k.column_iter().zip(v.column_iter()) {
            memory.write(&k.into_owned(), &v.into_owned());
        }
        assert_close!(&memory.state * &q, expected, 1e-9);
    }
}

/// With a decay the newest pairs count more: the weighted ridge in closed form.
#[test]
fn a_decay_weighs_the_evidence() {
    let [_, k, v] = problem();
    let (ridge, decay) = (0.5, 0.8_f64);
    let mut memory = Memory::new(D, 2, Update::LeastSquares { ridge, decay });
    for (k, v) in k.column_iter().zip(v.column_iter()) {
        memory.write(&k.into_owned(), &v.into_owned());
    }
    let weigh = DMatrix::from_fn(7, 7, |i, j| if i == j { decay.powi(6 - i as i32) } else { 0.0 });
    let normal = &k * &weigh * k.transpose() + DMatrix::identity(D, D) * (ridge * decay.powi(7));
    let expected = &v * weigh * k.transpose() * normal.try_inverse().unwrap();
    assert_close!(memory.state, expected, 1e-9);
}

/// Features are of length 1, and overlap with their neighbours.
#[test]
fn bumps_are_of_length_one() {
    let features = bumps(&[0.0, 1.3, 4.0], &[0.0, 1.0, 2.0, 3.0], 1.0);
    features.column_iter().for_each(|x| assert_close!(x.norm(), 1.0, 1e-12));
    assert!(features[(1, 0)] > features[(2, 0)]);
}

/// Two sequences of 5 and 4 tokens, two heads of 3 rows with values of 2: read token by token from [`Memory`].
fn naive([q, k, v]: [&Matrix; 3], rates: Option<&Matrix>) -> Matrix {
    let mut o = Matrix::zeros(4, 9);
    for (head, (first, last)) in [(0, (0, 5)), (0, (5, 9)), (1, (0, 5)), (1, (5, 9))] {
        let mut state = Matrix::zeros(2, 3);
        for t in first..last {
            let row = |x: &Matrix, rows: usize| x.view((head * rows, t), (rows, 1)).into_owned();
            let (q, k, v) = (row(q, 3), row(k, 3), row(v, 2));
            state += match rates {
                None => v * k.transpose(),
                Some(beta) => (v - &state * &k) * k.transpose() * beta[(head, t)],
            };
            o.view_mut((head * 2, t), (2, 1)).copy_from(&(&state * q));
        }
    }
    o
}

const OFFSETS: [usize; 3] = [0, 5, 9];

fn inputs() -> [Matrix; 4] {
    let rates = uneven(2, 9, 4.0).map(|x: f64| 0.5 + 0.4 * x);
    [uneven(6, 9, 1.0), uneven(6, 9, 2.0), uneven(4, 9, 3.0), rates]
}

#[test]
fn recurrence_chunks_and_matrix_are_one() {
    let [q, k, v, beta] = inputs();
    for chunk in [1, 2, 3, 4, 5, 64] {
        for rates in [None, Some(&beta)] {
            let tape = Tape::no_grad();
            let qkv = [&q, &k, &v].map(|x| tape.constant(x.clone()));
            let on_tape = rates.map(|beta| tape.constant(beta.clone()));
            let o = linear_attention(qkv, on_tape, 2, &OFFSETS, chunk).value();
            assert_close!(*o, naive([&q, &k, &v], rates), 1e-12);
        }
    }
}

#[test]
fn gradients_of_linear_attention() {
    let [q, k, v, beta] = inputs();
    for chunk in [1, 2, 3, 64] {
        let both = [q.clone(), k.clone(), v.clone(), beta.clone()];
        check_gradients(&both, 1e-7, |_, x| {
            linear_attention([x[0], x[1], x[2]], Some(x[3]), 2, &OFFSETS, chunk)
        });
        check_gradients(&both[..3], 1e-7, |_, x| {
            linear_attention([x[0], x[1], x[2]], None, 2, &OFFSETS, chunk)
        });
    }
}

/// Nothing is erased where every rate is 0, nothing written either: a rate may be 0.
#[test]
fn a_rate_of_zero_writes_nothing() {
    let [q, k, v, _] = inputs();
    let zero = Matrix::zeros(2, 9);
    let tape = Tape::new();
    let qkv = [&q, &k, &v].map(|x| tape.leaf(x.clone()));
    let rates = tape.leaf(zero);
    let o = linear_attention(qkv, Some(rates), 2, &OFFSETS, 3);
    assert_eq!(o.value().amax(), 0.0);
    assert!(o.sum().backward().wrt(rates).iter().all(|d| d.is_finite() && *d != 0.0));
}

/// Softmax attention whose scores are the logarithms of positive linear ones is normalised linear attention: chapter 1's
/// quotient, with the kernel `kᵀq`.
#[test]
fn normalised_linear_attention_is_a_kernel_regression() {
    let [q, k, v] = problem().map(|x| x.map(f64::abs));
    let summed = LinearAttention { rate: 1.0 }.weights(&q, &k);
    let normalised = Matrix::from_fn(7, 4, |i, j| summed[(i, j)] / summed.column(j).sum());
    let mut scores = summed.map(f64::ln);
    shared::elementwise::softmax_columns(&mut scores);
    assert_close!(&v * normalised, &v * scores, 1e-12);
}

#[test]
fn whole_models() {
    use AttentionKind::{Delta, Linear, Softmax};
    let config = Config { width: 8, feed_forward: 6, heads: 2, ..Config::today(5) };
    let texts: [&[usize]; 2] = [&[0, 3, 1, 4, 2], &[0, 2, 2]];
    for (kinds, keys) in [
        ([Linear, Linear], Keys::Own),
        ([Delta, Delta], Keys::WithPrevious),
        ([Delta, Softmax], Keys::Own),
    ] {
        let mut model = LanguageModel::new(&config, &kinds, keys, &mut rng(2));
        *model.words.weight.value_mut() *= 3.0; // a normalisation of short columns is strongly curved
        for block in &mut model.blocks {
            if let Attention::Linear(heads) = &mut block.attention {
                for w in [&mut heads.w_q, &mut heads.w_k, &mut heads.w_v] {
                    *w.weight.value_mut() *= 3.0;
                }
            }
        }
        check_parameters(model, |model, tape| model.loss(tape, &texts), &format!("{kinds:?}"));
    }
}

/// A causal model reads nothing of what comes after: the outputs before a change stay.
#[test]
fn linear_attention_is_causal() {
    let [q, k, v, beta] = inputs();
    let of = |k: &Matrix| {
        let tape = Tape::no_grad();
        let qkv = [&q, k, &v].map(|x| tape.constant(x.clone()));
        linear_attention(qkv, Some(tape.constant(beta.clone())), 2, &OFFSETS, 4).value()
    };
    let mut changed = k.clone();
    changed.column_mut(3).fill(0.9);
    let (before, after) = (of(&k), of(&changed));
    assert_close!(before.columns(0, 3).into_owned(), after.columns(0, 3).into_owned(), 1e-15);
    assert_close!(before.columns(5, 4).into_owned(), after.columns(5, 4).into_owned(), 1e-15);
    assert!((before.column(4) - after.column(4)).amax() > 1e-3);
}

/// The answer of softmax attention in a layer of the chapter is that of the estimator.
#[test]
fn fused_attention_is_nadaraya_watson_between_unit_keys() {
    let unit = |mut x: Matrix| {
        x.column_iter_mut().for_each(|mut x| x.unscale_mut(x.norm()));
        x
    };
    let (q, k, v) = (unit(uneven(D, 4, 1.0)), unit(uneven(D, 7, 2.0)), uneven(D, 7, 3.0));
    let tape = Tape::no_grad();
    let [x, y, z] = [&q, &k, &v].map(|x| tape.constant(x.clone()));
    let all = Sequences::single(4, 7).with(AttentionMask::All);
    let o = fused::scaled_dot_attention(x, y, z, 1, &all).value();
    let bandwidth = (D as f64).powf(0.25);
    assert_close!(*o, NadarayaWatson { bandwidth }.answer(&q, &k, &v), 1e-12);
}
