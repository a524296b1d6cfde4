//! What the exercises of chapter 3 must do, and typical mistakes that the checks must reject.

use nalgebra::DMatrix;
use shared::{Matrix, Operand, Vector, product};
use tests::exercises::{Exercise, Kind, Mistake, ORIGINAL_BUG, Suite};
use tests::{assert_close, expect, finite_difference};

use crate::attempt::{self, Part};

/// A mask, or a repaired one.
type MaskedSoftmax = fn(&Matrix, &[usize]) -> Matrix;

/// One field an exercise.
#[derive(Clone, Copy)]
pub struct Table {
    pub scaled_dot: fn(&Matrix, &Matrix) -> Matrix,
    pub masked_softmax: MaskedSoftmax,
    pub additive: fn(&Matrix, &Matrix, &Matrix, &Matrix, &Vector) -> Matrix,
    pub cosine_gradient: fn(&Vector, &Vector) -> Vector,
    pub attention_backward: fn(&Matrix, &Matrix, &Matrix, &Matrix) -> (Matrix, Matrix, Matrix),
    pub query_for_two: fn(&Matrix, usize, usize) -> Vector,
    pub merge: fn(&Part, &Part) -> Part,
    pub attention: fn(&Matrix, &Matrix, &Matrix) -> Matrix,
    pub masked_softmax_of_a_textbook: MaskedSoftmax,
}

/// The functions of the module that this test program calls `attempt`: exercises or solutions.
pub fn table() -> Table {
    Table {
        scaled_dot: attempt::scaled_dot,
        masked_softmax: attempt::masked_softmax,
        additive: attempt::additive,
        cosine_gradient: attempt::cosine_gradient,
        attention_backward: attempt::attention_backward,
        query_for_two: attempt::query_for_two,
        merge: attempt::merge,
        attention: attempt::attention,
        masked_softmax_of_a_textbook: attempt::masked_softmax_of_a_textbook,
    }
}

