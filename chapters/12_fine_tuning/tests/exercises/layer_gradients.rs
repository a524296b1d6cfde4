//! 12.10: the gradient of the new layer. The check asks the tape.

use super::solutions;
use shared::{Matrix, Tape, cross_entropy};
use tests::exercises::{Exercise, wrong};
use tests::{expect, hard, uneven};

pub type LayerGradients = fn(&Matrix, &Matrix, &Matrix, &[usize]) -> (Matrix, Matrix);

pub const EXERCISE: Exercise<LayerGradients> = Exercise {
    check,
    wrong: &[
        wrong("the loss is a mean: divide by the number of questions", |h, w, b, answers| {
            let (dw, db) = solutions::layer_gradients(h, w, b, answers);
            (dw * answers.len() as f32, db * answers.len() as f32)
        }),
        wrong("b is part of the logits", |h, w, b, answers| {
            solutions::layer_gradients(h, w, &(b * 0.0), answers)
        }),
        wrong("before exp, subtract the largest logit of the own column", |h, w, b, answers| {
            let mut d = w * h;
            d.column_iter_mut().for_each(|mut column| column += b);
            let most = d.max();
            d.apply(|x| *x = (*x - most).exp());
            d.column_iter_mut().for_each(|mut column| column /= column.sum());
            answers.iter().enumerate().for_each(|(j, answer)| d[(*answer, j)] -= 1.0);
            d /= answers.len() as f32;
            (&d * h.transpose(), Matrix::from_columns(&[d.column_sum()]))
        }),
        wrong("b stands in all columns: their gradients are summed", |h, w, b, answers| {
            let (dw, db) = solutions::layer_gradients(h, w, b, answers);
            (dw, db / answers.len() as f32)
        }),
    ],
};

fn check(layer_gradients: LayerGradients) {
    for (d, classes, answers) in [(4, 3, &[2, 0, 1, 1, 2][..]), (3, 4, &[3, 1])] {
        let (h, w): (Matrix, Matrix) = (uneven(d, answers.len(), 0.2), uneven(classes, d, 0.9));
        let b: Matrix = uneven(classes, 1, 1.7);
        // One more entry of h, whose weight is the same in all classes, moves all logits of one question.
        let mut far = h.clone().insert_row(d, 0.0);
        far[(d, 1)] = -1.0;
        let large = (h.clone(), &w * 1000.0);
        for (what, (h, w)) in [
            ("questions", (h, w.clone())),
            ("questions, one far below the others", (far, w.insert_column(d, 400.0))),
            ("questions, logits in the thousands", large),
        ] {
            let (dw, db) = layer_gradients(&h, &w, &b, answers);
            let (right_w, right_b) = by_tape(&h, &w, &b, answers);
            for (name, found, right) in [("dW", dw, right_w), ("db", db, right_b)] {
                let what = format!("{name} of {} {what}", answers.len());
                let expectation = expect(found, right, 1e-5).of(what).given("h", &h);
                expectation.given("w", &w).given("b", &b).check();
            }
        }
    }
    for (hint, w) in hard::scores() {
        let (h, w) = (Matrix::identity(1, 1), Matrix::from_columns(&[w]));
        let [found, right] = [layer_gradients, by_tape].map(|f| f(&h, &w, &(&w * 0.0), &[0]).0);
        let what = "dW of one question with h = 1, b = 0 and answer 0";
        expect(found, right, 1e-4).of(what).given("w", w).hint(hint).check();
    }
}

/// `dW` and `db`.
fn by_tape(h: &Matrix, w: &Matrix, b: &Matrix, answers: &[usize]) -> (Matrix, Matrix) {
    let tape = Tape::new();
    let [w, b] = [w, b].map(|matrix| tape.leaf(matrix.clone()));
    let logits = (w * tape.constant(h.clone())).add_column(b);
    let gradients = (cross_entropy(logits, answers) * (1.0 / answers.len() as f32)).backward();
    (gradients.wrt(w), gradients.wrt(b))
}
