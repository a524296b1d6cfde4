//! 10.14: attention, forwards and backwards.

use crate::solutions;
use crate::support::{matrix, softmax};
use shared::{Matrix, elementwise};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

pub type Forward = fn(&Matrix, &Matrix, &Matrix, &Matrix) -> Matrix;
pub type Backward = fn(&Matrix, &Matrix, &Matrix, &Matrix, &Matrix) -> (Matrix, Matrix, Matrix);

/// Both directions.
#[derive(Clone, Copy)]
pub struct Attention {
    pub forward: Forward,
    pub backward: Backward,
}

const SOLVED: Attention =
    Attention { forward: solutions::attention, backward: solutions::attention_backward };

pub fn exercise() -> Exercise<Attention> {
    Exercise {
        number: 14,
        title: "attention, forwards and backwards",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 30,
        check,
        wrong: &[
            Wrong {
                name: "no mask",
                hint: "the mask is missing",
                answer: Attention { forward: open, ..SOLVED },
            },
            Wrong {
                name: "hidden after the softmax",
                hint: "before the softmax",
                answer: Attention { forward: too_late, ..SOLVED },
            },
            Wrong {
                name: "√d forgotten",
                hint: "divided by √d",
                answer: Attention { forward: undivided, ..SOLVED },
            },
            Wrong {
                name: "√ of the values' rows",
                hint: "rows of q",
                answer: Attention {
                    forward: |q, k, v, mask| {
                        solutions::attention(
                            &(q * (q.nrows() as f32 / v.nrows() as f32).sqrt()),
                            k,
                            v,
                            mask,
                        )
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "√ of the values' rows, backward",
                hint: "rows of q",
                answer: Attention {
                    backward: |q, k, v, mask, dy| {
                        let (dq, dk, dv) = solutions::attention_backward(q, k, v, mask, dy);
                        let roots = (q.nrows() as f32 / v.nrows() as f32).sqrt();
                        (dq * roots, dk * roots, dv)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "the mask on its side",
                hint: "a column a query",
                answer: Attention {
                    forward: |q, k, v, mask| {
                        let turned = Matrix::from_fn(k.ncols(), q.ncols(), |j, i| {
                            mask.get((i, j)).copied().unwrap_or(0.0)
                        });
                        solutions::attention(q, k, v, &turned)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "−100 for −∞",
                hint: "as low as any number",
                answer: Attention {
                    forward: |q, k, v, mask| {
                        solutions::attention(q, k, v, &mask.map(|hidden| hidden.max(-100.0)))
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "exponentials that overflow backward",
                hint: "the largest",
                answer: Attention {
                    backward: |q, k, v, mask, dy| {
                        let alpha = naive(q, k, &Matrix::identity(k.ncols(), k.ncols()), mask);
                        let mut ds = v.tr_mul(dy);
                        elementwise::softmax_backward(&mut ds, &alpha);
                        ds /= (q.nrows() as f32).sqrt();
                        (k * &ds, q * ds.transpose(), dy * alpha.transpose())
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "exponentials that overflow",
                hint: "the largest",
                answer: Attention { forward: naive, ..SOLVED },
            },
            Wrong {
                name: "backward without the mask",
                hint: "the mask is missing",
                answer: Attention {
                    backward: |q, k, v, mask, dy| {
                        solutions::attention_backward(q, k, v, &(mask * 0.0).map(|_| 0.0), dy)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "backward without √d",
                hint: "divided by √d",
                answer: Attention {
                    backward: |q, k, v, mask, dy| {
                        let root = (q.nrows() as f32).sqrt();
                        let (dq, dk, dv) = solutions::attention_backward(q, k, v, mask, dy);
                        (dq * root, dk * root, dv)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "a softmax without its mean",
                hint: "sum to 1",
                answer: Attention { backward: without_mean, ..SOLVED },
            },
            Wrong {
                name: "queries and keys exchanged",
                hint: "exchanged",
                answer: Attention {
                    backward: |q, k, v, mask, dy| {
                        let (dq, dk, dv) = solutions::attention_backward(q, k, v, mask, dy);
                        (dk, dq, dv)
                    },
                    ..SOLVED
                },
            },
        ],
    }
}

fn check(Attention { forward, backward }: Attention) {
    // As many queries as keys, so that nothing is found by its shape.
    let causal = Matrix::from_fn(4, 4, |j, i| if j <= i { 0.0 } else { f32::NEG_INFINITY });
    let apart =
        Matrix::from_fn(4, 4, |j, i| if (j < 1) == (i < 2) { 0.0 } else { f32::NEG_INFINITY });
    for mask in [&causal, &apart] {
        let [q, k, v, dy] = [0.3, 1.1, 2.4, 3.3].map(|phase| matrix(3, 4, phase));
        expect(forward(&q, &k, &v, mask), solutions::attention(&q, &k, &v, mask), 1e-4)
            .of("attention(q, k, v, mask)")
            .given("mask", mask)
            .or_hint(open(&q, &k, &v, mask), "the mask is missing")
            .or_hint(
                solutions::attention(&q, &k, &v, &mask.transpose()),
                "the mask has a column a query",
            )
            .or_hint(too_late(&q, &k, &v, mask), "the mask adds to the scores, before the softmax")
            .or_hint(undivided(&q, &k, &v, mask), "scores are divided by √d")
            .check();
        let right = solutions::attention_backward(&q, &k, &v, mask, &dy);
        let found = backward(&q, &k, &v, mask, &dy);
        let unmasked = solutions::attention_backward(&q, &k, &v, &Matrix::zeros(4, 4), &dy);
        let flat = without_mean(&q, &k, &v, mask, &dy);
        let root = 3.0_f32.sqrt();
        let missing = "the mask is missing";
        expect(&found.2, &right.2, 1e-4).of("dv").or_hint(unmasked.2, missing).check();
        for (name, found, right, unmasked, flat, other) in [
            ("dq", found.0, &right.0, unmasked.0, flat.0, &right.1),
            ("dk", found.1, &right.1, unmasked.1, flat.1, &right.0),
        ] {
            expect(found, right, 1e-4)
                .of(name)
                .or_hint(unmasked, missing)
                .or_hint(right * root, "the scores were divided by √d")
                .or_hint(flat, "weights that sum to 1 cannot all grow: diag(α) − ααᵀ")
                .or_hint(other, "queries and keys are exchanged")
                .check();
        }
        slopes(&q, &k, &v, mask, &dy, &right.0);
    }
    all_sizes(forward, backward);
    large_scores(forward, backward);
}

/// d, d_v, n and m all different.
fn all_sizes(forward: Forward, backward: Backward) {
    let [q, k] = [(3, 0.3), (5, 1.1)].map(|(columns, phase)| matrix(2, columns, phase));
    let [v, dy] = [(5, 2.4), (3, 3.3)].map(|(columns, phase)| matrix(4, columns, phase));
    let mask = Matrix::from_fn(5, 3, |j, i| if j != 2 * i { 0.0 } else { f32::NEG_INFINITY });
    let of = |name| format!("{name} of q (2, 3), k (2, 5), v (4, 5)");
    let why = "d is the number of rows of q and k, not of v";
    let other = solutions::attention(&(&q / 2.0_f32.sqrt()), &k, &v, &mask);
    expect(forward(&q, &k, &v, &mask), solutions::attention(&q, &k, &v, &mask), 1e-4)
        .of(of("attention"))
        .or_hint(other, why)
        .check();
    let right = solutions::attention_backward(&q, &k, &v, &mask, &dy);
    let found = backward(&q, &k, &v, &mask, &dy);
    let root = 2.0_f32.sqrt();
    expect(found.2, &right.2, 1e-4).of(of("dv")).check();
    for (name, found, right) in [("dq", found.0, &right.0), ("dk", found.1, &right.1)] {
        expect(found, right, 1e-4).of(of(name)).or_hint(right / root, why).check();
    }
}

/// Scores of ±700 or so, and of ±1400 for the last key, which only the last query may see.
fn large_scores(forward: Forward, backward: Backward) {
    let [mut q, mut k, v, dy] = [0.1, 1.2, 2.5, 3.4].map(|phase| matrix(2, 4, phase));
    q.row_mut(0).iter_mut().enumerate().for_each(|(i, q)| *q = [1.0, -1.0][i % 2]);
    k.row_mut(0).copy_from_slice(&[1000.0, 1000.0, 1000.0, 2000.0]);
    let mask = Matrix::from_fn(4, 4, |j, i| if j <= i { 0.0 } else { f32::NEG_INFINITY });
    let (found, (dq, dk, dv)) = (forward(&q, &k, &v, &mask), backward(&q, &k, &v, &mask, &dy));
    for (name, found) in [("attention", &found), ("dq", &dq), ("dk", &dk), ("dv", &dv)] {
        assert!(
            found.iter().all(|y| y.is_finite()),
            "scores in the hundreds: {name} is{found}hint: take the largest score of a query from all of its \
             scores first"
        );
    }
    let why = "a hidden score must be −∞: a score that counts may be as low as any number";
    let weak = mask.map(|hidden| hidden.max(-100.0));
    let right = solutions::attention_backward(&q, &k, &v, &mask, &dy);
    let other = solutions::attention_backward(&q, &k, &v, &weak, &dy);
    for (name, found, right, other) in [
        (
            "attention",
            found,
            solutions::attention(&q, &k, &v, &mask),
            solutions::attention(&q, &k, &v, &weak),
        ),
        ("dk", dk, right.1, other.1),
        ("dv", dv, right.2, other.2),
    ] {
        let name = format!("{name}, with scores in the hundreds");
        expect(found, right, 2e-3).of(name).or_hint(other, why).check();
    }
}

/// What decided is right: it is the slope of the forward.
fn slopes(q: &Matrix, k: &Matrix, v: &Matrix, mask: &Matrix, dy: &Matrix, dq: &Matrix) {
    let step = |h: f32| {
        let mut q = q.clone();
        q[(1, 3)] += h;
        solutions::attention(&q, k, v, mask).dot(dy)
    };
    let slope = (step(0.01) - step(-0.01)) / 0.02;
    assert!((slope - dq[(1, 3)]).abs() < 5e-3, "{slope} and {}", dq[(1, 3)]);
}

fn scores(q: &Matrix, k: &Matrix) -> Matrix {
    k.tr_mul(q) / (q.nrows() as f32).sqrt()
}

fn open(q: &Matrix, k: &Matrix, v: &Matrix, _: &Matrix) -> Matrix {
    v * softmax(scores(q, k))
}

fn too_late(q: &Matrix, k: &Matrix, v: &Matrix, mask: &Matrix) -> Matrix {
    v * softmax(scores(q, k)).component_mul(&mask.map(f32::exp))
}

fn undivided(q: &Matrix, k: &Matrix, v: &Matrix, mask: &Matrix) -> Matrix {
    v * softmax(k.tr_mul(q) + mask)
}

fn naive(q: &Matrix, k: &Matrix, v: &Matrix, mask: &Matrix) -> Matrix {
    let mut alpha = (scores(q, k) + mask).map(f32::exp);
    alpha.column_iter_mut().for_each(|mut column| column /= column.sum());
    v * alpha
}

fn without_mean(
    q: &Matrix,
    k: &Matrix,
    v: &Matrix,
    mask: &Matrix,
    dy: &Matrix,
) -> (Matrix, Matrix, Matrix) {
    let alpha = softmax(scores(q, k) + mask);
    let ds = v.tr_mul(dy).component_mul(&alpha) / (q.nrows() as f32).sqrt();
    (k * &ds, q * ds.transpose(), dy * alpha.transpose())
}