pub fn suite() -> Suite<Table> {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .exercise(Exercise {
            number: 1,
            title: "scaled dot-product scores",
            kind: Kind::Implement,
            difficulty: 1,
            minutes: 5,
            check: scaled_dot,
            mistakes: &[
                Mistake {
                    name: "no scaling",
                    hint: "divide by √d",
                    apply: |table| table.scaled_dot = |q, k| product(&k.t(), q),
                },
                Mistake {
                    name: "divided by d",
                    hint: "divided by d",
                    apply: |table| {
                        table.scaled_dot = |q, k| product(&k.t(), q) / q.nrows() as f32;
                    },
                },
                Mistake {
                    name: "always divided by 2",
                    hint: "d is 3",
                    apply: |table| table.scaled_dot = |q, k| product(&k.t(), q) / 2.0,
                },
                Mistake {
                    name: "a rounded root",
                    hint: "d is 3",
                    apply: |table| {
                        table.scaled_dot =
                            |q, k| product(&k.t(), q) / (q.nrows() as f32).sqrt().round();
                    },
                },
                Mistake {
                    name: "the number of keys for d",
                    hint: "d is the length of a key",
                    apply: |table| {
                        table.scaled_dot = |q, k| product(&k.t(), q) / (k.ncols() as f32).sqrt();
                    },
                },
                Mistake {
                    name: "queries as rows",
                    hint: "a row for each key",
                    apply: |table| {
                        table.scaled_dot = |q, k| product(&q.t(), k) / (q.nrows() as f32).sqrt();
                    },
                },
                Mistake {
                    name: "always zero",
                    hint: "",
                    apply: |table| table.scaled_dot = |q, k| Matrix::zeros(k.ncols(), q.ncols()),
                },
            ],
        })
        .exercise(Exercise {
            number: 2,
            title: "masked softmax",
            kind: Kind::Implement,
            difficulty: 2,
            minutes: 15,
            check: |table| masked_softmax(table.masked_softmax),
            mistakes: &[
                Mistake {
                    name: "over rows",
                    hint: "a column belongs to a query",
                    apply: |table| table.masked_softmax = masked_over_rows,
                },
                Mistake {
                    name: "mask after the softmax",
                    hint: "no longer sum to 1",
                    apply: |table| table.masked_softmax = mask_after_softmax,
                },
                Mistake {
                    name: "hidden scores set to zero",
                    hint: "e⁰ is 1",
                    apply: |table| table.masked_softmax = hidden_scores_zero,
                },
                Mistake {
                    name: "no mask",
                    hint: "hidden entries",
                    apply: |table| table.masked_softmax = |s, _| softmax(s),
                },
                Mistake {
                    name: "unstable exponent",
                    hint: "largest visible score",
                    apply: |table| table.masked_softmax = unstable,
                },
                Mistake {
                    name: "the first score for the largest",
                    hint: "largest visible score",
                    apply: |table| {
                        table.masked_softmax =
                            |s, lengths| with_maximum(s, lengths, |s, j| s[(0, j)]);
                    },
                },
                Mistake {
                    name: "exponents clamped",
                    hint: "clamped",
                    apply: |table| table.masked_softmax = clamped,
                },
                Mistake {
                    name: "largest score behind the mask",
                    hint: "largest visible score",
                    apply: |table| table.masked_softmax = maximum_of_all,
                },
                Mistake {
                    name: "minus infinity without a thought",
                    hint: "0/0",
                    apply: |table| table.masked_softmax = minus_infinity,
                },
                Mistake {
                    name: "a million for nothing",
                    hint: "a query that may see nothing",
                    apply: |table| table.masked_softmax = minus_a_million,
                },
                Mistake {
                    name: "reads behind the mask",
                    hint: "behind the mask",
                    apply: |table| table.masked_softmax = multiplied_mask,
                },
                Mistake {
                    name: "always uniform",
                    hint: "",
                    apply: |table| {
                        table.masked_softmax = |s, lengths| {
                            let weight =
                                |i, length| if i < length { 1.0 / length as f32 } else { 0.0 };
                            Matrix::from_fn(s.nrows(), s.ncols(), |i, j| weight(i, lengths[j]))
                        };
                    },
                },
            ],
        })
        .exercise(Exercise {
            number: 3,
            title: "additive scores",
            kind: Kind::Implement,
            difficulty: 2,
            minutes: 15,
            check: additive,
            mistakes: &[
                Mistake {
                    name: "transposed",
                    hint: "a row for each key",
                    apply: |table| {
                        table.additive =
                            |q, k, w_q, w_k, v| attempt::additive(q, k, w_q, w_k, v).transpose();
                    },
                },
                Mistake {
                    name: "tanh of each part",
                    hint: "tanh of the sum",
                    apply: |table| table.additive = tanh_of_each_part,
                },
                Mistake {
                    name: "no tanh",
                    hint: "without tanh",
                    apply: |table| table.additive = without_tanh,
                },
                Mistake {
                    name: "tanh of the score",
                    hint: "tanh comes before v",
                    apply: |table| {
                        table.additive =
                            |q, k, w_q, w_k, v| without_tanh(q, k, w_q, w_k, v).map(f32::tanh);
                    },
                },
            ],
        })
        .exercise(Exercise {
            number: 4,
            title: "the gradient of the cosine",
            kind: Kind::Derive,
            difficulty: 2,
            minutes: 20,
            check: cosine_gradient,
            mistakes: &[
                Mistake {
                    name: "lengths held fixed",
                    hint: "‖q‖ moves too",
                    apply: |table| table.cosine_gradient = |q, k| k / (q.norm() * k.norm()),
                },
                Mistake {
                    name: "not divided by the length",
                    hint: "a longer query turns more slowly",
                    apply: |table| {
                        table.cosine_gradient = |q, k| attempt::cosine_gradient(q, k) * q.norm();
                    },
                },
                Mistake {
                    name: "finite differences",
                    hint: "of any length",
                    apply: |table| table.cosine_gradient = cosine_differences,
                },
                Mistake {
                    name: "the gradient of k",
                    hint: "with respect to k",
                    apply: |table| table.cosine_gradient = |q, k| attempt::cosine_gradient(k, q),
                },
                Mistake {
                    name: "always zero",
                    hint: "",
                    apply: |table| table.cosine_gradient = |q, _| q * 0.0,
                },
            ],
        })
        .exercise(Exercise {
            number: 5,
            title: "the gradient of attention",
            kind: Kind::Derive,
            difficulty: 3,
            minutes: 30,
            check: attention_backward,
            mistakes: &[
                Mistake {
                    name: "no scaling",
                    hint: "√d scales the gradient too",
                    apply: |table| {
                        table.attention_backward = |q, k, v, dout| {
                            let (dq, dk, dv) = attempt::attention_backward(q, k, v, dout);
                            let root = (q.nrows() as f32).sqrt();
                            (dq * root, dk * root, dv)
                        };
                    },
                },
                Mistake {
                    name: "only the diagonal",
                    hint: "every weight depends on every score",
                    apply: |table| {
                        table.attention_backward =
                            |q, k, v, dout| backward_with(only_the_diagonal, q, k, v, dout);
                    },
                },
                Mistake {
                    name: "unstable exponent",
                    hint: "subtract the largest",
                    apply: |table| {
                        table.attention_backward = |q, k, v, dout| {
                            let (dq, dk, dv) = attempt::attention_backward(q, k, v, dout);
                            match unstable_weights(q, k).sum().is_finite() {
                                true => (dq, dk, dv),
                                false => (dq * f32::NAN, dk * f32::NAN, dv * f32::NAN),
                            }
                        };
                    },
                },
                Mistake {
                    name: "mean over the wrong axis",
                    hint: "one number a query",
                    apply: |table| {
                        table.attention_backward =
                            |q, k, v, dout| backward_with(mean_over_queries, q, k, v, dout);
                    },
                },
                Mistake {
                    name: "weights not transposed",
                    hint: "dV = dO·Aᵀ",
                    apply: |table| {
                        table.attention_backward = |q, k, v, dout| {
                            let (dq, dk, dv) = attempt::attention_backward(q, k, v, dout);
                            match q.ncols() == k.ncols() {
                                true => (dq, dk, product(dout, &weights(q, k))),
                                false => (dq, dk, dv),
                            }
                        };
                    },
                },
                Mistake {
                    name: "dq and dk exchanged",
                    hint: "",
                    apply: |table| {
                        table.attention_backward = |q, k, v, dout| {
                            let (dq, dk, dv) = attempt::attention_backward(q, k, v, dout);
                            (dk, dq, dv)
                        };
                    },
                },
                Mistake {
                    name: "no gradient for the keys",
                    hint: "dk",
                    apply: |table| {
                        table.attention_backward = |q, k, v, dout| {
                            let (dq, dk, dv) = attempt::attention_backward(q, k, v, dout);
                            (dq, dk * 0.0, dv)
                        };
                    },
                },
            ],
        })
        .exercise(Exercise {
            number: 6,
            title: "a query that averages two values",
            kind: Kind::Implement,
            difficulty: 2,
            minutes: 15,
            check: query_for_two,
            mistakes: &[
                Mistake {
                    name: "too soft",
                    hint: "longer",
                    apply: |table| {
                        table.query_for_two = |keys, a, b| keys.column(a) + keys.column(b);
                    },
                },
                Mistake {
                    name: "long enough only for small d",
                    hint: "longer",
                    apply: |table| {
                        table.query_for_two = |keys, a, b| (keys.column(a) + keys.column(b)) * 20.0;
                    },
                },
                Mistake {
                    name: "one thousand for √d",
                    hint: "longer",
                    apply: |table| {
                        table.query_for_two =
                            |keys, a, b| (keys.column(a) + keys.column(b)) * 1000.0;
                    },
                },
                Mistake {
                    name: "one key only",
                    hint: "½ each",
                    apply: |table| table.query_for_two = |keys, a, _| keys.column(a) * 1000.0,
                },
                Mistake {
                    name: "a little more of a",
                    hint: "½ each",
                    apply: |table| {
                        table.query_for_two = |keys, a, b| {
                            (keys.column(a) * 1.01 + keys.column(b))
                                * (20.0 * (keys.nrows() as f32).sqrt())
                        };
                    },
                },
                Mistake {
                    name: "zero",
                    hint: "",
                    apply: |table| table.query_for_two = |keys, _, _| Vector::zeros(keys.nrows()),
                },
            ],
        })
        .exercise(Exercise {
            number: 7,
            title: "merging two halves",
            kind: Kind::Implement,
            difficulty: 3,
            minutes: 20,
            check: merge,
            mistakes: &[
                Mistake {
                    name: "sums added as they are",
                    hint: "same maximum",
                    apply: |table| {
                        table.merge = |a, b| Part {
                            max: a.max.max(b.max),
                            sum: a.sum + b.sum,
                            weighted: &a.weighted + &b.weighted,
                        };
                    },
                },
                Mistake {
                    name: "only the sums rescaled",
                    hint: "the weighted values",
                    apply: |table| {
                        table.merge = |a, b| Part {
                            weighted: &a.weighted + &b.weighted,
                            ..attempt::merge(a, b)
                        };
                    },
                },
                Mistake {
                    name: "back to plain exponentials",
                    hint: "overflow",
                    apply: |table| {
                        table.merge = |a, b| Part {
                            max: 0.0,
                            sum: a.sum * a.max.exp() + b.sum * b.max.exp(),
                            weighted: &a.weighted * a.max.exp() + &b.weighted * b.max.exp(),
                        };
                    },
                },
                Mistake {
                    name: "a distant part dropped",
                    hint: "10.5",
                    apply: |table| {
                        table.merge = |a, b| match a.max - b.max {
                            10.0.. => a.clone(),
                            ..=-10.0 => b.clone(),
                            _ => attempt::merge(a, b),
                        };
                    },
                },
                Mistake {
                    name: "the first part alone",
                    hint: "",
                    apply: |table| table.merge = |a, _| a.clone(),
                },
            ],
        })
        .exercise(Exercise {
            number: 8,
            title: "spot the bug: an attention that sums to one",
            kind: Kind::SpotTheBug,
            difficulty: 2,
            minutes: 10,
            check: attention,
            mistakes: &[
                Mistake {
                    name: ORIGINAL_BUG,
                    hint: "each key",
                    apply: |table| table.attention = over_queries,
                },
                Mistake {
                    name: "unstable exponent",
                    hint: "subtract the largest",
                    apply: |table| {
                        table.attention = |q, k, v| product(v, &unstable_weights(q, k));
                    },
                },
                Mistake {
                    name: "the mean of the values",
                    hint: "",
                    apply: |table| {
                        table.attention = |q, _, v| {
                            let mean = v.column_mean();
                            Matrix::from_fn(v.nrows(), q.ncols(), |a, _| mean[a])
                        };
                    },
                },
            ],
        })
        .exercise(Exercise {
            number: 9,
            title: "spot the bug: minus a million",
            kind: Kind::SpotTheBug,
            difficulty: 2,
            minutes: 10,
            check: |table| masked_softmax(table.masked_softmax_of_a_textbook),
            mistakes: &[
                Mistake {
                    name: ORIGINAL_BUG,
                    hint: "a query that may see nothing",
                    apply: |table| table.masked_softmax_of_a_textbook = minus_a_million,
                },
                Mistake {
                    name: "exponents clamped instead",
                    hint: "clamped",
                    apply: |table| table.masked_softmax_of_a_textbook = clamped,
                },
                Mistake {
                    name: "minus infinity instead",
                    hint: "0/0",
                    apply: |table| table.masked_softmax_of_a_textbook = minus_infinity,
                },
            ],
        })
}

