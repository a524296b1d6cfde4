//! What the exercises of chapter 2 must do, and typical mistakes that the checks must reject.

use nalgebra::DMatrix;
use parametric_attention::{Sees, predict_with_slope, squared_error};
use shared::{Matrix, Tape, Var};
use tests::exercises::{Exercise, Kind, Mistake, ORIGINAL_BUG, Suite};
use tests::{assert_close, expect, finite_difference};

use crate::attempt;

/// One field an exercise.
#[derive(Clone, Copy)]
pub struct Table {
    pub weights_of_others: fn(&[f32], f32) -> Matrix,
    pub slope: fn(f32, &[f32], &[f32], f32) -> f32,
    pub training_step: fn(&[f32], &[f32], f32, f32) -> f32,
    pub matrix_gradient: fn(&[f32], &Matrix, &[f32], &Matrix) -> Matrix,
    pub gaussian_scores: for<'t> fn(Var<'t>, &Matrix) -> Var<'t>,
    pub scores_backward: fn(&Matrix, &Matrix, &Matrix) -> (Matrix, Matrix),
}

/// The functions of the module that this test program calls `attempt`: exercises or solutions.
pub fn table() -> Table {
    Table {
        weights_of_others: attempt::weights_of_others,
        slope: attempt::slope,
        training_step: attempt::training_step,
        matrix_gradient: attempt::matrix_gradient,
        gaussian_scores: attempt::gaussian_scores,
        scores_backward: attempt::scores_backward,
    }
}

