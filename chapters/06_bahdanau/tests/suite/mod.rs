//! What the exercises of chapter 6 must do, and typical mistakes that the checks must reject.

use nalgebra::DMatrix;
use seq2seq::Batch;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, Kind, Mistake, ORIGINAL_BUG, Suite};
use tests::{assert_close, expect, finite_difference};

use crate::attempt::{self, Link};

/// Weights and their gradient, cut into sentences.
type SoftmaxBackward = fn(&[f32], &[f32], &[usize]) -> Vec<f32>;

/// One field an exercise.
#[derive(Clone, Copy)]
pub struct Table {
    pub align: fn(&Vector, &Matrix, &Matrix, &Matrix, &Vector) -> Vector,
    pub contexts: fn(&Matrix, &[f32], &[usize]) -> Matrix,
    pub softmax_backward: SoftmaxBackward,
    pub additive_backward: fn(&Vector, &Matrix, &Vector, &Vector) -> (Vector, Matrix, Vector),
    pub alignment_error_rate: fn(&Matrix, &[Link], &[Link]) -> f64,
    pub memory: fn(&Matrix, &Batch) -> Matrix,
    pub softmax_in_segments: fn(&[f32], &[usize]) -> Vec<f32>,
}

/// The functions of the module that this test program calls `attempt`: exercises or solutions.
pub fn table() -> Table {
    Table {
        align: attempt::align,
        contexts: attempt::contexts,
        softmax_backward: attempt::softmax_backward,
        additive_backward: attempt::additive_backward,
        alignment_error_rate: attempt::alignment_error_rate,
        memory: attempt::memory,
        softmax_in_segments: attempt::softmax_in_segments,
    }
}

pub fn suite() -> Suite<Table> {
    let suite = Suite::new(env!("CARGO_MANIFEST_DIR"));
    let suite = suite.exercise(one_column()).exercise(contexts_of_a_batch());
    let suite = suite.exercise(many_softmaxes()).exercise(additive_gradient());
    suite.exercise(error_rate()).exercise(other_words()).exercise(shared_attention())
}

// ---- 6.1 -----------------------------------------------------------------------------------------

fn one_column() -> Exercise<Table> {
    Exercise {
        number: 1,
        title: "one column of an alignment",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 10,
        check: align,
        mistakes: &[
            Mistake {
                name: "tanh of each part",
                hint: "tanh of the sum",
                apply: |table| {
                    table.align = |s, annotations, w, u, v| {
                        let query = (w * s).map(f32::tanh);
                        let mut t = (u * annotations).map(f32::tanh);
                        t.column_iter_mut().for_each(|mut word| word += &query);
                        softmax(t.tr_mul(v))
                    };
                },
            },
            Mistake {
                name: "no tanh",
                hint: "without tanh the query is the same summand in every score",
                apply: |table| {
                    table.align = |_, annotations, _, u, v| without_tanh(annotations, u, v)
                },
            },
            Mistake {
                name: "W and U exchanged",
                hint: "W belongs to the state",
                apply: |table| table.align = |s, h, w, u, v| reference(s, h, u, w, v),
            },
            Mistake {
                name: "scores, not weights",
                hint: "sum to 1",
                apply: |table| table.align = |s, h, w, u, v| scores(s, h, w, u, v),
            },
            Mistake {
                name: "all units weigh the same",
                hint: "",
                apply: |table| {
                    table.align = |s, h, w, u, v| reference(s, h, w, u, &v.map(|_| 1.0));
                },
            },
            Mistake {
                name: "unstable exponent",
                hint: "subtract the largest",
                apply: |table| {
                    table.align = |s, h, w, u, v| {
                        let e = scores(s, h, w, u, v).map(f32::exp);
                        let sum = e.sum();
                        e / sum
                    };
                },
            },
            Mistake {
                name: "the largest score counted from 0",
                hint: "subtract the largest",
                apply: |table| {
                    table.align =
                        |s, h, w, u, v| shifted(scores(s, h, w, u, v), |e| e.max().max(0.0));
                },
            },
            Mistake {
                name: "the first score subtracted",
                hint: "subtract the largest",
                apply: |table| {
                    table.align = |s, h, w, u, v| shifted(scores(s, h, w, u, v), |e| e[0]);
                },
            },
            Mistake {
                name: "the largest size subtracted",
                hint: "subtract the largest",
                apply: |table| {
                    table.align = |s, h, w, u, v| shifted(scores(s, h, w, u, v), Vector::amax);
                },
            },
            Mistake {
                name: "always uniform",
                hint: "",
                apply: |table| {
                    table.align =
                        |_, h, _, _, _| Vector::from_element(h.ncols(), 1.0 / h.ncols() as f32);
                },
            },
        ],
    }
}

