//! 12.10: the gradient of the new layer. The check asks the tape.

use shared::{Matrix, Tape, cross_entropy};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

type LayerGradients = fn(&Matrix, &Matrix, &Matrix, &[usize]) -> (Matrix, Matrix);

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
            Wrong {
                name: "the right answers alone",
                hint: "all classes",
                answer: |h, w, b, answers| {
                    let mut d = w * h;
                    d.column_iter_mut().for_each(|mut column| column += b);
                    shared::elementwise::softmax_columns(&mut d);
                    let d = Matrix::from_fn(d.nrows(), d.ncols(), |i, j| {
                        if answers[j] == i { (d[(i, j)] - 1.0) / answers.len() as f32 } else { 0.0 }
                    });
                    let db = Matrix::from_fn(b.nrows(), 1, |i, _| d.row(i).sum());
                    (&d * h.transpose(), db)
                },
            },
        ],
    }
}

fn check(layer_gradients: LayerGradients) {
    let uneven = |rows, columns, phase: f32| {
        Matrix::from_fn(rows, columns, |i, j| (1.3 * i as f32 + 2.1 * j as f32 + phase).sin())
    };
    let (h, w, b) = (uneven(4, 5, 0.2), uneven(3, 4, 0.9), uneven(3, 1, 1.7));
    let answers = [2, 0, 1, 1, 2];
    let tape = Tape::new();
    let [w_var, b_var] = [&w, &b].map(|matrix| tape.leaf(matrix.clone()));
    let logits = (w_var * tape.constant(h.clone())).add_column(b_var);
    let gradients = (cross_entropy(logits, &answers) * (1.0 / answers.len() as f32)).backward();
    let (dw, db) = (gradients.wrt(w_var), gradients.wrt(b_var));
    let (found_w, found_b) = layer_gradients(&h, &w, &b, &answers);
    let without = crate::solutions::layer_gradients(&h, &w, &(&b * 0.0), &answers).0;
    let wrong = exercise().wrong[3].answer;
    let alone = wrong(&h, &w, &b, &answers).0;
    expect(found_w, dw.clone(), 1e-5)
        .of("dW")
        .or_hint(&dw * 5.0, "the loss is a mean: divide by the number of questions")
        .or_hint(-&dw, "the other sign")
        .or_hint(without, "b is part of the logits")
        .or_hint(alone, "all classes share the probability, so all have a gradient")
        .check();
    expect(found_b, db, 1e-5).of("db").check();
}