pub fn suite() -> Suite<Table> {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .exercise(Exercise {
            number: 1,
            title: "attending to the others",
            kind: Kind::Implement,
            difficulty: 1,
            minutes: 10,
            check: weights_of_others,
            mistakes: &[
                Mistake {
                    name: "attending to itself",
                    hint: "attends to itself",
                    apply: |table| {
                        table.weights_of_others = |x, w| others(x, |u| scored(u, w), true)
                    },
                },
                Mistake {
                    name: "hidden after the softmax",
                    hint: "before the softmax",
                    apply: |table| table.weights_of_others = hidden_too_late,
                },
                Mistake {
                    name: "hidden by its place",
                    hint: "hide by index",
                    apply: |table| table.weights_of_others = hidden_by_place,
                },
                Mistake {
                    name: "w instead of its square",
                    hint: "inside the square",
                    apply: |table| {
                        table.weights_of_others = |x, w| others(x, |u| -0.5 * w * u * u, false);
                    },
                },
                Mistake {
                    name: "without the half",
                    hint: "the ½",
                    apply: |table| {
                        table.weights_of_others = |x, w| others(x, |u| 2.0 * scored(u, w), false);
                    },
                },
                Mistake {
                    name: "over rows",
                    hint: "each column must sum to 1",
                    apply: |table| {
                        table.weights_of_others =
                            |x, w| others(x, |u| scored(u, w), false).transpose();
                    },
                },
                Mistake {
                    name: "the mean of the others",
                    hint: "",
                    apply: |table| table.weights_of_others = |x, _| others(x, |_| 0.0, false),
                },
            ],
        })
        .exercise(Exercise {
            number: 2,
            title: "the slope of a prediction",
            kind: Kind::Derive,
            difficulty: 2,
            minutes: 20,
            check: slope,
            mistakes: &[
                Mistake {
                    name: "wrong sign",
                    hint: "the sign",
                    apply: |table| table.slope = |x, k, v, w| -right_slope(x, k, v, w),
                },
                Mistake {
                    name: "w forgotten",
                    hint: "the factor w",
                    apply: |table| table.slope = |x, k, v, w| right_slope(x, k, v, w) / w,
                },
                Mistake {
                    name: "only the diagonal of the softmax",
                    hint: "every weight depends on every score",
                    apply: |table| table.slope = diagonal_slope,
                },
                Mistake {
                    name: "a product in place of a covariance",
                    hint: "subtract",
                    apply: |table| table.slope = uncentred_slope,
                },
                Mistake { name: "zero", hint: "", apply: |table| table.slope = |_, _, _, _| 0.0 },
                Mistake {
                    name: "a softmax without its maximum",
                    hint: "slope(500, keys, values, 1)",
                    apply: |table| table.slope = overflowing_slope,
                },
                Mistake {
                    name: "divided by w",
                    hint: "slope(10.5, keys, values, 0)",
                    apply: |table| {
                        table.slope = |x, k, v, w| right_slope(x, k, v, w) * w / w;
                    },
                },
                Mistake {
                    name: "the sign of w lost",
                    hint: "slope(10.5, keys, values, -1.5)",
                    apply: |table| table.slope = |x, k, v, w| right_slope(x, k, v, w.abs()),
                },
            ],
        })
        .exercise(Exercise {
            number: 3,
            title: "a step of training",
            kind: Kind::Implement,
            difficulty: 2,
            minutes: 15,
            check: training_step,
            mistakes: &[
                Mistake {
                    name: "attending to itself while training",
                    hint: "each point sees itself",
                    apply: |table| {
                        table.training_step =
                            |x, y, w, rate| stepped(x, y, w, rate, Sees::Everyone, 2.0)
                    },
                },
                Mistake {
                    name: "factor 2 forgotten",
                    hint: "the factor 2",
                    apply: |table| {
                        table.training_step =
                            |x, y, w, rate| stepped(x, y, w, rate, Sees::Others, 1.0)
                    },
                },
                Mistake {
                    name: "uphill",
                    hint: "uphill",
                    apply: |table| {
                        table.training_step =
                            |x, y, w, rate| stepped(x, y, w, -rate, Sees::Others, 2.0)
                    },
                },
                Mistake {
                    name: "mean in place of sum",
                    hint: "summed, not averaged",
                    apply: |table| {
                        table.training_step = |x, y, w, rate| {
                            stepped(x, y, w, rate / x.len() as f32, Sees::Others, 2.0)
                        };
                    },
                },
                Mistake {
                    name: "hidden by its place",
                    hint: "hide by index",
                    apply: |table| table.training_step = stepped_by_place,
                },
                Mistake {
                    name: "not below zero",
                    hint: "may become negative",
                    apply: |table| {
                        table.training_step =
                            |x, y, w, rate| stepped(x, y, w, rate, Sees::Others, 2.0).max(0.0);
                    },
                },
                Mistake {
                    name: "no step",
                    hint: "",
                    apply: |table| table.training_step = |_, _, w, _| w,
                },
            ],
        })
        .exercise(Exercise {
            number: 4,
            title: "the gradient of a matrix",
            kind: Kind::Derive,
            difficulty: 3,
            minutes: 30,
            check: matrix_gradient,
            mistakes: &[
                Mistake {
                    name: "transposed",
                    hint: "transpose",
                    apply: |table| {
                        table.matrix_gradient = |q, k, v, w| right_gradient(q, k, v, w).transpose();
                    },
                },
                Mistake {
                    name: "wrong sign",
                    hint: "the sign",
                    apply: |table| table.matrix_gradient = |q, k, v, w| -right_gradient(q, k, v, w),
                },
                Mistake {
                    name: "twice too much",
                    hint: "twice",
                    apply: |table| {
                        table.matrix_gradient = |q, k, v, w| right_gradient(q, k, v, w) * 2.0;
                    },
                },
                Mistake {
                    name: "a square matrix transposed",
                    hint: "transpose",
                    apply: |table| {
                        table.matrix_gradient = |q, k, v, w| {
                            let right = right_gradient(q, k, v, w);
                            if w.is_square() { right.transpose() } else { right }
                        };
                    },
                },
                Mistake {
                    name: "far away, all scores zero",
                    hint: "matrix_gradient([40, -30], keys, values, w)",
                    apply: |table| {
                        table.matrix_gradient = |q, k, v, w| match q[0] > 10.0 {
                            true => w * f32::NAN, // 0/0
                            false => right_gradient(q, k, v, w),
                        };
                    },
                },
                Mistake {
                    name: "no metric in the weights",
                    hint: "",
                    apply: |table| {
                        table.matrix_gradient = |q, k, v, w| {
                            let plain = Matrix::identity(w.nrows(), w.ncols());
                            w * plain.transpose() * right_gradient(q, k, v, &plain)
                        };
                    },
                },
                Mistake {
                    name: "zero",
                    hint: "",
                    apply: |table| table.matrix_gradient = |_, _, _, w| w * 0.0,
                },
            ],
        })
        .exercise(Exercise {
            number: 5,
            title: "an operation of your own",
            kind: Kind::Implement,
            difficulty: 2,
            minutes: 20,
            check: gaussian_scores,
            mistakes: &[
                Mistake {
                    name: "the gradient from above forgotten",
                    hint: "multiply by ds",
                    apply: |table| {
                        table.gaussian_scores = |w, u| own(w, u, |w, u, _| -w * u.norm_squared());
                    },
                },
                Mistake {
                    name: "w forgotten",
                    hint: "the factor w",
                    apply: |table| {
                        table.gaussian_scores =
                            |w, u| own(w, u, |_, u, ds| -u.component_mul(u).dot(ds));
                    },
                },
                Mistake {
                    name: "wrong sign",
                    hint: "the sign",
                    apply: |table| {
                        table.gaussian_scores =
                            |w, u| own(w, u, |w, u, ds| w * u.component_mul(u).dot(ds));
                    },
                },
                Mistake {
                    name: "the sign of w lost",
                    hint: "the gradient of w",
                    apply: |table| {
                        table.gaussian_scores =
                            |w, u| own(w, u, |w, u, ds| -w.abs() * u.component_mul(u).dot(ds));
                    },
                },
                Mistake {
                    name: "divided by w",
                    hint: "the gradient of w",
                    apply: |table| {
                        table.gaussian_scores =
                            |w, u| own(w, u, |w, u, ds| -w * w * u.component_mul(u).dot(ds) / w);
                    },
                },
                Mistake {
                    name: "one share an entry",
                    hint: "gradient (2, 3) for a value of shape (1, 1)",
                    apply: |table| table.gaussian_scores = unsummed,
                },
                Mistake {
                    name: "no gradient at all",
                    hint: "",
                    apply: |table| {
                        table.gaussian_scores = |w, u| {
                            let w_squared = w.scalar() * w.scalar();
                            w.tape().constant(u.map(|u| -0.5 * w_squared * u * u))
                        };
                    },
                },
            ],
        })
        .exercise(Exercise {
            number: 6,
            title: "spot the bug: a gradient that forgets",
            kind: Kind::SpotTheBug,
            difficulty: 1,
            minutes: 10,
            check: scores_backward,
            mistakes: &[
                Mistake {
                    name: ORIGINAL_BUG,
                    hint: "only the last key is left",
                    apply: |table| {
                        table.scores_backward =
                            |q, k, ds| (forgetful(q, k, ds).0, forgetful(q, k, ds).1);
                    },
                },
                Mistake {
                    name: "only the queries mended",
                    hint: "only the last query is left",
                    apply: |table| {
                        table.scores_backward =
                            |q, k, ds| (right_backward(q, k, ds).0, forgetful(q, k, ds).1);
                    },
                },
                Mistake {
                    name: "both signs turned",
                    hint: "",
                    apply: |table| {
                        table.scores_backward = |q, k, ds| {
                            let (dq, dk) = right_backward(q, k, ds);
                            (-dq, -dk)
                        };
                    },
                },
            ],
        })
}

