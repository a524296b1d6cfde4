//! What the exercises of chapter 1 must do, and typical mistakes that the checks must reject.

use kernel_regression::{Float, Kernel, Matrix, mean_squared_error, nadaraya_watson};
use nalgebra::DMatrix;
use tests::exercises::{Exercise, Kind, Mistake, ORIGINAL_BUG, Suite};
use tests::{expect, finite_difference};

use crate::attempt;

type Points<'a> = &'a mut dyn Iterator<Item = (Float, Float)>;

/// One field an exercise.
#[derive(Clone, Copy)]
pub struct Table {
    pub epanechnikov: fn(Float) -> Float,
    pub attention_weights: fn(&[Float], &[Float], Float) -> Matrix,
    pub softmax: fn(&Matrix) -> Matrix,
    pub choose_bandwidth: fn(&[Float], &[Float], &[Float]) -> Float,
    pub leave_one_out_from: fn(&Matrix, &[Float]) -> Vec<Float>,
    pub slope: fn(Float, &[Float], &[Float], Float) -> Float,
    pub one_pass: fn(Float, Points, Float) -> Float,
    pub lookup_bandwidth: fn(Float, Float) -> Float,
}

/// The functions of the module that this test program calls `attempt`: exercises or solutions.
pub fn table() -> Table {
    Table {
        epanechnikov: attempt::epanechnikov,
        attention_weights: attempt::attention_weights,
        softmax: attempt::softmax,
        choose_bandwidth: attempt::choose_bandwidth,
        leave_one_out_from: attempt::leave_one_out_from,
        slope: attempt::slope,
        one_pass: attempt::one_pass,
        lookup_bandwidth: attempt::lookup_bandwidth,
    }
}