fn align(table: &Table) {
    let (s, h) = (vector(3, 0.2), matrix(3, 4, 0.9));
    let (w, u, v) = (matrix(5, 3, 1.7), matrix(5, 3, 2.6), vector(5, 0.4));
    let found = (table.align)(&s, &h, &w, &u, &v);
    expect(&found, reference(&s, &h, &w, &u, &v), 1e-5)
        .of("align(s, annotations, w, u, v)")
        .given("s", &s)
        .given("annotations", &h)
        .or_hint(without_tanh(&h, &u, &v), "without tanh the query is the same summand in every score, and the softmax does not see it")
        .or_hint(reference(&s, &h, &u, &w, &v), "W belongs to the state, U to the annotations")
        .or_hint(scores(&s, &h, &w, &u, &v), "these are scores: weights sum to 1")
        .or_hint(tanh_of_each(&s, &h, &w, &u, &v), "tanh of the sum, not a sum of two tanh")
        .check();

    align_large(table, &s, &h, &w, &u, &(&v * 200.0));
    // The largest score in the middle, far above the others; and no score near 0.
    let one = |x| Matrix::from_element(1, 1, x);
    for (words, v) in [([-4.0, 0.0, -4.0], 300.0), ([0.1, 0.5, -0.3], -300.0)] {
        let (h, v) = (Matrix::from_row_slice(1, 3, &words), Vector::from_element(1, v));
        align_large(table, &Vector::from_element(1, 1.0), &h, &one(2.0), &one(1.0), &v);
    }

    // Another width of state and annotations, one word alone.
    let (s, h) = (vector(2, 0.2), matrix(4, 1, 0.9));
    let (w, u, v) = (matrix(3, 2, 1.7), matrix(3, 4, 2.6), vector(3, 0.4));
    expect((table.align)(&s, &h, &w, &u, &v), [1.0], 1e-6).of("align on one word").check();
}

fn align_large(table: &Table, s: &Vector, h: &Matrix, w: &Matrix, u: &Matrix, v: &Vector) {
    let found = (table.align)(s, h, w, u, v);
    assert!(
        found.iter().all(|weight| weight.is_finite()),
        "with scores {:.0} the weights are {}: subtract the largest score before you exponentiate",
        scores(s, h, w, u, v).transpose(),
        found.transpose()
    );
    expect(found, reference(s, h, w, u, v), 1e-5).of("align with large scores").check();
}

fn scores(s: &Vector, h: &Matrix, w: &Matrix, u: &Matrix, v: &Vector) -> Vector {
    let query = w * s;
    let score = |i: usize| v.dot(&(&query + u * h.column(i)).map(f32::tanh));
    Vector::from_fn(h.ncols(), |i, _| score(i))
}

fn softmax(e: Vector) -> Vector {
    shifted(e, Vector::max)
}

/// A softmax that subtracts `of(e)` before it exponentiates.
fn shifted(e: Vector, of: fn(&Vector) -> f32) -> Vector {
    let shift = of(&e);
    let e = e.map(|e| (e - shift).exp());
    let sum = e.sum();
    e / sum
}

fn reference(s: &Vector, h: &Matrix, w: &Matrix, u: &Matrix, v: &Vector) -> Vector {
    softmax(scores(s, h, w, u, v))
}

fn without_tanh(h: &Matrix, u: &Matrix, v: &Vector) -> Vector {
    softmax((u * h).tr_mul(v))
}

fn tanh_of_each(s: &Vector, h: &Matrix, w: &Matrix, u: &Matrix, v: &Vector) -> Vector {
    let query = (w * s).map(f32::tanh);
    let score = |i: usize| v.dot(&(&query + (u * h.column(i)).map(f32::tanh)));
    softmax(Vector::from_fn(h.ncols(), |i, _| score(i)))
}

// ---- 6.2 -----------------------------------------------------------------------------------------