/// Uneven numbers in −2 … 2, no two columns alike.
fn uneven(rows: usize, columns: usize, phase: f32) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| 2.0 * (1.7 * i as f32 + 2.9 * j as f32 + phase).sin())
}

fn scaled_dot(table: &Table) {
    let queries = Matrix::from_row_slice(
        4,
        3,
        &[
            1.0, 0.0, 2.0, //
            2.0, 1.0, 0.0, //
            0.0, -1.0, 1.0, //
            1.0, 3.0, 0.0,
        ],
    );
    let keys = Matrix::from_row_slice(
        4,
        2,
        &[
            1.0, 2.0, //
            0.0, 1.0, //
            -1.0, 0.0, //
            2.0, 4.0,
        ],
    );
    let dots = Matrix::from_row_slice(2, 3, &[3.0, 7.0, 1.0, 8.0, 13.0, 4.0]);
    expect((table.scaled_dot)(&queries, &keys), &dots / 2.0, 1e-6)
        .of("scaled_dot(queries, keys)")
        .given("queries", &queries)
        .given("keys", &keys)
        .or_hint(&dots, "these are plain dot products: divide by √d")
        .or_hint(&dots / 4.0, "these were divided by d, not by √d")
        .or_hint(&dots / 2.0_f32.sqrt(), "d is the length of a key, not the number of keys")
        .or_hint(
            dots.transpose() / 2.0,
            "scores are (m, n): a row for each key, a column for each query",
        )
        .check();

    let (queries, keys) = (queries.rows(0, 3).into_owned(), keys.rows(0, 3).into_owned());
    let dots = Matrix::from_row_slice(2, 3, &[1.0, 1.0, 1.0, 4.0, 1.0, 4.0]);
    expect((table.scaled_dot)(&queries, &keys), &dots / 3.0_f32.sqrt(), 1e-6)
        .of("scaled_dot(queries, keys)")
        .given("queries", &queries)
        .given("keys", &keys)
        .or_hint(&dots / 2.0, "divided by 2, but here d is 3 and √3 is 1.73")
        .check();
}

