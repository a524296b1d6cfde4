//! 9.2: what one head does.

use super::attempts::Layer;
use super::solutions;
use shared::{Matrix, Operand, product};
use tests::exercises::{Exercise, wrong};
use tests::{expect, uneven};

type OneHead = fn(&Layer, usize, usize) -> (Matrix, Matrix);

pub const EXERCISE: Exercise<OneHead> = Exercise {
    check,
    wrong: &[
        wrong(
            "this is W_qᵀW_k: in kᵀq = (W_k y)ᵀ(W_q x), whose transpose is taken?",
            |layer, heads, i| {
                let (m, n) = solutions::one_head(layer, heads, i);
                (m.transpose(), n)
            },
        ),
        wrong("the division by √d is missing", |layer, heads, i| {
            let (m, n) = solutions::one_head(layer, heads, i);
            (m * ((layer.w_q.nrows() / heads) as f32).sqrt(), n)
        }),
        wrong("d is the number of rows of one head, not of all heads", |layer, heads, i| {
            let (m, n) = solutions::one_head(layer, heads, i);
            (m / (heads as f32).sqrt(), n)
        }),
        wrong("cut out the rows of head i", |layer, heads, _| {
            let (m, n) = solutions::one_head(layer, 1, 0);
            (m * (heads as f32).sqrt(), n)
        }),
        wrong("columns of W_o meet h_i, not rows", |layer, heads, i| {
            let d = layer.w_q.nrows() / heads;
            let rows = |w: &Matrix| w.rows(i * d, d).into_owned();
            let m = solutions::one_head(layer, heads, i).0;
            (m, product(&rows(&layer.w_o).t(), &rows(&layer.w_v)))
        }),
        wrong("a head is a block of rows", |layer, heads, i| {
            let places: Vec<usize> = (i..layer.w_q.nrows()).step_by(heads).collect();
            let rows = |w: &Matrix| w.select_rows(&places);
            let m = product(&rows(&layer.w_k).t(), &rows(&layer.w_q));
            let n = product(&layer.w_o.select_columns(&places), &rows(&layer.w_v));
            (m / (places.len() as f32).sqrt(), n)
        }),
        wrong("scores are divided by √d, values are not", |layer, heads, i| {
            let (m, n) = solutions::one_head(layer, heads, i);
            (m, n / ((layer.w_q.nrows() / heads) as f32).sqrt())
        }),
    ],
};

fn check(one_head: OneHead) {
    for (d_model, heads) in [(6, 2), (6, 3), (8, 2)] {
        let [w_q, w_k, w_v, w_o] =
            [0.1, 1.0, 2.3, 3.4].map(|phase| uneven(d_model, d_model, phase) * 0.4);
        let layer = Layer { w_q, w_k, w_v, w_o };
        for i in 0..heads {
            let (m, n) = one_head(&layer, heads, i);
            let (right_m, right_n) = solutions::one_head(&layer, heads, i);
            for (name, found, right) in [("M", m, right_m), ("N", n, right_n)] {
                let call = format!("{name} of head {i} of {heads}, d_model = {d_model}");
                expect(found, right, 1e-5).of(call).check();
            }
        }
    }
}