// ---- 2.1 ---------------------------------------------------------------------------------------

fn weights_of_others(table: &Table) {
    let (x, w) = ([0.0, 1.0, 1.5, 4.0], 0.8);
    let expected = others(&x, |u| scored(u, w), false);
    expect((table.weights_of_others)(&x, w), &expected, 1e-5)
        .of("weights_of_others(x, 0.8)")
        .given("x", x)
        .or_hint(
            others(&x, |u| scored(u, w), true),
            "each point attends to itself: give its own score −∞",
        )
        .or_hint(
            hidden_too_late(&x, w),
            "hide the diagonal before the softmax, else the columns do not sum to 1",
        )
        .or_hint(others(&x, |u| -0.5 * w * u * u, false), "w stands inside the square")
        .or_hint(others(&x, |u| 2.0 * scored(u, w), false), "the ½ is missing")
        .or_hint(
            expected.transpose(),
            "these are softmaxes over rows: column j is point j's, so each column must sum to 1",
        )
        .check();

    let far = [0.0, 1.0, 100.0];
    expect(
        (table.weights_of_others)(&far, 50.0),
        [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0; 3]],
        1e-6,
    )
    .of("weights_of_others(x, 50)")
    .given("x", far)
    .check();

    let twins = [1.0, 2.5, 1.0, 0.0];
    expect((table.weights_of_others)(&twins, w), others(&twins, |u| scored(u, w), false), 1e-5)
        .of("weights_of_others(x, 0.8)")
        .given("x", twins)
        .or_hint(
            hidden_by_place(&twins, w),
            "two points may share an x and may attend to each other: hide by index",
        )
        .check();
}