fn contexts_of_a_batch() -> Exercise<Table> {
    Exercise {
        number: 2,
        title: "contexts of a batch",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 10,
        check: contexts,
        mistakes: &[
            Mistake {
                name: "weights counted from 0 in every sentence",
                hint: "weights are cut by offsets too",
                apply: |table| {
                    table.contexts = |values, weights, offsets| {
                        mean(values, offsets, |i, start| weights[i - start])
                    };
                },
            },
            Mistake {
                name: "a plain mean",
                hint: "every word the same",
                apply: |table| table.contexts = plain_mean,
            },
            Mistake {
                name: "divided by the length",
                hint: "already sum to 1",
                apply: |table| table.contexts = divided,
            },
            Mistake {
                name: "everybody's words",
                hint: "its own words",
                apply: |table| {
                    table.contexts = |values, weights, offsets| {
                        let all = mean(values, &[0, weights.len()], |i, _| weights[i]);
                        Matrix::from_fn(values.nrows(), offsets.len() - 1, |a, _| all[a])
                    };
                },
            },
            Mistake {
                name: "the last word left out",
                hint: "",
                apply: |table| {
                    table.contexts = |values, weights, offsets| {
                        let last = |i| offsets.contains(&(i + 1));
                        mean(values, offsets, |i, _| if last(i) { 0.0 } else { weights[i] })
                    };
                },
            },
            Mistake {
                name: "a context for every word",
                hint: "",
                apply: |table| {
                    table.contexts = |values, weights, _| {
                        Matrix::from_fn(values.nrows(), weights.len(), |a, i| {
                            values[(a, i)] * weights[i]
                        })
                    };
                },
            },
        ],
    }
}

fn contexts(table: &Table) {
    let offsets = [0, 3, 4, 6];
    let weights = [0.2, 0.5, 0.3, 1.0, 0.9, 0.1];
    let values = matrix(2, 8, 0.3); // the last two belong to a sentence that is finished
    let all = mean(&values, &[0, 6], |i, _| weights[i]);
    expect(
        (table.contexts)(&values, &weights, &offsets),
        mean(&values, &offsets, |i, _| weights[i]),
        1e-5,
    )
    .of("contexts(values, weights, [0, 3, 4, 6])")
    .given("values", &values)
    .given("weights", weights)
    .or_hint(
        mean(&values, &offsets, |i, start| weights[i - start]),
        "weights are cut by offsets too: sentence 1 has weight 3, not weight 0",
    )
    .or_hint(plain_mean(&values, &weights, &offsets), "every word the same: where are the weights?")
    .or_hint(divided(&values, &weights, &offsets), "weights already sum to 1: do not divide again")
    .or_hint(Matrix::from_fn(2, 3, |a, _| all[a]), "a sentence may look at its own words only")
    .check();
}

fn mean(values: &Matrix, offsets: &[usize], weight: impl Fn(usize, usize) -> f32) -> Matrix {
    Matrix::from_fn(values.nrows(), offsets.len() - 1, |a, j| {
        (offsets[j]..offsets[j + 1]).map(|i| values[(a, i)] * weight(i, offsets[j])).sum()
    })
}

fn plain_mean(values: &Matrix, _: &[f32], offsets: &[usize]) -> Matrix {
    let length =
        |i: usize| offsets.windows(2).find(|w| (w[0]..w[1]).contains(&i)).map(|w| w[1] - w[0]);
    mean(values, offsets, |i, _| 1.0 / length(i).unwrap_or(1) as f32)
}

fn divided(values: &Matrix, weights: &[f32], offsets: &[usize]) -> Matrix {
    let mut contexts = mean(values, offsets, |i, _| weights[i]);
    for (mut context, words) in contexts.column_iter_mut().zip(offsets.windows(2)) {
        context /= (words[1] - words[0]) as f32;
    }
    contexts
}

// ---- 6.3 -----------------------------------------------------------------------------------------

fn many_softmaxes() -> Exercise<Table> {
    Exercise {
        number: 3,
        title: "the gradient of many softmaxes",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 15,
        check: softmax_backward,
        mistakes: &[
            Mistake {
                name: "one mean for the batch",
                hint: "a mean of its own",
                apply: |table| table.softmax_backward = one_mean,
            },
            Mistake {
                name: "only the diagonal",
                hint: "every weight depends on every score",
                apply: |table| {
                    table.softmax_backward =
                        |alpha, d, _| alpha.iter().zip(d).map(|(a, d)| a * (1.0 - a) * d).collect();
                },
            },
            Mistake {
                name: "an unweighted mean",
                hint: "under the weights",
                apply: |table| table.softmax_backward = unweighted,
            },
            Mistake {
                name: "not multiplied by the weight",
                hint: "",
                apply: |table| {
                    table.softmax_backward = |alpha, d, offsets| {
                        let right = many(alpha, d, offsets);
                        right.iter().zip(alpha).map(|(d, a)| d / a).collect()
                    };
                },
            },
            Mistake {
                name: "always zero",
                hint: "",
                apply: |table| table.softmax_backward = |alpha, _, _| vec![0.0; alpha.len()],
            },
        ],
    }
}

