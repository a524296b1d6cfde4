//! 4.2 backward through one LSTM step

use super::solutions;
use nalgebra::DMatrix;
use shared::Vector;
use shared::elementwise::sigmoid;
use tests::close::Entries;
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference, uneven_vector};

type LstmBackward = fn(&Vector, &Vector, &Vector, &Vector) -> (Vector, Vector);

pub const EXERCISE: Exercise<LstmBackward> = Exercise {
    check,
    wrong: &[
        wrong("c is reached on two ways: add dc", |gates, last, dh, dc| {
            solutions::lstm_backward(gates, last, dh, &(dc * 0.0))
        }),
        wrong("h shows c, too: o ⊙ tanh(c)", |gates, last, dh, dc| {
            solutions::lstm_backward(gates, last, &(dh * 0.0), dc)
        }),
        wrong("where is the slope of tanh(c)?", |gates, last, dh, dc| {
            let o = gates.rows(3 * last.len(), last.len());
            solutions::lstm_backward(gates, last, &(dh * 0.0), &(dc + dh.component_mul(&o)))
        }),
        wrong("c' reaches c through f", |gates, last, dh, dc| {
            let (da, dlast) = solutions::lstm_backward(gates, last, dh, dc);
            (da, dlast.component_div(&gates.rows(last.len(), last.len())))
        }),
        wrong(
            "these are the gradients of the gates; of what went into their σ and tanh was asked",
            |gates, last, dh, dc| {
                let (da, dlast) = solutions::lstm_backward(gates, last, dh, dc);
                let slopes = Vector::from_fn(da.len(), |k, _| match k / last.len() {
                    2 => 1.0 - gates[k] * gates[k], // of the tanh
                    _ => gates[k] * (1.0 - gates[k]),
                });
                (da.component_div(&slopes), dlast)
            },
        ),
        wrong("g is a tanh: its slope is 1 − g²", |gates, last, dh, dc| {
            let (mut da, dlast) = solutions::lstm_backward(gates, last, dh, dc);
            for k in 2 * last.len()..3 * last.len() {
                da[k] *= gates[k] / (1.0 + gates[k]); // g(1 − g) for 1 − g²
            }
            (da, dlast)
        }),
        wrong("the order is i, f, g, o", |gates, last, dh, dc| {
            let (mut da, dlast) = solutions::lstm_backward(gates, last, dh, dc);
            (0..last.len()).for_each(|k| da.swap_rows(k, last.len() + k));
            (da, dlast)
        }),
    ],
};

fn check(lstm_backward: LstmBackward) {
    let a: Vector = uneven_vector(8, 0.0) * 0.6;
    let (last, dh, dc) = (uneven_vector(2, 1.0), uneven_vector(2, 2.0), uneven_vector(2, 2.5));
    let gates = Vector::from_fn(8, |k, _| if k / 2 == 2 { a[k].tanh() } else { sigmoid(a[k]) });
    let (da, dlast) = lstm_backward(&gates, &last, &dh, &dc);
    let loss = |a: &DMatrix<f64>, last: &DMatrix<f64>| -> f64 {
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let one = |k: usize| {
            let c = sigmoid(a[2 + k]) * last[k] + sigmoid(a[k]) * a[4 + k].tanh();
            sigmoid(a[6 + k]) * c.tanh() * f64::from(dh[k]) + c * f64::from(dc[k])
        };
        one(0) + one(1)
    };
    let of_last = finite_difference(|last| loss(&a.to_f64(), last), &last);
    let of_a = finite_difference(|a| loss(a, &last.to_f64()), &a);
    for (name, found, right) in [
        ("the gradient of c'", dlast, of_last),
        ("the gradient of what went into i, f, g, o", da, of_a),
    ] {
        let expectation = expect(found, right, 1e-5).of(name).given("gates", &gates);
        expectation.given("last", &last).given("dh", &dh).given("dc", &dc).check();
    }
}
