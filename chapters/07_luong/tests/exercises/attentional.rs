//! 7.7: the attentional state and its gradients.

use crate::solutions;
use nalgebra::DMatrix;
use shared::{Float, Matrix, Vector};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

pub type Attentional = fn(&Matrix, &Vector, &Vector, &Vector) -> (Vector, Matrix, Vector, Vector);

pub fn exercise() -> Exercise<Attentional> {
    Exercise {
        number: 7,
        title: "the attentional state and its gradients",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "the state above the context",
                hint: "the context stands above the state",
                answer: |w, c, s, dy| solutions::attentional(w, s, c, dy),
            },
            Wrong {
                name: "through tanh as through a straight line",
                hint: "tanh′",
                answer: |w, c, s, dy| through(w, c, s, dy, |_, _| 1.0),
            },
            Wrong {
                name: "the derivative of tanh where it was entered",
                hint: "tanh′",
                answer: |w, c, s, dy| through(w, c, s, dy, |z, _| 1.0 - z * z),
            },
            Wrong {
                name: "the gradients of context and state exchanged",
                hint: "",
                answer: |w, c, s, dy| {
                    let (y, dw, dc, ds) = solutions::attentional(w, c, s, dy);
                    (y, dw, ds, dc)
                },
            },
            Wrong {
                name: "no tanh",
                hint: "between −1 and 1",
                answer: |w, c, s, dy| {
                    let (_, dw, dc, ds) = solutions::attentional(w, c, s, dy);
                    (w * stacked(c, s), dw, dc, ds)
                },
            },
        ],
    }
}

fn check(attentional: Attentional) {
    let (k, d) = (3, 2); // the context is the longer one
    let w = Matrix::from_fn(4, k + d, |r, j| 2.0 * (1.3 * r as Float + 2.1 * j as Float).sin());
    let (c, s) = (Vector::from_vec(vec![0.3, -1.0, 0.8]), Vector::from_vec(vec![1.0, -0.5]));
    let dy = Vector::from_vec(vec![1.0, -2.0, 0.5, 1.5]);
    let (y, dw, dc, ds) = attentional(&w, &c, &s, &dy);
    let hint = "the context stands above the state: [c; s]";
    let turned = (&w * stacked(&s, &c)).map(Float::tanh);
    let z = &w * stacked(&c, &s);
    expect(y, z.map(Float::tanh), 1e-5)
        .of("s̃")
        .or_hint(turned, hint)
        .or_hint(z, "tanh is missing, which makes numbers between −1 and 1")
        .check();
    let loss = |w: &DMatrix<f64>, c: &DMatrix<f64>, s: &DMatrix<f64>| {
        let both = DMatrix::from_iterator(k + d, 1, c.iter().chain(s.iter()).copied());
        let y = (w * both).map(f64::tanh);
        y.iter().zip(dy.iter()).map(|(y, dy)| y * f64::from(*dy)).sum::<f64>()
    };
    let column = |v: &Vector| Matrix::from_column_slice(v.len(), 1, v.as_slice());
    let wide = |m: &Matrix| m.map(f64::from);
    let (c1, s1) = (column(&c), column(&s));
    let hint = "tanh′ is 1 − tanh², of what tanh returned";
    let (_, straight_w, straight_c, _) = through(&w, &c, &s, &dy, |_, _| 1.0);
    let (_, entered_w, entered_c, _) = through(&w, &c, &s, &dy, |z, _| 1.0 - z * z);
    let right = finite_difference(|w| loss(w, &wide(&c1), &wide(&s1)), w.clone());
    expect(dw, right, 1e-4).of("dW").or_hint(straight_w, hint).or_hint(entered_w, hint).check();
    let right = finite_difference(|c| loss(&wide(&w), c, &wide(&s1)), c1.clone());
    assert!(dc.len() == k && ds.len() == d, "dc has {} entries, ds {}", dc.len(), ds.len());
    expect(column(&dc), right, 1e-4)
        .of("dc")
        .or_hint(column(&straight_c), hint)
        .or_hint(column(&entered_c), hint)
        .check();
    let right = finite_difference(|s| loss(&wide(&w), &wide(&c1), s), s1.clone());
    expect(column(&ds), right, 1e-4).of("ds").check();
}

fn stacked(above: &Vector, below: &Vector) -> Vector {
    Vector::from_iterator(above.len() + below.len(), above.iter().chain(below.iter()).copied())
}

/// Right, but for the derivative of tanh: a function of what was entered, and of what came out.
fn through(
    w: &Matrix,
    c: &Vector,
    s: &Vector,
    dy: &Vector,
    slope: fn(Float, Float) -> Float,
) -> (Vector, Matrix, Vector, Vector) {
    let both = stacked(c, s);
    let z = w * &both;
    let y = z.map(Float::tanh);
    let dz = Vector::from_fn(y.len(), |i, _| dy[i] * slope(z[i], y[i]));
    let d = w.tr_mul(&dz);
    let (dc, ds) = (d.rows(0, c.len()).into_owned(), d.rows(c.len(), s.len()).into_owned());
    (y, dz * both.transpose(), dc, ds)
}