fn softmax_backward(table: &Table) {
    let offsets = [0, 3, 4, 6];
    let scores = [0.5, -1.0, 1.5, 2.0, 0.3, -0.4_f32];
    let d = [1.0, -2.0, 0.5, 3.0, -1.5, 2.5_f32];
    let softmaxes = |e: &DMatrix<f64>| -> Vec<f64> {
        let e: Vec<f64> = e.iter().map(|e| e.exp()).collect();
        let sum = |i: usize| -> f64 {
            let words = offsets.windows(2).find(|w| (w[0]..w[1]).contains(&i)).unwrap();
            e[words[0]..words[1]].iter().sum()
        };
        (0..e.len()).map(|i| e[i] / sum(i)).collect()
    };
    let start = Matrix::from_column_slice(6, 1, &scores);
    let weights: Vec<f32> =
        softmaxes(&start.map(f64::from)).iter().map(|weight| *weight as f32).collect();
    let loss = |e: &DMatrix<f64>| {
        softmaxes(e).iter().zip(&d).map(|(alpha, d)| alpha * f64::from(*d)).sum::<f64>()
    };
    let diagonal: Vec<f32> = weights.iter().zip(&d).map(|(a, d)| a * (1.0 - a) * d).collect();
    let found = (table.softmax_backward)(&weights, &d, &offsets);
    expect(found, finite_difference(loss, &start), 1e-5)
        .of("softmax_backward(weights, dweights, [0, 3, 4, 6])")
        .given("weights", &weights)
        .given("dweights", d)
        .or_hint(one_mean(&weights, &d, &offsets), "one αᵀdα for the whole batch: every sentence has a mean of its own")
        .or_hint(diagonal, "the diagonal of the Jacobian alone: every weight depends on every score of its sentence")
        .or_hint(unweighted(&weights, &d, &offsets), "the mean of dα is one under the weights, αᵀdα")
        .check();
}

fn many(alpha: &[f32], d: &[f32], offsets: &[usize]) -> Vec<f32> {
    let of = |words: &[usize]| {
        let (alpha, d) = (&alpha[words[0]..words[1]], &d[words[0]..words[1]]);
        one_mean(alpha, d, &[])
    };
    offsets.windows(2).flat_map(of).collect()
}

fn one_mean(alpha: &[f32], d: &[f32], _: &[usize]) -> Vec<f32> {
    let mean: f32 = alpha.iter().zip(d).map(|(a, d)| a * d).sum();
    alpha.iter().zip(d).map(|(a, d)| a * (d - mean)).collect()
}

fn unweighted(alpha: &[f32], d: &[f32], offsets: &[usize]) -> Vec<f32> {
    let of = |words: &[usize]| {
        let (alpha, d) = (&alpha[words[0]..words[1]], &d[words[0]..words[1]]);
        let mean = d.iter().sum::<f32>() / d.len() as f32;
        alpha.iter().zip(d).map(|(a, d)| a * (d - mean)).collect::<Vec<_>>()
    };
    offsets.windows(2).flat_map(of).collect()
}

// ---- 6.4 -----------------------------------------------------------------------------------------

fn additive_gradient() -> Exercise<Table> {
    Exercise {
        number: 4,
        title: "the gradient of additive scores",
        kind: Kind::Derive,
        difficulty: 3,
        minutes: 25,
        check: additive_backward,
        mistakes: &[
            Mistake {
                name: "tanh forgotten",
                hint: "1 − t²",
                apply: |table| {
                    table.additive_backward = |q, k, v, de| backward(q, k, v, de, |_| 1.0)
                },
            },
            Mistake {
                name: "1 − t instead of 1 − t²",
                hint: "1 − t²",
                apply: |table| {
                    table.additive_backward = |q, k, v, de| backward(q, k, v, de, |t| 1.0 - t);
                },
            },
            Mistake {
                name: "slope at the argument",
                hint: "1 − t²",
                apply: |table| {
                    table.additive_backward =
                        |q, k, v, de| backward(q, k, v, de, |t| 1.0 - t.atanh() * t.atanh());
                },
            },
            Mistake {
                name: "the last word's query alone",
                hint: "in the score of every word",
                apply: |table| {
                    table.additive_backward = |q, k, v, de| {
                        let (_, dk, dv) = backward(q, k, v, de, |t| 1.0 - t * t);
                        (dk.column(dk.ncols() - 1).into_owned(), dk, dv)
                    };
                },
            },
            Mistake {
                name: "a mean over the words",
                hint: "in the score of every word",
                apply: |table| {
                    table.additive_backward = |q, k, v, de| {
                        let (dq, dk, dv) = backward(q, k, v, de, |t| 1.0 - t * t);
                        (dq / k.ncols() as f32, dk, dv)
                    };
                },
            },
            Mistake {
                name: "v fixed",
                hint: "dv",
                apply: |table| {
                    table.additive_backward = |q, k, v, de| {
                        let (dq, dk, dv) = backward(q, k, v, de, |t| 1.0 - t * t);
                        (dq, dk, dv * 0.0)
                    };
                },
            },
            Mistake {
                name: "the gradient of the scores ignored",
                hint: "",
                apply: |table| {
                    table.additive_backward =
                        |q, k, v, de| backward(q, k, v, &de.map(|_| 1.0), |t| 1.0 - t * t);
                },
            },
        ],
    }
}

