//! 9.16: the gradient behind a mask.

use super::support::{scores, softmax, uneven};
use crate::solutions;
use shared::{Matrix, Operand, elementwise, product};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

pub type Gradients = (Matrix, Matrix, Matrix);
pub type CausalGradient = fn(&Matrix, &Matrix, &Matrix, &Matrix) -> Gradients;

pub fn exercise() -> Exercise<CausalGradient> {
    Exercise {
        number: 16,
        title: "the gradient behind a mask",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "the weights without their mask",
                hint: "forward hides",
                answer: |q, k, v, dy| back(q, k, v, dy, &softmax(scores(q, k))),
            },
            Wrong {
                name: "the other triangle",
                hint: "the other triangle",
                answer: |q, k, v, dy| back(q, k, v, dy, &masked(q, k, |j, i| j >= i)),
            },
            Wrong {
                name: "√d forgotten",
                hint: "√d",
                answer: |q, k, v, dy| {
                    let (dq, dk, dv) = right(q, k, v, dy);
                    let root = (q.nrows() as f32).sqrt();
                    (dq * root, dk * root, dv)
                },
            },
            Wrong {
                name: "queries and keys exchanged",
                hint: "exchanged",
                answer: |q, k, v, dy| {
                    let (dq, dk, dv) = right(q, k, v, dy);
                    (dk, dq, dv)
                },
            },
            Wrong {
                name: "a softmax without its mean",
                hint: "sum to 1",
                answer: |q, k, v, dy| {
                    let alpha = masked(q, k, |j, i| j <= i);
                    through(q, k, dy, &alpha, product(&v.t(), dy).component_mul(&alpha))
                },
            },
            Wrong {
                name: "values weighted as in the forward",
                hint: "which queries read it",
                answer: |q, k, v, dy| {
                    let (dq, dk, _) = right(q, k, v, dy);
                    (dq, dk, product(dy, &masked(q, k, |j, i| j <= i)))
                },
            },
            Wrong {
                name: "zeros after the softmax",
                hint: "before the softmax",
                answer: |q, k, v, dy| back(q, k, v, dy, &too_late(q, k)),
            },
            Wrong {
                name: "the weight of the token itself forgotten",
                hint: "sees itself",
                answer: |q, k, v, dy| {
                    back(q, k, v, dy, &masked(q, k, |j, i| j < i || i == 0 && j == 0))
                },
            },
            Wrong {
                name: "exponentials that overflow",
                hint: "the largest",
                answer: |q, k, v, dy| {
                    let mut alpha = scores(q, k).map(f32::exp);
                    alpha.fill_lower_triangle(0.0, 1);
                    alpha.column_iter_mut().for_each(|mut column| column /= column.sum());
                    back(q, k, v, dy, &alpha)
                },
            },
            Wrong {
                name: "hidden by −100",
                hint: "as low as any number",
                answer: |q, k, v, dy| back(q, k, v, dy, &nearly_hidden(q, k)),
            },
            Wrong {
                name: "−∞ in the gradient",
                hint: "not finite",
                answer: |q, k, v, dy| {
                    let (dq, dk, dv) = right(q, k, v, dy);
                    (dq.map(|_| f32::NEG_INFINITY), dk, dv)
                },
            },
        ],
    }
}

fn check(causal_gradient: CausalGradient) {
    for (d, d_v, n) in [(2, 3, 2), (3, 3, 4), (4, 2, 5)] {
        let [q, k] = [0.2, 1.4].map(|phase| uneven(d, n, phase) * 0.6);
        let [v, dy] = [2.3, 3.1].map(|phase| uneven(d_v, n, phase) * 0.5);
        let (right_q, right_k, right_v) = right(&q, &k, &v, &dy);
        let (dq, dk, dv) = causal_gradient(&q, &k, &v, &dy);
        let finite = [&dq, &dk, &dv].iter().all(|d| d.iter().all(|x| x.is_finite()));
        assert!(finite, "a gradient is not finite\nhint: a weight that is 0 hands 0 back, not −∞");
        let open = back(&q, &k, &v, &dy, &softmax(scores(&q, &k)));
        let late = back(&q, &k, &v, &dy, &too_late(&q, &k)).2;
        let before = masked(&q, &k, |j, i| j < i || i == 0 && j == 0);
        let before = back(&q, &k, &v, &dy, &before).2;
        let other = back(&q, &k, &v, &dy, &masked(&q, &k, |j, i| j >= i));
        let root = (d as f32).sqrt();
        let (hides, triangle) = ("the forward hides later tokens", "this is the other triangle");
        let alpha = masked(&q, &k, |j, i| j <= i);
        let no_mean = product(&v.t(), &dy).component_mul(&alpha);
        let no_mean = through(&q, &k, &dy, &alpha, no_mean);
        let jacobian =
            "weights that sum to 1 cannot all grow: the softmax's Jacobian is diag(α) − ααᵀ";
        expect(&dv, &right_v, 1e-4)
            .of("dv")
            .or_hint(open.2, hides)
            .or_hint(other.2, triangle)
            .or_hint(late, "later tokens are hidden before the softmax: its weights sum to 1")
            .or_hint(before, "a token sees itself")
            .or_hint(product(&dy, &alpha), "dv of a token: which queries read it, and how much?")
            .check();
        expect(&dq, &right_q, 1e-4)
            .of("dq")
            .or_hint(open.0, hides)
            .or_hint(other.0, triangle)
            .or_hint(&right_q * root, "the scores were divided by √d")
            .or_hint(&right_k, "queries and keys are exchanged")
            .or_hint(no_mean.0, jacobian)
            .check();
        expect(&dk, &right_k, 1e-4)
            .of("dk")
            .or_hint(open.1, hides)
            .or_hint(other.1, triangle)
            .or_hint(&right_k * root, "the scores were divided by √d")
            .or_hint(no_mean.1, jacobian)
            .check();
        slopes(&q, &k, &v, &dy, &right_q);
    }
    large_scores(causal_gradient);
}