fn masked_softmax(masked_softmax: MaskedSoftmax) {
    // Weights 1 : 3, 1 : 1 : 2, and a single key.
    let (ln2, ln3) = (2.0_f32.ln(), 3.0_f32.ln());
    let scores =
        Matrix::from_row_slice(3, 3, &[0.0, 1.0, -2.0, ln3, 1.0, 1.0, 1.0, 1.0 + ln2, 5.0]);
    let lengths = [2, 3, 1];
    let weights = [[0.25, 0.25, 1.0], [0.75, 0.25, 0.0], [0.0, 0.5, 0.0]];
    expect(masked_softmax(&scores, &lengths), weights, 1e-6)
        .of("masked_softmax(scores, [2, 3, 1])")
        .given("scores", &scores)
        .or_hint(
            masked_over_rows(&scores, &lengths),
            "each row sums to 1, but a column belongs to a query: columns must",
        )
        .or_hint(
            mask_after_softmax(&scores, &lengths),
            "masked after the softmax: the visible weights no longer sum to 1",
        )
        .or_hint(
            hidden_scores_zero(&scores, &lengths),
            "a score of 0 hides nothing: e⁰ is 1, so hidden entries get a weight",
        )
        .or_hint(softmax(&scores), "the hidden entries have weights: is there a mask?")
        .check();

    let large = Matrix::from_row_slice(
        3,
        4,
        &[
            -1000.0, 1000.0, -1000.0, 1000.0, //
            -1000.0, 1000.0, 1000.0, 999.0, //
            1000.0, -1000.0, 0.0, 0.0,
        ],
    );
    let lengths = [2; 4];
    let found = masked_softmax(&large, &lengths);
    assert!(
        found.iter().all(|weight| weight.is_finite()),
        "masked_softmax(scores, [2, 2, 2, 2]) is {found}for scores {large}e¹⁰⁰⁰ is infinite and e⁻¹⁰⁰⁰ is 0: \
         subtract the largest visible score of the column first"
    );
    // A score that is larger by 1 has e times the weight.
    let first = 1.0_f32.exp() / (1.0 + 1.0_f32.exp());
    let weights = [[0.5, 0.5, 0.0, first], [0.5, 0.5, 1.0, 1.0 - first], [0.0; 4]];
    expect(found, weights, 1e-6)
        .of("masked_softmax of scores up to ±1000, lengths [2, 2, 2, 2]")
        .given("scores", &large)
        .or_hint(
            clamped(&large, &lengths),
            "clamped scores are other scores: 1000 has e times the weight of 999. Subtract the largest \
             visible score instead",
        )
        .check();

    let nothing = Matrix::from_column_slice(2, 2, &[1.0, 2.0, 0.0, 0.0]);
    let found = masked_softmax(&nothing, &[0, 2]);
    assert!(
        found.iter().all(|weight| weight.is_finite()),
        "masked_softmax(scores, [0, 2]) is {found}The first query sees nothing: its sum of exponentials \
         is 0, and 0/0 is NaN. Its weights should be zeros"
    );
    expect(found, [[0.0, 0.5], [0.0, 0.5]], 1e-6)
        .of("masked_softmax(scores, [0, 2])")
        .given("scores", &nothing)
        .or_hint(
            [[0.5, 0.5], [0.5, 0.5]],
            "a query that may see nothing looks at everything: equal hidden scores share the weight",
        )
        .check();

    let garbage = Matrix::from_column_slice(3, 1, &[0.0, 0.0, f32::NAN]);
    let weights = masked_softmax(&garbage, &[2]);
    assert!(
        weights.iter().all(|weight| weight.is_finite()),
        "masked_softmax([0, 0, NaN], [2]) is {weights}what stands behind the mask must not be read"
    );
    assert_close!(weights, [0.5, 0.5, 0.0], 1e-6);
}