fn scored(u: f32, w: f32) -> f32 {
    -0.5 * (u * w) * (u * w)
}

fn others(x: &[f32], score: impl Fn(f32) -> f32, itself: bool) -> Matrix {
    let mut alpha = Matrix::from_fn(x.len(), x.len(), |i, j| match i == j && !itself {
        true => f32::NEG_INFINITY,
        false => score(x[j] - x[i]),
    });
    for mut column in alpha.column_iter_mut() {
        shared::elementwise::softmax(column.as_mut_slice());
    }
    alpha
}

fn hidden_by_place(x: &[f32], w: f32) -> Matrix {
    let hide = |u: f32| if u == 0.0 { f32::NEG_INFINITY } else { scored(u, w) };
    others(x, hide, false)
}

fn hidden_too_late(x: &[f32], w: f32) -> Matrix {
    let mut alpha = others(x, |u| scored(u, w), true);
    alpha.fill_diagonal(0.0);
    alpha
}

// ---- 2.2 ---------------------------------------------------------------------------------------

const HOURS: [f32; 4] = [8.0, 9.5, 10.0, 13.0];
const DEGREES: [f32; 4] = [14.0, 18.0, 17.0, 20.0];

fn slope(table: &Table) {
    // The same formula in f64.
    let f = |query: f64, w: f64| {
        let weight = |hour: &f32| (-0.5 * ((query - f64::from(*hour)) * w).powi(2)).exp();
        let sum: f64 = HOURS.iter().map(weight).sum();
        HOURS.iter().zip(DEGREES).map(|(hour, y)| weight(hour) * f64::from(y)).sum::<f64>() / sum
    };
    for (query, w) in [(10.5, 0.5), (9.0, 1.5)] {
        let f = |w: &DMatrix<f64>| f(query, w[0]);
        let q = query as f32;
        let right = finite_difference(f, w);
        let right_scalar = right[0] as f32;
        expect([(table.slope)(q, &HOURS, &DEGREES, w)], right, 1e-4)
            .of(format!("slope({q}, keys, values, {w})"))
            .given("keys", HOURS)
            .given("values", DEGREES)
            .or_hint([-right_scalar], "the sign: a score falls as w grows")
            .or_hint([right_scalar / w], "the factor w is missing: ∂(w²)/∂w = 2w")
            .or_hint(
                [diagonal_slope(q, &HOURS, &DEGREES, w)],
                "the diagonal of the softmax's Jacobian alone: every weight depends on every score",
            )
            .or_hint(
                [uncentred_slope(q, &HOURS, &DEGREES, w)],
                "subtract f from the values: when one weight grows, the others shrink",
            )
            .check();
    }
    // A width below zero, and none at all: w and −w are one model, and at 0 no key is favoured.
    for (query, w) in [(10.5, -1.5_f32), (10.5, 0.0)] {
        let right = finite_difference(|w: &DMatrix<f64>| f(query, w[0]), w);
        expect([(table.slope)(query as f32, &HOURS, &DEGREES, w)], right, 1e-4)
            .of(format!("slope({query}, keys, values, {w})"))
            .given("keys", HOURS)
            .given("values", DEGREES)
            .check();
    }
    // Far away, the nearest key has all the weight: e to the power of any score would be 0.
    expect([(table.slope)(500.0, &HOURS, &DEGREES, 1.0)], [0.0], 1e-4)
        .of("slope(500, keys, values, 1)")
        .given("keys", HOURS)
        .given("values", DEGREES)
        .check();
}

fn right_slope(query: f32, keys: &[f32], values: &[f32], w: f32) -> f32 {
    predict_with_slope(query, keys, values, w, None).1
}