fn additive_backward(table: &Table) {
    let (q, k, v, de) = (vector(3, 0.3), matrix(3, 4, 1.1), vector(3, 2.3), vector(4, 0.8));
    let (dq, dk, dv) = (table.additive_backward)(&q, &k, &v, &de);
    // e = Σᵢ deᵢ vᵀ tanh(q + kᵢ), in f64
    let loss = |q: &DMatrix<f64>, k: &DMatrix<f64>, v: &DMatrix<f64>| -> f64 {
        let score = |i: usize| {
            (0..q.len()).map(|a| v[a] * (q[a] + k[(a, i)]).tanh()).sum::<f64>() * f64::from(de[i])
        };
        (0..k.ncols()).map(score).sum()
    };
    let wide = |x: &[f32], columns: usize| {
        DMatrix::from_iterator(x.len() / columns, columns, x.iter().map(|x| f64::from(*x)))
    };
    let (q64, k64, v64) = (wide(q.as_slice(), 1), wide(k.as_slice(), 4), wide(v.as_slice(), 1));
    let column = |x: &Vector| Matrix::from_column_slice(x.len(), 1, x.as_slice());
    let slopes: [(Slope, &str); 3] = [
        (|_| 1.0, "tanh has a slope: 1 − t²"),
        (|t| 1.0 - t, "the slope of tanh is 1 − t², not 1 − t"),
        (|t| 1.0 - t.atanh() * t.atanh(), "t is tanh(q + k), and the slope there is 1 − t²"),
    ];
    let mut expected = expect(dk, finite_difference(|k| loss(&q64, k, &v64), &k), 1e-4).of("dk");
    for (slope, hint) in slopes {
        expected = expected.or_hint(backward(&q, &k, &v, &de, slope).1, hint);
    }
    expected.check();
    let right = backward(&q, &k, &v, &de, |t| 1.0 - t * t);
    let hint = "q is in the score of every word: its gradient is the sum over the words";
    expect(dq, finite_difference(|q| loss(q, &k64, &v64), column(&q)), 1e-4)
        .of("dq")
        .or_hint(right.1.column(3).into_owned(), hint)
        .or_hint(&right.0 / 4.0, hint)
        .check();
    expect(dv, finite_difference(|v| loss(&q64, &k64, v), column(&v)), 1e-4).of("dv").check();
}

/// 1 − t² or a mistake.
type Slope = fn(f32) -> f32;

/// The right gradient, but for the slope of tanh.
fn backward(
    q: &Vector,
    k: &Matrix,
    v: &Vector,
    de: &Vector,
    slope: Slope,
) -> (Vector, Matrix, Vector) {
    let t = Matrix::from_fn(k.nrows(), k.ncols(), |a, i| (q[a] + k[(a, i)]).tanh());
    let dk = Matrix::from_fn(k.nrows(), k.ncols(), |a, i| v[a] * de[i] * slope(t[(a, i)]));
    (dk.column_sum(), dk, t * de)
}

// ---- 6.5 -----------------------------------------------------------------------------------------