fn additive(table: &Table) {
    let (queries, keys) = (uneven(2, 3, 0.0), uneven(4, 2, 1.0));
    let (w_q, w_k) = (uneven(5, 2, 2.0) / 3.0, uneven(5, 4, 3.0) / 3.0);
    let v = uneven(5, 1, 4.0).column(0).into_owned();
    // Entry by entry, in f64.
    let score = |i: usize, j: usize| {
        let hidden = |u: usize| {
            let q: f64 = (0..2).map(|a| f64::from(w_q[(u, a)]) * f64::from(queries[(a, j)])).sum();
            let k: f64 = (0..4).map(|a| f64::from(w_k[(u, a)]) * f64::from(keys[(a, i)])).sum();
            (q + k).tanh()
        };
        (0..5).map(|u| f64::from(v[u]) * hidden(u)).sum::<f64>()
    };
    let scores = DMatrix::from_fn(2, 3, score);
    expect((table.additive)(&queries, &keys, &w_q, &w_k, &v), &scores, 1e-5)
        .of("additive(queries (2, 3), keys (4, 2), w_q (5, 2), w_k (5, 4), v (5, 1))")
        .or_hint(
            scores.transpose(),
            "scores are (m, n): a row for each key, a column for each query",
        )
        .or_hint(
            tanh_of_each_part(&queries, &keys, &w_q, &w_k, &v),
            "tanh of the sum is not the sum of the tanhs",
        )
        .or_hint(
            without_tanh(&queries, &keys, &w_q, &w_k, &v),
            "this is the score without tanh: a query would add the same to all its keys",
        )
        .or_hint(
            without_tanh(&queries, &keys, &w_q, &w_k, &v).map(f32::tanh),
            "tanh comes before v, not after it",
        )
        .check();
}

fn cosine_gradient(table: &Table) {
    let q = Vector::from_column_slice(&[1.0, -2.0, 0.5]);
    let k = Vector::from_column_slice(&[0.3, 1.0, 2.0]);
    let of = |q: &DMatrix<f64>, k: &DMatrix<f64>| q.dot(k) / (q.norm() * k.norm());
    let (q64, k64) = (q.map(f64::from), k.map(f64::from));
    let (q64, k64) = (
        DMatrix::from_column_slice(3, 1, q64.as_slice()),
        DMatrix::from_column_slice(3, 1, k64.as_slice()),
    );
    let right = finite_difference(|q| of(q, &k64), &q);
    expect((table.cosine_gradient)(&q, &k), &right, 1e-5)
        .of("cosine_gradient(q, k)")
        .given("q", &q)
        .given("k", &k)
        .or_hint(&k / (q.norm() * k.norm()), "correct if only q·k depended on q; but ‖q‖ moves too")
        .or_hint(&right * f64::from(q.norm()), "divide by ‖q‖: a longer query turns more slowly")
        .or_hint(finite_difference(|k| of(&q64, k), &k), "this is the gradient with respect to k")
        .check();

    // A query c times as long turns c times more slowly.
    for c in [1e-3, 1e3, 1e-6, 1e6] {
        let found = (table.cosine_gradient)(&(&q * c), &k) * c;
        expect(found, &right, 1e-5)
            .of(format!(
                "{c:e} times cosine_gradient({c:e}·q, k), which should not depend on the factor (the \
                 formula holds for q of any length; differences with a fixed step do not)"
            ))
            .given("q", &q)
            .given("k", &k)
            .check();
    }
}