fn overflowing_slope(query: f32, keys: &[f32], values: &[f32], w: f32) -> f32 {
    let square = |i: usize| (query - keys[i]) * (query - keys[i]);
    let alpha: Vec<f32> = (0..keys.len()).map(|i| (-0.5 * w * w * square(i)).exp()).collect();
    let sum: f32 = alpha.iter().sum();
    let mean =
        |y: &dyn Fn(usize) -> f32| (0..keys.len()).map(|i| alpha[i] * y(i)).sum::<f32>() / sum;
    let f = mean(&|i| values[i]);
    -w * mean(&|i| (values[i] - f) * square(i))
}

fn diagonal_slope(query: f32, keys: &[f32], values: &[f32], w: f32) -> f32 {
    shares(query, keys, w).map(|(i, alpha, ds)| alpha * (1.0 - alpha) * values[i] * ds).sum()
}

fn uncentred_slope(query: f32, keys: &[f32], values: &[f32], w: f32) -> f32 {
    shares(query, keys, w).map(|(i, alpha, ds)| alpha * values[i] * ds).sum()
}

/// (i, αᵢ, ∂sᵢ/∂w)
fn shares(query: f32, keys: &[f32], w: f32) -> impl Iterator<Item = (usize, f32, f32)> {
    let alpha = parametric_attention::weights(query, keys, w, None);
    keys.iter().enumerate().map(move |(i, k)| (i, alpha[i], -w * (query - k) * (query - k)))
}

// ---- 2.3 ---------------------------------------------------------------------------------------

fn training_step(table: &Table) {
    let (x, y) = ([0.0, 0.5, 1.0, 2.0, 2.5], [1.0, 2.0, 1.5, 3.0, 2.5]);
    for (w, rate) in [(0.7, 0.1), (2.0, 0.05)] {
        expect(
            [(table.training_step)(&x, &y, w, rate)],
            [stepped(&x, &y, w, rate, Sees::Others, 2.0)],
            1e-5,
        )
        .of(format!("training_step(x, y, {w}, {rate})"))
        .given("x", x)
        .given("y", y)
        .or_hint(
            [stepped(&x, &y, w, rate, Sees::Everyone, 2.0)],
            "each point sees itself: hide key j while you predict point j",
        )
        .or_hint(
            [stepped(&x, &y, w, rate, Sees::Others, 1.0)],
            "the factor 2 of the square is missing",
        )
        .or_hint(
            [stepped(&x, &y, w, -rate, Sees::Others, 2.0)],
            "this goes uphill: subtract the gradient",
        )
        .or_hint(
            [stepped(&x, &y, w, rate / 5.0, Sees::Others, 2.0)],
            "the errors of the points are summed, not averaged",
        )
        .check();
    }

    let twins = [0.0, 0.5, 0.5, 2.0, 2.5];
    expect(
        [(table.training_step)(&twins, &y, 0.7, 0.1)],
        [stepped(&twins, &y, 0.7, 0.1, Sees::Others, 2.0)],
        1e-5,
    )
    .of("training_step(x, y, 0.7, 0.1)")
    .given("x", twins)
    .given("y", y)
    .or_hint(
        [stepped_by_place(&twins, &y, 0.7, 0.1)],
        "two points may share an x and may attend to each other: hide by index",
    )
    .check();

    // The slope is positive here, and the rate takes w far below zero.
    let below = stepped(&x, &y, 1.5, 20.0, Sees::Others, 2.0);
    assert!(below < -0.5, "the step was to lead below zero, not to {below}");
    expect([(table.training_step)(&x, &y, 1.5, 20.0)], [below], 1e-4)
        .of("training_step(x, y, 1.5, 20)")
        .given("x", x)
        .given("y", y)
        .or_hint([0.0], "w may become negative: w and −w are the same model")
        .check();
}

fn stepped(x: &[f32], y: &[f32], w: f32, rate: f32, sees: Sees, factor: f32) -> f32 {
    w - rate * squared_error(x, y, w, sees).1 * factor / 2.0
}