fn error_rate() -> Exercise<Table> {
    Exercise {
        number: 5,
        title: "alignment error rate",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 15,
        check: alignment_error_rate,
        mistakes: &[
            Mistake {
                name: "a link from every source word",
                hint: "every target word",
                apply: |table| {
                    table.alignment_error_rate = |weights, sure, possible| {
                        let rows = weights.row_iter().enumerate();
                        let links = rows.map(|(i, row)| (i, row.transpose().imax()));
                        rate(&links.collect::<Vec<_>>(), sure, possible)
                    };
                },
            },
            Mistake {
                name: "target word before source word",
                hint: "the source word first",
                apply: |table| {
                    table.alignment_error_rate =
                        |weights, sure, possible| rate(&exchanged(weights), sure, possible);
                },
            },
            Mistake {
                name: "sure links are not possible ones",
                hint: "every sure link is possible too",
                apply: |table| {
                    table.alignment_error_rate = |weights, sure, possible| {
                        let found = argmax(weights);
                        let right = common(&found, sure) + common(&found, possible);
                        1.0 - right as f64 / (found.len() + sure.len()) as f64
                    };
                },
            },
            Mistake {
                name: "possible links ignored",
                hint: "costs nothing",
                apply: |table| {
                    table.alignment_error_rate =
                        |weights, sure, _| rate(&argmax(weights), sure, &[])
                },
            },
            Mistake {
                name: "possible links demanded",
                hint: "need not be found",
                apply: |table| {
                    table.alignment_error_rate = |weights, sure, possible| {
                        rate(&argmax(weights), &[sure, possible].concat(), &[])
                    };
                },
            },
            Mistake {
                name: "not subtracted from 1",
                hint: "",
                apply: |table| {
                    table.alignment_error_rate =
                        |weights, sure, possible| 1.0 - rate(&argmax(weights), sure, possible);
                },
            },
            Mistake {
                name: "the share of wrong links",
                hint: "",
                apply: |table| {
                    table.alignment_error_rate = |weights, sure, possible| {
                        let found = argmax(weights);
                        let right = common(&found, &[sure, possible].concat());
                        1.0 - right as f64 / found.len() as f64
                    };
                },
            },
        ],
    }
}

/// Four source words and five target words, the last of which has no link at all.
fn alignment_error_rate(table: &Table) {
    #[rustfmt::skip]
    let weights = Matrix::from_row_slice(4, 5, &[
        0.7, 0.1, 0.1, 0.0, 0.1,
        0.1, 0.6, 0.8, 0.1, 0.2,
        0.1, 0.2, 0.1, 0.1, 0.3,
        0.1, 0.1, 0.0, 0.8, 0.4,
    ]);
    let (sure, possible) = ([(0, 0), (2, 1), (1, 2), (2, 3)], [(3, 3), (0, 1)]);
    let found = (table.alignment_error_rate)(&weights, &sure, &possible);
    let a = argmax(&weights); // (0,0) (1,1) (1,2) (3,3) (3,4): two sure, one more possible
    let rows: Vec<Link> =
        weights.row_iter().enumerate().map(|(i, row)| (i, row.transpose().imax())).collect();
    let twice = (common(&a, &sure) + common(&a, &possible)) as f64;
    expect(found, 1.0 - (2.0 + 3.0) / (5.0 + 4.0), 1e-9)
        .of("alignment_error_rate(weights, sure, possible)")
        .given("weights", &weights)
        .or_hint(
            rate(&rows, &sure, &possible),
            "every target word is linked, so look down the columns",
        )
        .or_hint(
            1.0 - twice / 9.0,
            "every sure link is possible too, so a sure link found counts twice",
        )
        .or_hint(rate(&a, &sure, &[]), "(3, 3) is possible: to have it costs nothing")
        .or_hint(
            rate(&a, &[&sure[..], &possible].concat(), &[]),
            "a possible link need not be found: |S| below the line counts sure ones",
        )
        .check();
    // "not see" → "ne voit pas", looking at "not" three times.
    let not = Matrix::from_row_slice(2, 3, &[0.9, 0.6, 0.8, 0.1, 0.4, 0.2]);
    let sure = [(0, 0), (1, 1), (0, 2)];
    expect((table.alignment_error_rate)(&not, &sure, &[]), 1.0 - (2.0 + 2.0) / (3.0 + 3.0), 1e-9)
        .of("alignment_error_rate(weights, [(0, 0), (1, 1), (0, 2)], [])")
        .given("weights", &not)
        .or_hint(rate(&exchanged(&not), &sure, &[]), "a link names the source word first")
        .check();
    let perfect = (table.alignment_error_rate)(&Matrix::identity(2, 2), &[(0, 0), (1, 1)], &[]);
    assert_close!(perfect, 0.0, 1e-9);
    let wrong = (table.alignment_error_rate)(&Matrix::identity(2, 2), &[(1, 0), (0, 1)], &[]);
    assert_close!(wrong, 1.0, 1e-9);
}

fn argmax(weights: &Matrix) -> Vec<Link> {
    weights.column_iter().enumerate().map(|(j, column)| (column.imax(), j)).collect()
}

fn exchanged(weights: &Matrix) -> Vec<Link> {
    argmax(weights).iter().map(|(i, j)| (*j, *i)).collect()
}