fn attention_backward(table: &Table) {
    let loss = |q: &DMatrix<f64>, k: &DMatrix<f64>, v: &DMatrix<f64>, dout: &DMatrix<f64>| {
        let mut weights = k.tr_mul(q) / (q.nrows() as f64).sqrt();
        for mut column in weights.column_iter_mut() {
            let max = column.max();
            column.apply(|s| *s = (*s - max).exp());
            column /= column.sum();
        }
        (v * weights).dot(dout)
    };
    // As many keys as queries, where a missing transpose has the right shape, and more keys.
    for m in [3, 4] {
        let (q, k, v) = (uneven(2, 3, 0.0), uneven(2, m, 1.0), uneven(5, m, 2.0));
        let dout = uneven(5, 3, 3.0);
        let [q64, k64, v64, dout64] = [&q, &k, &v, &dout].map(|x| x.map(f64::from));
        let (dq, dk, dv) = (table.attention_backward)(&q, &k, &v, &dout);

        let right = finite_difference(|v| loss(&q64, &k64, v, &dout64), &v);
        let mut check = expect(dv, &right, 1e-4).of("dv of attention_backward(q, k, v, doutput)");
        if m == 3 {
            check = check.or_hint(
                product(&dout, &weights(&q, &k)),
                "out = V·A, so dV = dO·Aᵀ: the weights are transposed",
            );
        }
        check.check();

        let right = finite_difference(|q| loss(q, &k64, &v64, &dout64), &q);
        expect(dq, &right, 1e-4)
            .of("dq of attention_backward(q, k, v, doutput)")
            .given("q", &q)
            .or_hint(&right * 2.0_f64.sqrt(), "S = KᵀQ/√d: √d scales the gradient too")
            .or_hint(
                backward_with(only_the_diagonal, &q, &k, &v, &dout).0,
                "the diagonal of the softmax's Jacobian alone: every weight depends on every score",
            )
            .or_hint(
                backward_with(mean_over_queries, &q, &k, &v, &dout).0,
                "A ⊙ dA is summed over the keys, down each column: one number a query",
            )
            .check();

        let right = finite_difference(|k| loss(&q64, k, &v64, &dout64), &k);
        expect(dk, &right, 1e-4)
            .of("dk of attention_backward(q, k, v, doutput)")
            .given("k", &k)
            .check();
    }

    // Scores of several hundreds, whose exponentials an f32 cannot hold.
    let (q, k, v) = (uneven(2, 3, 0.0) * 100.0, uneven(2, 4, 1.0), uneven(5, 4, 2.0));
    let dout = uneven(5, 3, 3.0);
    let [q64, k64, v64, dout64] = [&q, &k, &v, &dout].map(|x| x.map(f64::from));
    let (dq, dk, dv) = (table.attention_backward)(&q, &k, &v, &dout);
    assert!(
        [&dq, &dk, &dv].iter().all(|x| x.iter().all(|x| x.is_finite())),
        "attention_backward(100·q, k, v, doutput) has entries that are not finite: dq {dq}dk {dk}dv {dv}\
         subtract the largest score of a column before you exponentiate"
    );
    for (found, right, name) in [
        (dq, finite_difference(|q| loss(q, &k64, &v64, &dout64), &q), "dq"),
        (dk, finite_difference(|k| loss(&q64, k, &v64, &dout64), &k), "dk"),
        (dv, finite_difference(|v| loss(&q64, &k64, v, &dout64), &v), "dv"),
    ] {
        expect(found, right, 1e-4)
            .of(format!("{name} of attention_backward(100·q, k, v, doutput)"))
            .check();
    }
}

fn query_for_two(table: &Table) {
    for (d, m, a, b) in [(4, 3, 0, 2), (9, 9, 4, 1), (400, 100, 98, 7), (20_000, 100, 3, 98)] {
        // Orthonormal keys: where d is small a reflection's columns, where it is large the axes.
        let keys = if d <= 400 {
            let axis = uneven(d, 1, 0.3).normalize();
            let reflection = Matrix::identity(d, d) - product(&axis, &axis.t()) * 2.0;
            reflection.columns(0, m).into_owned()
        } else {
            Matrix::identity(d, m)
        };
        let query = (table.query_for_two)(&keys, a, b);
        assert!(query.len() == d, "the query has {} entries, the keys {d}", query.len());
        let query = Matrix::from_column_slice(d, 1, query.as_slice());
        let found = weights(&query, &keys);
        let (on_a, on_b) = (found[a], found[b]);
        let what = format!(
            "with {m} keys of {d} entries, key {a} gets {on_a:.4} and key {b} gets {on_b:.4}"
        );
        assert!(
            (on_a - on_b).abs() <= 1e-3,
            "{what}: they should get ½ each, so their scores should be equal"
        );
        assert!(
            (on_a - 0.5).abs() <= 1e-3,
            "{what}: the others get the rest. A longer query makes the weights sharper; √d makes them softer"
        );
    }
}