fn stepped_by_place(x: &[f32], y: &[f32], w: f32, rate: f32) -> f32 {
    let alpha = hidden_by_place(x, w);
    let mut slope = 0.0;
    for j in 0..x.len() {
        let f: f32 = (0..x.len()).map(|i| alpha[(i, j)] * y[i]).sum();
        let share = |i: usize| alpha[(i, j)] * (y[i] - f) * (x[j] - x[i]) * (x[j] - x[i]);
        slope += 2.0 * (f - y[j]) * -w * (0..x.len()).map(share).sum::<f32>();
    }
    w - rate * slope
}

// ---- 2.4 ---------------------------------------------------------------------------------------

fn matrix_gradient(table: &Table) {
    let query = [0.2, -0.3];
    let keys = Matrix::from_row_slice(2, 4, &[1.0, 0.0, -0.5, 0.4, 0.5, -1.0, 0.3, 0.9]);
    let values = [3.0, 1.0, 2.0, -1.0];
    let w = Matrix::from_row_slice(3, 2, &[1.0, 0.5, -0.3, 0.8, 0.2, -1.1]);
    // The same formula in f64.
    let f = |w: &DMatrix<f64>| {
        let weight = |i: usize| {
            let u = DMatrix::from_fn(2, 1, |d, _| f64::from(query[d]) - f64::from(keys[(d, i)]));
            (-0.5 * (w * u).norm_squared()).exp()
        };
        let sum: f64 = (0..4).map(weight).sum();
        (0..4).map(|i| weight(i) * f64::from(values[i])).sum::<f64>() / sum
    };
    let right = finite_difference(f, &w);
    expect((table.matrix_gradient)(&query, &keys, &values, &w), &right, 1e-4)
        .of("matrix_gradient(query, keys, values, w)")
        .given("query", query)
        .given("keys", &keys)
        .given("values", values)
        .given("w", &w)
        .or_hint(-&right, "the sign: a score falls as W grows")
        .or_hint(&right * 2.0, "twice too much: the ½ cancels the 2 of the square")
        .check();

    let square = Matrix::from_row_slice(2, 2, &[1.0, 0.5, -0.3, 0.8]);
    let right = finite_difference(f, &square);
    expect((table.matrix_gradient)(&query, &keys, &values, &square), &right, 1e-4)
        .of("matrix_gradient(query, keys, values, w)")
        .given("query", query)
        .given("keys", &keys)
        .given("values", values)
        .given("w", &square)
        .or_hint(right.transpose(), "this is the transpose")
        .check();

    // Far away, the nearest key has all the weight: e to the power of any score would be 0.
    let far = [40.0, -30.0];
    expect((table.matrix_gradient)(&far, &keys, &values, &w), w.map(|_| 0.0), 1e-4)
        .of("matrix_gradient([40, -30], keys, values, w)")
        .given("keys", &keys)
        .given("values", values)
        .given("w", &w)
        .check();
}

fn right_gradient(query: &[f32], keys: &Matrix, values: &[f32], w: &Matrix) -> Matrix {
    parametric_attention::predict_with_gradient(query, keys, values, w).1
}

// ---- 2.5 ---------------------------------------------------------------------------------------

fn gaussian_scores(table: &Table) {
    let distances = Matrix::from_row_slice(2, 3, &[0.5, 1.0, -2.0, 0.0, 3.0, 1.5]);
    let from_above = Matrix::from_row_slice(2, 3, &[1.0, -0.5, 0.25, 2.0, 0.75, -1.0]);
    gaussian_scores_at(table, 1.7, &distances, &from_above, true);
    // A width below zero, and none at all.
    gaussian_scores_at(table, -1.7, &distances, &from_above, false);
    gaussian_scores_at(table, 0.0, &distances, &from_above, false);
}

fn gaussian_scores_at(table: &Table, w: f32, distances: &Matrix, from_above: &Matrix, hints: bool) {
    let tape = Tape::new();
    let leaf = tape.leaf(Matrix::from_element(1, 1, w));
    let s = (table.gaussian_scores)(leaf, distances);
    expect(s.value(), distances.map(|u| -0.5 * (w * u) * (w * u)), 1e-5)
        .of("gaussian_scores(w, distances)")
        .given("w", w)
        .given("distances", distances)
        .check();

    let dw = s.component_mul(tape.constant(from_above.clone())).sum().backward().wrt(leaf);
    let weighted = distances.component_mul(distances).dot(from_above);
    let mut gradient = expect(dw, [-w * weighted], 1e-5)
        .of("the gradient of w")
        .given("w", w)
        .given("distances", distances)
        .given("ds", from_above);
    if hints {
        gradient = gradient
            .or_hint(
                [-w * distances.norm_squared()],
                "multiply by ds, entry by entry, before you sum",
            )
            .or_hint([-weighted], "the factor w is missing")
            .or_hint([w * weighted], "the sign: a score falls as w grows");
    }
    gradient.check();
}