pub fn suite() -> Suite<Table> {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .exercise(Exercise {
            number: 1,
            title: "the Epanechnikov kernel",
            kind: Kind::Implement,
            difficulty: 1,
            minutes: 5,
            check: epanechnikov,
            mistakes: &[
                Mistake {
                    name: "the triangular kernel",
                    hint: "triangular kernel",
                    apply: |table| table.epanechnikov = |u| (1.0 - u.abs()).max(0.0),
                },
                Mistake {
                    name: "no positive part",
                    hint: "beyond the distance 1",
                    apply: |table| table.epanechnikov = |u| 0.75 * (1.0 - u * u),
                },
                Mistake {
                    name: "the factor forgotten",
                    hint: "¾",
                    apply: |table| table.epanechnikov = |u| (1.0 - u * u).max(0.0),
                },
                Mistake {
                    name: "one side only",
                    hint: "negative",
                    apply: |table| {
                        table.epanechnikov = |u| 0.75 * (1.0 - u.max(0.0).powi(2)).max(0.0)
                    },
                },
                Mistake {
                    name: "a constant",
                    hint: "",
                    apply: |table| table.epanechnikov = |_| 0.75,
                },
            ],
        })
        .exercise(Exercise {
            number: 2,
            title: "attention weights",
            kind: Kind::Implement,
            difficulty: 1,
            minutes: 15,
            check: attention_weights,
            mistakes: &[
                Mistake {
                    name: "over rows",
                    hint: "a column is a query",
                    apply: |table| table.attention_weights = over_rows,
                },
                Mistake {
                    name: "transposed",
                    hint: "one row for each key",
                    apply: |table| table.attention_weights = |q, k, h| weights(q, k, h).transpose(),
                },
                Mistake {
                    name: "unstable exponent",
                    hint: "NaN",
                    apply: |table| table.attention_weights = unstable,
                },
                Mistake {
                    name: "not normalised",
                    hint: "must sum to 1",
                    apply: |table| table.attention_weights = kernel_values,
                },
                Mistake {
                    name: "distances not squared",
                    hint: "square",
                    apply: |table| table.attention_weights = not_squared,
                },
                Mistake {
                    name: "the two forgotten",
                    hint: "2h²",
                    apply: |table| {
                        table.attention_weights = |q, k, h| weights(q, k, h / (2.0 as Float).sqrt())
                    },
                },
                Mistake {
                    name: "multiplied by the bandwidth",
                    hint: "divided by the bandwidth",
                    apply: |table| table.attention_weights = |q, k, h| weights(q, k, 1.0 / h),
                },
                Mistake {
                    name: "always uniform",
                    hint: "",
                    apply: |table| {
                        table.attention_weights =
                            |q, k, _| Matrix::from_element(k.len(), q.len(), 1.0 / k.len() as Float)
                    },
                },
            ],
        })
        .exercise(Exercise {
            number: 3,
            title: "spot the bug: far from all keys",
            kind: Kind::SpotTheBug,
            difficulty: 1,
            minutes: 10,
            check: softmax,
            mistakes: &[
                Mistake {
                    name: ORIGINAL_BUG,
                    hint: "NaN",
                    apply: |table| table.softmax = one_largest_for_all,
                },
                Mistake {
                    name: "NaN painted over",
                    hint: "must sum to 1",
                    apply: |table| {
                        table.softmax = |scores| {
                            one_largest_for_all(scores).map(|a| if a.is_nan() { 0.0 } else { a })
                        }
                    },
                },
                Mistake {
                    name: "nothing subtracted",
                    hint: "",
                    apply: |table| {
                        table.softmax = |scores| columns_normalised(scores.map(Float::exp))
                    },
                },
                Mistake {
                    name: "a little added to the sum",
                    hint: "must sum to 1",
                    apply: |table| table.softmax = epsilon_in_the_sum,
                },
            ],
        })
        .exercise(Exercise {
            number: 4,
            title: "spot the bug: always the smallest",
            kind: Kind::SpotTheBug,
            difficulty: 1,
            minutes: 10,
            check: choose_bandwidth,
            mistakes: &[
                Mistake {
                    name: ORIGINAL_BUG,
                    hint: "sees itself",
                    apply: |table| table.choose_bandwidth = seeing_itself,
                },
                Mistake {
                    name: "the largest",
                    hint: "",
                    apply: |table| table.choose_bandwidth = |_, _, candidates| candidates[2],
                },
                Mistake {
                    name: "the one in the middle",
                    hint: "",
                    apply: |table| table.choose_bandwidth = |_, _, candidates| candidates[1],
                },
                Mistake {
                    name: "the own weight set to zero, the rest not rescaled",
                    hint: "",
                    apply: |table| table.choose_bandwidth = not_rescaled,
                },
            ],
        })
        .exercise(Exercise {
            number: 5,
            title: "leave-one-out from a single fit",
            kind: Kind::Derive,
            difficulty: 2,
            minutes: 20,
            check: leave_one_out_from,
            mistakes: &[
                Mistake {
                    name: "nobody left out",
                    hint: "still in them",
                    apply: |table| table.leave_one_out_from = |a, y| means(a, y, |all, _, _| all),
                },
                Mistake {
                    name: "not rescaled",
                    hint: "no longer sum to 1",
                    apply: |table| {
                        table.leave_one_out_from = |a, y| means(a, y, |all, own, y| all - own * y)
                    },
                },
                Mistake {
                    name: "rows for columns",
                    hint: "column j",
                    apply: |table| {
                        table.leave_one_out_from = |a, y| means(&a.transpose(), y, rescaled)
                    },
                },
                Mistake {
                    name: "residuals",
                    hint: "the prediction itself",
                    apply: |table| {
                        table.leave_one_out_from =
                            |a, y| means(a, y, |all, own, y| (y - all) / (1.0 - own))
                    },
                },
                Mistake {
                    name: "the values themselves",
                    hint: "",
                    apply: |table| table.leave_one_out_from = |_, y| y.to_vec(),
                },
            ],
        })
        .exercise(Exercise {
            number: 6,
            title: "the bandwidth of a noisy memory",
            kind: Kind::Derive,
            difficulty: 2,
            minutes: 15,
            check: lookup_bandwidth,
            mistakes: &[
                Mistake {
                    name: "standard deviations added",
                    hint: "variances",
                    apply: |table| table.lookup_bandwidth = |query, key| query + key,
                },
                Mistake {
                    name: "the variance",
                    hint: "in the unit of the keys",
                    apply: |table| table.lookup_bandwidth = |query, key| query * query + key * key,
                },
                Mistake {
                    name: "the query's noise alone",
                    hint: "the stored key is blurred, too",
                    apply: |table| table.lookup_bandwidth = |query, _| query,
                },
                Mistake {
                    name: "a constant",
                    hint: "",
                    apply: |table| table.lookup_bandwidth = |_, _| 0.05,
                },
            ],
        })
        .exercise(Exercise {
            number: 7,
            title: "one pass",
            kind: Kind::Implement,
            difficulty: 2,
            minutes: 25,
            check: one_pass,
            mistakes: &[
                Mistake {
                    name: "no largest score",
                    hint: "NaN",
                    apply: |table| {
                        table.one_pass = |x, points, h| pass(x, points, h, 0.0, |_| [1.0; 2])
                    },
                },
                Mistake {
                    name: "sums not rescaled",
                    hint: "both sums",
                    apply: |table| {
                        table.one_pass =
                            |x, points, h| pass(x, points, h, Float::NEG_INFINITY, |_| [1.0; 2])
                    },
                },
                Mistake {
                    name: "one sum rescaled",
                    hint: "both sums",
                    apply: |table| {
                        table.one_pass =
                            |x, points, h| pass(x, points, h, Float::NEG_INFINITY, |s| [1.0, s])
                    },
                },
                Mistake {
                    name: "the last point",
                    hint: "",
                    apply: |table| {
                        table.one_pass = |_, points, _| points.last().map_or(0.0, |point| point.1)
                    },
                },
                Mistake {
                    name: "the plain mean",
                    hint: "",
                    apply: |table| {
                        table.one_pass =
                            |x, points, _| pass(x, points, 1e9, Float::NEG_INFINITY, |s| [s; 2])
                    },
                },
            ],
        })
        .exercise(Exercise {
            number: 8,
            title: "the slope of the curve",
            kind: Kind::Derive,
            difficulty: 2,
            minutes: 25,
            check: slope,
            mistakes: &[
                Mistake {
                    name: "the other sign",
                    hint: "sign",
                    apply: |table| table.slope = |x, k, v, h| -covariance(x, k, v, h) / (h * h),
                },
                Mistake {
                    name: "not divided by h²",
                    hint: "chain rule",
                    apply: |table| table.slope = covariance,
                },
                Mistake {
                    name: "divided by h",
                    hint: "h²",
                    apply: |table| table.slope = |x, k, v, h| covariance(x, k, v, h) / h,
                },
                Mistake {
                    name: "only the numerator differentiated",
                    hint: "every weight depends on every score",
                    apply: |table| table.slope = without_denominator,
                },
                Mistake {
                    name: "differences over a step that single precision cannot resolve",
                    hint: "",
                    apply: |table| table.slope = difference_quotient,
                },
                Mistake { name: "flat", hint: "", apply: |table| table.slope = |_, _, _, _| 0.0 },
            ],
        })
}