fn common(found: &[Link], gold: &[Link]) -> usize {
    found.iter().filter(|link| gold.contains(link)).count()
}

fn rate(found: &[Link], sure: &[Link], possible: &[Link]) -> f64 {
    let right = 2 * common(found, sure) + common(found, possible);
    1.0 - right as f64 / (found.len() + sure.len()) as f64
}

// ---- 6.6 -----------------------------------------------------------------------------------------

fn other_words() -> Exercise<Table> {
    Exercise {
        number: 6,
        title: "spot the bug: another sentence's words",
        kind: Kind::SpotTheBug,
        difficulty: 2,
        minutes: 10,
        check: memory,
        mistakes: &[
            Mistake {
                name: ORIGINAL_BUG,
                hint: "in the order of the sources",
                apply: |table| {
                    table.memory =
                        |states, batch| states.select_columns(&batch.source_steps.by_sequence());
                },
            },
            Mistake {
                name: "left as it was packed",
                hint: "still packed step by step",
                apply: |table| table.memory = |states, _| states.clone(),
            },
            Mistake {
                name: "sources back to front",
                hint: "",
                apply: |table| {
                    table.memory = |states, batch| {
                        let order: Vec<usize> = (0..batch.sentences()).rev().collect();
                        sentence_by_sentence(states, batch, &order)
                    };
                },
            },
            Mistake {
                name: "from the sources to the targets",
                hint: "the other way round",
                apply: |table| {
                    table.memory =
                        |states, batch| sentence_by_sentence(states, batch, &target_of(batch));
                },
            },
            Mistake {
                name: "the end words exchanged",
                hint: "",
                apply: |table| {
                    table.memory = |states, batch| {
                        let mut order = batch.annotations.clone();
                        order.swap(batch.offsets[1] - 1, batch.offsets[2] - 1);
                        states.select_columns(&order)
                    };
                },
            },
            Mistake {
                name: "sentences in order, their words back to front",
                hint: "",
                apply: |table| {
                    table.memory = |states, batch| {
                        let mut order = batch.annotations.clone();
                        batch.offsets.windows(2).for_each(|w| order[w[0]..w[1]].reverse());
                        states.select_columns(&order)
                    };
                },
            },
        ],
    }
}

fn memory(table: &Table) {
    // By source length 1, 2, 3, 4 (the first digit of their words), by target length 2, 4, 1, 3.
    let pairs: [(&[usize], &[usize]); 4] = [
        (&[31, 32, 2], &[5, 2]),
        (&[11, 12, 13, 14, 2], &[5, 6, 2]),
        (&[41, 2], &[5, 6, 7, 2]),
        (&[21, 22, 23, 2], &[5, 6, 7, 8, 2]),
    ];
    let batch = Batch::new(&pairs, 1);
    // An "annotation" that names its word and its sentence.
    let mut states = Matrix::zeros(2, batch.source.len());
    for (j, length) in batch.source_steps.lengths().iter().enumerate() {
        for column in (0..*length).map(|t| batch.source_steps.column(j, t)) {
            states[(0, column)] = batch.source[column] as f32;
            states[(1, column)] = (j + 1) as f32;
        }
    }
    let found = (table.memory)(&states, &batch);
    let expected = [
        [21.0, 22.0, 23.0, 2.0, 41.0, 2.0, 11.0, 12.0, 13.0, 14.0, 2.0, 31.0, 32.0, 2.0],
        [2.0, 2.0, 2.0, 2.0, 4.0, 4.0, 1.0, 1.0, 1.0, 1.0, 1.0, 3.0, 3.0, 3.0],
    ];
    expect(found, expected, 1e-6)
        .of("memory(states, batch), the decoder's sentences 21 …, 41 …, 11 …, 31 …,")
        .or_hint(
            states.select_columns(&batch.source_steps.by_sequence()),
            "whole sentences, but in the order of the sources: the decoder counts by the length of the targets",
        )
        .or_hint(
            sentence_by_sentence(&states, &batch, &target_of(&batch)),
            "the other way round: for the decoder's first sentence, its place among the sources",
        )
        .or_hint(states, "still packed step by step")
        .check();
}

/// Whole sentences: first the words of source `order[0]`, then those of source `order[1]`, …
fn sentence_by_sentence(states: &Matrix, batch: &Batch, order: &[usize]) -> Matrix {
    let (steps, lengths) = (&batch.source_steps, batch.source_steps.lengths());
    let words = |j: &usize| (0..lengths[*j]).map(|t| steps.column(*j, t)).collect::<Vec<_>>();
    let columns: Vec<usize> = order.iter().flat_map(words).collect();
    states.select_columns(&columns)
}

