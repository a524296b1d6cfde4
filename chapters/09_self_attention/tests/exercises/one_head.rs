//! 9.2: what one head does.

use super::support::{softmax, uneven};
use crate::attempts::Layer;
use crate::solutions;
use scoring_functions::Segments;
use self_attention::MultiHead;
use shared::{Linear, Matrix, Operand, Param, Tape, product};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{assert_close, expect};

type OneHead = fn(&Layer, usize, usize) -> (Matrix, Matrix);

pub fn exercise() -> Exercise<OneHead> {
    Exercise {
        number: 2,
        title: "what one head does",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "queries and keys exchanged",
                hint: "whose transpose",
                answer: |layer, heads, i| {
                    let (m, n) = solutions::one_head(layer, heads, i);
                    (m.transpose(), n)
                },
            },
            Wrong { name: "not divided", hint: "√d is missing", answer: not_divided },
            Wrong {
                name: "divided by the root of the whole width",
                hint: "of one head",
                answer: whole_width,
            },
            Wrong { name: "all heads together", hint: "all heads", answer: together },
            Wrong { name: "rows of W_o", hint: "columns of W_o", answer: rows_of_w_o },
            Wrong { name: "columns of W_v", hint: "rows of W_v", answer: columns_of_w_v },
            Wrong { name: "every H-th row", hint: "block", answer: interleaved },
            Wrong { name: "√d in N as well", hint: "only in M", answer: divided_twice },
            Wrong {
                name: "the same matrices for every head",
                hint: "head 1",
                answer: |layer, heads, _| solutions::one_head(layer, heads, 0),
            },
        ],
    }
}

fn check(one_head: OneHead) {
    for (d_model, heads) in [(6, 2), (6, 3), (8, 2)] {
        let [w_q, w_k, w_v, w_o] =
            [0.1, 1.0, 2.3, 3.4].map(|phase| uneven(d_model, d_model, phase) * 0.4);
        let layer = Layer { w_q, w_k, w_v, w_o };
        let (x, y) = (uneven(d_model, 3, 0.5) * 0.3, uneven(d_model, 4, 1.5) * 0.3);
        let mut sum = Matrix::zeros(d_model, 3);
        for i in 0..heads {
            let (right, found) =
                (solutions::one_head(&layer, heads, i), one_head(&layer, heads, i));
            let other = |answer: OneHead| answer(&layer, heads, i);
            let call = |part: &str| format!("{part} of head {i} of {heads}, d_model = {d_model}");
            expect(&found.0, &right.0, 1e-5)
                .of(call("M"))
                .or_hint(
                    right.0.transpose(),
                    "this is W_qᵀW_k: in kᵀq = (W_k y)ᵀ(W_q x), whose transpose is taken?",
                )
                .or_hint(other(not_divided).0, "the division by √d is missing")
                .or_hint(
                    other(whole_width).0,
                    "d is the number of rows of one head, not of all heads",
                )
                .or_hint(other(together).0, "all heads are in this one: cut out the rows of head i")
                .or_hint(other(interleaved).0, "a head is a block of rows that follow one another")
                .check();
            expect(&found.1, &right.1, 1e-5)
                .of(call("N"))
                .or_hint(other(together).1, "all heads are in this one: cut head i out")
                .or_hint(
                    other(divided_twice).1,
                    "scores are divided by √d, values are not: it belongs only in M",
                )
                .or_hint(
                    other(rows_of_w_o).1,
                    "W_o [h₁; …; h_H]: what meets h_i are columns of W_o, not rows",
                )
                .or_hint(
                    other(columns_of_w_v).1,
                    "h_i comes from the rows of W_v that belong to head i, not from columns",
                )
                .check();
            let scores = product(&y.t(), &product(&found.0, &x));
            sum += product(&product(&found.1, &y), &softmax(scores));
        }
        // What decided is right: the heads add up to the course's layer.
        assert_close!(sum, whole(&layer, heads, &x, &y), 1e-4);
    }
}

/// The layer's output, by the course's own code.
fn whole(layer: &Layer, heads: usize, x: &Matrix, y: &Matrix) -> Matrix {
    let linear = |w: &Matrix| Linear { weight: Param::new(w.clone()), bias: None };
    let layer = MultiHead {
        w_q: linear(&layer.w_q),
        w_k: linear(&layer.w_k),
        w_v: linear(&layer.w_v),
        w_o: linear(&layer.w_o),
        heads,
    };
    let tape = Tape::without_gradients();
    let segments = Segments::single(x.ncols(), y.ncols());
    let (x, y) = (tape.constant(x.clone()), tape.constant(y.clone()));
    Matrix::clone(&layer.forward(x, y, &segments).value())
}

fn not_divided(layer: &Layer, heads: usize, i: usize) -> (Matrix, Matrix) {
    let (m, n) = solutions::one_head(layer, heads, i);
    (m * ((layer.w_q.nrows() / heads) as f32).sqrt(), n)
}

fn divided_twice(layer: &Layer, heads: usize, i: usize) -> (Matrix, Matrix) {
    let (m, n) = solutions::one_head(layer, heads, i);
    (m, n / ((layer.w_q.nrows() / heads) as f32).sqrt())
}

fn whole_width(layer: &Layer, heads: usize, i: usize) -> (Matrix, Matrix) {
    let (m, n) = solutions::one_head(layer, heads, i);
    (m / (heads as f32).sqrt(), n)
}

fn together(layer: &Layer, heads: usize, _: usize) -> (Matrix, Matrix) {
    let d = (layer.w_q.nrows() / heads) as f32;
    (product(&layer.w_k.t(), &layer.w_q) / d.sqrt(), product(&layer.w_o, &layer.w_v))
}

/// Row r belongs to head r mod H.
fn interleaved(layer: &Layer, heads: usize, i: usize) -> (Matrix, Matrix) {
    let places: Vec<usize> = (i..layer.w_q.nrows()).step_by(heads).collect();
    let rows = |w: &Matrix| w.select_rows(&places);
    let m = product(&rows(&layer.w_k).t(), &rows(&layer.w_q)) / (places.len() as f32).sqrt();
    (m, product(&layer.w_o.select_columns(&places), &rows(&layer.w_v)))
}

fn rows_of_w_o(layer: &Layer, heads: usize, i: usize) -> (Matrix, Matrix) {
    let d = layer.w_q.nrows() / heads;
    let rows = |w: &Matrix| w.rows(i * d, d).into_owned();
    let n = product(&rows(&layer.w_o).t(), &rows(&layer.w_v));
    (solutions::one_head(layer, heads, i).0, n)
}

fn columns_of_w_v(layer: &Layer, heads: usize, i: usize) -> (Matrix, Matrix) {
    let d = layer.w_q.nrows() / heads;
    let columns = |w: &Matrix| w.columns(i * d, d).into_owned();
    let n = product(&columns(&layer.w_o), &columns(&layer.w_v).t());
    (solutions::one_head(layer, heads, i).0, n)
}