fn epanechnikov(table: &Table) {
    let u = [0.2, 0.5, -0.5, 0.8, 1.5, -1.5];
    expect(u.map(table.epanechnikov), [0.72, 0.5625, 0.5625, 0.27, 0.0, 0.0], 1e-6)
        .of("epanechnikov(u) for each u")
        .given("u", u)
        .or_hint(
            u.map(|u| Kernel::Triangular.weight(u)),
            "this is the triangular kernel, which many a text calls Epanechnikov's: his is a parabola",
        )
        .or_hint(u.map(|u| 0.75 * (1.0 - u * u)), "beyond the distance 1 the weight is 0, never negative")
        .or_hint(u.map(|u| (1.0 - u * u).max(0.0)), "the factor ¾ is missing (it cancels in the weights)")
        .or_hint(
            u.map(|u| 0.75 * (1.0 - u.max(0.0).powi(2)).max(0.0)),
            "distances may be negative: the kernel is symmetric",
        )
        .check();
}

fn attention_weights(table: &Table) {
    let (queries, keys) = ([0.5, 2.0, 3.5], [0.0, 1.0, 3.0, 4.5]);
    let h = 0.8;
    let actual = (table.attention_weights)(&queries, &keys, h);
    assert!(
        actual.shape() == (4, 3),
        "attention_weights of 3 queries and 4 keys is {:?}: there must be one row for each key and \
         one column for each query",
        actual.shape()
    );
    expect(actual, weights(&queries, &keys, h), 1e-5)
        .of("attention_weights(queries, keys, 0.8)")
        .given("queries", queries)
        .given("keys", keys)
        .or_hint(
            over_rows(&queries, &keys, h),
            "here each row sums to 1, but a column is a query: each column must",
        )
        .or_hint(
            kernel_values(&queries, &keys, h),
            "these are the kernel's values: each column must sum to 1",
        )
        .or_hint(
            not_squared(&queries, &keys, h),
            "the Gaussian's score is a square: −(x − xᵢ)²/2h²",
        )
        .or_hint(
            weights(&queries, &keys, h / (2.0 as Float).sqrt()),
            "divide the square by 2h², not by h²",
        )
        .or_hint(weights(&queries, &keys, 1.0 / h), "distances are divided by the bandwidth")
        .check();

    let narrow = (table.attention_weights)(&[0.4, 3.9], &[0.0, 1.0, 3.0], 0.001);
    assert!(
        !narrow.iter().any(|a| a.is_nan()),
        "attention_weights([0.4, 3.9], [0, 1, 3], 0.001) has NaN:{narrow}\
         NaN is 0/0: every exponential of the column is too small for a Float"
    );
    expect(narrow, [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]], 1e-6)
        .of("attention_weights([0.4, 3.9], [0, 1, 3], 0.001)")
        .check();
    // The nearest key is neither the first nor the last.
    expect((table.attention_weights)(&[1.3], &[0.0, 1.0, 3.0], 0.001), [0.0, 1.0, 0.0], 1e-6)
        .of("attention_weights([1.3], [0, 1, 3], 0.001)")
        .check();
    // Far from both keys, which still share: (20² − 19.98²)/2 = 0.3998.
    let share = 1.0 / (1.0 + (-0.3998 as Float).exp());
    expect((table.attention_weights)(&[20.0], &[0.0, 0.02], 1.0), [1.0 - share, share], 1e-3)
        .of("attention_weights([20], [0, 0.02], 1)")
        .check();
}

