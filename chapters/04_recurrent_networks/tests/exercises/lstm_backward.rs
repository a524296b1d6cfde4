//! 4.2 backward through one LSTM step

use nalgebra::DMatrix;
use shared::elementwise::sigmoid;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

use super::support::column;
use crate::solutions;

type LstmBackward = fn(&Vector, &Vector, &Vector, &Vector) -> (Vector, Vector);

pub fn exercise() -> Exercise<LstmBackward> {
    Exercise {
        number: 2,
        title: "backward through one LSTM step",
        kind: Kind::Derive,
        difficulty: 3,
        minutes: 30,
        check,
        wrong: &[
            Wrong {
                name: "dc forgotten",
                hint: "c is reached on two ways",
                answer: |g, l, dh, dc| lstm(g, l, dh, &(dc * 0.0), [1.0; 4]),
            },
            Wrong {
                name: "only through the memory",
                hint: "h shows c, too",
                answer: |g, l, dh, dc| {
                    let (mut da, dlast) = lstm(g, l, &(dh * 0.0), dc, [1.0; 4]);
                    let o = solutions::lstm_backward(g, l, dh, dc).0.rows(6, 2).into_owned();
                    da.rows_mut(6, 2).copy_from(&o);
                    (da, dlast)
                },
            },
            Wrong {
                name: "the slope of the last tanh left out",
                hint: "h = o ⊙ tanh(c)",
                answer: without_slope,
            },
            Wrong {
                name: "the gates' own gradients",
                hint: "what went into",
                answer: before_the_slopes,
            },
            Wrong { name: "a sigmoid's slope for g", hint: "g is a tanh", answer: sigmoid_for_g },
            Wrong {
                name: "i and f exchanged",
                hint: "",
                answer: |g, l, dh, dc| {
                    let (mut da, dlast) = solutions::lstm_backward(g, l, dh, dc);
                    for k in 0..2 {
                        da.swap_rows(k, k + 2);
                    }
                    (da, dlast)
                },
            },
            Wrong {
                name: "the memory's gradient without f",
                hint: "c' reaches c through f",
                answer: without_f,
            },
        ],
    }
}

fn check(lstm_backward: LstmBackward) {
    let (a, last, dh, dc) = (column(8, 0.0), column(2, 1.0), column(2, 2.0), column(2, 2.5));
    let gates = activated(&a);
    let (found, found_last) = lstm_backward(&gates, &last, &dh, &dc);
    // The formulas in f64, and their finite differences.
    let loss = |a: &DMatrix<f64>, last: &DMatrix<f64>| {
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let one = |k: usize| {
            let c = sigmoid(a[2 + k]) * last[k] + sigmoid(a[k]) * a[4 + k].tanh();
            let h = sigmoid(a[6 + k]) * c.tanh();
            h * f64::from(dh[k]) + c * f64::from(dc[k])
        };
        one(0) + one(1)
    };
    let wide = |x: &Vector| DMatrix::from_iterator(x.len(), 1, x.iter().map(|x| f64::from(*x)));
    let narrow = |x: &Vector| Matrix::from_column_slice(x.len(), 1, x.as_slice());
    let da = finite_difference(|a| loss(a, &wide(&last)), narrow(&a));
    let dlast = finite_difference(|last| loss(&wide(&a), last), narrow(&last));
    let of = |wrong: fn(&Vector, &Vector, &Vector, &Vector) -> (Vector, Vector)| {
        wrong(&gates, &last, &dh, &dc)
    };
    let (no_dc, no_h) = (
        lstm(&gates, &last, &dh, &(&dc * 0.0), [1.0; 4]),
        lstm(&gates, &last, &(&dh * 0.0), &dc, [1.0; 4]),
    );
    expect(found_last, dlast, 1e-5)
        .of("the gradient of c'")
        .given("gates", &gates)
        .given("dh", &dh)
        .given("dc", &dc)
        .or_hint(no_dc.1, "c is reached on two ways: dc comes in, too")
        .or_hint(no_h.1, "h shows c, too: add what comes through h = o ⊙ tanh(c)")
        .or_hint(of(without_slope).1, "h = o ⊙ tanh(c): where is the slope of this tanh?")
        .or_hint(of(without_f).1, "c' reaches c through f")
        .check();
    expect(found, da, 1e-5)
        .of("the gradient of what went into i, f, g, o")
        .given("gates", &gates)
        .given("last", &last)
        .or_hint(
            of(before_the_slopes).0,
            "these are the gradients of the gates; of what went into their σ and tanh was asked",
        )
        .or_hint(of(sigmoid_for_g).0, "g is a tanh: its slope is 1 − g²")
        .check();
}