/// For each source, its place among the targets: the inverse of what is needed.
fn target_of(batch: &Batch) -> Vec<usize> {
    let mut place = vec![0; batch.sentences()];
    batch.source_of.iter().enumerate().for_each(|(j, source)| place[*source] = j);
    place
}

// ---- 6.7 -----------------------------------------------------------------------------------------

fn shared_attention() -> Exercise<Table> {
    Exercise {
        number: 7,
        title: "spot the bug: a batch that shares its attention",
        kind: Kind::SpotTheBug,
        difficulty: 1,
        minutes: 10,
        check: softmax_in_segments,
        mistakes: &[
            Mistake {
                name: ORIGINAL_BUG,
                hint: "the weights of sentence 0 sum to",
                apply: |table| {
                    table.softmax_in_segments = |scores, offsets| {
                        let all = segments(scores, offsets, |e| e);
                        let sum: f32 = all.iter().sum();
                        all.iter().map(|weight| weight / sum).collect()
                    };
                },
            },
            Mistake {
                name: "divided by the number of words",
                hint: "the weights of sentence 0 sum to",
                apply: |table| {
                    table.softmax_in_segments = |scores, offsets| {
                        segments(scores, offsets, |e| {
                            let n = e.len() as f32;
                            e.iter().map(|e| e / n).collect()
                        })
                    };
                },
            },
            Mistake {
                name: "the largest score counted from 0",
                hint: "the weights of sentence 3 sum to",
                apply: |table| {
                    table.softmax_in_segments = |scores, offsets| {
                        let of = |w: &[usize]| {
                            let e = Vector::from_column_slice(&scores[w[0]..w[1]]);
                            shifted(e, |e| e.max().max(0.0)).as_slice().to_vec()
                        };
                        offsets.windows(2).flat_map(of).collect()
                    };
                },
            },
            Mistake {
                name: "no exponential",
                hint: "",
                apply: |table| {
                    table.softmax_in_segments = |scores, offsets| {
                        let of = |w: &[usize]| {
                            let sum: f32 = scores[w[0]..w[1]].iter().sum();
                            scores[w[0]..w[1]].iter().map(|e| e / sum).collect::<Vec<_>>()
                        };
                        offsets.windows(2).flat_map(of).collect()
                    };
                },
            },
            Mistake {
                name: "uniform",
                hint: "",
                apply: |table| {
                    table.softmax_in_segments = |scores, offsets| {
                        segments(scores, offsets, |e| vec![1.0 / e.len() as f32; e.len()])
                    };
                },
            },
        ],
    }
}

fn softmax_in_segments(table: &Table) {
    let scores = [1.0, 3.0, -2.0, 500.0, 0.5, 0.25, -300.0, -301.0];
    let offsets = [0, 3, 4, 6, 8];
    let found = (table.softmax_in_segments)(&scores, &offsets);
    assert_eq!(found.len(), scores.len(), "as many weights as scores");
    for (j, words) in offsets.windows(2).enumerate() {
        let sum: f32 = found[words[0]..words[1]].iter().sum();
        assert!((sum - 1.0).abs() < 1e-5, "the weights of sentence {j} sum to {sum}");
    }
    let own = segments(&scores, &offsets, |e| {
        let sum: f32 = e.iter().sum();
        e.iter().map(|e| e / sum).collect()
    });
    expect(found, own, 1e-5)
        .of("softmax_in_segments(scores, [0, 3, 4, 6, 8])")
        .given("scores", scores)
        .check();
}

/// What `finish` makes of each sentence's exponentials, the largest of which is 1.
fn segments(scores: &[f32], offsets: &[usize], finish: fn(Vec<f32>) -> Vec<f32>) -> Vec<f32> {
    let of = |words: &[usize]| {
        let scores = &scores[words[0]..words[1]];
        let largest = scores.iter().copied().fold(f32::MIN, f32::max);
        finish(scores.iter().map(|e| (e - largest).exp()).collect())
    };
    offsets.windows(2).flat_map(of).collect()
}

// ---- numbers -------------------------------------------------------------------------------------

fn matrix(rows: usize, columns: usize, phase: f32) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| 1.2 * (1.3 * i as f32 + 2.1 * j as f32 + phase).sin())
}

fn vector(rows: usize, phase: f32) -> Vector {
    Vector::from_fn(rows, |i, _| 1.5 * (1.7 * i as f32 + phase).cos())
}