fn softmax(table: &Table) {
    let near = Matrix::from_row_slice(3, 2, &[0.0, 1.0, -1.0, 0.5, -2.0, 3.0]);
    expect((table.softmax)(&near), columns_normalised(near.map(Float::exp)), 1e-5)
        .of("softmax(scores)")
        .given("scores", &near)
        .check();

    // The second query is far from all keys.
    let far = Matrix::from_row_slice(2, 2, &[0.0, -200.0, -1.0, -200.0]);
    let first = [1.0 / (1.0 + (-1.0 as Float).exp()), 1.0 / (1.0 + (1.0 as Float).exp())];
    let softmax = (table.softmax)(&far);
    assert!(
        !softmax.iter().any(|a| a.is_nan()),
        "softmax(scores) has NaN:{softmax}given scores{far}NaN is 0/0: where does a sum become 0?"
    );
    expect(softmax, [[first[0], 0.5], [first[1], 0.5]], 1e-5)
        .of("softmax(scores)")
        .given("scores", &far)
        .or_hint([[first[0], 0.0], [first[1], 0.0]], "every column must sum to 1, this one, too")
        .check();

    // Columns that spread widely: only the largest score of the column itself is safe to subtract.
    let wide = Matrix::from_column_slice(3, 2, &[-300.0, 0.0, -1.0, -500.0, -200.0, -201.0]);
    expect((table.softmax)(&wide), [[0.0, 0.0], [first[0], first[0]], [first[1], first[1]]], 1e-5)
        .of("softmax(scores)")
        .given("scores", &wide)
        .check();

    let high = (table.softmax)(&Matrix::from_element(2, 1, 1000.0));
    expect(high, [0.5, 0.5], 1e-5).of("softmax([1000, 1000])").check();
}