fn merge(table: &Table) {
    let part = |scores: &[f32], values: &[[f32; 2]]| -> Part {
        let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        // In f64: many small exponentials are added.
        let exponential = |s: &f32| f64::from(s - max).exp();
        let exponentials: Vec<f64> = scores.iter().map(exponential).collect();
        let weighted = |a: usize| -> f64 {
            exponentials.iter().zip(values).map(|(e, v)| e * f64::from(v[a])).sum()
        };
        let weighted = Vector::from_column_slice(&[weighted(0) as f32, weighted(1) as f32]);
        Part { max, sum: exponentials.iter().sum::<f64>() as f32, weighted }
    };
    let values = [[1.0, -2.0], [3.0, 0.5], [-1.0, 4.0], [2.0, 2.0], [0.0, 7.0]];
    let mut cases = [
        ([0.5, 1.5, -0.5, 2.5, 1.0], "scores [0.5, 1.5] and [-0.5, 2.5, 1.0]"),
        ([2.0, 3.0, 0.0, 1.0, -1.0], "scores [2, 3] and [0, 1, -1]"),
        ([500.0, 501.0, 499.0, 500.5, 0.0], "scores [500, 501] and [499, 500.5, 0]"),
        ([-500.0, -501.0, -499.0, -500.5, -900.0], "scores [-500, -501] and [-499, -500.5, -900]"),
    ]
    .map(|(scores, what)| (scores.to_vec(), values.to_vec(), 2, what))
    .to_vec();
    // A thousand keys, each of which hardly counts, count together: 1000·e^(−10.5) is 0.03.
    let (mut scores, mut many) = (vec![0.0; 1001], vec![[3.0, 0.5]; 1001]);
    (scores[0], many[0]) = (10.5, [1.0, -2.0]);
    cases.push((scores.clone(), many.clone(), 1, "score 10.5 and a thousand scores 0"));
    scores.reverse();
    many.reverse();
    cases.push((scores, many, 1000, "a thousand scores 0 and score 10.5"));
    for (scores, values, at, what) in cases {
        let (a, b) = (part(&scores[..at], &values[..at]), part(&scores[at..], &values[at..]));
        let (found, whole) = ((table.merge)(&a, &b), part(&scores, &values));
        assert!(
            found.max == whole.max,
            "{what}: the merged maximum is {}, the largest score {}: with any other, exponentials \
             overflow or vanish as soon as scores are large",
            found.max,
            whole.max
        );
        expect(found.sum, whole.sum, 1e-5)
            .of(format!("the sum of merge(a, b), {what}"))
            .or_hint(
                a.sum + b.sum,
                "the parts' sums were added as they are, but they do not speak of the same maximum",
            )
            .check();
        expect(found.weighted, &whole.weighted, 1e-5)
            .of(format!("the weighted values of merge(a, b), {what}"))
            .or_hint(
                &a.weighted + &b.weighted,
                "the weighted values must be brought to the common maximum, as the sums are",
            )
            .check();
    }
}

fn attention(table: &Table) {
    for (n, m) in [(2, 3), (3, 3)] {
        let (q, k, v) = (uneven(4, n, 0.0), uneven(4, m, 1.0), uneven(2, m, 2.0));
        expect((table.attention)(&q, &k, &v), product(&v, &weights(&q, &k)), 1e-5)
            .of(format!("attention of {n} queries over {m} keys"))
            .or_hint(
                over_queries(&q, &k, &v),
                "each key shares out a weight of 1 among the queries; each query should among the keys",
            )
            .check();
    }

    let (q, k, v) = (uneven(4, 2, 0.0) * 100.0, uneven(4, 3, 1.0), uneven(2, 3, 2.0));
    let found = (table.attention)(&q, &k, &v);
    assert!(
        found.iter().all(|x| x.is_finite()),
        "attention(100·q, k, v) is {found}subtract the largest score of a column before you exponentiate"
    );
    expect(found, product(&v, &weights(&q, &k)), 1e-4).of("attention(100·q, k, v)").check();
}

// Right answers that checks compare with.

fn softmax(scores: &Matrix) -> Matrix {
    let mut weights = scores.clone();
    for mut column in weights.column_iter_mut() {
        let max = column.max();
        column.apply(|s| *s = (*s - max).exp());
        column /= column.sum();
    }
    weights
}

fn weights(q: &Matrix, k: &Matrix) -> Matrix {
    softmax(&(product(&k.t(), q) / (q.nrows() as f32).sqrt()))
}

// Wrong ones.

fn unstable_weights(q: &Matrix, k: &Matrix) -> Matrix {
    let scores = product(&k.t(), q) / (q.nrows() as f32).sqrt();
    unstable(&scores, &vec![k.ncols(); q.ncols()])
}

fn masked_over_rows(scores: &Matrix, lengths: &[usize]) -> Matrix {
    let visible = |i: usize, j: usize| if i < lengths[j] { scores[(i, j)].exp() } else { 0.0 };
    let exponentials = Matrix::from_fn(scores.nrows(), scores.ncols(), visible);
    Matrix::from_fn(scores.nrows(), scores.ncols(), |i, j| {
        let sum = exponentials.row(i).sum();
        if sum > 0.0 { exponentials[(i, j)] / sum } else { 0.0 }
    })
}

fn hidden<'a>(lengths: &'a [usize], rows: usize) -> impl Iterator<Item = (usize, usize)> + 'a {
    lengths.iter().enumerate().flat_map(move |(j, length)| (*length..rows).map(move |i| (i, j)))
}

fn mask_after_softmax(scores: &Matrix, lengths: &[usize]) -> Matrix {
    let mut weights = softmax(scores);
    hidden(lengths, scores.nrows()).for_each(|place| weights[place] = 0.0);
    weights
}