/// All scores of a query are shifted by ±600 or so, which changes no weight.
fn large_scores(causal_gradient: CausalGradient) {
    let [mut q, mut k] = [0.2, 1.4].map(|phase| uneven(4, 5, phase) * 0.6);
    let [v, dy] = [2.3, 3.1].map(|phase| uneven(2, 5, phase) * 0.5);
    q.row_mut(0).iter_mut().enumerate().for_each(|(i, q)| *q = [1.0, -1.0][i % 2]);
    k.row_mut(0).fill(1200.0);
    let (dq, dk, dv) = causal_gradient(&q, &k, &v, &dy);
    let finite = [&dq, &dk, &dv].iter().all(|d| d.iter().all(|x| x.is_finite()));
    assert!(
        finite,
        "scores of ±600 give a gradient that is not finite\nhint: take the largest score of a query from \
         all of its scores first"
    );
    let why = "a hidden score must be −∞: a score that counts may be as low as any number";
    let weak = back(&q, &k, &v, &dy, &nearly_hidden(&q, &k));
    for (name, found, right, weak) in [
        ("dk", &dk, right(&q, &k, &v, &dy).1, weak.1),
        ("dv", &dv, right(&q, &k, &v, &dy).2, weak.2),
    ] {
        let name = format!("{name}, with scores of ±600");
        expect(found, right, 2e-3).of(name).or_hint(weak, why).check();
    }
}

/// What decided is right: it is the slope of the forward of 9.4.
fn slopes(q: &Matrix, k: &Matrix, v: &Matrix, dy: &Matrix, dq: &Matrix) {
    let loss = |q: &Matrix| solutions::causal(q, k, v).dot(dy);
    let step = |at: (usize, usize), h: f32| {
        let mut q = q.clone();
        q[at] += h;
        loss(&q)
    };
    let at = (0, q.ncols() - 1);
    let slope = (step(at, 0.01) - step(at, -0.01)) / 0.02;
    assert!((slope - dq[at]).abs() < 2e-3, "{slope} and {}", dq[at]);
}

fn masked(q: &Matrix, k: &Matrix, sees: fn(usize, usize) -> bool) -> Matrix {
    let s = scores(q, k);
    let hidden = |j, i| if sees(j, i) { s[(j, i)] } else { f32::NEG_INFINITY };
    softmax(Matrix::from_fn(s.nrows(), s.ncols(), hidden))
}

/// Weights of a softmax over all tokens, the later ones then set to 0.
fn too_late(q: &Matrix, k: &Matrix) -> Matrix {
    let mut alpha = softmax(scores(q, k));
    alpha.fill_lower_triangle(0.0, 1);
    alpha
}

fn nearly_hidden(q: &Matrix, k: &Matrix) -> Matrix {
    let mut s = scores(q, k);
    s.fill_lower_triangle(-100.0, 1);
    softmax(s)
}

fn right(q: &Matrix, k: &Matrix, v: &Matrix, dy: &Matrix) -> Gradients {
    back(q, k, v, dy, &masked(q, k, |j, i| j <= i))
}

/// The gradients behind the weights `alpha`.
fn back(q: &Matrix, k: &Matrix, v: &Matrix, dy: &Matrix, alpha: &Matrix) -> Gradients {
    let mut ds = product(&v.t(), dy);
    elementwise::softmax_backward(&mut ds, alpha);
    through(q, k, dy, alpha, ds)
}

/// The gradients behind the scores.
fn through(q: &Matrix, k: &Matrix, dy: &Matrix, alpha: &Matrix, ds: Matrix) -> Gradients {
    let ds = ds / (q.nrows() as f32).sqrt();
    (product(k, &ds), product(q, &ds.t()), product(dy, &alpha.t()))
}