fn activated(a: &Vector) -> Vector {
    let quarter = a.len() / 4;
    Vector::from_fn(a.len(), |k, _| if k / quarter == 2 { a[k].tanh() } else { sigmoid(a[k]) })
}

/// The backward with the slopes of the four gates raised to some power: 1 is right, 0 leaves them out.
fn lstm(
    gates: &Vector,
    last: &Vector,
    dh: &Vector,
    dc: &Vector,
    power: [f32; 4],
) -> (Vector, Vector) {
    let size = last.len();
    let gate = |k: usize| gates.rows(k * size, size).into_owned();
    let (i, f, g, o) = (gate(0), gate(1), gate(2), gate(3));
    let shown = (f.component_mul(last) + i.component_mul(&g)).map(f32::tanh);
    let d_o = dh.component_mul(&shown);
    let dc = dc + dh.component_mul(&o).component_mul(&shown.map(|t| 1.0 - t * t));
    let slope = |k: usize, y: &Vector| {
        y.map(|y| if k == 2 { 1.0 - y * y } else { y * (1.0 - y) }.powf(power[k]))
    };
    let mut da = Vector::zeros(4 * size);
    let parts = [dc.component_mul(&g), dc.component_mul(last), dc.component_mul(&i), d_o];
    for (k, (d, y)) in parts.iter().zip([&i, &f, &g, &o]).enumerate() {
        da.rows_mut(k * size, size).copy_from(&d.component_mul(&slope(k, y)));
    }
    (da, dc.component_mul(&f))
}

fn before_the_slopes(gates: &Vector, last: &Vector, dh: &Vector, dc: &Vector) -> (Vector, Vector) {
    lstm(gates, last, dh, dc, [0.0; 4])
}

fn sigmoid_for_g(gates: &Vector, last: &Vector, dh: &Vector, dc: &Vector) -> (Vector, Vector) {
    let (mut da, dlast) = lstm(gates, last, dh, dc, [1.0, 1.0, 0.0, 1.0]);
    let size = last.len();
    for k in 2 * size..3 * size {
        da[k] *= gates[k] * (1.0 - gates[k]);
    }
    (da, dlast)
}

/// As if h were o ⊙ tanh(c) with a tanh of slope 1.
fn without_slope(gates: &Vector, last: &Vector, dh: &Vector, dc: &Vector) -> (Vector, Vector) {
    let size = last.len();
    let o = gates.rows(3 * size, size).into_owned();
    let (mut da, dlast) = lstm(gates, last, &(dh * 0.0), &(dc + dh.component_mul(&o)), [1.0; 4]);
    let (right, _) = lstm(gates, last, dh, dc, [1.0; 4]);
    da.rows_mut(3 * size, size).copy_from(&right.rows(3 * size, size));
    (da, dlast)
}

fn without_f(gates: &Vector, last: &Vector, dh: &Vector, dc: &Vector) -> (Vector, Vector) {
    let (da, dlast) = lstm(gates, last, dh, dc, [1.0; 4]);
    let f = gates.rows(last.len(), last.len());
    (da, dlast.component_div(&f))
}