/// The operation with a backward of its own: from w, the distances and ds.
fn own<'t>(w: Var<'t>, u: &Matrix, backward: fn(f32, &Matrix, &Matrix) -> f32) -> Var<'t> {
    let (dw, width, u) = (w.id(), w.scalar(), u.clone());
    let s = u.map(|u| -0.5 * (width * u) * (width * u));
    w.tape().push(s, move |ds, gradients| {
        gradients.add(dw, Matrix::from_element(1, 1, backward(width, &u, &ds)));
    })
}

fn unsummed<'t>(w: Var<'t>, u: &Matrix) -> Var<'t> {
    let (dw, width, u) = (w.id(), w.scalar(), u.clone());
    let s = u.map(|u| -0.5 * (width * u) * (width * u));
    w.tape().push(s, move |ds, gradients| {
        gradients.add(dw, u.component_mul(&u).component_mul(&ds) * -width);
    })
}

// ---- 2.6 ---------------------------------------------------------------------------------------

fn scores_backward(table: &Table) {
    let queries = Matrix::from_row_slice(2, 2, &[1.0, -1.0, 0.5, 2.0]);
    let keys = Matrix::from_row_slice(2, 3, &[0.0, 1.5, -2.0, 1.0, 0.0, 0.5]);
    let ds = Matrix::from_row_slice(3, 2, &[1.0, -0.5, 0.25, 2.0, -1.0, 0.75]);
    let (right_q, right_k) = right_backward(&queries, &keys, &ds);
    let (forgetful_q, forgetful_k) = forgetful(&queries, &keys, &ds);

    let one = |m: &Matrix| m.columns(0, 1).into_owned();
    let pair =
        (table.scores_backward)(&one(&queries), &one(&keys), &one(&ds.rows(0, 1).into_owned()));
    assert_close!(pair.0, [-1.0, 0.5], 1e-6, "dq for a single query and key");
    assert_close!(pair.1, [1.0, -0.5], 1e-6, "dk for a single query and key");

    let (dq, dk) = (table.scores_backward)(&queries, &keys, &ds);
    expect(dq, right_q, 1e-5)
        .of("dq of scores_backward(queries, keys, ds)")
        .given("queries", &queries)
        .given("keys", &keys)
        .given("ds", &ds)
        .or_hint(forgetful_q, "only the last key is left: a query receives a share from every key")
        .check();
    expect(dk, right_k, 1e-5)
        .of("dk of scores_backward(queries, keys, ds)")
        .given("queries", &queries)
        .given("keys", &keys)
        .given("ds", &ds)
        .or_hint(
            forgetful_k,
            "only the last query is left: a key receives a share from every query",
        )
        .check();
}

fn right_backward(queries: &Matrix, keys: &Matrix, ds: &Matrix) -> (Matrix, Matrix) {
    let tape = Tape::new();
    let (q, k) = (tape.leaf(queries.clone()), tape.leaf(keys.clone()));
    let s = parametric_attention::scores(q, k).component_mul(tape.constant(ds.clone()));
    let gradients = s.sum().backward();
    (gradients.wrt(q), gradients.wrt(k))
}

/// The function as it was given.
fn forgetful(queries: &Matrix, keys: &Matrix, ds: &Matrix) -> (Matrix, Matrix) {
    let mut dq = Matrix::zeros(queries.nrows(), queries.ncols());
    let mut dk = Matrix::zeros(keys.nrows(), keys.ncols());
    for j in 0..queries.ncols() {
        for i in 0..keys.ncols() {
            let difference = (keys.column(i) - queries.column(j)) * ds[(i, j)];
            dq.set_column(j, &difference);
            dk.set_column(i, &-difference);
        }
    }
    (dq, dk)
}
