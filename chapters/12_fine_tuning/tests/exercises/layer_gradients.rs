//! 12.10: the gradient of the new layer. The check asks the tape.

use shared::{Matrix, Tape, cross_entropy};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

pub type LayerGradients = fn(&Matrix, &Matrix, &Matrix, &[usize]) -> (Matrix, Matrix);

pub fn exercise() -> Exercise<LayerGradients> {
    Exercise {
        number: 10,
        title: "the gradient of the new layer",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "a sum for a mean",
                hint: "number of questions",
                answer: |h, w, b, answers| {
                    let (dw, db) = crate::solutions::layer_gradients(h, w, b, answers);
                    (dw * answers.len() as f32, db * answers.len() as f32)
                },
            },
            Wrong {
                name: "the other sign",
                hint: "sign",
                answer: |h, w, b, answers| {
                    let (dw, db) = crate::solutions::layer_gradients(h, w, b, answers);
                    (-dw, -db)
                },
            },
            Wrong {
                name: "the bias forgotten on the way forward",
                hint: "b is part of the logits",
                answer: |h, w, b, answers| {
                    crate::solutions::layer_gradients(h, w, &(b * 0.0), answers)
                },
            },
            Wrong { name: "the right answers alone", hint: "all classes", answer: alone },
            Wrong {
                name: "exponentials of large logits",
                hint: "subtract the largest",
                answer: |h, w, b, answers| shifted(h, w, b, answers, |_, _| 0.0),
            },
            Wrong {
                name: "exponentials in double precision",
                hint: "subtract the largest",
                answer: |h, w, b, answers| {
                    through(h, w, b, answers, |o| {
                        for mut column in o.column_iter_mut() {
                            let exps = column.map(|x| f64::from(x).exp());
                            column.copy_from(&(&exps / exps.sum()).map(|p| p as f32));
                        }
                    })
                },
            },
            Wrong {
                name: "one largest for all questions",
                hint: "of its own column",
                answer: |h, w, b, answers| shifted(h, w, b, answers, |logits, _| logits.max()),
            },
            Wrong {
                name: "the largest, or 0",
                hint: "of its own column",
                answer: |h, w, b, answers| {
                    shifted(h, w, b, answers, |logits, j| logits.column(j).max().max(0.0))
                },
            },
            Wrong {
                name: "the bias once more by the questions",
                hint: "columns of the logits",
                answer: |h, w, b, answers| {
                    let (dw, db) = crate::solutions::layer_gradients(h, w, b, answers);
                    (dw, db / answers.len() as f32)
                },
            },
        ],
    }
}

fn check(layer_gradients: LayerGradients) {
    let uneven = |rows, columns, phase: f32| {
        Matrix::from_fn(rows, columns, |i, j| (1.3 * i as f32 + 2.1 * j as f32 + phase).sin())
    };
    for (d, classes, answers) in [(4, 3, &[2, 0, 1, 1, 2][..]), (3, 4, &[3, 1])] {
        let h = uneven(d, answers.len(), 0.2);
        let (w, b) = (uneven(classes, d, 0.9), uneven(classes, 1, 1.7));
        let (dw, db) = by_tape(&h, &w, &b, answers);
        let (found_w, found_b) = layer_gradients(&h, &w, &b, answers);
        let m = answers.len() as f32;
        expect(found_w, dw.clone(), 1e-5)
            .of(format!("dW of {m} questions"))
            .or_hint(&dw * m, "the loss is a mean: divide by the number of questions")
            .or_hint(-&dw, "the other sign")
            .or_hint(
                crate::solutions::layer_gradients(&h, &w, &(&b * 0.0), answers).0,
                "b is part of the logits",
            )
            .or_hint(
                alone(&h, &w, &b, answers).0,
                "all classes share the probability, so all have a gradient",
            )
            .check();
        let hint = "b stands in all columns of the logits: their gradients are summed, and were divided before";
        expect(found_b, db.clone(), 1e-5)
            .of(format!("db of {m} questions"))
            .or_hint(db / m, hint)
            .check();
        // One more entry of h, whose weight is the same in all classes, moves all logits of one question.
        let mut far = h.clone().insert_row(d, 0.0);
        far[(d, 1)] = -1.0;
        for (h, w, what) in [
            (
                far,
                w.clone().insert_column(d, 400.0),
                "the logits of one question far below the others'",
            ),
            (h, w * 1000.0, "logits of ±1000"),
        ] {
            let (found_w, found_b) = layer_gradients(&h, &w, &b, answers);
            assert!(
                found_w.iter().chain(&found_b).all(|d| d.is_finite()),
                "with {what} dW is {found_w}and db is {found_b}hint: before you exponentiate, subtract the largest of \
                 its own column from each logit"
            );
            let (dw, db) = by_tape(&h, &w, &b, answers);
            expect(found_w, dw, 1e-3).of(format!("dW with {what}")).check();
            expect(found_b, db, 1e-3).of(format!("db with {what}")).check();
        }
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

/// With something else than a column's largest subtracted.
fn shifted(
    h: &Matrix,
    w: &Matrix,
    b: &Matrix,
    answers: &[usize],
    shift: impl Fn(&Matrix, usize) -> f32,
) -> (Matrix, Matrix) {
    through(h, w, b, answers, |o| {
        let logits = o.clone();
        for (j, mut column) in o.column_iter_mut().enumerate() {
            let most = shift(&logits, j);
            column.apply(|x| *x = (*x - most).exp());
            column /= column.sum();
        }
    })
}

/// With another softmax.
fn through(
    h: &Matrix,
    w: &Matrix,
    b: &Matrix,
    answers: &[usize],
    softmax: impl Fn(&mut Matrix),
) -> (Matrix, Matrix) {
    let mut d = w * h;
    d.column_iter_mut().for_each(|mut column| column += b);
    softmax(&mut d);
    answers.iter().enumerate().for_each(|(j, answer)| d[(*answer, j)] -= 1.0);
    d /= answers.len() as f32;
    let db = Matrix::from_fn(b.nrows(), 1, |i, _| d.row(i).sum());
    (&d * h.transpose(), db)
}

/// With a gradient at the right answers alone.
fn alone(h: &Matrix, w: &Matrix, b: &Matrix, answers: &[usize]) -> (Matrix, Matrix) {
    let mut d = w * h;
    d.column_iter_mut().for_each(|mut column| column += b);
    shared::elementwise::softmax_columns(&mut d);
    let d = Matrix::from_fn(d.nrows(), d.ncols(), |i, j| {
        if answers[j] == i { (d[(i, j)] - 1.0) / answers.len() as f32 } else { 0.0 }
    });
    let db = Matrix::from_fn(b.nrows(), 1, |i, _| d.row(i).sum());
    (&d * h.transpose(), db)
}