fn with_hidden(scores: &Matrix, lengths: &[usize], score: f32) -> Matrix {
    let mut scores = scores.clone();
    hidden(lengths, scores.nrows()).for_each(|place| scores[place] = score);
    scores
}

fn hidden_scores_zero(scores: &Matrix, lengths: &[usize]) -> Matrix {
    softmax(&with_hidden(scores, lengths, 0.0))
}

fn minus_infinity(scores: &Matrix, lengths: &[usize]) -> Matrix {
    softmax(&with_hidden(scores, lengths, f32::NEG_INFINITY))
}

fn minus_a_million(scores: &Matrix, lengths: &[usize]) -> Matrix {
    softmax(&with_hidden(scores, lengths, -1e6))
}

/// Zeroed exponentials, the maximum subtracted by `largest`.
fn with_maximum(scores: &Matrix, lengths: &[usize], largest: fn(&Matrix, usize) -> f32) -> Matrix {
    let mut weights = scores.clone();
    for j in 0..scores.ncols() {
        let max = largest(scores, j);
        weights.column_mut(j).apply(|s| *s = (*s - max).exp());
    }
    hidden(lengths, scores.nrows()).for_each(|place| weights[place] = 0.0);
    for (mut column, length) in weights.column_iter_mut().zip(lengths) {
        let sum = column.sum();
        column.rows_range_mut(..*length).apply(|weight| *weight /= sum);
    }
    weights
}

fn unstable(scores: &Matrix, lengths: &[usize]) -> Matrix {
    with_maximum(scores, lengths, |_, _| 0.0)
}

fn clamped(scores: &Matrix, lengths: &[usize]) -> Matrix {
    unstable(&scores.map(|s| s.clamp(-80.0, 80.0)), lengths)
}

fn maximum_of_all(scores: &Matrix, lengths: &[usize]) -> Matrix {
    with_maximum(scores, lengths, |scores, j| scores.column(j).max())
}

/// Right as long as hidden scores are finite: 0·NaN is NaN.
fn multiplied_mask(scores: &Matrix, lengths: &[usize]) -> Matrix {
    let right = attempt::masked_softmax(scores, lengths);
    Matrix::from_fn(scores.nrows(), scores.ncols(), |i, j| right[(i, j)] + 0.0 * scores[(i, j)])
}

fn pairs(
    queries: &Matrix,
    keys: &Matrix,
    w_q: &Matrix,
    w_k: &Matrix,
    score: impl Fn(Vector, Vector) -> f32,
) -> Matrix {
    Matrix::from_fn(keys.ncols(), queries.ncols(), |i, j| {
        score(w_q * queries.column(j), w_k * keys.column(i))
    })
}

fn tanh_of_each_part(q: &Matrix, k: &Matrix, w_q: &Matrix, w_k: &Matrix, v: &Vector) -> Matrix {
    pairs(q, k, w_q, w_k, |q, k| v.dot(&(q.map(f32::tanh) + k.map(f32::tanh))))
}

fn without_tanh(q: &Matrix, k: &Matrix, w_q: &Matrix, w_k: &Matrix, v: &Vector) -> Matrix {
    pairs(q, k, w_q, w_k, |q, k| v.dot(&(q + k)))
}

/// Central differences with a fixed step, in f64.
fn cosine_differences(q: &Vector, k: &Vector) -> Vector {
    let (q, k, step) = (q.map(f64::from), k.map(f64::from), 1e-5);
    let at = |a: usize, by: f64| {
        let mut q = q.clone();
        q[a] += by;
        q.dot(&k) / (q.norm() * k.norm())
    };
    Vector::from_fn(q.len(), |a, _| ((at(a, step) - at(a, -step)) / (2.0 * step)) as f32)
}

/// The right backward, but for the softmax.
fn backward_with(
    softmax_backward: fn(&Matrix, &Matrix) -> Matrix,
    q: &Matrix,
    k: &Matrix,
    v: &Matrix,
    dout: &Matrix,
) -> (Matrix, Matrix, Matrix) {
    let (weights, scale) = (weights(q, k), 1.0 / (q.nrows() as f32).sqrt());
    let dscores = softmax_backward(&weights, &product(&v.t(), dout)) * scale;
    (product(k, &dscores), product(q, &dscores.t()), product(dout, &weights.t()))
}

fn only_the_diagonal(weights: &Matrix, dweights: &Matrix) -> Matrix {
    weights.zip_map(dweights, |a, d| a * (1.0 - a) * d)
}

fn mean_over_queries(weights: &Matrix, dweights: &Matrix) -> Matrix {
    let products = weights.component_mul(dweights);
    Matrix::from_fn(weights.nrows(), weights.ncols(), |i, j| {
        weights[(i, j)] * (dweights[(i, j)] - products.row(i).sum())
    })
}

fn over_queries(q: &Matrix, k: &Matrix, v: &Matrix) -> Matrix {
    product(v, &softmax(&(product(&q.t(), k) / (q.nrows() as f32).sqrt())).t())
}
