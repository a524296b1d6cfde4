//! Chapter 13 in f64: the losses of every model against finite differences, for every parameter.

use gradients::check_parameters;
use recommendation::{
    Action, AtRank, Candidates, Din, Histories, Model, Pooling, Question, Sequential,
    binary_cross_entropy,
};
use shared::{Float, Matrix, Module, check_gradients, rng};
use transformer::BlockSizes;

/// Uneven numbers of both signs.
fn uneven(rows: usize, columns: usize, phase: Float) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| (1.3 * i as Float + 2.1 * j as Float + phase).sin())
}

fn histories() -> Histories {
    let actions = |items: &[usize]| -> Vec<Action> {
        items.iter().map(|item| Action { item: *item, kind: item % 2 }).collect()
    };
    let (one, two) = (actions(&[0, 3, 1, 3]), actions(&[2, 4]));
    Histories::new(&[&one, &two])
}

fn stirred(mut model: Model) -> Model {
    let mut phase = 0.0;
    model.for_each_parameter(|_, param| {
        let (rows, columns) = param.value().shape();
        *param.value_mut() += uneven(rows, columns, phase) * 0.4;
        phase += 0.7;
    });
    model
}

#[test]
fn yes_and_no() {
    let answers = Matrix::from_row_slice(1, 4, &[1.0, 0.0, 0.0, 1.0]);
    let logits = Matrix::from_row_slice(1, 4, &[2.0, -0.5, 0.3, -30.0]);
    check_gradients(&[logits], 1e-7, |_, z| binary_cross_entropy(z[0], &answers));
}

#[test]
fn models_that_candidates_ask() {
    let asked = Candidates::new(&[vec![1, 2, 0], vec![4]]);
    let bought = Matrix::from_row_slice(1, 4, &[1.0, 0.0, 0.0, 1.0]);
    let question = Question::Candidates { histories: histories(), asked, bought };
    let sizes = [5, 2, 4, 3];
    let din = |pooling| Model::Din(Din::new(sizes, pooling, true, &mut rng(0)));
    let models = [
        din(Pooling::Mean),
        din(Pooling::Sum),
        din(Pooling::Softmax),
        Model::AtRank(AtRank::new(sizes, true, &mut rng(0))),
    ];
    for model in models {
        let what = format!("{model:?}").chars().take(40).collect::<String>();
        check_parameters(stirred(model), |model, tape| model.loss(tape, &question), &what);
    }
}

#[test]
fn models_of_the_next_item() {
    let (columns, next) = (vec![0, 2, 3, 5], vec![3, 3, 1, 0]);
    let question = Question::Next { histories: histories(), columns, next };
    let norm = Default::default();
    let block = BlockSizes { d_model: 4, d_ff: 5, heads: 2, dropout: 0.0, norm };
    let models = [
        Sequential::sasrec([5, 2, 4], 2, &block, &mut rng(0)),
        Sequential::gru([5, 2, 4, 3], 0.0, &mut rng(0)),
    ];
    for model in models {
        let model = stirred(Model::Sequential(model));
        check_parameters(model, |model, tape| model.loss(tape, &question), "a sequential model");
    }
}