fn choose_bandwidth(table: &Table) {
    // A straight line with noise of alternating sign: too narrow a bandwidth repeats the noise, too
    // wide a one forgets the slope.
    let keys: Vec<Float> = (0..20).map(|i| i as Float).collect();
    let values: Vec<Float> =
        (0..20).map(|i| 100.0 + i as Float / 2.0 + if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
    for (candidates, best) in
        [([0.01, 1.5, 50.0], 1.5), ([1.5, 20.0, 0.1], 1.5), ([30.0, 0.2, 1.2], 1.2)]
    {
        let chosen = (table.choose_bandwidth)(&keys, &values, &candidates);
        let smallest = candidates.into_iter().fold(Float::INFINITY, Float::min);
        let hint = match chosen == smallest {
            true => "\nhint: each point that sees itself is predicted without error by h → 0",
            false => "",
        };
        assert!(
            chosen == best,
            "choose_bandwidth(keys, values, {candidates:?}) is {chosen} instead of {best}, for the \
             keys 0, 1, 2, … 19 and the values 101, 99.5, 102, 100.5, 103, …{hint}"
        );
    }
}

fn leave_one_out_from(table: &Table) {
    let (keys, values) = ([0.0, 0.5, 2.0, 2.25], [1.0, 4.0, -2.0, 3.0]);
    let weights = weights(&keys, &keys, 0.7);
    let expected = kernel_regression::leave_one_out(&keys, &values, Kernel::Gaussian, 0.7);
    expect((table.leave_one_out_from)(&weights, &values), expected, 1e-4)
        .of("leave_one_out_from(weights, values)")
        .given("weights", &weights)
        .given("values", values)
        .or_hint(
            means(&weights, &values, |all, _, _| all),
            "these are the plain predictions: the points are still in them",
        )
        .or_hint(
            means(&weights, &values, |all, own, y| all - own * y),
            "the weights that remain no longer sum to 1: divide by their sum",
        )
        .or_hint(
            means(&weights.transpose(), &values, rescaled),
            "the weights of point j are column j, not row j",
        )
        .or_hint(
            means(&weights, &values, |all, own, y| (y - all) / (1.0 - own)),
            "these are the residuals: asked for is the prediction itself",
        )
        .check();
}

fn slope(table: &Table) {
    let (keys, values) = ([0.0, 0.5, 2.0, 3.5], [1.0, 4.0, -2.0, 3.0]);
    let h = 0.7;
    // The curve in f64, so that the differences are exact to nine digits.
    let curve = |x: &DMatrix<f64>| {
        let weight = |key: Float| (-((x[0] - f64::from(key)) / f64::from(h)).powi(2) / 2.0).exp();
        let sum: f64 = keys.iter().map(|key| weight(*key)).sum();
        keys.iter().zip(values).map(|(key, value)| weight(*key) * f64::from(value)).sum::<f64>()
            / sum
    };
    for x in [0.3, 1.2, 2.6] {
        let expected = finite_difference(curve, Matrix::from_element(1, 1, x));
        let covariance = covariance(x, &keys, &values, h);
        expect((table.slope)(x, &keys, &values, h), expected[0], 1e-4)
            .of(format!("slope({x}, keys, values, {h})"))
            .given("keys", keys)
            .given("values", values)
            .or_hint(
                -covariance / (h * h),
                "the sign: dsᵢ/dx = (xᵢ − x)/h² is positive for keys to the right",
            )
            .or_hint(
                covariance,
                "the score's derivative is missing a factor: the chain rule through u = (x − xᵢ)/h",
            )
            .or_hint(covariance / h, "divide by h²: the score is −(x − xᵢ)²/2h²")
            .or_hint(
                without_denominator(x, &keys, &values, h),
                "the denominator depends on x, too: every weight depends on every score",
            )
            .check();
    }
}

fn one_pass(table: &Table) {
    let (keys, values) = ([5.0, 0.0, 2.0, 1.2, 1.4], [7.0, 1.0, 4.0, -2.0, 3.0]);
    let points = || keys.into_iter().zip(values);
    let h = 0.7;
    for x in [1.0, 1.3] {
        let expected = nadaraya_watson(&[x], &keys, &values, Kernel::Gaussian, h);
        expect((table.one_pass)(x, &mut points(), h), expected[0], 1e-5)
            .of(format!("one_pass({x}, points, {h})"))
            .given("keys", keys)
            .given("values", values)
            .or_hint(
                pass(x, &mut points(), h, Float::NEG_INFINITY, |s| [1.0, s]),
                "a larger score shrinks both sums, that of the weights and that of the values",
            )
            .or_hint(
                pass(x, &mut points(), h, Float::NEG_INFINITY, |_| [1.0; 2]),
                "the sums are relative to the largest score so far: when it grows, both sums shrink",
            )
            .check();
    }
    // Scores down to −5000: the nearest key comes last, and takes it all.
    let expected = 9.0;
    let far = [(0.0, 1.0), (50.0, 3.0), (99.0, 9.0)];
    expect((table.one_pass)(100.0, &mut far.into_iter(), 1.0), expected, 1e-5)
        .of("one_pass(100, [(0, 1), (50, 3), (99, 9)], 1)")
        .check();
    let farther = (table.one_pass)(200.0, &mut far.into_iter(), 1.0);
    assert!(
        !farther.is_nan(),
        "one_pass(200, [(0, 1), (50, 3), (99, 9)], 1) is NaN: without the largest score every \
         exponential is 0, and 0/0 is no number"
    );
    expect(farther, expected, 1e-5).of("one_pass(200, [(0, 1), (50, 3), (99, 9)], 1)").check();
    // Far from two keys that still share: weights as e^0 to e^0.3998.
    let share = 1.0 / (1.0 + (-0.3998 as Float).exp());
    let shared = (table.one_pass)(20.0, &mut [(0.0, 1.0), (0.02, 3.0)].into_iter(), 1.0);
    expect(shared, 1.0 + 2.0 * share, 1e-3).of("one_pass(20, [(0, 1), (0.02, 3)], 1)").check();
}

fn lookup_bandwidth(table: &Table) {
    for (query, key, expected) in [(0.03, 0.04, 0.05), (1.2, 0.5, 1.3), (0.2, 0.0, 0.2)] {
        let mut check = expect((table.lookup_bandwidth)(query, key), expected, 1e-5)
            .of(format!("lookup_bandwidth({query}, {key})"));
        if key > 0.0 {
            check = check
                .or_hint(query + key, "not standard deviations but variances add up")
                .or_hint(
                    query * query + key * key,
                    "this is a variance; a bandwidth is in the unit of the keys",
                )
                .or_hint(query, "the stored key is blurred, too");
        }
        check.check();
    }
}

// The reference, and the mistakes.

fn weights(queries: &[Float], keys: &[Float], h: Float) -> Matrix {
    kernel_regression::attention_weights(queries, keys, Kernel::Gaussian, h)
}

fn kernel_values(queries: &[Float], keys: &[Float], h: Float) -> Matrix {
    kernel_regression::scores(queries, keys, Kernel::Gaussian, h).map(Float::exp)
}

fn columns_normalised(mut weights: Matrix) -> Matrix {
    for mut column in weights.column_iter_mut() {
        let sum = column.sum();
        column /= sum;
    }
    weights
}

fn unstable(queries: &[Float], keys: &[Float], h: Float) -> Matrix {
    columns_normalised(kernel_values(queries, keys, h))
}

fn over_rows(queries: &[Float], keys: &[Float], h: Float) -> Matrix {
    columns_normalised(kernel_values(queries, keys, h).transpose()).transpose()
}

fn not_squared(queries: &[Float], keys: &[Float], h: Float) -> Matrix {
    let score = |i: usize, j: usize| -(queries[j] - keys[i]).abs() / (2.0 * h * h);
    columns_normalised(Matrix::from_fn(keys.len(), queries.len(), score).map(Float::exp))
}

fn one_largest_for_all(scores: &Matrix) -> Matrix {
    let largest = scores.max();
    columns_normalised(scores.map(|score| (score - largest).exp()))
}

fn epsilon_in_the_sum(scores: &Matrix) -> Matrix {
    let largest = scores.max();
    let mut weights = scores.map(|score| (score - largest).exp());
    for mut column in weights.column_iter_mut() {
        let sum = column.sum() + 1e-9;
        column /= sum;
    }
    weights
}

fn best_of(candidates: &[Float], error: impl Fn(Float) -> f64) -> Float {
    let mut best = candidates[0];
    for candidate in candidates {
        if error(*candidate) < error(best) {
            best = *candidate;
        }
    }
    best
}

fn seeing_itself(keys: &[Float], values: &[Float], candidates: &[Float]) -> Float {
    let predict = |h| nadaraya_watson(keys, keys, values, Kernel::Gaussian, h);
    best_of(candidates, |h| mean_squared_error(&predict(h), values))
}

fn not_rescaled(keys: &[Float], values: &[Float], candidates: &[Float]) -> Float {
    let predict = |h| means(&weights(keys, keys, h), values, |all, own, y| all - own * y);
    best_of(candidates, |h| mean_squared_error(&predict(h), values))
}

/// From each column's weighted mean, its own weight and its own value.
fn means(
    weights: &Matrix,
    values: &[Float],
    combine: fn(Float, Float, Float) -> Float,
) -> Vec<Float> {
    let all = |j: usize| weights.column(j).iter().zip(values).map(|(a, y)| a * y).sum::<Float>();
    (0..values.len()).map(|j| combine(all(j), weights[(j, j)], values[j])).collect()
}

fn rescaled(all: Float, own: Float, y: Float) -> Float {
    (all - own * y) / (1.0 - own)
}

/// Σ αᵢ (yᵢ − ŷ)(xᵢ − x): h² times the slope.
fn covariance(x: Float, keys: &[Float], values: &[Float], h: Float) -> Float {
    let weights = weights(&[x], keys, h);
    let mean = nadaraya_watson(&[x], keys, values, Kernel::Gaussian, h)[0];
    weights.iter().zip(keys).zip(values).map(|((a, key), y)| a * (y - mean) * (key - x)).sum()
}

fn without_denominator(x: Float, keys: &[Float], values: &[Float], h: Float) -> Float {
    let weights = weights(&[x], keys, h);
    let terms = weights.iter().zip(keys).zip(values).map(|((a, key), y)| a * y * (key - x));
    terms.sum::<Float>() / (h * h)
}

fn difference_quotient(x: Float, keys: &[Float], values: &[Float], h: Float) -> Float {
    let curve = |x: Float| nadaraya_watson(&[x], keys, values, Kernel::Gaussian, h)[0];
    (curve(x + 1e-6) - curve(x)) / 1e-6
}

/// One pass, where `factors` says by how much the sums (of weights, of values) shrink when a larger
/// score comes, given the right factor.
fn pass(
    x: Float,
    points: Points,
    h: Float,
    start: Float,
    factors: fn(Float) -> [Float; 2],
) -> Float {
    let (mut largest, mut weight_sum, mut value_sum) = (start, 0.0, 0.0);
    for (key, value) in points {
        let score = -((x - key) / h).powi(2) / 2.0;
        if score > largest {
            let [weights, values] = factors((largest - score).exp());
            weight_sum *= weights;
            value_sum *= values;
            largest = score;
        }
        let weight = (score - largest).exp();
        weight_sum += weight;
        value_sum += weight * value;
    }
    value_sum / weight_sum
}
